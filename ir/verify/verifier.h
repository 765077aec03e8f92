// Verifier: checks the numbered rules that every graph must satisfy between passes.
//
//   fx::VerifierReport report = fx::verify(graph);
//   if (!report.ok()) std::cerr << report.str();
//
// prints, for each finding, the violated rule, the location, the problem and a way to fix it:
//
//   error V8 at %add_1: operand %relu comes after it
//     hint: move %relu up (Node::move_before), or build operands first
//
// A graph may violate rules while it is being changed (a node moves before its operands, an output
// is erased and created again), but not after the change. Rules that the functions of Graph cannot
// violate are also checked, to find memory errors and bugs in fxcpp early: verify accepts any
// graph. It checks all rules in one walk, in time linear in nodes and arguments.
//
// torch.fx's Graph.lint checks V4, V5, V7, V8, V19 and V24, and stops at the first problem.
#pragma once

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Graph;
class Node;

/// The rules. Rules marked W are warnings (torch.fx accepts the graph and runs it); all others
/// are errors.
enum class Invariant : uint8_t {
  // ---- The list of nodes
  /// V1: the nodes form one circular, doubly linked list of size() live nodes. All walks rely on
  /// it.
  kNodeList = 1,
  /// V2: order keys increase along the list; comes_before compares them.
  kOrderKeys = 2,
  /// V3: ids are unique and less than id_bound(); tables of nodes are indexed by them.
  kIds = 3,
  // ---- Single nodes
  /// V4: the opcode is one of the six, a call_function has a function, and the target of
  /// every other node is text.
  kTarget = 4,
  /// V5: names are unique in the graph; text and JSON refer to nodes by name.
  kUniqueNames = 5,
  /// V6 (W): names are identifiers; generated code uses them as variables.
  kIdentifiers = 6,
  // ---- Arguments and uses
  /// V7: operands are live nodes of this graph.
  kOperands = 7,
  /// V8: operands come before the node that uses them; the list is the order of execution.
  kOperandOrder = 8,
  /// V9: use lists contain every operand exactly once and nothing else; replacing and erasing rely
  /// on them.
  kUseLists = 9,
  /// V10: argument trees are well formed: known kinds, at most kMaxArgumentDepth levels deep, three
  /// parts in a slice, unique strings or integers as dict keys.
  kArguments = 10,
  /// V11: keywords of a call are unique and not empty.
  kKeywords = 11,
  // ---- Rules of opcodes
  /// V12: a placeholder has no argument except its default, which contains no node.
  kPlaceholderForm = 12,
  /// V13: an output has one argument, the result, and has no users.
  kOutputForm = 13,
  /// V14: there is one output, and it is last; nodes after it never run. A missing output is only
  /// a warning: the graph returns None.
  kOneOutput = 14,
  /// V15: a call_method has a receiver, args[0].
  kReceiver = 15,
  /// V16 (W): a get_attr has no arguments; they would be ignored.
  kGetAttrForm = 16,
  /// V17 (W): placeholders come before all other nodes.
  kPlaceholdersFirst = 17,
  /// V18: placeholders have different targets; inputs are passed by target.
  kPlaceholderTargets = 18,
  // ---- References
  /// V19: the targets of get_attr and call_module exist in the owning module, if there is one.
  kPaths = 19,
  /// V20: nested graphs have unique names and the same Context; graph arguments refer to one of
  /// them.
  kNestedGraphs = 20,
  /// V21: a call matches its operator's schema: every argument has a parameter, none is passed
  /// twice, and no required one is missing. For Python functions, a violation is a warning, and
  /// only functions in the operator and math modules are checked.
  kSchema = 21,
  /// V22: types are valid: sizes, strides and offset are not negative, there is a stride for each
  /// size, ...
  kTypes = 22,
  /// V23: metadata contains no nodes, so that it outlives them.
  kMeta = 23,
  // ---- Optional
  /// V24: the index of find_nodes contains every node (VerifierOptions::check_index).
  kIndex = 24,
  /// V25: VerifierOptions::is_allowed accepts every call.
  kAllowed = 25,
  /// V26 (W): every result is used (VerifierOptions::report_dead).
  kDead = 26,
  /// V27 (W): a constant argument `training` or `train` agrees with the mode of the owning module.
  /// Tracing recorded it as a constant, which train() and eval() do not change
  /// (VerifierOptions::report_modes).
  kModes = 27,
  // ---- References
  /// V28 (W): a function named `aten.…` is one of PyTorch's operators, with or without an overload
  /// (`aten.relu`).
  kKnownOperator = 28,
};

struct InvariantInfo {
  Invariant invariant;
  std::string_view name;     ///< "use lists"
  std::string_view summary;  ///< the rule as one sentence
};
/// All rules in order, for help text and documentation.
absl::Span<const InvariantInfo> invariants();

enum class Severity : uint8_t { kWarning, kError };

/// One violation of a rule.
struct Finding {
  Severity severity;
  Invariant invariant;
  const Graph* graph;    ///< the graph or nested graph that contains the violation
  const Node* node;      ///< null if the finding is about the whole graph
  std::string location;  ///< "%add_1"; in a nested graph "body.inner: %add_1"
  std::string message;   ///< the problem
  std::string hint;      ///< how to fix it

  /// "error V8 at %add_1: ..." and the hint on a second line.
  std::string str() const;
};

struct VerifierOptions {
  bool warnings = true;       ///< also look for warnings
  bool check_index = false;   ///< V24; creates the table if it does not exist
  bool report_dead = false;   ///< V26
  bool report_modes = false;  ///< V27
  /// V25: called for every call node, if set. Defines a dialect: "only these operators".
  std::function<bool(const Node& call)> is_allowed = {};
  /// More findings are counted, but not kept.
  size_t max_findings = 1000;
};

struct VerifierReport {
  std::vector<Finding> findings;  ///< in program order, a graph before the graphs nested in it
  size_t num_errors = 0;
  size_t num_warnings = 0;

  /// True when there is no error.
  bool ok() const { return num_errors == 0; }
  /// The text of all findings, and a last line with the counts; empty if there are none.
  std::string str() const;
};

/// Checks a graph and all graphs nested in it.
VerifierReport verify(const Graph& graph, const VerifierOptions& options = {});

/// OK, or FailedPrecondition with all errors (no warnings) in the message.
absl::Status verify_status(const Graph& graph, const VerifierOptions& options = {});

}  // namespace fx
