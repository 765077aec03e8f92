#include "fx/passes/cleanup/name_by_module.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/name.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

#include <optional>
#include <string>
#include <string_view>

namespace fx {
namespace {

std::string name_of_path(std::string_view path) { return legal_name(path); }

/// Returns the last component of an operator's name: `convolution` for aten.convolution.default.
std::string operator_part(const Node& node) {
  std::string_view target = node.target();
  if (const ops::OpInfo* op = node.function().op();
      op != nullptr && target.find('.') != target.rfind('.'))
    target = target.substr(0, target.rfind('.'));
  return legal_name(target.substr(target.rfind('.') + 1));  // npos + 1 is 0
}

class Namer {
 public:
  explicit Namer(Graph& graph) : graph_(graph), is_gradient_(graph) {}

  bool run(const NameByModuleOptions& options);

 private:
  void rename(Node& node, const std::string& candidate);
  void name_inputs();
  void name_gradients();
  void find_results();
  void name_calls();
  static bool is_backward(const Node& node) { return node.meta().get(meta::kRegion) == "bw"; }

  Graph& graph_;
  NodeSet is_gradient_;
  absl::flat_hash_map<Symbol, const Node*> results_;  // by module without submodules
  bool changed_ = false;
};

/// Renames a node to the candidate. Keeps a name that an earlier run derived from the candidate
/// because the candidate was in use.
void Namer::rename(Node& node, const std::string& candidate) {
  SymbolTable& symbols = graph_.context().symbols();
  const std::string name(node.name());
  const Name now = split_name(symbols, name);
  const NameHint hint = make_name_hint(symbols, candidate);
  if (name == candidate || (now.has_number() && now.base == hint.base)) return;
  node.rename(candidate);
  changed_ = true;
}

void Namer::name_inputs() {
  for (Node& node : graph_.nodes()) {
    if (!node.is_placeholder()) continue;
    const std::string_view kind = input_fact(node, "kind");
    if (kind != "parameter" && kind != "buffer") continue;
    rename(node, name_of_path(input_fact(node, "target")));
    const std::string name(node.name());
    if (node.target() != name) node.set_target(name);
  }
}

void Namer::name_gradients() {
  const Node* output = graph_.output_node();
  if (output == nullptr || output->num_args() == 0) return;
  const std::optional<Argument> descriptions = output->meta().get(meta::kOutputs);
  const ArgumentRef values = output->arg(0);
  if (!descriptions || !is_aggregate(values.kind()) || descriptions->size() != values.size())
    return;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].is_node()) continue;
    const Argument& description = (*descriptions)[i];
    if (description.find_text("kind") != "gradient") continue;
    const Argument* const parameter = description.find("of");
    const std::string_view target =
        parameter != nullptr ? parameter->find_text("target") : std::string_view();
    Node& node = *values[i].as_node();
    // A value may be the gradient of multiple parameters; it is named after the first one.
    if (target.empty() || node.is_placeholder() || !is_gradient_.insert(node)) continue;
    rename(node, "grad_" + name_of_path(target));
  }
}

void Namer::find_results() {
  Context& context = graph_.context();
  absl::flat_hash_set<Symbol> with_submodules;
  for (const Node& node : graph_.nodes()) {
    for (std::string_view outer = parent_path(module_path(node));
         !outer.empty() && with_submodules.insert(context.symbol(outer)).second;)
      outer = parent_path(outer);
  }
  for (const Node& node : graph_.nodes()) {
    if (node.op() != Opcode::kCallFunction || is_backward(node)) continue;
    const std::string_view path = module_path(node);
    if (path.empty()) continue;
    const Symbol module = context.symbol(path);
    if (!with_submodules.contains(module)) results_[module] = &node;
  }
}

void Namer::name_calls() {
  const Target getitem = graph_.context().function("operator.getitem");
  for (Node& node : graph_.nodes()) {
    if (node.op() != Opcode::kCallFunction || is_gradient_.contains(node)) continue;
    const std::string_view path = module_path(node);
    if (path.empty()) continue;
    const auto result = results_.find(graph_.context().symbol(path));
    if (result != results_.end() && result->second == &node) {
      rename(node, name_of_path(path));
    } else {
      rename(node, name_of_path(path) + "_" +
                       (node.is(getitem) ? std::string("item") : operator_part(node)));
    }
  }
}

bool Namer::run(const NameByModuleOptions& options) {
  if (options.inputs) name_inputs();
  name_gradients();
  find_results();
  name_calls();
  return changed_;
}

}  // namespace

bool name_by_module(Graph& graph, const NameByModuleOptions& options) {
  return Namer(graph).run(options);
}

}  // namespace fx
