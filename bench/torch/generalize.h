// Creates a graph with a symbolic size from captures of one program at two sizes.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// A captured graph, and the size (of a batch) at which it was captured.
struct SizedGraph {
  std::unique_ptr<Graph> graph;
  int64_t size = 0;
};

/// Merges two graphs of one Context that differ only in numbers: a number that differs becomes the
/// linear function of a symbol that has both values.
class Generalizer {
 public:
  Generalizer(const SizedGraph& a, const SizedGraph& b, SymExpr symbol)
      : a_(a), b_(b), symbol_(symbol) {}

  /// Returns a graph in which only inputs have types, or FailedPrecondition if the graphs differ in
  /// other ways.
  absl::StatusOr<std::unique_ptr<Graph>> run() {
    std::unique_ptr<Graph> result = a_.graph->clone();
    if (a_.graph->size() != b_.graph->size()) return differs("the graphs");
    auto other = b_.graph->nodes().begin();
    for (Node& node : result->nodes()) {
      const Node& counterpart = *other;
      ++other;
      if (node.op() != counterpart.op() || node.target() != counterpart.target())
        return differs("node " + node.name());
      if (node.type().is_tensor() && node.op() != Opcode::kCallFunction)
        node.set_type(line(node.context().types(), node.type(), counterpart.type()));
      if (node.op() != Opcode::kCallFunction) continue;
      node.set_type(Type());
      const std::vector<Argument> left = node.args(), right = counterpart.args();
      std::vector<Argument> args;
      for (size_t i = 0; i < left.size() && i < right.size(); ++i)
        args.push_back(line(left[i], right[i]));
      std::vector<Kwarg> kwargs = node.kwargs();
      for (size_t i = 0; i < kwargs.size() && i < counterpart.num_kwargs(); ++i)
        kwargs[i].value = line(kwargs[i].value, counterpart.kwarg_value(i));
      if (failed_ || left.size() != right.size()) return differs("node " + node.name());
      if (absl::Status s = node.set_args(args); !s.ok()) return s;
      if (absl::Status s = node.set_kwargs(kwargs); !s.ok()) return s;
    }
    if (failed_) return differs("the inputs");
    return result;
  }

 private:
  static absl::Status differs(const std::string& what) {
    return absl::FailedPreconditionError("the captures differ in more than numbers: " + what);
  }

  Dim line(int64_t at_a, int64_t at_b) {
    if (at_a == at_b) return Dim(at_a);
    const int64_t rise = at_b - at_a, run = b_.size - a_.size;
    failed_ = failed_ || rise % run != 0;
    const int64_t slope = rise / run;
    return slope * Dim(symbol_) + (at_a - slope * a_.size);
  }
  Dim line(const Dim& a, const Dim& b) {
    failed_ = failed_ || !a.is_int() || !b.is_int();
    return line(a.value(), b.value());
  }
  Type line(TypeTable& types, Type a, Type b) {
    if (!b.is_tensor() || a.rank() != b.rank()) {
      failed_ = true;
      return a;
    }
    DimVector sizes, strides;
    for (int i = 0; i < a.rank(); ++i) sizes.push_back(line(a.size(i), b.size(i)));
    for (int i = 0; i < a.rank(); ++i) strides.push_back(line(a.stride(i), b.stride(i)));
    TensorSpec spec = a.spec();
    spec.sizes = sizes;
    spec.strides = strides;
    spec.offset = line(a.offset(), b.offset());
    return types.tensor(spec);
  }
  Argument line(const Argument& a, const Argument& b) {
    if (a.is_int() && b.is_int()) return line(a.as_int(), b.as_int());
    if (!is_aggregate(a.kind()) || a.kind() != b.kind() || a.size() != b.size()) return a;
    std::vector<Argument> items;
    for (size_t i = 0; i < a.size(); ++i) items.push_back(line(a[i], b[i]));
    return a.with_items(items);
  }

  const SizedGraph& a_;
  const SizedGraph& b_;
  SymExpr symbol_;
  bool failed_ = false;
};

/// Infers the types of the graph and compares them with a capture at a third size.
inline absl::Status type_and_check(Graph& symbolic, Symbol symbol, const SizedGraph& third) {
  const ShapeReport report = propagate_types(symbolic);
  if (!report.ok()) return absl::InternalError(report.str());
  Context& context = symbolic.context();
  const absl::flat_hash_map<Symbol, SymExpr> at = {{symbol, context.exprs().integer(third.size)}};
  auto expected = third.graph->nodes().begin();
  for (const Node& node : symbolic.nodes()) {
    const Type real = (*expected).type();
    ++expected;
    if (node.op() != Opcode::kCallFunction) continue;
    const Type type = context.types().substitute(node.type(), at);
    if (equal_types(real, type)) continue;
    return absl::InternalError(node.name() + " is " + to_string(real) + " at " +
                               std::to_string(third.size) + ", but its symbolic type " +
                               to_string(node.type()) + " becomes " + to_string(type));
  }
  return absl::OkStatus();
}

}  // namespace fx
