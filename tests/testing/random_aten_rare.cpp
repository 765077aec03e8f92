// Calls in random programs that expose defects and that random choices seldom produce:
// signs of zeros, products of 16-bit numbers and large numbers, writes to lazy views with gaps and
// copies of them, bytes of bools, Python's writes to operands of dropout, operators that return their
// operand, and einsum of one operand. See random_aten_generator.h.
#include "fx/ir/types/dtype.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_aten_generator.h"

#include <limits>
#include <string_view>
#include <utility>

namespace fx::testing {

void RandomAtenGenerator::draw_rare(Node* x) {
  if (options_.python && random_.chance(40)) return draw_python(x);
  switch (random_.below(8)) {
    case 0:
      return draw_zero(x);
    case 1:
      return draw_narrow_product(x);
    case 2:
      return draw_lazy_write(x);
    case 3:
      return draw_bytes(x);
    case 4:
      return draw_scalar(x);
    case 5:
      return draw_same(x);
    case 6:
      return draw_einsum(x);
    default:
      return draw_training(x);
  }
}

/// Adds a value with zeros of both signs, a call that a simplifier may remove, and a call whose
/// result shows the sign.
void RandomAtenGenerator::draw_zero(Node* x) {
  if (!is_floating_point(x->type().dtype())) return;
  Node* zero = call("aten.mul.Tensor", {x, 0});
  if (zero == nullptr) return;
  switch (random_.below(6)) {
    case 0:
      zero = call("aten.add.Tensor", {zero, 0});
      break;
    case 1:
      zero = call("aten.sub.Tensor", {zero, 0}, {{"alpha", 1}});
      break;
    case 2:
      zero = call("aten.add.Scalar", {zero, -0.0});
      break;
    case 3:
      zero = call("aten.mul.Tensor", {zero, 1});
      break;
    case 4:
      if ((zero = call("aten.neg.default", {zero})) != nullptr)
        zero = call("aten.neg.default", {zero});
      break;
    default:
      zero = call("aten.rsub.Scalar", {zero, 0});
  }
  if (zero == nullptr) return;
  const DType dtype = x->type().dtype();
  switch (random_.below(3)) {
    case 0:
      if (dtype == DType::kFloat64 || dtype == DType::kFloat32)
        call("aten.view.dtype", {zero, dtype == DType::kFloat64 ? DType::kInt64 : DType::kInt32});
      return;
    case 1:
      call("aten.reciprocal.default", {zero});
      return;
    default:
      if (Node* negative = call("aten.full_like.default", {zero, -1}))
        call("aten.atan2.default", {zero, negative});
  }
}

/// Adds a product of 16-bit numbers and a number that is infinite in 16 bits, in either order.
void RandomAtenGenerator::draw_narrow_product(Node* x) {
  if (is_complex(x->type().dtype())) return;
  constexpr int64_t kLarge = int64_t{1} << 62;
  Node* large = nullptr;
  if (random_.chance(50))
    large = call("aten.full.default", {Argument::ints({1}), kLarge}, {{"dtype", DType::kInt64}});
  else
    large = call("aten.full.default", {Argument::ints({}), 1e5}, {{"dtype", DType::kFloat64}});
  const DType dtype = random_.chance(50) ? DType::kFloat16 : DType::kBFloat16;
  Node* narrow = call("aten._to_copy.default", {x}, {{"dtype", dtype}});
  if (large == nullptr || narrow == nullptr) return;
  if (random_.chance(70)) std::swap(large, narrow);
  call("aten.mul.Tensor", {large, narrow});
}

/// Adds a lazy view of a tensor with gaps, a write through it, and a call that reads it.
void RandomAtenGenerator::draw_lazy_write(Node* x) {
  const int64_t dim = dim_of(x);
  if (x->type().rank() == 0 || x->type().dtype() == DType::kBool) return;  // neg rejects bools
  Node* part = x;
  if (random_.chance(70)) {
    const int64_t start = number(2);
    part = call("aten.slice.Tensor",
                {x, dim, start, std::numeric_limits<int64_t>::max(), 1 + number(2)});
  }
  if (part == nullptr) return;
  Node* lazy =
      call(is_complex(x->type().dtype()) ? "aten._conj.default" : "aten._neg_view.default", {part});
  if (lazy != nullptr && is_complex(x->type().dtype()) && random_.chance(20))
    lazy = call("aten.imag.default", {lazy});
  if (lazy == nullptr) return;
  Node* target = lazy;
  if (random_.chance(40)) {
    if (random_.chance(50))
      draw_view(lazy);
    else
      draw_strided(lazy);
    target = values_.back();
  }
  const size_t size = graph().size();
  for (size_t tries = 0; options_.writes && tries < 4 && graph().size() == size; ++tries)
    draw_write_to(target);
  if (random_.chance(40)) draw_lazy_copy(lazy);
  constexpr std::string_view kReads[] = {"aten.isnan.default", "aten.clone.default",
                                         "aten.abs.default", "aten.neg.default",
                                         "aten.mean.default"};
  const std::string_view read = random_.pick(kReads);
  call(read, {random_.chance(70) ? lazy : target});
  if (random_.chance(20)) draw_resolved_bits(lazy);
}

/// Adds a view of the bits of a copy of a lazy view; lazy views do not have such views.
void RandomAtenGenerator::draw_resolved_bits(Node* lazy) {
  Node* source = lazy;
  if (random_.chance(60)) source = call("aten.view_as.default", {lazy, lazy});
  if (source != nullptr && source != lazy && options_.python && random_.chance(70))
    source->set_op_and_target(Opcode::kCallMethod, "view_as");
  if (source == nullptr) return;
  Node* const copy = call("aten.clone.default", {source});
  if (copy == nullptr) return;
  const DType dtype = copy->type().dtype();
  if (dtype == DType::kFloat32) call("aten.view.dtype", {copy, DType::kInt32});
  if (dtype == DType::kFloat64) call("aten.view.dtype", {copy, DType::kInt64});
}

/// Adds a copy between a lazy view and a tensor of any dtype.
void RandomAtenGenerator::draw_lazy_copy(Node* lazy) {
  if (!options_.accepts) return;  // the other programs contain only a few dtypes
  constexpr DType kOthers[] = {DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex64,
                               DType::kBool};
  Node* const other = call("aten.ones_like.default", {lazy}, {{"dtype", random_.pick(kOthers)}});
  if (other == nullptr) return;
  Node* copy = nullptr;
  switch (random_.below(options_.writes ? 4 : 2)) {
    case 0:
      copy = call("aten.copy.default", {other, lazy});
      break;
    case 1:
      copy = call("aten.slice_scatter.default",
                  {other, lazy, 0, 0, std::numeric_limits<int64_t>::max()});
      break;
    case 2:
      copy = call("aten.copy_.default", {other, lazy});
      break;
    default:
      if (may_write(lazy)) copy = call("aten.copy_.default", {lazy, other});
  }
  if (copy != nullptr) call("aten.clone.default", {copy});
}

/// Adds a view of the bytes of a bool tensor, and writes bytes other than 0 and 1. No other call
/// uses the bools, because the results of libtorch's kernels for such bools differ.
void RandomAtenGenerator::draw_bytes(Node* x) {
  if (!options_.writes) return;
  Node* const bools = call("aten.eq.Scalar", {x, number(2)});
  if (bools == nullptr || values_.back() != bools) return;
  values_.pop_back();
  last_ = {};
  Node* bytes = call("aten.view.dtype", {bools, DType::kUInt8});
  if (bytes == nullptr) return;
  if (random_.chance(30)) bytes = call("aten.alias.default", {bytes});
  if (bytes == nullptr) return;
  if (random_.chance(50))
    call("aten.fill_.Scalar", {bytes, 2 + number(5)});
  else
    call("aten.add_.Tensor", {bytes, 2});
}

/// Adds dropout, which outside training returns its operand, and Python's writes to the result.
void RandomAtenGenerator::draw_training(Node* x) {
  if (x->type().rank() == 0 || !is_floating_point(x->type().dtype())) return;
  const int64_t start = number(2);
  Node* const part = call("aten.slice.Tensor", {x, 0, start, std::numeric_limits<int64_t>::max()});
  if (part == nullptr) return;
  Node* const dropped =
      call("aten.dropout.default", {part, 0.5, options_.random && random_.chance(50)});
  if (dropped == nullptr || !options_.writes || !may_write(dropped)) return;
  const bool adds = random_.chance(50);
  Node* const written = call(adds ? "aten.add_.Tensor" : "aten.mul_.Tensor", {dropped, 1.5});
  if (written != nullptr && random_.chance(70))
    written->set_function(context_.function(adds ? "operator.iadd" : "operator.imul"));
}

/// Adds a tensor of rank 0 and an operator for matrices, which returns the tensor or a view of it.
void RandomAtenGenerator::draw_scalar(Node* x) {
  Node* scalar = x;
  for (size_t i = 0; i < 8 && scalar != nullptr && scalar->type().rank() > 0; ++i) {
    if (scalar->type().size(0) == Dim(0)) return;
    scalar = call("aten.select.int", {scalar, 0, index_below(scalar->type().size(0).value())});
  }
  if (scalar == nullptr) return;
  constexpr std::string_view kTransposes[] = {"aten.t.default",       "aten.mT.default",
                                              "aten.numpy_T.default", "aten.adjoint.default",
                                              "aten.mH.default",      "aten.matrix_H.default"};
  Node* const view = call(random_.pick(kTransposes), {scalar});
  if (view != nullptr && options_.writes && random_.chance(60)) draw_write_to(view);
}

/// Adds an operator that returns its operand, or returns it for some operands, and a write to the
/// result. Some writes change the sizes of the result, so of `x` too if it is the result.
void RandomAtenGenerator::draw_same(Node* x) {
  constexpr std::string_view kOperators[] = {
      "aten.positive.default",      "aten.lift_fresh.default", "aten.atleast_1d.default",
      "aten.atleast_2d.default",    "aten.atleast_3d.default", "aten.resolve_conj.default",
      "aten.resolve_neg.default",   "aten.contiguous.default", "aten.ravel.default",
      "aten.flatten.using_ints",    "aten.real.default",       "aten.conj.default",
      "aten.conj_physical.default", "aten.numpy_T.default"};
  const std::string_view op = random_.pick(kOperators);
  Node* const same = call(op, {x});
  if (same == nullptr || !options_.writes || !may_write(same)) return;
  if (random_.chance(50)) return draw_write_to(same);
  Node* resized = nullptr;
  switch (random_.below(4)) {
    case 0:
      resized = call("aten.t_.default", {same});
      break;
    case 1:
      resized = call("aten.squeeze_.default", {same});
      break;
    case 2:
      resized = call("aten.transpose_.default", {same, 0, -1});
      break;
    default:
      resized = call("aten.unsqueeze_.default", {same, dim_of(same)});
  }
  if (resized != nullptr) retype();
}

void RandomAtenGenerator::retype() {
  propagate_types(graph());
  std::erase_if(values_, [](const Node* value) {
    return !value->type().is_tensor() || !is_static(value->type());
  });
  last_ = {};
}

/// Adds einsum of one operand, which returns a view unless it sums.
void RandomAtenGenerator::draw_einsum(Node* x) {
  constexpr std::string_view kRank1[] = {"i->i", "i->", "i"};
  constexpr std::string_view kRank2[] = {"ij->ji", "ij->ij", "ii->i", "ij->i", "ba", "...j->j..."};
  constexpr std::string_view kRank3[] = {"ijk->kij", "iij->ij", "...ij->...ji", "ijk->ik",
                                         "ijj->ji"};
  const int64_t rank = x->type().rank();
  if (rank < 1 || rank > 3) return;
  const std::string_view equation = rank == 1   ? random_.pick(kRank1)
                                    : rank == 2 ? random_.pick(kRank2)
                                                : random_.pick(kRank3);
  Node* const result = call("aten.einsum.default", {Argument(equation), Argument::list({x})});
  if (result != nullptr && options_.writes && random_.chance(60)) draw_write_to(result);
}

}  // namespace fx::testing
