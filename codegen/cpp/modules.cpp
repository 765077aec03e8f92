// CppOptions::modules: emits graph regions as methods of their modules' structs.
#include "fx/codegen/cpp/emitter_internal.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <utility>

namespace fx::cpp {

void Emitter::find_regions() {
  if (!shared_.structs.nested() || shared_.depth > 0) return;
  for (const Node& node : graph_.nodes())
    if (node.op() == Opcode::kCallModule) return;  // calls to modules already become methods
  regions_ = std::make_unique<Regions>(
      graph_, shared_.structs, [this](const Node& node) { return tensor_path(node); },
      [this](const Node& node) { return is_graph(node); });
}

/// True if the node has a local variable in C++.
bool Emitter::has_variable(const Node& node) const {
  const ValueKind kind = values_[node].kind;
  return kind != ValueKind::kNone && kind != ValueKind::kGraph && kind != ValueKind::kUnknown;
}

void Emitter::open_regions(const Node& node) {
  if (regions_ == nullptr) return;
  const std::vector<Region>& all = regions_->all();
  while (static_cast<size_t>(next_region_) < all.size() &&
         all[static_cast<size_t>(next_region_)].first == &node) {
    const Region& region = all[static_cast<size_t>(next_region_)];
    outer_bodies_.push_back(std::exchange(body, {}));
    region_ = next_region_++;
    shared_.structs.current = region.module;
    for (const Node* tensor : region.tensors) emit_node(*tensor);
    node_ = &node;
  }
}

void Emitter::close_regions(const Node& node) {
  while (region_ >= 0 && status_.ok()) {
    const Region& region = regions_->all()[static_cast<size_t>(region_)];
    if (region.last != &node) return;
    close_region(region_);
  }
}

/// Appends the name of a node, wrapped in std::move() if `move` is true and a move is cheaper than
/// a copy.
void Emitter::append_moved(std::string& out, const Node& node, bool move) const {
  const ValueKind kind = values_[node].kind;
  const bool moved = move && (kind == ValueKind::kTensor || kind == ValueKind::kTensors ||
                              kind == ValueKind::kTuple || kind == ValueKind::kInts);
  if (moved) out += "std::move(";
  append_name(out, node);
  if (moved) out += ')';
}

/// Sets `type` to the type of a method's result. Appends the declaration of a struct for multiple
/// results, because compilers are slow on tuples with hundreds of items, or reject them.
void Emitter::append_result_type(std::string& out, std::string& type, Struct& holder,
                                 const RegionMethod& method) {
  if (method.outputs.empty()) {
    type = "void";
  } else if (method.outputs.size() == 1) {
    append_type(type, values_[*method.outputs[0]]);
  } else {
    type = holder.unique(method.is_backward ? "BackwardResults" : "ForwardResults");
    absl::StrAppend(&out, "  struct ", type, " {\n");
    for (const Node* node : method.outputs) {
      out += "    ";
      append_type(out, values_[*node]);
      out += ' ';
      append_name(out, *node);
      out += ";\n";
    }
    out += "  };\n";
  }
}

/// Appends the method of a region, whose body is `body`. Returns the type of its result.
std::string Emitter::append_region_method(Struct& holder, const RegionMethod& method) {
  std::string& out = holder.methods;
  out += '\n';
  std::string type;
  append_result_type(out, type, holder, method);
  out += "  ";
  absl::StrAppend(&out, type, " ", method.name, "(");
  for (const Node* node : method.inputs) {
    if (node != method.inputs[0]) out += ", ";
    append_type(out, values_[*node]);
    out += ' ';
    append_name(out, *node);
  }
  absl::StrAppend(&out, ") {\n", body);
  const bool has_several = method.outputs.size() > 1;
  if (!method.outputs.empty()) {
    out += has_several ? "    return {" : "    return ";
    for (const Node* node : method.outputs) {
      if (node != method.outputs[0]) out += ", ";
      append_moved(out, *node, has_several);
    }
    out += has_several ? "};\n" : ";\n";
  }
  out += "  }\n";
  return type;
}

void Emitter::close_region(int32_t number) {
  const Region& region = regions_->all()[static_cast<size_t>(number)];
  Struct& holder = shared_.structs[region.module];
  RegionMethod method{.name = holder.unique(region.is_backward ? "backward" : "forward"),
                      .is_backward = region.is_backward};
  for (const Node* node : region.inputs)
    if (has_variable(*node)) method.inputs.push_back(node);
  for (const Node* node : region.outputs)
    if (has_variable(*node)) method.outputs.push_back(node);
  const std::string type = append_region_method(holder, method);

  // The call, in the function that contains the region.
  body = std::move(outer_bodies_.back());
  outer_bodies_.pop_back();
  region_ = region.parent;
  shared_.structs.current = holder.parent;
  append_line(*region.first);
  body += "    ";
  if (method.outputs.size() == 1) {
    absl::StrAppend(&body, type, " ");
    append_name(body, *method.outputs[0]);
    body += " = ";
  } else if (method.outputs.size() > 1) {
    body += "auto [";
    for (const Node* node : method.outputs) {
      if (node != method.outputs[0]) body += ", ";
      append_name(body, *node);
    }
    body += "] = ";
  }
  absl::StrAppend(&body, "this->", holder.member_name, ".", method.name, "(");
  for (const Node* node : method.inputs) {
    if (node != method.inputs[0]) body += ", ";
    append_moved(body, *node, regions_->is_last_use_in(region_, *node, number));
  }
  body += ");\n";
}

}  // namespace fx::cpp
