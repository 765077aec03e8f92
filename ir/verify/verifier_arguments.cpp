// The verifier's rules about arguments and use lists: see verifier.h.
//
// Use lists are checked in the same walk as arguments. At a node, every record in its use list is
// marked; each later operand must be marked, and its mark is cleared. A missing mark means an
// operand that comes too early (V8) or is not in the list (V9); a mark that remains at the end
// means a use that is not an operand of any node (V9).
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph_storage_inline.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/verify/verifier_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {

using detail::Cell;

namespace {

constexpr std::string_view kSetAgain = "set the argument again (Node::set_args, update_arg)";
constexpr std::string_view kSetKeywords = "set the keyword arguments again (Node::set_kwargs)";

}  // namespace

void Verifier::check_uses(const Node& node) {
  auto report_problem = [&](std::string problem) {
    error(Invariant::kUseLists, &node, "its use list is corrupted: " + std::move(problem), kBug);
  };
  uint32_t index = node.first_use_;
  if (node.num_uses_ == 0) {
    if (index != 0) report_problem("it has a first use, but a count of 0");
    return;
  }
  for (uint32_t i = 0; i < node.num_uses_; ++i) {
    if (!valid_cell(index))
      return report_problem(fmt::format("use {} is outside of the storage", i));
    const Cell& cell = cell_at(index);
    if (cell.head != node.slot_)
      return report_problem(fmt::format("use {} refers to another value", i));
    uint32_t next = cell.use.next;
    if (!valid_cell(next) || cell_at(next).head != node.slot_ || cell_at(next).use.prev != index)
      return report_problem(
          fmt::format("the backward link of the use after {} does not refer to it", i));
    // Operands that come too early have already been visited.
    if (!(!early_.empty() && early_.erase(index)) && test_and_set(index))
      return report_problem(fmt::format("it has {} uses, but the count is {}", i, node.num_uses_));
    index = next;
  }
  if (index != node.first_use_)
    report_problem(fmt::format("it has more than {} uses, the recorded count", node.num_uses_));
}

void Verifier::check_arguments(const Node& node) {
  num_operands_ = 0;
  uint64_t count = node.num_args_ + 2ull * node.num_kwargs_;
  if (!valid_run(node.cells_, count)) {
    error(Invariant::kArguments, &node, "its arguments are outside of the storage", kBug);
    return;
  }
  for (uint32_t i = 0; i < node.num_args_; ++i) check_argument(node, node.cells_ + i, 0);
  for (uint32_t i = 0; i < node.num_kwargs_; ++i)
    check_argument(node, node.cells_ + node.num_args_ + 2 * i + 1, 0);
  if (node.num_kwargs_) check_keywords(node);
}

void Verifier::check_argument(const Node& node, uint32_t index, int depth) {
  if (cells_left_ == 0) return;
  if (--cells_left_ == 0) {
    error(Invariant::kArguments, &node,
          "arguments overlap: their number exceeds the storage of the graph", kBug);
    return;
  }
  const Cell& cell = cell_at(index);
  if (cell.is_use()) {
    check_operand(node, index, cell);
    return;
  }
  ArgumentKind kind = cell.kind();
  auto report_problem = [&](std::string problem) {
    error(Invariant::kArguments, &node, std::move(problem), kSetAgain);
  };
  if (kind > ArgumentKind::kRange || kind == ArgumentKind::kNode)
    return report_problem(
        fmt::format("an argument has the unknown kind {}", static_cast<int>(kind)));
  switch (kind) {
    case ArgumentKind::kString:
    case ArgumentKind::kObject:
    case ArgumentKind::kFunction:
    case ArgumentKind::kSymbolic:
      if (!cell.pointer)
        report_problem(
            fmt::format("an argument of kind {} must have a value", argument_kind_name(kind)));
      return;
    case ArgumentKind::kDType:
      if (cell.i < 0 || cell.i > kNumDTypes)
        report_problem(fmt::format("unknown dtype {}", cell.i));
      return;
    case ArgumentKind::kLayout:
      if (cell.i < 0 || cell.i >= kNumLayouts)
        report_problem(fmt::format("unknown layout {}", cell.i));
      return;
    case ArgumentKind::kMemoryFormat:
      if (cell.i < 0 || cell.i >= kNumMemoryFormats)
        report_problem(fmt::format("unknown memory format {}", cell.i));
      return;
    case ArgumentKind::kComplex:
      if (cell.aux != 2 || !valid_run(cell.items.begin, 2))
        report_problem("a complex number must have two parts");
      return;
    case ArgumentKind::kGraph:
      if (cell.i < 0 || static_cast<uint64_t>(cell.i) >= graph_->num_subgraphs()) {
        error(Invariant::kNestedGraphs, &node,
              fmt::format("nested graph {} is out of range for {}", cell.i,
                          pluralize(graph_->num_subgraphs(), "nested graph")),
              "add the nested graph first (Graph::add_subgraph)");
      }
      return;
    default:
      if (is_aggregate(kind)) check_aggregate(node, cell, depth + 1);
  }
}

void Verifier::check_aggregate(const Node& node, const Cell& cell, int depth) {
  auto report_problem = [&](std::string problem) {
    error(Invariant::kArguments, &node, std::move(problem), kSetAgain);
  };
  ArgumentKind kind = cell.kind();
  bool dict = kind == ArgumentKind::kDict;
  uint64_t count = dict ? 2ull * cell.aux : cell.aux;
  if (depth > kMaxArgumentDepth)
    return report_problem(
        fmt::format("arguments are nested more than {} levels deep", kMaxArgumentDepth));
  if (!valid_run(cell.items.begin, count))
    return report_problem(
        fmt::format("the items of a {} are outside of the storage", argument_kind_name(kind)));
  if ((kind == ArgumentKind::kSlice || kind == ArgumentKind::kRange) && count != 3)
    return report_problem(
        fmt::format("a {} must have three parts, not {}", argument_kind_name(kind), count));
  if (kind == ArgumentKind::kRange) {
    for (uint32_t i = 0; i < 3; ++i)
      if (cell_at(cell.items.begin + i).kind() != ArgumentKind::kInt)
        return report_problem("the start, stop and step of a range must be integers");
  }
  if (dict) check_dict_keys(node, cell);
  for (uint32_t i = dict ? 1 : 0; i < count; i += dict ? 2 : 1)
    check_argument(node, cell.items.begin + i, depth);
}

void Verifier::check_dict_keys(const Node& node, const Cell& cell) {
  absl::flat_hash_set<std::pair<bool, int64_t>> keys;  // strings are interned
  for (uint32_t i = 0; i < cell.aux; ++i) {
    const Cell& key = cell_at(cell.items.begin + 2 * i);
    bool text = key.kind() == ArgumentKind::kString;
    if ((!text && key.kind() != ArgumentKind::kInt) || (text && !key.pointer)) {
      error(Invariant::kArguments, &node, "the keys of a dict must be strings or integers",
            kSetAgain);
    } else if (cell.aux > 1 && !keys.emplace(text, key.i).second) {
      error(Invariant::kArguments, &node, "duplicate key in a dict", kSetAgain);
    }
  }
}

void Verifier::check_operand(const Node& node, uint32_t index, const Cell& cell) {
  ++num_operands_;
  if (!valid_slot(cell.head) || graph_->storage().node_at(cell.head)->is_erased()) {
    error(Invariant::kOperands, &node, "an operand must be a live node of this graph",
          "replace it (Node::update_arg), or erase this node too");
    return;
  }
  const Node& value = *graph_->storage().node_at(cell.head);
  if (cell.aux != node.slot_) {
    error(Invariant::kUseLists, &node,
          fmt::format("the use list of {} records its use here under another user", percent(value)),
          kBug);
  }
  bool marked = test_and_clear(index);
  if (&value == &node) {
    error(Invariant::kOperandOrder, &node, "it must not use itself",
          "replace the operand (Node::replace_input_with)");
  } else if (marked) {
    return;
  } else if (value.order_ < node.order_) {
    error(Invariant::kUseLists, &node,
          fmt::format("the use list of operand {} lacks this use", percent(value)), kBug);
  } else {
    early_.insert(index);
    error(Invariant::kOperandOrder, &node, fmt::format("operand {} comes after it", percent(value)),
          fmt::format("move {} up (Node::move_before), or build operands first", percent(value)));
  }
}

std::optional<std::string_view> Verifier::keyword(const Node& node, uint32_t i) const {
  const Cell& key = cell_at(node.cells_ + node.num_args_ + 2 * i);
  if (key.is_use() || key.kind() != ArgumentKind::kString || !key.pointer) return std::nullopt;
  return ArgumentRef(graph_, &key).as_string();
}

void Verifier::check_keywords(const Node& node) {
  absl::flat_hash_set<const void*> seen;  // keywords are interned
  for (uint32_t i = 0; i < node.num_kwargs_; ++i) {
    const std::optional<std::string_view> key = keyword(node, i);
    if (!key) {
      error(Invariant::kKeywords, &node, "a keyword must be a string", kSetKeywords);
    } else if (key->empty()) {
      error(Invariant::kKeywords, &node, "a keyword must not be empty", kSetKeywords);
    } else if (node.num_kwargs_ > 1 && !seen.insert(key->data()).second) {
      error(Invariant::kKeywords, &node, "duplicate keyword", kSetKeywords);
    }
  }
}

void Verifier::check_leftover_uses() {
  if (cells_left_ == 0) return;  // not all arguments were visited
  for (uint32_t index : early_) {
    const Node& value = *graph_->storage().node_at(cell_at(index).head);
    error(Invariant::kUseLists, &value, "its use list lacks a use by a node before it", kBug);
  }
  for (size_t word = 0; uses_marked_ > 0 && word < marks_.size(); ++word) {
    for (uint32_t bit = 0; marks_[word] != 0 && bit < 64; ++bit) {
      auto index = static_cast<uint32_t>(64 * word + bit);
      if (!test_and_clear(index)) continue;
      const Node& value = *graph_->storage().node_at(cell_at(index).head);
      error(Invariant::kUseLists, &value,
            "its use list has a use that is not an operand of any node", kBug);
    }
  }
}

}  // namespace fx
