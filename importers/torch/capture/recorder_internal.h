// Records the operators that the hook observes as nodes of a Graph.
#pragma once

#include "fx/importers/torch/capture/autograd/autograd_internal.h"
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/fake_tensor_internal.h"
#include "fx/importers/torch/capture/hook.h"
#include "fx/importers/torch/capture/keep_internal.h"
#include "fx/importers/torch/capture/tables/operator_table_internal.h"
#include "fx/importers/torch/capture/tables/value_table_internal.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// A tensor or other value that the program used and that was not created by an operator.
struct RecordedConstant {
  Node* node;         ///< the get_attr node
  c10::IValue value;  ///< the value before the program wrote to it
  at::Tensor live;    ///< the program's tensor; undefined for other values
  bool written = false;
};

/// Returns the type of a value, without requires_grad. `likely` is a type that it may have;
/// comparing it is faster than a lookup. `fake_kernels` created the value, or is null.
Type result_type(TypeTable& types, const FakeTensorKernels* fake_kernels, const c10::IValue& value,
                 Type likely = {});
/// Returns the type of a call's result, or a tuple type for multiple results.
Type result_type(TypeTable& types, const FakeTensorKernels* fake_kernels,
                 absl::Span<const c10::IValue> results, Type likely = {});

/// Records operators in a graph. Operators may run in multiple threads, but not at the same
/// time.
class Recorder final : public OperatorObserver, public CompositeObserver {
 public:
  Recorder(Graph& graph, const CaptureOptions& options);

  /// Adds a placeholder for `tensor` at the graph's insert point. `module` is the path of the
  /// module of a parameter or buffer, "" for other inputs.
  Node* add_input(std::string_view name, const at::Tensor& tensor, std::string_view module = {});

  /// Runs the operator and records it.
  void on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;

  /// Sets the composite operators to record whole. Call it before the program runs. A
  /// CompositeHookGuard must observe these operators.
  void set_kept(KeptOperators kept);
  bool keeps(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override;
  /// Runs a composite operator with its parts and records it whole.
  void on_composite(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;

  /// Creates a tensor of ones, the tangent of `result` for the backward pass.
  at::Tensor make_tangent(const at::Tensor& result);

  /// Returns the argument for a result of the program: a node, or None for an undefined tensor.
  absl::StatusOr<Argument> result(const at::Tensor& tensor);
  /// Returns true if an operator wrote to the memory of `tensor`.
  bool was_written(const at::Tensor& tensor);

  /// Returns the error for the first operator that could not be recorded.
  const absl::Status& status() const { return status_; }

  /// Call it once after the program has run and the output is in the graph. Erases the unused parts
  /// of operators that are recorded whole, or the whole operator if it must be decomposed, and
  /// completes requires_grad in types, which is unknown until an operator has returned.
  void finish();
  /// Removes and returns the operators that could not be recorded whole.
  std::vector<DecomposedOperator> take_decomposed() { return std::move(decomposed_); }
  /// Removes and returns the table that finds the nodes of tensors.
  ValueTable take_values() { return std::move(values_); }

  /// Removes and returns the constants, in order of first use.
  std::vector<RecordedConstant> take_constants() { return std::move(constants_); }
  /// Removes and returns the constants that the program wrote to.
  std::vector<RecordedConstant> take_written_constants();
  /// Replaces `node` with `by` and erases it.
  void replace(Node& node, Node& by);

 private:
  using Row = OperatorRow;
  /// Data for the metadata of a node.
  struct Labels {
    AutogradPosition position;
    Symbol module;
  };
  /// A forward call that wrote to a tensor. Autograd may create additional nodes for the tensor
  /// after the call (for a copy of the overwritten value, or for a write through a view), so the
  /// sequence number of the call is read from the tensor after the operator has returned.
  struct Write {
    Node* node;
    Labels labels;
    at::Tensor tensor;
    std::optional<uint64_t> sequence_before;  ///< the sequence number of the tensor before the call
  };
  /// A composite operator that is recorded whole.
  struct KeptCall {
    /// A result: the value that a part computed, and the value of the whole operator.
    struct Result {
      Node* part = nullptr;
      Node* whole = nullptr;
    };
    uint64_t first_sequence;    ///< of the autograd nodes that the parts created
    uint64_t end_sequence = 0;  ///< one more than the last of them
    Node* before = nullptr;     ///< the node before the parts; null if they start the graph
    Node* node = nullptr;       ///< the call to the whole operator, after the parts
    std::vector<Result> results = {};
    std::vector<Node*> parts = {};  ///< the parts that the backward pass uses; see erase_parts
    /// The node t(w) if the call is a product with it that is recorded as linear, otherwise null.
    Node* transpose = nullptr;
    bool is_transpose_erased = false;
    std::optional<int64_t> transpose_sequence = std::nullopt;  ///< meta::kSeq, if it has history
  };
  using Values = absl::Span<const c10::IValue>;
  using Arguments = absl::InlinedVector<Argument, 12>;
  using Forms = absl::InlinedVector<Type, 12>;

  Row& row_of(const c10::OperatorHandle& op) { return operators_->row_of(op); }
  void encode_call(const Row& row, Values values, Labels& labels, Arguments& arguments,
                   Forms* forms = nullptr);
  absl::StatusOr<Argument> encode(const c10::IValue& value, ArgumentCode code, Labels& labels);
  absl::StatusOr<Argument> encode_tensor(const at::Tensor& tensor, Labels& labels,
                                         Type* form = nullptr);
  Node* add_constant(std::string_view prefix, c10::IValue value, Type type);
  absl::StatusOr<Node*> add_alias(const TracedStorage& storage, const at::Tensor& tensor);
  void watch(const Row& row, Node& node, const c10::IValue& result);
  void note_own_writes(const c10::IValue& value);
  void note_writes(const Row& row, Values arguments);
  void number_write();
  void save_constants(TracedStorage& storage);
  Node* add_node(const Row& row, absl::Span<const Argument> arguments, Type type,
                 const Labels& labels);
  void bind_result(Node& node, const c10::IValue& value, const Labels& labels, Symbol module);
  void unpack(Node& node, size_t index, const c10::IValue& value, const Labels& labels,
              Symbol module);
  void label(Node& node, const Labels& labels);
  void set_sequence(Node& node, const Labels& labels, Symbol module);
  std::optional<size_t> sequence_of(const Labels& labels) const;
  Symbol module_of(const Labels& labels);
  void complete_types();
  void erase_parts();
  void erase_transposes(absl::flat_hash_set<const Node*>& erased);
  void mark_backward_calls();
  Node* transpose_of_weight(const c10::OperatorHandle& op, Values arguments);
  void note_decomposed(Target target, std::string_view reason);
  void restore_parts(const KeptCall& call, absl::flat_hash_set<const Node*>& erased);

  std::mutex mutex_;
  std::optional<KeptOperatorTable> own_operators_;  // nullopt if the options contain a table
  OperatorTable* operators_;
  std::unique_ptr<FakeTensorKernels> fake_kernels_;  // null with Execution::kReal
  Graph* graph_;
  Context* context_;
  ValueTable values_;
  absl::Status status_;
  std::vector<RecordedConstant> constants_;
  /// The module of the first forward operator with each sequence number; null for the root.
  std::vector<std::optional<Symbol>> module_by_sequence_;
  uint64_t first_sequence_;
  KeptOperators kept_;
  std::optional<c10::OperatorHandle> linear_, addmm_, matmul_;  // only set if linear is kept
  bool keep_backward_;
  std::vector<KeptCall> kept_calls_;
  std::vector<DecomposedOperator> decomposed_;
  std::optional<Write> write_;  // the write of the latest operator, until the next operator runs
  bool is_watching_ = false;    // watch() has been called for a storage
  Symbol scope_;                // the path of the open scopes
  size_t scope_version_ = 0;
  Target getitem_;
  Symbol forward_, backward_;
};

}  // namespace fx
