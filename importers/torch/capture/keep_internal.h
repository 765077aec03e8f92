// Intercepts composite operators before autograd, so that a capture can record them whole.
//
// libtorch runs a composite operator (linear, conv2d, layer_norm) as calls to other operators
// before autograd. The hook of a capture, which runs after autograd, observes only these calls. The
// guard in this file adds a boxed fallback on DispatchKey::TESTING_ONLY_GenericMode, a dispatch key
// before autograd that libtorch does not otherwise use.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/ops/registry.h"

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace fx {

/// The number of a kept call: on the call, on its parts that are in the graph, and on the calls of
/// its backward pass. Only in graphs for which keep_backward_calls will be called.
inline constexpr MetaKey<int64_t> kKeptCall{"kept_call"};
/// On calls of the backward pass: the number of the pass (AutogradPosition::run); -1 if
/// hooks may have made the call.
inline constexpr MetaKey<int64_t> kEngineRun{"engine_run"};

/// Moves the backward pass of each kept call into a nested graph, and removes kKeptCall and
/// kEngineRun. Implements CaptureOptions::keep_backward.
void keep_backward_calls(CapturedGraph& captured);
/// Returns InvalidArgument if `keep_backward` is true and no operator is kept.
absl::Status check_keep_backward(absl::Span<const std::string> keep, bool keep_backward);

/// The operators that CaptureOptions::keep names.
class KeptOperators {
 public:
  /// Returns InvalidArgument for a word that is neither a preset nor an operator name.
  static absl::StatusOr<KeptOperators> create(const ops::OpRegistry& registry,
                                              absl::Span<const std::string> words);

  bool empty() const { return !all_ && operators_.empty(); }
  /// Returns true for a composite operator that must be recorded whole.
  bool contains(const c10::OperatorHandle& op) const;

 private:
  struct Hash {
    size_t operator()(const c10::OperatorHandle& op) const {
      return std::hash<c10::OperatorHandle>()(op);
    }
  };

  absl::Status add(const ops::OpRegistry& registry, const std::string& word);

  bool all_ = false;
  absl::flat_hash_set<c10::OperatorHandle, Hash> operators_;
};

/// Receives the operators that the program calls in the forward pass and, for operators that are
/// not kept, the operators that they call. If `keeps` returns true, `on_composite` must run the
/// operator (op.callBoxed), which replaces the arguments on the stack with the results. The
/// operators that it calls are not intercepted.
class CompositeObserver {
 public:
  CompositeObserver() = default;
  CompositeObserver(const CompositeObserver&) = delete;
  CompositeObserver& operator=(const CompositeObserver&) = delete;
  virtual ~CompositeObserver() = default;

  virtual bool keeps(const c10::OperatorHandle& op, const torch::jit::Stack& stack) = 0;
  virtual void on_composite(const c10::OperatorHandle& op, torch::jit::Stack& stack) = 0;
};

/// Intercepts operators for the current scope, in this thread and in threads that inherit its
/// libtorch state. Does not intercept operators while a HookPause or a KernelScope exists.
class CompositeHookGuard {
 public:
  /// Returns Unavailable if the process has a different fallback on the key. `observer` must
  /// outlive the guard.
  static absl::StatusOr<CompositeHookGuard> create(CompositeObserver& observer);
  CompositeHookGuard(CompositeHookGuard&&) noexcept;
  CompositeHookGuard& operator=(CompositeHookGuard&&) = delete;
  ~CompositeHookGuard();

 private:
  class Installed;
  explicit CompositeHookGuard(std::unique_ptr<Installed> installed);

  std::unique_ptr<Installed> installed_;
};

}  // namespace fx
