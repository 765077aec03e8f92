// importers/torch/capture/hook.h - sees every operator that libtorch runs, below autograd and above the
// backends: forward operators as the program calls them and those that the autograd engine calls.
//
// Two hooks do the same. The *fake* hook is a boxed fallback on DispatchKey::Fake, switched on by
// thread-local dispatch keys. The *mode* hook is a dispatch mode written in C++ (an interpreter
// vtable whose "Python objects" are observers). Which of them works depends on libtorch's version
// and on what else the process registered; everything that does is decided in hook.cpp.
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

/// Which way the dispatcher is hooked.
enum class HookKind {
  kAuto,  ///< fake where libtorch lets it be registered, else mode
  kFake,  ///< boxed fallback on DispatchKey::Fake
  kMode,  ///< a dispatch mode
};

/// Receives the operators. `on_operator` must leave the results on the stack in place of the
/// arguments, usually by `call_kernel`. It runs with the hook still on.
class OperatorObserver {
 public:
  OperatorObserver() = default;
  OperatorObserver(const OperatorObserver&) = delete;
  OperatorObserver& operator=(const OperatorObserver&) = delete;
  virtual ~OperatorObserver() = default;

  virtual void on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) = 0;
};

/// Runs the kernel of `op` on the arguments on `stack`, unobserved.
void call_kernel(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Switches the hook on for the current scope, in this thread and in threads that inherit its
/// libtorch state (the autograd engine's workers).
class HookGuard {
 public:
  /// Fails with Unavailable when `kind` cannot be had in this process; the message says why.
  static absl::StatusOr<HookGuard> create(OperatorObserver& observer, HookKind kind);

  HookGuard(HookGuard&&) noexcept;
  HookGuard& operator=(HookGuard&&) = delete;
  ~HookGuard();

  /// The hook in use, never kAuto.
  HookKind kind() const { return kind_; }

 private:
  class Installed;
  HookGuard(HookKind kind, std::unique_ptr<Installed> installed);

  HookKind kind_;
  std::unique_ptr<Installed> installed_;
};

/// Hides the hook for the current scope: operators run as if nothing were captured.
class HookPause {
 public:
  HookPause();

 private:
  c10::impl::ExcludeDispatchKeyGuard exclude_;
};

}  // namespace fx
