// FakeTensorScope: creates models whose tensors have types and addresses, but no memory.
//
//   FX_ASSIGN_OR_RETURN(fx::FakeTensorScope scope, fx::FakeTensorScope::create(context));
//   Gpt model(layers, width);                 // 70 billion parameters in a few milliseconds
//
// Capture such a model with Execution::kFake. Reading a fake tensor returns zeros. Writing to it,
// by a copy or a kernel that runs, allocates its memory.
#pragma once

#include "fx/importers/torch/capture/hook.h"
#include "fx/ir/graph/context.h"

#include "absl/status/statusor.h"

#include <memory>

namespace fx {

/// During its lifetime, operators that this thread calls do not run. Their results are fake tensors
/// of the correct type. An operator that depends on data throws c10::Error (see Execution::kFake).
class FakeTensorScope {
 public:
  /// Returns Unavailable if the hook cannot be installed.
  static absl::StatusOr<FakeTensorScope> create(Context& context, HookKind hook = HookKind::kAuto);

  FakeTensorScope(FakeTensorScope&&) noexcept;
  FakeTensorScope& operator=(FakeTensorScope&&) = delete;
  ~FakeTensorScope();

 private:
  class Observer;
  FakeTensorScope(std::unique_ptr<Observer> observer, HookGuard guard);

  std::unique_ptr<Observer> observer_;
  HookGuard guard_;
};

}  // namespace fx
