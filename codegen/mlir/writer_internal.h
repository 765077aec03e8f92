// Writes the function of a graph, node by node; mlir.cpp lowers the graph first if necessary.
//
// Constants, literals and sizes of inputs depend on no other values: each is written once, at the
// start of the function. All other values follow in the order of the nodes.
#pragma once

#include "fx/codegen/mlir/locations_internal.h"
#include "fx/codegen/mlir/mlir.h"
#include "fx/codegen/mlir/torch_dialect_internal.h"
#include "fx/codegen/mlir/value_internal.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::mlir {

/// An operator with its name in MLIR.
struct Operator {
  const ops::OpInfo* info = nullptr;
  std::string name;         ///< "torch.aten.add.Tensor"
  bool registered = false;  ///< the dialect has it with the schema's number of operands and results
};

using Values = absl::InlinedVector<Value, 8>;

class Writer {
 public:
  Writer(const Graph& graph, const MlirOptions& options);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  absl::StatusOr<MlirCode> write();

 private:
  /// A graph that is being written: the function's, or one nested in it.
  struct Frame {
    Frame(const Graph& g, std::string name_prefix, Frame* outer_frame)
        : graph(g), prefix(std::move(name_prefix)), outer(outer_frame), values(g, 0) {}
    const Graph& graph;
    std::string prefix;  // the prefix of the names of its values
    Frame* outer;
    NodeMap<uint32_t> values;  // indices in all_values_; 0: none
    size_t next_input = 0;
    absl::Span<const Value> inputs = {};  // the inputs of a nested graph
  };
  /// The form in which calls to a function are written.
  struct Callee;
  using Handler = void (Writer::*)(const Node& node);

  // writer.cpp
  void write_graph(Frame& frame);
  void write_node(const Node& node);
  void write_placeholder(const Node& node);
  void write_get_attr(const Node& node);
  void write_function(const Node& node);
  void write_output(const Node& node, absl::Span<const Value> results);
  std::string module_text(absl::Span<const Value> results) const;
  Value argument(const Node& node, std::string name, std::string_view value_name, Type type);
  Value literal(const Tensor& tensor, Type type);
  void set_value(const Node& node, const Value& value);
  const Value* find_value(const Node& node) const;
  /// Returns the value of an operand; its kind is kUnset after fail().
  Value value_of(const Node& node);
  void collect_results(ArgumentRef result, std::vector<Value>& results);

  // calls.cpp. The functions that return a Value return one of kind kUnset after fail().
  const Callee& callee(const Node& node);
  const Operator& operator_of(const ops::OpInfo& info);
  bool check_writes(const Node& node);
  void write_operator(const Node& node, const Operator& op);
  Value call(const Node& node, const Operator& declared, size_t first, Type type);
  Value write_call(const Node& node, const Operator& op, absl::Span<const Value> operands,
                   Type type);
  const ValueType* result_type(const ops::SchemaType& schema, Type type);
  Value several(std::string_view name, absl::Span<const ValueType* const> types);
  const Operator& with_numbers(const Node& node, const Operator& op);
  Value tensor_of_number(const Value& value, const Node& node);
  Value list_operand(const ops::SchemaType& type, absl::Span<const Value> items);
  Value loose_list(const ops::SchemaType& type, const BoundParameter& bound, const Node& node);
  Value repeated(const ops::SchemaType& list, const Value& item);
  Value operand(const ops::SchemaType& type, ArgumentRef value, const Node& node);
  Value operand_of_node(const ops::SchemaType& expected, const Node& from, const Node& node);
  Value literal_number(const ops::SchemaType& expected, ArgumentRef value);
  Value number_operand(const ops::SchemaType& expected, const Value& value);
  Value default_operand(const ops::SchemaType& type, const ops::SchemaConstant& constant);
  Value constant(ArgumentRef value);

  // special_calls.cpp
  static Handler special_handler(std::string_view name);
  void write_unsupported(const Node& node);
  void write_nothing(const Node& node);
  void write_getitem(const Node& node);
  Value unpack(const Node& from, const Value& list);
  void write_sym_size(const Node& node);
  void write_layout_query(const Node& node);
  void write_lift_fresh(const Node& node);
  void write_lift_fresh_copy(const Node& node);
  void write_item(const Node& node);
  void write_assert(const Node& node);
  void write_unsafe_index_put(const Node& node);
  void write_squeeze_dims(const Node& node);
  void write_equal(const Node& node);
  void write_guard(const Node& node, Value value);
  void write_batch_norm(const Node& node);

  // index_calls.cpp
  void write_index(const Node& node);
  void write_isfinite(const Node& node);
  void write_as_strided(const Node& node);

  // resize_calls.cpp
  void write_upsample(const Node& node);

  // numbers.cpp
  void write_number_call(const Node& node);
  Value number_function(const Node& node);
  /// Returns the operands of a function on numbers; fails if one is not a number.
  Values number_operands(const Node& node);
  Value function_of_one(std::string_view name, const Value& value);
  Value function_of_two(std::string_view name, const Values& operands);
  Value number(ArgumentRef value);
  Value as_float(const Value& value);
  Value as_int(const Value& value);
  Value as_bool(const Value& value);
  Value binary(std::string_view function, const Value& left, const Value& right);
  Value power(const Value& base, int64_t exponent);
  Value fold(std::string_view function, int64_t neutral, ArgumentRef items);
  Value choose(absl::Span<const Value> operands);
  Value complex_literal(std::complex<double> value, Type result);
  Value through_tensor(std::string_view op, const Value& value);
  void find_symbols();
  Value symbolic(SymExpr expr);
  Value size_value(const Dim& size);
  Value sizes_operand(absl::Span<const Dim> sizes);
  Value compute(SymExpr form);
  Value symbol_value(Symbol symbol);
  Value symbolic_int(Symbol symbol);
  std::string affine(SymExpr expr, absl::Span<const Symbol> symbols);
  void write_symbolic_shape(const Value& value, Type type);

  // control.cpp
  void write_cond(const Node& node);
  void write_while_loop(const Node& node);
  void write_scan(const Node& node);
  std::vector<const ValueType*> slice_types(absl::Span<const Value> sequences);
  Value write_rows(Type rows, const ValueType* type);
  /// Writes the body of a loop, given the number of the iteration and the carried values.
  using LoopStep = absl::FunctionRef<Value(const Value& count, absl::Span<const Value> carried,
                                           std::vector<Value>& results)>;
  void write_loop(const Node& node, const Value& limit, const Value& first,
                  absl::Span<const Value> carried, absl::Span<const ValueType* const> types,
                  LoopStep step);
  void write_graph_call(const Node& node);
  void write_with_effects(const Node& node);
  const Graph* nested_graph(const Node& node, size_t arg);
  bool nested_results(const Node& call, const Graph& graph, absl::Span<const Value> inputs,
                      std::vector<Value>& results);
  bool flatten(ArgumentRef operands, std::vector<Value>& values);
  bool result_types(const Node& node, std::vector<const ValueType*>& types);
  Value converted(const Value& value, const ValueType* type);
  Value condition(const Value& value);
  void append_names(absl::Span<const Value> values);
  void append_types(absl::Span<const Value> values);
  Value items(std::string_view name, absl::Span<const ValueType* const> types);
  void set_results(const Node& node, std::string_view name,
                   absl::Span<const ValueType* const> types);

  // Text.
  std::string_view keep(std::string_view text) { return llvm::StringRef(text).copy(kept_); }
  std::string_view fresh(std::string_view stem);
  std::string_view name_of(const Node& node);
  void begin_line() { body().append(indent_, ' '); }
  std::string_view begin_results(const Node& node, size_t count);
  void end_line() {
    Locations::append_use(body(), location_);
    body() += '\n';
  }
  std::string& body() { return *body_; }
  void write_op(std::string_view result, std::string_view op, bool registered,
                absl::Span<const Value> operands, absl::Span<const ValueType* const> results,
                std::string_view arrow = " -> ");
  Value write_simple(std::string_view stem, std::string_view op, absl::Span<const Value> operands,
                     const ValueType* result, std::string_view arrow = " -> ");
  Value int_constant(int64_t value);
  Value float_constant(double value);
  Value bool_constant(bool value);
  Value none_constant();
  Value text_constant(ValueKind kind, std::string_view op, std::string_view text);
  void append_head(const Value& value, std::string_view op, std::string_view text);

  void fail(absl::StatusCode code, std::string_view why);
  void fail(std::string_view why) { fail(absl::StatusCode::kUnimplemented, why); }
  void check(const absl::Status& why) {  // fails unless `why` is OK
    if (!why.ok()) fail(why.code(), std::string(why.message()));
  }
  bool failed() const { return !status_.ok(); }
  const ValueType* type_of(Type type);

  const Graph& graph_;
  const MlirOptions& options_;
  ValueTypes types_;
  Locations locations_;
  llvm::BumpPtrAllocator kept_;  // the texts that keep() returns
  ShapeEnv env_;

  std::string head_, text_, resources_;
  std::string* body_ = &text_;
  static constexpr size_t kIndent = 4;
  size_t indent_ = kIndent;
  uint32_t location_ = 0;
  uint32_t counter_ = 0;
  const Node* node_ = nullptr;  // the node being written
  Frame* root_frame_ = nullptr;
  Frame* frame_ = nullptr;
  int depth_ = 0;

  std::vector<Value> all_values_;
  std::vector<std::unique_ptr<Value[]>> items_;
  MlirCode code_;
  std::string parameters_;
  absl::flat_hash_map<std::string, Value> attributes_;  // by path
  absl::flat_hash_map<int64_t, Value> ints_;
  absl::flat_hash_map<uint64_t, Value> floats_;
  absl::flat_hash_map<std::string, Value> texts_;
  std::optional<Value> constants_[3];  // false, true, none
  struct SymbolSource {
    const Node* node;
    int64_t dim = -1;  // -1: the value itself
  };
  bool has_symbols_ = false;
  absl::flat_hash_map<Symbol, SymbolSource> symbol_sources_;
  absl::flat_hash_map<SymExpr, Value> symbolic_;  // at the start of the function
  absl::flat_hash_map<Symbol, Value> symbols_;    // torch.symbolic_int
  absl::flat_hash_map<const Node*, Value> unpacked_;
  absl::flat_hash_map<const TargetData*, std::unique_ptr<Callee>> callees_;
  absl::flat_hash_map<const ops::OpInfo*, std::unique_ptr<Operator>> operators_;
  std::vector<BoundParameter> bound_;
  absl::Status status_;
};

struct Writer::Callee {
  Handler handler = nullptr;  // if null, calls are written with `op`
  const Operator* op = nullptr;
};

}  // namespace fx::mlir
