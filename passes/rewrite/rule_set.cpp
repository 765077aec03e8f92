// Sets of rules, and parsing them from text: see rule_set.h.
#include "fx/passes/rewrite/rule_set.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/passes/rewrite/pattern_internal.h"
#include "fx/passes/rewrite/replacer_internal.h"
#include "fx/passes/rewrite/rule_set_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {

using rewrite::PatternNode;

RuleSet::RuleSet(Context& context) : context_(&context) {}
RuleSet::RuleSet(RuleSet&&) noexcept = default;
RuleSet& RuleSet::operator=(RuleSet&&) noexcept = default;
RuleSet::~RuleSet() = default;

std::string_view RuleSet::name(size_t i) const { return rules_[i]->name; }
const Pattern* RuleSet::pattern(size_t i) const {
  return rules_[i]->pattern ? &*rules_[i]->pattern : nullptr;
}

absl::Status RuleSet::check_name(std::string_view name) const {
  for (const auto& rule : rules_) {
    if (rule->name == name)
      return absl::InvalidArgumentError(fmt::format("the rule name {} is already used", name));
  }
  return absl::OkStatus();
}

void RuleSet::index(const std::vector<Root>& roots, int priority) {
  const auto number = static_cast<uint32_t>(rules_.size());
  for (const Root& root : roots) {
    std::vector<uint32_t>& list = by_root_[root];
    if (!list.empty() && list.back() == number) continue;  // two alternatives with one root
    auto position = list.end();
    while (position != list.begin() && rules_[*std::prev(position)]->priority < priority)
      --position;
    list.insert(position, number);
    if (root.is_any) has_any_[static_cast<size_t>(root.op)] = true;
  }
}

void RuleSet::note_inner(const std::vector<Root>& calls) {
  for (const Root& call : calls) {
    if (call.is_any)
      has_any_inner_[static_cast<size_t>(call.op)] = true;
    else
      inner_.insert(call);
  }
}

void RuleSet::add_roots(const PatternNode& node, std::vector<Root>& roots) {
  switch (node.kind) {
    case PatternNode::Kind::kExact:
      roots.push_back({node.op, false, node.target});
      break;
    case PatternNode::Kind::kAttribute:
    case PatternNode::Kind::kModuleOf:
      roots.push_back({node.op, true, 0});
      break;
    case PatternNode::Kind::kCallOf:
      for (const Target function : node.functions) {
        roots.push_back({Opcode::kCallFunction, false,
                         static_cast<uint64_t>(reinterpret_cast<uintptr_t>(function.data()))});
      }
      if (node.functions.empty()) roots.push_back({Opcode::kCallFunction, true, 0});
      break;
    case PatternNode::Kind::kInput:
    case PatternNode::Kind::kAnyOf:
      break;
  }
}

absl::Status RuleSet::add(std::string_view name, const Graph& pattern, const Graph& replacement,
                          const RuleOptions& options) {
  FX_RETURN_IF_ERROR(check_name(name));
  if (&pattern.context() != context_)
    return absl::InvalidArgumentError("the rules and the pattern have different Contexts");
  auto rule = std::make_unique<Rule>();
  rule->name = name;
  rule->priority = options.priority;
  rule->match.filter = options.filter;
  rule->match.max_steps = options.max_steps;
  rule->replace.inherit_meta = options.inherit_meta;
  rule->replace.check_memory = options.check_memory;
  FX_ASSIGN_OR_RETURN(rule->pattern, Pattern::create(pattern, options.pattern));
  const rewrite::CompiledPattern& compiled = rule->pattern->compiled();
  FX_ASSIGN_OR_RETURN(rule->recipe, rewrite::Recipe::create(compiled, replacement));
  for (size_t k = 1; k < compiled.anchors.size(); ++k) {
    if (compiled.anchor_paths[k].from != rewrite::kNoIndex) continue;
    return absl::InvalidArgumentError(
        fmt::format("the pattern returns %{} and %{}, but they are not connected in the pattern; "
                    "use replace_pattern, or two rules",
                    compiled.anchor_nodes[0]->name(), compiled.anchor_nodes[k]->name()));
  }
  std::vector<Root> roots, inner;
  std::vector<uint32_t> worklist = {compiled.anchors[0]};
  while (!worklist.empty()) {
    const PatternNode& node = compiled.nodes[worklist.back()];
    worklist.pop_back();
    if (node.kind == PatternNode::Kind::kInput) {
      return absl::InvalidArgumentError(fmt::format(
          "the pattern returns %{}, which matches any value; return a call", node.node->name()));
    }
    add_roots(node, roots);
    for (uint32_t i = 0; node.kind == PatternNode::Kind::kAnyOf && i < node.num_args; ++i) {
      const rewrite::PatternValue& value = compiled.values[node.args + i];
      if (value.kind == rewrite::PatternValue::Kind::kNode) worklist.push_back(value.index);
    }
  }
  for (uint32_t i = 0; i < compiled.nodes.size(); ++i)
    if (i != compiled.anchors[0]) add_roots(compiled.nodes[i], inner);
  index(roots, options.priority);
  note_inner(inner);
  rule->is_local = !compiled.may_cycle && !options.filter && compiled.anchors.size() == 1 &&
                   !compiled.options.match_output && !compiled.options.literals_match_nodes;
  rules_.push_back(std::move(rule));
  return absl::OkStatus();
}

absl::Status RuleSet::add(std::string_view name, absl::Span<const Target> functions,
                          RewriteFunction function, int priority) {
  FX_RETURN_IF_ERROR(check_name(name));
  std::vector<Root> roots;
  for (const Target target : functions) {
    roots.push_back({Opcode::kCallFunction, false,
                     static_cast<uint64_t>(reinterpret_cast<uintptr_t>(target.data()))});
  }
  if (roots.empty()) {
    for (const Opcode op :
         {Opcode::kGetAttr, Opcode::kCallFunction, Opcode::kCallMethod, Opcode::kCallModule})
      roots.push_back({op, true, 0});
  }
  index(roots, priority);
  auto rule = std::make_unique<Rule>();
  rule->name = name;
  rule->priority = priority;
  rule->function = std::move(function);
  rules_.push_back(std::move(rule));
  return absl::OkStatus();
}

namespace {

absl::Status read_options(const Graph& graph, RuleOptions& options) {
  struct Switch {
    std::string_view key;
    bool PatternOptions::* member;
  };
  constexpr Switch kSwitches[] = {
      {"commutative", &PatternOptions::commutative},
      {"ignore_literals", &PatternOptions::ignore_literals},
      {"distinct_placeholders", &PatternOptions::distinct_placeholders},
      {"attribute_paths", &PatternOptions::attribute_paths},
  };
  if (graph.meta("torch_fx") == Argument(true)) {
    options.pattern = PatternOptions::torch_fx();
    options.check_memory = false;
  }
  for (const auto& [key, value] : graph.meta()) {
    if (key.str() == kGraphNameKey || (key.str() == "torch_fx" && value.is_bool())) continue;
    if (key.str() == "priority" && value.is_int()) {
      options.priority = static_cast<int>(std::clamp<int64_t>(value.as_int(), -1000000, 1000000));
      continue;
    }
    const auto* found = std::ranges::find(kSwitches, key.str(), &Switch::key);
    if (found == std::end(kSwitches) || !value.is_bool()) {
      return absl::InvalidArgumentError(
          fmt::format("{} is not an option or has an invalid value; the options are commutative, "
                      "ignore_literals, distinct_placeholders, attribute_paths, torch_fx (True or "
                      "False) and priority (an integer)",
                      key.str()));
    }
    options.pattern.*found->member = value.as_bool();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RuleSet> RuleSet::parse(Context& context, std::string_view text,
                                       const ParseOptions& options) {
  RuleSet rules(context);
  FX_ASSIGN_OR_RETURN(rules.graphs_, parse_graphs(context, text, options));
  if (rules.graphs_.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: expected at least one rule of the form graph @name() {{ graph @pattern(%x) {{ ... }} "
        "graph @replacement(%x) {{ ... }} }}",
        options.file_name));
  }
  for (const std::unique_ptr<Graph>& graph : rules.graphs_) {
    const std::string name(graph_name(*graph));
    auto fail = [&](const absl::Status& status) {
      return with_context(status, fmt::format("rule @{}", name));
    };
    RuleOptions rule_options;
    if (const absl::Status status = read_options(*graph, rule_options); !status.ok())
      return fail(status);
    const Graph* const replacement = graph->find_subgraph("replacement");
    size_t num_patterns = 0;
    for (size_t i = 0; replacement && i < graph->num_subgraphs(); ++i) {
      const std::string_view part = graph->subgraph_name(i);
      if (!part.starts_with("pattern")) continue;
      const std::string rule_name = num_patterns++ == 0 ? name : fmt::format("{}.{}", name, part);
      const absl::Status status =
          rules.add(rule_name, graph->subgraph(i), *replacement, rule_options);
      if (!status.ok()) return fail(status);
    }
    if (num_patterns == 0) {
      return fail(absl::InvalidArgumentError(
          "a rule must have two nested graphs, graph @pattern(...) and graph @replacement(...)"));
    }
  }
  return rules;
}

}  // namespace fx
