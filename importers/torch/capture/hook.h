// Observes every operator that libtorch dispatches after autograd and before the backends. These
// include operators that the program calls and operators that the autograd engine calls.
//
// There are two equivalent hooks. The *fake* hook is a boxed fallback on DispatchKey::Fake, enabled
// by thread-local dispatch keys. The *mode* hook is a dispatch mode written in C++ (an interpreter
// vtable whose "Python objects" are observers). The version of libtorch and other registrations in
// the process determine which hooks are available; see hook.cpp.
#pragma once

#include "fx/interp/torch/dispatch/dispatcher.h"

#include "absl/status/statusor.h"
#include <ATen/core/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <memory>

namespace c10 {
class OperatorHandle;
}  // namespace c10

namespace fx {

/// The mechanism of the hook.
enum class HookKind {
  kAuto,  ///< kFake if it can be registered, else kMode
  kFake,  ///< boxed fallback on DispatchKey::Fake
  kMode,  ///< a dispatch mode
};

/// Receives the operators. `on_operator` must replace the arguments on the stack with the results,
/// usually by calling `call_kernel`. The hook remains enabled while `on_operator` runs.
class OperatorObserver {
 public:
  OperatorObserver() = default;
  OperatorObserver(const OperatorObserver&) = delete;
  OperatorObserver& operator=(const OperatorObserver&) = delete;
  virtual ~OperatorObserver() = default;

  virtual void on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) = 0;
};

/// Runs the kernel of `op` on the arguments on `stack`, without notifying the observer.
void call_kernel(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Enables the hook for the current scope, in this thread and in threads that inherit its libtorch
/// state (the autograd engine's workers).
class HookGuard {
 public:
  /// Returns Unavailable, with the reason, if `kind` cannot be installed in this process.
  static absl::StatusOr<HookGuard> create(OperatorObserver& observer, HookKind kind);

  HookGuard(HookGuard&&) noexcept;
  HookGuard& operator=(HookGuard&&) = delete;
  ~HookGuard();

  /// Returns the hook that is used, which is never kAuto.
  HookKind kind() const { return kind_; }

 private:
  class Installed;
  HookGuard(HookKind kind, std::unique_ptr<Installed> installed);

  HookKind kind_;
  std::unique_ptr<Installed> installed_;
};

/// Disables the hook for the current scope: operators run without being captured.
class HookPause {
 public:
  HookPause();

 private:
  c10::impl::ExcludeDispatchKeyGuard exclude_;
};

}  // namespace fx
