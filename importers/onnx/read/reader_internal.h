// Reads a decoded model as a graph, node by node.
#pragma once

#include "fx/importers/onnx/model/model_internal.h"
#include "fx/importers/onnx/read/call_internal.h"
#include "fx/importers/onnx/read_onnx.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace fx::onnx::reader {

/// A value of the model: an input, an initializer or a result of a node.
struct Value {
  enum Kind : uint8_t { kOmitted, kTensor, kSequence, kFailed };
  Kind kind = kOmitted;
  Frame* frame = nullptr;  ///< the graph that computes the value; the outermost graph for constants
  Node* node = nullptr;    ///< null until a call needs the tensor
  Tensor constant;         ///< the contents, if known
  std::string path;        ///< the path of an initializer in the module
  bool is_buffer = false;
  /// The elements of an integer tensor of at most one dimension, if they are known before the graph
  /// runs. Nodes belong to `frame`.
  bool has_elements = false;
  bool is_scalar = false;  ///< the tensor is 0-dimensional
  DType dtype = DType::kInt64;
  Sizes elements;
  std::vector<Value*> items;  ///< the items of a sequence
};

/// A graph that is being built: the outer one, or one nested in it.
struct Frame {
  struct Capture {
    Value* value;
    Node* outer;        ///< in the enclosing graph
    Node* placeholder;  ///< in this graph
  };
  Frame* outer = nullptr;
  Graph* graph = nullptr;
  std::vector<Capture> captures;  ///< values of enclosing graphs that this graph uses
  absl::flat_hash_map<const Value*, Node*> captured;
  absl::flat_hash_map<SymExpr, Node*> sizes;  ///< calls to sym_size, by size
};

/// The values that nodes can refer to, by name.
struct Names {
  const Names* outer = nullptr;
  absl::flat_hash_map<std::string_view, Value*> values;
  Value* find(std::string_view name) const;
};

/// The nodes of the model, of a nested graph or of a function, with the context that they require.
struct Body {
  const std::deque<NodeProto>* nodes = nullptr;
  const std::vector<std::pair<std::string, int64_t>>* opsets = nullptr;
  // In functions: the node that calls the function, whose attributes the nodes of the body use, and
  // the body that contains that node.
  const NodeProto* call = nullptr;
  const FunctionProto* function = nullptr;
  const Body* caller = nullptr;
};

class Reader {
 public:
  Reader(Context& context, const ModelProto& model, const OnnxReadOptions& options);
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  absl::StatusOr<std::unique_ptr<GraphModule>> read();

  // ---- Used by Call and by control flow.
  Context& context() { return context_; }
  ShapeEnv& env() { return env_; }
  Value& new_value() { return values_.emplace_back(); }
  /// Returns the node of a tensor in the graph of a frame.
  absl::StatusOr<Node*> node_in(Frame& frame, Value& value);
  /// Adds a call and infers its type. If the arguments are invalid, returns an error; the call is
  /// then unused.
  absl::StatusOr<Node*> add_call(Frame& frame, std::string_view target,
                                 absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs);
  Value& constant_value(Tensor tensor);
  absl::StatusOr<Tensor> tensor_of(const TensorProto& proto);
  /// Reads the nodes of a nested graph of the current node. `inputs` are the values of the inputs
  /// of the graph. Returns the values of its outputs, or Cancelled if a node could not be
  /// converted; that error is recorded.
  absl::StatusOr<std::vector<Value*>> read_nested(const GraphProto& graph, Frame& frame,
                                                  absl::Span<Value* const> inputs);
  /// Returns the attribute itself or, in a function, the attribute of the call that it refers to,
  /// or the default of that attribute if the call omits it; null if there is neither.
  static const AttributeProto* resolve(const AttributeProto& attribute, const Body* body);
  absl::StatusOr<Type> type_of(const ValueInfoProto& info);

 private:
  absl::Status check_version();
  absl::Status read_initializers(const GraphProto& graph, Names& names);
  absl::Status read_inputs(const GraphProto& graph, Names& names);
  absl::Status read_outputs(const GraphProto& graph, const Names& names);
  absl::Status read_body(const Body& body, Frame& frame, Names& names);
  absl::Status read_node(const Body& body, const NodeProto& proto, Frame& frame, Names& names);
  absl::Status call_function(const FunctionProto& function, const Body& body,
                             const NodeProto& proto, Frame& frame, absl::Span<Value* const> inputs,
                             std::vector<Value*>& results);
  void describe(const NodeProto& proto, const Call& call);
  absl::StatusOr<std::vector<Value*>> inputs_of(const NodeProto& proto, const Body& body,
                                                const Names& names);
  absl::Status bind(Names& names, std::string_view name, Value& value);
  const FunctionProto* find_function(const NodeProto& proto) const;
  void add_error(const NodeProto& proto, const absl::Status& status, int64_t opset);
  absl::Status all_errors() const;
  std::string path_of(std::string_view name);
  absl::StatusOr<Tensor> external_tensor(const TensorProto& proto);
  absl::StatusOr<Node*> create_node(Frame& frame, Value& value);
  absl::StatusOr<Value*> read_input(const ValueInfoProto& info);
  SymExpr symbol_of(const std::string& name);
  absl::StatusOr<Dim> dim_of(const Dimension& dimension);

  Context& context_;
  const ModelProto& model_;
  const OnnxReadOptions& options_;
  std::unique_ptr<Graph> graph_;
  Module root_;
  ShapeEnv env_;
  Frame frame_;
  const Names* names_ = nullptr;  // the names that the current node can use
  const Body* body_ = nullptr;
  std::deque<Value> values_;
  absl::flat_hash_map<std::tuple<std::string_view, std::string_view, std::string_view>,
                      const FunctionProto*>
      functions_;  // functions by domain, name and overload
  absl::flat_hash_set<std::string> paths_, prefixes_;
  absl::flat_hash_map<std::string, std::shared_ptr<Storage>> files_;
  std::vector<absl::Status> errors_;
  std::map<std::string, std::vector<std::string>> unsupported_;  // nodes by operator
  int depth_ = 0;
  size_t num_nodes_ = 0;
  absl::flat_hash_map<std::string, SymExpr> symbols_;  // by names of dimensions
  absl::flat_hash_set<std::string> symbol_names_;
  int num_dims_ = 0;
};

}  // namespace fx::onnx::reader
