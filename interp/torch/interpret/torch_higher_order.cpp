#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/interpret/torch_higher_order_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fx::internal {
namespace {

using Tensors = std::vector<at::Tensor>;

// ---------------------------------------------------------------- loops

/// Returns the tensors over whose dimension 0 a loop iterates.
absl::StatusOr<Tensors> loop_tensors(absl::Span<const c10::IValue> sequences, std::string_view op) {
  Tensors tensors;
  for (const c10::IValue& value : sequences) {
    if (!value.isTensor() || value.toTensor().dim() == 0) {
      return absl::InvalidArgumentError(
          fmt::format("{} requires tensors with at least one dimension", op));
    }
    tensors.push_back(value.toTensor());
    if (tensors.back().size(0) != tensors[0].size(0)) {
      return absl::InvalidArgumentError(
          fmt::format("{} requires tensors with equal sizes in dimension 0, but they are {} and {}",
                      op, tensors[0].size(0), tensors.back().size(0)));
    }
  }
  if (tensors.empty() || tensors[0].size(0) == 0) {
    return absl::InvalidArgumentError(fmt::format(
        "{} requires at least one step: it must have a tensor to iterate over, and the size "
        "of dimension 0 must not be 0",
        op));
  }
  return tensors;
}

/// Implements the recursion of associative_scan, which has log2(rows) levels.
class AssociativeScan {
 public:
  AssociativeScan(absl::Span<const c10::IValue> additional_inputs, RunGraph run)
      : additional_inputs_(additional_inputs), run_(run) {}

  absl::StatusOr<Tensors> run(const Tensors& rows) const {
    const int64_t count = rows[0].size(0);
    if (count < 2) return rows;
    FX_ASSIGN_OR_RETURN(const Tensors pairs,
                        combine(slice_rows(rows, 0, -1, 2), every_second(rows, 1)));
    FX_ASSIGN_OR_RETURN(const Tensors odd, run(pairs));
    FX_ASSIGN_OR_RETURN(Tensors even, combine(count % 2 == 0 ? slice_rows(odd, 0, -1, 1) : odd,
                                              every_second(rows, 2)));
    Tensors all;
    for (size_t i = 0; i < rows.size(); ++i) {
      const at::Tensor first = rows[i].slice(0, 0, 1);
      all.push_back(interleave(even[i].numel() > 0 ? at::cat({first, even[i]}) : first, odd[i]));
    }
    return all;
  }

 private:
  static Tensors slice_rows(const Tensors& rows, int64_t start, std::optional<int64_t> end,
                            int64_t step) {
    Tensors slices;
    for (const at::Tensor& tensor : rows) slices.push_back(tensor.slice(0, start, end, step));
    return slices;
  }
  static Tensors every_second(const Tensors& rows, int64_t start) {
    return slice_rows(rows, start, std::nullopt, 2);
  }

  absl::StatusOr<Tensors> combine(const Tensors& left, const Tensors& right) const {
    std::vector<c10::IValue> inputs(left.begin(), left.end());
    inputs.insert(inputs.end(), right.begin(), right.end());
    inputs.insert(inputs.end(), additional_inputs_.begin(), additional_inputs_.end());
    FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> results, run_(std::move(inputs)));
    Tensors tensors;
    for (const c10::IValue& value : results)
      if (value.isTensor()) tensors.push_back(value.toTensor());
    if (tensors.size() == left.size() && results.size() == left.size()) return tensors;
    return absl::InvalidArgumentError(fmt::format(
        "the graph of associative_scan must return one tensor for each of the {} sequences",
        left.size()));
  }

  /// Interleaves the rows of `a` and `b`. `a` may have one more row than `b`.
  static at::Tensor interleave(const at::Tensor& a, const at::Tensor& b) {
    const int64_t count = a.size(0) + b.size(0);
    at::Tensor padded = b;
    if (a.size(0) > b.size(0)) {
      std::vector<int64_t> padding(2 * static_cast<size_t>(b.dim()), 0);
      padding.back() = 1;
      padded = at::constant_pad_nd(b, padding);
    }
    return at::stack({a, padded}, 1).flatten(0, 1).slice(0, 0, count);
  }

  absl::Span<const c10::IValue> additional_inputs_;
  RunGraph run_;
};

// ---------------------------------------------------------------- calls on copies

/// Returns a copy of a tensor with the same strides and offset.
at::Tensor copy_with_strides(const at::Tensor& tensor) {
  int64_t needed = tensor.numel() == 0 ? 0 : tensor.storage_offset() + 1;
  for (int64_t i = 0; i < tensor.dim() && needed > 0; ++i)
    needed += (tensor.size(i) - 1) * tensor.stride(i);
  return at::as_strided(tensor, {needed}, {1}, 0)
      .clone()
      .as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
}

c10::IValue copy_of(const c10::IValue& value) {
  if (value.isTensor()) return copy_with_strides(value.toTensor());
  if (value.isNone()) return value;
  c10::List<c10::IValue> copies(c10::AnyType::get());
  for (const c10::IValue& item : items_of(value)) copies.push_back(copy_of(item));
  return copies;
}

/// The keyword arguments of auto_functionalized_v2 that describe its operator's arguments.
class ViewArguments {
 public:
  ViewArguments(const Call<c10::IValue>& call, std::vector<c10::IValue> bases)
      : bases_(std::move(bases)) {
    for (const NamedValue<c10::IValue>& entry : call.kwargs)
      values_.emplace(entry.name.str(), &entry.value);
  }

  /// Returns the argument with this name: a tensor, a list of tensors or None.
  absl::StatusOr<c10::IValue> argument(const std::string& name) const {
    const c10::IValue* const length = find(fmt::format("_{}_length", name));
    if (length == nullptr) return view(fmt::format("_{}", name));
    if (!length->isInt()) return c10::IValue();
    c10::List<c10::IValue> items(c10::AnyType::get());
    for (int64_t i = 0; i < length->toInt(); ++i) {
      FX_ASSIGN_OR_RETURN(c10::IValue item, view(fmt::format("_{}_{}", name, i)));
      items.push_back(std::move(item));
    }
    return c10::IValue(std::move(items));
  }

 private:
  const c10::IValue* find(const std::string& name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : it->second;
  }
  absl::StatusOr<int64_t> integer(const std::string& name) const {
    const c10::IValue* const value = find(name);
    if (value != nullptr && value->isInt()) return value->toInt();
    return absl::InvalidArgumentError(fmt::format("the argument {} must be an integer", name));
  }
  absl::StatusOr<std::vector<int64_t>> integers(const std::string& name) const {
    std::vector<int64_t> values;
    const c10::IValue* const list = find(name);
    if (list != nullptr) {
      for (const c10::IValue& item : items_of(*list))
        if (item.isInt()) values.push_back(item.toInt());
      if (values.size() == items_of(*list).size()) return values;
    }
    return absl::InvalidArgumentError(
        fmt::format("the argument {} must be a list of integers", name));
  }

  absl::StatusOr<c10::IValue> view(const std::string& prefix) const {
    const c10::IValue* const index = find(prefix + "_base_index");
    if (index == nullptr) {
      return absl::UnimplementedError(
          fmt::format("the argument {0}_base_index is missing: out= operators in "
                      "auto_functionalized_v2 are not supported",
                      prefix));
    }
    if (index->isNone()) return c10::IValue();
    if (!index->isInt() || index->toInt() < 0 ||
        static_cast<size_t>(index->toInt()) >= bases_.size() ||
        !bases_[static_cast<size_t>(index->toInt())].isTensor()) {
      return absl::InvalidArgumentError(fmt::format(
          "the argument {}_base_index must be the index of a tensor in _all_bases", prefix));
    }
    const at::Tensor base = bases_[static_cast<size_t>(index->toInt())].toTensor();
    if (find(prefix + "_alias") != nullptr) return c10::IValue(at::alias(base));
    if (find(prefix + "_storage_offset") != nullptr) {
      FX_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, integers(prefix + "_size"));
      FX_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, integers(prefix + "_stride"));
      FX_ASSIGN_OR_RETURN(const int64_t offset, integer(prefix + "_storage_offset"));
      return c10::IValue(at::as_strided(base, sizes, strides, offset));
    }
    if (find(prefix + "_slice_dim") == nullptr) return c10::IValue(base);
    FX_ASSIGN_OR_RETURN(const int64_t dim, integer(prefix + "_slice_dim"));
    FX_ASSIGN_OR_RETURN(const int64_t start, integer(prefix + "_slice_start"));
    FX_ASSIGN_OR_RETURN(const int64_t end, integer(prefix + "_slice_end"));
    return c10::IValue(base.slice(dim, start, end));
  }

  std::vector<c10::IValue> bases_;
  absl::flat_hash_map<std::string_view, const c10::IValue*> values_;
};

/// Returns `_all_bases`, copied unless `_only_clone_these_bases` excludes them.
std::vector<c10::IValue> copied_bases(const Call<c10::IValue>& call) {
  std::vector<c10::IValue> bases;
  const c10::IValue* only = nullptr;
  for (const NamedValue<c10::IValue>& entry : call.kwargs) {
    if (entry.name.str() == "_all_bases" && !entry.value.isNone())
      for (const c10::IValue& base : items_of(entry.value)) bases.push_back(base);
    if (entry.name.str() == "_only_clone_these_bases" && !entry.value.isNone()) only = &entry.value;
  }
  for (size_t i = 0; i < bases.size(); ++i) {
    const bool is_copied =
        only == nullptr || absl::c_any_of(items_of(*only), [i](const c10::IValue& index) {
          return index.isInt() && index.toInt() == static_cast<int64_t>(i);
        });
    if (is_copied) bases[i] = copy_of(bases[i]);
  }
  return bases;
}

bool is_written(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

}  // namespace

absl::StatusOr<std::vector<c10::IValue>> run_map(absl::Span<const c10::IValue> sequences,
                                                 absl::Span<const c10::IValue> additional_inputs,
                                                 RunGraph run) {
  FX_ASSIGN_OR_RETURN(const Tensors tensors, loop_tensors(sequences, "map_impl"));
  std::vector<Tensors> outputs;
  for (int64_t step = 0; step < tensors[0].size(0); ++step) {
    std::vector<c10::IValue> inputs;
    for (const at::Tensor& tensor : tensors) inputs.emplace_back(at::select(tensor, 0, step));
    inputs.insert(inputs.end(), additional_inputs.begin(), additional_inputs.end());
    FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> results, run(std::move(inputs)));
    if (step == 0) outputs.resize(results.size());
    for (size_t k = 0; k < results.size(); ++k) {
      if (!results[k].isTensor()) {
        return absl::UnimplementedError(
            fmt::format("result {} of the graph of map_impl must be a tensor", k));
      }
      outputs[k].push_back(results[k].toTensor());
    }
  }
  std::vector<c10::IValue> stacked;
  for (const Tensors& values : outputs) stacked.emplace_back(at::stack(values));
  return stacked;
}

absl::StatusOr<std::vector<c10::IValue>> run_associative_scan(
    absl::Span<const c10::IValue> sequences, absl::Span<const c10::IValue> additional_inputs,
    RunGraph run) {
  FX_ASSIGN_OR_RETURN(const Tensors tensors, loop_tensors(sequences, "associative_scan"));
  FX_ASSIGN_OR_RETURN(const Tensors scanned, AssociativeScan(additional_inputs, run).run(tensors));
  return std::vector<c10::IValue>(scanned.begin(), scanned.end());
}

absl::StatusOr<CopiedCall> copied_call(const c10::FunctionSchema& schema,
                                       const Call<c10::IValue>& call, bool has_bases) {
  CopiedCall result;
  if (has_bases) result.written = copied_bases(call);
  const ViewArguments views(call, result.written);
  for (const c10::Argument& parameter : schema.arguments()) {
    const auto given = absl::c_find_if(call.kwargs, [&](const NamedValue<c10::IValue>& entry) {
      return entry.name.str() == parameter.name();
    });
    c10::IValue value;
    if (is_written(parameter) && has_bases) {
      FX_ASSIGN_OR_RETURN(value, views.argument(parameter.name()));
    } else if (given == call.kwargs.end()) {
      continue;  // use the default value
    } else {
      value = given->value;
    }
    if (is_written(parameter) && !has_bases) {
      value = copy_of(value);
      result.written.push_back(value);
    }
    result.kwargs.push_back({call.node->context().symbol(parameter.name()), std::move(value)});
  }
  return result;
}

}  // namespace fx::internal
