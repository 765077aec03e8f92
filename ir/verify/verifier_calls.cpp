// The verifier's rules about operator schemas, types, paths, metadata and nested graphs, and the
// optional rules. See verifier.h.
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/unknown_operator.h"
#include "fx/ir/verify/verifier_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// What is wrong with a tensor type; empty for a valid one.
std::string tensor_problem(Type type) {
  if (type.dtype() > DType::kUndefined) return "its dtype is unknown";
  if (static_cast<int>(type.layout()) >= kNumLayouts) return "its layout is unknown";
  if (!type.has_rank() && type.rank() != 0) return "it has sizes without a rank";
  if (type.requires_grad() && type.dtype() != DType::kUndefined &&
      !is_floating_point(type.dtype()) && !is_complex(type.dtype()))
    return "only floating-point and complex tensors can require gradients";
  auto negative = [](const Dim& dim) { return dim.is_int() && dim.value() < 0; };
  for (const Dim& size : type.sizes()) {
    if (size.is_undefined()) return "a size is undefined";
    if (negative(size)) return fmt::format("a size is {}", size.value());
  }
  for (const Dim& stride : type.strides()) {
    if (stride.is_undefined()) return "a stride is undefined";
    if (negative(stride)) return fmt::format("a stride is {}", stride.value());
  }
  if (type.offset().is_undefined()) return "its storage offset is undefined";
  if (negative(type.offset()))
    return fmt::format("its storage offset is {}", type.offset().value());
  return {};
}

/// What is wrong with a type; empty for a valid one. Depth is bounded (kMaxTypeDepth).
std::string type_problem(Type type, int depth) {
  if (depth > kMaxTypeDepth)
    return fmt::format("it is nested more than {} levels deep", kMaxTypeDepth);
  if (type.kind() > TypeKind::kToken) return "its kind is unknown";
  if (type.is_tensor()) return tensor_problem(type);
  for (Type item : type.items()) {
    std::string problem = type_problem(item, depth + 1);
    if (!problem.empty()) return problem;
  }
  return {};
}

/// True if the schema lists every argument of a call. Schemas of torch's Python functions omit
/// arguments that only Python has (`_stacklevel`, deprecated ones).
bool has_exact_schema(const ops::OpInfo& op) {
  if (op.schema().is_vararg()) return false;
  if (!op.is_function()) return true;
  return op.name_space() == "operator" || op.name_space() == "math";
}

}  // namespace

void Verifier::check_type(const Node& node) {
  const TypeData* data = node.type_;
  if (!data) return;
  if (valid_types_.find(data) != nullptr) return;
  auto [it, is_new] = types_.try_emplace(data);
  if (is_new) it->second = type_problem(Type(data), 1);
  if (it->second.empty()) {
    valid_types_.put(data, true);
    return;
  }
  error(Invariant::kTypes, &node, "its type is invalid: " + it->second,
        "set a valid type (Node::set_type), or none");
}

// ---------------------------------------------------------------- calls

const Verifier::CallRule& Verifier::call_rule(const TargetData* target) {
  if (const CallRule* const* known = recent_rules_.find(target)) return **known;
  std::unique_ptr<CallRule>& rule = rules_[target];
  if (!rule) {
    rule = std::make_unique<CallRule>();
    if (const ops::OpInfo* op = target->op; op && has_exact_schema(*op)) {
      const ops::OpSchema& schema = op->schema();
      rule->op = op;
      rule->is_function = op->is_function();
      rule->positional = static_cast<uint32_t>(schema.positional_count());
      for (size_t i = 0; i < schema.arguments().size(); ++i) {
        if (schema.arguments()[i].default_value) continue;
        if (i < rule->positional)
          rule->required = static_cast<uint32_t>(i + 1);
        else
          rule->required_keywords = true;
      }
    } else if (!target->op) {
      rule->unknown = ops::unknown_operator(target->name.str(), num_suggestions_ < kMaxSuggestions);
      num_suggestions_ += rule->unknown.empty() ? 0 : 1;
    }
  }
  recent_rules_.put(target, rule.get());
  return *rule;
}

void Verifier::check_call(const Node& node) {
  const CallRule& rule = call_rule(static_cast<const TargetData*>(node.target_));
  if (!rule.op) {
    if (!rule.unknown.empty()) {
      warning(Invariant::kKnownOperator, &node, rule.unknown,
              "correct the name; put custom operators in a different namespace");
    }
    return;
  }
  if (node.num_kwargs_ == 0 && node.num_args_ >= rule.required &&
      node.num_args_ <= rule.positional && !rule.required_keywords)
    return;
  check_call_slowly(node, rule);
}

void Verifier::check_call_slowly(const Node& node, const CallRule& rule) {
  if (rule.is_function && !options_.warnings) return;
  if (!valid_run(node.cells_, node.num_args_ + 2ull * node.num_kwargs_)) return;  // V10 reports it
  const ops::OpSchema& schema = rule.op->schema();
  auto report_problem = [&](std::string problem) {
    add(rule.is_function ? Severity::kWarning : Severity::kError, Invariant::kSchema, &node,
        std::move(problem), "its signature is " + ops::to_string(schema));
  };
  CallArguments call{.num_args = node.num_args_};
  for (uint32_t i = 0; i < node.num_kwargs_; ++i)
    call.keywords.push_back(keyword(node, i).value_or(std::string_view()));
  std::vector<BoundParameter> bound;
  bind_arguments(schema, call, call_style(*rule.op), bound, [&](const BindProblem& problem) {
    const bool is_named = problem.kind != BindProblem::kUnknownKeyword ||
                          !call.keywords[problem.index - call.num_args].empty();
    if (is_named) report_problem(describe(problem, schema, call));  // a keyword without a name: V11
  });
}

void Verifier::check_allowed(const Node& node) {
  switch (node.op_) {
    case Opcode::kCallFunction:
    case Opcode::kCallMethod:
    case Opcode::kCallModule:
      if (options_.is_allowed(node)) return;
      error(Invariant::kAllowed, &node, fmt::format("{} is not allowed here", node.target()),
            "decompose it, or allow it");
      return;
    default:
      return;
  }
}

// ---------------------------------------------------------------- references

void Verifier::check_path(const Node& node) {
  const Module* owner = graph_->owning_module();
  if (!owner) return;
  std::string_view path = node.target();
  if (node.op_ == Opcode::kCallModule) {
    if (owner->find_module(path)) return;
    error(Invariant::kPaths, &node,
          fmt::format("the owning module does not have a submodule \"{}\"", path),
          "add it (Module::add_submodule), or change the target");
    return;
  }
  if (path.empty() || subgraph_names_.contains(path) || owner->has_attribute(path)) return;
  error(Invariant::kPaths, &node,
        fmt::format(
            "the owning module does not have a parameter, buffer, constant or module \"{}\"", path),
        "add it to the module, or change the target");
}

void Verifier::check_meta(const Node& node) {
  node.meta().for_each([&](Symbol key, const Argument& value) {
    if (!value.contains_node()) return;
    error(Invariant::kMeta, &node,
          fmt::format("its metadata \"{}\" must not contain nodes", key.str()),
          "store the node's name instead");
  });
}

void Verifier::check_nested() {
  subgraph_names_.clear();
  // Graphs are popped from the end of the stack: push the first nested graph last.
  const auto& subgraphs = graph_->subgraphs_;
  for (size_t i = subgraphs.size(); i-- > 0;) {
    if (!subgraphs[i].graph) continue;
    std::string path = path_.empty() ? "" : path_ + ".";
    stack_.push_back({subgraphs[i].graph.get(), path.append(subgraphs[i].name.str())});
  }
  for (const auto& [name, graph] : subgraphs) {
    if (!graph) {
      error(Invariant::kNestedGraphs, nullptr, fmt::format("nested graph {} is null", name.str()),
            "this is a bug in fxcpp, or memory was overwritten");
    } else if (graph->context_ != graph_->context_) {
      error(Invariant::kNestedGraphs, nullptr,
            fmt::format("nested graph {} must have the Context of the graph", name.str()),
            "build it with the Context of the enclosing graph");
    }
    if (!subgraph_names_.insert(name.str()).second) {
      error(Invariant::kNestedGraphs, nullptr,
            fmt::format("the name {} is used by two nested graphs", name.str()),
            "choose different names when adding them");
    }
  }
}

// ---------------------------------------------------------------- optional rules

void Verifier::check_index() {
  absl::flat_hash_map<std::pair<Opcode, const void*>, std::vector<Node*>> expected;
  for (Node& node : graph_->nodes())
    if (node.op_ <= Opcode::kOutput) expected[{node.op_, node.target_data()}].push_back(&node);
  for (const auto& [key, nodes] : expected) {
    const Node& first = *nodes.front();
    const std::vector<Node*> found = first.op_ == Opcode::kCallFunction
                                         ? graph_->find_nodes(first.function())
                                         : graph_->find_nodes(first.op_, first.target());
    if (found == nodes) continue;
    absl::flat_hash_set<const Node*> known(found.begin(), found.end());
    for (const Node* node : nodes) {
      if (known.contains(node)) continue;
      error(Invariant::kIndex, node, "find_nodes does not find it",
            "this is a bug in fxcpp, or memory was overwritten");
    }
  }
}

void Verifier::check_dead() {
  // Walk backwards: a node is needed if it has an effect, or a needed node uses it.
  std::vector<bool> needed(graph_->storage().slot_bound());
  std::vector<const Node*> dead;
  for (const Node& node : graph_->nodes().reversed()) {
    if (!needed[node.slot_] && !is_impure(node)) {
      dead.push_back(&node);
      continue;
    }
    node.for_each_input([&](Node* input) { needed[input->slot_] = true; });
  }
  for (size_t i = dead.size(); i-- > 0;) {
    warning(Invariant::kDead, dead[i], "its value has no users", "eliminate_dead_code removes it");
  }
}

void Verifier::check_modes() {
  const Module* owner = graph_->owning_module();
  if (!owner) return;
  for (const Node& node : graph_->nodes()) {
    if (node.op_ != Opcode::kCallFunction) continue;
    for (const std::string_view name : {"training", "train"}) {
      const std::optional<Argument> flag = node.argument(name);
      if (!flag || !flag->is_bool() || flag->as_bool() == owner->training()) continue;
      warning(Invariant::kModes, &node,
              fmt::format("{} is {}, but the owning module is in {} mode", name,
                          flag->as_bool() ? "True" : "False",
                          owner->training() ? "training" : "evaluation"),
              "trace it again in that mode, or call a module (call_module), whose mode is set by "
              "train() and eval()");
    }
  }
}

}  // namespace fx
