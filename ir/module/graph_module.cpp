#include "fx/ir/module/graph_module.h"

#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fx {
namespace {

/// A node that refers to a path of the module that owns its graph.
struct Reference {
  const Node* node;
  std::string_view path;
  bool nested;  ///< from a nested graph: `path` starts with the path of that graph
};

using VisitReference = absl::FunctionRef<absl::Status(const Reference&)>;

bool names_path(const Node& node) {
  return node.op() == Opcode::kGetAttr || node.op() == Opcode::kCallModule;
}

bool may_have_references(const Graph& graph) {
  return graph.num_nodes(Opcode::kGetAttr) > 0 || graph.num_nodes(Opcode::kCallModule) > 0 ||
         graph.num_subgraphs() > 0;
}

/// Calls `f` for the references of this graph alone. `prefix` ends in a dot unless empty.
absl::Status for_each_own_reference(const Graph& graph, std::string_view prefix, bool nested,
                                    VisitReference f) {
  absl::flat_hash_set<std::string_view> subgraphs;
  for (size_t i = 0; i < graph.num_subgraphs(); ++i) subgraphs.insert(graph.subgraph_name(i));
  std::string path(prefix);
  for (const Node& node : graph.nodes()) {
    if (!names_path(node)) continue;
    std::string_view target = node.target();
    if (node.op() == Opcode::kGetAttr && !subgraphs.empty() && subgraphs.contains(target)) continue;
    if (!prefix.empty()) {
      path.resize(prefix.size());
      path += target;
      target = path;
    }
    FX_RETURN_IF_ERROR(f({&node, target, nested}));
  }
  return absl::OkStatus();
}

/// Calls `f` for every reference of the graph and its nested graphs until `f` fails. Names of
/// nested graphs are not references.
absl::Status for_each_reference(const Graph& graph, VisitReference f) {
  // Fast path: graphs of fused nodes, which are numerous, usually have none.
  if (!may_have_references(graph)) return absl::OkStatus();
  FX_RETURN_IF_ERROR(for_each_own_reference(graph, "", false, f));
  for (const NestedGraph& nested : nested_graph_paths(graph, kMaxModuleDepth))
    FX_RETURN_IF_ERROR(for_each_own_reference(*nested.graph, nested.path + ".", true, f));
  return absl::OkStatus();
}

absl::Status missing(const Reference& reference) {
  return absl::NotFoundError(
      fmt::format("node {} ({}) refers to \"{}\", which the module does not have; add it there, or "
                  "change the node",
                  reference.node->name(), opcode_name(reference.node->op()), reference.path));
}

/// Checks that the target of a call_module is a module.
absl::Status check_callable(const Reference& reference, const Module& root) {
  if (reference.node->op() != Opcode::kCallModule) return absl::OkStatus();
  const Attribute* target = root.find_attribute(reference.path);
  if (!target || target->module) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("node {} calls \"{}\", which is a {}, not a module",
                                                reference.node->name(), reference.path,
                                                attribute_kind_name(target->kind)));
}

absl::Status check_adoptable(const Graph* graph, const Module* allowed_owner) {
  if (!graph) return absl::InvalidArgumentError("the graph of a GraphModule must not be null");
  if (graph->owning_module() && graph->owning_module() != allowed_owner) {
    return absl::FailedPreconditionError(
        fmt::format("the graph belongs to another module of class {}; clone it first",
                    graph->owning_module()->class_name()));
  }
  return absl::OkStatus();
}

}  // namespace

void GraphModule::take_graph(std::unique_ptr<Graph>&& graph) {
  graph_ = std::move(graph);
  graph_->set_owning_module(this);
}

GraphModule::~GraphModule() = default;

/// Copies members of another module.
class GraphModule::MemberCopier {
 public:
  MemberCopier(const Module& root, Module& to) : root_(root), to_(to) {}

  /// False when there is no member at the path.
  bool copy(std::string_view path) {
    const Module* from = &root_;
    Module* into = &to_;
    // Consecutive paths are often in the same module: a layer's weight and bias.
    const size_t last_dot = path.rfind('.');
    if (from_ != nullptr && last_dot == parent_.size() && path.starts_with(parent_)) {
      from = from_;
      into = into_;
      path.remove_prefix(last_dot + 1);
    }
    const std::string_view whole = path;
    while (true) {
      const size_t dot = path.find('.');
      const std::string_view name = path.substr(0, dot);
      const Attribute* source = from->attributes_.find(name);
      const bool is_last = dot == std::string_view::npos;
      if (!source || !(is_last || source->module)) return false;
      const auto [present, is_new] = into->attributes_.find_or_append(name);
      // A called module on the path has already been added as a whole.
      if (!is_new && source->module && present->module == source->module) return true;
      if (is_last) {
        if (is_new || source->module) into->put(name, Attribute(*source), present);
        // Paths below a module that was added as a whole are resolved from the root again.
        if (source->module) {
          from_ = nullptr;
        } else if (whole.size() > name.size()) {
          from_ = from;
          into_ = into;
          parent_ = whole.substr(0, whole.size() - name.size() - 1);
        }
        return true;
      }
      if (is_new) {
        auto created = std::make_shared<Module>();
        created->training_ = source->module->training_;
        into->put(name, Attribute::submodule(std::move(created)), present);
      }
      from = source->module.get();
      into = present->module.get();
      path.remove_prefix(dot + 1);
    }
  }

 private:
  const Module& root_;
  Module& to_;
  // The modules that contain the last member that is not a module, and their path; null if unknown.
  std::string parent_;
  const Module* from_ = nullptr;
  Module* into_ = nullptr;
};

absl::StatusOr<std::unique_ptr<GraphModule>> GraphModule::create(const Module& root,
                                                                 std::unique_ptr<Graph>&& graph,
                                                                 std::string_view class_name) {
  FX_RETURN_IF_ERROR(check_adoptable(graph.get(), &root));
  std::unique_ptr<GraphModule> result(new GraphModule(class_name));
  result->set_training(root.training());
  MemberCopier members(root, *result);
  FX_RETURN_IF_ERROR(for_each_reference(*graph, [&](const Reference& reference) -> absl::Status {
    if (reference.nested && !root.has_attribute(reference.path)) return absl::OkStatus();
    if (!members.copy(reference.path)) return missing(reference);
    return check_callable(reference, *result);
  }));
  result->take_graph(std::move(graph));
  return result;
}

absl::StatusOr<std::unique_ptr<GraphModule>> GraphModule::create(
    absl::Span<const std::pair<std::string_view, Attribute>> attributes,
    std::unique_ptr<Graph>&& graph, std::string_view class_name) {
  FX_RETURN_IF_ERROR(check_adoptable(graph.get(), nullptr));
  absl::flat_hash_map<std::string_view, const Attribute*> given;
  for (const auto& [path, attribute] : attributes) given[path] = &attribute;
  // Shallow paths first; paths of equal depth in the order of the nodes.
  std::vector<std::vector<std::string_view>> paths_by_depth;  // by number of dots
  absl::flat_hash_set<std::string_view> seen;
  FX_RETURN_IF_ERROR(for_each_reference(*graph, [&](const Reference& reference) -> absl::Status {
    const auto it = given.find(reference.path);
    if (it == given.end()) return reference.nested ? absl::OkStatus() : missing(reference);
    const std::string_view path = it->first;
    if (!seen.insert(path).second) return absl::OkStatus();
    const auto dots = static_cast<size_t>(std::count(path.begin(), path.end(), '.'));
    if (dots >= paths_by_depth.size()) paths_by_depth.resize(dots + 1);
    paths_by_depth[dots].push_back(path);
    return absl::OkStatus();
  }));
  std::unique_ptr<GraphModule> result(new GraphModule(class_name));
  for (const std::vector<std::string_view>& paths : paths_by_depth)
    for (const std::string_view path : paths)
      FX_RETURN_IF_ERROR(result->assign(path, *given.find(path)->second));
  FX_RETURN_IF_ERROR(for_each_reference(
      *graph, [&](const Reference& reference) { return check_callable(reference, *result); }));
  result->take_graph(std::move(graph));
  return result;
}

absl::Status GraphModule::set_graph(std::unique_ptr<Graph>&& graph) {
  FX_RETURN_IF_ERROR(check_adoptable(graph.get(), nullptr));
  version_base_ = version() + 1;
  take_graph(std::move(graph));
  return absl::OkStatus();
}

uint64_t GraphModule::version() const {
  uint64_t version = version_base_;
  for (const Graph& graph : all_graphs(std::as_const(*graph_))) version += graph.version();
  return version;
}

void GraphModule::set_meta(std::string_view key, Argument value) {
  FX_CHECK(!value.contains_node(), "metadata must not contain nodes");
  meta_.set(key, std::move(value));
}

absl::Status GraphModule::delete_submodule(std::string_view path, DeleteOptions options) {
  if (options.check_references) {
    std::vector<std::string> nodes;
    FX_RETURN_IF_ERROR(for_each_reference(*graph_, [&](const Reference& reference) {
      const bool refers_to_it =
          reference.path.starts_with(path) &&
          (reference.path.size() == path.size() || reference.path[path.size()] == '.');
      if (refers_to_it) nodes.push_back(reference.node->name());
      return absl::OkStatus();
    }));
    if (!nodes.empty()) {
      constexpr size_t kShown = 8;
      const size_t count = nodes.size();
      if (count > kShown) nodes.resize(kShown);
      return absl::FailedPreconditionError(
          fmt::format("module \"{}\" cannot be deleted, because {} refer{} to it ({}{}); erase or "
                      "change them first",
                      path, pluralize(count, "node"), count == 1 ? "s" : "", fmt::join(nodes, ", "),
                      count > kShown ? ", ..." : ""));
    }
  }
  return Module::delete_submodule(path);
}

/// The modules and members of a tree that the nodes of a graph use.
class GraphModule::Needs {
 public:
  explicit Needs(GraphModule& root) : root_(root) {}

  /// Adds the target of a node and the modules on the path to it.
  void add(std::string_view path) {
    Module* module = &root_;
    while (true) {
      if (module != &root_ && module->as_graph_module()) return add_whole(module);
      Need& need = needs_[module];
      if (need.whole) return;
      const size_t dot = path.find('.');
      const auto member = module->attributes_.find_entry(path.substr(0, dot));
      if (!member) return;  // verify reports it
      need.names.insert(member->key);
      module = member->value.module.get();
      if (!module) return;
      if (dot == std::string_view::npos) return add_whole(module);
      path.remove_prefix(dot + 1);
    }
  }
  /// Adds a module and everything below it.
  void add_whole(Module* top) {
    std::vector<Module*> todo = {top};
    while (!todo.empty()) {
      Module* module = todo.back();
      todo.pop_back();
      Need& need = needs_[module];
      if (need.whole) continue;
      need.whole = true;
      for (const NamedModule& child : module->children()) todo.push_back(child.module);
    }
  }

  bool whole(const Module* module) const {
    const auto it = needs_.find(module);
    return it != needs_.end() && it->second.whole;
  }
  bool needs(const Module* module, std::string_view name) const {
    const auto it = needs_.find(module);
    return it != needs_.end() && it->second.names.contains(name);
  }

 private:
  struct Need {
    bool whole = false;
    absl::flat_hash_set<std::string_view> names;  // of members, when not whole
  };

  GraphModule& root_;
  absl::flat_hash_map<const Module*, Need> needs_;
};

std::vector<std::string> GraphModule::prune_unused(PruneOptions options) {
  Needs needs(*this);
  FX_CHECK_OK(for_each_reference(*graph_, [&](const Reference& reference) {
    needs.add(reference.path);
    return absl::OkStatus();
  }));
  auto removable = [&](AttributeKind kind) {
    switch (kind) {
      case AttributeKind::kModule:
        return options.modules;
      case AttributeKind::kParameter:
        return options.parameters;
      case AttributeKind::kBuffer:
        return options.buffers;
      case AttributeKind::kConstant:
        return options.constants;
    }
    FX_UNREACHABLE("attribute kind");
  };
  if (!options.modules) {  // keep other graphs, and therefore their members
    for_each_module([&](std::string_view, Module& module) {
      if (&module != this && module.as_graph_module()) needs.add_whole(&module);
    });
  }
  std::vector<std::string> removed;
  for_each_module([&](std::string_view path, Module& module) {
    if (needs.whole(&module)) return;
    for (auto it = module.attributes_.begin(); it != module.attributes_.end();) {
      if (!removable(it->value.kind) || needs.needs(&module, it->key)) {
        ++it;
        continue;
      }
      removed.push_back(path.empty() ? it->key : fmt::format("{}.{}", path, it->key));
      if (it->value.module) --it->value.module->num_parents_;
      it = module.attributes_.erase(it);
    }
  });
  return removed;
}

std::unique_ptr<Module> GraphModule::clone_shell() const {
  std::unique_ptr<GraphModule> copy(new GraphModule(class_name()));
  copy->take_graph(graph_->clone());
  for (const auto& [key, value] : meta_) copy->meta_.set(key, value);
  return copy;
}

absl::StatusOr<std::unique_ptr<GraphModule>> GraphModule::clone(CopyMode mode) const {
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Module> copy, Module::clone(mode));
  return std::unique_ptr<GraphModule>(static_cast<GraphModule*>(copy.release()));
}

}  // namespace fx
