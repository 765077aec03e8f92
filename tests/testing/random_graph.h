// Random graphs for tests, with everything that a Graph can contain. The same seed returns the same
// graph on every machine.
//
//   for (uint64_t seed = 0; seed < 1000; ++seed) {
//     std::unique_ptr<Graph> graph = random_graph(context, seed);
//     ...
//   }
//
// The graphs are well formed (operands precede their users, names are unique, the only output is at
// the end), but calls do not match the schemas of their operators.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/types/type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace fx::testing {

/// Random numbers that do not depend on the standard library's distributions.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint64_t bits() { return engine_(); }
  /// Returns a number in [0, bound).
  size_t below(size_t bound) { return static_cast<size_t>(engine_() % bound); }
  bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }
  template <class T, size_t N>
  const T& pick(const T (&items)[N]) {
    return items[below(N)];
  }

 private:
  std::mt19937_64 engine_;
};

struct RandomGraphOptions {
  size_t max_nodes = 20;       ///< not counting placeholders and the output
  int max_argument_depth = 3;  ///< levels of lists, tuples, ...
  int max_graph_depth = 2;     ///< levels of nested graphs
  bool types = true;
  bool meta = true;
  bool odd_names = true;          ///< names that no rule derives: `a b`, `1x`, reserved words
  bool spelled_functions = true;  ///< functions with explicit spellings
  bool invalid_utf8 = false;      ///< strings may contain any bytes
};

std::unique_ptr<Graph> random_graph(Context& context, uint64_t seed,
                                    const RandomGraphOptions& options = {});

/// Returns a value that contains no nodes or graphs.
Argument random_constant(Context& context, Random& random, int max_depth,
                         const RandomGraphOptions& options = {});
/// Returns a tensor as a value, with facts that its type does not express (fx.Tensor in
/// ir/python/python_objects.h).
Argument random_tensor_value(Context& context, Random& random);
/// Returns any type except unknown.
Type random_type(Context& context, Random& random, int max_depth = 2);
std::string random_string(Random& random, bool invalid_utf8 = false);
/// Returns an operator, a Python function, or an unknown function.
std::string_view random_function_name(Random& random);
/// Returns a short string of letters and a few other characters.
std::string random_word(Random& random);
double random_float(Random& random);
int64_t random_int(Random& random);
SymExpr random_expr(Context& context, Random& random);

}  // namespace fx::testing
