// Implements the two hooks. Code that depends on libtorch's version is in this file.
#include "fx/importers/torch/capture/hook.h"

#include "absl/status/status.h"
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/PyInterpreter.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/library.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fx {
namespace {

const c10::DispatchKeySet kHookKeys({c10::DispatchKey::Fake, c10::DispatchKey::Python,
                                     c10::DispatchKey::PythonTLSSnapshot});

// ---- fake hook -------------------------------------------------------------------------------

constexpr std::string_view kObserverSlotName = "fxcpp::OperatorObserver";
constexpr c10::DebugInfoKind kObserverSlot(&kObserverSlotName);

/// Stores the observer in libtorch's thread-local state, which the autograd engine copies to its
/// threads.
struct ObserverSlot final : c10::DebugInfoBase {
  explicit ObserverSlot(OperatorObserver* o) : observer(o) {}
  OperatorObserver* observer;
};

void fake_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  auto* slot = static_cast<ObserverSlot*>(c10::ThreadLocalDebugInfo::get(kObserverSlot));
  if (slot == nullptr) {
    call_kernel(op, *stack);
    return;
  }
  slot->observer->on_operator(op, *stack);
}

/// Registers the fallback once per process. Returns an error message, or an empty string on
/// success.
const std::string& fake_hook_problem() {
  static const std::string* const problem = [] {
    auto* text = new std::string;
    if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(c10::DispatchKey::Fake)) {
      *text = "libtorch already has a fallback on DispatchKey::Fake";
      return text;
    }
    try {
      // The library is never destroyed, since it is not safe to remove a fallback while other
      // threads run.
      auto* library = new torch::Library(torch::Library::IMPL, "_", c10::DispatchKey::Fake,
                                         "importers/torch/capture/hook.cpp", 0);
      library->fallback(torch::CppFunction::makeFromBoxedFunction<&fake_fallback>());
    } catch (const c10::Error& e) {
      *text = e.what_without_backtrace();
    }
    return text;
  }();
  return *problem;
}

// ---- mode hook -------------------------------------------------------------------------------

c10::impl::PyInterpreter* mode_interpreter();

/// An interpreter vtable without Python. Its objects are observers that it does not own.
class ModeVTable final : public c10::impl::PyInterpreterVTable {
 public:
  std::string name() const override { return "fxcpp"; }

  void incref(PyObject*) const override {}
  void decref(PyObject*) const override {}
  bool try_incref(const c10::impl::PyObjectSlot&) const override { return false; }
  size_t refcnt(PyObject*) const override { return 1; }

  /// Autograd calls this to save a tensor for the backward pass. Copies the handle without
  /// notifying the observer.
  c10::intrusive_ptr<c10::TensorImpl> detach(const c10::TensorImpl* self) const override {
    const HookPause pause;
    return self->shallow_copy_and_detach(c10::VariableVersion(0), false);
  }

  void dispatch(const c10::OperatorHandle& op, torch::jit::Stack* stack) const override {
    using c10::impl::TorchDispatchModeTLS;
    const auto& mode = TorchDispatchModeTLS::get_stack_at(TorchDispatchModeTLS::stack_len() - 1);
    auto* observer = reinterpret_cast<OperatorObserver*>(mode->ptr(mode_interpreter()));
    observer->on_operator(op, *stack);
  }

  void reportErrorCallback(PyObject*, c10::DispatchKey) const override {}
  void python_op_registration_trampoline(const c10::OperatorHandle&, c10::DispatchKey,
                                         c10::DispatchKeySet, torch::jit::Stack*, bool,
                                         bool) const override {
    unused("python_op_registration_trampoline");
  }
  void throw_abstract_impl_not_imported_error(std::string, const char*,
                                              const char*) const override {
    unused("throw_abstract_impl_not_imported_error");
  }
  void python_dispatcher(const c10::OperatorHandle&, c10::DispatchKeySet,
                         torch::jit::Stack*) const override {
    unused("python_dispatcher");
  }

  // No tensor is tagged with this interpreter, so libtorch does not call the following functions.
  bool is_contiguous(const c10::TensorImpl*, at::MemoryFormat) const override {
    unused("is_contiguous");
  }
  c10::SymBool sym_is_contiguous(const c10::TensorImpl*, at::MemoryFormat) const override {
    unused("sym_is_contiguous");
  }
  bool is_strides_like(const c10::TensorImpl*, at::MemoryFormat) const override {
    unused("is_strides_like");
  }
  bool is_non_overlapping_and_dense(const c10::TensorImpl*) const override {
    unused("is_non_overlapping_and_dense");
  }
  c10::Device device(const c10::TensorImpl*) const override { unused("device"); }
  int64_t dim(const c10::TensorImpl*) const override { unused("dim"); }
  c10::IntArrayRef strides(const c10::TensorImpl*) const override { unused("strides"); }
  c10::IntArrayRef sizes(const c10::TensorImpl*) const override { unused("sizes"); }
  c10::SymIntArrayRef sym_sizes(const c10::TensorImpl*) const override { unused("sym_sizes"); }
  c10::Layout layout(const c10::TensorImpl*) const override { unused("layout"); }
  int64_t numel(const c10::TensorImpl*) const override { unused("numel"); }
  c10::SymInt sym_numel(const c10::TensorImpl*) const override { unused("sym_numel"); }
  c10::SymIntArrayRef sym_strides(const c10::TensorImpl*) const override { unused("sym_strides"); }
  c10::SymInt sym_storage_offset(const c10::TensorImpl*) const override {
    unused("sym_storage_offset");
  }

  void trace_gpu_event_creation(c10::DeviceType, uintptr_t) const override {}
  void trace_gpu_event_deletion(c10::DeviceType, uintptr_t) const override {}
  void trace_gpu_event_record(c10::DeviceType, uintptr_t, uintptr_t) const override {}
  void trace_gpu_event_wait(c10::DeviceType, uintptr_t, uintptr_t) const override {}
  void trace_gpu_memory_allocation(c10::DeviceType, uintptr_t) const override {}
  void trace_gpu_memory_deallocation(c10::DeviceType, uintptr_t) const override {}
  void trace_gpu_stream_creation(c10::DeviceType, uintptr_t) const override {}
  void trace_gpu_device_synchronization(c10::DeviceType) const override {}
  void trace_gpu_stream_synchronization(c10::DeviceType, uintptr_t) const override {}
  void trace_gpu_event_synchronization(c10::DeviceType, uintptr_t) const override {}

  void reset_backward_hooks(const c10::TensorImpl*) const override {}

 private:
  [[noreturn]] static void unused(const char* what) {
    TORCH_CHECK(false, "fxcpp's dispatch mode does not implement ", what);
  }
};

c10::impl::PyInterpreter* mode_interpreter() {
  // The interpreter is never destroyed, since tensors may refer to it after a capture.
  static auto* const interpreter = new c10::impl::PyInterpreter(new ModeVTable);
  return interpreter;
}

}  // namespace

void call_kernel(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const KernelScope scope;
  op.callBoxed(stack);
}

HookPause::HookPause() : exclude_(kHookKeys) {}

/// The installed hook. The destructor removes it.
class HookGuard::Installed {
 public:
  Installed(OperatorObserver& observer, HookKind kind) {
    if (kind == HookKind::kFake) {
      slot_.emplace(kObserverSlot, std::make_shared<ObserverSlot>(&observer));
      include_.emplace(c10::DispatchKeySet(c10::DispatchKey::Fake));
      return;
    }
    auto* object = reinterpret_cast<PyObject*>(&observer);
    c10::impl::TorchDispatchModeTLS::push_non_infra_mode_onto_stack(
        std::make_shared<c10::impl::PyObject_TorchDispatchMode>(object, mode_interpreter()));
    pushed_ = true;
  }
  Installed(const Installed&) = delete;
  Installed& operator=(const Installed&) = delete;
  ~Installed() {
    if (pushed_) c10::impl::TorchDispatchModeTLS::pop_stack();
  }

 private:
  std::optional<c10::DebugInfoGuard> slot_;
  std::optional<c10::impl::IncludeDispatchKeyGuard> include_;
  bool pushed_ = false;
};

HookGuard::HookGuard(HookKind kind, std::unique_ptr<Installed> installed)
    : kind_(kind), installed_(std::move(installed)) {}
HookGuard::HookGuard(HookGuard&&) noexcept = default;
HookGuard::~HookGuard() = default;

absl::StatusOr<HookGuard> HookGuard::create(OperatorObserver& observer, HookKind kind) {
  if (kind != HookKind::kMode) {
    const std::string& problem = fake_hook_problem();
    if (problem.empty()) {
      kind = HookKind::kFake;
    } else if (kind == HookKind::kFake) {
      return absl::UnavailableError("the fake hook cannot be used: " + problem +
                                    "; use the mode hook");
    } else {
      kind = HookKind::kMode;
    }
  }
  return HookGuard(kind, std::make_unique<Installed>(observer, kind));
}

}  // namespace fx
