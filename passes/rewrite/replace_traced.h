// replace_pattern with pattern and replacement written as C++ functions of Proxies.
//
//   FX_ASSIGN_OR_RETURN(const size_t n, fx::replace_traced(
//       graph, [](fx::Proxy x, fx::Proxy y) { return relu(x + y); },
//       [](fx::Proxy x, fx::Proxy y) { return add_relu(x, y); }));
//
// This header includes the tracer. Code that already has graphs needs only replace_pattern.h.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"
#include "fx/passes/rewrite/replace_pattern.h"
#include "fx/tracer/tracer.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <memory>

namespace fx {

/// Traces both functions and replaces the pattern; returns the number of matches. Returns errors
/// from tracing and from replace_pattern.
template <class P, class R>
absl::StatusOr<size_t> replace_traced(Graph& graph, P&& pattern, R&& replacement,
                                      const ReplaceOptions& options = {}) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<GraphModule> from,
                      symbolic_trace(graph.context(), pattern));
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<GraphModule> to,
                      symbolic_trace(graph.context(), replacement));
  FX_ASSIGN_OR_RETURN(const Replacements done,
                      replace_pattern(graph, from->graph(), to->graph(), options));
  return done.size();
}

}  // namespace fx
