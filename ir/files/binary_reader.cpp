// Reads `.fxb` files: see binary.h and docs/binary_format.md.
//
// The graph is filled directly, cell by cell. Every count is checked against the number of
// remaining bytes, so that memory is linear in the input. Every index is checked against its table.
// Recursion is bounded by kMaxArgumentDepth and kMaxGraphDepth.
#include "fx/ir/files/binary.h"
#include "fx/ir/files/binary_internal.h"
#include "fx/ir/files/binary_tables_internal.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

namespace fx {
namespace {

using binary::next_number;
using Editor = Graph::Editor;

class Reader : private binary::TableReader {
 public:
  Reader(Context& context, std::string_view bytes) : TableReader(context, bytes) {}

  absl::StatusOr<std::unique_ptr<Graph>> run() {
    in_.skip(binary::kHeadSize);
    FX_RETURN_IF_ERROR(read_tables());
    std::unique_ptr<Graph> graph;
    FX_RETURN_IF_ERROR(read_graph(1, &graph));
    if (in_.failed()) return damaged("a number is out of range, or the file is truncated");
    if (in_.left() > 0) return damaged("the file must end after the graph");
    return graph;
  }

 private:
  absl::Status read_graph(int depth, std::unique_ptr<Graph>* result) {
    if (depth > kMaxGraphDepth)
      return damaged(fmt::format("graphs are nested more than {} levels deep", kMaxGraphDepth));
    if (++num_graphs_ > kMaxGraphsInText)
      return damaged(fmt::format("it has more than {} graphs", kMaxGraphsInText));
    auto graph = std::make_unique<Graph>(context_);
    graph->set_allow_several_outputs(true);  // verify() checks this
    const uint32_t num_meta = in_.count(2);
    absl::flat_hash_set<uint32_t> keys;
    for (uint32_t i = 0; i < num_meta; ++i) {
      const Symbol key = read_string();
      FX_RETURN_IF_ERROR(check());
      if (!keys.insert(key.id()).second) return damaged("duplicate metadata key");
      Argument value;
      FX_RETURN_IF_ERROR(read_value(0, &value));
      Editor(*graph).append_meta(key, std::move(value));
    }
    const uint32_t num_subgraphs = in_.count(4);
    for (uint32_t i = 0; i < num_subgraphs; ++i) {
      const Symbol name = read_string();
      FX_RETURN_IF_ERROR(check());
      std::unique_ptr<Graph> subgraph;
      FX_RETURN_IF_ERROR(read_graph(depth + 1, &subgraph));
      const auto added = graph->add_subgraph(name.str(), std::move(subgraph));
      if (!added.ok()) return damaged(std::string(added.status().message()));
    }
    FX_RETURN_IF_ERROR(read_nodes(*graph));
    *result = std::move(graph);
    return absl::OkStatus();
  }

  absl::Status read_nodes(Graph& graph) {
    graph_ = &graph;
    Editor internals(graph);
    fill_ = &internals;
    nodes_.clear();
    later_.clear();
    target_bases_.assign(2 * std::max(functions_.size(), strings_.size()) + 2, UINT32_MAX);
    base_numbers_.assign(strings_.size(), 0);
    last_type_ = nullptr;
    num_nodes_ = in_.count(3);
    graph.reserve(num_nodes_, 0);
    nodes_.reserve(num_nodes_);
    while (nodes_.size() < num_nodes_) FX_RETURN_IF_ERROR(read_node());
    // Now set the operands that come after their users. In the use list of a value, only the uses
    // by later nodes are in order; an unordered graph guarantees no more.
    for (const Later& use : later_) {
      internals.set_operand(use.cell, *nodes_[use.position], *nodes_[use.user]);
    }
    return absl::OkStatus();
  }

  absl::Status read_node() {
    const uint8_t head = in_.byte();
    const auto op = static_cast<Opcode>(head & binary::kOpcodeMask);
    if (op > Opcode::kOutput || head >> 7) in_.fail();
    const bool is_function = op == Opcode::kCallFunction;
    const uint32_t target = in_.index(is_function ? functions_.size() : strings_.size());
    uint32_t& book = target_bases_[2 * size_t{target} + (is_function ? 1 : 0)];
    uint32_t base = book, number = 0;
    if (head & binary::kNextName) {
      if (base == UINT32_MAX) in_.fail();
    } else {
      base = in_.index(strings_.size());
      number = in_.index(UINT32_MAX);
    }
    FX_RETURN_IF_ERROR(check());
    if (head & binary::kNextName) number = next_number(base_numbers_[base]);
    book = base;
    base_numbers_[base] = number;
    if (!(head & binary::kSameType)) last_type_ = read_type();
    const uint32_t num_args = in_.count();
    FX_RETURN_IF_ERROR(check());
    const void* target_data = is_function ? static_cast<const void*>(functions_[target].data())
                                          : Editor::symbol_data(strings_[target]);
    return read_arguments(head, op, target_data, {strings_[base], number}, num_args);
  }

  /// `name` is a reference, because copying a name that was just written, in two parts, stalls.
  absl::Status read_arguments(uint8_t head, Opcode op, const void* target, const Name& name,
                              uint32_t num_args) {
    const uint32_t num_kwargs = (head & binary::kHasKwargs) ? in_.count(2) : 0;
    if (num_kwargs > UINT16_MAX) in_.fail();
    if (op == Opcode::kOutput && (num_args != 1 || num_kwargs > 0))
      return damaged("an output must have one argument");
    if (op == Opcode::kPlaceholder && (num_args > 1 || num_kwargs > 0))
      return damaged("a placeholder accepts no argument except its default");
    FX_RETURN_IF_ERROR(check());
    if (uint64_t{num_args} + 2 * num_kwargs > in_.left())
      return damaged("the number of arguments exceeds the number of bytes");
    Node* node = fill_->add_node(op, target, name, last_type_, num_args, num_kwargs);
    if (!node) return damaged(fmt::format("duplicate name {}", name.str()));
    nodes_.push_back(node);
    const uint32_t cells = fill_->cells_of(*node);
    for (uint32_t i = 0; i < num_args; ++i) FX_RETURN_IF_ERROR(read_cell(*node, cells + i, 0));
    if (num_kwargs > 0) FX_RETURN_IF_ERROR(read_kwargs(*node, cells + num_args, num_kwargs));
    if (head & binary::kHasMeta) FX_RETURN_IF_ERROR(read_meta(*node));
    return check();
  }

  absl::Status read_kwargs(const Node& node, uint32_t cell, uint32_t count) {
    keys_.clear();
    for (uint32_t i = 0; i < count; ++i) {
      const Symbol key = read_string();
      FX_RETURN_IF_ERROR(check());
      if (!keys_.insert(key.id()).second)
        return damaged(fmt::format("duplicate keyword argument {}", key.str()));
      fill_->set_pointer(cell + 2 * i, ArgumentKind::kString, Editor::symbol_data(key));
      FX_RETURN_IF_ERROR(read_cell(node, cell + 2 * i + 1, 0));
    }
    return absl::OkStatus();
  }

  absl::Status read_meta(Node& node) {
    const uint32_t count = in_.count(2);
    for (uint32_t i = 0; i < count; ++i) {
      const Symbol key = read_string();
      FX_RETURN_IF_ERROR(check());
      if (node.meta().find(key.str())) return damaged("duplicate metadata key");
      Argument value;
      FX_RETURN_IF_ERROR(read_value(0, &value));
      node.meta().set(key.str(), std::move(value));
    }
    return absl::OkStatus();
  }

  void read_operand(uint64_t position, const Node& user, uint32_t cell) {
    if (position >= num_nodes_) {
      in_.fail();
    } else if (position + 1 < nodes_.size()) {
      fill_->set_operand(cell, *nodes_[position], user);
    } else {
      later_.push_back(
          {cell, static_cast<uint32_t>(nodes_.size() - 1), static_cast<uint32_t>(position)});
    }
  }

  absl::Status read_cell(const Node& user, uint32_t cell, int depth) {
    const uint8_t tag = in_.byte();
    const uint64_t self = nodes_.size() - 1;
    if (tag >= binary::kNearOperand) {
      read_operand(self - (tag - binary::kNearOperand + 1u), user, cell);
      return absl::OkStatus();
    }
    const auto kind = static_cast<ArgumentKind>(tag);
    switch (kind) {
      case ArgumentKind::kNode:
        read_operand(self - static_cast<uint64_t>(binary::unzigzag(in_.number())), user, cell);
        return absl::OkStatus();
      case ArgumentKind::kString:
      case ArgumentKind::kObject: {
        const Symbol text = read_string();
        if (text) fill_->set_pointer(cell, kind, Editor::symbol_data(text));
        return absl::OkStatus();
      }
      case ArgumentKind::kComplex: {
        const uint32_t parts = fill_->new_items(2);
        for (uint32_t i = 0; i < 2; ++i)
          fill_->set_constant(parts + i, ArgumentKind::kFloat, static_cast<int64_t>(in_.fixed(8)));
        fill_->set_items(cell, kind, parts, 2, Symbol());
        return absl::OkStatus();
      }
      case ArgumentKind::kList:
      case ArgumentKind::kTuple:
      case ArgumentKind::kStruct:
      case ArgumentKind::kDict:
      case ArgumentKind::kSlice:
      case ArgumentKind::kRange:
        return read_items(user, cell, kind, depth + 1);
      case ArgumentKind::kGraph: {
        const uint32_t number = in_.index(graph_->num_subgraphs());
        fill_->set_constant(cell, kind, number);
        return absl::OkStatus();
      }
      default: {
        int64_t bits = 0;
        if (read_leaf(kind, &bits)) fill_->set_constant(cell, kind, bits);
        return check();
      }
    }
  }

  absl::Status read_items(const Node& user, uint32_t cell, ArgumentKind kind, int depth) {
    if (depth > kMaxArgumentDepth)
      return damaged(fmt::format("values are nested more than {} levels deep", kMaxArgumentDepth));
    const uint32_t size = in_.count();
    const Symbol name = kind == ArgumentKind::kStruct ? read_string() : Symbol();
    const uint32_t count = kind == ArgumentKind::kDict ? 2 * size : size;
    const bool three = kind == ArgumentKind::kSlice || kind == ArgumentKind::kRange;
    if (count > in_.left() || (three && size != 3)) in_.fail();
    FX_RETURN_IF_ERROR(check());
    const uint32_t items = fill_->new_items(count);
    // Store the number of items before they are read, so that all are released on error.
    fill_->set_items(cell, kind, items, size, name);
    for (uint32_t i = 0; i < count; ++i) FX_RETURN_IF_ERROR(read_cell(user, items + i, depth));
    const detail::Cell* cells = count > 0 ? graph_->storage().cell_at(items) : nullptr;
    if (kind == ArgumentKind::kRange) {
      for (uint32_t i = 0; i < 3; ++i)
        if (cells[i].kind() != ArgumentKind::kInt)
          return damaged("the start, stop and step of a range must be integers");
    }
    if (kind != ArgumentKind::kDict) return check();
    absl::flat_hash_set<std::pair<ArgumentKind, int64_t>> keys;
    for (uint32_t i = 0; i < size; ++i) {
      const detail::Cell& key = cells[2 * i];
      if (key.is_use() || (key.kind() != ArgumentKind::kString && key.kind() != ArgumentKind::kInt))
        return damaged("the keys of a dict must be strings or integers");
      if (!keys.emplace(key.kind(), key.i).second) return damaged("duplicate key in a dict");
    }
    return check();
  }

  /// An operand that comes after its user, or that is its own user.
  struct Later {
    uint32_t cell, user, position;
  };

  int num_graphs_ = 0;
  // State of the graph being read.
  Graph* graph_ = nullptr;
  Editor* fill_ = nullptr;
  uint32_t num_nodes_ = 0;
  std::vector<Node*> nodes_;
  std::vector<Later> later_;
  std::vector<uint32_t> target_bases_, base_numbers_;
  absl::flat_hash_set<uint32_t> keys_;
  const TypeData* last_type_ = nullptr;
};

uint64_t little_endian(std::string_view bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  return value;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> read_binary(Context& context, std::string_view bytes,
                                                   const BinaryReadOptions& options) {
  if (!is_binary_graph(bytes)) {
    return absl::InvalidArgumentError(
        "this is not a .fxb file: it does not start with the magic bytes");
  }
  if (bytes.size() < binary::kHeadSize)
    return absl::InvalidArgumentError("this .fxb file is truncated within its header");
  const uint64_t version = little_endian(bytes, binary::kVersionAt, 4);
  if (version != kBinaryVersion) {
    return absl::FailedPreconditionError(
        fmt::format("this .fxb file has version {}, but this version of fxcpp supports only "
                    "version {}; write it again, or convert it to .fx text, with the version of "
                    "fxcpp that wrote it",
                    version, kBinaryVersion));
  }
  const uint64_t checksum = little_endian(bytes, binary::kChecksumAt, 8);
  if (options.verify_checksum &&
      checksum != llvm::xxh3_64bits(
                      llvm::StringRef(bytes.data(), bytes.size()).substr(binary::kHeadSize))) {
    return absl::InvalidArgumentError(
        "this .fxb file is corrupted: its checksum does not match its bytes");
  }
  return Reader(context, bytes).run();
}

absl::StatusOr<std::unique_ptr<Graph>> read_binary_file(Context& context, const std::string& path,
                                                        const BinaryReadOptions& options) {
  FX_ASSIGN_OR_RETURN(const std::shared_ptr<Storage> file, Storage::map_file(path));
  const std::string_view bytes(reinterpret_cast<const char*>(file->data()), file->num_bytes());
  auto graph = read_binary(context, bytes, options);
  if (!graph.ok()) return with_context(graph.status(), path);
  return graph;
}

}  // namespace fx
