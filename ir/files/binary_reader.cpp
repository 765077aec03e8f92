// Reads `.fxb`: see binary.h and docs/binary_format.md.
//
// The graph is filled directly, cell by cell. Every number that says how many of something follow
// is held against the bytes that are left, so that memory is linear in the input; every index
// against its table. Recursion is bounded by kMaxArgumentDepth and kMaxGraphDepth.
#include "fx/ir/files/binary.h"
#include "fx/ir/files/binary_internal.h"
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

/// Reads numbers from bytes. After the first failure all reads give 0, and `failed()` says so.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes)
      : begin_(bytes.data()), at_(begin_), end_(begin_ + bytes.size()) {}

  size_t left() const { return static_cast<size_t>(end_ - at_); }
  bool failed() const { return failed_; }

  uint8_t byte() {
    if (at_ == end_) return fail();
    return static_cast<uint8_t>(*at_++);
  }
  uint64_t number() {
    if (at_ != end_ && static_cast<uint8_t>(*at_) < 0x80) return static_cast<uint8_t>(*at_++);
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) return fail();
      const uint64_t part = static_cast<uint8_t>(*at_++);
      value |= (part & 0x7f) << shift;
      if (part < 0x80) return shift == 63 && part > 1 ? fail() : value;
    }
    return fail();
  }
  /// A number below `bound`.
  uint32_t index(uint64_t bound) {
    const uint64_t value = number();
    return value < bound ? static_cast<uint32_t>(value) : fail();
  }
  /// How many of something follow that take `bytes` each at least.
  uint32_t count(size_t bytes = 1) {
    const uint64_t value = number();
    return value <= left() / bytes && value <= UINT32_MAX / 4 ? static_cast<uint32_t>(value)
                                                              : fail();
  }
  void skip(size_t bytes) {
    if (bytes > left()) {
      fail();
    } else {
      at_ += bytes;
    }
  }
  /// `bytes` is 8 at most.
  uint64_t fixed(int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= uint64_t{byte()} << (8 * i);
    return value;
  }
  std::string_view text() {
    const size_t size = count();
    const std::string_view result(at_, size);
    at_ += size;
    return result;
  }
  uint8_t fail() {
    if (!failed_) failed_at_ = offset();
    failed_ = true;
    at_ = end_;
    return 0;
  }
  /// Of the next byte; after a failure, of the byte behind what failed.
  size_t offset() const { return failed_ ? failed_at_ : static_cast<size_t>(at_ - begin_); }

 private:
  const char* begin_;
  const char* at_;
  const char* end_;
  bool failed_ = false;
  size_t failed_at_ = 0;
};

class Reader {
 public:
  Reader(Context& context, std::string_view bytes) : context_(context), in_(bytes) {}

  absl::StatusOr<std::unique_ptr<Graph>> run() {
    in_.skip(binary::kHeadSize);
    FX_RETURN_IF_ERROR(read_tables());
    std::unique_ptr<Graph> graph;
    FX_RETURN_IF_ERROR(read_graph(1, &graph));
    if (in_.failed()) return damaged("a number is out of range, or the file ends too early");
    if (in_.left() > 0) return damaged("there is something behind the graph");
    return graph;
  }

 private:
  absl::Status damaged(std::string_view what) const {
    return absl::InvalidArgumentError(
        fmt::format("this .fxb file is damaged, at byte {}: {}", in_.offset(), what));
  }
  absl::Status check() const {
    if (!in_.failed()) return absl::OkStatus();
    return damaged("a number is out of range, or the file ends too early");
  }

  absl::Status read_tables() {
    const uint32_t num_strings = in_.count();
    strings_.reserve(num_strings);
    for (uint32_t i = 0; i < num_strings && !in_.failed(); ++i)
      strings_.push_back(context_.symbol(in_.text()));
    const uint32_t num_functions = in_.count(2);
    functions_.reserve(num_functions);
    for (uint32_t i = 0; i < num_functions && !in_.failed(); ++i) {
      const std::string_view name = in_.text();
      const uint8_t present = in_.byte();
      std::string_view parts[4];
      for (int part = 0; part < 4; ++part)
        if (present >> part & 1) parts[part] = in_.text();
      if (name.empty() || present > 15) in_.fail();
      FX_RETURN_IF_ERROR(check());
      functions_.push_back(context_.function(
          name, {.base_name = parts[0], .listing = parts[1], .repr = parts[2], .inner = parts[3]}));
    }
    const uint32_t num_types = in_.count();
    for (uint32_t i = 0; i < num_types && !in_.failed(); ++i) {
      const absl::StatusOr<Type> type = context_.types().parse(in_.text());
      if (!type.ok())
        return damaged(fmt::format("type {}: {}", i, std::string(type.status().message())));
      types_.push_back(*type);
    }
    const uint32_t num_exprs = in_.count();
    for (uint32_t i = 0; i < num_exprs && !in_.failed(); ++i) {
      const absl::StatusOr<SymExpr> expr = context_.exprs().parse(in_.text());
      if (!expr.ok())
        return damaged(fmt::format("size {}: {}", i, std::string(expr.status().message())));
      exprs_.push_back(*expr);
    }
    return check();
  }

  Symbol read_string() {
    const uint32_t i = in_.index(strings_.size());
    return in_.failed() ? Symbol() : strings_[i];
  }
  const TypeData* read_type() {
    const uint32_t i = in_.index(types_.size() + 1);
    return i == 0 ? nullptr : types_[i - 1].data();
  }

  absl::Status read_graph(int depth, std::unique_ptr<Graph>* result) {
    if (depth > kMaxGraphDepth)
      return damaged(fmt::format("graphs nest deeper than {} levels", kMaxGraphDepth));
    if (++num_graphs_ > kMaxGraphsInText)
      return damaged(fmt::format("more than {} graphs", kMaxGraphsInText));
    auto graph = std::make_unique<Graph>(context_);
    graph->set_allow_several_outputs(true);  // verify() judges that
    const uint32_t num_meta = in_.count(2);
    absl::flat_hash_set<uint32_t> keys;
    for (uint32_t i = 0; i < num_meta; ++i) {
      const Symbol key = read_string();
      FX_RETURN_IF_ERROR(check());
      if (!keys.insert(key.id()).second) return damaged("a key of meta data occurs twice");
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
    // Operands that stand later, now that they are there. Uses keep the order of operands only
    // among those that do not: nobody may rely on more in a graph that is not in order.
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

  absl::Status read_arguments(uint8_t head, Opcode op, const void* target, Name name,
                              uint32_t num_args) {
    const uint32_t num_kwargs = (head & binary::kHasKwargs) ? in_.count(2) : 0;
    if (num_kwargs > UINT16_MAX) in_.fail();
    if (op == Opcode::kOutput && (num_args != 1 || num_kwargs > 0))
      return damaged("an output has one argument, the result");
    if (op == Opcode::kPlaceholder && (num_args > 1 || num_kwargs > 0))
      return damaged("a placeholder has no argument but its default");
    FX_RETURN_IF_ERROR(check());
    if (uint64_t{num_args} + 2 * num_kwargs > in_.left())
      return damaged("there are more arguments than bytes");
    Node* node = fill_->add_node(op, target, name, last_type_, num_args, num_kwargs);
    if (!node) return damaged(fmt::format("two nodes are called {}", name.str()));
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
        return damaged(fmt::format("keyword argument {} occurs twice", key.str()));
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
      if (node.meta().find(key.str())) return damaged("a key of meta data occurs twice");
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
      return damaged(fmt::format("values nest deeper than {} levels", kMaxArgumentDepth));
    const uint32_t size = in_.count();
    const Symbol name = kind == ArgumentKind::kStruct ? read_string() : Symbol();
    const uint32_t count = kind == ArgumentKind::kDict ? 2 * size : size;
    const bool three = kind == ArgumentKind::kSlice || kind == ArgumentKind::kRange;
    if (count > in_.left() || (three && size != 3)) in_.fail();
    FX_RETURN_IF_ERROR(check());
    const uint32_t items = fill_->new_items(count);
    // Counted at once, so that what was read is released whole.
    fill_->set_items(cell, kind, items, size, name);
    for (uint32_t i = 0; i < count; ++i) FX_RETURN_IF_ERROR(read_cell(user, items + i, depth));
    const detail::Cell* cells = count > 0 ? graph_->storage().cell_at(items) : nullptr;
    if (kind == ArgumentKind::kRange) {
      for (uint32_t i = 0; i < 3; ++i)
        if (cells[i].kind() != ArgumentKind::kInt)
          return damaged("the parts of a range are integers");
    }
    if (kind != ArgumentKind::kDict) return check();
    absl::flat_hash_set<std::pair<ArgumentKind, int64_t>> keys;
    for (uint32_t i = 0; i < size; ++i) {
      const detail::Cell& key = cells[2 * i];
      if (key.is_use() || (key.kind() != ArgumentKind::kString && key.kind() != ArgumentKind::kInt))
        return damaged("the keys of a dict are strings and integers");
      if (!keys.emplace(key.kind(), key.i).second) return damaged("a key occurs twice in a dict");
    }
    return check();
  }

  /// The payload of a constant that a cell or an Argument holds in 64 bits; false when it failed.
  bool read_leaf(ArgumentKind kind, int64_t* bits) {
    switch (kind) {
      case ArgumentKind::kNone:
      case ArgumentKind::kEllipsis:
        break;
      case ArgumentKind::kBool:
        *bits = in_.index(2);
        break;
      case ArgumentKind::kInt:
        *bits = binary::unzigzag(in_.number());
        break;
      case ArgumentKind::kFloat:
        *bits = static_cast<int64_t>(in_.fixed(8));
        break;
      case ArgumentKind::kDType:
        *bits = in_.index(kNumDTypes + 1);
        break;
      case ArgumentKind::kLayout:
        *bits = in_.index(kNumLayouts);
        break;
      case ArgumentKind::kMemoryFormat:
        *bits = in_.index(kNumMemoryFormats);
        break;
      case ArgumentKind::kDevice: {
        const std::optional<Device> device = device_from_name(read_string().str());
        if (!device) return in_.fail();
        std::memcpy(bits, &*device, sizeof *device);
        break;
      }
      case ArgumentKind::kSymbolic: {
        const uint32_t i = in_.index(exprs_.size());
        if (!in_.failed()) *bits = std::bit_cast<int64_t>(exprs_[i].data());
        break;
      }
      case ArgumentKind::kType:
        *bits = std::bit_cast<int64_t>(read_type());
        break;
      case ArgumentKind::kFunction: {
        const uint32_t i = in_.index(functions_.size());
        if (!in_.failed()) *bits = std::bit_cast<int64_t>(functions_[i].data());
        break;
      }
      default:
        return in_.fail();
    }
    return !in_.failed();
  }

  /// A value of meta data: no nodes.
  absl::Status read_value(int depth, Argument* value) {
    const uint8_t tag = in_.byte();
    const auto kind = static_cast<ArgumentKind>(tag);
    FX_RETURN_IF_ERROR(check());
    switch (kind) {
      case ArgumentKind::kString: {
        const Symbol text = read_string();
        if (text) *value = Argument(text);
        return check();
      }
      case ArgumentKind::kObject:
        *value = Argument::object(read_string().str());
        return check();
      case ArgumentKind::kComplex: {
        const auto real = std::bit_cast<double>(in_.fixed(8));
        const auto imaginary = std::bit_cast<double>(in_.fixed(8));
        *value = Argument(std::complex<double>(real, imaginary));
        return check();
      }
      case ArgumentKind::kGraph:
        *value = Argument::graph(in_.index(uint64_t{UINT32_MAX} + 1));
        return check();
      case ArgumentKind::kList:
      case ArgumentKind::kTuple:
      case ArgumentKind::kStruct:
      case ArgumentKind::kDict:
      case ArgumentKind::kSlice:
      case ArgumentKind::kRange:
        return read_aggregate(kind, depth + 1, value);
      default: {
        int64_t bits = 0;
        if (!read_leaf(kind, &bits)) return check();
        *value = leaf_value(kind, bits);
        return absl::OkStatus();
      }
    }
  }

  static Argument leaf_value(ArgumentKind kind, int64_t bits) {
    switch (kind) {
      case ArgumentKind::kBool:
        return bits != 0;
      case ArgumentKind::kInt:
        return bits;
      case ArgumentKind::kFloat:
        return std::bit_cast<double>(bits);
      case ArgumentKind::kEllipsis:
        return Argument::ellipsis();
      case ArgumentKind::kDType:
        return static_cast<DType>(bits);
      case ArgumentKind::kLayout:
        return static_cast<Layout>(bits);
      case ArgumentKind::kMemoryFormat:
        return static_cast<MemoryFormat>(bits);
      case ArgumentKind::kDevice: {
        Device device;
        std::memcpy(static_cast<void*>(&device), &bits, sizeof device);
        return device;
      }
      case ArgumentKind::kSymbolic:
        return SymExpr(std::bit_cast<decltype(SymExpr().data())>(bits));
      case ArgumentKind::kType:
        return Type(std::bit_cast<const TypeData*>(bits));
      case ArgumentKind::kFunction:
        return Target(std::bit_cast<const TargetData*>(bits));
      default:
        return Argument::none();
    }
  }

  absl::Status read_aggregate(ArgumentKind kind, int depth, Argument* value) {
    if (depth > kMaxArgumentDepth)
      return damaged(fmt::format("values nest deeper than {} levels", kMaxArgumentDepth));
    const uint32_t size = in_.count();
    const Symbol name = kind == ArgumentKind::kStruct ? read_string() : Symbol();
    FX_RETURN_IF_ERROR(check());
    std::vector<Argument> items;
    std::vector<std::pair<Argument, Argument>> entries;
    absl::flat_hash_set<std::pair<ArgumentKind, std::string>> keys;
    for (uint32_t i = 0; i < size; ++i) {
      Argument key, item;
      if (kind == ArgumentKind::kDict) {
        FX_RETURN_IF_ERROR(read_value(depth, &key));
        if (!key.is_string() && !key.is_int())
          return damaged("the keys of a dict are strings and integers");
        const std::string text =
            key.is_int() ? std::to_string(key.as_int()) : std::string(key.as_string());
        if (!keys.emplace(key.kind(), text).second) return damaged("a key occurs twice in a dict");
      }
      FX_RETURN_IF_ERROR(read_value(depth, &item));
      if (kind == ArgumentKind::kDict)
        entries.emplace_back(std::move(key), std::move(item));
      else
        items.push_back(std::move(item));
    }
    switch (kind) {
      case ArgumentKind::kList:
        *value = Argument::list(items);
        return check();
      case ArgumentKind::kTuple:
        *value = Argument::tuple(items);
        return check();
      case ArgumentKind::kStruct:
        *value = Argument::named_tuple(name.str(), items);
        return check();
      case ArgumentKind::kDict:
        *value = Argument::dict(entries);
        return check();
      default:
        break;
    }
    if (items.size() != 3) return damaged("a slice or range has three parts");
    if (kind == ArgumentKind::kSlice) {
      *value = Argument::slice(items[0], items[1], items[2]);
      return check();
    }
    for (const Argument& item : items)
      if (!item.is_int()) return damaged("the parts of a range are integers");
    *value = Argument::range(items[0].as_int(), items[1].as_int(), items[2].as_int());
    return check();
  }

  /// An operand that stood later than its user, or is it.
  struct Later {
    uint32_t cell, user, position;
  };

  Context& context_;
  Cursor in_;
  std::vector<Symbol> strings_;
  std::vector<Target> functions_;
  std::vector<Type> types_;
  std::vector<SymExpr> exprs_;
  int num_graphs_ = 0;
  // Of the graph being read.
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
        "this is no .fxb file: it does not start with the eight bytes of one");
  }
  if (bytes.size() < binary::kHeadSize)
    return absl::InvalidArgumentError("this .fxb file ends within its head");
  const uint64_t version = little_endian(bytes, binary::kVersionAt, 4);
  if (version != kBinaryVersion) {
    return absl::FailedPreconditionError(
        fmt::format("this .fxb file has version {}, and this fxcpp reads version {} only; write it "
                    "again, or as .fx text, with the fxcpp that made it",
                    version, kBinaryVersion));
  }
  const uint64_t checksum = little_endian(bytes, binary::kChecksumAt, 8);
  if (options.verify_checksum &&
      checksum != llvm::xxh3_64bits(
                      llvm::StringRef(bytes.data(), bytes.size()).substr(binary::kHeadSize))) {
    return absl::InvalidArgumentError(
        "this .fxb file is damaged: its checksum is not that of its bytes");
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
