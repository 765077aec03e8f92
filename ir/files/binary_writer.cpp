// Writes `.fxb` files: see binary.h and docs/binary_format.md.
#include "fx/ir/files/binary.h"
#include "fx/ir/files/binary_internal.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/recent_cache.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/meta_order.h"
#include "fx/ir/text/text.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"
#include "llvm/Support/xxhash.h"

#include <bit>
#include <optional>
#include <vector>

namespace fx {
namespace {

using binary::next_number;
using detail::Cell;
using Editor = Graph::Editor;

/// Appends bytes to a string, which grows by doubling and is truncated at the end.
class Bytes {
 public:
  [[gnu::always_inline]] void put(uint8_t byte) {
    if (size_ == out_.size()) grow(1);
    out_[size_++] = static_cast<char>(byte);
  }
  /// Seven bits per byte, low bits first; the top bit means that more bytes follow.
  void number(uint64_t value) {
    if (out_.size() - size_ < 10) grow(10);
    char* at = out_.data() + size_;
    for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
    *at++ = static_cast<char>(value);
    size_ = static_cast<size_t>(at - out_.data());
  }
  void fixed(uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) put(static_cast<uint8_t>(value >> (8 * i)));
  }
  void text(std::string_view text) {
    number(text.size());
    if (out_.size() - size_ < text.size()) grow(text.size());
    text.copy(out_.data() + size_, text.size());
    size_ += text.size();
  }
  std::string take() {
    out_.resize(size_);
    return std::move(out_);
  }
  std::string_view view() const { return std::string_view(out_).substr(0, size_); }

 private:
  void grow(size_t by) { out_.resize(std::max(2 * out_.size(), out_.size() + by + 256)); }
  std::string out_;
  size_t size_ = 0;
};

/// Numbers pointers in the order of their first occurrence.
class Numbering {
 public:
  uint32_t of(const void* pointer) {
    return recent_.get(pointer, [&] {
      const auto [it, is_new] = numbers_.try_emplace(pointer, static_cast<uint32_t>(order_.size()));
      if (is_new) order_.push_back(pointer);
      return it->second;
    });
  }
  const std::vector<const void*>& order() const { return order_; }

 private:
  internal::RecentCache<const void*, uint32_t, 64> recent_;
  absl::flat_hash_map<const void*, uint32_t> numbers_;
  std::vector<const void*> order_;
};

class Writer {
 public:
  explicit Writer(const Graph& root) : root_(root), symbols_(root.context().symbols()) {}

  absl::StatusOr<std::string> run() {
    FX_RETURN_IF_ERROR(write_graph(root_, 1));
    // The tables come first, because the reader requires them before the graph. Functions and types
    // refer to strings.
    Bytes functions, types, exprs;
    functions.number(functions_.order().size());
    for (const void* pointer : functions_.order())
      write_function(*static_cast<const TargetData*>(pointer), functions);
    types.number(types_.order().size());
    for (const void* pointer : types_.order())
      types.text(to_string(Type(static_cast<const TypeData*>(pointer))));
    exprs.number(exprs_.size());
    for (const SymExpr expr : exprs_) exprs.text(to_string(expr));

    Bytes out;
    for (const char c : kBinaryMagic) out.put(static_cast<uint8_t>(c));
    out.fixed(kBinaryVersion, 4);
    out.fixed(0, 8);
    out.number(string_order_.size());
    for (const uint32_t id : string_order_) out.text(symbols_.get(id).str());
    std::string bytes = out.take();
    for (const Bytes* part : {&functions, &types, &exprs, &body_}) bytes += part->view();
    const uint64_t checksum = llvm::xxh3_64bits(llvm::StringRef(bytes).substr(binary::kHeadSize));
    for (size_t i = 0; i < 8; ++i)
      bytes[binary::kChecksumAt + i] = static_cast<char>(checksum >> (8 * i));
    return bytes;
  }

 private:
  uint32_t string(uint32_t symbol_id) {
    if (symbol_id >= strings_.size()) strings_.resize(symbol_id + symbol_id / 2 + size_t{64});
    uint32_t& number = strings_[symbol_id];
    if (number == 0) {
      string_order_.push_back(symbol_id);
      number = static_cast<uint32_t>(string_order_.size());
    }
    return number - 1;
  }
  uint32_t string(std::string_view text) { return string(root_.context().symbol(text).id()); }

  /// 0 for the null Type.
  uint64_t type(const void* data) { return data ? uint64_t{types_.of(data)} + 1 : 0; }

  uint32_t expr(SymExpr value) {
    const auto [it, is_new] = expr_numbers_.try_emplace(value.data(), exprs_.size());
    if (is_new) exprs_.push_back(value);
    return it->second;
  }

  void write_function(const TargetData& function, Bytes& out) {
    out.text(function.name.str());
    const Symbol parts[] = {function.has_own_base_name ? function.base_name : Symbol(),
                            function.listing, function.repr, function.inner};
    uint8_t present = 0;
    for (size_t i = 0; i < 4; ++i) present |= static_cast<uint8_t>((parts[i] ? 1 : 0) << i);
    out.put(present);
    for (const Symbol part : parts)
      if (part) out.text(part.str());
  }

  absl::Status write_graph(const Graph& graph, int depth) {
    if (depth > kMaxGraphDepth) {
      return absl::InvalidArgumentError(
          fmt::format("graphs are nested more than {} levels deep", kMaxGraphDepth));
    }
    body_.number(graph.meta().size());
    for (const auto& [key, value] : graph.meta()) {
      body_.number(string(key.id()));
      FX_RETURN_IF_ERROR(write_value(value));
    }
    body_.number(graph.num_subgraphs());
    for (size_t i = 0; i < graph.num_subgraphs(); ++i) {
      body_.number(string(graph.subgraph_name(i)));
      FX_RETURN_IF_ERROR(write_graph(graph.subgraph(i), depth + 1));
    }
    return write_nodes(graph);
  }

  absl::Status write_nodes(const Graph& graph) {
    graph_ = &graph;
    meta_order_.emplace(graph);
    target_bases_.clear();
    base_numbers_.clear();
    last_type_ = nullptr;
    positions_.assign(graph.id_bound(), 0);
    uint32_t position = 0;
    for (const Node& node : graph.nodes()) positions_[node.id()] = position++;
    body_.number(graph.size());
    position_ = 0;
    for (const Node& node : graph.nodes()) {
      const absl::Status status = write_node(node);
      if (!status.ok()) return with_context(status, fmt::format("node %{}", node.name()));
      ++position_;
    }
    return absl::OkStatus();
  }

  absl::Status write_node(const Node& node) {
    const void* target = Editor::target(node);
    if (!target) return absl::InvalidArgumentError("its target must not be null");
    const bool is_function = node.op() == Opcode::kCallFunction;
    const uint32_t target_number =
        is_function ? functions_.of(target) : string(Editor::symbol_id(target));
    const uint32_t base = string(Editor::name_base(node));
    const uint32_t number = Editor::name_number(node);
    // The table of names (binary::next_number).
    const size_t book = 2 * size_t{target_number} + (is_function ? 1 : 0);
    if (book >= target_bases_.size()) target_bases_.resize(2 * book + 16, UINT32_MAX);
    if (base >= base_numbers_.size()) base_numbers_.resize(2 * size_t{base} + 16, 0);
    const bool next_name =
        target_bases_[book] == base && number == next_number(base_numbers_[base]);
    target_bases_[book] = base;
    base_numbers_[base] = number;

    const TypeData* type_data = Editor::type(node);
    const auto num_kwargs = static_cast<uint32_t>(node.num_kwargs());
    const bool has_meta = Editor::has_meta(node) && !node.meta().empty();
    uint8_t head = static_cast<uint8_t>(node.op());
    if (type_data == last_type_) head |= binary::kSameType;
    if (next_name) head |= binary::kNextName;
    if (num_kwargs > 0) head |= binary::kHasKwargs;
    if (has_meta) head |= binary::kHasMeta;
    body_.put(head);
    body_.number(target_number);
    if (!next_name) {
      body_.number(base);
      body_.number(number);
    }
    if (type_data != last_type_) body_.number(type(type_data));
    last_type_ = type_data;

    const auto num_args = static_cast<uint32_t>(node.num_args());
    body_.number(num_args);
    if (num_kwargs > 0) body_.number(num_kwargs);
    const Cell* cells = Editor::cells(node);
    for (uint32_t i = 0; i < num_args; ++i) FX_RETURN_IF_ERROR(write_cell(cells[i]));
    for (uint32_t i = 0; i < num_kwargs; ++i) {
      body_.number(string(Editor::symbol_id(cells[num_args + 2 * i].pointer)));
      FX_RETURN_IF_ERROR(write_cell(cells[num_args + 2 * i + 1]));
    }
    if (has_meta) FX_RETURN_IF_ERROR(write_meta(node));
    return absl::OkStatus();
  }

  absl::Status write_meta(const Node& node) {
    uint32_t count = 0;
    node.meta().for_each([&](Symbol, const Argument&) { ++count; });
    body_.number(count);
    absl::Status status;
    meta_order_->for_each(node, [&](Symbol key, const Argument& value) {
      if (!status.ok()) return;
      body_.number(string(key.id()));
      status = write_value(value);
    });
    return status;
  }

  void write_operand(const Node& operand) {
    const int64_t distance = int64_t{position_} - positions_[operand.id()];
    if (distance >= 1 && distance <= binary::kMaxNearDistance) {
      body_.put(static_cast<uint8_t>(binary::kNearOperand + distance - 1));
      return;
    }
    body_.put(static_cast<uint8_t>(ArgumentKind::kNode));
    body_.number(binary::zigzag(distance));
  }

  /// Writes an argument of a node. Most arguments are operands, so constants have a separate
  /// function.
  [[gnu::always_inline]] absl::Status write_cell(const Cell& cell) {
    if (!cell.is_use()) return write_constant(cell);
    write_operand(*graph_->storage().node_at(cell.head));
    return absl::OkStatus();
  }

  // Depth is bounded (kMaxArgumentDepth).
  absl::Status write_constant(const Cell& cell) {
    const ArgumentKind kind = cell.kind();
    if (!is_aggregate(kind) && kind != ArgumentKind::kComplex && kind != ArgumentKind::kString)
      return write_leaf(ArgumentRef(graph_, &cell));
    body_.put(static_cast<uint8_t>(kind));
    if (kind == ArgumentKind::kString) {
      if (!cell.pointer) return absl::InvalidArgumentError("a string argument must not be null");
      body_.number(string(Editor::symbol_id(cell.pointer)));
      return absl::OkStatus();
    }
    const Cell* items = cell.aux == 0 ? nullptr : graph_->storage().cell_at(cell.items.begin);
    if (kind == ArgumentKind::kComplex) {
      body_.fixed(std::bit_cast<uint64_t>(items[0].f), 8);
      body_.fixed(std::bit_cast<uint64_t>(items[1].f), 8);
      return absl::OkStatus();
    }
    body_.number(cell.aux);
    if (kind == ArgumentKind::kStruct) body_.number(string(cell.items.type_name));
    const uint64_t count = kind == ArgumentKind::kDict ? 2ull * cell.aux : cell.aux;
    for (uint64_t i = 0; i < count; ++i) FX_RETURN_IF_ERROR(write_cell(items[i]));
    return absl::OkStatus();
  }

  // A metadata value: no nodes. Depth is bounded.
  absl::Status write_value(const Argument& value) {
    const ArgumentKind kind = value.kind();
    if (kind == ArgumentKind::kNode)
      return absl::InvalidArgumentError("metadata must not contain nodes");
    if (!is_aggregate(kind)) return write_leaf(value);
    body_.put(static_cast<uint8_t>(kind));
    body_.number(value.size());
    if (kind == ArgumentKind::kStruct) body_.number(string(value.type_name()));
    for (size_t i = 0; i < value.size(); ++i) {
      if (kind == ArgumentKind::kDict) FX_RETURN_IF_ERROR(write_value(value.key(i)));
      FX_RETURN_IF_ERROR(write_value(value[i]));
    }
    return absl::OkStatus();
  }

  template <class A>
  absl::Status write_leaf(const A& value) {
    const ArgumentKind kind = value.kind();
    body_.put(static_cast<uint8_t>(kind));
    switch (kind) {
      case ArgumentKind::kNone:
      case ArgumentKind::kEllipsis:
        return absl::OkStatus();
      case ArgumentKind::kBool:
        body_.put(value.as_bool() ? 1 : 0);
        return absl::OkStatus();
      case ArgumentKind::kInt:
        body_.number(binary::zigzag(value.as_int()));
        return absl::OkStatus();
      case ArgumentKind::kFloat:
        body_.fixed(std::bit_cast<uint64_t>(value.as_float()), 8);
        return absl::OkStatus();
      case ArgumentKind::kComplex:
        body_.fixed(std::bit_cast<uint64_t>(value.as_complex().real()), 8);
        body_.fixed(std::bit_cast<uint64_t>(value.as_complex().imag()), 8);
        return absl::OkStatus();
      case ArgumentKind::kString:
      case ArgumentKind::kObject:
        body_.number(string(value.as_string()));
        return absl::OkStatus();
      case ArgumentKind::kDType:
        body_.number(static_cast<uint64_t>(value.as_dtype()));
        return absl::OkStatus();
      case ArgumentKind::kLayout:
        body_.number(static_cast<uint64_t>(value.as_layout()));
        return absl::OkStatus();
      case ArgumentKind::kMemoryFormat:
        body_.number(static_cast<uint64_t>(value.as_memory_format()));
        return absl::OkStatus();
      case ArgumentKind::kDevice:
        body_.number(string(device_name(value.as_device())));
        return absl::OkStatus();
      case ArgumentKind::kSymbolic:
        if (!value.as_symbolic())
          return absl::InvalidArgumentError("a symbolic number must not be null");
        body_.number(expr(value.as_symbolic()));
        return absl::OkStatus();
      case ArgumentKind::kType:
        body_.number(type(value.as_type().data()));
        return absl::OkStatus();
      case ArgumentKind::kFunction:
        if (!value.as_function()) return absl::InvalidArgumentError("a function must not be null");
        body_.number(functions_.of(value.as_function().data()));
        return absl::OkStatus();
      case ArgumentKind::kGraph:
        body_.number(value.as_graph());
        return absl::OkStatus();
      default:
        return absl::InvalidArgumentError("an argument has an unknown kind");
    }
  }

  const Graph& root_;
  const SymbolTable& symbols_;
  Bytes body_;
  std::vector<uint32_t> strings_;  // by symbol id: number plus one
  std::vector<uint32_t> string_order_;
  Numbering functions_, types_;
  absl::flat_hash_map<const void*, uint32_t> expr_numbers_;
  std::vector<SymExpr> exprs_;
  // State of the graph being written.
  const Graph* graph_ = nullptr;
  std::optional<internal::MetaOrder> meta_order_;  // of graph_
  uint32_t position_ = 0;
  std::vector<uint32_t> positions_;  // by node id
  std::vector<uint32_t> target_bases_, base_numbers_;
  const TypeData* last_type_ = nullptr;
};

}  // namespace

absl::StatusOr<std::string> write_binary(const Graph& graph) { return Writer(graph).run(); }

absl::Status write_binary_file(const Graph& graph, const std::string& path) {
  FX_ASSIGN_OR_RETURN(const std::string bytes, write_binary(graph));
  return write_file(path, bytes);
}

}  // namespace fx
