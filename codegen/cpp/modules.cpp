// CppOptions::modules: regions of the graph as methods of the structs of their modules.
#include "fx/codegen/cpp/emitter_internal.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <utility>

namespace fx::cpp {

void Emitter::find_regions() {
  if (!shared_.structs.nested() || shared_.depth > 0) return;
  for (const Node& node : graph_.nodes())
    if (node.op() == Opcode::kCallModule) return;  // calls of modules already become methods
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
    frame_ = next_region_++;
    shared_.structs.current = region.module;
    for (const Node* tensor : region.tensors) emit_node(*tensor);
    node_ = &node;
  }
}

void Emitter::close_regions(const Node& node) {
  while (frame_ >= 0 && status_.ok()) {
    const Region& region = regions_->all()[static_cast<size_t>(frame_)];
    if (region.last != &node) return;
    close_region(frame_);
  }
}

void Emitter::close_region(int32_t number) {
  const Region& region = regions_->all()[static_cast<size_t>(number)];
  std::vector<const Node*> inputs, outputs;
  for (const Node* node : region.inputs)
    if (has_variable(*node)) inputs.push_back(node);
  for (const Node* node : region.outputs)
    if (has_variable(*node)) outputs.push_back(node);
  const auto append_moved = [&](std::string& out, const Node& node, bool move) {
    const ValueKind kind = values_[node].kind;
    const bool counts = kind == ValueKind::kTensor || kind == ValueKind::kTensors ||
                        kind == ValueKind::kTuple || kind == ValueKind::kInts;
    if (move && counts) out += "std::move(";
    append_name(out, node);
    if (move && counts) out += ')';
  };

  // The method. Several results are a struct: compilers take minutes for tuples of hundreds.
  Struct& holder = shared_.structs[region.module];
  const std::string method = holder.unique(region.is_backward ? "backward" : "forward");
  std::string& out = holder.methods;
  out += '\n';
  std::string type = outputs.empty() ? "void" : "";
  if (outputs.size() == 1) append_type(type, values_[*outputs[0]]);
  if (outputs.size() > 1) {
    type = holder.unique(region.is_backward ? "BackwardResults" : "ForwardResults");
    absl::StrAppend(&out, "  struct ", type, " {\n");
    for (const Node* node : outputs) {
      out += "    ";
      append_type(out, values_[*node]);
      out += ' ';
      append_name(out, *node);
      out += ";\n";
    }
    out += "  };\n";
  }
  out += "  ";
  absl::StrAppend(&out, type, " ", method, "(");
  for (const Node* node : inputs) {
    if (node != inputs[0]) out += ", ";
    append_type(out, values_[*node]);
    out += ' ';
    append_name(out, *node);
  }
  absl::StrAppend(&out, ") {\n", body);
  if (!outputs.empty()) {
    out += outputs.size() > 1 ? "    return {" : "    return ";
    for (const Node* node : outputs) {
      if (node != outputs[0]) out += ", ";
      append_moved(out, *node, outputs.size() > 1);
    }
    out += outputs.size() > 1 ? "};\n" : ";\n";
  }
  out += "  }\n";

  // The call of it, in what is around.
  body = std::move(outer_bodies_.back());
  outer_bodies_.pop_back();
  frame_ = region.parent;
  shared_.structs.current = holder.parent;
  append_line(*region.first);
  body += "    ";
  if (outputs.size() == 1) {
    absl::StrAppend(&body, type, " ");
    append_name(body, *outputs[0]);
    body += " = ";
  } else if (outputs.size() > 1) {
    body += "auto [";
    for (const Node* node : outputs) {
      if (node != outputs[0]) body += ", ";
      append_name(body, *node);
    }
    body += "] = ";
  }
  absl::StrAppend(&body, "this->", holder.member_name, ".", method, "(");
  for (const Node* node : inputs) {
    if (node != inputs[0]) body += ", ";
    append_moved(body, *node, regions_->dies_in(frame_, *node, number));
  }
  body += ");\n";
}

}  // namespace fx::cpp
