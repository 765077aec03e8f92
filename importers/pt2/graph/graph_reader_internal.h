// Reads one Graph record of a program and its nested Graph records.
#pragma once

#include "fx/importers/pt2/graph/node_metadata_internal.h"
#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/importers/pt2/schema/values_internal.h"
#include "fx/ir/graph/graph.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

/// The readers shared by the graphs of one program.
struct GraphSession {
  ValueReader& values;
  MetadataReader& metadata;
};

/// Describes how the inputs and outputs of the outermost graph are represented, with one entry for
/// each.
struct RootPlan {
  struct Input {
    std::string_view name;
    bool is_literal = false;  ///< a constant, which has no name in the graph
    std::string_view
        attribute_path;  ///< the member that a get_attr node reads; empty for a placeholder
  };
  std::vector<Input> inputs;
  struct Output {
    std::string_view
        written_input;  ///< the value is copied to this input at the end; empty if it is returned
    bool is_omitted = false;  ///< the value is neither copied nor returned
  };
  std::vector<Output> outputs;
};

class GraphReader {
 public:
  /// `graph` must be empty. `depth` is the number of enclosing graphs.
  GraphReader(GraphSession& session, Graph& graph, int depth)
      : session_(session), graph_(graph), depth_(depth) {}

  /// Reads the entire record. `plan` is null for nested graphs. Returns InvalidArgument, naming the
  /// node, if the record is malformed, or if the number of inputs or outputs differs from the plan.
  absl::Status read(Json record, const RootPlan* plan = nullptr);

 private:
  using ReadArgument = absl::StatusOr<Argument> (GraphReader::*)(Json value,
                                                                 std::string_view field);
  struct ArgumentForm;
  struct NodeRecord;

  // Values: graph_reader.cpp
  absl::Status read_types(Json values, std::string_view field, std::string_view literal);
  absl::Status read_custom_objects(Json values);
  absl::Status read_graph_inputs(Json inputs, const RootPlan* plan);
  absl::Status read_input(Json input, const RootPlan::Input& plan);
  absl::Status read_output(Json outputs, bool is_single, const RootPlan* plan);
  absl::Status define(std::string_view name, Node* node);
  absl::StatusOr<Node*> find(std::string_view name) const;
  absl::StatusOr<Type> type_of(std::string_view name) const;
  /// Returns a name for a node that has no name in the file: `base`, with a number if a different
  /// value has that name.
  std::string unused_name(std::string_view base);

  // Nodes: node_reader.cpp
  absl::Status read_node(Json record);
  absl::Status read_call(const NodeRecord& node);
  absl::Status read_inputs(const NodeRecord& node, std::vector<Argument>& args,
                           std::vector<Kwarg>& kwargs);
  absl::StatusOr<bool> is_positional(const NodeRecord& node, Json input_kind, bool has_kind,
                                     std::string_view name) const;
  absl::Status read_elements(const NodeRecord& node, Node& call, absl::Span<const JsonUnion> items,
                             std::vector<Type>& types);
  absl::StatusOr<Node*> create_call(Target function, absl::Span<const Argument> args,
                                    absl::Span<const Kwarg> kwargs, std::string_view name,
                                    const NodeRecord& node);

  // Arguments: argument_reader.cpp
  static absl::Span<const ArgumentForm> argument_forms();
  absl::StatusOr<Argument> argument(Json value, std::string_view field);
  absl::StatusOr<Argument> argument_of(const JsonUnion& value, std::string_view field);
  template <ReadArgument read>
  absl::StatusOr<Argument> list_of(Json value, std::string_view field);
  absl::StatusOr<Argument> none(Json value, std::string_view field);
  absl::StatusOr<Argument> named(Json value, std::string_view field);
  absl::StatusOr<Argument> integer(Json value, std::string_view field);
  absl::StatusOr<Argument> floating(Json value, std::string_view field);
  absl::StatusOr<Argument> boolean(Json value, std::string_view field);
  absl::StatusOr<Argument> string(Json value, std::string_view field);
  absl::StatusOr<Argument> complex(Json value, std::string_view field);
  absl::StatusOr<Argument> symbolic(Json value, std::string_view field);
  absl::StatusOr<Argument> dtype(Json value, std::string_view field);
  absl::StatusOr<Argument> layout(Json value, std::string_view field);
  absl::StatusOr<Argument> memory_format(Json value, std::string_view field);
  absl::StatusOr<Argument> device(Json value, std::string_view field);
  absl::StatusOr<Argument> function(Json value, std::string_view field);
  absl::StatusOr<Argument> dict(Json value, std::string_view field);
  absl::StatusOr<Argument> nested_graph(Json value, std::string_view field);

  Context& context() const { return graph_.context(); }
  Notes& notes() const { return session_.values.notes(); }

  GraphSession& session_;
  Graph& graph_;
  int depth_;
  absl::flat_hash_map<std::string_view, Type> types_;  // by name; the keys refer to the document
  absl::flat_hash_map<std::string_view, Node*> nodes_;
  absl::flat_hash_map<std::string, int>
      num_created_names_;  // the number of nodes named after a base
};

/// Returns the canonical name of a function: "aten.add.Tensor" for "torch.ops.aten.add.Tensor".
std::string function_name(std::string_view target);

}  // namespace fx::pt2
