// importers/torch/capture/untouched.h - building models that are never filled: their tensors have types and
// addresses, but no memory.
//
//   FX_ASSIGN_OR_RETURN(fx::UntouchedScope scope, fx::UntouchedScope::create(context));
//   Gpt model(layers, width);                 // 70 billion parameters take a few milliseconds
//
// What is built so is captured with Execution::kUntouched. Reading such a tensor gives zeros;
// writing to it (a copy, a kernel that runs) takes the memory then.
#pragma once

#include "fx/importers/torch/capture/hook.h"
#include "fx/ir/graph/context.h"

#include "absl/status/statusor.h"

#include <memory>

namespace fx {

/// While it lives, operators of this thread are not run: results have the right type on untouched
/// memory. Operators that cannot do so throw c10::Error (see Execution::kUntouched).
class UntouchedScope {
 public:
  /// Unavailable when the hook cannot be had.
  static absl::StatusOr<UntouchedScope> create(Context& context, HookKind hook = HookKind::kAuto);

  UntouchedScope(UntouchedScope&&) noexcept;
  UntouchedScope& operator=(UntouchedScope&&) = delete;
  ~UntouchedScope();

 private:
  class Observer;
  UntouchedScope(std::unique_ptr<Observer> observer, HookGuard guard);

  std::unique_ptr<Observer> observer_;
  HookGuard guard_;
};

}  // namespace fx
