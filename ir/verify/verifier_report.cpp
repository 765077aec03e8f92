// The text of findings, and the table of rules. See verifier.h.
#include "fx/ir/support/pluralize.h"
#include "fx/ir/verify/verifier.h"
#include "fx/ir/verify/verifier_internal.h"

#include "fmt/format.h"

#include <utility>

namespace fx {
namespace {

constexpr InvariantInfo kInvariants[] = {
    {Invariant::kNodeList, "node list", "the nodes form one circular list of live nodes"},
    {Invariant::kOrderKeys, "order keys", "order keys increase along the list"},
    {Invariant::kIds, "ids", "ids are unique and less than id_bound()"},
    {Invariant::kTarget, "target", "the opcode is one of the six, and the node has a target"},
    {Invariant::kUniqueNames, "unique names", "names are unique in the graph"},
    {Invariant::kIdentifiers, "identifiers", "names are identifiers"},
    {Invariant::kOperands, "operands", "operands are live nodes of this graph"},
    {Invariant::kOperandOrder, "operand order", "operands come before the node that uses them"},
    {Invariant::kUseLists, "use lists", "use lists contain exactly the operands, each once"},
    {Invariant::kArguments, "arguments", "argument trees are well formed"},
    {Invariant::kKeywords, "keywords", "keywords of a call are unique and not empty"},
    {Invariant::kPlaceholderForm, "placeholder form",
     "a placeholder has no argument except its default, which contains no node"},
    {Invariant::kOutputForm, "output form", "an output has one argument and no users"},
    {Invariant::kOneOutput, "one output", "there is one output, and it is last"},
    {Invariant::kReceiver, "receiver", "a call_method has a receiver, args[0]"},
    {Invariant::kGetAttrForm, "get_attr form", "a get_attr has no arguments"},
    {Invariant::kPlaceholdersFirst, "placeholders first",
     "placeholders come before all other nodes"},
    {Invariant::kPlaceholderTargets, "placeholder targets", "placeholders have different targets"},
    {Invariant::kPaths, "paths",
     "the targets of get_attr and call_module exist in the owning module"},
    {Invariant::kNestedGraphs, "nested graphs",
     "nested graphs have unique names; graph arguments refer to one of them"},
    {Invariant::kSchema, "schema", "a call matches its operator's schema"},
    {Invariant::kTypes, "types", "types are valid"},
    {Invariant::kMeta, "metadata", "metadata contains no nodes"},
    {Invariant::kIndex, "index", "the index of find_nodes contains every node"},
    {Invariant::kAllowed, "allowed calls", "every call is allowed"},
    {Invariant::kDead, "dead nodes", "every result is used"},
    {Invariant::kModes, "modes", "traced training flags agree with the owning module's mode"},
    {Invariant::kKnownOperator, "operators", "a function named aten.… is a PyTorch operator"},
};

}  // namespace

absl::Span<const InvariantInfo> invariants() { return kInvariants; }

std::string Finding::str() const {
  return fmt::format("{} V{} at {}: {}\n  hint: {}",
                     severity == Severity::kError ? "error" : "warning",
                     static_cast<int>(invariant), location, message, hint);
}

std::string VerifierReport::str() const {
  if (num_errors + num_warnings == 0) return {};
  std::string text;
  for (const Finding& finding : findings) text += finding.str() + "\n";
  size_t hidden = num_errors + num_warnings - findings.size();
  if (hidden > 0) text += fmt::format("{} more findings are not shown\n", hidden);
  return text + fmt::format("{}, {}\n", pluralize(num_errors, "error"),
                            pluralize(num_warnings, "warning"));
}

VerifierReport verify(const Graph& graph, const VerifierOptions& options) {
  VerifierReport report;
  Verifier(options, report).run(graph);
  return report;
}

absl::Status verify_status(const Graph& graph, const VerifierOptions& options) {
  VerifierOptions errors_only = options;
  errors_only.warnings = false;
  VerifierReport report = verify(graph, errors_only);
  if (report.ok()) return absl::OkStatus();
  std::string findings = report.str();
  findings.pop_back();  // the last line break
  return absl::FailedPreconditionError("the graph violates rules of the IR:\n" + findings);
}

void Verifier::error(Invariant invariant, const Node* node, std::string message,
                     std::string_view hint) {
  add(Severity::kError, invariant, node, std::move(message), hint);
}

void Verifier::warning(Invariant invariant, const Node* node, std::string message,
                       std::string_view hint) {
  if (options_.warnings) add(Severity::kWarning, invariant, node, std::move(message), hint);
}

void Verifier::add(Severity severity, Invariant invariant, const Node* node, std::string message,
                   std::string_view hint) {
  ++(severity == Severity::kError ? report_.num_errors : report_.num_warnings);
  if (report_.findings.size() >= options_.max_findings) return;
  std::string location = path_;
  if (node) {
    if (!location.empty()) location += ": ";
    location += fmt::format("%{}", node->name());
  } else if (location.empty()) {
    location = "the graph";
  }
  report_.findings.push_back({severity, invariant, graph_, node, std::move(location),
                              std::move(message), std::string(hint)});
}

}  // namespace fx
