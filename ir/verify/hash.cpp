// Structural hash: see hash.h.
//
// Nodes are numbered in program order, and the graph becomes a sequence of words that is mixed into
// two independent 64-bit lanes. Interned objects (targets, types, strings) are hashed as text once,
// and then looked up by address.
#include "fx/ir/verify/hash.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/hash_mix.h"
#include "fx/ir/support/recent_cache.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <bit>
#include <cstring>
#include <memory>
#include <vector>

namespace fx {

using detail::Cell;

namespace {

constexpr uint64_t kLow = internal::kGoldenRatio64;  // odd constants with irregular bits
constexpr uint64_t kHigh = 0xc2b2ae3d27d4eb4f;

using internal::hash_fold;

/// The two lanes of a 128-bit hash.
struct HashLanes {
  uint64_t low = kHigh;
  uint64_t high = kLow;

  void add(uint64_t word) {
    low = hash_fold(low ^ word, kLow) + word;
    high = hash_fold(high + word, kHigh) ^ std::rotl(word, 32);
  }
};

uint64_t hash_text(std::string_view text) {
  HashLanes state;
  state.add(text.size());
  while (!text.empty()) {
    uint64_t word = 0;
    size_t size = text.size() < 8 ? text.size() : 8;
    std::memcpy(&word, text.data(), size);
    state.add(word);
    text.remove_prefix(size);
  }
  return state.low ^ std::rotl(state.high, 17);
}

/// Maps addresses to hashes; recent ones are found without a search.
class PointerHashes {
 public:
  template <class F>
  uint64_t get(const void* pointer, F&& make) {
    return recent_.get(pointer, [&] {
      const auto [it, is_new] = all_.try_emplace(pointer);
      if (is_new) it->second = make();
      return it->second;
    });
  }

 private:
  internal::RecentCache<const void*, uint64_t, 256> recent_;
  absl::flat_hash_map<const void*, uint64_t> all_;
};

}  // namespace

class StructuralHasher {
 public:
  explicit StructuralHasher(const HashOptions& options) : options_(options) {}

  GraphHash run(const Graph& root);

 private:
  static constexpr uint32_t kNoNumber = UINT32_MAX;

  GraphHash hash_graph(const Graph& graph, absl::Span<const GraphHash> nested);
  void add_node(const Node& node);
  void add_cell(const Cell& cell);
  void add_argument(HashLanes& state, const Argument& value);
  void add_leaf(HashLanes& state, const Argument& value);
  void add_meta(const Node& node);
  uint32_t number_of(uint32_t slot);
  /// The hash of a string that lives as long as the Context.
  uint64_t interned(std::string_view text) {
    if (text.empty()) return 0;  // another string may have the same address
    return texts_.get(text.data(), [&] { return hash_text(text); });
  }
  uint64_t symbol(Symbol symbol) { return interned(symbol.str()); }
  uint64_t type(Type type) {
    if (!type) return 0;
    return texts_.get(type.data(), [&] {
      return hash_text(to_string(graph_->context().types().canonical(type)));
    });
  }

  const HashOptions& options_;
  HashLanes state_;
  const Graph* graph_ = nullptr;
  std::vector<uint32_t> numbers_;  // by slot
  uint32_t next_number_ = 0;
  PointerHashes texts_;
};

GraphHash StructuralHasher::run(const Graph& root) {
  // The list has each graph before the graphs nested in it, and is hashed in reverse, so that
  // nested graphs are hashed first.
  struct Entry {
    const Graph* graph;
    size_t first_nested = 0;
    GraphHash hash = {};
  };
  std::vector<Entry> graphs = {{&root}};
  for (size_t i = 0; i < graphs.size(); ++i) {
    graphs[i].first_nested = graphs.size();
    const Graph& graph = *graphs[i].graph;
    for (size_t k = 0; k < graph.num_subgraphs(); ++k) graphs.push_back({&graph.subgraph(k)});
  }
  std::vector<GraphHash> nested;
  for (size_t i = graphs.size(); i-- > 0;) {
    Entry& entry = graphs[i];
    nested.clear();
    for (size_t k = 0; k < entry.graph->num_subgraphs(); ++k)
      nested.push_back(graphs[entry.first_nested + k].hash);
    entry.hash = hash_graph(*entry.graph, nested);
  }
  return graphs[0].hash;
}

GraphHash StructuralHasher::hash_graph(const Graph& graph, absl::Span<const GraphHash> nested) {
  graph_ = &graph;
  state_ = HashLanes();
  numbers_.assign(graph.storage().slot_bound(), kNoNumber);
  next_number_ = 0;
  state_.add(graph.size());
  for (uint32_t slot = graph.storage().node_at(GraphStorage::kRoot)->next_;
       slot != GraphStorage::kRoot;) {
    const Node& node = *graph.storage().node_at(slot);
    add_node(node);
    numbers_[slot] = next_number_++;
    slot = node.next_;
  }
  for (size_t i = 0; i < nested.size(); ++i) {
    state_.add(hash_text(graph.subgraph_name(i)));
    state_.add(nested[i].low);
    state_.add(nested[i].high);
  }
  if (!options_.ignore_meta) {
    uint64_t sum = 0;  // does not depend on the order of the entries
    for (const auto& [key, value] : graph.meta()) {
      HashLanes entry;
      entry.add(symbol(key));
      add_argument(entry, value);
      sum += entry.low ^ entry.high;
    }
    state_.add(sum);
  }
  state_.add(nested.size());
  return {hash_fold(state_.high, kLow), hash_fold(state_.low, kHigh)};
}

uint32_t StructuralHasher::number_of(uint32_t slot) {
  if (numbers_[slot] == kNoNumber) {
    // An operand that comes later in the list. Number all nodes.
    uint32_t number = 0;
    for (const Node& node : graph_->nodes()) numbers_[node.slot_] = number++;
  }
  return numbers_[slot];
}

void StructuralHasher::add_node(const Node& node) {
  state_.add(static_cast<uint64_t>(node.op_) << 48 | uint64_t{node.num_kwargs_} << 32 |
             node.num_args_);
  if (options_.ignore_names && node.op_ == Opcode::kPlaceholder) {
    std::string_view target = node.target();
    size_t stars = target.find_first_not_of('*');
    state_.add(stars == std::string_view::npos ? target.size() : stars);
  } else {
    state_.add(texts_.get(node.target_data(), [&] { return hash_text(node.target()); }));
  }
  if (!options_.ignore_names) {
    state_.add(symbol(node.name_parts().base));
    state_.add(node.name_number_plus_one_);
  }
  if (!options_.ignore_types) state_.add(type(node.type()));
  uint32_t count = node.num_cells();
  if (count > 0) {
    const Cell* cells = graph_->storage().cell_at(node.cells_);
    for (uint32_t i = 0; i < count; ++i) add_cell(cells[i]);
  }
  if (!options_.ignore_meta && (node.flags_ & Node::kHasMeta)) add_meta(node);
}

// The words that are hashed for an argument are its kind, its size if it has one, then its value.
// A cell and an Argument with equal values must have the same words. Depth is bounded
// (kMaxArgumentDepth).
void StructuralHasher::add_cell(const Cell& cell) {
  if (cell.is_use()) {
    state_.add(static_cast<uint64_t>(ArgumentKind::kNode) << 56 | number_of(cell.head));
    return;
  }
  ArgumentKind kind = cell.kind();
  switch (kind) {
    case ArgumentKind::kBool:
    case ArgumentKind::kInt:
    case ArgumentKind::kFloat:
    case ArgumentKind::kDType:
    case ArgumentKind::kLayout:
    case ArgumentKind::kMemoryFormat:
    case ArgumentKind::kGraph:
      state_.add(static_cast<uint64_t>(kind) << 56);
      state_.add(static_cast<uint64_t>(cell.i));
      return;
    case ArgumentKind::kString:
    case ArgumentKind::kObject:
      state_.add(static_cast<uint64_t>(kind) << 56);
      state_.add(interned(ArgumentRef(graph_, &cell).as_string()));
      return;
    default:
      break;
  }
  if (!is_aggregate(kind)) {
    add_leaf(state_, Argument(ArgumentRef(graph_, &cell)));
    return;
  }
  state_.add(static_cast<uint64_t>(kind) << 56 | cell.aux);
  if (kind == ArgumentKind::kStruct)
    state_.add(symbol(graph_->context().symbols().get(cell.items.type_name)));
  uint32_t count = kind == ArgumentKind::kDict ? 2 * cell.aux : cell.aux;
  if (count == 0) return;
  const Cell* items = graph_->storage().cell_at(cell.items.begin);
  for (uint32_t i = 0; i < count; ++i) add_cell(items[i]);
}

void StructuralHasher::add_argument(HashLanes& state, const Argument& value) {
  if (!is_aggregate(value.kind())) {
    add_leaf(state, value);
    return;
  }
  state.add(static_cast<uint64_t>(value.kind()) << 56 | value.size());
  if (value.kind() == ArgumentKind::kStruct)
    state.add(value.type_name().empty() ? 0 : hash_text(value.type_name()));
  for (size_t i = 0; i < value.size(); ++i) {
    if (value.is_dict()) add_argument(state, value.key(i));
    add_argument(state, value[i]);
  }
}

void StructuralHasher::add_leaf(HashLanes& state, const Argument& value) {
  state.add(static_cast<uint64_t>(value.kind()) << 56);
  switch (value.kind()) {
    case ArgumentKind::kBool:
      state.add(value.as_bool());
      return;
    case ArgumentKind::kInt:
      state.add(static_cast<uint64_t>(value.as_int()));
      return;
    case ArgumentKind::kFloat:
      state.add(std::bit_cast<uint64_t>(value.as_float()));
      return;
    case ArgumentKind::kComplex:
      state.add(std::bit_cast<uint64_t>(value.as_complex().real()));
      state.add(std::bit_cast<uint64_t>(value.as_complex().imag()));
      return;
    case ArgumentKind::kString:
    case ArgumentKind::kObject:
      state.add(value.as_string().empty() ? 0 : hash_text(value.as_string()));
      return;
    case ArgumentKind::kDType:
      state.add(static_cast<uint64_t>(value.as_dtype()));
      return;
    case ArgumentKind::kDevice:
      state.add(hash_text(device_name(value.as_device())));
      return;
    case ArgumentKind::kLayout:
      state.add(static_cast<uint64_t>(value.as_layout()));
      return;
    case ArgumentKind::kMemoryFormat:
      state.add(static_cast<uint64_t>(value.as_memory_format()));
      return;
    case ArgumentKind::kSymbolic:
      state.add(texts_.get(value.as_symbolic().data(),
                           [&] { return hash_text(to_string(value.as_symbolic().canonical())); }));
      return;
    case ArgumentKind::kType:
      state.add(type(value.as_type()));
      return;
    case ArgumentKind::kFunction:
      state.add(symbol(value.as_function().symbol()));
      return;
    case ArgumentKind::kGraph:
      state.add(value.as_graph());
      return;
    default:
      return;  // None, ellipsis; metadata contains no nodes
  }
}

void StructuralHasher::add_meta(const Node& node) {
  uint64_t sum = 0;  // does not depend on the order of the entries
  node.meta().for_each([&](Symbol key, const Argument& value) {
    HashLanes entry;
    entry.add(symbol(key));
    add_argument(entry, value);
    sum += entry.low ^ entry.high;
  });
  state_.add(sum);
}

std::string GraphHash::str() const { return fmt::format("{:016x}{:016x}", high, low); }

GraphHash structural_hash(const Graph& graph, const HashOptions& options) {
  return StructuralHasher(options).run(graph);
}

}  // namespace fx
