// Writes a prepared graph (onnx.cpp) as a model, node by node.
//
// Each constant is one initializer of the outer graph. Sizes that depend only on inputs are
// computed once, before all other nodes.
#pragma once

#include "fx/importers/onnx/model/model_internal.h"
#include "fx/importers/onnx/onnx.h"
#include "fx/importers/onnx/row_call_internal.h"
#include "fx/importers/onnx/value_internal.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::onnx {

/// Returns the element type of a value of this type, or kUndefined if it is unknown.
DType dtype_of_value(Type type);
/// Returns a type without symbols that is promoted as `type` is: with the same dtype, and with
/// dimensions if `type` has some.
Type promoted_as(TypeTable& types, Type type);

class Writer {
 public:
  Writer(const Graph& graph, const OnnxOptions& options, ModelProto& model);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Fills the model. An error lists every node that cannot be converted.
  absl::Status write();

  const OnnxOptions& options() const { return options_; }

  // ---- Used by RowCall. After fail(), functions that return a value return an empty one.
  const NodeValue& value_of(const Node& node);
  Value emit(std::string_view op_type, absl::Span<const Value> inputs,
             absl::Span<const Attribute> attributes, DType result, std::string_view domain = {});
  std::vector<Value> emit_several(std::string_view op_type, absl::Span<const Value> inputs,
                                  absl::Span<const Attribute> attributes,
                                  absl::Span<const DType> results, std::string_view domain = {});
  Value cast(const Value& value, DType dtype);
  /// Returns a constant tensor with these bytes in row-major order.
  Value constant(DType dtype, absl::Span<const int64_t> sizes, std::string_view bytes);
  Value scalar_int(int64_t value, DType dtype);
  Value scalar_real(double value, DType dtype);
  Value ints(absl::Span<const int64_t> values);
  /// Return a size as a 0-dimensional tensor, or as a tensor with one element.
  Value symbolic(SymExpr expr);
  Value symbolic_1d(SymExpr expr);
  Value sizes(absl::Span<const Dim> sizes);
  void set_result(const Node& node, const Value& value);
  void set_results(const Node& node, absl::Span<const Value> given);
  void fail(absl::StatusCode code, std::string_view why);
  void fail(std::string_view why) { fail(absl::StatusCode::kUnimplemented, why); }
  void check(const absl::Status& why) {  // fails unless `why` is OK
    if (!why.ok()) fail(why.code(), std::string(why.message()));
  }
  bool failed() const { return !failure_.ok(); }

 private:
  /// A graph that is being written: the outer one, or one nested in it.
  struct Frame {
    Frame(const Graph& g, std::string names, Frame* enclosing)
        : graph(g), prefix(std::move(names)), outer(enclosing), values(g, 0) {}
    const Graph& graph;
    std::string prefix;  // for the names of values in the graph
    Frame* outer;
    NodeMap<uint32_t> values;  // index into all_values_; 0 if none
    size_t next_input = 0;
    absl::Span<const NodeValue> inputs = {};  // the values of the inputs of a nested graph
  };
  struct SymbolSource {
    const Node* node;
    int64_t dim = -1;    // -1: the value itself
    int64_t factor = 1;  // the factor, if the size is a multiple of the symbol
  };
  using Handler = void (Writer::*)(const Node& node);
  struct Callee {
    Handler handler = nullptr;
    const Row* row = nullptr;
    const OnnxCustomOp* custom = nullptr;
  };

  // writer.cpp and values.cpp
  void write_graph(Frame& frame);
  void write_node(const Node& node);
  void write_placeholder(const Node& node);
  void write_get_attr(const Node& node);
  void write_function(const Node& node);
  void write_row(const Node& node, const Row& row);
  void write_custom(const Node& node, const OnnxCustomOp& custom);
  void write_outputs(const Node& output);
  void write_output(const Value& value, Type type, std::string_view doc);
  const Callee& callee(const Node& node);
  bool check_accepted(const Node& node, const Row& row);
  bool has_failed_operand(const Node& node);
  void add_error(const Node& node);
  absl::Status all_errors() const;
  Value initializer(const Node& node, std::string_view name, const Tensor& tensor, Type type);
  std::string initializer_name(std::string_view base);
  Value constant_of(Type type);
  void set_value(const Node& node, NodeValue value);
  std::string name_of(const Node& node) const;
  std::string_view unique_name();
  bool is_emitted(std::string_view name) const;
  Value named(const Value& value, std::string_view name);
  void describe_nodes(const Node& node, size_t begin);
  /// Returns the description of a value. The model must own `name` (ModelProto::keep).
  ValueInfoProto value_info(std::string_view name, Type type, DType dtype) const;

  // special_calls.cpp
  static Handler special_handler(std::string_view name);
  void write_unsupported(const Node& node);
  void write_nothing(const Node& node);
  void write_getitem(const Node& node);
  void write_copy_back(const Node& node);
  void write_sym_size(const Node& node);
  void write_layout_query(const Node& node);
  void write_item(const Node& node);

  // numbers.cpp
  void write_number_call(const Node& node);
  Value number_function(const Node& node);
  Value fold(std::string_view function, int64_t neutral, ArgumentRef items);
  Value function_of_one(std::string_view name, const Value& value);
  Value number(ArgumentRef value);
  Value binary(std::string_view function, const Value& left, const Value& right);
  void find_symbols();
  Value compute(SymExpr form, bool with_dimension);
  Value source_value(const SymbolSource& source, bool with_dimension);
  Value symbol_value(Symbol symbol, bool with_dimension);
  bool from_inputs(SymExpr form);
  Value in_head(SymExpr form, bool with_dimension);

  // control.cpp
  void write_cond(const Node& node);
  void write_while_loop(const Node& node);
  struct WhileLoop;
  Value loop_condition(const WhileLoop& loop, absl::Span<const Value> values);
  void write_loop_body(const WhileLoop& loop, GraphProto& proto);
  void write_scan(const Node& node);
  void write_graph_call(const Node& node);
  const Graph* nested_graph(const Node& node, size_t arg);
  bool nested_results(const Node& call, const Graph& graph, absl::Span<const NodeValue> inputs,
                      std::vector<Value>& results);
  bool flatten(ArgumentRef operands, std::vector<Value>& values);
  bool collect(ArgumentRef operands, std::vector<NodeValue>& values);
  std::vector<Type> result_types(const Node& node);
  Value condition(const Value& value);
  void add_subgraph_output(GraphProto& graph, const Value& value, Type type);
  void finish_structured(const Node& node, NodeProto proto, absl::Span<const Type> types);
  template <class Body>
  std::unique_ptr<GraphProto> subgraph(std::string_view name, Body&& body);

  const Graph& graph_;
  const OnnxOptions& options_;
  ModelProto& model_;
  GraphProto* proto_;             // the graph that is being written
  std::deque<NodeProto>* nodes_;  // nodes are appended to this list: proto_->nodes or head_
  std::deque<NodeProto> head_;    // nodes before those of the outer graph
  size_t begin_ = 0;              // the first node of the current call in nodes_
  const Node* node_ = nullptr;
  Frame* root_frame_ = nullptr;
  Frame* frame_ = nullptr;
  int depth_ = 0;
  uint32_t counter_ = 0;
  // The replacement names of nodes whose names are not valid in ONNX.
  mutable absl::flat_hash_map<const Node*, std::string> replaced_names_;
  mutable absl::flat_hash_set<std::string> taken_names_;

  std::deque<NodeValue> all_values_;
  absl::Status failure_;
  std::vector<absl::Status> errors_;
  absl::flat_hash_map<std::string, Value> attributes_;  // the values of get_attr nodes, by path
  absl::flat_hash_map<std::string, Value> constants_;   // by dtype, sizes and bytes
  absl::flat_hash_set<std::string> given_names_;        // the names of inputs and initializers
  absl::flat_hash_set<std::string> output_names_;
  struct Update {
    const Node* node;  // the input or get_attr that the graph writes
    Value value;
  };
  std::vector<Update> updates_;
  bool has_symbols_ = false;
  absl::flat_hash_map<Symbol, SymbolSource> symbol_sources_;
  absl::flat_hash_map<SymExpr, SymbolSource> size_sources_;     // of inputs
  absl::flat_hash_map<SymExpr, Value> symbolic_, symbolic_1d_;  // in head_
  absl::flat_hash_map<const TargetData*, Callee> callees_;
  std::vector<BoundParameter> bound_;
};

}  // namespace fx::onnx
