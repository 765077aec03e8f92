// Histories: see histories_internal.h and histories.h.
#include "fx/passes/functionalize/histories.h"

#include "fx/passes/functionalize/histories_internal.h"

#include <optional>

namespace fx {

std::optional<HistoryCopy> history_copy(Node& write) {
  const auto operand = [](const Node& node, size_t i) -> Node* {
    return node.num_args() > i ? node.arg(i).node() : nullptr;
  };
  if (write.target() != "aten.copy_.default") return std::nullopt;
  Node* const detach = operand(write, 0);
  Node* const value = operand(write, 1);
  if (detach == nullptr || value == nullptr || detach->target() != "aten.detach.default" ||
      detach->num_uses() != 1 || write.has_uses())
    return std::nullopt;
  Node* const copy = operand(*detach, 0);
  if (copy == nullptr || write.prev() != detach || detach->prev() != copy) return std::nullopt;
  const bool is_clone = copy->target() == "aten.clone.default";
  Node* const history = operand(*copy, is_clone ? 0 : 1);
  if (history == nullptr || (!is_clone && copy->target() != "aten.copy.default"))
    return std::nullopt;
  return HistoryCopy{.copy = copy, .history = history, .value = value};
}

namespace functional {
namespace {

/// True if autograd does not follow the view to its source.
bool is_detached(const View& view) {
  if (view.kind == ViewKind::kViewDType) return true;
  if (view.kind != ViewKind::kSame || view.parent < 0) return false;
  const std::string_view op = view.call->target();
  return op == "aten.detach.default" || op == "aten.detach_.default";
}

}  // namespace

uint32_t Histories::owner_of(uint32_t index) {
  // A view comes after its parent, and views that are items of lists are added during the rewrite.
  for (auto i = static_cast<uint32_t>(owners_.size()); i <= index; ++i) {
    const View& view = a_.views[i];
    if (view.parent < 0 || is_detached(view)) {
      owners_.push_back(i);
      continue;
    }
    auto source = static_cast<uint32_t>(view.parent);
    if (view.kind == ViewKind::kAsStrided && view.call->num_args() > 0) {
      // Its parent is the tensor of the memory, and not its operand.
      const Node* const operand = view.call->arg(0).node();
      if (operand != nullptr && a_.values[*operand].is_identity())
        source = a_.identities[a_.values[*operand].index()].view;
    }
    owners_.push_back(source < i ? owners_[source] : owners_[static_cast<uint32_t>(view.parent)]);
  }
  return owners_[index];
}

bool Histories::differ(uint32_t part, uint32_t whole) {
  if (!enabled_ || part == whole || owner_of(part) == owner_of(whole)) return false;
  const Type type = a_.views[whole].type;
  return !type.is_tensor() || type.dtype() == DType::kUndefined ||
         is_floating_point(type.dtype()) || is_complex(type.dtype());
}

/// The result is a copy of `history`, in the layout of `value`, to which a call writes `value`.
Node* Histories::combine(uint32_t index, Node* value, Node* history) {
  const View& view = a_.views[index];
  const Node& origin = *view.call;
  const Type type = value->type();
  const bool is_clone = is_dense(type) && history->type().is_tensor() &&
                        is_dense(history->type()) && history->type().dtype() == type.dtype() &&
                        same_strides(history->type(), type);
  Node* copy = nullptr;
  if (is_clone) {
    copy = builder_.call("aten.clone.default", {history}, origin);
  } else {
    copy = builder_.call("aten.copy.default", {detached(value, origin), history}, origin);
    builder_.set_type_of_copy(*copy, *value, view.type);
  }
  writes_.insert(*builder_.call("aten.copy_.default", {detached(copy, origin), value}, origin));
  return copy;
}

void Histories::note_written(uint32_t view, Node* value) {
  if (enabled_ && a_.views[view].parent >= 0 && owner_of(view) == view) latest_[view] = value;
}

Node* Histories::read(uint32_t view, Node* value) {
  if (!enabled_ || owner_of(view) != view) return value;
  const auto latest = latest_.find(view);
  return latest == latest_.end() ? value : combine(view, value, latest->second);
}

Node* Histories::source_of(uint32_t view, Node* value) {
  const int32_t parent = a_.views[view].parent;
  const bool is_same = !enabled_ || owner_of(view) == view ||
                       owner_of(view) == owner_of(static_cast<uint32_t>(parent));
  return is_same ? value : detached(value, *a_.views[view].call);
}

bool Histories::is_unused(const Node& node) const {
  return writes_.contains(node) && node.arg(0).node()->arg(0).node()->num_uses() == 1;
}

}  // namespace functional
}  // namespace fx
