#include "fx/interp/torch/dispatch/dispatcher.h"

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include <c10/core/DispatchKeySet.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fx {

KernelScope::KernelScope()
    : exclude_(c10::autograd_dispatch_keyset_with_ADInplaceOrView |
               c10::DispatchKeySet({c10::DispatchKey::Fake, c10::DispatchKey::Python,
                                    c10::DispatchKey::PythonTLSSnapshot})) {}

namespace {

bool is_unresolved(const at::TensorBase& tensor) {
  constexpr c10::DispatchKeySet kKeys({c10::DispatchKey::Conjugate, c10::DispatchKey::Negative});
  return tensor.defined() && tensor.key_set().has_any(kKeys);
}

}  // namespace

// ADInplaceOrView remains excluded, because results need not refer to the tensors that they are
// views of.
NoGradientScope::NoGradientScope()
    : keys_(c10::impl::tls_local_dispatch_key_set().included_,
            c10::impl::tls_local_dispatch_key_set().excluded_ - c10::autograd_dispatch_keyset) {}

bool has_unresolved(c10::ArrayRef<c10::IValue> values) {
  return std::ranges::any_of(values, [](const c10::IValue& value) {
    if (value.isTensor()) return is_unresolved(value.toTensor());
    if (!value.isList()) return false;
    return std::ranges::any_of(value.toListRef(), [](const c10::IValue& item) {
      return item.isTensor() && is_unresolved(item.toTensor());
    });
  });
}

void dispatch(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  std::optional<NoGradientScope> as_eager;
  if (has_unresolved(stack) && c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::Fake) &&
      op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd))
    as_eager.emplace();
  op.callBoxed(stack);
}

absl::StatusOr<c10::OperatorHandle> find_operator(std::string_view target) {
  const size_t first = target.find('.');
  const size_t last = target.rfind('.');
  if (first == std::string_view::npos || first == last) {
    return absl::UnimplementedError(fmt::format(
        "\"{}\" must be an operator with an overload, such as aten.add.Tensor", target));
  }
  const std::string_view overload = target.substr(last + 1);
  c10::OperatorName name(
      fmt::format("{}::{}", target.substr(0, first), target.substr(first + 1, last - first - 1)),
      overload == "default" ? std::string() : std::string(overload));
  std::optional<c10::OperatorHandle> op = c10::Dispatcher::singleton().findSchema(name);
  if (!op) {
    return absl::NotFoundError(fmt::format("libtorch does not have the operator {}", target));
  }
  return *op;
}

std::string target_name(const c10::OperatorHandle& op) {
  const c10::OperatorName& name = op.operator_name();
  const std::string_view overload = name.overload_name;
  return fmt::format("{}.{}", absl::StrReplaceAll(name.name, {{"::", "."}}),
                     overload.empty() ? "default" : overload);
}

std::string torch_message(const std::exception& error) {
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  std::string text = torch_error != nullptr ? torch_error->what_without_backtrace() : error.what();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace fx
