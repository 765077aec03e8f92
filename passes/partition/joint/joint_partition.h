// partition_joint: cuts a joint graph into a forward and a backward graph, and chooses the values
// that the forward graph saves for the backward graph.
//
//   graph(%primals_1, %tangents_1) {        graph(%primals_1) {               # forward
//     %sin = aten.sin(%primals_1)             %sin = aten.sin(%primals_1)
//     %exp = aten.exp(%sin)                   %exp = aten.exp(%sin)
//     %mul = aten.mul(%tangents_1, %exp)      return [%exp, %primals_1]
//     %cos = aten.cos(%primals_1)           }
//     %mul_1 = aten.mul(%mul, %cos)         graph(%primals_1, %tangents_1) {  # backward
//     return [%exp, %mul_1]                   %sin, %exp, %mul, %cos, %mul_1
//   }                                         return [%mul_1]
//                                           }
//
// The backward graph receives the saved values and recomputes the other values that it needs. The
// methods are those of AOTAutograd (torch/_functorch/partitioners.py); docs/differentiation.md
// describes the rules and the differences.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

class FlopFormulas;

enum class JointMethod : uint8_t {
  kDefault,  ///< saves all values of the forward pass that the backward pass uses
  kMinCut,   ///< saves the fewest bytes, recomputing only cheap values
};

/// A limit on the bytes of computed values that are saved.
struct MemoryBudget {
  std::optional<double> fraction = {};  ///< of the bytes that JointMethod::kDefault saves
  std::optional<int64_t> bytes = {};    ///< used if there is no fraction
};

struct JointPartitionOptions {
  JointMethod method = JointMethod::kMinCut;
  /// Recomputes expensive values, at minimal cost, until the limit is met. Only for kMinCut.
  std::optional<MemoryBudget> budget = {};
  /// Node names, or patterns of modules (fx/passes/analysis/selection.h), which select all calls of
  /// the modules. Values in `save` are never recomputed. Values in `recompute` are always
  /// recomputed, except values of a selected module that forward nodes outside the module use.
  /// Random and effectful calls are never repeated. A node in both lists is saved.
  std::vector<std::string> save = {};
  std::vector<std::string> recompute = {};
  /// Values of symbols. Other symbols have the value of their hint (metadata `symbols`), or 4096.
  SymBindings bindings = {};
  const FlopFormulas* formulas = nullptr;
};

enum class SavedKind : uint8_t {
  kInput,     ///< an input of the forward graph, which the caller owns
  kComputed,  ///< a tensor that the forward graph computes
  kSize,      ///< a number
};

struct SavedValue {
  std::string name;  ///< the name of the node, and of the backward graph's placeholder
  Type type;
  SavedKind kind;
  int64_t bytes;      ///< 0 for inputs and numbers
  bool is_random;     ///< drawn at random, and therefore never recomputed
  bool is_result;     ///< also a result of the forward graph
  bool is_copy;       ///< a clone, since a call writes to the memory of the value
  bool is_rewritten;  ///< an input whose new value is a result (metadata `outputs`): the caller
                      ///< must keep the old value until the backward graph has run
};

/// Costs of one of the two graphs.
struct JointPartCost {
  size_t calls = 0;
  int64_t flops = 0;
  int64_t peak_bytes = 0;  ///< of all live memory (analyze_liveness), including inputs
};

struct JointPartition {
  /// forward(primals...) -> [results..., saved values..., saved sizes...]
  std::unique_ptr<Graph> forward;
  /// backward(saved sizes..., saved values..., tangents...) -> [gradients...]
  std::unique_ptr<Graph> backward;
  size_t num_results = 0;               ///< results of the forward graph before the saved values
  std::vector<SavedValue> saved;        ///< in the order of the forward graph's results
  size_t num_saved_sizes = 0;           ///< number of sizes, which are last in `saved`
  std::vector<std::string> recomputed;  ///< names of calls in both graphs, without views
  int64_t saved_bytes = 0;              ///< of computed values
  int64_t default_bytes = 0;            ///< the bytes that kDefault saves
  int64_t min_saved_bytes = 0;          ///< no partition of this graph saves fewer
  std::optional<int64_t> budget_bytes = {};
  /// Operations that are repeated: FLOPs, and kOpsPerByte for each byte read or written.
  double recompute_cost = 0;
  /// With a budget, a lower bound: no partition within the budget repeats fewer operations.
  double recompute_bound = 0;
  int64_t recomputed_flops = 0;
  JointPartCost forward_cost, backward_cost;
  std::vector<std::string> assumed_sizes;  ///< symbols without a value or hint: counted as 4096
};

/// The number of operations that take as much time as reading or writing a byte.
inline constexpr int64_t kOpsPerByte = 8;

/// Partitions a joint graph as fx::joint, capture_joint and AOTAutograd create it: inputs
/// `tangents_...`, and the metadata `outputs` on the output; or as fx::vjp creates it, with
/// (results, (gradients...)). The graph does not change. A copy of it is functionalized, and equal
/// calls are merged. Running forward and then backward computes values that are bit-equal to those
/// of the graph.
///
/// Calls that draw random numbers or have other effects run once, in the order of the graph. If a
/// call writes to an input whose old value the backward graph uses, the backward graph receives a
/// copy of the old value.
///
/// Errors: FailedPrecondition if the metadata is missing, the type of a value to be saved is
/// unknown, a result depends on tangents, or there are no gradients; NotFound for a name in `save`
/// or `recompute`; InvalidArgument for a malformed pattern there, a negative or empty budget, or a
/// budget with kDefault; Unimplemented if a saved value is overwritten and a clone of it would have
/// different strides; errors of functionalize. Takes linear time except for the maximum flow, which
/// is linear in practice.
absl::StatusOr<JointPartition> partition_joint(const Graph& graph,
                                               const JointPartitionOptions& options = {});

/// Returns a table of the saved values, the recomputed calls, and the memory of both graphs.
std::string to_string(const JointPartition& partition);

}  // namespace fx
