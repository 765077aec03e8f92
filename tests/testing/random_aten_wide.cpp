// Calls of random programs that are kept only if they run (RandomAtenOptions::accepts): all dtypes,
// more views, writes through masks and indices, and numbers of all kinds. See
// random_aten_generator.h.
#include "fx/ir/types/dtype.h"
#include "tests/testing/random_aten_generator.h"

#include <algorithm>
#include <complex>
#include <limits>
#include <string>

namespace fx::testing {
namespace {

constexpr DType kCasts[] = {
    DType::kFloat32,    DType::kFloat64, DType::kFloat16, DType::kBFloat16, DType::kComplex64,
    DType::kComplex128, DType::kInt64,   DType::kInt32,   DType::kUInt8,    DType::kBool};

/// True if the cast may lose values: kernels of one operator convert large numbers and NaN to
/// different integers.
bool loses_numbers(DType from, DType to) {
  const auto has_fractions = [](DType dtype) {
    return is_floating_point(dtype) || is_complex(dtype);
  };
  return has_fractions(from) && !has_fractions(to) && to != DType::kBool;
}

bool is_constant(const Node* value) {
  while (!value->is_placeholder()) {
    if (value->op() == Opcode::kGetAttr) return true;
    if (value->num_args() == 0) return false;
    const Argument first(value->arg(0));
    if (!first.is_node()) return true;
    value = first.as_node();
  }
  return false;
}

}  // namespace

void RandomAtenGenerator::draw_wide(Node* x) {
  switch (random_.below(6)) {
    case 0:
    case 1:
      return draw_wide_view(x);
    case 2:
      return draw_wide_write(x);
    case 3:
      return draw_indexed(x);
    case 4:
      return draw_number(x);
    default:
      return draw_cast(x);
  }
}

Argument RandomAtenGenerator::any_number() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kNumbers[] = {0.5, -0.0, 1.5, 2.0, 1.0, -1.0, 0.0, kInfinity, -kInfinity, kNaN};
  constexpr double kParts[] = {0.0, -0.0, 1.0, -2.5, kInfinity, -kInfinity, kNaN};
  switch (random_.below(8)) {
    case 0:
    case 1:
    case 2:
      return number(5) - 1;
    case 3:
      return random_.chance(50);
    case 4: {
      const double real = random_.pick(kParts);
      return std::complex<double>(real, random_.pick(kParts));
    }
    default:
      return random_.pick(kNumbers);
  }
}
/// Returns a dimension as an int, counted from the front or the back, or as a bool.
Argument RandomAtenGenerator::any_dim(const Node* x) {
  const int64_t dim = dim_of(x);
  if (dim < 2 && random_.chance(10)) return dim == 1;
  return random_.chance(40) ? dim - std::max<int64_t>(x->type().rank(), 1) : dim;
}
Node* RandomAtenGenerator::mask_of(Node* x) {
  if (x->type().dtype() == DType::kBool && random_.chance(50)) return x;
  constexpr std::string_view kTests[] = {"aten.eq.Scalar", "aten.gt.Scalar", "aten.isnan.default"};
  const std::string_view test = random_.pick(kTests);
  return test == "aten.isnan.default" ? call(test, {x}) : call(test, {x, number(2)});
}
/// Returns a tensor of rank 1 with valid indices into a dimension.
Node* RandomAtenGenerator::index_of(Node* x, int64_t dim) {
  if (x->type().rank() == 0) return nullptr;
  const int64_t size = x->type().size(static_cast<int>(dim)).value();
  if (size == 0) return nullptr;
  Node* index = call("aten.arange.default", {1 + number(size)});
  if (index != nullptr && random_.chance(30))
    index = call("aten.flip.default", {index, Argument::ints({0})});
  return index;
}
/// Adds one or two items of a list or tuple.
void RandomAtenGenerator::take(Node* list) {
  if (list == nullptr) return;
  const auto count = static_cast<int64_t>(list->type().items().size());
  if (count == 0) return;
  for (size_t i = 1 + random_.below(2); i-- > 0;)
    call("operator.getitem", {list, index_below(count)});
}

void RandomAtenGenerator::draw_wide_view(Node* x) {
  const int64_t rank = x->type().rank(), dim = dim_of(x);
  const int64_t size = rank == 0 ? 1 : x->type().size(static_cast<int>(dim)).value();
  const auto one = [&](std::string_view op) { call(op, {x}); };
  switch (random_.below(26)) {
    case 0:
      call("aten.movedim.int", {x, any_dim(x), any_dim(x)});
      return;
    case 1:
      call("aten.swapaxes.default", {x, any_dim(x), any_dim(x)});
      return;
    case 2:
      call("aten.unflatten.int", {x, any_dim(x), Argument::ints({-1, 1 + number(2)})});
      return;
    case 3:
      call("aten.narrow.default", {x, any_dim(x), number(std::max<int64_t>(size, 1)), 1});
      return;
    case 4:
      return take(call("aten.unbind.int", {x, any_dim(x)}));
    case 5:
      return take(call("aten.split.Tensor", {x, 1 + number(3), any_dim(x)}));
    case 6:
      if (size > 0)
        take(call("aten.split_with_sizes.default", {x, Argument::ints({1, size - 1}), dim}));
      return;
    case 7:
      return take(call("aten.tensor_split.sections", {x, 1 + number(3), any_dim(x)}));
    case 8:
      call("aten.squeeze.dims", {x, Argument::ints({dim, rank - 1})});
      return;
    case 9: {
      // libtorch's kernels return different results for bools whose byte is neither 0 nor 1.
      const DType to = random_.pick(kCasts);
      if (to != DType::kBool) call("aten.view.dtype", {x, to});
      return;
    }
    case 10:
      return one(random_.chance(50) ? "aten.view_as_real.default" : "aten.view_as_complex.default");
    case 11:
      return one(random_.chance(50) ? "aten.real.default" : "aten.imag.default");
    case 12:
      return one(random_.chance(50) ? "aten.conj.default" : "aten._conj.default");
    case 13:
      return one(random_.chance(50) ? "aten.mT.default" : "aten.adjoint.default");
    case 14:
      call("aten.diagonal.default", {x, number(3) - 1, any_dim(x), any_dim(x)});
      return;
    case 15:
      call("aten.unfold.default", {x, any_dim(x), 1 + number(2), 1 + number(2)});
      return;
    case 16: {
      std::vector<int64_t> sizes(static_cast<size_t>(rank), -1);
      if (size == 1 && rank > 0) sizes[static_cast<size_t>(dim)] = 1 + number(3);
      if (random_.chance(40)) sizes.insert(sizes.begin(), 2);
      call(random_.chance(50) ? "aten.expand.default" : "aten.broadcast_to.default",
           {x, Argument::ints(sizes)});
      return;
    }
    case 17:
      call("aten.select.int", {x, any_dim(x), number(std::max<int64_t>(size, 1)) - size});
      return;
    case 18:
    case 19:
      call(
          "aten.slice.Tensor",
          {x, any_dim(x), random_.chance(30) ? Argument() : Argument(number(4) - 2),
           random_.chance(30) ? Argument(std::numeric_limits<int64_t>::max()) : Argument(number(5)),
           1 + number(2)});
      return;
    case 20:
      return one("aten.ravel.default");
    case 21:
      call("aten.flatten.using_ints", {x, any_dim(x), -1});
      return;
    case 22:
      return one(random_.chance(50) ? "aten.atleast_2d.default" : "aten.detach.default");
    case 23: {
      Node* other = value();
      call(random_.chance(50) ? "aten.view_as.default" : "aten.reshape_as.default", {x, other});
      return;
    }
    case 24:
      call("aten.reshape.default", {x, Argument::ints({-1, 1 + number(3)})});
      return;
    default:
      return draw_strided(x);
  }
}

void RandomAtenGenerator::draw_wide_write(Node* x) {
  if (!options_.writes || is_constant(x) || !x->type().is_tensor()) return;
  const int64_t dim = dim_of(x);
  Node* y = value();
  if (loses_numbers(y->type().dtype(), x->type().dtype())) return;
  switch (random_.below(24)) {
    case 0:
      if (Node* mask = mask_of(x)) call("aten.masked_fill_.Scalar", {x, mask, any_number()});
      return;
    case 1:
      if (Node* mask = mask_of(value())) call("aten.masked_fill_.Scalar", {x, mask, number(4)});
      return;
    case 2:
      if (Node* mask = mask_of(x)) call("aten.masked_fill_.Tensor", {x, mask, y});
      return;
    case 3:
      if (Node* mask = mask_of(x)) call("aten.masked_scatter_.default", {x, mask, y});
      return;
    case 4:
      if (Node* mask = mask_of(x))
        call("aten.index_put_.default", {x, Argument::list({mask}), y, random_.chance(30)});
      return;
    case 5:
    case 6:
      if (Node* index = index_of(x, 0))
        call("aten.index_put_.default", {x, Argument::list({index}), y, random_.chance(40)});
      return;
    case 7:
      if (Node* index = index_of(x, dim))
        call("aten.index_fill_.int_Scalar", {x, dim, index, any_number()});
      return;
    case 8:
      if (Node* index = index_of(x, dim)) call("aten.index_copy_.default", {x, dim, index, y});
      return;
    case 9:
      if (Node* index = index_of(x, dim))
        call("aten.index_add_.default", {x, dim, index, y}, {{"alpha", any_number()}});
      return;
    case 10:
      call("aten.scatter_.value", {x, dim, y, any_number()});
      return;
    case 11:
      call("aten.scatter_add_.default", {x, dim, y, value()});
      return;
    case 12:
      call("aten.fill_.Scalar", {x, any_number()});
      return;
    case 13:
    case 14:
      call("aten.copy_.default", {x, y});
      return;
    case 15: {
      constexpr std::string_view kWithAlpha[] = {"aten.add_.Tensor", "aten.sub_.Tensor"};
      const std::string_view op = random_.pick(kWithAlpha);
      call(op, {x, y}, {{"alpha", any_number()}});
      return;
    }
    case 16: {
      constexpr std::string_view kScalars[] = {"aten.add_.Scalar", "aten.mul_.Scalar",
                                               "aten.div_.Scalar", "aten.pow_.Scalar",
                                               "aten.sub_.Scalar", "aten.eq_.Scalar"};
      const std::string_view op = random_.pick(kScalars);
      call(op, {x, any_number()});
      return;
    }
    case 17: {
      Node* z = value();
      call("aten.addcmul_.default", {x, y, z}, {{"value", any_number()}});
      return;
    }
    case 18: {
      constexpr std::string_view kLogic[] = {"aten.bitwise_and_.Tensor", "aten.logical_or_.default",
                                             "aten.maximum.out"};
      const std::string_view op = random_.pick(kLogic);
      if (op == "aten.maximum.out")
        call(op, {x, x}, {{"out", x}});
      else
        call(op, {x, y});
      return;
    }
    case 19: {
      constexpr std::string_view kAlone[] = {"aten.logical_not_.default", "aten.abs_.default",
                                             "aten.sin_.default", "aten.conj_physical_.default"};
      call(random_.pick(kAlone), {x});
      return;
    }
    case 20: {
      // Outside training, it returns its argument.
      if (random_.chance(20))
        call("aten.dropout_.default", {x, 0.5, options_.random && random_.chance(30)});
      constexpr std::string_view kShapes[] = {"aten.t_.default", "aten.squeeze_.default"};
      // Uses a separate tensor, because the types of other values of the same tensor would be
      // outdated.
      if (Node* alias = call("aten.alias.default", {x})) call(random_.pick(kShapes), {alias});
      return;
    }
    case 21:
      call("aten._foreach_mul_.List", {Argument::list({x, value()}), Argument::list({y, value()})});
      return;
    case 22:
      call("aten.fill_diagonal_.default", {x, any_number(), random_.chance(50)});
      return;
    default:
      call("aten.clamp_.default",
           {x, number(2) - 1, random_.chance(50) ? Argument() : Argument(1.5)});
  }
}

void RandomAtenGenerator::draw_indexed(Node* x) {
  const int64_t dim = dim_of(x);
  Node* y = value();
  switch (random_.below(16)) {
    case 0:
    case 1:
      if (Node* index = index_of(x, 0)) call("aten.index.Tensor", {x, Argument::list({index})});
      return;
    case 2:
      if (x->type().rank() > 1) {
        if (Node* index = index_of(x, 1))
          call("aten.index.Tensor", {x, Argument::list({Argument(), index})});
      }
      return;
    case 3:
      if (Node* index = index_of(x, dim)) call("aten.index_select.default", {x, any_dim(x), index});
      return;
    case 4:
      call("aten.gather.default", {x, any_dim(x), y});
      return;
    case 5:
      if (Node* mask = mask_of(x)) call("aten.masked_fill.Scalar", {x, mask, any_number()});
      return;
    case 6:
      if (Node* mask = mask_of(x)) call("aten.where.ScalarOther", {mask, x, any_number()});
      return;
    case 7:
      if (Node* index = index_of(x, 0))
        call("aten.index_put.default", {x, Argument::list({index}), y, random_.chance(30)});
      return;
    case 8:
      call("aten.select_scatter.default", {x, y, any_dim(x), 0});
      return;
    case 9:
      call("aten.slice_scatter.default", {x, y, any_dim(x), 0, 1 + number(3)});
      return;
    case 10:
      call("aten.diagonal_scatter.default", {x, y});
      return;
    case 11:
      if (Node* index = index_of(x, dim)) {
        const Argument at = any_dim(x);
        call("aten.index_add.default", {x, at, index, y}, {{"alpha", any_number()}});
      }
      return;
    case 12: {
      const int64_t at = random_.chance(50) ? 0 : dim;
      call(random_.chance(50) ? "aten.flip.default" : "aten.roll.default",
           {x, Argument::ints({at})});
      return;
    }
    case 13:
      call("aten.repeat.default", {x, Argument::ints({2, 1, 1})});
      return;
    case 14:
      return take(call("aten.sort.default", {x, any_dim(x), random_.chance(50)}));
    default:
      return take(call("aten.topk.default", {x, 1, any_dim(x)}));
  }
}

void RandomAtenGenerator::draw_number(Node* x) {
  Node* y = value();
  switch (random_.below(18)) {
    case 0:
    case 1: {
      const Argument alpha = any_number();
      call(random_.chance(50) ? "aten.add.Tensor" : "aten.sub.Tensor", {x, y}, {{"alpha", alpha}});
      return;
    }
    case 2:
      call("aten.rsub.Tensor", {x, y}, {{"alpha", any_number()}});
      return;
    case 3:
    case 4: {
      constexpr std::string_view kScalars[] = {
          "aten.add.Scalar", "aten.mul.Scalar", "aten.div.Scalar", "aten.pow.Tensor_Scalar",
          "aten.pow.Scalar", "aten.eq.Scalar",  "aten.mul.Tensor", "aten.div.Tensor"};
      const std::string_view op = random_.pick(kScalars);
      if (op == "aten.pow.Scalar")
        call(op, {any_number(), x});
      else
        call(op, {x, any_number()});
      return;
    }
    case 5:
      call("aten.div.Tensor_mode", {x, y},
           {{"rounding_mode", random_.chance(50) ? Argument("floor") : Argument()}});
      return;
    case 6: {
      Node* z = value();
      call("aten.addmm.default", {y, x, z}, {{"beta", any_number()}, {"alpha", any_number()}});
      return;
    }
    case 7: {
      Node* z = value();
      call("aten.addmv.default", {y, x, z}, {{"beta", any_number()}});
      return;
    }
    case 8: {
      Node* z = value();
      call("aten.addcmul.default", {x, y, z}, {{"value", any_number()}});
      return;
    }
    case 9: {
      // For weight 1, libtorch's scalar and vector kernels return zeros of different signs.
      const Argument weight = any_number();
      const bool is_one =
          weight == Argument(1) || weight == Argument(1.0) || weight == Argument(true);
      call("aten.lerp.Scalar", {x, y, is_one ? Argument(0.75) : weight});
      return;
    }
    case 10:
      call("aten.full_like.default", {x, any_number()});
      return;
    case 11: {
      const Argument fill = any_number();
      if (fill.kind() == ArgumentKind::kComplex || random_.chance(50))
        call("aten.full.default", {Argument::ints({2, 1 + number(3)}), fill});
      else
        call("aten.full.default", {Argument::ints({2}), fill}, {{"dtype", DType::kFloat32}});
      return;
    }
    case 12:
      call("aten.remainder.Scalar", {x, 1 + number(3)});
      return;
    case 13: {
      constexpr std::string_view kSums[] = {"aten.sum.dim_IntList", "aten.mean.dim"};
      const DType dtype = random_.pick(kCasts);
      const std::string_view op = random_.pick(kSums);
      if (!loses_numbers(x->type().dtype(), dtype))
        call(op, {x, Argument::list({any_dim(x)}), random_.chance(50)}, {{"dtype", dtype}});
      return;
    }
    case 14: {
      constexpr std::string_view kReductions[] = {"aten.any.dim", "aten.all.dim",
                                                  "aten.argmax.default", "aten.prod.dim_int"};
      const std::string_view op = random_.pick(kReductions);
      call(op, {x, any_dim(x), random_.chance(50)});
      return;
    }
    case 15: {
      const Argument correction = random_.chance(50) ? Argument(0) : Argument(1.0);
      call("aten.var.correction", {x, Argument::list({any_dim(x)})}, {{"correction", correction}});
      return;
    }
    case 16:
      call("aten.leaky_relu.default", {x, any_number()});
      return;
    default:
      call("aten.softplus.default", {x, any_number(), number(20)});
  }
}

void RandomAtenGenerator::draw_cast(Node* x) {
  const DType dtype = random_.pick(kCasts);
  const bool keeps_numbers = !loses_numbers(x->type().dtype(), dtype);
  Node* y = value();
  switch (random_.below(10)) {
    case 0:
    case 1:
      if (keeps_numbers) call("aten.to.dtype", {x, dtype, false, random_.chance(30)});
      return;
    case 2:
      if (keeps_numbers) call("aten._to_copy.default", {x}, {{"dtype", dtype}});
      return;
    case 3:
      if (!loses_numbers(x->type().dtype(), y->type().dtype()))
        call(random_.chance(50) ? "aten.type_as.default" : "aten.to.other", {x, y});
      return;
    case 4:
      call("aten.complex.default", {x, y});
      return;
    case 5:
      call("aten.cat.default", {Argument::list({x, y}), any_dim(x)});
      return;
    case 6:
      call("aten.where.self", {y, x, value()});
      return;
    default: {
      constexpr std::string_view kUnary[] = {
          "aten.bitwise_not.default", "aten.logical_not.default", "aten.isinf.default",
          "aten.sgn.default",         "aten.angle.default",       "aten.abs.default",
          "aten.exp.default",         "aten.reciprocal.default",  "aten.conj_physical.default",
          "aten.sqrt.default",        "aten.isfinite.default"};
      call(random_.pick(kUnary), {x});
    }
  }
}

}  // namespace fx::testing
