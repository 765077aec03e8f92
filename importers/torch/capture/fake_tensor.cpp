#include "fx/importers/torch/capture/fake_tensor.h"

#include "fx/importers/torch/capture/capture_internal.h"
#include "fx/importers/torch/capture/fake_tensor_internal.h"
#include "fx/importers/torch/capture/hook.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/inlined_vector.h"
#include <ATen/core/List.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <utility>

namespace fx {
namespace {

constexpr std::string_view kDependsOnData =
    " depends on data, which fake tensors do not have; capture with Execution::kReal (--mode real)";

/// Returns the storage size in bytes of a tensor of this type, including the offset.
size_t storage_bytes(Type type) {
  const absl::Span<const Dim> sizes = type.sizes(), strides = type.strides();
  int64_t last = type.offset().value();
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t size = sizes[i].value();
    if (size == 0) return 0;
    if (!strides.empty()) last += (size - 1) * strides[i].value();
  }
  return static_cast<size_t>(last + 1) * c10::elementSize(to_torch(type.dtype()));
}

/// Returns true for a tensor without special properties: it has the dispatch keys of make_tensor.
bool is_plain(const c10::IValue& value) {
  static const c10::DispatchKeySet keys =
      at::detail::make_tensor<c10::TensorImpl>(c10::DispatchKeySet(c10::DispatchKey::CPU),
                                               caffe2::TypeMeta::Make<float>(), at::kCPU)
          .key_set();
  return value.isTensor() && value.toTensor().key_set() == keys;
}

/// Returns a view of `whole` with this type, created as libtorch's kernels create views.
at::Tensor view_of(const at::Tensor& whole, Type type) {
  absl::InlinedVector<int64_t, 6> sizes, strides;
  for (const Dim& size : type.sizes()) sizes.push_back(size.value());
  for (const Dim& stride : type.strides()) strides.push_back(stride.value());
  at::Tensor view = at::detail::make_tensor<c10::TensorImpl>(
      c10::TensorImpl::VIEW, c10::Storage(whole.storage()), whole.key_set(), whole.dtype());
  view.unsafeGetTensorImpl()->set_sizes_and_strides(
      c10::IntArrayRef(sizes.data(), sizes.size()),
      c10::IntArrayRef(strides.data(), strides.size()), type.offset().value());
  return view;
}

/// Returns true for a tensor type without symbolic sizes.
bool is_static(Type type) {
  return type.is_tensor() &&
         std::ranges::all_of(type.sizes(), [](const Dim& size) { return size.is_int(); });
}

bool is_same_value(const at::Tensor& a, const at::Tensor& b) {
  return a.is_same(b) ||
         (a.has_storage() && b.has_storage() && a.storage().is_alias_of(b.storage()) &&
          a.dtype() == b.dtype() && a.storage_offset() == b.storage_offset() &&
          a.sizes() == b.sizes() && a.strides() == b.strides());
}

/// Returns the storage of the argument with which result `i` shares memory, or null if there is
/// none.
const c10::Storage* aliased_storage(const InferredCall& call, size_t i,
                                    absl::Span<const c10::IValue> arguments) {
  const c10::Storage* storage = nullptr;
  for (const TypeAlias& alias : call.aliases) {
    const c10::IValue& argument = arguments[static_cast<size_t>(alias.argument)];
    if ((alias.output == -1 || static_cast<size_t>(alias.output) == i) && argument.isTensor()) {
      storage = &argument.toTensor().storage();
    }
  }
  return storage;
}

}  // namespace

// ---- operators

Argument FakeTensorKernels::describe(const c10::IValue& value, ArgumentCode code) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (!tensor.defined()) return Argument();
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
      const KernelScope scope;
      return from_ivalue(c10::IValue(tensor.item()), {.base = ArgumentCode::kNumber}).value();
    }
    return Argument(type_of(context_->types(), tensor, /*requires_grad=*/false));
  }
  if (code.base == ArgumentCode::kTensor && value.isList()) {
    std::vector<Argument> items;
    for (const c10::IValue& item : value.toListRef()) items.push_back(describe(item, code));
    return Argument::list(items);
  }
  absl::StatusOr<Argument> argument = from_ivalue(value, code);
  return argument.ok() ? *std::move(argument)
                       : Argument();  // a generator; types do not depend on it
}

/// Infers the types of the results from the arguments.
InferredCall FakeTensorKernels::infer(const Row& row, absl::Span<const c10::IValue> values,
                                      absl::Span<const Type> forms) {
  absl::InlinedVector<Argument, 12> arguments;
  absl::InlinedVector<Kwarg, 4> keywords;
  for (size_t i = 0; i < values.size(); ++i) {
    const Type form = i < forms.size() ? forms[i] : Type();
    Argument argument = form ? Argument(form) : describe(values[i], row.codes[i]);
    if (i < row.num_positional) {
      arguments.push_back(std::move(argument));
    } else {
      keywords.emplace_back(row.names[i], std::move(argument));
    }
  }
  absl::StatusOr<InferredCall> inferred =
      infer_call(*context_, row.target, arguments, keywords, {.env = &env_});
  TORCH_CHECK(inferred.ok(), inferred.status().message(),
              absl::IsNotFound(inferred.status())
                  ? "; or capture with Execution::kReal (--mode real)"
                  : "");
  return *std::move(inferred);
}

/// Returns the types of an equal call, or infers them.
InferredCall FakeTensorKernels::infer_or_find(Row& row, absl::Span<const c10::IValue> values,
                                              absl::Span<const Type> forms) {
  // Each call creates new symbols.
  if (forms.size() != values.size() || !symbolic_.empty()) return infer(row, values, forms);
  if (const InferredCall* known = row.inferred.find(values, forms)) return *known;
  InferredCall inferred = infer(row, values, forms);
  if (inferred.type && !has_symbols(inferred.type)) row.inferred.insert(values, forms, inferred);
  return inferred;
}

Type FakeTensorKernels::call(const c10::OperatorHandle& op, Row& row, torch::jit::Stack& stack,
                             absl::Span<const Type> forms) {
  if (row.computes_form_only) return call_view(op, row, stack, forms);
  const size_t num_arguments = row.codes.size();
  const size_t base = stack.size() - num_arguments;
  const ops::OpInfo* info = row.target.op();
  const bool known = is_known(row, stack);
  if (const c10::IValue* number = next_number(row); number != nullptr && !known) {
    torch::jit::drop(stack, num_arguments);
    stack.push_back(*number);
    return Type();
  }
  if (row.target.name() == "aten.equal.default") {
    const bool same = is_same_value(stack[base].toTensor(), stack[base + 1].toTensor());
    torch::jit::drop(stack, num_arguments);
    stack.emplace_back(same);
    return Type();
  }
  if (known) {
    call_kernel(op, stack);
    return Type();
  }
  TORCH_CHECK(info == nullptr || !info->has(ops::OpTrait::kDataDependent), "the result of ",
              row.target.name(), kDependsOnData);
  check_lengths(row, stack[base + 2 < stack.size() ? base + 2 : base]);
  const absl::Span<const c10::IValue> arguments(stack.data() + base, num_arguments);
  const InferredCall inferred = infer_or_find(row, arguments, forms);
  for (const auto i : info->written_arguments()) note_write(arguments[static_cast<size_t>(i)]);
  const size_t num_results = row.written_results.size();
  absl::InlinedVector<c10::IValue, 4> results;
  for (size_t i = 0; i < num_results; ++i) {
    if (const int same = row.written_results[i]; same >= 0) {
      results.push_back(arguments[static_cast<size_t>(same)]);
      continue;
    }
    const Type type = num_results == 1 ? inferred.type : inferred.type.items()[i];
    TORCH_CHECK(!info->has(ops::OpTrait::kDynamicShape) || is_static(type), "the result of ",
                row.target.name(), kDependsOnData);
    results.push_back(make(type, aliased_storage(inferred, i, arguments), row));
  }
  torch::jit::drop(stack, num_arguments);
  for (c10::IValue& result : results) stack.push_back(std::move(result));
  return inferred.type;
}

/// Calls a view operator, whose kernel computes only a type. If the call equals an earlier one,
/// creates the result without the kernel, which often calls other operators. Returns the likely
/// type of the result, or null.
Type FakeTensorKernels::call_view(const c10::OperatorHandle& op, Row& row, torch::jit::Stack& stack,
                                  absl::Span<const Type> forms) {
  const size_t num_arguments = row.codes.size();
  const size_t base = stack.size() - num_arguments;
  if (!row.view_of || !row.written.empty() || forms.size() != num_arguments || !symbolic_.empty() ||
      !is_plain(stack[base + *row.view_of])) {
    call_kernel(op, stack);
    return Type();
  }
  const absl::Span<const c10::IValue> arguments(stack.data() + base, num_arguments);
  const at::Tensor whole = arguments[*row.view_of].toTensor();
  const InferredCall* const known = row.inferred.find(arguments, forms);
  if (known != nullptr && storage_bytes(known->type) <= whole.storage().nbytes()) {
    torch::jit::drop(stack, num_arguments);
    stack.emplace_back(view_of(whole, known->type));
    return known->type;
  }
  const absl::InlinedVector<c10::IValue, 6> before(arguments.begin(), arguments.end());
  call_kernel(op, stack);
  if (stack.size() != base + 1 || !is_plain(stack[base])) return Type();
  const at::Tensor& result = stack[base].toTensor();
  if (result.is_same(whole) || result.dtype() != whole.dtype() ||
      !result.storage().is_alias_of(whole.storage()))
    return Type();
  const Type type = type_of(context_->types(), result, /*requires_grad=*/false);
  row.inferred.insert(before, forms, InferredCall{.type = type, .aliases = {}});
  return type;
}

/// Before ctc_loss calls an operator, it reads the elements of its length tensors, which are 0 in
/// fake memory. Real input lengths are at least 1.
void FakeTensorKernels::check_lengths(const Row& row, const c10::IValue& lengths) {
  if (row.target.name() != "aten._ctc_loss.default" || !lengths.isIntList()) return;
  const std::vector<int64_t> numbers = lengths.toIntVector();
  TORCH_CHECK(std::ranges::find(numbers, 0) == numbers.end(),
              "ctc_loss has an input of length 0, because the elements of fake length tensors are "
              "unknown; pass lists of lengths, or capture with Execution::kReal (--mode real)");
}

/// Returns the number that the operator returned in an earlier run of the program, or null if it is
/// unknown.
const c10::IValue* FakeTensorKernels::next_number(const Row& row) {
  if (numbers_ == nullptr || next_number_ >= numbers_->size()) return nullptr;
  const ReturnedNumber& number = (*numbers_)[next_number_];
  if (number.op != row.target.symbol()) return nullptr;
  ++next_number_;
  return &number.value;
}

/// Returns true if all tensor arguments are 0-dimensional and contain a number that the program
/// wrote, as TorchScript does with sizes. The kernel of such a call runs, so that the result has a
/// value.
bool FakeTensorKernels::is_known(const Row& row, const torch::jit::Stack& stack) const {
  const ops::OpInfo* info = row.target.op();
  if (info == nullptr || info->has(ops::OpTrait::kRandom) || !info->written_arguments().empty()) {
    return false;
  }
  bool any = false;
  for (size_t i = 0; i < row.codes.size(); ++i) {
    const c10::IValue& value = stack[stack.size() - row.codes.size() + i];
    if (value.isTensorList() || value.isOptionalTensorList()) return false;
    if (!value.isTensor()) continue;
    const at::Tensor& tensor = value.toTensor();
    if (!tensor.defined() || tensor.dim() != 0 || !tensor.is_cpu() || !tensor.has_storage() ||
        FakeTensorMemory::owns(tensor.storage()) ||
        written_.contains(tensor.storage().unsafeGetStorageImpl())) {
      return false;
    }
    any = true;
  }
  return any;
}

void FakeTensorKernels::note_write(const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined() || value.toTensor().dim() != 0) return;
  const c10::Storage& storage = value.toTensor().storage();
  if (!FakeTensorMemory::owns(storage)) written_.emplace(storage.unsafeGetStorageImpl(), storage);
}

c10::IValue FakeTensorKernels::make(Type type, const c10::Storage* storage, const Row& row) {
  if (type.is_tensor()) return make_tensor(type, storage);
  if (type.is_none()) return at::Tensor();
  TORCH_CHECK(type.is_list() || type.is_tuple(), "the result of ", row.target.name(), " (",
              type_kind_name(type.kind()),
              ") is not known without running it; capture with Execution::kReal (--mode real)");
  c10::List<at::Tensor> list;
  for (const Type item : type.items()) list.push_back(make_tensor(item, storage));
  return list;
}

at::Tensor FakeTensorKernels::make_tensor(Type type, const c10::Storage* storage) {
  absl::InlinedVector<int64_t, 6> sizes, strides;
  const auto value = [](const Dim& dim) { return dim.is_int() ? dim.value() : 0; };
  bool symbolic = type.offset().is_symbolic() || !type.has_strides();
  const absl::Span<const Dim> dims = type.sizes(), known_strides = type.strides();
  for (size_t i = 0; i < dims.size(); ++i) {
    const Dim stride = known_strides.empty() ? Dim(1) : known_strides[i];
    symbolic = symbolic || dims[i].is_symbolic() || stride.is_symbolic();
    sizes.push_back(value(dims[i]));
    strides.push_back(value(stride));
  }
  at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      storage != nullptr ? c10::Storage(*storage)
                         : operators_.memory().allocate(symbolic ? 0 : storage_bytes(type)),
      c10::DispatchKeySet(c10::DispatchKey::CPU),
      c10::scalarTypeToTypeMeta(to_torch(type.dtype())));
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(
      c10::IntArrayRef(sizes.data(), sizes.size()),
      c10::IntArrayRef(strides.data(), strides.size()), value(type.offset()));
  if (symbolic) {
    symbolic_[tensor.storage().unsafeGetStorageImpl()] = {tensor.storage(), type};
  }
  return tensor;
}

Type FakeTensorKernels::symbolic_type(const at::Tensor& tensor) const {
  if (symbolic_.empty() || !tensor.has_storage()) return {};
  const auto found = symbolic_.find(tensor.storage().unsafeGetStorageImpl());
  return found == symbolic_.end() ? Type() : found->second.second;
}

at::Tensor FakeTensorKernels::empty_like(const at::Tensor& like) {
  return make_tensor(type_of(context_->types(), like, /*requires_grad=*/false));
}

// ---- scope

class FakeTensorScope::Observer final : public OperatorObserver {
 public:
  explicit Observer(Context& context) : operators_(context), kernels_(context, *operators_) {}
  void on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) override {
    kernels_.call(op, stack);
  }

 private:
  KeptOperatorTable operators_;
  FakeTensorKernels kernels_;
};

FakeTensorScope::FakeTensorScope(std::unique_ptr<Observer> observer, HookGuard guard)
    : observer_(std::move(observer)), guard_(std::move(guard)) {}
FakeTensorScope::FakeTensorScope(FakeTensorScope&&) noexcept = default;
FakeTensorScope::~FakeTensorScope() = default;

absl::StatusOr<FakeTensorScope> FakeTensorScope::create(Context& context, HookKind hook) {
  auto observer = std::make_unique<Observer>(context);
  FX_ASSIGN_OR_RETURN(HookGuard guard, HookGuard::create(*observer, hook));
  return FakeTensorScope(std::move(observer), std::move(guard));
}

}  // namespace fx
