// Graphs of recorded operator calls: lines of scripts/record_op_cases.py and
// scripts/record_illegal_calls.py.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/functional/function_ref.h"
#include "nlohmann/json.hpp"

#include <memory>
#include <string>

namespace fx::testing {

/// Returns a graph that returns the call's result. Each tensor of the call is an input.
std::unique_ptr<Graph> graph_of_call(Context& context, const nlohmann::ordered_json& call);

/// Types the graph again, from the types of its inputs. Returns true if it has an invalid call.
bool has_invalid_call(Graph& graph);

/// Calls `f` for each call of the file that the environment variable FX_DERIVED_CALLS names, or of
/// the sample in tests/filecheck/shape/inputs. Calls that eager mode rejects have the key
/// "rejected". Returns the number of calls; 0 if the file cannot be read.
size_t for_each_derived_call(absl::FunctionRef<void(const nlohmann::ordered_json& call)> f);

}  // namespace fx::testing
