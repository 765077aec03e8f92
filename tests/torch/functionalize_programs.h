// Random programs with views and writes, for tests of functionalize. Most of their values share
// memory.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_graph.h"

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::testing {

struct FunctionalizeProgramOptions {
  /// Use only non-overlapping views, and writes whose operands do not share memory. functionalize
  /// must accept these programs.
  bool basic = false;
  bool shared_inputs = false;  ///< some inputs are views of another input
};

struct FunctionalizeProgram {
  std::unique_ptr<Graph> graph;
  std::vector<c10::IValue> inputs;
};

/// Builds a program with views, writes through them, and reads. All calls have types.
class FunctionalizeProgramGenerator {
 public:
  FunctionalizeProgramGenerator(Context& context, uint64_t seed,
                                const FunctionalizeProgramOptions& options)
      : context_(context), options_(options), random_(seed) {}

  FunctionalizeProgram make() {
    graph_ = std::make_unique<Graph>(context_);
    const at::Tensor values = at::arange(24, at::kFloat).sub(11).div(4);
    add_input("f32[4, 6]", values.view({4, 6}).clone());
    add_input("f32[3, 2, 4]", values.flip(0).view({3, 2, 4}).clone());
    add_input("f64[4, 4]", values.narrow(0, 0, 16).to(at::kDouble).view({4, 4}));
    add_input("i64[6]", at::arange(6, at::kLong).sub(2));
    if (options_.shared_inputs) add_shared_inputs();
    const size_t steps = 4 + random_.below(25);
    for (size_t i = 0; i < steps; ++i) {
      const size_t kind = random_.below(10);
      if (kind < 5) {
        add_view();
      } else if (kind < 9) {
        add_write();
      } else {
        add_read();
      }
    }
    std::vector<Argument> results;
    for (Node* value : values_)
      if (value->op() == Opcode::kCallFunction) results.emplace_back(value);
    graph_->output(Argument::list(results));
    propagate_types(*graph_);  // a write may have changed the sizes of a tensor
    return {std::move(graph_), std::move(inputs_)};
  }

 private:
  Node* add_input(std::string_view type, at::Tensor tensor) {
    Node* input = graph_->placeholder("x" + std::to_string(inputs_.size()),
                                      {.type = *context_.types().parse(type)});
    values_.push_back(input);
    inputs_.emplace_back(std::move(tensor));
    return input;
  }
  /// Adds inputs that are views of the first input.
  void add_shared_inputs() {
    const at::Tensor base = inputs_[0].toTensor();
    values_[0]->meta().set(meta::kSharedMemory, 0);
    const auto add = [&](std::string_view type, const at::Tensor& part) {
      add_input(type, part)->meta().set(meta::kSharedMemory, 0);
    };
    if (random_.chance(70)) add("f32[2, 6]{offset=6}", base.narrow(0, 1, 2));
    if (random_.chance(70)) add("f32[6, 4][1, 6]", base.t());
    if (random_.chance(40)) add("f32[4][6]{offset=2}", base.select(1, 2));
  }

  /// Returns a call, or null if it is invalid.
  Node* call(std::string_view op, std::vector<Argument> args, std::vector<Kwarg> kwargs = {}) {
    Node* node = graph_->call_function(context_.function(op), args, kwargs);
    const absl::StatusOr<Type> type = infer_type(*node);
    if (!type.ok() || !*type) {
      (void)graph_->erase_node(node);
      return nullptr;
    }
    node->set_type(*type);
    return node;
  }
  void keep(Node* node) {
    if (node) values_.push_back(node);
  }
  Node* any() { return values_[random_.below(values_.size())]; }
  int64_t number(int64_t bound) {
    return static_cast<int64_t>(random_.below(static_cast<size_t>(bound)));
  }
  static int64_t size(const Node* x, int64_t dim) {
    return x->type().size(static_cast<int>(dim)).value();
  }

  void add_view() {
    Node* x = any();
    const int64_t rank = x->type().rank();
    const int64_t dim = rank > 0 ? number(rank) : 0;
    if (rank == 0 || rank > 5) return;
    const int64_t length = size(x, dim);
    if (length == 0) return;
    switch (random_.below(options_.basic ? 19 : 26)) {
      case 0:
        return keep(call("aten.alias.default", {x}));
      case 1:
        return keep(call("aten.detach.default", {x}));
      case 2:
        return keep(call("aten.t.default", {x}));
      case 3:
        return keep(call("aten.transpose.int", {x, dim, number(rank)}));
      case 4: {
        std::vector<int64_t> dims;
        for (int64_t i = 0; i < rank; ++i) dims.push_back((i + dim) % rank);
        return keep(call("aten.permute.default", {x, Argument::ints(dims)}));
      }
      case 5:
        return keep(call("aten.view.default", {x, Argument::ints({-1})}));
      case 6:
        return keep(call("aten.reshape.default", {x, Argument::ints({-1, length})}));
      case 7:
        return keep(call("aten.unsqueeze.default", {x, dim - rank - 1}));
      case 8:
        return keep(call("aten.squeeze.dim", {x, dim}));
      case 9:
        return keep(call("aten.squeeze.default", {x}));
      case 10:
        return keep(call("aten.select.int", {x, dim, number(length) - length}));
      case 11: {
        const int64_t start = number(length);
        return keep(call("aten.slice.Tensor", {x, dim, start, length, 1 + number(3)}));
      }
      case 12:
        return keep(call("aten.narrow.default", {x, dim, number(length), 1}));
      case 13:
        return keep(call("aten.diagonal.default", {x, number(3) - 1, 0, rank - 1}));
      case 14:
        return keep(call("aten.unfold.default", {x, dim, 2, 2 + number(2)}));
      case 15:
        return add_items("aten.split.Tensor", {x, 1 + number(length), dim});
      case 16:
        return add_items(random_.chance(50) ? "aten.chunk.default" : "aten.tensor_split.sections",
                         {x, 2, dim});
      case 17:
        return add_items("aten.unbind.int", {x, dim});
      case 18:
        return keep(random_.chance(50) ? call("aten.movedim.int", {x, dim, number(rank)})
                                       : call("aten.contiguous.default", {x}));
      case 19:
        return keep(call("aten.unfold.default", {x, dim, 2, 1}));
      case 20:
      case 21: {
        std::vector<int64_t> sizes = {2 + number(2)};
        for (int64_t i = 0; i < rank; ++i) sizes.push_back(size(x, i));
        return keep(call("aten.expand.default", {x, Argument::ints(sizes)}));
      }
      case 22:
      case 23:
        return add_strided(x);
      case 24:
        return add_item(x);
      default:
        return keep(add_same(x));
    }
  }

  /// Adds x[i] with a number or, in a tensor of rank 0, an integer.
  void add_item(Node* x) {
    if (size(x, 0) == 0) return;
    const Argument index = number(size(x, 0));
    if (random_.chance(60)) return keep(call("operator.getitem", {x, index}));
    Node* const tensor =
        call("aten.full.default", {Argument::ints({}), index}, {{"dtype", DType::kInt64}});
    keep(call("operator.getitem", {x, tensor}));
  }

  /// Adds an operator that returns its operand or a view of it.
  Node* add_same(Node* x) {
    constexpr std::string_view kOperators[] = {
        "aten.flatten.using_ints", "aten.atleast_1d.default",   "aten.atleast_2d.default",
        "aten.atleast_3d.default", "aten.positive.default",     "aten.lift_fresh.default",
        "aten.ravel.default",      "aten.resolve_conj.default", "aten.real.default"};
    if (random_.chance(15))
      return call("aten.einsum.default",
                  {random_.chance(50) ? "...j->j..." : "...i->...i", Argument::list({x})});
    return call(random_.pick(kOperators), {x});
  }

  /// Changes the sizes of a value that may be `x`, and the types of the values that this changes.
  void resize_same(Node* x) {
    Node* const same = add_same(x);
    if (same == nullptr) return;
    const Node* const resized = random_.chance(50) ? call("aten.unsqueeze_.default", {same, 0})
                                                   : call("aten.transpose_.default", {same, 0, -1});
    if (resized != nullptr) note_resized();
  }

  /// Updates the types of the values that a call has resized, and their views.
  void note_resized() {
    has_resized_ = true;
    propagate_types(*graph_);
    std::erase_if(values_, [](const Node* value) { return !is_static(value->type()); });
  }

  /// Adds a strided view of elements in the span of `x`.
  void add_strided(Node* x) {
    if (!x->type().offset().is_int()) return;
    int64_t reach = 0;
    for (int i = 0; i < x->type().rank(); ++i)
      reach += (x->type().size(i).value() - 1) * x->type().stride(i).value();
    std::vector<int64_t> sizes, strides;
    int64_t used = 0;
    for (int64_t i = 1 + number(3); i-- > 0;) {
      sizes.push_back(1 + number(3));
      strides.push_back(number(5));
      used += (sizes.back() - 1) * strides.back();
    }
    if (used > reach) return;
    const int64_t offset = x->type().offset().value() + number(reach - used + 1);
    keep(call("aten.as_strided.default",
              {x, Argument::ints(sizes), Argument::ints(strides), offset}));
  }

  void add_items(std::string_view op, std::vector<Argument> args) {
    Node* list = call(op, std::move(args));
    if (!list) return;
    const auto count = static_cast<int64_t>(list->type().items().size());
    if (count == 0) return;
    for (int i = 0; i < 2; ++i) keep(call("operator.getitem", {list, number(count)}));
  }

  /// Returns a tensor with the sizes of `x`: a tensor in separate memory, or another value that may
  /// share memory with `x`.
  Node* operand(Node* x) {
    if (!options_.basic && random_.chance(60)) return any();
    return call("aten.clone.default", {x});
  }

  void add_write() {
    Node* x = any();
    const bool is_float = x->type().dtype() != DType::kInt64 && x->type().dtype() != DType::kBool;
    Node* y = operand(x);
    if (!y) return;
    switch (random_.below(options_.basic ? 14 : 20)) {
      case 0:
        call("aten.add_.Tensor", {x, 2});
        break;
      case 1:
        call("aten.mul_.Tensor", {x, y});
        break;
      case 2:
        call("aten.zero_.default", {x});
        break;
      case 3:
        call("aten.fill_.Scalar", {x, 3});
        break;
      case 4:
        call("aten.neg_.default", {x});
        break;
      case 5:
        y = call("aten.sub.Tensor", {y, 1.5});
        if (y) call("aten.copy_.default", {x, y});
        break;
      case 6:
        if (is_float) call("aten.sigmoid_.default", {x});
        break;
      case 7:
        y = call("aten.gt.Scalar", {x, 0});
        if (y) call("aten.masked_fill_.Scalar", {x, y, -1});
        break;
      case 8:
        call("aten._foreach_mul_.Scalar", {Argument::list({x, y}), 3});
        break;
      case 9:
        if (is_float) call("aten.uniform_.default", {x});
        break;
      case 10:
        // The functional form draws numbers in row-major order, the in-place form in memory order.
        // A call that resized a tensor may have given it strides that differ from its type.
        if (is_contiguous(x->type()) && !has_resized_) call("aten.bernoulli_.float", {x, 0.5});
        break;
      case 11:
        if (!options_.basic || x->type().dtype() == y->type().dtype()) {
          const Node* const sum = call("aten.add.out", {y, y}, {{"out", x}});
          if (sum != nullptr && sum->type() != x->type()) note_resized();
        }
        break;
      case 12:
        // Use a separate tensor: resizing would invalidate the types of other values of the same
        // tensor.
        if (x->type().rank() == 2) {
          y = call("aten.alias.default", {x});
          keep(call("aten.t_.default", {y}));
        }
        break;
      case 13:
        call("aten.eq_.Scalar", {x, 0});
        break;
      case 14:
        call("aten.copy_.default", {x, y});
        break;
      case 15:
        call("aten._foreach_add_.List", {Argument::list({x, y}), Argument::list({operand(x), x})});
        break;
      case 16:
        call("aten._foreach_copy_.default",
             {Argument::list({x, y}), Argument::list({y, operand(x)})});
        break;
      case 17:
        if (x->type().rank() > 0) call("aten.cumsum_.default", {x, 0});
        break;
      case 18:
        call("aten.add_.Tensor", {x, 1.5});
        break;
      case 19:
        if (random_.chance(50)) resize_same(x);
        break;
    }
  }

  void add_read() {
    Node* x = any();
    keep(call("aten.mul.Tensor", {x, 2}));
    keep(call("aten.sum.default", {x}));
  }

  Context& context_;
  const FunctionalizeProgramOptions options_;
  Random random_;
  std::unique_ptr<Graph> graph_;
  std::vector<Node*> values_;
  std::vector<c10::IValue> inputs_;
  bool has_resized_ = false;  // whether a call has changed the sizes of a tensor
};

/// Returns the same program for the same seed on every machine.
inline FunctionalizeProgram functionalize_program(Context& context, uint64_t seed,
                                                  const FunctionalizeProgramOptions& options = {}) {
  return FunctionalizeProgramGenerator(context, seed, options).make();
}

}  // namespace fx::testing
