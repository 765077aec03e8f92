// Argument: see argument.h.
#include "fx/ir/graph/argument.h"

#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"

#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <vector>

namespace fx {

// A reference-counted, immutable block: an array of arguments, a string, or the two doubles of a
// complex number.
struct Argument::Block {
  std::atomic<uint32_t> references{1};
  uint32_t count;  // items (a dict: keys and values) or characters
  int depth;
  bool contains_node;

  Argument* items() { return reinterpret_cast<Argument*>(this + 1); }
  char* text() { return reinterpret_cast<char*>(this + 1); }
  double* numbers() { return reinterpret_cast<double*>(this + 1); }

  static Block* make(size_t count, size_t bytes) {
    FX_CHECK(count <= UINT32_MAX / 2, "an argument must have fewer than 2^31 items");
    void* memory = ::operator new(sizeof(Block) + bytes);
    return new (memory)
        Block{.count = static_cast<uint32_t>(count), .depth = 0, .contains_node = false};
  }
  /// Creates an aggregate. Moves the items, unless they are const.
  template <typename Item>
  static Argument aggregate(ArgumentKind kind, absl::Span<Item> items);
};

std::string_view argument_kind_name(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::kNone:
      return "None";
    case ArgumentKind::kBool:
      return "bool";
    case ArgumentKind::kInt:
      return "int";
    case ArgumentKind::kFloat:
      return "float";
    case ArgumentKind::kComplex:
      return "complex";
    case ArgumentKind::kString:
      return "string";
    case ArgumentKind::kDType:
      return "dtype";
    case ArgumentKind::kDevice:
      return "device";
    case ArgumentKind::kLayout:
      return "layout";
    case ArgumentKind::kMemoryFormat:
      return "memory_format";
    case ArgumentKind::kSymbolic:
      return "symbolic number";
    case ArgumentKind::kType:
      return "type";
    case ArgumentKind::kFunction:
      return "function";
    case ArgumentKind::kEllipsis:
      return "ellipsis";
    case ArgumentKind::kObject:
      return "object";
    case ArgumentKind::kGraph:
      return "graph";
    case ArgumentKind::kNode:
      return "node";
    case ArgumentKind::kList:
      return "list";
    case ArgumentKind::kTuple:
      return "tuple";
    case ArgumentKind::kStruct:
      return "named tuple";
    case ArgumentKind::kDict:
      return "dict";
    case ArgumentKind::kSlice:
      return "slice";
    case ArgumentKind::kRange:
      return "range";
  }
  return "?";
}

// ---------------------------------------------------------------- creation

Argument::Argument(std::string_view text) : kind_(ArgumentKind::kString), owned_(true) {
  payload_.block = Block::make(text.size(), text.size());
  std::copy(text.begin(), text.end(), payload_.block->text());
}

Argument::Argument(Symbol text) : kind_(ArgumentKind::kString) {
  FX_CHECK(text, "the null Symbol is not a string");
  payload_.pointer = text.data_;
}

Argument::Argument(std::complex<double> value) : kind_(ArgumentKind::kComplex), owned_(true) {
  payload_.block = Block::make(2, 2 * sizeof(double));
  payload_.block->numbers()[0] = value.real();
  payload_.block->numbers()[1] = value.imag();
}

Argument::Argument(Device device) : kind_(ArgumentKind::kDevice) {
  static_assert(sizeof(Device) <= sizeof(payload_.i));
  std::memcpy(&payload_.i, &device, sizeof device);
}

Argument::Argument(const Dim& dim) {
  if (dim.is_int())
    *this = Argument(dim.value());
  else
    *this = Argument(dim.expr());
}

Argument::Argument(SymExpr expr) : kind_(ArgumentKind::kSymbolic) {
  payload_.pointer = expr.data();
}

Argument::Argument(Type type) : kind_(ArgumentKind::kType) { payload_.pointer = type.data(); }

Argument::Argument(Target function) : kind_(ArgumentKind::kFunction) {
  FX_CHECK(function, "the null Target is not a function");
  payload_.pointer = function.data();
}

void Argument::null_node() {
  FX_UNREACHABLE("an argument must not be a null Node*; for None, use Argument::none()");
}

Argument Argument::ellipsis() {
  Argument result;
  result.kind_ = ArgumentKind::kEllipsis;
  return result;
}

template <typename Item>
Argument Argument::Block::aggregate(ArgumentKind kind, absl::Span<Item> items) {
  Block* block = make(items.size(), items.size() * sizeof(Argument));
  for (size_t i = 0; i < items.size(); ++i) {
    block->depth = std::max(block->depth, items[i].depth());
    block->contains_node |= items[i].contains_node();
    new (block->items() + i) Argument(std::move(items[i]));  // copies an item that is const
  }
  ++block->depth;
  FX_CHECK(block->depth <= kMaxArgumentDepth,
           fmt::format("arguments are nested more than {} levels deep", kMaxArgumentDepth));
  Argument result;
  result.kind_ = kind;
  result.owned_ = true;
  result.payload_.block = block;
  return result;
}

Argument Argument::make(ArgumentKind kind, absl::Span<const Argument> items) {
  return Block::aggregate(kind, items);
}

Argument Argument::list(absl::Span<const Argument> items) {
  return make(ArgumentKind::kList, items);
}
Argument Argument::list(std::initializer_list<Argument> items) {
  return make(ArgumentKind::kList, items);
}
Argument Argument::tuple(absl::Span<const Argument> items) {
  return make(ArgumentKind::kTuple, items);
}
Argument Argument::tuple(std::initializer_list<Argument> items) {
  return make(ArgumentKind::kTuple, items);
}

Argument Argument::ints(absl::Span<const int64_t> values) {
  absl::InlinedVector<Argument, 8> items(values.begin(), values.end());
  return Block::aggregate(ArgumentKind::kList, absl::MakeSpan(items));
}

Argument Argument::named_tuple(std::string_view type_name, absl::Span<const Argument> items) {
  // The class name comes after the items.
  std::vector<Argument> all(items.begin(), items.end());
  all.push_back(Argument(type_name));
  return Block::aggregate(ArgumentKind::kStruct, absl::MakeSpan(all));
}

namespace {

/// True if the keys of a dict are unique. Most dicts have few keys; comparing each pair is then
/// faster than creating a set.
bool has_unique_keys(absl::Span<const std::pair<Argument, Argument>> items) {
  constexpr size_t kFewKeys = 8;
  if (items.size() <= kFewKeys) {
    for (size_t i = 1; i < items.size(); ++i)
      for (size_t k = 0; k < i; ++k)
        if (items[i].first == items[k].first) return false;
    return true;
  }
  absl::flat_hash_set<std::string_view> names;
  absl::flat_hash_set<int64_t> numbers;
  return std::ranges::all_of(items, [&](const auto& item) {
    const Argument& key = item.first;
    return key.is_int() ? numbers.insert(key.as_int()).second
                        : names.insert(key.as_string()).second;
  });
}

}  // namespace

Argument Argument::dict(absl::Span<const std::pair<Argument, Argument>> items) {
  for (const auto& [key, value] : items)
    FX_CHECK(key.is_string() || key.is_int(), "a dict key must be a string or an integer");
  FX_CHECK(has_unique_keys(items), "the keys of a dict must be unique");
  absl::InlinedVector<Argument, 8> all;
  all.reserve(2 * items.size());
  for (const auto& [key, value] : items) {
    all.push_back(key);
    all.push_back(value);
  }
  return Block::aggregate(ArgumentKind::kDict, absl::MakeSpan(all));
}

Argument Argument::slice(Argument start, Argument stop, Argument step) {
  Argument items[] = {std::move(start), std::move(stop), std::move(step)};
  return Block::aggregate(ArgumentKind::kSlice, absl::MakeSpan(items));
}

Argument Argument::range(int64_t start, int64_t stop, int64_t step) {
  const Argument items[] = {start, stop, step};
  return make(ArgumentKind::kRange, items);
}

Argument Argument::object(std::string_view text) {
  Argument result(text);
  result.kind_ = ArgumentKind::kObject;
  return result;
}

Argument Argument::graph(uint32_t index) {
  Argument result(static_cast<int64_t>(index));
  result.kind_ = ArgumentKind::kGraph;
  return result;
}

// A copy of the argument of a node. Depth is bounded (kMaxArgumentDepth).
Argument::Argument(ArgumentRef ref) {
  const detail::Cell& cell = *ref.cell_;
  ArgumentKind kind = ref.kind();
  if (kind == ArgumentKind::kNode) {
    *this = Argument(ref.node());
    return;
  }
  if (kind == ArgumentKind::kComplex) {
    *this = Argument(ref.as_complex());
    return;
  }
  if (!is_aggregate(kind)) {
    kind_ = kind;
    payload_.i = cell.i;
    return;
  }
  std::vector<Argument> items;
  items.reserve(2 * ref.size() + 1);
  for (size_t i = 0; i < ref.size(); ++i) {
    if (kind == ArgumentKind::kDict) items.push_back(ref.key(i));
    items.push_back(ref[i]);
  }
  if (kind == ArgumentKind::kStruct) items.push_back(Argument(ref.type_name()));
  *this = Block::aggregate(kind, absl::MakeSpan(items));
}

// ---------------------------------------------------------------- copying

void Argument::share_block() { payload_.block->references.fetch_add(1, std::memory_order_relaxed); }

void Argument::release_block() {
  Block* block = payload_.block;
  if (block->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (is_aggregate(kind_))
    for (uint32_t i = 0; i < block->count; ++i) block->items()[i].~Argument();
  block->~Block();
  ::operator delete(block);
}

// ---------------------------------------------------------------- reading

static std::string wrong_kind(ArgumentKind kind, std::string_view expected) {
  return fmt::format("this argument is of kind {}, not {}", argument_kind_name(kind), expected);
}

#define FX_EXPECT_KIND(expected) \
  FX_CHECK(kind() == (expected), wrong_kind(kind(), argument_kind_name(expected)))

bool Argument::as_bool() const {
  FX_EXPECT_KIND(ArgumentKind::kBool);
  return payload_.i != 0;
}
int64_t Argument::as_int() const {
  FX_EXPECT_KIND(ArgumentKind::kInt);
  return payload_.i;
}
double Argument::as_float() const {
  FX_EXPECT_KIND(ArgumentKind::kFloat);
  return payload_.f;
}
std::complex<double> Argument::as_complex() const {
  FX_EXPECT_KIND(ArgumentKind::kComplex);
  return {payload_.block->numbers()[0], payload_.block->numbers()[1]};
}
std::string_view Argument::as_string() const {
  FX_CHECK(kind_ == ArgumentKind::kString || kind_ == ArgumentKind::kObject,
           wrong_kind(kind_, "string"));
  if (owned_) return {payload_.block->text(), payload_.block->count};
  return Symbol(static_cast<const Symbol::Data*>(payload_.pointer)).str();
}
DType Argument::as_dtype() const {
  FX_EXPECT_KIND(ArgumentKind::kDType);
  return static_cast<DType>(payload_.i);
}
Device Argument::as_device() const {
  FX_EXPECT_KIND(ArgumentKind::kDevice);
  Device device;
  std::memcpy(static_cast<void*>(&device), &payload_.i, sizeof device);
  return device;
}
Layout Argument::as_layout() const {
  FX_EXPECT_KIND(ArgumentKind::kLayout);
  return static_cast<Layout>(payload_.i);
}
MemoryFormat Argument::as_memory_format() const {
  FX_EXPECT_KIND(ArgumentKind::kMemoryFormat);
  return static_cast<MemoryFormat>(payload_.i);
}
SymExpr Argument::as_symbolic() const {
  FX_EXPECT_KIND(ArgumentKind::kSymbolic);
  return SymExpr(static_cast<const SymExprData*>(payload_.pointer));
}
Type Argument::as_type() const {
  FX_EXPECT_KIND(ArgumentKind::kType);
  return Type(static_cast<const TypeData*>(payload_.pointer));
}
Target Argument::as_function() const {
  FX_EXPECT_KIND(ArgumentKind::kFunction);
  return Target(static_cast<const TargetData*>(payload_.pointer));
}
uint32_t Argument::as_graph() const {
  FX_EXPECT_KIND(ArgumentKind::kGraph);
  return static_cast<uint32_t>(payload_.i);
}
Node* Argument::as_node() const {
  FX_EXPECT_KIND(ArgumentKind::kNode);
  return payload_.node;
}

size_t Argument::size() const {
  if (!is_aggregate(kind_)) return 0;
  uint32_t count = payload_.block->count;
  if (kind_ == ArgumentKind::kDict) return count / 2;
  return kind_ == ArgumentKind::kStruct ? count - 1 : count;
}

const Argument& Argument::operator[](size_t i) const {
  FX_CHECK(i < size(), fmt::format("item {} is out of range for {}", i, pluralize(size(), "item")));
  return payload_.block->items()[kind_ == ArgumentKind::kDict ? 2 * i + 1 : i];
}

absl::Span<const Argument> Argument::items() const {
  if (!is_aggregate(kind_) || is_dict()) return {};
  return {payload_.block->items(), size()};
}

const Argument& Argument::key(size_t i) const {
  FX_EXPECT_KIND(ArgumentKind::kDict);
  FX_CHECK(i < size(),
           fmt::format("key {} is out of range for {}", i, pluralize(size(), "entry", "entries")));
  return payload_.block->items()[2 * i];
}

const Argument* Argument::find(std::string_view key) const {
  for (size_t i = 0; is_dict() && i < size(); ++i)
    if (this->key(i).is_string() && this->key(i).as_string() == key) return &(*this)[i];
  return nullptr;
}

std::string_view Argument::find_text(std::string_view key) const {
  const Argument* value = find(key);
  return value != nullptr && value->is_string() ? value->as_string() : std::string_view();
}

std::string_view Argument::type_name() const {
  FX_EXPECT_KIND(ArgumentKind::kStruct);
  return payload_.block->items()[payload_.block->count - 1].as_string();
}

int Argument::depth() const { return is_aggregate(kind_) ? payload_.block->depth : 0; }

bool Argument::contains_node() const {
  return kind_ == ArgumentKind::kNode || (is_aggregate(kind_) && payload_.block->contains_node);
}

bool Argument::equals(const Argument& other) const {
  if (kind_ != other.kind_) return false;
  if (kind_ == ArgumentKind::kString || kind_ == ArgumentKind::kObject)
    return as_string() == other.as_string();
  if (kind_ == ArgumentKind::kComplex)
    return std::bit_cast<std::array<uint64_t, 2>>(as_complex()) ==
           std::bit_cast<std::array<uint64_t, 2>>(other.as_complex());
  if (!is_aggregate(kind_)) return payload_.i == other.payload_.i;
  const Block& a = *payload_.block;
  const Block& b = *other.payload_.block;
  if (&a == &b) return true;
  auto* items = payload_.block->items();
  return a.count == b.count && a.depth == b.depth &&
         std::equal(items, items + a.count, other.payload_.block->items());
}

// ---------------------------------------------------------------- trees

// The recursion is bounded by kMaxArgumentDepth.
Argument map_leaves(const Argument& argument, absl::FunctionRef<Argument(const Argument&)> f) {
  if (!is_aggregate(argument.kind())) return f(argument);
  absl::InlinedVector<Argument, 8> items;
  items.reserve(argument.size());
  bool same = true;
  for (size_t i = 0; i < argument.size(); ++i) {
    items.push_back(map_leaves(argument[i], f));
    same = same && items.back() == argument[i];
  }
  return same ? argument : argument.with_items(items);
}

Argument map_nodes(const Argument& argument, absl::FunctionRef<Argument(Node*)> f) {
  if (!argument.contains_node()) return argument;
  if (argument.is_node()) return f(argument.as_node());
  absl::InlinedVector<Argument, 8> items;
  items.reserve(argument.size());
  for (size_t i = 0; i < argument.size(); ++i) items.push_back(map_nodes(argument[i], f));
  return argument.with_items(items);
}

Argument Argument::with_items(absl::Span<const Argument> items) const {
  FX_CHECK(items.size() == size(), "with_items must preserve the number of items");
  absl::InlinedVector<Argument, 8> all;
  all.reserve(is_dict() ? 2 * items.size() : items.size() + 1);
  for (size_t i = 0; i < items.size(); ++i) {
    if (is_dict()) all.push_back(key(i));
    all.push_back(items[i]);
  }
  if (kind_ == ArgumentKind::kStruct) all.push_back(payload_.block->items()[items.size()]);
  return Block::aggregate(kind_, absl::MakeSpan(all));
}

// ---------------------------------------------------------------- views

bool ArgumentRef::as_bool() const {
  FX_EXPECT_KIND(ArgumentKind::kBool);
  return cell_->i != 0;
}
int64_t ArgumentRef::as_int() const {
  FX_EXPECT_KIND(ArgumentKind::kInt);
  return cell_->i;
}
double ArgumentRef::as_float() const {
  FX_EXPECT_KIND(ArgumentKind::kFloat);
  return cell_->f;
}
std::string_view ArgumentRef::as_string() const {
  FX_CHECK(kind() == ArgumentKind::kString || kind() == ArgumentKind::kObject,
           wrong_kind(kind(), "string"));
  return Symbol(static_cast<const Symbol::Data*>(cell_->pointer)).str();
}
// Other leaves are copied into an Argument, which allocates nothing.
DType ArgumentRef::as_dtype() const { return Argument(*this).as_dtype(); }
Device ArgumentRef::as_device() const { return Argument(*this).as_device(); }
Layout ArgumentRef::as_layout() const { return Argument(*this).as_layout(); }
MemoryFormat ArgumentRef::as_memory_format() const { return Argument(*this).as_memory_format(); }
SymExpr ArgumentRef::as_symbolic() const { return Argument(*this).as_symbolic(); }
Type ArgumentRef::as_type() const { return Argument(*this).as_type(); }
Target ArgumentRef::as_function() const { return Argument(*this).as_function(); }
uint32_t ArgumentRef::as_graph() const { return Argument(*this).as_graph(); }

#undef FX_EXPECT_KIND

}  // namespace fx
