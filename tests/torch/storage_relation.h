// Determines which inputs, constants and results of a run share memory, and compares two graphs in
// this respect, both by the storages of their tensors and by writing to each tensor.
#pragma once

#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/interp/torch/storage_copier.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/status.h"
#include "tests/torch/value_types.h"

#include "absl/status/statusor.h"
#include <ATen/ATen.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx::testing {

/// The tensors of one run by name. An undefined tensor represents a value that is not a tensor with
/// storage.
struct StorageRun {
  std::vector<std::string> names;
  std::vector<at::Tensor> tensors;
  std::string wrong_type = {};  ///< the first node whose value does not match its type

  void add(std::string name, const c10::IValue& value) {  // NOLINT(misc-no-recursion)
    if (value.isTuple() || value.isList() || value.isTensorList()) {
      size_t i = 0;
      const auto items =
          value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
      for (const c10::IValue& item : items) add(fmt::format("{}.{}", name, i++), item);
      return;
    }
    names.push_back(std::move(name));
    const bool has_storage =
        value.isTensor() && value.toTensor().defined() && value.toTensor().layout() == at::kStrided;
    tensors.push_back(has_storage ? value.toTensor() : at::Tensor());
  }
  bool share(size_t i, size_t j) const {
    if (!tensors[i].defined() || !tensors[j].defined()) return false;
    const c10::Storage& a = tensors[i].storage();
    const c10::Storage& b = tensors[j].storage();
    // Each read of a module's tensor returns a new storage object with the same data.
    return a.unsafeGetStorageImpl() == b.unsafeGetStorageImpl() ||
           (a.data() != nullptr && a.data() == b.data());
  }
};

/// Runs the graph on copies of the inputs and constants that share memory as the originals do. With
/// `from_module`, the constants are members of a copy of `root`, which called modules also use.
inline absl::StatusOr<StorageRun> run_for_storage(const Graph& graph,
                                                  const std::vector<c10::IValue>& inputs,
                                                  const TorchConstants& constants,
                                                  const Module* root, bool from_module,
                                                  uint64_t seed) {
  StorageCopier copier;
  const auto copy = [&](const c10::IValue& value) -> c10::IValue {
    return value.isTensor() && value.toTensor().defined() ? copier(value.toTensor()) : value;
  };
  StorageRun run;
  std::vector<c10::IValue> own_inputs;
  for (const c10::IValue& input : inputs) {
    own_inputs.push_back(copy(input));
    run.add(fmt::format("input {}", own_inputs.size() - 1), own_inputs.back());
  }
  std::unique_ptr<Module> own_root;
  if (root != nullptr) {
    FX_ASSIGN_OR_RETURN(own_root, root->clone());
  }
  TorchConstants own_constants;
  for (const auto& [path, value] : constants) {
    const Tensor member = from_module ? own_root->find_tensor(path) : Tensor();
    own_constants.emplace(path, member.defined() ? c10::IValue(to_torch(member)) : copy(value));
  }
  std::vector<std::string> paths;
  for (const auto& [path, value] : own_constants) paths.push_back(std::string(path));
  std::ranges::sort(paths);
  for (const std::string& path : paths) run.add("constant " + path, own_constants.at(path));
  at::manual_seed(seed);
  TypeChecker interpreter(graph, std::move(own_constants), AutogradUse::kNone, own_root.get());
  FX_ASSIGN_OR_RETURN(const c10::IValue result, interpreter.run(std::move(own_inputs)));
  run.add("result", result);
  run.wrong_type = interpreter.error();
  return run;
}

/// Returns true if two tensors of the run share memory.
inline bool shares_memory(const StorageRun& run) {
  for (size_t i = 0; i < run.names.size(); ++i)
    for (size_t j = i + 1; j < run.names.size(); ++j)
      if (run.share(i, j)) return true;
  return false;
}

/// Changes each element of a tensor in place. Returns false if the dtype does not support it.
inline bool write_to(at::Tensor& tensor, int64_t number) {
  try {
    if (tensor.scalar_type() == at::kBool)
      tensor.logical_not_();
    else
      tensor.add_(number);
  } catch (const c10::Error&) {
    return false;
  }
  return true;
}

/// Returns a description of the strides of two tensors if they differ in a dimension that has
/// multiple elements; otherwise "".
inline std::string compare_strides(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined() || !b.defined() || a.sizes() != b.sizes() || a.numel() == 0) return "";
  for (int64_t i = 0; i < a.dim(); ++i) {
    if (a.size(i) > 1 && a.stride(i) != b.stride(i))
      return fmt::format("strides [{}] vs. [{}]", fmt::join(a.strides(), ", "),
                         fmt::join(b.strides(), ", "));
  }
  return "";
}

/// Returns the differences between two runs in strides, in shared memory, or in the contents of
/// tensors after a write to one of them; "" if there are none. If `may_separate`, tensors that
/// share memory before the pass may be separate after it. May write to tensors of both runs
/// if shares_memory(before).
inline std::string compare_storage(StorageRun& before, StorageRun& after, bool may_separate,
                                   const EquivalenceOptions& options) {
  if (before.names != after.names) return "results with different structures";
  for (size_t i = 0; i < before.names.size(); ++i) {
    if (std::string what = compare_strides(before.tensors[i], after.tensors[i]); !what.empty())
      return before.names[i] + ": " + what;
  }
  bool is_same = true;
  for (size_t i = 0; i < before.names.size(); ++i) {
    for (size_t j = i + 1; j < before.names.size(); ++j) {
      if (before.share(i, j) == after.share(i, j)) continue;
      is_same = false;
      if (may_separate && before.share(i, j)) continue;
      return fmt::format("{} and {} share memory only {} the pass", before.names[i],
                         before.names[j], before.share(i, j) ? "before" : "after");
    }
  }
  const at::NoGradGuard no_grad;
  const auto difference = [&]() -> std::string {
    for (size_t i = 0; i < before.names.size(); ++i) {
      if (!before.tensors[i].defined()) continue;
      std::string what = compare_values(before.tensors[i], after.tensors[i], options);
      if (!what.empty()) return before.names[i] + ": " + what;
    }
    return "";
  };
  // check_equivalent compares tensors that do not share memory.
  if (!is_same || !difference().empty()) return "";
  for (size_t i = 0; i < before.names.size(); ++i) {
    at::Tensor& a = before.tensors[i];
    at::Tensor& b = after.tensors[i];
    if (!a.defined() || !b.defined()) continue;
    // The write can change only tensors that share memory with `a` or `b`.
    bool is_shared = false;
    for (size_t j = 0; j < before.names.size(); ++j) is_shared |= j != i && before.share(i, j);
    if (!is_shared) continue;
    if (at::has_internal_overlap(a) != at::MemOverlap::No ||
        at::has_internal_overlap(b) != at::MemOverlap::No) {
      continue;
    }
    const int64_t number = static_cast<int64_t>(i) + 1;
    const bool is_written = write_to(a, number);
    if (write_to(b, number) != is_written)
      return fmt::format("a write to {} fails after one of the runs", before.names[i]);
    if (std::string what = difference(); !what.empty())
      return fmt::format("after a write to {}, {}", before.names[i], what);
  }
  return "";
}

}  // namespace fx::testing
