// Writes one function of the class, node by node. cpp.cpp assembles the file.
#pragma once

#include "fx/codegen/cpp/cpp.h"
#include "fx/codegen/cpp/structs_internal.h"
#include "fx/codegen/cpp/values/operator_internal.h"
#include "fx/codegen/cpp/values/value_internal.h"
#include "fx/interp/size_checks.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/module/graph_module.h"
#include "fx/passes/analysis/graph_queries.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::cpp {

struct LoweredGraph;

/// The method for a nested graph or module. Calls whose arguments have the same types share it.
struct NestedMethod {
  std::string name;
  Value returned;
  std::string path;           ///< the prefix of the graph's paths, which its members depend on
  std::vector<Value> inputs;  ///< the types of the arguments
};

/// State that the functions of one class share.
class ClassState {
 public:
  ClassState(const CppOptions& options, std::string_view class_name)
      : types(std::string(class_name) + "Tuple"),
        operators(types),
        structs(options.modules, options.root),
        options_(options) {}

  const CppOptions& options() const { return options_; }
  /// Returns the expression with which methods of the current struct access the tensor at a path;
  /// empty if they cannot access it.
  std::string member(std::string_view path, Type type) {
    return structs.expression(structs.member(path, type), structs.current);
  }
  /// Returns an unused name for a method of the current struct, derived from `name`.
  std::string method(std::string_view name);
  /// Returns the method of the current struct for a nested graph or module, or null if it does not
  /// exist yet.
  const NestedMethod* find_method(const void* source, std::string_view path,
                                  absl::Span<const Value> inputs) const;
  /// Adds a method of the current struct. `source` must remain valid.
  void add_method(const void* source, NestedMethod method);
  void reserve(std::string_view name) { structs[0].taken.insert(std::string(name)); }

  ValueTypes types;
  Operators operators;
  absl::flat_hash_set<std::string> includes;  ///< "ATen/ops/add.h"
  Structs structs;
  std::vector<std::string> dispatched;
  bool uses_numbers = false, uses_call = false, uses_scan = false, uses_autocast = false;
  bool uses_stacked_loop = false;
  bool lower = false;  ///< nested graphs and modules are also lowered (lowered_internal.h)
  int depth = 0;
  // Keep alive the graphs from which methods are emitted.
  std::vector<std::unique_ptr<Graph>> lowered_graphs;
  std::vector<std::unique_ptr<GraphModule>> layers;

 private:
  const CppOptions& options_;
  /// Keyed by source and struct.
  absl::flat_hash_map<std::pair<const void*, uint32_t>, std::vector<NestedMethod>> methods_;
};

/// The method of a region (structs_internal.h): its name and the values that it receives and
/// returns.
struct RegionMethod {
  std::string name;
  bool is_backward = false;
  std::vector<const Node*> inputs = {}, outputs = {};
};

/// The form in which a list is written.
enum class Style : uint8_t {
  kBraces,  ///< {1, 2}
  kTyped,   ///< at::IntArrayRef({1, 2})
  kStruct,  ///< {1, 2} for at::_ops, whose sizes are SymInt
};

class Emitter {
 public:
  /// `path` is the prefix of the graph's paths, such as "layer1." in the module layer1. `lowered`
  /// is the record of the lowering if `graph` is a lowered copy, null otherwise.
  Emitter(ClassState& shared, const Graph& graph, std::string path = {},
          const LoweredGraph* lowered = nullptr)
      : shared_(shared),
        graph_(graph),
        path_(std::move(path)),
        lowered_(lowered),
        values_(graph, Value()),
        names_(graph, 0),
        last_use_(last_users(graph)) {}

  /// Emits the function. `inputs` are the types of the arguments, which replace the types of the
  /// placeholders.
  absl::Status emit(absl::Span<const Value> inputs = {});
  /// Inserts, before the body, checks that the inputs have the sizes and values that the graph
  /// requires (size_checks.cpp). Must be called after emit(), and not for nested graphs. Returns
  /// Unimplemented for a requirement that cannot be expressed in C++.
  absl::Status emit_input_checks();
  /// True if the function uses the parameter.
  bool uses(const Node& parameter) const {
    return parameter.has_uses() || sized_.contains(&parameter);
  }

  std::string body;
  std::vector<CppParameter> parameters;
  Value returned = {ValueKind::kNone};

 private:
  void find_names();
  Value input_value(const Node& placeholder);
  void append_name(std::string& out, const Node& node) const;
  void emit_node(const Node& node);
  void emit_placeholder(const Node& node);
  void emit_get_attr(const Node& node);
  void emit_function(const Node& node);
  void emit_method(const Node& node);
  bool emit_query(const Node& node);
  void emit_module(const Node& node);
  void emit_output(const Node& node);
  /// Writes `TYPE name = expression;`, or only the expression for a value without users. Then frees
  /// the values without later uses, and adds the type as a comment.
  void emit_statement(const Node& node, Value value, std::string_view expression);
  void emit_end(const Node& node);
  void emit_guard(const Node& node, Value value);
  std::string item_text(const Node& input, absl::Span<const size_t> path, Value& value);
  void append_constant_checks(std::string& text, absl::Span<const Node* const> inputs);
  std::string tensor_text(const Node& input);
  void append_memory_checks(std::string& text, absl::Span<const Node* const> inputs);
  absl::Status append_size_checks(std::string& text, const SizeChecks& checks,
                                  absl::Span<const Node* const> inputs);
  std::string location_text(const Node& input, const SizeChecks::Location& location);
  /// True if `user` is the last user of the value.
  bool is_last_use(const Node& value, const Node& user);
  /// Returns the path of a node that is a tensor member of the class; else empty.
  std::string tensor_path(const Node& node) const;
  bool is_graph(const Node& node) const;
  void append_line(const Node& node);

  // modules.cpp
  void find_regions();
  void open_regions(const Node& node);
  void close_regions(const Node& node);
  void close_region(int32_t region);
  bool has_variable(const Node& node) const;
  void append_moved(std::string& out, const Node& node, bool move) const;
  void append_result_type(std::string& out, std::string& type, Struct& holder,
                          const RegionMethod& method);
  std::string append_region_method(Struct& holder, const RegionMethod& method);

  // call.cpp
  bool emit_operator(const Node& node, const Operator& op);
  /// Binds the arguments of `node`, starting at positional argument `first`. Returns false after
  /// fail().
  bool bind(const Node& node, const Operator& op, size_t first);
  void set_bound(const Node& node, absl::Span<const BoundParameter> bound, size_t first);
  /// Appends a call to `op` with the bound arguments to `text`, and sets `value` to the type of its
  /// result. Returns false after fail().
  bool append_call(std::string& text, Value& value, const Node& node, const Operator& op);
  bool append_named_call(std::string& text, const Node& node, const Operator& op);
  bool append_by_name(std::string& out, const Node& node, const Operator& op, bool is_method,
                      Style style);
  bool append_size_call(std::string& out, const Operator& op, const std::vector<Bound>& bound);
  /// Returns the operator that a call to the Python function `name` calls with its arguments;
  /// empty if there is none, and if the function changes its arguments.
  std::string packet_of(const Node& node, std::string_view name) const;
  bool emit_overloaded(const Node& node, std::string_view packet);
  PassedValue passed(ArgumentRef value) const;

  // arguments.cpp
  Form append_argument(std::string& out, const Parameter& parameter, const Bound& bound,
                       const Node& node, Style style);
  Form append_default(std::string& out, const Parameter& parameter, Style style);
  std::optional<Form> append_whole_list(std::string& out, const Parameter& parameter,
                                        const Bound& bound, Style style);
  Form append_list(std::string& out, const Parameter& parameter, const Bound& bound,
                   const Node& node, Style style);
  void append_list_head(std::string& out, const Parameter& parameter, Style style) const;
  void append_constant(std::string& out, const Parameter& parameter,
                       const ops::SchemaConstant& constant, Style style);
  void append_leaf(std::string& out, const Parameter& parameter, bool optional, ArgumentRef value);
  void append_node(std::string& out, const Parameter& parameter, bool optional, const Node& node);
  std::string converted(const Node& node, ops::SchemaTypeKind base);
  bool append_literal_as(std::string& out, ops::SchemaTypeKind base, ArgumentRef value);
  bool append_options(std::string& out, const Operator& op, const std::vector<Bound>& bound);

  // dispatch.cpp
  bool append_dispatched(std::string& text, Value& value, const Node& node, const Operator& op,
                         const std::vector<Bound>& bound);
  void append_ivalue(std::string& out, const Parameter& parameter, const Bound& bound,
                     const Node& node);

  // function.cpp
  bool emit_number_function(const Node& node, std::string_view name);
  void emit_number_reduction(const Node& node, bool is_product);
  std::optional<std::string> number_operand(ArgumentRef argument, bool& is_float);
  bool is_bool(ArgumentRef value) const;
  bool emit_getitem(const Node& node);
  void emit_list_item(const Node& node, const Node& whole, ArgumentRef key);
  bool emit_getattr(const Node& node);
  bool append_index(std::string& out, ArgumentRef index);
  /// Appends the C++ text of an argument that has no schema, and returns its type.
  Value append_value(std::string& out, ArgumentRef value);
  Value value_of(ArgumentRef value);

  // control.cpp
  std::vector<Value> append_module_operands(std::string& operands, const Node& node);
  bool emit_control(const Node& node, std::string_view name);
  void emit_cond(const Node& node);
  void emit_while_loop(const Node& node);
  void emit_scan(const Node& node);
  bool emit_nested_argument(const Node& node, size_t arg, absl::Span<const Value> inputs,
                            std::string& method, Value& result);
  std::string truth(const std::string& text, Value value);
  void emit_with_effects(const Node& node);
  void emit_graph_call(const Node& node, const GraphCall& call);
  const Graph* nested_graph(const Node& node, size_t arg) const;
  const Graph* graph_of(const Node& get_attr) const;
  bool emit_nested(const Node& node, const Graph& graph, absl::Span<const Value> inputs,
                   std::string& method, Value& result);
  /// A nested graph or the graph of a module.
  struct MethodSource {
    const void* key;  ///< the nested graph, or the module
    const Graph* graph;
    const Module* root;      ///< contains the members of the graph, or null
    std::string path;        ///< the prefix of the graph's paths
    std::string_view label;  ///< for messages
    std::string_view name;   ///< the method's name is derived from it
  };
  /// Emits the method of the current struct, unless it exists. Returns false after fail().
  bool emit_method(const MethodSource& source, absl::Span<const Value> inputs,
                   NestedMethod& method);
  bool append_operands(std::string& out, ArgumentRef list, std::vector<Value>& values);

  void include(std::string_view header) { shared_.includes.insert(std::string(header)); }
  void fail(std::string_view why);

  ClassState& shared_;
  const Graph& graph_;
  std::string path_;
  const LoweredGraph* lowered_;
  NodeMap<Value> values_;
  NodeMap<uint32_t> names_;  // 0 for the node's name, or an index into other_names_, plus one
  std::vector<std::string> other_names_;
  NodeMap<const Node*> last_use_;
  std::unique_ptr<Regions> regions_;  // null if the code is a single function
  int32_t region_ = -1;               // the region whose method is being written
  int32_t next_region_ = 0;
  std::vector<std::string> outer_bodies_;
  const Node* node_ = nullptr;  // the node being written
  std::vector<const Node*> freed_;
  absl::flat_hash_set<const Node*> sized_;  // inputs whose sizes or values are checked
  std::vector<Bound> bound_;
  std::vector<Form> forms_;
  std::string text_;
  absl::Status status_;
};

/// Appends the function as a method of the class.
void append_function(std::string& out, std::string_view name, const Emitter& function);

}  // namespace fx::cpp
