// Assigns the inputs and results of a graph to those of an exported program.
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
  const Node* node = nullptr;  ///< a placeholder, or a get_attr of a member
  std::string path = {};       ///< path of the member
  std::string described = {};  ///< the path in the metadata of the placeholder (`target`)
  bool is_persistent = true;   ///< of a buffer
};

struct PlannedOutput {
  std::string_view kind;             ///< a key of the schema's output specs: "user_output"
  Argument value;                    ///< a node, or a constant
  std::string target = {};           ///< path of the member that is written or differentiated
  const Node* user_input = nullptr;  ///< the same, for an input of the user
};

struct ProgramPlan {
  std::vector<PlannedInput> inputs;    ///< tokens, then members: parameters, buffers, constants
  std::vector<PlannedOutput> outputs;  ///< tokens, then mutations
  /// get_attr nodes of members that have an input of another node.
  absl::flat_hash_map<const Node*, const Node*> same;
  /// `copy_` calls that the outputs express.
  absl::flat_hash_set<const Node*> omitted;
  bool is_functional = true;  ///< true if no operator writes to an argument
  size_t num_results = 0;     ///< outputs of the kinds user_output and loss_output
};

/// `members` has the kinds and data of the members that get_attr nodes refer to. Errors name the
/// node: InvalidArgument if the graph or its metadata is malformed, NotFound for a member that
/// `members` lacks, Unimplemented for features that a program cannot express.
absl::StatusOr<ProgramPlan> plan_program(const Graph& graph, const Module& members);

/// Returns the constant if the type of a node states one, such as for a placeholder for the number
/// 3.
std::optional<Argument> constant_of(const Node& node);

/// Returns "node NAME (TARGET)".
std::string describe_node(const Node& node);

}  // namespace fx::pt2
