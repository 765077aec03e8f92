// The names of a graph: see graph_names.h.
#include "fx/ir/graph/graph_names.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_range.h"
#include "fx/ir/support/check.h"

#include <cstddef>

namespace fx {

void GraphNames::fill() {
  for (const Node& node : NodeRange(&storage_, false)) {
    const bool is_new = names_.take(node.name_parts());
    FX_DCHECK(is_new, "names must be unique in a graph");
  }
  are_in_nodes_ = false;
}

void GraphNames::record_base(Symbol base) {
  may_name_output_ |= base == context_.output_hint().base;
}

bool GraphNames::is_new(Symbol base, uint32_t before) const {
  constexpr size_t kMaxScanned = 16;
  if (!are_in_nodes_ || before != GraphStorage::kRoot) return false;
  if (base == context_.output_hint().base) return !may_name_output_;
  if (storage_.size() > kMaxScanned) return false;
  const Node* const root = &storage_.root();
  const Node* node = storage_.node_at(root->next_);
  while (node != root && node->name_base_ != base.id())
    node = storage_.node_near(*node, node->next_);
  return node == root;
}

Name GraphNames::create_in_nodes(const NameHint& hint, uint32_t before) {
  if (hint.exact.base != hint.base || !is_new(hint.base, before)) return all().create(hint);
  record_base(hint.base);
  // The first name of a base that is never used without a number has the number 1.
  return hint.reserved && !hint.numbered ? Name{hint.base, 2} : hint.exact;
}

Name GraphNames::create_like(const Name& name, uint32_t before) {
  if (!are_in_nodes_ || !copies_keep_name(name) || !is_new(name.base, before))
    return all().create_like(context_.symbols(), name);
  record_base(name.base);
  return name;
}

void GraphNames::copy_from(const GraphNames& from) {
  names_ = from.names_;
  are_in_nodes_ = from.are_in_nodes_;
  may_name_output_ = from.may_name_output_;
}

void GraphNames::take(GraphNames& from) {
  names_.swap(from.names_);
  are_in_nodes_ = from.are_in_nodes_;
  may_name_output_ = from.may_name_output_;
}

void GraphNames::clear() {
  names_.clear();
  are_in_nodes_ = true;
  may_name_output_ = false;
}

}  // namespace fx
