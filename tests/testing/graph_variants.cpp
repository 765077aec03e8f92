// Variants of graphs: see graph_variants.h.
#include "tests/testing/graph_variants.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"

#include <utility>
#include <vector>

namespace fx::testing {

size_t respell(Graph& graph, Random& random) {
  size_t changed = 0;
  for (Graph& g : all_graphs(graph)) {
    for (Node& node : g.nodes()) {
      const ops::OpInfo* op = node.function().op();
      if (op == nullptr || op->is_function() || !random.chance(50)) continue;
      const absl::StatusOr<NormalizedArguments> all = normalized_arguments(node, true);
      if (!all.ok()) continue;
      const auto parameters = op->schema().arguments();
      size_t num_positional = 0;
      while (num_positional < parameters.size() && !parameters[num_positional].kwarg_only)
        ++num_positional;
      const size_t positional = random.below(num_positional + 1);
      std::vector<Argument> args;
      std::vector<Kwarg> kwargs;
      for (size_t i = 0; i < parameters.size(); ++i) {
        const Argument& value = all->kwargs[i].value;
        if (i < positional) {
          args.push_back(value);
          continue;
        }
        const bool is_default =
            parameters[i].default_value.has_value() && value == schema_default(parameters[i]);
        if (!is_default || random.chance(30)) kwargs.emplace_back(parameters[i].name, value);
      }
      FX_CHECK_OK(node.set_args(args));
      FX_CHECK_OK(node.set_kwargs(kwargs));
      ++changed;
    }
  }
  return changed;
}

void forget_types(Graph& graph, Random& random) {
  TypeTable& types = graph.context().types();
  for (Graph& g : all_graphs(graph)) {
    for (Node& node : g.nodes()) {
      const Type type = node.type();
      if (!type || !random.chance(30)) continue;
      if (!type.is_tensor() || random.chance(30)) {
        node.set_type(Type());
        continue;
      }
      TensorSpec spec = type.spec();
      switch (random.below(3)) {
        case 0:
          spec.has_rank = false;
          spec.sizes = {};
          spec.strides = StrideSpec::unknown();
          break;
        case 1:
          spec.strides = StrideSpec::unknown();
          break;
        default:
          spec.dtype = DType::kUndefined;
      }
      node.set_type(types.tensor(spec));
    }
  }
}

}  // namespace fx::testing
