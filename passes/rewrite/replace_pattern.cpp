// Replaces matches with replacement graphs: see replace_pattern.h.
#include "fx/passes/rewrite/replace_pattern.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/topological_sort.h"
#include "fx/passes/rewrite/replacer_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {
namespace rewrite {

namespace {

/// True if values of the two types have different dtypes or sizes.
bool differ(Type a, Type b) {
  if (!a.is_tensor() || !b.is_tensor()) return false;
  constexpr DType kUnknown = DType::kUndefined;
  if (a.dtype() != b.dtype() && a.dtype() != kUnknown && b.dtype() != kUnknown) return true;
  if (!a.has_rank() || !b.has_rank()) return false;
  if (a.rank() != b.rank()) return true;
  for (size_t i = 0; i < a.sizes().size(); ++i) {
    const Dim &from = a.sizes()[i], &to = b.sizes()[i];
    if (from.is_int() && to.is_int() && from.value() != to.value()) return true;
  }
  return false;
}

}  // namespace

Replacer::Replacer(Graph& graph, const Pattern& pattern, const ReplaceOptions& options,
                   MatchMemory& memory)
    : graph_(graph),
      shared_(pattern),
      pattern_(pattern.compiled()),
      options_(options),
      memory_(options.check_memory ? &memory : nullptr) {
  for (size_t i = pattern_.nodes.size(); i-- > 0;) {
    const PatternNode& node = pattern_.nodes[i];
    if (node.is_matched() && node.op != Opcode::kPlaceholder && node.op != Opcode::kOutput)
      matched_.push_back(static_cast<uint32_t>(i));
  }
  inputs_may_change_ = pattern_.anchors.size() > 1 || pattern_.returned != pattern_.anchors ||
                       !pattern_.nodes[pattern_.anchors[0]].is_matched();
}

void Replacer::resolve(Argument& value, uint32_t& id) {
  // A value may be replaced by an input that is replaced later. Follows the chain to its end. It is
  // finite, since its entries are nodes that existed at the time.
  while (id < MatchList::kLiteral) {
    const Replaced* const next = replaced(id);
    if (!next) return;
    value = next->value;
    id = next->id;
  }
}

absl::StatusOr<Node*> Replacer::find_position(const MatchList& list, size_t match,
                                              const Recipe& recipe, bool track) {
  const size_t base = match * list.width_;
  Node* first_user = nullptr;
  Node* last_returned = nullptr;
  for (const uint32_t index : pattern_.returned) {
    Node* const node = list.values_[base + index].node();
    // As in torch.fx, the users of a returned input are considered, unless an earlier match
    // replaced the input.
    if (!node || std::ranges::find(stale_, index) != stale_.end()) continue;
    if (!last_returned || last_returned->comes_before(*node)) last_returned = node;
    for (const Use use : node->uses())
      if (!first_user || use.user()->comes_before(*first_user)) first_user = use.user();
  }
  Node* position = first_user ? first_user : last_returned ? last_returned->next() : nullptr;
  if (memory_ != nullptr && memory_->has_ordered_calls()) {
    // A call between the match and its first user may write to the inputs or draw random numbers.
    Node* const last = last_matched(list, match);
    Node* const next = last != nullptr ? last->next() : nullptr;
    if (next != nullptr && (!position || next->comes_before(*position))) position = next;
  }
  if (!position) return position;
  Node* last_input = nullptr;
  input_nodes_.clear();
  auto note = [&](Node* node) {
    input_nodes_.push_back(node);
    if (!last_input || last_input->comes_before(*node)) last_input = node;
    return Argument(node);
  };
  for (const Argument& value : inputs_) {
    if (Node* const node = value.node())
      note(node);
    else if (is_aggregate(value.kind()))
      map_nodes(value, note);
  }
  inputs_may_change_ |= last_input && last_returned && !last_input->comes_before(*last_returned);
  if (!last_input || last_input->comes_before(*position)) return position;
  return find_late_position(list, match, *position, *last_input, track && !recipe.has_effects());
}

absl::StatusOr<Node*> Replacer::find_late_position(const MatchList& list, size_t match,
                                                   Node& position, Node& last_input,
                                                   bool may_wait) {
  Node* const end =
      may_wait && furthest_ && last_input.comes_before(*furthest_) ? furthest_ : &last_input;
  absl::flat_hash_set<const Node*> is_late;
  std::vector<Node*> late;
  auto note_users = [&](const Node& node) {
    for (const Use use : node.uses())
      if (!end->comes_before(*use.user()) && is_late.insert(use.user()).second)
        late.push_back(use.user());
  };
  for (const uint32_t index : pattern_.returned) {
    const Node* const node = list.values_[match * list.width_ + index].node();
    if (!node) continue;
    if (pattern_.nodes[index].is_matched()) is_late.insert(node);
    note_users(*node);
  }
  for (size_t i = 0; i < late.size(); ++i) note_users(*late[i]);
  for (const Node* input : input_nodes_) {
    if (!is_late.contains(input)) continue;
    return absl::FailedPreconditionError(fmt::format(
        "the replacement before %{} would use %{}, which through an earlier replacement depends on "
        "its result; reject one of the two matches with a filter",
        position.name(), input->name()));
  }
  for (Node* node = &position; node != last_input.next(); node = node->next()) {
    if (!is_impure(*node) || node->is_placeholder()) continue;
    return absl::FailedPreconditionError(fmt::format(
        "the replacement uses %{} and must come before %{}, which comes earlier and "
        "cannot be moved after it: a node between them has effects; return fewer values "
        "from the pattern, or reject the match with a filter",
        last_input.name(), position.name()));
  }
  if (may_wait) {
    furthest_ = end;
    return &position;
  }
  has_moved_ = true;
  std::ranges::sort(late, [](const Node* a, const Node* b) { return a->comes_before(*b); });
  Node* previous = &last_input;
  for (Node* node : late) {
    FX_RETURN_IF_ERROR(node->move_after(*previous));
    previous = node;
  }
  return last_input.next();
}

absl::Status Replacer::settle() {
  if (!std::exchange(furthest_, nullptr)) return absl::OkStatus();
  return topological_sort(graph_).status();
}

bool Replacer::may_erase(const MatchList& list, size_t match, const Node& node) const {
  for (size_t i = 0, base = match * list.width_; i < pattern_.nodes.size(); ++i)
    if (list.values_[base + i].node() == &node && pattern_.nodes[i].is_matched()) return true;
  return false;
}

absl::Status Replacer::erase(const MatchList& list, size_t match) {
  const size_t base = match * list.width_;
  for (const uint32_t i : matched_) {
    Node* const found = list.values_[base + i].node();
    if (!found) continue;
    const PatternNode& node = pattern_.nodes[i];
    if (!node.is_replaced && (found->has_uses() || (node.is_kept && is_impure(*found)))) continue;
    if (found == furthest_) furthest_ = found->prev();
    FX_RETURN_IF_ERROR(graph_.erase_node(found));
  }
  return absl::OkStatus();
}

/// Reads the current values of the match's placeholders and kept calls.
void Replacer::read_inputs(MatchList& list, size_t base, bool track) {
  inputs_.clear();
  stale_.clear();
  for (const uint32_t index : pattern_.placeholders) {
    Argument& value = list.values_[base + index];
    if (track && value.is_node()) {
      if (replaced(list.ids_[base + index])) {
        stale_.push_back(index);
        resolve(value, list.ids_[base + index]);
      }
    } else if (track && value.contains_node()) {
      value = map_nodes(value, [&](Node* node) {
        Argument item = node;
        uint32_t id = node->id();
        resolve(item, id);
        return item;
      });
    }
    inputs_.push_back(value);
  }
  // No earlier match has replaced these: a kept node is not erased by another match.
  for (const uint32_t index : pattern_.kept) inputs_.push_back(list.values_[base + index]);
}

absl::Status Replacer::replace_result(const MatchList& list, size_t base, size_t i,
                                      uint32_t first_new_id, bool track) {
  const uint32_t index = pattern_.returned[i];
  // An earlier match may have replaced a returned placeholder.
  Node* const node = list.values_[base + index].node();
  const Argument& result = results_[i];
  if (!node || result.node() == node) return absl::OkStatus();
  const uint32_t id = node->id();
  if (Node* const replacement_node = result.node()) {
    if (options_.inherit_meta && !replacement_node->type() && node->type() &&
        replacement_node->id() >= first_new_id)
      replacement_node->set_type(node->type());
    if (pattern_.nodes[index].is_matched())
      node->replace_all_uses_with(replacement_node);
    else  // an input: the inserted nodes keep using it
      node->replace_uses_if(replacement_node,
                            [&](const Node& user) { return user.id() < first_new_id; });
  } else {
    FX_RETURN_IF_ERROR(node->replace_all_uses_with(result));
  }
  if (!track) return absl::OkStatus();
  replaced_.push_back({result, result.is_node() ? result.as_node()->id() : MatchList::kLiteral});
  replaced_at_[id] = static_cast<uint32_t>(replaced_.size());
  return absl::OkStatus();
}

bool Replacer::read_input_types(std::vector<Type>& types) const {
  types.clear();
  for (const Argument& input : inputs_) {
    const Node* const node = input.node();
    if (node == nullptr || !node->type()) return false;
    types.push_back(node->type());
  }
  return !types.empty();
}

bool Replacer::has_typed_operands(const Node& node) const {
  bool is_typed = true;
  node.for_each_input([&](const Node* input) {
    is_typed =
        is_typed && input->type() && (memory_ == nullptr || !memory_->may_change_sizes(*input));
  });
  return is_typed;
}

absl::Status Replacer::infer_types(absl::Span<Node* const> new_nodes) {
  inferred_types_.assign(new_nodes.size(), Type());
  for (size_t i = 0; i < new_nodes.size(); ++i) {
    Node& node = *new_nodes[i];
    if (node.type() || node.op() != Opcode::kCallFunction || !has_typed_operands(node)) continue;
    const absl::StatusOr<Type> type = infer_type(node);
    if (type.ok() && *type) {
      inferred_types_[i] = *type;
      node.set_type(*type);
    }
    if (absl::IsInvalidArgument(type.status())) {
      inferred_types_.clear();
      return absl::FailedPreconditionError(type.status().message());
    }
  }
  return absl::OkStatus();
}

absl::Status Replacer::check_types(const MatchList& list, size_t base,
                                   absl::Span<Node* const> new_nodes) {
  // Except for nested graphs, a type function uses only types and constants; the constants are
  // those of the recipe.
  const bool has_types = graph_.num_subgraphs() == 0 && read_input_types(types_);
  if (has_types && types_ == input_types_ && inferred_types_.size() == new_nodes.size()) {
    for (size_t i = 0; i < new_nodes.size(); ++i)
      if (inferred_types_[i]) new_nodes[i]->set_type(inferred_types_[i]);
  } else {
    FX_RETURN_IF_ERROR(infer_types(new_nodes));
    input_types_.clear();
    if (has_types) input_types_.swap(types_);
  }
  for (size_t i = 0; i < pattern_.returned.size(); ++i) {
    const Node* const from = list.values_[base + pattern_.returned[i]].node();
    Node* const replacement_node = results_[i].node();
    if (from == nullptr || replacement_node == nullptr ||
        std::ranges::find(new_nodes, replacement_node) == new_nodes.end())
      continue;
    if (differ(from->type(), replacement_node->type())) {
      return absl::FailedPreconditionError(
          fmt::format("the replacement computes {} for %{}, which is {}",
                      to_string(replacement_node->type()), from->name(), to_string(from->type())));
    }
    if (from->type()) replacement_node->set_type(Type());  // replace_result sets the type of `from`
  }
  return absl::OkStatus();
}

Node* Replacer::last_matched(const MatchList& list, size_t match) const {
  Node* last = nullptr;
  for (const uint32_t i : matched_) {
    Node* const node = values(list, match)[i].node();
    if (node != nullptr && (last == nullptr || last->comes_before(*node))) last = node;
  }
  return last;
}

bool Replacer::may_replace(const MatchList& list, size_t match, Recipe& recipe) {
  return memory_ == nullptr || !memory_->has_ordered_calls() ||
         (memory_->may_move(pattern_, values(list, match)) &&
          memory_->may_use(pattern_, values(list, match), inputs_, recipe.result_memory()));
}

void Replacer::remove_unsafe(MatchList& list, Recipe* recipe) {
  if (memory_ == nullptr || list.empty() || !memory_->has_ordered_calls()) return;
  size_t kept = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    read_inputs(list, i * list.width_, false);
    // A replacement that a function creates is checked when it exists.
    const bool is_safe = recipe != nullptr ? may_replace(list, i, *recipe)
                                           : memory_->may_move(pattern_, values(list, i));
    if (!is_safe) continue;
    const auto move_match = [&](auto& all) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(i * list.width_);
      if (kept != i)
        std::move(from, from + static_cast<std::ptrdiff_t>(list.width_),
                  all.begin() + static_cast<std::ptrdiff_t>(kept * list.width_));
    };
    move_match(list.values_);
    move_match(list.ids_);
    ++kept;
  }
  list.size_ = kept;
  list.values_.resize(kept * list.width_);
  list.ids_.resize(kept * list.width_);
}

absl::Status Replacer::replace(MatchList& list, size_t match, Recipe& recipe,
                               std::vector<Node*>& inserted, bool track) {
  const size_t base = match * list.width_;
  results_.clear();
  read_inputs(list, base, track);
  if (!track && !may_replace(list, match, recipe))
    return absl::FailedPreconditionError("a call writes to memory of the match");
  const size_t first_new = inserted.size();
  const uint32_t first_new_id = graph_.id_bound();
  {
    if (recipe.has_effects()) FX_RETURN_IF_ERROR(settle());
    FX_ASSIGN_OR_RETURN(Node* const position, find_position(list, match, recipe, track));
    const InsertPointGuard guard =
        position ? graph_.inserting_before(position) : graph_.inserting_after(nullptr);
    FX_RETURN_IF_ERROR(recipe.insert(graph_, inputs_, inserted, results_));
  }
  if (!track && options_.inherit_meta) {
    absl::Status legal = check_types(list, base, absl::MakeConstSpan(inserted).subspan(first_new));
    if (!legal.ok()) {
      for (; inserted.size() > first_new; inserted.pop_back())
        FX_RETURN_IF_ERROR(graph_.erase_node(inserted.back()));
      return legal;
    }
  }
  const Node* const anchor = list.values_[base + pattern_.anchors[0]].node();
  if (options_.inherit_meta && anchor && !anchor->meta().empty())
    for (size_t i = first_new; i < inserted.size(); ++i) inherit_provenance(*inserted[i], *anchor);
  if (track && replaced_at_.size() < graph_.id_bound()) replaced_at_.resize(graph_.id_bound());
  for (size_t i = 0; i < pattern_.returned.size(); ++i)
    FX_RETURN_IF_ERROR(replace_result(list, base, i, first_new_id, track));
  if (options_.inherit_meta)
    for (size_t i = first_new; i < inserted.size(); ++i)
      if (!inserted[i]->type() && has_typed_operands(*inserted[i])) try_infer_type(*inserted[i]);
  FX_RETURN_IF_ERROR(erase(list, match));
  if (!track && memory_ != nullptr && (recipe.has_effects() || memory_->has_ordered_calls()))
    memory_->note_replaced(absl::MakeConstSpan(inserted).subspan(first_new));
  return absl::OkStatus();
}

absl::StatusOr<Replacements> Replacer::run(Recipe* recipe, const MakeReplacement* make) {
  if (options_.match.overlap == Overlap::kAll)
    return absl::InvalidArgumentError(
        "matches that share nodes cannot all be replaced; choose "
        "Overlap::kFirst or kLast");
  FX_ASSIGN_OR_RETURN(MatchList list, find_matches(shared_, graph_, options_.match));
  remove_unsafe(list, recipe);
  Replacements done(std::move(list));
  // While an iterator exists, no new node reuses the memory of an erased one, so pointers in
  // the matches stay distinct. Reuse cannot be detected for nodes in lists and nodes that `make`
  // accesses, since their ids are not stored.
  std::optional<NodeIterator> keep;
  if (make || done.matches_.may_hold_nodes_in_lists_) keep.emplace(graph_.nodes().begin());
  done.ends_.reserve(done.size() + 1);
  if (recipe) {
    done.inserted_.reserve(done.size() * recipe->size());
    replaced_.reserve(done.size() * pattern_.returned.size());
    replaced_at_.reserve(graph_.id_bound() + done.size() * recipe->size());
  }
  const absl::Status status = replace_all(done, recipe, make);
  FX_RETURN_IF_ERROR(settle());
  FX_RETURN_IF_ERROR(status);
  for (size_t i = 0; inputs_may_change_ && i < done.size(); ++i) {
    for (const uint32_t index : pattern_.placeholders) {
      const size_t slot = i * done.matches_.width_ + index;
      resolve(done.matches_.values_[slot], done.matches_.ids_[slot]);
    }
  }
  return done;
}

absl::Status Replacer::replace_all(Replacements& done, Recipe* recipe,
                                   const MakeReplacement* make) {
  for (size_t i = 0; i < done.size(); ++i) {
    std::optional<Recipe> new_recipe;
    Recipe* now = recipe;
    if (make) {
      FX_ASSIGN_OR_RETURN(const Graph* const replacement, (*make)(done.match(i)));
      if (replacement) {
        FX_ASSIGN_OR_RETURN(new_recipe, Recipe::create(pattern_, *replacement));
        now = &*new_recipe;
        read_inputs(done.matches_, i * done.matches_.width_, true);
        if (memory_ != nullptr &&
            !memory_->may_use(pattern_, values(done.matches_, i), inputs_, now->result_memory()))
          now = nullptr;
      }
    }
    if (now) FX_RETURN_IF_ERROR(replace(done.matches_, i, *now, done.inserted_, true));
    done.ends_.push_back(done.inserted_.size());
  }
  return absl::OkStatus();
}

}  // namespace rewrite

ReplaceOptions ReplaceOptions::torch_fx() {
  ReplaceOptions options;
  options.pattern = PatternOptions::torch_fx();
  options.match.filter_last = true;
  options.inherit_meta = false;
  options.check_memory = false;
  return options;
}

absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Graph& pattern,
                                             const Graph& replacement,
                                             const ReplaceOptions& options) {
  FX_ASSIGN_OR_RETURN(const Pattern compiled, Pattern::create(pattern, options.pattern));
  return replace_pattern(graph, compiled, replacement, options);
}

absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Graph& pattern,
                                             const MakeReplacement& make,
                                             const ReplaceOptions& options) {
  if (!make) {
    return absl::InvalidArgumentError(
        "a replacement, or a function that creates one, must be passed");
  }
  FX_ASSIGN_OR_RETURN(const Pattern compiled, Pattern::create(pattern, options.pattern));
  rewrite::MatchMemory memory(graph);
  return rewrite::Replacer(graph, compiled, options, memory).run(nullptr, &make);
}

absl::StatusOr<Replacements> replace_pattern(Graph& graph, const Pattern& pattern,
                                             const Graph& replacement,
                                             const ReplaceOptions& options) {
  FX_ASSIGN_OR_RETURN(rewrite::Recipe recipe,
                      rewrite::Recipe::create(pattern.compiled(), replacement));
  rewrite::MatchMemory memory(graph);
  return rewrite::Replacer(graph, pattern, options, memory).run(&recipe, nullptr);
}

}  // namespace fx
