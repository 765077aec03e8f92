// Sequences. The number of items must be known before the graph runs.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::onnx::reader {
namespace {

std::vector<Value*> items_of(Call& c, size_t i) {
  const Value& value = c.value(i);
  if (!c.failed() && value.kind != Value::kSequence)
    c.fail_invalid(fmt::format("input {} must be a sequence", i));
  return c.failed() ? std::vector<Value*>() : value.items;
}

/// Returns the position in input `i`, or `default_value` if it is omitted. An insertion may be at
/// the end of the sequence.
size_t position_of(Call& c, size_t i, int64_t count, int64_t default_value, bool is_insertion) {
  int64_t position = default_value;
  if (c.has(i)) {
    const Ints values = c.ints_input(i, "positions in a sequence");
    if (values.size() == 1) position = values[0];
  }
  if (position < 0) position += count;
  if (position < 0 || position >= count + (is_insertion ? 1 : 0)) {
    c.fail_invalid("its position is outside the sequence");
    return 0;
  }
  return static_cast<size_t>(position);
}

void sequence_construct(Call& c) {
  std::vector<Value*> items;
  items.reserve(c.num_inputs());
  for (size_t i = 0; i < c.num_inputs(); ++i) items.push_back(&c.value(i));
  c.result_sequence(std::move(items));
}

void sequence_empty(Call& c) {
  c.ignore_attribute("dtype");
  c.result_sequence({});
}

void sequence_at(Call& c) {
  const std::vector<Value*> items = items_of(c, 0);
  const size_t position = position_of(c, 1, static_cast<int64_t>(items.size()), 0, false);
  if (!c.failed()) c.result_same(0, *items[position]);
}

void sequence_insert(Call& c) {
  std::vector<Value*> items = items_of(c, 0);
  const auto count = static_cast<int64_t>(items.size());
  const size_t position = position_of(c, 2, count, count, true);
  if (c.failed()) return;
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(position), &c.value(1));
  c.result_sequence(std::move(items));
}

void sequence_erase(Call& c) {
  std::vector<Value*> items = items_of(c, 0);
  const auto count = static_cast<int64_t>(items.size());
  const size_t position = position_of(c, 1, count, count - 1, false);
  if (c.failed()) return;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(position));
  c.result_sequence(std::move(items));
}

void sequence_length(Call& c) {
  c.result_sizes({static_cast<int64_t>(items_of(c, 0).size())}, true);
}

void concat_from_sequence(Call& c) {
  std::vector<Val> parts;
  for (Value* const item : items_of(c, 0)) {
    const absl::StatusOr<Node*> node = c.reader().node_in(c.frame(), *item);
    if (!node.ok()) return c.fail(node.status());
    parts.push_back({*node});
  }
  if (parts.empty()) return c.fail_invalid("the sequence is empty");
  const bool is_new = c.flag("new_axis");
  const int64_t axis = c.axis(c.integer("axis", 0), c.rank(parts[0]) + (is_new ? 1 : 0));
  c.result(c.op(is_new ? "aten.stack.default" : "aten.cat.default", {c.list(parts), axis}));
}

void split_to_sequence(Call& c) {
  const Val x = c.in(0);
  const int64_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  const int64_t size = c.constant_dim(x, axis);
  const bool keep = c.flag("keepdims", true) || c.has(1);
  Ints parts;
  constexpr int64_t kMaxItems = 1024;
  if (size > kMaxItems) return c.fail("sequences of more than 1024 items are not supported");
  if (!c.has(1)) {
    parts.assign(static_cast<size_t>(c.failed() ? 0 : size), 1);
  } else {
    const Ints given = c.ints_input(1, "the parts");
    const bool is_scalar = c.rank(c.in(1)) == 0;
    if (is_scalar && given.size() == 1 && given[0] > 0) {
      for (int64_t remaining = size; remaining > 0; remaining -= given[0])
        parts.push_back(std::min(remaining, given[0]));
    } else {
      parts = given;
    }
  }
  const Val all = c.op("aten.split_with_sizes.default", {x, c.list(parts), axis});
  std::vector<Value*> items;
  for (size_t i = 0; i < parts.size() && !c.failed(); ++i) {
    Val part = c.item(all, static_cast<int64_t>(i));
    if (!keep) part = c.op("aten.squeeze.dims", {part, c.dims({axis})});
    Value& item = c.reader().new_value();
    item.kind = Value::kTensor;
    item.frame = &c.frame();
    item.node = part.node;
    items.push_back(&item);
  }
  c.result_sequence(std::move(items));
}

}  // namespace

absl::Span<const Row> sequence_rows() {
  static constexpr Row kRows[] = {
      {"SequenceConstruct", sequence_construct, 11},
      {"SequenceEmpty", sequence_empty, 11},
      {"SequenceAt", sequence_at, 11},
      {"SequenceInsert", sequence_insert, 11},
      {"SequenceErase", sequence_erase, 11},
      {"SequenceLength", sequence_length, 11},
      {"ConcatFromSequence", concat_from_sequence, 11},
      {"SplitToSequence", split_to_sequence, 11},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
