// Reads module trees from interchange JSON: docs/json.md, "Modules".
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/json/json_writer_internal.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace json {
namespace {

/// The number of elements that a tensor with data may span in memory, including gaps.
constexpr int64_t kMaxSpan = int64_t{1} << 24;

/// A tensor of this type with these elements, in row-major order.
absl::StatusOr<Tensor> tensor_from_data(Type type, const Argument& data) {
  std::vector<int64_t> sizes, strides;
  for (const Dim& size : type.sizes()) {
    if (!size.is_int())
      return absl::InvalidArgumentError("a tensor with data must have constant sizes");
    sizes.push_back(size.value());
  }
  for (const Dim& stride : type.strides()) {
    if (!stride.is_int())
      return absl::InvalidArgumentError("a tensor with data must have constant strides");
    strides.push_back(stride.value());
  }
  if (!type.has_strides() || !type.offset().is_int() || type.offset().value() < 0)
    return absl::InvalidArgumentError("a tensor with data must have a known memory layout");
  std::vector<Argument> elements;
  elements.reserve(data.size());
  for (size_t i = 0; i < data.size(); ++i) elements.push_back(data[i]);
  FX_ASSIGN_OR_RETURN(Tensor dense, Tensor::from_elements(type.dtype(), sizes, elements));
  const int64_t offset = type.offset().value();
  if (type.has_default_strides() && offset == 0) return dense;
  return dense.restrided(strides, offset, kMaxSpan);
}

}  // namespace

absl::StatusOr<std::unique_ptr<GraphModule>> Reader::read_module_document() {
  FX_RETURN_IF_ERROR(check_document());
  auto graph = std::make_unique<Graph>(context_);
  FX_RETURN_IF_ERROR(read_root_graph(*graph));
  const std::string_view model = graph_name(*graph);
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> root,
                      make_graph_module(model.empty() ? "GraphModule" : model));
  if (Value modules = root_.find("modules")) FX_RETURN_IF_ERROR(read_modules(modules, *root));
  declare_missing(*root, *graph);
  FX_RETURN_IF_ERROR(root->set_graph(std::move(graph)));
  return root;
}

absl::StatusOr<std::unique_ptr<GraphModule>> Reader::make_graph_module(std::string_view name) {
  return GraphModule::create(absl::Span<const std::pair<std::string_view, Attribute>>(),
                             std::make_unique<Graph>(context_), name);
}

/// Declares the tensors that get_attr nodes refer to but that are in no module, if their types are
/// known: for documents without a module tree.
void Reader::declare_missing(GraphModule& root, const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (node.op() != Opcode::kGetAttr || !node.type().is_tensor()) continue;
    if (graph.find_subgraph(node.target()) || root.has_attribute(node.target())) continue;
    Attribute constant = Attribute::constant(Tensor::declared(node.type()));
    constant.requires_grad = node.type().requires_grad();
    // Fails for a path that leads through a tensor; verify() reports it.
    root.assign(node.target(), std::move(constant)).IgnoreError();
  }
}

absl::Status Reader::read_modules(Value modules, GraphModule& root) {
  if (!modules.is_array()) return modules.error("expected a list of modules");
  absl::flat_hash_map<std::string_view, std::shared_ptr<Module>> read;  // null: the root
  absl::flat_hash_map<std::string, Attribute> tensors;                  // by path
  for (Value entry : modules.items()) {
    if (!entry.is_object()) return entry.error("expected an object");
    FX_ASSIGN_OR_RETURN(const std::string_view path, read_path(entry));
    Value path_value = entry.find("path");
    if (read.empty() != path.empty())
      return path_value.error("the root, path \"\", must be the first entry and occur only once");
    if (read.contains(path)) return path_value.error("duplicate path");
    std::shared_ptr<Module> module;
    if (Value same = entry.find("same")) {
      FX_ASSIGN_OR_RETURN(std::string_view first, read_string(same, "a path"));
      auto it = read.find(first);
      if (it == read.end() || !it->second)
        return same.error(fmt::format("the path \"{}\" must occur in an earlier entry", first));
      module = it->second;
    } else {
      FX_ASSIGN_OR_RETURN(module, read_module(entry, path, root, tensors));
    }
    read.emplace(path, module);
    if (path.empty()) continue;
    const size_t dot = path.rfind('.');
    const bool nested = dot != std::string_view::npos;
    const auto parent = read.find(nested ? path.substr(0, dot) : std::string_view());
    if (parent == read.end())
      return path_value.error("the parent of this module must have an entry");
    Module& owner = parent->second ? *parent->second : root;
    absl::Status status = owner.set_attribute(nested ? path.substr(dot + 1) : path,
                                              Attribute::submodule(std::move(module)));
    if (!status.ok()) return path_value.error(std::string(status.message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string_view> Reader::read_path(Value entry) {
  Value value = entry.find("path");
  if (!value) return entry.error("the key \"path\" is missing");
  FX_ASSIGN_OR_RETURN(std::string_view path, read_string(value, "a path"));
  if (static_cast<size_t>(std::count(path.begin(), path.end(), '.')) >= kMaxModuleDepth)
    return value.error(fmt::format("modules are nested more than {} levels deep", kMaxModuleDepth));
  return path;
}

absl::StatusOr<std::shared_ptr<Module>> Reader::make_module(Value entry,
                                                            GraphModule*& graph_module) {
  Value class_value = entry.find("class");
  if (!class_value) return entry.error("the key \"class\" is missing");
  FX_ASSIGN_OR_RETURN(std::string_view class_name, read_string(class_value, "a class name"));
  if (Value name = entry.find("name")) {
    FX_ASSIGN_OR_RETURN(std::string_view text, read_string(name, "a class name"));
    if (graph_module) graph_module->set_class_name(text);
    class_name = class_name == kGraphModuleClass ? text : class_name;
  }
  if (graph_module) return nullptr;
  if (class_value.as_string() != kGraphModuleClass) return std::make_shared<Module>(class_name);
  FX_ASSIGN_OR_RETURN(
      std::unique_ptr<GraphModule> child,
      make_graph_module(entry.find("name") ? class_name : std::string_view("GraphModule")));
  graph_module = child.get();
  return std::shared_ptr<Module>(std::move(child));
}

absl::StatusOr<std::shared_ptr<Module>> Reader::read_module(
    Value entry, std::string_view path, GraphModule& root,
    absl::flat_hash_map<std::string, Attribute>& tensors) {
  GraphModule* graph_module = path.empty() ? &root : nullptr;
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Module> created, make_module(entry, graph_module));
  Module& module = created ? *created : root;
  for (auto [key, value] : entry.members()) {
    if (key == "path" || key == "class" || key == "name") continue;
    if (key == "training") {
      if (!value.is_bool()) return value.error("expected a bool");
      module.set_training(value.as_bool());
      continue;
    }
    if (!value.is_object()) return value.error("expected an object");
    if (key == "graph") {
      if (!graph_module || path.empty())
        return value.error("only a graph module other than the root may have a graph here");
      auto graph = std::make_unique<Graph>(context_);
      FX_RETURN_IF_ERROR(read_graph(value, *graph, 1));
      FX_RETURN_IF_ERROR(graph_module->set_graph(std::move(graph)));
      continue;
    }
    FX_RETURN_IF_ERROR(read_members(key, value, path, module, graph_module, tensors));
  }
  return created;
}

absl::Status Reader::read_members(std::string_view table, Value members, std::string_view path,
                                  Module& module, GraphModule* graph_module,
                                  absl::flat_hash_map<std::string, Attribute>& tensors) {
  for (auto [name, member] : members.members()) {
    absl::Status status;
    if (table == "attributes" || (table == "meta" && graph_module)) {
      FX_ASSIGN_OR_RETURN(Argument argument, read_argument(member, nullptr));
      if (table == "meta")
        graph_module->set_meta(name, std::move(argument));
      else
        module.set_hyperparameter(name, std::move(argument));
    } else if (table == "parameters" || table == "buffers" || table == "constants") {
      FX_ASSIGN_OR_RETURN(Attribute attribute, read_attribute(member, table, tensors));
      if (attribute.tensor) {
        const std::string full =
            path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
        tensors.emplace(full, attribute);
      }
      status = module.set_attribute(name, std::move(attribute));
    } else {
      return members.error(fmt::format("unknown key \"{}\" in a module", table));
    }
    if (!status.ok()) return member.error(std::string(status.message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<Attribute> Reader::read_attribute(
    Value value, std::string_view table,
    const absl::flat_hash_map<std::string, Attribute>& tensors) {
  Attribute attribute;
  attribute.kind = table == "parameters" ? AttributeKind::kParameter
                   : table == "buffers"  ? AttributeKind::kBuffer
                                         : AttributeKind::kConstant;
  if (value.is_null()) return attribute;
  const bool entry = value.is_object() && value.size() > 0;
  if (entry && attribute.kind == AttributeKind::kBuffer) {
    if (Value persistent = value.find("persistent")) {
      if (!persistent.is_bool()) return persistent.error("expected a bool");
      attribute.persistent = persistent.as_bool();
    }
  }
  if (entry && value.first().key == "same") {
    FX_RETURN_IF_ERROR(read_same_tensor(value, tensors, attribute));
    return attribute;
  }
  if (entry && value.first().key == "t") {
    FX_RETURN_IF_ERROR(read_tensor_attribute(value, attribute));
    if (attribute.tensor) return attribute;
  } else if (attribute.kind != AttributeKind::kConstant) {
    return value.error("expected a tensor");
  }
  FX_ASSIGN_OR_RETURN(attribute.value, read_argument(value, nullptr));
  return attribute;
}

absl::Status Reader::read_same_tensor(Value value,
                                      const absl::flat_hash_map<std::string, Attribute>& tensors,
                                      Attribute& attribute) {
  FX_RETURN_IF_ERROR(attribute.kind == AttributeKind::kBuffer
                         ? check_keys(value, {"same", "rg", "persistent"})
                         : check_keys(value, {"same", "rg"}));
  Value same = value.first().value;
  FX_ASSIGN_OR_RETURN(std::string_view path, read_string(same, "a path"));
  auto it = tensors.find(std::string(path));
  if (it == tensors.end())
    return same.error(fmt::format("a tensor at \"{}\" must occur before this entry", path));
  attribute.tensor = it->second.tensor;
  attribute.requires_grad = attribute.kind == AttributeKind::kParameter && it->second.requires_grad;
  if (Value rg = value.find("rg")) {
    if (!rg.is_bool()) return rg.error("expected a bool");
    attribute.requires_grad = rg.as_bool();
  }
  return absl::OkStatus();
}

absl::Status Reader::read_tensor_attribute(Value value, Attribute& attribute) {
  bool has_extras = false, has_other_extras = false;
  const bool is_buffer = attribute.kind == AttributeKind::kBuffer;
  FX_ASSIGN_OR_RETURN(Type type, read_tensor(value, &has_extras, is_buffer ? "persistent" : ""));
  if (!is_json_tensor(type)) return value.error("a tensor of a module must have a dtype and sizes");
  for (std::string_view key : kTensorExtras)
    has_other_extras = has_other_extras || (key != "data" && value.find(key));
  attribute.requires_grad = type.requires_grad();
  // A constant may be an Argument, which keeps its Python class; other tensors lose it.
  if (attribute.kind == AttributeKind::kConstant && has_other_extras) return absl::OkStatus();
  Value data = value.find("data");
  if (!data) {
    attribute.tensor = Tensor::declared(type);
    return absl::OkStatus();
  }
  FX_ASSIGN_OR_RETURN(Argument elements, read_argument(data, nullptr));
  if (!elements.is_list()) return data.error("expected a list");
  absl::StatusOr<Tensor> tensor = tensor_from_data(type, elements);
  if (!tensor.ok()) return data.error(std::string(tensor.status().message()));
  attribute.tensor = *tensor;
  return absl::OkStatus();
}

}  // namespace json

absl::StatusOr<std::unique_ptr<GraphModule>> read_json_module(Context& context,
                                                              std::string_view text,
                                                              const JsonOptions& options) {
  FX_ASSIGN_OR_RETURN(json::Tree tree, json::Tree::parse(text));
  return json::Reader(context, tree, options).read_module_document();
}

}  // namespace fx
