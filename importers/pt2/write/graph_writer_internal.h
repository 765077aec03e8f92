// Writes a Graph record of a program and its nested Graph records.
//
// The file contains only calls. A getitem node that selects an element of a call's result becomes a
// named result of the call. A get_attr node becomes an input if it refers to a member, and an
// argument if it refers to a nested graph.
#pragma once

#include "fx/importers/pt2/schema/json_writer_internal.h"
#include "fx/importers/pt2/schema/value_writer_internal.h"
#include "fx/importers/pt2/write/metadata_writer_internal.h"
#include "fx/importers/pt2/write/plan_internal.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/ops/schema.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

/// The writers shared by the graphs of one program.
struct WriteSession {
  ValueWriter& values;
  MetadataWriter& metadata;
};

class GraphWriter {
 public:
  /// `plan` is null for nested graphs. `depth` is the number of enclosing graphs.
  GraphWriter(WriteSession& session, const Graph& graph, const ProgramPlan* plan, int depth)
      : session_(session), graph_(graph), plan_(plan), depth_(depth) {}

  /// Returns the record as JSON. Errors name the node: FailedPrecondition if a type is missing or a
  /// pass must run first, Unimplemented if a program cannot express the graph, InvalidArgument for
  /// a call that does not match its operator.
  absl::StatusOr<std::string> write();

  /// Returns the name of a node's value in the file. write() must have succeeded.
  std::string_view name(const Node& node) const { return names_.at(&node); }
  /// Returns the name of the input for this value; multiple get_attr nodes may share one input.
  std::string_view value_name(const Node& node) const { return names_.at(&resolved(node)); }
  /// Returns true if a value in the file has this name.
  bool has_value(std::string_view name) const { return used_.contains(std::string(name)); }
  /// Writes an Argument.
  absl::Status argument(JsonWriter& json, const Argument& value, const ops::SchemaType* type);

 private:
  /// The kind of an item of a list, which determines how it is written.
  enum class ItemKind : uint8_t {
    kBool,
    kInt,
    kFloat,
    kString,
    kSymBool,
    kSymInt,
    kSymFloat,
    kTensor,
    kNone,
    kList,
    kOther,
  };

  // Values: graph_writer.cpp
  absl::Status name_values();
  absl::Status name_element(const Node& getitem);
  std::string unused_name(const std::string& base);
  const Node& resolved(const Node& node) const;
  absl::Status write_inputs();
  absl::Status write_input(const Node& node);
  absl::Status write_outputs();
  /// Adds a value to the maps of values, and writes an Argument that names it.
  absl::Status define(JsonWriter& json, const std::string& name, Type type);
  /// Returns the type with a new symbol if it is an integer or bool without an expression, and
  /// unchanged otherwise.
  Type with_expression(Type type);
  std::string record(bool is_single);

  // Calls: call_writer.cpp
  absl::Status write_call(const Node& node);
  absl::StatusOr<std::string> file_target(const Node& node) const;
  absl::Status write_arguments(const Node& node);
  Type guarded_type(const Node& node) const;
  /// Returns the type of the result as it was written.
  absl::StatusOr<Type> write_results(const Node& node);
  absl::Status write_guard(const Node& node, Type type);
  /// begin_call writes the fields of a call before its inputs, end_call the fields
  /// starting with the metadata, which is empty.
  void begin_call(std::string_view target);
  void end_call(std::string_view name);
  absl::Status write_elements(JsonWriter& json, const Node& node, const std::string& name,
                              absl::Span<const Type> types);

  // Arguments: argument_writer.cpp
  absl::Status value(JsonWriter& json, const Node& node);
  absl::Status literal(JsonWriter& json, const Argument& value);
  absl::Status list(JsonWriter& json, const Argument& given, const ops::SchemaType* type);
  absl::Status empty_list(JsonWriter& json, const ops::SchemaType* type);
  absl::Status list_of_lists(JsonWriter& json, const Argument& value);
  absl::Status number_list(JsonWriter& json, const Argument& value, ItemKind kind);
  absl::Status item_name(JsonWriter& json, const Argument& value, std::string_view field);
  absl::Status nested_graph(JsonWriter& json, std::string_view name, const Graph& graph);
  ItemKind item_kind(const Argument& item) const;
  /// Maps nodes of constant type to the constant.
  Argument without_constants(const Argument& value) const;

  WriteSession& session_;
  const Graph& graph_;
  const ProgramPlan* plan_;
  int depth_;
  absl::flat_hash_map<const Node*, std::string> names_;
  absl::flat_hash_set<std::string> used_;
  absl::flat_hash_map<const Node*, const Node*>
      same_;  // maps additional getitem nodes of an element to the first one
  /// Maps a call to the getitem nodes of its elements. Elements without a getitem node are null.
  absl::flat_hash_map<const Node*, std::vector<const Node*>> elements_;
  absl::flat_hash_map<const Node*, std::vector<std::string>> element_names_;
  JsonWriter inputs_, outputs_, nodes_;
  JsonWriter tensors_, integers_, floats_, bools_;  // keyed by the names of values
};

}  // namespace fx::pt2
