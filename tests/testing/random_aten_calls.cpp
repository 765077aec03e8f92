// The kinds of calls in random programs: see random_aten_generator.h.
#include "fx/ir/types/dtype.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_aten_generator.h"

#include <algorithm>

namespace fx::testing {
namespace {

constexpr std::string_view kWriteUnary[] = {"aten.relu_.default", "aten.neg_.default",
                                            "aten.zero_.default", "aten.tanh_.default"};
constexpr std::string_view kWriteBinary[] = {"aten.add_.Tensor", "aten.mul_.Tensor",
                                             "aten.copy_.default", "aten.sub_.Tensor"};
constexpr std::string_view kWriteOut[] = {"aten.sin.out",   "aten.abs.out",  "aten.neg.out",
                                          "aten.floor.out", "aten.silu.out", "aten.exp.out"};

/// True if multiple elements may share a memory location: libtorch rejects writes to such a tensor.
bool overlaps(Type type) {
  if (!type.is_tensor() || !type.has_strides()) return true;
  for (int i = 0; i < type.rank(); ++i)
    if (type.size(i) != Dim(1) && type.stride(i) == Dim(0)) return true;
  return false;
}
/// True if the value may be in the memory of a get_attr: parts of a graph that are modules have
/// their own constants, so runs that write to these cannot be compared.
bool is_view_of_constant(const Node* value) {
  while (value->op() != Opcode::kGetAttr) {
    if (value->num_args() == 0 || MemoryAnalysis::returns_only_new_memory(*value)) return false;
    const Node* source = value->arg(0).node();
    if (source == nullptr) return true;  // an item of a list: unknown
    value = source;
  }
  return true;
}
}  // namespace

void RandomAtenGenerator::draw_view(Node* x) {
  const int64_t dim = dim_of(x), other = dim_of(x);
  if (options_.python && random_.chance(15)) return draw_index(x);
  switch (random_.below(20)) {
    case 18:
    case 19:
      return draw_strided(x);
    case 0:
      call("aten.transpose.int", {x, dim, other});
      return;
    case 1:
      call("aten.view.default", {x, Argument::ints({-1})});
      return;
    case 2:
      call("aten.reshape.default", {x, Argument::ints({1, -1})});
      return;
    case 3:
      call("aten.unsqueeze.default", {x, dim});
      return;
    case 4:
      call("aten.squeeze.dim", {x, dim});
      return;
    case 5:
      call("aten.select.int", {x, dim, 0});
      return;
    case 6:
      call("aten.slice.Tensor", {x, dim, 0, 2});
      return;
    case 7: {
      std::vector<int64_t> order;
      for (int64_t i = x->type().rank(); i-- > 0;) order.push_back(i);
      call("aten.permute.default", {x, Argument::ints(order)});
      return;
    }
    case 8:
      call("aten.expand.default", {x, Argument::ints({2, -1, -1})});
      return;
    case 9:
      call("aten.diagonal.default", {x, 0, dim, other});
      return;
    case 10:
      call("aten.unfold.default", {x, dim, 1, 1});
      return;
    case 11:
      call("aten.as_strided.default", {x, Argument::ints({1, 2}), Argument::ints({1, 1})});
      return;
    case 12:
      call("aten.flatten.using_ints", {x});
      return;
    case 13:
      call("aten.contiguous.default", {x});
      return;
    case 14: {
      Node* parts = call("aten.unbind.int", {x, dim});
      if (parts != nullptr) call("operator.getitem", {parts, -1});
      return;
    }
    case 15: {
      Node* parts = call("aten.chunk.default", {x, 2, dim});
      for (const int item : {0, 1})
        if (parts != nullptr) call("operator.getitem", {parts, item});
      return;
    }
    default: {
      Node* parts = call("aten.split.Tensor", {x, 1, dim});
      if (parts != nullptr) call("operator.getitem", {parts, 0});
    }
  }
}
/// Python's indexing: x[1], x[0:2], x[None, ..., 0], x[::2, 0].
void RandomAtenGenerator::draw_index(Node* x) {
  const int64_t rank = x->type().rank();
  std::vector<Argument> index;
  for (int64_t i = 0; i < rank && !random_.chance(20); ++i) {
    const int64_t size = x->type().size(static_cast<int>(i)).value();
    switch (random_.below(4)) {
      case 0:
        index.emplace_back(size == 0 ? 0 : index_below(size));
        break;
      case 1:
        index.push_back(Argument::slice(Argument(), Argument(), 1 + number(2)));
        break;
      case 2: {
        const int64_t start = number(2);
        index.push_back(
            Argument::slice(start, random_.chance(50) ? Argument() : Argument(size), Argument()));
        break;
      }
      default:
        index.push_back(Argument::slice(Argument(), Argument(), Argument()));
    }
  }
  if (random_.chance(20)) index.insert(index.begin(), Argument());
  if (random_.chance(20)) index.push_back(Argument::ellipsis());
  if (index.empty()) return;
  const bool is_alone = index.size() == 1 && random_.chance(50);
  call("operator.getitem", {x, is_alone ? index[0] : Argument::tuple(index)});
}

/// Adds a view whose elements may overlap, within the elements that `x` spans.
void RandomAtenGenerator::draw_strided(Node* x) {
  const Type type = x->type();
  if (!type.has_strides() || !type.offset().is_int()) return;
  int64_t reach = 0;
  for (int i = 0; i < type.rank(); ++i) {
    if (type.size(i) == Dim(0)) return;
    reach += (type.size(i).value() - 1) * type.stride(i).value();
  }
  std::vector<int64_t> sizes, strides;
  int64_t used = 0;
  for (int64_t i = 1 + number(3); i-- > 0;) {
    sizes.push_back(1 + number(3));
    strides.push_back(number(5));
    used += (sizes.back() - 1) * strides.back();
  }
  if (used > reach) return;
  call("aten.as_strided.default", {x, Argument::ints(sizes), Argument::ints(strides),
                                   type.offset().value() + number(reach - used + 1)});
}

/// Adds a value that a simplifier may replace with `x`; it may or may not share memory with `x`.
void RandomAtenGenerator::draw_identity(Node* x) {
  const Type type = x->type();
  std::vector<Argument> sizes;
  for (const Dim& size : type.sizes()) sizes.emplace_back(size);
  switch (random_.below(10)) {
    case 0:
      call("aten.add.Tensor", {x, 0});
      return;
    case 1:
      call("aten.mul.Tensor", {x, 1});
      return;
    case 2:
      if (Node* negative = call("aten.neg.default", {x})) call("aten.neg.default", {negative});
      return;
    case 3:
      call("aten.clone.default", {x});
      return;
    case 4:
      call("aten.to.dtype", {x, type.dtype(), false, random_.chance(50)});
      return;
    case 5:
      call("aten.reshape.default", {x, Argument::list(sizes)});
      return;
    case 6:
      call("aten.expand.default", {x, Argument::list(sizes)});
      return;
    case 7:
      if (Node* turned = call("aten.t.default", {x})) call("aten.t.default", {turned});
      return;
    case 8:
      for (int i = 0; i < 2; ++i) call("aten.zeros_like.default", {x});
      return;
    default:
      call("aten.native_dropout.default", {x, 0.0, false});
  }
}
/// Adds two calls, the second of which undoes the first, often with a write between them to the
/// result of the first or to `x`.
void RandomAtenGenerator::draw_inverse(Node* x) {
  const Type type = x->type();
  const int64_t rank = type.rank(), dim = dim_of(x), other = dim_of(x);
  std::vector<Argument> sizes;
  for (const Dim& size : type.sizes()) sizes.emplace_back(size);
  std::vector<int64_t> order, back(static_cast<size_t>(rank));
  for (int64_t i = 0; i < rank; ++i) order.push_back((i + dim) % rank);
  for (size_t i = 0; i < order.size(); ++i)
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  std::string_view first = "aten.neg.default", second = {};  // empty: the same operator
  std::vector<Argument> first_args, second_args;
  switch (random_.below(14)) {
    case 0:
    case 1:
      first = "aten.transpose.int";
      first_args = second_args = {dim, other};
      break;
    case 2:
      first = "aten.permute.default";
      first_args = {Argument::ints(order)};
      second_args = {Argument::ints(back)};
      break;
    case 3:
      first = "aten.unsqueeze.default";
      second = "aten.squeeze.dim";
      first_args = second_args = {dim};
      break;
    case 4:
      first = random_.chance(50) ? "aten.view.default" : "aten.reshape.default";
      first_args = {Argument::ints({-1})};
      second_args = {Argument::list(sizes)};
      break;
    case 5: {
      constexpr DType kOthers[] = {DType::kInt64, DType::kInt32, DType::kFloat32, DType::kUInt8};
      if (!options_.accepts || type.dtype() == DType::kBool) return;
      first = "aten.view.dtype";
      first_args = {random_.pick(kOthers)};
      second_args = {type.dtype()};
      break;
    }
    case 6:
      first = random_.chance(50) ? "aten._conj.default" : "aten.conj_physical.default";
      break;
    case 7:
      first = "aten.view_as_real.default";
      second = "aten.view_as_complex.default";
      break;
    case 8:
      first = random_.chance(50) ? "aten.logical_not.default" : "aten.bitwise_not.default";
      break;
    case 9:
      first = "aten.flip.default";
      first_args = second_args = {Argument::ints({dim})};
      break;
    case 10:  // kernels convert large numbers and NaN to different integers
      if (!is_floating_point(type.dtype()) && !is_complex(type.dtype())) return;
      first = "aten.to.dtype";
      first_args = {is_complex(type.dtype()) ? DType::kComplex128 : DType::kFloat64};
      second_args = {type.dtype()};
      break;
    default:  // neg
      break;
  }
  first_args.insert(first_args.begin(), x);
  Node* const inner = call(first, first_args);
  if (inner == nullptr) return;
  if (options_.writes && random_.chance(60)) {
    Node* target = random_.chance(75) ? inner : x;
    if (random_.chance(25)) target = call("aten.alias.default", {target});
    const size_t size = graph().size();
    for (size_t tries = 0; target != nullptr && tries < 4 && graph().size() == size; ++tries)
      draw_write_to(target);
  }
  second_args.insert(second_args.begin(), inner);
  call(second.empty() ? first : second, second_args);
}
void RandomAtenGenerator::draw_join(Node* x) {
  const int64_t dim = dim_of(x);
  switch (random_.below(3)) {
    case 0:
      call("aten.cat.default", {Argument::list({x, random_.chance(50) ? x : value()}), dim});
      return;
    case 1:
      call("aten.stack.default", {Argument::list({x, x}), dim});
      return;
    default: {
      Node* condition = value();
      for (Node* v : values_)
        if (v->type().dtype() == DType::kBool) condition = v;
      call("aten.where.self", {condition, x, value()});
    }
  }
}
void RandomAtenGenerator::draw_reduction(Node* x) {
  const int64_t dim = dim_of(x);
  switch (random_.below(6)) {
    case 0:
      call("aten.sum.dim_IntList", {x, Argument::ints({dim}), true});
      return;
    case 1:
      call("aten.mean.dim", {x, Argument::ints({dim})});
      return;
    case 2:
      call("aten.amax.default", {x, Argument::ints({dim})});
      return;
    case 3:
      call("aten._softmax.default", {x, dim, false});
      return;
    case 4:
      call("aten.cumsum.default", {x, dim});
      return;
    default: {
      Node* both = call("aten.max.dim", {x, dim});
      if (both != nullptr) call("operator.getitem", {both, static_cast<int64_t>(random_.below(2))});
    }
  }
}
void RandomAtenGenerator::draw_factory() {
  const Kwarg dtype("dtype", DType::kFloat64);
  const Argument size = Argument::ints({random_.pick(kSizes)});
  switch (random_.below(6)) {
    case 0:
      call("aten.ones.default", {size}, {dtype});
      return;
    case 1:
      call("aten.zeros.default", {size}, {dtype});
      return;
    case 2:
      call("aten.full.default", {size, 0.5}, {dtype});
      return;
    case 3:
      call("aten.ones_like.default", {recent()});
      return;
    case 4:
      if (options_.random) call("aten.rand_like.default", {recent()});
      return;
    default:
      call("aten._to_copy.default", {recent()}, {dtype});
  }
}
bool RandomAtenGenerator::may_write(const Node* target) {
  return !is_view_of_constant(target) && !overlaps(target->type());
}
void RandomAtenGenerator::draw_write() {
  if (options_.writes) draw_write_to(recent());
}
void RandomAtenGenerator::draw_write_to(Node* target) {
  if (!may_write(target)) return;
  if (options_.python && random_.chance(20)) return draw_item_write(target);
  switch (random_.below(8)) {
    case 0: {
      Node* operand = value();
      // Sizes must be equal: out= would resize the tensor, with a warning.
      if (std::ranges::equal(operand->type().sizes(), target->type().sizes()))
        call(random_.pick(kWriteOut), {operand}, {Kwarg("out", target)});
      return;
    }
    case 1:
      call("aten._foreach_add_.Scalar", {Argument::list({target}), 2});
      return;
    case 2: {
      Node* call_node = call("aten.add_.Tensor", {target, value()});
      if (call_node != nullptr && options_.python)
        call_node->set_function(context_.function("operator.iadd"));
      return;
    }
    case 3:
    case 4:
      call(random_.pick(kWriteUnary), {target});
      return;
    default: {
      const std::string_view op = random_.pick(kWriteBinary);
      call(op, {target, value()});
    }
  }
}
/// Adds a write to an item: x[0:1] = 2, x[...] = y.
void RandomAtenGenerator::draw_item_write(Node* target) {
  const Argument value_of =
      random_.chance(50) ? Argument(0.5 * static_cast<double>(number(5))) : Argument(value());
  Argument index = Argument::ellipsis();
  if (random_.chance(60)) index = Argument::slice(Argument(), Argument(1 + number(3)), Argument());
  if (value_of.is_node()) {
    if (!std::ranges::equal(value_of.as_node()->type().sizes(), target->type().sizes())) return;
    index = Argument::ellipsis();
  }
  if_it_runs(
      graph().call_function(context_.function("operator.setitem"), {target, index, value_of}));
}

void RandomAtenGenerator::draw_layer(Node* x) {
  switch (random_.below(4)) {
    case 0:
      call("aten.dropout.default", {x, 0.5, options_.random && random_.chance(50)});
      return;
    case 1:
      call("aten.linear.default", {x, value()});
      return;
    case 2: {
      const Type type = x->type();
      if (!type.is_tensor() || type.rank() == 0) return;
      Node* norm = call(
          "aten.native_layer_norm.default",
          {x, Argument::ints({type.size(type.rank() - 1).value()}), Argument(), Argument(), 1e-5});
      if (norm != nullptr) call("operator.getitem", {norm, 0});
      return;
    }
    default:
      call("aten.addmm.default", {value(), x, value()});
  }
}

}  // namespace fx::testing
