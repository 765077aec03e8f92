// importers/torch/untouched.cpp - see untouched_internal.h.
#include "fx/importers/torch/hook.h"
#include "fx/importers/torch/untouched_internal.h"
#include "fx/ir/ops/op_info.h"

#include "absl/container/inlined_vector.h"
#include <ATen/core/List.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace fx {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kPieceBytes = size_t{1} << 40;  // 1 TiB of addresses; nothing is committed

/// Bytes that a tensor of this type spans in its storage, the offset included.
size_t storage_bytes(Type type) {
  int64_t last = type.offset().value();
  for (int i = 0; i < type.rank(); ++i) {
    const int64_t size = type.size(i).value();
    if (size == 0) return 0;
    if (type.has_strides()) last += (size - 1) * type.stride(i).value();
  }
  return static_cast<size_t>(last + 1) * c10::elementSize(to_torch(type.dtype()));
}

bool is_same_value(const at::Tensor& a, const at::Tensor& b) {
  return a.is_same(b) ||
         (a.has_storage() && b.has_storage() && a.storage().is_alias_of(b.storage()) &&
          a.dtype() == b.dtype() && a.storage_offset() == b.storage_offset() &&
          a.sizes() == b.sizes() && a.strides() == b.strides());
}

}  // namespace

// ---- memory

struct UntouchedMemory::Piece {
  explicit Piece(size_t size) : bytes(size) {
    start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    TORCH_CHECK(start != MAP_FAILED, "no ", size, " bytes of address space are left for tensors ",
                "that are not touched");
    madvise(start, size, MADV_DONTDUMP);
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  ~Piece() {
    if (start != MAP_FAILED) munmap(start, bytes);
  }

  void* start = nullptr;
  size_t bytes;
};

c10::Storage UntouchedMemory::allocate(size_t bytes) {
  const size_t needed = (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  if (piece_ == nullptr || used_ + needed > piece_->bytes) {
    piece_ = std::make_shared<Piece>(std::max(needed, kPieceBytes));
    used_ = 0;
  }
  auto* owner = new std::shared_ptr<Piece>(piece_);
  c10::DataPtr data(
      static_cast<char*>(piece_->start) + used_, owner,
      [](void* context) { delete static_cast<std::shared_ptr<Piece>*>(context); }, at::kCPU);
  used_ += needed;
  return c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes,
                                               std::move(data), /*allocator=*/nullptr,
                                               /*resizable=*/false);
}

// ---- operators

const UntouchedKernels::Row& UntouchedKernels::row_of(const c10::OperatorHandle& op) {
  std::unique_ptr<Row>& entry = rows_[op];
  if (entry != nullptr) return *entry;
  entry = std::make_unique<Row>();
  Row& row = *entry;
  row.name = c10::toString(op.operator_name());
  row.info = context_->ops().find(row.name);
  for (const c10::Argument& argument : op.schema().arguments()) {
    row.codes.push_back(argument_code(argument));
  }
  row.written_results.resize(op.schema().returns().size(), -1);
  if (row.info == nullptr) return row;
  row.runs = row.info->is_view() || row.info->has(ops::OpTrait::kWritesMetadata);
  for (const ops::OutputAlias& alias : row.info->output_aliases()) {
    if (alias.kind == ops::AliasKind::kSame) row.written_results[alias.output] = alias.argument;
  }
  return row;
}

Argument UntouchedKernels::describe(const c10::IValue& value, ArgumentCode code) {
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
  return argument.ok() ? *std::move(argument) : Argument();  // a generator: types do not ask for it
}

void UntouchedKernels::call(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const Row& row = row_of(op);
  if (row.runs) return call_kernel(op, stack);
  const size_t num_arguments = row.codes.size();
  const size_t base = stack.size() - num_arguments;
  if (row.name == "aten::equal") {
    const bool same = is_same_value(stack[base].toTensor(), stack[base + 1].toTensor());
    torch::jit::drop(stack, num_arguments);
    stack.emplace_back(same);
    return;
  }
  TORCH_CHECK(row.info != nullptr, row.name,
              " is not in the operator table, so its result is not known without running it; add "
              "it to the Context, or capture with Execution::kReal (--mode real)");
  TORCH_CHECK(
      !row.info->has(ops::OpTrait::kDataDependent) && !row.info->has(ops::OpTrait::kDynamicShape),
      "the result of ", row.info->name(),
      " depends on data, and without running operators there is none; capture with "
      "Execution::kReal (--mode real)");
  absl::InlinedVector<Argument, 12> arguments;
  for (size_t i = 0; i < num_arguments; ++i) {
    arguments.push_back(describe(stack[base + i], row.codes[i]));
  }
  struct {
    Type type;
  } inferred;
  TORCH_CHECK(false, "no type functions yet");

  const size_t num_results = row.written_results.size();
  std::vector<c10::IValue> results;
  results.reserve(num_results);
  for (size_t i = 0; i < num_results; ++i) {
    const Type type = num_results == 1 ? inferred.type : inferred.type.items()[i];
    const int same = row.written_results[i];
    results.push_back(same >= 0 ? stack[base + static_cast<size_t>(same)] : make(type, row));
  }
  torch::jit::drop(stack, num_arguments);
  for (c10::IValue& result : results) stack.push_back(std::move(result));
}

c10::IValue UntouchedKernels::make(Type type, const Row& row) {
  if (type.is_tensor()) return make_tensor(type);
  if (type.is_none()) return at::Tensor();
  TORCH_CHECK(type.is_list(), row.name, " gives a ", type_kind_name(type.kind()),
              ", which is not known without running it; capture with Execution::kReal "
              "(--mode real)");
  c10::List<at::Tensor> list;
  for (const Type item : type.items()) list.push_back(make_tensor(item));
  return list;
}

at::Tensor UntouchedKernels::make_tensor(Type type) {
  at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      memory_.allocate(storage_bytes(type)), c10::DispatchKeySet(c10::DispatchKey::CPU),
      c10::scalarTypeToTypeMeta(to_torch(type.dtype())));
  absl::InlinedVector<int64_t, 6> sizes, strides;
  for (int i = 0; i < type.rank(); ++i) {
    sizes.push_back(type.size(i).value());
    strides.push_back(type.stride(i).value());
  }
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(
      c10::IntArrayRef(sizes.data(), sizes.size()),
      c10::IntArrayRef(strides.data(), strides.size()), type.offset().value());
  return tensor;
}

at::Tensor UntouchedKernels::empty_like(const at::Tensor& like) {
  return make_tensor(type_of(context_->types(), like, /*requires_grad=*/false));
}

}  // namespace fx
