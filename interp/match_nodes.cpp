// A table contains the calls of `a`, keyed by target and operands. The calls of `b` are looked up
// in order, with their operands replaced with the counterparts in `a`. The remaining calls are
// paired by their uses.
#include "fx/interp/match_nodes.h"

#include "fx/ir/graph/node_map.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fx {
namespace {

/// Hashes an argument. kMaxArgumentDepth bounds the recursion.
uint64_t hash_of(const Argument& value) {  // NOLINT(misc-no-recursion)
  const int kind = static_cast<int>(value.kind());
  switch (value.kind()) {
    case ArgumentKind::kNode:
      return absl::HashOf(kind, value.as_node());
    case ArgumentKind::kBool:
      return absl::HashOf(kind, value.as_bool());
    case ArgumentKind::kInt:
      return absl::HashOf(kind, value.as_int());
    case ArgumentKind::kFloat:
      return absl::HashOf(kind, value.as_float());
    case ArgumentKind::kString:
      return absl::HashOf(kind, value.as_string());
    default:
      break;
  }
  uint64_t hash = absl::HashOf(kind, value.size());
  for (size_t i = 0; i < value.size(); ++i) hash = absl::HashOf(hash, hash_of(value[i]));
  return hash;
}

/// The call that a node represents, with operands replaced with their counterparts.
struct Computation {
  Opcode op;
  Target function;  // only for a call_function
  std::string_view target;
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;

  template <class Translate>
  Computation(const Node& node, Translate translate)
      : op(node.op()),
        function(node.function()),
        target(node.op() == Opcode::kCallFunction ? std::string_view() : node.target()) {
    for (const Argument& arg : node.args()) args.push_back(map_nodes(arg, translate));
    for (const Kwarg& kwarg : node.kwargs())
      kwargs.emplace_back(kwarg.key, map_nodes(kwarg.value, translate));
  }

  friend bool operator==(const Computation& x, const Computation& y) {
    return x.op == y.op && x.function == y.function && x.target == y.target && x.args == y.args &&
           std::ranges::equal(x.kwargs, y.kwargs, [](const Kwarg& p, const Kwarg& q) {
             return p.key == q.key && p.value == q.value;
           });
  }
  template <class H>
  friend H AbslHashValue(H h, const Computation& c) {
    h = H::combine(std::move(h), c.op, c.function, c.target, c.args.size());
    for (const Argument& arg : c.args) h = H::combine(std::move(h), hash_of(arg));
    for (const Kwarg& kwarg : c.kwargs)
      h = H::combine(std::move(h), kwarg.key, hash_of(kwarg.value));
    return h;
  }
};

/// Returns true for calls to the same operator, or to its in-place and functional variants.
bool is_same_operator(const Node& a, const Node& b) {
  if (a.op() != b.op()) return false;
  if (a.op() != Opcode::kCallFunction) return a.target() == b.target();
  if (a.function() == b.function()) return true;
  const ops::OpInfo* x = a.function().op();
  const ops::OpInfo* y = b.function().op();
  if (x == nullptr || y == nullptr) return false;
  const ops::OpInfo* functional = ops::find_variants(*x).functional;
  return functional != nullptr && functional == ops::find_variants(*y).functional;
}

/// Equal calls of `a`, and the number of calls that are already paired.
struct Calls {
  std::vector<Node*> nodes;
  size_t next = 0;
};

class Matcher {
 public:
  Matcher(const Graph& a, const Graph& b) : a_(a), a_of_(b, nullptr), is_taken_(a) {}

  std::vector<MatchedNodes> run(const Graph& b) {
    for (Node& node : a_.nodes()) {
      if (node.is_placeholder() || node.is_output()) continue;
      calls_[Computation(node, [](Node* n) { return Argument(n); })].nodes.push_back(&node);
    }
    const std::vector<Node*> inputs = a_.find_nodes(Opcode::kPlaceholder);
    size_t input = 0;
    for (const Node& node : b.nodes()) {
      if (node.is_placeholder()) {
        take(*inputs[input++], node, MatchedBy::kPosition);
      } else if (node.is_output()) {
        Node* output = a_.output_node();
        if (&node == b.output_node() && output != nullptr)
          take(*output, node, MatchedBy::kPosition);
      } else if (!match_structure(node)) {
        match_name(node);
      }
    }
    match_uses(b);
    std::ranges::sort(pairs_, [](const MatchedNodes& x, const MatchedNodes& y) {
      return x.a->comes_before(*y.a);
    });
    return std::move(pairs_);
  }

 private:
  void take(Node& a, const Node& b, MatchedBy by) {
    is_taken_.insert(a);
    a_of_[b] = &a;
    pairs_.push_back({&a, &b, by});
  }

  bool match_structure(const Node& node) {
    // An operand without a counterpart is not replaced, so no call of `a` matches.
    const auto found = calls_.find(
        Computation(node, [&](Node* n) { return Argument(a_of_[*n] != nullptr ? a_of_[*n] : n); }));
    if (found == calls_.end()) return false;
    Calls& calls = found->second;
    while (calls.next < calls.nodes.size() && is_taken_.contains(*calls.nodes[calls.next]))
      ++calls.next;
    if (calls.next == calls.nodes.size()) return false;
    take(*calls.nodes[calls.next++], node, MatchedBy::kStructure);
    return true;
  }

  /// Pairs a node by its name, or by the name of a node that it replaced.
  void match_name(const Node& node) {
    if (Node* same = a_.find_node(node.name()); is_unmatched(same))
      return take(*same, node, MatchedBy::kName);
    for (const NodeSource& source : node_sources(node)) {
      if (std::ranges::find(source.actions, SourceAction::kReplace) == source.actions.end())
        continue;
      if (Node* origin = a_.find_node(source.name); is_unmatched(origin))
        return take(*origin, node, MatchedBy::kOrigin);
    }
  }
  /// Pairs nodes without a counterpart by their uses. Starts at the end of `b`, since each pair may
  /// lead to pairs of its operands.
  void match_uses(const Graph& b) {
    for (const Node& node : b.nodes().reversed()) {
      const Node* other = a_of_[node];
      if (other == nullptr || node.is_placeholder()) continue;
      Operands operands;
      const bool same_constants = collect_operands(*other, node, operands);
      // Each result is paired separately. If only one operand of a call differs from the
      // counterpart's, these two operands are assumed to have the same value.
      if (!node.is_output() &&
          (operands.size() != 1 || !same_constants || !is_same_operator(*other, node)))
        continue;
      for (const auto& [x, y] : operands) {
        const bool may_differ = x->type() && y->type() && x->type() != y->type();
        if (!may_differ && a_of_[*y] == nullptr && is_unmatched(x)) take(*x, *y, MatchedBy::kUse);
      }
    }
  }
  using Operands = std::vector<std::pair<Node*, Node*>>;
  /// Collects pairs of operands that are not counterparts, at the same positions of both nodes.
  /// Returns false if the nodes differ in other arguments.
  bool collect_operands(const Node& a, const Node& b, Operands& operands) const {
    if (a.num_args() != b.num_args() || a.num_kwargs() != b.num_kwargs()) return false;
    bool same = true;
    for (size_t i = 0; i < a.num_args(); ++i)
      same = collect_operands(Argument(a.arg(i)), Argument(b.arg(i)), operands) && same;
    for (const Kwarg& kwarg : a.kwargs()) {
      const std::optional<ArgumentRef> value = b.kwarg(kwarg.key);
      same = value && collect_operands(kwarg.value, Argument(*value), operands) && same;
    }
    return same;
  }
  // kMaxArgumentDepth bounds the recursion.
  bool collect_operands(const Argument& a, const Argument& b, Operands& operands) const {
    if (a.is_node() && b.is_node()) {
      if (a_of_[*b.node()] != a.node()) operands.emplace_back(a.node(), b.node());
      return true;
    }
    if (!is_aggregate(a.kind()) || a.kind() != b.kind() || a.size() != b.size()) return a == b;
    bool same = true;
    for (size_t i = 0; i < a.size(); ++i) same = collect_operands(a[i], b[i], operands) && same;
    return same;
  }
  bool is_unmatched(const Node* node) const {
    return node != nullptr && !node->is_placeholder() && !node->is_output() &&
           !is_taken_.contains(*node);
  }

  const Graph& a_;
  absl::flat_hash_map<Computation, Calls> calls_;
  NodeMap<Node*> a_of_;
  NodeSet is_taken_;
  std::vector<MatchedNodes> pairs_;
};

}  // namespace

std::string_view matched_by_name(MatchedBy by) {
  switch (by) {
    case MatchedBy::kPosition:
      return "position";
    case MatchedBy::kStructure:
      return "structure";
    case MatchedBy::kName:
      return "name";
    case MatchedBy::kOrigin:
      return "origin";
    case MatchedBy::kUse:
      return "use";
  }
  return "";
}

absl::StatusOr<std::vector<MatchedNodes>> match_nodes(const Graph& a, const Graph& b) {
  if (&a.context() != &b.context())
    return absl::InvalidArgumentError("the compared graphs must have the same Context");
  const size_t inputs_a = a.find_nodes(Opcode::kPlaceholder).size();
  const size_t inputs_b = b.find_nodes(Opcode::kPlaceholder).size();
  if (inputs_a != inputs_b) {
    return absl::InvalidArgumentError(fmt::format(
        "the graphs must have the same number of inputs, not {} and {}", inputs_a, inputs_b));
  }
  return Matcher(a, b).run(b);
}

}  // namespace fx
