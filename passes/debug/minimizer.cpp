// The search for faulty nodes: see minimizer.h.
#include "fx/passes/debug/minimizer.h"

#include "fx/ir/calls/call.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace fx {
namespace {

constexpr std::string_view kNames[] = {"sequential", "binary", "accumulate",
                                       "block",      "skip",   "defined"};

class Search {
 public:
  Search(const CheckPart& check, const MinimizerOptions& options, std::vector<Node*> calls)
      : check_(check), options_(options), calls_(std::move(calls)) {
    report_.method = options.method;
  }

  absl::StatusOr<MinimizerReport> run() {
    switch (options_.method) {
      case MinimizerMethod::kSequential:
        FX_RETURN_IF_ERROR(sequential());
        break;
      case MinimizerMethod::kBinary:
        FX_RETURN_IF_ERROR(binary());
        break;
      case MinimizerMethod::kAccumulate:
        FX_RETURN_IF_ERROR(accumulate());
        break;
      case MinimizerMethod::kBlock:
        FX_RETURN_IF_ERROR(block());
        break;
      case MinimizerMethod::kSkip:
        FX_RETURN_IF_ERROR(skip());
        break;
      case MinimizerMethod::kDefined:
        FX_RETURN_IF_ERROR(defined());
        break;
    }
    return std::move(report_);
  }

 private:
  /// A half-open range of indices into calls_.
  struct Range {
    size_t begin, end;
    size_t size() const { return end - begin; }
  };

  bool is_excluded(const Node& node) const { return options_.exclude && options_.exclude(node); }

  absl::StatusOr<bool> part_differs(absl::Span<Node* const> nodes) {
    if (nodes.empty()) return false;
    FX_ASSIGN_OR_RETURN(std::string what, check_(nodes));
    const bool found = !what.empty();
    report_.steps.push_back({nodes.front(), nodes.back(), nodes.size(), std::move(what)});
    return found;
  }
  /// True if a sequence of calls between excluded calls differs. A sequence in program order is
  /// convex.
  absl::StatusOr<bool> differs(Range range) {
    size_t begin = range.begin;
    for (size_t i = range.begin; i <= range.end; ++i) {
      if (i < range.end && !is_excluded(*calls_[i])) continue;
      FX_ASSIGN_OR_RETURN(const bool found,
                          part_differs(absl::MakeConstSpan(calls_).subspan(begin, i - begin)));
      if (found) return true;
      begin = i + 1;
    }
    return false;
  }
  void blame(Range range) {
    for (size_t i = range.begin; i < range.end; ++i)
      if (!is_excluded(*calls_[i])) report_.faulty_nodes.push_back(calls_[i]);
  }

  absl::Status sequential() {
    for (size_t i = 0; i < calls_.size(); ++i) {
      FX_ASSIGN_OR_RETURN(const bool found, differs({i, i + 1}));
      if (found) blame({i, i + 1});
      if (found && !options_.find_all) break;
    }
    return absl::OkStatus();
  }

  absl::Status binary() {
    FX_ASSIGN_OR_RETURN(const bool any, differs({0, calls_.size()}));
    std::vector<Range> worklist;  // a stack of ranges that differ; the first range is on top
    if (any) worklist.push_back({0, calls_.size()});
    while (!worklist.empty()) {
      const Range range = worklist.back();
      worklist.pop_back();
      if (range.size() == 1) {
        blame(range);
        if (!options_.find_all) break;
        continue;
      }
      const size_t middle = range.begin + range.size() / 2;
      const Range left{range.begin, middle}, right{middle, range.end};
      FX_ASSIGN_OR_RETURN(const bool in_left, differs(left));
      bool in_right = false;
      if (!in_left || options_.find_all) {
        FX_ASSIGN_OR_RETURN(in_right, differs(right));
      }
      if (!in_left && !in_right) {  // the halves differ only together
        blame(range);
        if (!options_.find_all) break;
      }
      if (in_right) worklist.push_back(right);
      if (in_left) worklist.push_back(left);
    }
    return absl::OkStatus();
  }

  absl::Status accumulate() {
    size_t begin = 0;
    for (size_t end = 1; end <= calls_.size(); ++end) {
      FX_ASSIGN_OR_RETURN(const bool found, differs({begin, end}));
      if (!found) continue;
      blame({end - 1, end});
      if (!options_.find_all) break;
      begin = end;
    }
    return absl::OkStatus();
  }

  /// Bisects the ends of a block. Assumes that a range differs if part of it differs.
  absl::Status block() {
    for (size_t begin = 0; begin < calls_.size();) {
      FX_ASSIGN_OR_RETURN(const bool any, differs({begin, calls_.size()}));
      if (!any) break;
      size_t low = begin + 1, high = calls_.size();  // the end is in [low, high]
      while (low < high) {
        const size_t middle = low + (high - low) / 2;
        FX_ASSIGN_OR_RETURN(const bool found, differs({begin, middle}));
        (found ? high : low) = found ? middle : middle + 1;
      }
      const size_t end = low;
      low = begin;
      high = end - 1;  // the beginning is in [low, high]
      while (low < high) {
        const size_t middle = low + (high - low + 1) / 2;
        FX_ASSIGN_OR_RETURN(const bool found, differs({middle, end}));
        (found ? low : high) = found ? middle : middle - 1;
      }
      blame({low, end});
      if (!options_.find_all) break;
      begin = end;
    }
    return absl::OkStatus();
  }

  absl::Status skip() {
    const auto is_skipped = [&](size_t i) {
      return std::ranges::find(options_.nodes, calls_[i]) != options_.nodes.end();
    };
    size_t begin = 0;
    for (size_t i = 0; i <= calls_.size(); ++i) {
      if (i < calls_.size() && !is_skipped(i)) continue;
      FX_ASSIGN_OR_RETURN(const bool found, differs({begin, i}));
      if (found) blame({begin, i});
      if (found && !options_.find_all) break;
      begin = i + 1;
    }
    return absl::OkStatus();
  }

  absl::Status defined() {
    std::vector<Node*> nodes = options_.nodes;
    std::ranges::sort(nodes, [](const Node* a, const Node* b) { return a->comes_before(*b); });
    FX_ASSIGN_OR_RETURN(const bool found, part_differs(nodes));
    if (found) report_.faulty_nodes = std::move(nodes);
    return absl::OkStatus();
  }

  const CheckPart& check_;
  const MinimizerOptions& options_;
  std::vector<Node*> calls_;
  MinimizerReport report_;
};

}  // namespace

std::string_view minimizer_method_name(MinimizerMethod method) {
  return kNames[static_cast<size_t>(method)];
}

absl::StatusOr<MinimizerMethod> minimizer_method(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == name) return static_cast<MinimizerMethod>(i);
  return absl::InvalidArgumentError(fmt::format(
      "unknown method \"{}\" of the minimizer; the methods are {}", name, fmt::join(kNames, ", ")));
}

std::string MinimizerReport::str() const {
  const auto differ =
      std::ranges::count_if(steps, [](const MinimizerStep& step) { return !step.what.empty(); });
  std::string text = fmt::format("{}: {} parts ran, {} differ\n", minimizer_method_name(method),
                                 steps.size(), differ);
  if (faulty_nodes.empty()) return text + "faulty nodes: none\n";
  std::vector<std::string> names;
  names.reserve(faulty_nodes.size());
  for (const Node* node : faulty_nodes) names.push_back(node->name());
  text += fmt::format("faulty nodes: {}\n", fmt::join(names, ", "));
  // For each faulty node, the smallest part that differs and contains it.
  std::vector<const MinimizerStep*> shown;
  for (const Node* node : faulty_nodes) {
    const MinimizerStep* best = nullptr;
    for (const MinimizerStep& step : steps) {
      const bool contains_node =
          !step.what.empty() && !node->comes_before(*step.first) && !step.last->comes_before(*node);
      if (contains_node && (best == nullptr || step.nodes < best->nodes)) best = &step;
    }
    if (best == nullptr || std::ranges::find(shown, best) != shown.end()) continue;
    shown.push_back(best);
    text += best->what + "\n";
  }
  return text;
}

absl::StatusOr<MinimizerReport> minimize(const Graph& graph, const CheckPart& check,
                                         const MinimizerOptions& options) {
  std::vector<Node*> calls;
  for (Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    if (node.op() == Opcode::kCallFunction && node.function().op() != nullptr &&
        effects(node).has(ops::Effect::kWritesArguments)) {
      return absl::FailedPreconditionError(
          fmt::format("%{} writes to memory, so parts of the graph cannot run separately: "
                      "functionalize it first",
                      node.name()));
    }
    calls.push_back(&node);
  }
  for (const Node* node : options.nodes) {
    if (node == nullptr || node->is_erased() || &node->graph() != &graph || !node->is_call())
      return absl::InvalidArgumentError("every node in option `nodes` must be a call in the graph");
  }
  return Search(check, options, std::move(calls)).run();
}

}  // namespace fx
