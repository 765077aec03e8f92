// The verifier's traversal of nodes, arguments and uses: see verifier.h.
#include "fx/ir/verify/verifier.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph_storage_inline.h"
#include "fx/ir/verify/verifier_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fx {

// ---------------------------------------------------------------- names

bool NameSet::insert(uint32_t base, uint32_t number) {
  bool is_new = false;
  const uint32_t index = recent_.get(base, [&] {
    const auto found = index_.try_emplace(base, static_cast<uint32_t>(bases_.size()));
    is_new = found.second;
    return found.first->second;
  });
  if (is_new) {
    bases_.emplace_back().first = number;
    return true;
  }
  Base& entry = bases_[index];
  if (entry.count == 0) {
    if (number == entry.first) return false;
    insert_far_or_dense(entry, entry.first);
  }
  ++entry.count;
  return insert_far_or_dense(entry, number);
}

bool NameSet::insert_far_or_dense(Base& base, uint32_t number) {
  // The bitmap has at most 64 bits per name; greater numbers are stored in the set.
  if (base.far && base.far->contains(number)) return false;
  if (number / 64 > base.count + size_t{16}) {
    if (!base.far) base.far = std::make_unique<absl::flat_hash_set<uint32_t>>();
    return base.far->insert(number).second;
  }
  size_t word = number / 64;
  uint64_t bit = uint64_t{1} << (number % 64);
  if (word >= base.bits.size()) base.bits.resize(word + 1);
  if (base.bits[word] & bit) return false;
  base.bits[word] |= bit;
  return true;
}

namespace {

bool is_identifier(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

// ---------------------------------------------------------------- storage

bool Verifier::valid_slot(uint32_t slot) const {
  if (slot >= graph_->storage().slot_bound()) return false;
  const uint32_t page = slot / GraphStorage::kNodesPerPage,
                 index = slot % GraphStorage::kNodesPerPage;
  return index % GraphStorage::kSlotsPerHeader != 0 && slot > GraphStorage::kRoot &&
         index < num_slots(page);
}

bool Verifier::valid_cell(uint32_t cell) const {
  if (cell >= graph_->storage().cell_bound()) return false;
  return cell >= kFirstCell && cell < cells_end_of_page(cell);
}

bool Verifier::valid_run(uint32_t begin, uint64_t count) const {
  return count == 0 || (valid_cell(begin) && begin + count <= graph_->storage().cell_bound() &&
                        begin + count <= cells_end_of_page(begin));
}

bool Verifier::test_and_clear(uint32_t cell) {
  uint64_t& word = marks_[cell / 64];
  uint64_t bit = uint64_t{1} << (cell % 64);
  bool was_set = word & bit;
  word &= ~bit;
  uses_marked_ -= was_set;
  return was_set;
}

bool Verifier::test_and_set(uint32_t cell) {
  uint64_t& word = marks_[cell / 64];
  uint64_t bit = uint64_t{1} << (cell % 64);
  bool was_set = word & bit;
  word |= bit;
  uses_marked_ += !was_set;
  return was_set;
}

// ---------------------------------------------------------------- traversal

void Verifier::run(const Graph& root) {
  stack_.push_back({&root, ""});
  while (!stack_.empty()) {
    Nested next = std::move(stack_.back());
    stack_.pop_back();
    path_ = std::move(next.path);
    check_graph(*next.graph);
  }
}

void Verifier::check_graph(const Graph& graph) {
  graph_ = &graph;
  intact_ = true;
  is_past_inputs_ = false;
  output_ = first_after_output_ = nullptr;
  num_after_output_ = 0;
  cells_left_ = graph.storage().cell_bound();
  uses_marked_ = 0;
  marks_.assign(graph.storage().cell_bound() / 64 + 1, 0);
  early_.clear();
  names_ = NameSet();
  dense_ids_ = graph.id_bound() / 64 <= graph.size() + size_t{16};
  id_bits_.assign(dense_ids_ ? graph.id_bound() / 64 + 1 : 0, 0);
  id_set_.clear();
  placeholder_targets_.clear();
  check_nested();

  uint32_t prev = GraphStorage::kRoot, last_order = 0;
  size_t count = 0;
  std::array<uint32_t, kNumOpcodes> num_by_op = {};
  for (uint32_t slot = graph.storage().node_at(prev)->next_; slot != GraphStorage::kRoot;) {
    if (!check_link(slot, prev, ++count)) break;
    const Node& node = *graph.storage().node_at(slot);
    if (node.order_ <= last_order) {
      error(Invariant::kOrderKeys, &node,
            fmt::format("its order key {} must be greater than {}, that of the previous node",
                        node.order_, last_order),
            kBug);
    }
    last_order = node.order_;
    check_id(node);
    check_names(node);
    check_uses(node);
    check_arguments(node);
    if (static_cast<size_t>(node.op_) < kNumOpcodes) ++num_by_op[static_cast<size_t>(node.op_)];
    if (check_target(node)) {
      check_form(node);
      if (node.op_ == Opcode::kCallFunction) check_call(node);
      if (options_.is_allowed) check_allowed(node);
    }
    check_type(node);
    if (node.flags_ & Node::kHasMeta) check_meta(node);
    prev = slot;
    slot = node.next_;
  }
  if (intact_ &&
      (count != graph.size() || graph.storage().node_at(GraphStorage::kRoot)->prev_ != prev)) {
    error(Invariant::kNodeList, nullptr,
          fmt::format("{} nodes are linked, but size() is {}", count, graph.size()), kBug);
    intact_ = false;
  }
  if (report_.ok() && num_by_op != graph.storage().num_by_op()) {
    error(Invariant::kNodeList, nullptr,
          "num_nodes() differs from the number of linked nodes of an opcode", kBug);
  }
  if (!intact_) return;
  check_leftover_uses();
  check_ends();
  if (options_.check_index) check_index();
  if (options_.report_dead && options_.warnings) check_dead();
  if (options_.report_modes && options_.warnings && report_.ok()) check_modes();
}

bool Verifier::check_link(uint32_t slot, uint32_t prev, size_t count) {
  std::string problem;
  if (!valid_slot(slot)) {
    problem = fmt::format("a link refers to slot {}, which cannot hold a node", slot);
  } else if (const Node& node = *graph_->storage().node_at(slot); node.slot_ != slot) {
    problem = fmt::format("the node in slot {} has the slot number {}", slot, node.slot_);
  } else if (node.is_erased()) {
    problem = fmt::format("the list has an erased node in slot {}", slot);
  } else if (node.prev_ != prev) {
    problem =
        fmt::format("the backward link of {} does not refer to the previous node", percent(node));
  } else if (count > graph_->size()) {
    problem = fmt::format("more than size() nodes are linked; size() is {}", graph_->size());
  } else {
    return true;
  }
  error(Invariant::kNodeList, nullptr, std::move(problem) + "; the remaining nodes are not checked",
        kBug);
  intact_ = false;
  return false;
}

void Verifier::check_id(const Node& node) {
  bool is_new = false;
  if (node.id_ < graph_->id_bound()) {
    if (dense_ids_) {
      uint64_t& word = id_bits_[node.id_ / 64];
      uint64_t bit = uint64_t{1} << (node.id_ % 64);
      is_new = !(word & bit);
      word |= bit;
    } else {
      is_new = id_set_.insert(node.id_).second;
    }
  }
  if (is_new) return;
  error(Invariant::kIds, &node,
        fmt::format("its id {} must be unique and less than {}", node.id_, graph_->id_bound()),
        kBug);
}

void Verifier::check_names(const Node& node) {
  if (!names_.insert(node.name_base_, node.name_number_plus_one_)) {
    error(Invariant::kUniqueNames, &node, "an earlier node has the same name",
          "rename one of them (Node::rename)");
  }
  if (identifiers_.find(node.name_base_) != nullptr) return;
  Name name = node.name_parts();
  std::string_view base = name.base.str();
  if (is_identifier(base)) {
    identifiers_.put(node.name_base_, true);
  } else if (!(name.has_number() && base.empty())) {
    warning(Invariant::kIdentifiers, &node, "its name must be an identifier",
            "rename it (Node::rename makes names legal)");
  }
}

// ---------------------------------------------------------------- opcodes

bool Verifier::check_target(const Node& node) {
  if (node.op_ > Opcode::kOutput) {
    error(Invariant::kTarget, &node,
          fmt::format("it has the unknown opcode {}", static_cast<int>(node.op_)), kBug);
    return false;
  }
  bool named = node.op_ == Opcode::kPlaceholder || node.op_ == Opcode::kCallMethod;
  if (node.target_data() && !(named && node.target().empty())) return true;
  error(Invariant::kTarget, &node, fmt::format("a {} must have a target", opcode_name(node.op_)),
        "set the target (Node::set_target, Node::set_function)");
  return false;
}

void Verifier::check_form(const Node& node) {
  if (output_) {
    if (!first_after_output_) first_after_output_ = &node;
    ++num_after_output_;
  }
  if (node.op_ != Opcode::kPlaceholder) is_past_inputs_ = true;
  switch (node.op_) {
    case Opcode::kPlaceholder: {
      if (node.num_args_ > 1 || node.num_kwargs_ > 0 || num_operands_ > 0) {
        error(Invariant::kPlaceholderForm, &node,
              "a placeholder accepts no argument except its default value, which must not contain "
              "nodes",
              "remove the other arguments (Node::set_args, set_kwargs)");
      }
      if (is_past_inputs_) {
        warning(Invariant::kPlaceholdersFirst, &node, "placeholders must come before other nodes",
                "move it before the other nodes (Node::move_before)");
      }
      std::string_view target = node.target();
      target.remove_prefix(std::min(target.find_first_not_of('*'), target.size()));
      if (!placeholder_targets_.insert(target).second) {
        error(Invariant::kPlaceholderTargets, &node,
              fmt::format("an earlier placeholder has the same target {}", target),
              "change its target (Node::set_target)");
      }
      return;
    }
    case Opcode::kOutput:
      if (node.num_args_ != 1 || node.num_kwargs_ > 0) {
        error(Invariant::kOutputForm, &node, "an output must have exactly one argument, the result",
              "put multiple results into a tuple (Node::set_args)");
      }
      if (node.num_uses_ > 0) {
        error(Invariant::kOutputForm, &node, "an output must not have users",
              "use the returned value instead (Node::replace_all_uses_with)");
      }
      if (output_) {
        error(Invariant::kOneOutput, &node,
              fmt::format("a graph must have only one output, but it already has {}",
                          percent(*output_)),
              "erase one of them (Graph::erase_node)");
      } else {
        output_ = &node;
      }
      return;
    case Opcode::kCallMethod:
      if (node.num_args_ == 0) {
        error(Invariant::kReceiver, &node, "a call_method must have a receiver, args[0]",
              "insert it (Node::insert_arg)");
      }
      return;
    case Opcode::kGetAttr:
      if (node.num_args_ + node.num_kwargs_ > 0) {
        warning(Invariant::kGetAttrForm, &node,
                "a get_attr must not have arguments; they are ignored",
                "remove the arguments (Node::set_args, set_kwargs)");
      }
      check_path(node);
      return;
    case Opcode::kCallModule:
      check_path(node);
      return;
    case Opcode::kCallFunction:
      return;
  }
}

void Verifier::check_ends() {
  if (first_after_output_) {
    error(Invariant::kOneOutput, first_after_output_,
          num_after_output_ == 1
              ? fmt::format("it comes after {} and never runs", percent(*output_))
              : fmt::format("it is the first of {} nodes that come after {} and never run",
                            num_after_output_, percent(*output_)),
          "move the output to the end (Node::move_after), or erase them");
  }
  if (!output_) {
    warning(Invariant::kOneOutput, nullptr, "the graph has no output and returns None",
            "add an output (Graph::output)");
  }
}

}  // namespace fx
