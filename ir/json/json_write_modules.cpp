// Writes module trees as interchange JSON: docs/json.md, "Modules".
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/json/json_writer_internal.h"
#include "fx/ir/module/graph_module.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace json {
namespace {

/// Tensors with more elements are written without their data.
constexpr int64_t kMaxElements = 64;

bool writes_data(const Attribute& attribute, std::string_view name) {
  const Tensor& tensor = attribute.tensor;
  if (!tensor.has_data() || tensor.num_elements() > kMaxElements) return false;
  if (tensor.device().type != DeviceType::kCpu) return false;
  const DType dtype = tensor.dtype();
  if (!is_floating_point(dtype) && !is_integral(dtype) && dtype != DType::kBool) return false;
  if (attribute.kind == AttributeKind::kConstant) return true;
  if (attribute.kind != AttributeKind::kBuffer) return false;
  // Buffers that tracing created from constants.
  if (name.starts_with('_')) name.remove_prefix(1);
  return name.starts_with("tensor_constant") || name.starts_with("lifted_tensor");
}

std::string join(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

}  // namespace

void Writer::write_modules(const GraphModule& root) {
  need_format_2();
  begin_entry("modules");
  out_ += '[';
  // Depth first; a module reachable by more than one path is written under the first.
  struct Todo {
    std::string path;
    const Module* module;
  };
  std::vector<Todo> stack = {{"", &root}};
  absl::flat_hash_map<const Module*, std::string> written;
  while (!stack.empty()) {
    const Todo todo = std::move(stack.back());
    stack.pop_back();
    out_ += out_.back() == '[' ? "\n " : ",\n ";
    auto [first, is_new] = written.emplace(todo.module, todo.path);
    if (!is_new) {
      out_ += "{\"path\":";
      write_text(todo.path);
      out_ += ",\"same\":";
      write_text(first->second);
      out_ += '}';
      continue;
    }
    write_module(root, *todo.module, todo.path);
    const size_t end = stack.size();
    for (const auto& [name, attribute] : todo.module->attributes())
      if (attribute.kind == AttributeKind::kModule && attribute.module)
        stack.push_back({join(todo.path, name), attribute.module.get()});
    std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(end), stack.end());
  }
  out_ += "\n]";
}

void Writer::write_module(const GraphModule& root, const Module& module, const std::string& path) {
  const GraphModule* graph_module = module.as_graph_module();
  out_ += "{\"path\":";
  write_text(path);
  key("class");
  write_text(graph_module ? kGraphModuleClass : std::string_view(module.class_name()));
  if (graph_module) {
    key("name");
    write_text(module.class_name());
  }
  key("training");
  out_ += module.training() ? "true" : "false";
  if (!module.hyperparameters().empty()) {
    key("attributes");
    write_arguments(module.hyperparameters());
  }
  write_attributes(root, module, path, AttributeKind::kParameter);
  write_attributes(root, module, path, AttributeKind::kBuffer);
  write_attributes(root, module, path, AttributeKind::kConstant);
  if (graph_module && graph_module != &root) {
    key("graph");
    write_graph(graph_module->graph(), 0, /*compact=*/true);
  }
  if (graph_module && !graph_module->meta().empty()) {
    key("meta");
    write_arguments(graph_module->meta());
  }
  out_ += '}';
}

void Writer::write_arguments(const OrderedMap<Argument>& entries) {
  out_ += '{';
  for (const auto& [name, value] : entries) {
    if (out_.back() != '{') out_ += ',';
    write_text(name);
    out_ += ':';
    write_argument(value);
  }
  out_ += '}';
}

void Writer::write_attributes(const GraphModule& root, const Module& module,
                              const std::string& path, AttributeKind kind) {
  bool first = true;
  for (const auto& [name, attribute] : module.attributes()) {
    if (attribute.kind != kind) continue;
    if (first) {
      key(std::string(attribute_kind_name(kind)) + "s");
      out_ += '{';
    } else {
      out_ += ',';
    }
    first = false;
    write_text(name);
    out_ += ':';
    write_attribute(root, attribute, name, join(path, name));
  }
  if (!first) out_ += '}';
}

void Writer::write_attribute(const GraphModule& root, const Attribute& attribute,
                             std::string_view name, const std::string& path) {
  if (!attribute.tensor) {
    write_argument(attribute.value);  // None, or a constant that is not a tensor
    return;
  }
  auto [it, is_new] =
      tensors_.try_emplace(attribute.tensor.identity(), FirstTensor{path, attribute.requires_grad});
  if (!is_new) {
    const FirstTensor& first = it->second;
    out_ += "{\"same\":";
    write_text(first.path);
    const bool follows = attribute.kind == AttributeKind::kParameter && first.requires_grad;
    if (attribute.requires_grad != follows) {
      key("rg");
      out_ += attribute.requires_grad ? "true" : "false";
    }
  } else {
    const Type type =
        attribute.tensor.type(root.graph().context().types(), attribute.requires_grad);
    if (!is_json_tensor(type)) fail(fmt::format("tensor {} must have a dtype and a rank", path));
    write_tensor(type);
    out_.pop_back();
    if (writes_data(attribute, name)) {
      key("data");
      out_ += '[';
      for (int64_t i = 0; i < attribute.tensor.num_elements(); ++i) {
        if (i) out_ += ',';
        write_argument(attribute.tensor.element(i));
      }
      out_ += ']';
    }
  }
  if (attribute.kind == AttributeKind::kBuffer && !attribute.persistent) {
    key("persistent");
    out_ += "false";
  }
  out_ += '}';
}

}  // namespace json

absl::StatusOr<std::string> write_json(const GraphModule& module, const JsonWriteOptions& options) {
  return json::Writer(options).write_document(module.graph(), &module);
}

}  // namespace fx
