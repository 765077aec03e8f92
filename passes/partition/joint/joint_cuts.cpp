// Chooses the values that a partition of a joint graph saves: minimum cuts of a network.
//
// Each forward node has two vertices: `in` for its operands and `out` for its value. On the sink
// side of a cut are the operands and values that the backward graph receives or computes:
//
//   source -> in    capacity: the cost of recomputing the node; infinite if that is impossible
//   in -> out       capacity: the bytes needed to save the value; infinite for views
//   out -> in'      infinite: recomputing the user requires the value
//   out -> sink     infinite: the backward pass uses the value
//
// Except for out -> in', vertices that an infinite arc would join are merged into one.
#include "fx/ir/support/status.h"
#include "fx/passes/partition/joint/joint_internal.h"
#include "fx/passes/partition/joint/min_cut_internal.h"

#include "absl/functional/function_ref.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fx::internal {
namespace {

/// Returns the capacity for recomputing a node; MinCut::kInfinite if it must not be recomputed.
using CostFunction = absl::FunctionRef<int64_t(const Node&, const JointNode&)>;

bool takes_part(const Node& node, const JointNode& facts) {
  return !node.is_output() && !facts.backward && facts.reaches;
}

/// Computes the bytes and the cost of a cut from its saved and recomputed values.
void compute_totals(const JointFacts& facts, JointCut& cut) {
  for (const Node* node : cut.saved) cut.bytes += facts[*node].bytes;
  for (const Node& node : facts.graph().nodes())
    if (!node.is_output() && cut.recomputed[node]) cut.cost += facts[node].cost;
}

/// Returns the capacity per byte. It is at least the capacity of all values that need no memory,
/// so their number decides only between cuts that save the same number of bytes.
int64_t byte_capacity(const JointFacts& facts) {
  int64_t num_free = 1;
  for (const Node& node : facts.graph().nodes())
    num_free += takes_part(node, facts[node]) && facts[node].bytes == 0 ? 1 : 0;
  int64_t unit = 1;
  while (unit < num_free && unit < (int64_t{1} << 18)) unit *= 2;
  return unit;
}

class JointNetwork {
 public:
  JointNetwork(const JointFacts& facts, int64_t unit, CostFunction cost)
      : facts_(facts), in_(facts.graph(), MinCut::kSource), out_(facts.graph(), MinCut::kSource) {
    for (const Node& node : facts.graph().nodes())
      if (takes_part(node, facts[node])) add(node, facts[node], unit, cost);
  }

  absl::StatusOr<JointCut> solve() {
    if (!cut_.solve()) {
      return absl::FailedPreconditionError(
          "a value that the backward pass uses can be neither saved nor recomputed");
    }
    JointCut result(facts_.graph());
    for (const Node& node : facts_.graph().nodes()) {
      if (!takes_part(node, facts_[node]) || !cut_.is_on_sink_side(out_[node])) continue;
      if (in_[node] != MinCut::kSource && cut_.is_on_sink_side(in_[node]))
        result.recomputed[node] = 1;
      else
        result.saved.push_back(&node);
    }
    compute_totals(facts_, result);
    return result;
  }

 private:
  void add(const Node& node, const JointNode& facts, int64_t unit, CostFunction cost) {
    const uint32_t out = facts.direct ? MinCut::kSink : cut_.add_vertex();
    const int64_t recomputed = facts.once || (facts.must_save && facts.savable) ? MinCut::kInfinite
                               : facts.must_compute                             ? 0
                                                                                : cost(node, facts);
    uint32_t in = MinCut::kSource;
    if (recomputed < MinCut::kInfinite) {
      in = facts.must_compute ? MinCut::kSink : facts.savable ? cut_.add_vertex() : out;
      cut_.add_arc(MinCut::kSource, in, recomputed);
    }
    in_[node] = in;
    out_[node] = out;
    cut_.add_arc(in, out,
                 facts.savable ? std::max<int64_t>(1, facts.bytes * unit) : MinCut::kInfinite);
    if (in == MinCut::kSource) return;
    node.for_each_input([&](const Node* input) {
      if (takes_part(*input, facts_[*input])) cut_.add_arc(out_[*input], in, MinCut::kInfinite);
    });
  }

  const JointFacts& facts_;
  MinCut cut_;
  NodeMap<uint32_t> in_, out_;
};

/// Returns the cut that minimizes bytes + lambda * cost and saves the values in `kept`.
absl::StatusOr<JointCut> weighted_cut(const JointFacts& facts, int64_t unit, double lambda,
                                      const NodeMap<char>* kept) {
  const double max_cost = static_cast<double>(MinCut::kInfinite) / 4;
  const auto cost = [&](const Node& node, const JointNode& fact) -> int64_t {
    if (kept != nullptr && (*kept)[node] && fact.savable) return MinCut::kInfinite;
    return std::llround(std::min(max_cost, lambda * static_cast<double>(fact.cost)));
  };
  return JointNetwork(facts, unit, cost).solve();
}

/// Saves values that `cut` recomputes, within the budget `bytes`: first as many as fit, in order of
/// decreasing cost per byte, then each of the next few values that still fits.
absl::StatusOr<JointCut> fill_budget(const JointFacts& facts, int64_t unit, double lambda,
                                     int64_t bytes, JointCut cut) {
  std::vector<const Node*> candidates;
  for (const Node& node : facts.graph().nodes()) {
    if (!node.is_output() && cut.recomputed[node] && facts[node].savable && facts[node].cost > 0 &&
        facts[node].bytes <= bytes - cut.bytes)
      candidates.push_back(&node);
  }
  std::ranges::stable_sort(candidates, [&](const Node* a, const Node* b) {
    const auto density = [&](const Node* node) {
      return static_cast<double>(facts[*node].cost) /
             static_cast<double>(std::max<int64_t>(1, facts[*node].bytes));
    };
    return density(a) > density(b);
  });
  NodeMap<char> kept(facts.graph(), 0);
  const auto keep = [&](size_t begin, size_t end, char value) {
    for (size_t i = begin; i < end; ++i) kept[*candidates[i]] = value;
  };
  // Computes the cut that saves the values in `kept`. Returns true if it is within the budget.
  const auto attempt = [&]() -> absl::StatusOr<bool> {
    FX_ASSIGN_OR_RETURN(JointCut tried, weighted_cut(facts, unit, lambda, &kept));
    if (tried.bytes > bytes) return false;
    if (tried.cost < cut.cost) cut = std::move(tried);
    return true;
  };
  size_t fits = 0, too_many = candidates.size() + 1;
  while (too_many - fits > 1) {
    const size_t count = (fits + too_many) / 2;
    keep(0, candidates.size(), 0);
    keep(0, count, 1);
    FX_ASSIGN_OR_RETURN(const bool is_within, attempt());
    (is_within ? fits : too_many) = count;
  }
  keep(0, candidates.size(), 0);
  keep(0, fits, 1);
  constexpr size_t kMaxAttempts = 16;
  for (size_t i = fits; i < std::min(candidates.size(), fits + kMaxAttempts); ++i) {
    keep(i, i + 1, 1);
    FX_ASSIGN_OR_RETURN(const bool is_within, attempt());
    if (!is_within) keep(i, i + 1, 0);
  }
  return cut;
}

}  // namespace

JointCut default_cut(const JointFacts& facts) {
  const Graph& graph = facts.graph();
  JointCut cut(graph);
  std::vector<const Node*> order;
  for (const Node& node : graph.nodes())
    if (takes_part(node, facts[node])) order.push_back(&node);
  NodeMap<char> used(graph, 0);
  std::vector<const Node*> saved;
  for (size_t i = order.size(); i-- > 0;) {
    const Node& node = *order[i];
    const JointNode& fact = facts[node];
    if (!fact.direct && !used[node]) continue;
    const bool recomputed = !fact.once && (!fact.savable || fact.must_compute ||
                                           (!fact.must_save && !fact.in_forward && !fact.required));
    if (!recomputed) {
      saved.push_back(&node);
      continue;
    }
    cut.recomputed[node] = 1;
    node.for_each_input([&](const Node* input) { used[*input] = 1; });
  }
  cut.saved.assign(saved.rbegin(), saved.rend());
  compute_totals(facts, cut);
  return cut;
}

absl::StatusOr<JointCut> cheap_cut(const JointFacts& facts) {
  const auto cost = [](const Node&, const JointNode& fact) -> int64_t {
    return fact.cheap || !fact.savable ? 0 : MinCut::kInfinite;
  };
  return JointNetwork(facts, byte_capacity(facts), cost).solve();
}

absl::StatusOr<JointCut> smallest_cut(const JointFacts& facts) {
  return weighted_cut(facts, byte_capacity(facts), 0, nullptr);
}

absl::StatusOr<JointCut> cut_within(const JointFacts& facts, int64_t bytes, JointCut cheap,
                                    JointCut smallest, double& bound) {
  bound = static_cast<double>(smallest.cost);
  if (smallest.bytes > bytes) return smallest;
  bound = 0;
  if (cheap.bytes <= bytes) return cheap;
  // The two cuts on either side of the limit determine the price at which both are equally good.
  // The best cut at this price replaces one of them, unless there is no cut between them.
  const int64_t unit = byte_capacity(facts);
  JointCut few = std::move(smallest), many = std::move(cheap);
  double lambda = 0;
  constexpr int kMaxSteps = 50;
  for (int step = 0; step < kMaxSteps && few.cost > many.cost; ++step) {
    const double price =
        static_cast<double>(many.bytes - few.bytes) / static_cast<double>(few.cost - many.cost);
    FX_ASSIGN_OR_RETURN(JointCut cut,
                        weighted_cut(facts, unit, price * static_cast<double>(unit), nullptr));
    lambda = price * static_cast<double>(unit);
    const double value = static_cast<double>(cut.bytes) + price * static_cast<double>(cut.cost);
    bound = std::max(bound, (value - static_cast<double>(bytes)) / price);
    const double previous = static_cast<double>(few.bytes) + price * static_cast<double>(few.cost);
    const bool is_new =
        value < previous * (1 - 1e-9) && cut.bytes != few.bytes && cut.bytes != many.bytes;
    if (!is_new) break;
    (cut.bytes <= bytes ? few : many) = std::move(cut);
  }
  return fill_budget(facts, unit, lambda, bytes, std::move(few));
}

}  // namespace fx::internal
