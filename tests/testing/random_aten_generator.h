// Creates the programs of random_aten.h. Operands of a call are drawn from the existing values. The
// type function of the operator determines whether the call is valid.
//
// A seed must produce the same program with every compiler, but the order in which the arguments of
// a function, and the operands of `+`, are evaluated is unspecified. Draw each in a separate
// statement, or all in one braced list, which is evaluated from left to right.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/passes/analysis/known_types.h"
#include "tests/testing/random_aten.h"
#include "tests/testing/random_graph.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::testing {

/// An operator and its Python forms.
struct Spelled {
  std::string_view aten;
  std::string_view function = {};
  std::string_view method = {};
};

inline constexpr int64_t kSizes[] = {1, 2, 3, 4};

class RandomAtenGenerator {
 public:
  RandomAtenGenerator(Context& context, uint64_t seed, const RandomAtenOptions& options)
      : context_(context), random_(seed), options_(options) {
    result_.graph = std::make_unique<Graph>(context);
  }

  RandomAten run();

 private:
  Graph& graph() { return *result_.graph; }

  std::string random_shape();
  void add_input(const char* name, std::string_view dtype);
  void add_constant();
  Type with_other_layout(Type type);
  void keep(Node* node) {
    if (node->type().is_tensor() && is_static(node->type())) values_.push_back(node);
  }

  Node* value() { return values_[random_.below(values_.size())]; }
  /// Prefers recent values, so that graphs are deep.
  Node* recent() {
    const size_t back = random_.below(std::min<size_t>(values_.size(), 6));
    return random_.chance(70) ? values_[values_.size() - 1 - back] : value();
  }
  int64_t number(int64_t bound) {
    return static_cast<int64_t>(random_.below(static_cast<size_t>(bound)));
  }
  /// Returns an index of one of `count` items, counted from the front or, less often, the back.
  int64_t index_below(int64_t count) {
    const bool from_back = random_.chance(25);
    return number(count) - (from_back ? count : 0);
  }
  int64_t dim_of(const Node* node) {
    const int64_t rank = node->type().rank();
    return rank == 0 ? 0 : static_cast<int64_t>(random_.below(static_cast<size_t>(rank)));
  }

  /// Adds the call if its operator accepts these arguments; otherwise returns null.
  Node* call(std::string_view target, std::vector<Argument> args, std::vector<Kwarg> kwargs = {});
  /// Removes a call if it does not run. Returns the call, or null.
  Node* if_it_runs(Node* node);
  void call(const Spelled& op, const std::vector<Argument>& args);
  void draw();

  // random_aten_calls.cpp
  void draw_view(Node* x);
  void draw_index(Node* x);
  void draw_strided(Node* x);
  void draw_identity(Node* x);
  void draw_inverse(Node* x);
  void draw_write_to(Node* target);
  void draw_join(Node* x);
  void draw_reduction(Node* x);
  void draw_factory();
  void draw_write();
  void draw_item_write(Node* target);
  void draw_layer(Node* x);

  /// True if eager mode accepts writes to the value, and runs that write to it can be compared.
  static bool may_write(const Node* target);

  // random_aten_rare.cpp
  void draw_rare(Node* x);
  void draw_zero(Node* x);
  void draw_narrow_product(Node* x);
  void draw_lazy_write(Node* x);
  void draw_lazy_copy(Node* lazy);
  void draw_resolved_bits(Node* lazy);
  void draw_bytes(Node* x);
  void draw_training(Node* x);
  void draw_scalar(Node* x);
  void draw_same(Node* x);
  void draw_einsum(Node* x);

  // random_aten_python.cpp
  void draw_python(Node* x);
  void draw_rank(Node* x);
  void draw_tensor_index(Node* x);
  void draw_masks(Node* x);
  void draw_changed_list(Node* x);
  Node* zero_rank_index(int64_t size);
  /// Adds a call without a type, whose type function does not see that lists have changed.
  Node* untyped_call(Opcode op, std::string_view target, const std::vector<Argument>& args);
  /// Infers the types again after a call changes the sizes of a tensor.
  void retype();

  // random_aten_wide.cpp
  void draw_wide(Node* x);
  void draw_wide_view(Node* x);
  void draw_wide_write(Node* x);
  void draw_indexed(Node* x);
  void draw_number(Node* x);
  void draw_cast(Node* x);
  Argument any_number();
  Argument any_dim(const Node* x);
  Node* mask_of(Node* x);
  Node* index_of(Node* x, int64_t dim);
  void take(Node* list);

  struct Last {
    std::string target;
    std::vector<Argument> args;
    std::vector<Kwarg> kwargs;
  };

  Context& context_;
  Random random_;
  RandomAtenOptions options_;
  RandomAten result_;
  std::vector<Node*> values_;
  std::vector<Node*> untyped_;  // results of the program that are not operands
  Last last_;
};

}  // namespace fx::testing
