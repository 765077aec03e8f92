// The verifier's walk over nodes, arguments and uses: see verifier.h.
//
// Use lists are checked in the same pass as arguments. At a node, its use list is walked and every
// record in it marked; at each later operand the mark must be there, and goes. A missing mark is an
// operand that stands too early (V8) or is not in the list (V9); a mark that is left over is a use
// that no node has (V9).
#include "fx/ir/verify/verifier.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph_storage_inline.h"
#include "fx/ir/verify/verifier_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fx {

using detail::Cell;

// ---------------------------------------------------------------- names

bool NameSet::insert(uint32_t base, uint32_t number) {
  bool is_new = false;
  const uint32_t place = recent_.get(base, [&] {
    const auto found = index_.try_emplace(base, static_cast<uint32_t>(bases_.size()));
    is_new = found.second;
    return found.first->second;
  });
  if (is_new) {
    bases_.emplace_back().first = number;
    return true;
  }
  Base& entry = bases_[place];
  if (entry.count == 0) {
    if (number == entry.first) return false;
    insert_far_or_dense(entry, entry.first);
  }
  ++entry.count;
  return insert_far_or_dense(entry, number);
}

bool NameSet::insert_far_or_dense(Base& base, uint32_t number) {
  // At most 64 bits a name; numbers beyond that go to the set, and stay there.
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

constexpr std::string_view kBug = "this is a bug in fxcpp, or memory was overwritten";
constexpr std::string_view kSetAgain = "set the argument anew (Node::set_args, update_arg)";
constexpr std::string_view kSetKeywords = "set the keyword arguments anew (Node::set_kwargs)";

std::string percent(const Node& node) { return fmt::format("%{}", node.name()); }

}  // namespace

// ---------------------------------------------------------------- storage

bool Verifier::valid_slot(uint32_t slot) const {
  if (slot >= graph_->storage().slot_bound()) return false;
  const uint32_t page = slot / GraphStorage::kNodesPerPage,
                 place = slot % GraphStorage::kNodesPerPage;
  return place % GraphStorage::kSlotsPerHeader != 0 && slot > GraphStorage::kRoot &&
         place < num_places(page);
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

// ---------------------------------------------------------------- the walk

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
  output_ = first_behind_output_ = nullptr;
  num_behind_output_ = 0;
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
            fmt::format("its order key {} is not above that of the node before it, {}", node.order_,
                        last_order),
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
    error(Invariant::kNodeList, nullptr, "num_nodes() does not count the nodes of each opcode",
          kBug);
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
    problem = fmt::format("a link leads to slot {}, where no node can be", slot);
  } else if (const Node& node = *graph_->storage().node_at(slot); node.slot_ != slot) {
    problem = fmt::format("the node in slot {} believes to be in slot {}", slot, node.slot_);
  } else if (node.is_erased()) {
    problem = fmt::format("the list holds an erased node, in slot {}", slot);
  } else if (node.prev_ != prev) {
    problem =
        fmt::format("the way back from {} does not lead to the node before it", percent(node));
  } else if (count > graph_->size()) {
    problem = fmt::format("more nodes are linked than size() says, {}", graph_->size());
  } else {
    return true;
  }
  error(Invariant::kNodeList, nullptr,
        std::move(problem) + "; the nodes from there on are not checked", kBug);
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
        fmt::format("its id {} is that of another node, or not below {}", node.id_,
                    graph_->id_bound()),
        kBug);
}

void Verifier::check_names(const Node& node) {
  if (!names_.insert(node.name_base_, node.name_number_plus_one_)) {
    error(Invariant::kUniqueNames, &node, "another node before it has the same name",
          "give one of them another name (Node::rename)");
  }
  if (identifiers_.find(node.name_base_) != nullptr) return;
  Name name = node.name_parts();
  std::string_view base = name.base.str();
  if (is_identifier(base)) {
    identifiers_.put(node.name_base_, true);
  } else if (!(name.has_number() && base.empty())) {
    warning(Invariant::kIdentifiers, &node, "its name is no identifier",
            "rename it (Node::rename makes names legal)");
  }
}

// ---------------------------------------------------------------- uses and arguments

void Verifier::check_uses(const Node& node) {
  auto broken = [&](std::string problem) {
    error(Invariant::kUseLists, &node, "its use list is broken: " + std::move(problem), kBug);
  };
  uint32_t index = node.first_use_;
  if (node.num_uses_ == 0) {
    if (index != 0) broken("it has a first use, but a count of 0");
    return;
  }
  for (uint32_t i = 0; i < node.num_uses_; ++i) {
    if (!valid_cell(index)) return broken(fmt::format("use {} is outside of the storage", i));
    const Cell& cell = cell_at(index);
    if (cell.head != node.slot_) return broken(fmt::format("use {} is of another value", i));
    uint32_t next = cell.use.next;
    if (!valid_cell(next) || cell_at(next).head != node.slot_ || cell_at(next).use.prev != index)
      return broken(fmt::format("the link behind use {} has no way back", i));
    // Operands that came too early were seen already.
    if (!(!early_.empty() && early_.erase(index)) && test_and_set(index))
      return broken(fmt::format("it closes after {} uses, but the count is {}", i, node.num_uses_));
    index = next;
  }
  if (index != node.first_use_)
    broken(fmt::format("it is longer than the count, {}", node.num_uses_));
}

void Verifier::check_arguments(const Node& node) {
  num_operands_ = 0;
  uint64_t count = node.num_args_ + 2ull * node.num_kwargs_;
  if (!valid_run(node.cells_, count)) {
    error(Invariant::kArguments, &node, "its arguments are outside of the storage", kBug);
    return;
  }
  for (uint32_t i = 0; i < node.num_args_; ++i) check_argument(node, node.cells_ + i, 0);
  for (uint32_t i = 0; i < node.num_kwargs_; ++i)
    check_argument(node, node.cells_ + node.num_args_ + 2 * i + 1, 0);
  if (node.num_kwargs_) check_keywords(node);
}

void Verifier::check_argument(const Node& node, uint32_t index, int depth) {
  if (cells_left_ == 0) return;
  if (--cells_left_ == 0) {
    error(Invariant::kArguments, &node,
          "arguments overlap: there are more than the graph has room for", kBug);
    return;
  }
  const Cell& cell = cell_at(index);
  if (cell.is_use()) {
    check_operand(node, index, cell);
    return;
  }
  ArgumentKind kind = cell.kind();
  auto broken = [&](std::string problem) {
    error(Invariant::kArguments, &node, std::move(problem), kSetAgain);
  };
  if (kind > ArgumentKind::kRange || kind == ArgumentKind::kNode)
    return broken(fmt::format("an argument has the unknown kind {}", static_cast<int>(kind)));
  switch (kind) {
    case ArgumentKind::kString:
    case ArgumentKind::kObject:
    case ArgumentKind::kFunction:
    case ArgumentKind::kSymbolic:
      if (!cell.pointer)
        broken(fmt::format("an argument is a {} without value", argument_kind_name(kind)));
      return;
    case ArgumentKind::kDType:
      if (cell.i < 0 || cell.i > kNumDTypes) broken(fmt::format("there is no dtype {}", cell.i));
      return;
    case ArgumentKind::kLayout:
      if (cell.i < 0 || cell.i >= kNumLayouts) broken(fmt::format("there is no layout {}", cell.i));
      return;
    case ArgumentKind::kMemoryFormat:
      if (cell.i < 0 || cell.i >= kNumMemoryFormats)
        broken(fmt::format("there is no memory format {}", cell.i));
      return;
    case ArgumentKind::kComplex:
      if (cell.aux != 2 || !valid_run(cell.items.begin, 2))
        broken("a complex number has two parts");
      return;
    case ArgumentKind::kGraph:
      if (cell.i < 0 || static_cast<uint64_t>(cell.i) >= graph_->num_subgraphs()) {
        error(Invariant::kNestedGraphs, &node,
              fmt::format("an argument is nested graph {}, but there are {}", cell.i,
                          graph_->num_subgraphs()),
              "add the nested graph first (Graph::add_subgraph)");
      }
      return;
    default:
      if (is_aggregate(kind)) check_aggregate(node, cell, depth + 1);
  }
}

void Verifier::check_aggregate(const Node& node, const Cell& cell, int depth) {
  auto broken = [&](std::string problem) {
    error(Invariant::kArguments, &node, std::move(problem), kSetAgain);
  };
  ArgumentKind kind = cell.kind();
  bool dict = kind == ArgumentKind::kDict;
  uint64_t count = dict ? 2ull * cell.aux : cell.aux;
  if (depth > kMaxArgumentDepth)
    return broken(fmt::format("arguments nest deeper than {} levels", kMaxArgumentDepth));
  if (!valid_run(cell.items.begin, count))
    return broken(
        fmt::format("the items of a {} are outside of the storage", argument_kind_name(kind)));
  if ((kind == ArgumentKind::kSlice || kind == ArgumentKind::kRange) && count != 3)
    return broken(fmt::format("a {} has three parts, not {}", argument_kind_name(kind), count));
  if (kind == ArgumentKind::kRange) {
    for (uint32_t i = 0; i < 3; ++i)
      if (cell_at(cell.items.begin + i).kind() != ArgumentKind::kInt)
        return broken("the parts of a range are integers");
  }
  if (dict) check_dict_keys(node, cell);
  for (uint32_t i = dict ? 1 : 0; i < count; i += dict ? 2 : 1)
    check_argument(node, cell.items.begin + i, depth);
}

void Verifier::check_dict_keys(const Node& node, const Cell& cell) {
  absl::flat_hash_set<std::pair<bool, int64_t>> keys;  // strings are interned
  for (uint32_t i = 0; i < cell.aux; ++i) {
    const Cell& key = cell_at(cell.items.begin + 2 * i);
    bool text = key.kind() == ArgumentKind::kString;
    if ((!text && key.kind() != ArgumentKind::kInt) || (text && !key.pointer)) {
      error(Invariant::kArguments, &node, "a key of a dict is neither a string nor an integer",
            kSetAgain);
    } else if (cell.aux > 1 && !keys.emplace(text, key.i).second) {
      error(Invariant::kArguments, &node, "a key occurs twice in a dict", kSetAgain);
    }
  }
}

void Verifier::check_operand(const Node& node, uint32_t index, const Cell& cell) {
  ++num_operands_;
  if (!valid_slot(cell.head) || graph_->storage().node_at(cell.head)->is_erased()) {
    error(Invariant::kOperands, &node, "an operand is no node of this graph, or was erased",
          "replace it (Node::update_arg), or erase this node too");
    return;
  }
  const Node& value = *graph_->storage().node_at(cell.head);
  if (cell.aux != node.slot_) {
    error(Invariant::kUseLists, &node,
          fmt::format("the use list of {} records its use here under another user", percent(value)),
          kBug);
  }
  bool marked = test_and_clear(index);
  if (&value == &node) {
    error(Invariant::kOperandOrder, &node, "it reads itself",
          "replace the operand (Node::replace_input_with)");
  } else if (marked) {
    return;
  } else if (value.order_ < node.order_) {
    error(Invariant::kUseLists, &node,
          fmt::format("the use list of operand {} lacks this use", percent(value)), kBug);
  } else {
    early_.insert(index);
    error(Invariant::kOperandOrder, &node,
          fmt::format("operand {} stands after it", percent(value)),
          fmt::format("move {} up (Node::move_before), or build operands first", percent(value)));
  }
}

std::optional<std::string_view> Verifier::keyword(const Node& node, uint32_t i) const {
  const Cell& key = cell_at(node.cells_ + node.num_args_ + 2 * i);
  if (key.is_use() || key.kind() != ArgumentKind::kString || !key.pointer) return std::nullopt;
  return ArgumentRef(graph_, &key).as_string();
}

void Verifier::check_keywords(const Node& node) {
  absl::flat_hash_set<const void*> seen;  // keywords are interned
  for (uint32_t i = 0; i < node.num_kwargs_; ++i) {
    const std::optional<std::string_view> key = keyword(node, i);
    if (!key) {
      error(Invariant::kKeywords, &node, "a keyword is no text", kSetKeywords);
    } else if (key->empty()) {
      error(Invariant::kKeywords, &node, "a keyword is empty", kSetKeywords);
    } else if (node.num_kwargs_ > 1 && !seen.insert(key->data()).second) {
      error(Invariant::kKeywords, &node, "a keyword occurs twice", kSetKeywords);
    }
  }
}

void Verifier::check_leftover_uses() {
  if (cells_left_ == 0) return;  // not all arguments were visited
  for (uint32_t index : early_) {
    const Node& value = *graph_->storage().node_at(cell_at(index).head);
    error(Invariant::kUseLists, &value, "its use list lacks a use by a node before it", kBug);
  }
  for (size_t word = 0; uses_marked_ > 0 && word < marks_.size(); ++word) {
    for (uint32_t bit = 0; marks_[word] != 0 && bit < 64; ++bit) {
      auto index = static_cast<uint32_t>(64 * word + bit);
      if (!test_and_clear(index)) continue;
      const Node& value = *graph_->storage().node_at(cell_at(index).head);
      error(Invariant::kUseLists, &value, "its use list holds a use that no node has", kBug);
    }
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
  error(Invariant::kTarget, &node, fmt::format("a {} without target", opcode_name(node.op_)),
        "give it one (Node::set_target, Node::set_function)");
  return false;
}

void Verifier::check_form(const Node& node) {
  if (output_) {
    if (!first_behind_output_) first_behind_output_ = &node;
    ++num_behind_output_;
  }
  if (node.op_ != Opcode::kPlaceholder) is_past_inputs_ = true;
  switch (node.op_) {
    case Opcode::kPlaceholder: {
      if (node.num_args_ > 1 || node.num_kwargs_ > 0 || num_operands_ > 0) {
        error(Invariant::kPlaceholderForm, &node,
              "a placeholder has no argument but its default value, which holds no nodes",
              "drop the other arguments (Node::set_args, set_kwargs)");
      }
      if (is_past_inputs_) {
        warning(Invariant::kPlaceholdersFirst, &node, "a placeholder stands behind other nodes",
                "move it up (Node::move_before)");
      }
      std::string_view target = node.target();
      target.remove_prefix(std::min(target.find_first_not_of('*'), target.size()));
      if (!placeholder_targets_.insert(target).second) {
        error(Invariant::kPlaceholderTargets, &node,
              fmt::format("another placeholder before it has the target {} too", target),
              "give it another target (Node::set_target)");
      }
      return;
    }
    case Opcode::kOutput:
      if (node.num_args_ != 1 || node.num_kwargs_ > 0) {
        error(Invariant::kOutputForm, &node, "an output has exactly one argument, the result",
              "put several results into a tuple (Node::set_args)");
      }
      if (node.num_uses_ > 0) {
        error(Invariant::kOutputForm, &node, "an output is read by another node",
              "read the value that is returned instead (Node::replace_all_uses_with)");
      }
      if (output_) {
        error(Invariant::kOneOutput, &node,
              fmt::format("it is a second output; {} ends the run", percent(*output_)),
              "erase one of them (Graph::erase_node)");
      } else {
        output_ = &node;
      }
      return;
    case Opcode::kCallMethod:
      if (node.num_args_ == 0) {
        error(Invariant::kReceiver, &node, "a call_method has no args[0], the object of the method",
              "insert it (Node::insert_arg)");
      }
      return;
    case Opcode::kGetAttr:
      if (node.num_args_ + node.num_kwargs_ > 0) {
        warning(Invariant::kGetAttrForm, &node, "the arguments of a get_attr are ignored",
                "drop them (Node::set_args, set_kwargs)");
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
  if (first_behind_output_) {
    error(Invariant::kOneOutput, first_behind_output_,
          num_behind_output_ == 1
              ? fmt::format("it stands behind {} and never runs", percent(*output_))
              : fmt::format("it and {} more nodes stand behind {} and never run",
                            num_behind_output_ - 1, percent(*output_)),
          "move the output to the end (Node::move_after), or erase them");
  }
  if (!output_) {
    warning(Invariant::kOneOutput, nullptr, "the graph has no output and returns None",
            "end it with Graph::output");
  }
}

}  // namespace fx
