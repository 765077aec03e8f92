// Assigns the inputs and results of a graph to the inputs and outputs of an exported program.
#pragma once

#include "fx/importers/pt2/signature_internal.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

struct PlannedInput {
  InputRole role = InputRole::kUser;
  const Node* node = nullptr;  ///< a placeholder, or the get_attr node of a member
  std::string path = {};       ///< the path of the member
  std::string described = {};  ///< the path in the placeholder's metadata (`target`)
  bool is_persistent = true;   ///< only used for buffers
};

struct PlannedOutput {
  std::string_view kind;             ///< a key of the schema's output specs, such as "user_output"
  Argument value;                    ///< a node or a constant
  std::string target = {};           ///< the path of the member that is written or differentiated
  const Node* user_input = nullptr;  ///< the user input that is written or differentiated
};

struct ProgramPlan {
  std::vector<PlannedInput> inputs;    ///< tokens, parameters, buffers, constants, user inputs
  std::vector<PlannedOutput> outputs;  ///< tokens, mutations, results, gradients
  /// Maps additional get_attr nodes of a member, which may be tied, to the node of its input.
  absl::flat_hash_map<const Node*, const Node*> same;
  /// `copy_` calls that the outputs express.
  absl::flat_hash_set<const Node*> omitted;
  bool is_functional = true;  ///< true if no operator writes to an argument
  size_t num_results = 0;     ///< the number of outputs of kind user_output or loss_output
};

/// `members` contains the kinds and data of the members that get_attr nodes refer to. Errors name
/// the node: InvalidArgument if the graph or its metadata is malformed, NotFound if `members` does
/// not contain a member, Unimplemented for features that a program cannot express.
absl::StatusOr<ProgramPlan> plan_program(const Graph& graph, const Module& members);

/// Returns "node NAME (TARGET)".
std::string describe_node(const Node& node);

}  // namespace fx::pt2
