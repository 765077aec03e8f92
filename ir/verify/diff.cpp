// Structural diff: see diff.h.
#include "fx/ir/verify/diff.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The position of the first difference between two arguments, and the values there.
struct Mismatch {
  std::string position;  // "[1].stop"
  std::string values;
};

class Differ {
 public:
  explicit Differ(const DiffOptions& options) : options_(options) {}

  std::optional<GraphDifference> run(const Graph& left, const Graph& right);

 private:
  using Result = std::optional<GraphDifference>;
  struct Pair {
    const Graph* left;
    const Graph* right;
    std::string path;
  };

  Result compare_graphs();
  Result compare_nodes(const Node& left, const Node& right);
  Result compare_arguments(const Node& left, const Node& right);
  Result compare_node_meta(const Node& left, const Node& right);
  Result compare_graph_meta();
  Result compare_subgraphs();

  template <class A>
  bool differs(const A& left, const A& right, Mismatch& mismatch) const;
  template <class A>
  bool leaves_differ(const A& left, const A& right) const;
  template <class A>
  std::string show(const A& value, const NodeMap<uint32_t>& numbers) const;
  bool differs(Type left, Type right) const;
  bool differs(SymExpr left, SymExpr right) const;

  GraphDifference at_node(DifferenceKind kind, const Node& left, const Node& right,
                          std::string_view detail) const;
  GraphDifference at_graph(DifferenceKind kind, std::string detail) const;
  std::string show_node(const Node& node) const {
    return print(node, {.types = !options_.ignore_types, .meta = false});
  }

  const DiffOptions& options_;
  const Graph* left_ = nullptr;
  const Graph* right_ = nullptr;
  std::string path_;
  bool same_context_ = false;
  size_t index_ = 0;
  std::optional<NodeMap<uint32_t>> left_numbers_;
  std::optional<NodeMap<uint32_t>> right_numbers_;
};

NodeMap<uint32_t> number_nodes(const Graph& graph) {
  NodeMap<uint32_t> numbers(graph, UINT32_MAX);
  uint32_t next = 0;
  for (const Node& node : graph.nodes()) numbers[node] = next++;
  return numbers;
}

// ---------------------------------------------------------------- graphs

std::optional<GraphDifference> Differ::run(const Graph& left, const Graph& right) {
  std::vector<Pair> stack = {{&left, &right, ""}};
  while (!stack.empty()) {
    Pair pair = std::move(stack.back());
    stack.pop_back();
    left_ = pair.left;
    right_ = pair.right;
    path_ = std::move(pair.path);
    if (Result difference = compare_graphs()) return difference;
    for (size_t i = left_->num_subgraphs(); i-- > 0;) {
      std::string path = path_.empty() ? "" : path_ + ".";
      stack.push_back(
          {&left_->subgraph(i), &right_->subgraph(i), path.append(left_->subgraph_name(i))});
    }
  }
  return std::nullopt;
}

Differ::Result Differ::compare_graphs() {
  same_context_ = &left_->context() == &right_->context();
  index_ = 0;
  left_numbers_ = number_nodes(*left_);
  right_numbers_ = number_nodes(*right_);
  if (!options_.ignore_meta)
    if (Result difference = compare_graph_meta()) return difference;
  const Node* left = left_->front();
  const Node* right = right_->front();
  for (; left && right; left = left->next(), right = right->next(), ++index_)
    if (Result difference = compare_nodes(*left, *right)) return difference;
  if (left || right) {
    GraphDifference difference =
        at_graph(DifferenceKind::kLength,
                 fmt::format("{} vs. {}; after the first {}, the {} graph continues with {}",
                             pluralize(left_->size(), "node"), right_->size(), index_,
                             left ? "left" : "right", show_node(left ? *left : *right)));
    difference.left = left;
    difference.right = right;
    return difference;
  }
  return compare_subgraphs();
}

Differ::Result Differ::compare_subgraphs() {
  size_t count = std::min(left_->num_subgraphs(), right_->num_subgraphs());
  for (size_t i = 0; i < count; ++i) {
    if (left_->subgraph_name(i) == right_->subgraph_name(i)) continue;
    return at_graph(DifferenceKind::kSubgraphs,
                    fmt::format("names of nested graph {} differ: {} vs. {}", i,
                                left_->subgraph_name(i), right_->subgraph_name(i)));
  }
  if (left_->num_subgraphs() == right_->num_subgraphs()) return std::nullopt;
  return at_graph(DifferenceKind::kSubgraphs,
                  fmt::format("{} vs. {}", pluralize(left_->num_subgraphs(), "nested graph"),
                              right_->num_subgraphs()));
}

Differ::Result Differ::compare_graph_meta() {
  for (const auto& [key, value] : left_->meta()) {
    std::optional<Argument> other = right_->meta(key.str());
    Mismatch mismatch;
    if (!other) {
      return at_graph(DifferenceKind::kGraphMeta,
                      fmt::format("only the left graph has metadata \"{}\"", key.str()));
    }
    if (differs(value, *other, mismatch)) {
      return at_graph(DifferenceKind::kGraphMeta,
                      fmt::format("metadata \"{}\"{} differs: {}", key.str(), mismatch.position,
                                  mismatch.values));
    }
  }
  for (const auto& [key, value] : right_->meta()) {
    if (left_->meta(key.str())) continue;
    return at_graph(DifferenceKind::kGraphMeta,
                    fmt::format("only the right graph has metadata \"{}\"", key.str()));
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- nodes

Differ::Result Differ::compare_nodes(const Node& left, const Node& right) {
  if (left.op() != right.op()) {
    return at_node(
        DifferenceKind::kOpcode, left, right,
        fmt::format("opcodes differ: {} vs. {}", opcode_name(left.op()), opcode_name(right.op())));
  }
  std::string_view left_target = left.target(), right_target = right.target();
  if (left.is_placeholder() && options_.ignore_names) {
    // Compare the number of stars of the target, not its name.
    left_target = left_target.substr(0, left_target.find_first_not_of('*'));
    right_target = right_target.substr(0, right_target.find_first_not_of('*'));
  }
  if (left_target != right_target) {
    return at_node(DifferenceKind::kTarget, left, right,
                   fmt::format("targets differ: {} vs. {}", left.target(), right.target()));
  }
  if (Result difference = compare_arguments(left, right)) return difference;
  if (!options_.ignore_names) {
    bool same =
        same_context_ ? left.name_parts() == right.name_parts() : left.name() == right.name();
    if (!same) {
      return at_node(DifferenceKind::kName, left, right,
                     fmt::format("names differ: {} vs. {}", left.name(), right.name()));
    }
  }
  if (!options_.ignore_types && differs(left.type(), right.type())) {
    return at_node(
        DifferenceKind::kType, left, right,
        fmt::format("types differ: {} vs. {}", to_string(left.type()), to_string(right.type())));
  }
  if (options_.ignore_meta) return std::nullopt;
  return compare_node_meta(left, right);
}

Differ::Result Differ::compare_arguments(const Node& left, const Node& right) {
  if (left.num_args() != right.num_args()) {
    return at_node(DifferenceKind::kNumArgs, left, right,
                   fmt::format("{} vs. {}", pluralize(left.num_args(), "positional argument"),
                               right.num_args()));
  }
  Mismatch mismatch;
  for (size_t i = 0; i < left.num_args(); ++i) {
    if (!differs(left.arg(i), right.arg(i), mismatch)) continue;
    return at_node(DifferenceKind::kArgument, left, right,
                   fmt::format("args[{}]{} differs: {}", i, mismatch.position, mismatch.values));
  }
  for (size_t i = 0; i < std::max(left.num_kwargs(), right.num_kwargs()); ++i) {
    std::string_view left_key = i < left.num_kwargs() ? left.kwarg_name(i).str() : "";
    std::string_view right_key = i < right.num_kwargs() ? right.kwarg_name(i).str() : "";
    if (left_key != right_key) {
      return at_node(DifferenceKind::kKeywords, left, right,
                     fmt::format("keyword {} differs: \"{}\" vs. \"{}\"", i, left_key, right_key));
    }
    if (!differs(left.kwarg_value(i), right.kwarg_value(i), mismatch)) continue;
    return at_node(
        DifferenceKind::kArgument, left, right,
        fmt::format("argument {}{} differs: {}", left_key, mismatch.position, mismatch.values));
  }
  return std::nullopt;
}

Differ::Result Differ::compare_node_meta(const Node& left, const Node& right) {
  std::string problem;
  size_t left_count = 0, right_count = 0;
  left.meta().for_each([&](Symbol key, const Argument& value) {
    ++left_count;
    const Argument* other = right.meta().find(key.str());
    Mismatch mismatch;
    if (!problem.empty()) {
      return;
    } else if (!other) {
      problem = fmt::format("only the left one has metadata \"{}\"", key.str());
    } else if (differs(value, *other, mismatch)) {
      problem = fmt::format("metadata \"{}\"{} differs: {}", key.str(), mismatch.position,
                            mismatch.values);
    }
  });
  right.meta().for_each([&](Symbol key, const Argument&) {
    ++right_count;
    if (problem.empty() && left_count != right_count && !left.meta().find(key.str()))
      problem = fmt::format("only the right one has metadata \"{}\"", key.str());
  });
  if (problem.empty()) return std::nullopt;
  return at_node(DifferenceKind::kMeta, left, right, problem);
}

// ---------------------------------------------------------------- values

// Depth is bounded (kMaxArgumentDepth).
template <class A>
bool Differ::differs(const A& left, const A& right, Mismatch& mismatch) const {
  ArgumentKind kind = left.kind();
  bool is_different = kind != right.kind() || left.size() != right.size();
  if (!is_different && kind == ArgumentKind::kStruct)
    is_different = left.type_name() != right.type_name();
  if (!is_different && !is_aggregate(kind)) is_different = leaves_differ(left, right);
  if (is_different) {
    mismatch = {"",
                fmt::format("{} vs. {}", show(left, *left_numbers_), show(right, *right_numbers_))};
    return true;
  }
  for (size_t i = 0; i < left.size(); ++i) {
    if (kind == ArgumentKind::kDict && differs(left.key(i), right.key(i), mismatch)) {
      mismatch.position = fmt::format(", key {}", i);
      return true;
    }
    if (!differs(left[i], right[i], mismatch)) continue;
    if (kind == ArgumentKind::kSlice || kind == ArgumentKind::kRange) {
      constexpr std::array<std::string_view, 3> kParts = {".start", ".stop", ".step"};
      mismatch.position.insert(0, kParts[i]);
    } else if (kind == ArgumentKind::kDict) {
      mismatch.position.insert(0, fmt::format("[{}]", print(left.key(i))));
    } else {
      mismatch.position.insert(0, fmt::format("[{}]", i));
    }
    return true;
  }
  return false;
}

/// Compares leaves of the same kind.
template <class A>
bool Differ::leaves_differ(const A& left, const A& right) const {
  switch (left.kind()) {
    case ArgumentKind::kNone:
    case ArgumentKind::kEllipsis:
      return false;
    case ArgumentKind::kNode:
      FX_CHECK(left_numbers_ && right_numbers_);
      return (*left_numbers_)[*left.node()] != (*right_numbers_)[*right.node()];
    case ArgumentKind::kString:
    case ArgumentKind::kObject:
      return left.as_string() != right.as_string();
    case ArgumentKind::kSymbolic:
      return differs(left.as_symbolic(), right.as_symbolic());
    case ArgumentKind::kType:
      return differs(left.as_type(), right.as_type());
    case ArgumentKind::kFunction:
      return left.as_function().name() != right.as_function().name();
    default:
      return !(Argument(left) == Argument(right));
  }
}

bool Differ::differs(Type left, Type right) const {
  if (left == right) return false;
  if (!left || !right) return true;
  Type left_canonical = left_->context().types().canonical(left);
  Type right_canonical = right_->context().types().canonical(right);
  if (same_context_) return left_canonical != right_canonical;
  return to_string(left_canonical) != to_string(right_canonical);
}

bool Differ::differs(SymExpr left, SymExpr right) const {
  if (left == right) return false;
  if (!left || !right) return true;
  if (same_context_) return !same_value(left, right);
  return to_string(left.canonical()) != to_string(right.canonical());
}

template <class A>
std::string Differ::show(const A& value, const NodeMap<uint32_t>& numbers) const {
  if (value.is_node())
    return fmt::format("%{} (node {})", value.node()->name(), numbers[*value.node()]);
  return print(value);
}

// ---------------------------------------------------------------- messages

GraphDifference Differ::at_node(DifferenceKind kind, const Node& left, const Node& right,
                                std::string_view detail) const {
  GraphDifference difference = at_graph(
      kind,
      fmt::format("node {}: {} vs. {}: {}", index_, show_node(left), show_node(right), detail));
  difference.left = &left;
  difference.right = &right;
  return difference;
}

GraphDifference Differ::at_graph(DifferenceKind kind, std::string detail) const {
  if (!path_.empty()) detail = fmt::format("in nested graph {}: {}", path_, detail);
  return {kind, left_, right_, nullptr, nullptr, index_, std::move(detail)};
}

}  // namespace

std::optional<GraphDifference> first_difference(const Graph& left, const Graph& right,
                                                const DiffOptions& options) {
  return Differ(options).run(left, right);
}

}  // namespace fx
