#include "fx/ir/graph/provenance/provenance.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>
#include <optional>

namespace fx {
namespace {

/// The keys for torch.fx's _COPY_META_FIELDS, and for its stack_trace and seq_nr.
constexpr std::string_view kProvenanceKeys[] = {
    "module",        "module_stack",      "stack_trace",
    "original_aten", "source_fn",         "region",
    "seq",           "torch_fn",          "recompute",
    "ac_graph_id",   "has_backward_hook", "quantization_tag",
    kCustomKey};

/// The keys under which torch.fx, torch.export and Dynamo record the value of a node.
constexpr std::string_view kValueKeys[] = {"val", "tensor_meta", "example_value",
                                           "unbacked_bindings"};

constexpr int kMaxPrintedLevels = 10;
// A level of a history is a list of dicts, and the history may be part of another argument.
constexpr int kMaxHistoryDepth = kMaxArgumentDepth / 4;

std::string_view action_name(SourceAction action) {
  return action == SourceAction::kCreate ? "create" : "replace";
}

std::string actions_text(absl::Span<const SourceAction> actions) {
  std::string text;
  for (const SourceAction action : actions) {
    if (!text.empty()) text += '+';
    text += action_name(action);
  }
  return text;
}

int64_t graph_id(const Graph& graph) {
  const std::optional<Argument> id = graph.meta(kGraphIdKey);
  return id && id->is_int() ? id->as_int() : 0;
}

Argument entry(std::string_view name, std::string_view target, int64_t id,
               std::string_view pass_name, std::string_view actions, Argument history) {
  return Argument::dict({{"name", name},
                         {"target", target},
                         {"graph_id", id},
                         {"pass_name", pass_name},
                         {"action", actions},
                         {"from_node", std::move(history)}});
}

/// The sources in the metadata of a node; an empty list if none exist.
Argument history_of(const Node& node) {
  const Argument* sources = node.meta().find(meta::kFromNode.name);
  return sources && sources->is_list() ? *sources : Argument::list({});
}

std::vector<Argument> items_of(const Argument& list) {
  std::vector<Argument> items;
  items.reserve(list.size() + 1);
  for (size_t i = 0; i < list.size(); ++i) items.push_back(list[i]);
  return items;
}

/// The number of sources in a history, at most `limit`. Depth is bounded (kMaxArgumentDepth).
size_t count_sources(const Argument& sources, size_t limit) {
  size_t count = 0;
  for (size_t i = 0; i < sources.size() && count < limit; ++i) {
    ++count;
    const Argument* history = sources[i].find("from_node");
    if (history && history->is_list()) count += count_sources(*history, limit - count);
  }
  return count;
}

/// A copy of a history without the sources deeper than `levels`.
Argument cut_history(const Argument& sources, int levels) {
  std::vector<Argument> kept;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Argument& source = sources[i];
    std::vector<Argument> values;
    for (size_t k = 0; k < source.size(); ++k) {
      const bool is_history = source.is_dict() && source.key(k) == Argument("from_node");
      if (!is_history || !source[k].is_list())
        values.push_back(source[k]);
      else
        values.push_back(levels > 1 ? cut_history(source[k], levels - 1) : Argument::list({}));
    }
    kept.push_back(source.is_dict() ? source.with_items(values) : source);
  }
  return Argument::list(kept);
}

/// Drops the oldest sources if there are too many or they are nested too deeply.
Argument bounded(Argument sources) {
  constexpr size_t kMax = ProvenanceScope::kMaxSources;
  for (int levels = kMaxHistoryDepth / 2; levels >= 1; levels /= 2) {
    if (sources.depth() <= kMaxHistoryDepth && count_sources(sources, kMax + 1) <= kMax) break;
    sources = cut_history(sources, levels);
  }
  return sources;
}

Argument source_of(const Node& node, std::string_view pass_name, std::string_view action) {
  return entry(node.name(), node.target(), graph_id(node.graph()), pass_name, action,
               history_of(node));
}

Argument with_action(const Argument& source, std::string_view action) {
  std::vector<Argument> values;
  values.reserve(source.size());
  for (size_t i = 0; i < source.size(); ++i)
    values.push_back(source.key(i) == Argument("action") ? Argument(action) : source[i]);
  return source.with_items(values);
}

/// Adds entries to the metadata `custom`. Replaces existing entries only if `replace` is set.
void add_custom(Node& node, const std::vector<std::pair<Argument, Argument>>& entries,
                bool replace) {
  std::vector<std::pair<Argument, Argument>> all;
  const Argument* old = node.meta().find(kCustomKey);
  if (old && !old->is_dict()) {
    if (!replace) return;
    old = nullptr;
  }
  for (size_t i = 0; old && i < old->size(); ++i) all.emplace_back(old->key(i), (*old)[i]);
  for (const auto& [key, value] : entries) {
    const auto same = std::find_if(all.begin(), all.end(), [&target = key](const auto& other) {
      return other.first == target;
    });
    if (same == all.end())
      all.emplace_back(key, value);
    else if (replace)
      same->second = value;
  }
  node.meta().set(kCustomKey, Argument::dict(all));
}

/// Sets a metadata value that the node lacks.
void inherit(Node& node, std::string_view key, const Argument& value) {
  if (key == kCustomKey && value.is_dict()) {
    std::vector<std::pair<Argument, Argument>> entries;
    entries.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i) entries.emplace_back(value.key(i), value[i]);
    add_custom(node, entries, /*replace=*/false);
  } else if (!node.meta().find(key)) {
    node.meta().set(key, value);
  }
}

void print_source(const NodeSource& source, int level, std::string& out) {
  if (level >= kMaxPrintedLevels) return;
  out += fmt::format("{:{}}(name={}, pass_name={}, action={}, graph_id={})\n", "", 4 * level,
                     source.name, source.pass_name, actions_text(source.actions), source.graph_id);
  for (const NodeSource& earlier : source.from_node) print_source(earlier, level + 1, out);
}

absl::Status wrong_field(std::string_view name, const Argument& value) {
  return absl::InvalidArgumentError(fmt::format("\"{}\" of a source must not be of kind {}", name,
                                                argument_kind_name(value.kind())));
}

}  // namespace

// ---------------------------------------------------------------- sources

NodeSource NodeSource::of(const Node& node, std::string_view pass_name,
                          absl::Span<const SourceAction> actions) {
  NodeSource source;
  source.name = node.name();
  source.target = node.target();
  source.graph_id = fx::graph_id(node.graph());
  source.pass_name = pass_name;
  source.actions.assign(actions.begin(), actions.end());
  source.from_node = node_sources(node);
  return source;
}

// Depth is bounded (kMaxArgumentDepth).
absl::StatusOr<NodeSource> NodeSource::from_argument(const Argument& entry) {
  if (!entry.is_dict())
    return absl::InvalidArgumentError(fmt::format("a source must be a dict, but is of kind {}",
                                                  argument_kind_name(entry.kind())));
  NodeSource source;
  for (auto [name, text] : {std::pair<std::string_view, std::string*>{"name", &source.name},
                            {"target", &source.target},
                            {"pass_name", &source.pass_name}}) {
    const Argument* value = entry.find(name);
    if (!value) continue;
    if (!value->is_string()) return wrong_field(name, *value);
    *text = value->as_string();
  }
  if (const Argument* value = entry.find("graph_id")) {
    if (!value->is_int()) return wrong_field("graph_id", *value);
    source.graph_id = value->as_int();
  }
  if (const Argument* value = entry.find("action")) {
    if (!value->is_string()) return wrong_field("action", *value);
    // Different versions of torch.fx use different spellings.
    for (std::string_view rest = value->as_string(); !rest.empty();) {
      const size_t plus = std::min(rest.find('+'), rest.size());
      const std::string_view word = rest.substr(0, plus);
      rest.remove_prefix(std::min(plus + 1, rest.size()));
      if (word == "create" || word == "CREATE")
        source.actions.push_back(SourceAction::kCreate);
      else if (word == "replace" || word == "REPLACE")
        source.actions.push_back(SourceAction::kReplace);
      else
        return absl::InvalidArgumentError(fmt::format("unknown action \"{}\"", word));
    }
  }
  if (const Argument* value = entry.find("from_node")) {
    if (!value->is_list()) return wrong_field("from_node", *value);
    for (size_t i = 0; i < value->size(); ++i) {
      FX_ASSIGN_OR_RETURN(NodeSource earlier, from_argument((*value)[i]));
      source.from_node.push_back(std::move(earlier));
    }
  }
  return source;
}

Argument NodeSource::to_argument() const {
  std::vector<Argument> history;
  history.reserve(from_node.size());
  for (const NodeSource& earlier : from_node) history.push_back(earlier.to_argument());
  return entry(name, target, graph_id, pass_name, actions_text(actions), Argument::list(history));
}

std::string NodeSource::str() const {
  std::string out;
  print_source(*this, 0, out);
  return out;
}

std::vector<NodeSource> node_sources(const Node& node) {
  std::vector<NodeSource> sources;
  const Argument history = history_of(node);
  for (size_t i = 0; i < history.size(); ++i)
    if (absl::StatusOr<NodeSource> source = NodeSource::from_argument(history[i]); source.ok())
      sources.push_back(*std::move(source));
  return sources;
}

Argument graph_provenance(const Graph& graph) {
  std::vector<std::pair<Argument, Argument>> all;
  for (const Node& node : graph.nodes())
    if (node.op() == Opcode::kCallFunction) all.emplace_back(node.name(), history_of(node));
  return Argument::dict(all);
}

absl::Span<const std::string_view> provenance_keys() { return kProvenanceKeys; }

void inherit_provenance(Node& node, const Node& from) {
  FX_CHECK(&node.context() == &from.context(), "nodes that share metadata must share a Context");
  if (from.meta().empty()) return;
  for (const std::string_view key : kProvenanceKeys) {
    const Argument* value = from.meta().find(key);
    // Copy the value, because setting may move the column that contains it.
    if (value) inherit(node, key, Argument(*value));
  }
}

absl::Span<const std::string_view> value_keys() { return kValueKeys; }

void inherit_meta(Node& node, const Node& from) {
  FX_CHECK(&node.context() == &from.context(), "nodes that share metadata must share a Context");
  if (from.meta().empty()) return;
  node.meta().copy_from(from);
  if (!node.type() || node.type() != from.type())
    for (const std::string_view key : kValueKeys) node.meta().remove(key);
}

void change_type(Node& node, Type type) {
  if (node.type() && node.type() != type && !node.meta().empty())
    for (const std::string_view key : kValueKeys) node.meta().remove(key);
  node.set_type(type);
}

std::vector<std::pair<int64_t, std::vector<Node*>>> nodes_by_seq(const Graph& graph) {
  std::map<int64_t, std::vector<Node*>> groups;
  for (Node& node : graph.nodes())
    if (const std::optional<int64_t> seq = node.meta().get(meta::kSeq))
      groups[*seq].push_back(&node);
  return {groups.begin(), groups.end()};
}

// ---------------------------------------------------------------- scopes

SourceGuard::SourceGuard(SourceGuard&& other) noexcept
    : scope_(std::exchange(other.scope_, nullptr)), outer_(std::move(other.outer_)) {}

SourceGuard::~SourceGuard() {
  if (scope_) scope_->source_ = std::move(outer_);
}

ProvenanceScope::ProvenanceScope(Graph& graph, std::string_view pass_name)
    : graph_(graph), pass_name_(pass_name), first_new_id_(graph.id_bound()) {
  graph_.add_observer(this);
}

ProvenanceScope::~ProvenanceScope() { graph_.remove_observer(this); }

SourceGuard ProvenanceScope::making_from(const Node& node) {
  const Node* const nodes[] = {&node};
  return making_from(nodes);
}

SourceGuard ProvenanceScope::making_from(absl::Span<const Node* const> nodes) {
  SourceGuard::Source source;
  std::vector<Argument> sources;
  for (const Node* node : nodes) {
    FX_CHECK(&node->context() == &graph_.context(),
             "graphs that exchange nodes must share a Context");
    if (sources.size() < kMaxSources) sources.push_back(source_of(*node, pass_name_, "create"));
    for (const std::string_view key : kProvenanceKeys)
      if (const Argument* value = node->meta().find(key))
        source.inherited.emplace_back(key, *value);
  }
  source.from_node = bounded(Argument::list(sources));
  return SourceGuard(this, std::exchange(source_, std::move(source)));
}

void ProvenanceScope::node_created(Node& node) {
  if (source_.from_node.size() == 0) {
    const Argument source = entry("", "", -1, pass_name_, "create", Argument::list({}));
    node.meta().set(meta::kFromNode, Argument::list({source}));
    return;
  }
  node.meta().set(meta::kFromNode, source_.from_node);
  for (const auto& [key, value] : source_.inherited) inherit(node, key, value);
}

void ProvenanceScope::use_replaced(Node& old_value, Node& new_value, Node&) {
  // Record this once for all uses: the uses of a value are usually replaced consecutively.
  const uint64_t ids = uint64_t{old_value.id()} << 32 | new_value.id();
  if (std::exchange(last_replaced_, ids) == ids) return;
  const bool is_new = new_value.id() >= first_new_id_;
  const std::string_view action = is_new ? "replace+create" : "replace";
  std::vector<Argument> sources = items_of(history_of(new_value));
  const std::string old_name = old_value.name();
  bool has_source = false, is_noted = false;
  for (Argument& source : sources) {
    const std::string_view name = source.find_text("name");
    has_source = has_source || !name.empty();
    if (name != old_name || source.find_text("pass_name") != pass_name_) continue;
    is_noted = true;
    source = with_action(source, action);
  }
  if (!is_noted && sources.size() < kMaxSources) {
    // The new source also records the pass that created the node.
    std::erase_if(sources, [&](const Argument& source) {
      return source.find_text("name").empty() && source.find_text("pass_name") == pass_name_;
    });
    sources.push_back(source_of(old_value, pass_name_, action));
  }
  new_value.meta().set(meta::kFromNode, bounded(Argument::list(sources)));
  if (is_new && !has_source) inherit_provenance(new_value, old_value);
}

AnnotationScope::AnnotationScope(Graph& graph, Entries entries)
    : graph_(graph), entries_(std::move(entries)) {
  graph_.add_observer(this);
}

AnnotationScope::~AnnotationScope() { graph_.remove_observer(this); }

void AnnotationScope::node_created(Node& node) {
  std::vector<std::pair<Argument, Argument>> entries(entries_.begin(), entries_.end());
  add_custom(node, entries, /*replace=*/true);
}

}  // namespace fx
