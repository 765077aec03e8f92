// Types: interning and creation. Text is in type_text.cpp, facts about strides in strides.cpp.
#include "fx/ir/types/type.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/hash_mix.h"
#include "fx/ir/support/intern_set.h"
#include "fx/ir/types/strides.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <vector>

namespace fx {

using internal::hash_mix;
using State = TypeData::State;

std::string_view type_kind_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::kUnknown:
      return "unknown";
    case TypeKind::kTensor:
      return "tensor";
    case TypeKind::kNone:
      return "none";
    case TypeKind::kInt:
      return "int";
    case TypeKind::kFloat:
      return "float";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kComplex:
      return "complex";
    case TypeKind::kString:
      return "str";
    case TypeKind::kList:
      return "list";
    case TypeKind::kTuple:
      return "tuple";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kObject:
      return "object";
    case TypeKind::kGraph:
      return "graph";
    case TypeKind::kToken:
      return "token";
  }
  FX_UNREACHABLE("TypeKind");
}

namespace {

size_t checked_dim(int dim, int rank) {
  const int index = dim < 0 ? dim + rank : dim;
  FX_CHECK(index >= 0 && index < rank,
           fmt::format("dimension {} is out of range for a tensor of rank {}", dim, rank));
  return static_cast<size_t>(index);
}

/// The key of a node that is not a tensor: its fixed part, and the spans that follow it.
struct TypeKey {
  TypeData data;
  absl::Span<const Type> items = {};
  absl::Span<const Symbol> keys = {};
};

/// The key of a tensor. It has only the members that distinguish tensors, because every lookup
/// fills one in.
struct TensorKey {
  const TensorSpec& spec;
  absl::Span<const Dim> strides;  // of a row-major tensor, needed only to create it
  bool has_strides;
  bool row_major;         // the strides are contiguous_strides of the sizes
  bool is_dense = false;  // needed only to create it
};

uint64_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

/// Needs no branch: the value of a symbolic Dim is 0, and the expression of an integer is null.
uint64_t bits_of(const Dim& dim) {
  return static_cast<uint64_t>(dim.value()) ^ address(dim.expr().data()) << 1;
}

uint64_t bits_of(Device device) {
  return static_cast<uint64_t>(device.type) << 48 |
         static_cast<uint64_t>(static_cast<uint16_t>(device.index)) << 32;
}

constexpr std::array<uint64_t, 32> kFactors = internal::hash_factors<32>();

/// The strides of a row-major tensor follow from its sizes and are not hashed.
uint32_t hash_of(const TensorKey& key) {
  const TensorSpec& t = key.spec;
  const uint64_t facts = static_cast<uint64_t>(t.dtype) | static_cast<uint64_t>(t.layout) << 8 |
                         static_cast<uint64_t>(t.requires_grad) << 16 |
                         static_cast<uint64_t>(t.has_rank) << 17 |
                         static_cast<uint64_t>(key.has_strides) << 18 |
                         static_cast<uint64_t>(key.row_major) << 19 | t.sizes.size() << 20;
  uint64_t hash =
      facts * kFactors[0] + bits_of(t.device) * kFactors[1] + bits_of(t.offset) * kFactors[2];
  const absl::Span<const Dim> strides = key.row_major ? absl::Span<const Dim>() : key.strides;
  if (3 + t.sizes.size() + strides.size() <= kFactors.size()) {
    const uint64_t* factor = &kFactors[3];
    for (const Dim& size : t.sizes) hash += bits_of(size) * *factor++;
    for (const Dim& stride : strides) hash += bits_of(stride) * *factor++;
  } else {
    for (const Dim& size : t.sizes) hash = hash_mix(hash, bits_of(size));
    for (const Dim& stride : strides) hash = hash_mix(hash, bits_of(stride));
  }
  return static_cast<uint32_t>(internal::hash_bits(hash));
}

uint32_t hash_of(const TypeKey& key) {
  const TypeData& d = key.data;
  uint64_t hash = static_cast<uint64_t>(d.kind) | static_cast<uint64_t>(d.state) << 24;
  hash = hash_mix(hash, d.count);
  hash = hash_mix(hash, d.bits[0]);
  hash = hash_mix(hash, d.bits[1] ^ address(d.expr.data()) ^ d.text.id());
  for (Type item : key.items) hash = hash_mix(hash, address(item.data()));
  for (Symbol symbol : key.keys) hash = hash_mix(hash, symbol.id());
  return static_cast<uint32_t>(hash);
}

bool equals(const TypeData& a, const TensorKey& key) {
  const TensorSpec& t = key.spec;
  if (a.kind != TypeKind::kTensor || a.dtype != t.dtype || a.layout != t.layout ||
      a.has_rank != t.has_rank || a.has_strides != key.has_strides ||
      a.default_strides != key.row_major || a.requires_grad != t.requires_grad ||
      a.device != t.device || a.count != t.sizes.size() || a.offset != t.offset)
    return false;
  return std::equal(t.sizes.begin(), t.sizes.end(), a.dims()) &&
         (key.row_major || std::equal(key.strides.begin(), key.strides.end(), a.dims() + a.count));
}

bool equals(const TypeData& a, const TypeKey& key) {
  const TypeData& b = key.data;
  return a.kind == b.kind && a.state == b.state && a.count == b.count && a.bits[0] == b.bits[0] &&
         a.bits[1] == b.bits[1] && a.expr == b.expr && a.text == b.text &&
         std::equal(key.items.begin(), key.items.end(), a.items()) &&
         std::equal(key.keys.begin(), key.keys.end(), a.keys());
}

bool has_row_major_strides(absl::Span<const Dim> sizes, absl::Span<const Dim> strides) {
  // Fast path without a second list: integers, and a symbolic batch size.
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (strides[i] != Dim(expected)) return false;
    if (i == 0) break;
    if (!sizes[i].is_int()) return absl::MakeConstSpan(contiguous_strides(sizes)) == strides;
    if (__builtin_mul_overflow(expected, std::max<int64_t>(sizes[i].value(), 1), &expected))
      return false;
  }
  return true;
}

uint64_t float_bits(double value) {
  // All NaNs are equal.
  return std::bit_cast<uint64_t>(value != value ? std::numeric_limits<double>::quiet_NaN() : value);
}

}  // namespace

const Dim& Type::size(int dim) const { return sizes()[checked_dim(dim, rank())]; }
const Dim& Type::stride(int dim) const {
  FX_CHECK(has_strides(), "the strides of this tensor must be known");
  return strides()[checked_dim(dim, rank())];
}

TensorSpec Type::spec() const {
  FX_CHECK(is_tensor(), "the type must be a tensor");
  TensorSpec spec{.dtype = dtype(),
                  .sizes = sizes(),
                  .offset = offset(),
                  .layout = layout(),
                  .device = device(),
                  .requires_grad = requires_grad(),
                  .has_rank = has_rank()};
  spec.strides = has_strides() ? StrideSpec(strides()) : StrideSpec::unknown();
  return spec;
}

// ---------------------------------------------------------------- interning

namespace {

TypeData* make(internal::Arena& arena, const TensorKey& key) {
  const TensorSpec& t = key.spec;
  void* memory =
      arena.allocate(sizeof(TypeData) + (t.sizes.size() + key.strides.size()) * sizeof(Dim));
  auto* data = new (memory) TypeData;
  data->kind = TypeKind::kTensor;
  data->dtype = t.dtype;
  data->layout = t.layout;
  data->has_rank = t.has_rank;
  data->has_strides = key.has_strides;
  data->requires_grad = t.requires_grad;
  data->device = t.device;
  data->count = static_cast<uint32_t>(t.sizes.size());
  data->offset = t.offset;
  data->default_strides = key.row_major;
  data->is_dense = key.is_dense;
  auto* dims = reinterpret_cast<Dim*>(data + 1);
  dims = std::uninitialized_copy(t.sizes.begin(), t.sizes.end(), dims);
  std::uninitialized_copy(key.strides.begin(), key.strides.end(), dims);
  return data;
}

TypeData* make(internal::Arena& arena, const TypeKey& key) {
  void* memory = arena.allocate(sizeof(TypeData) + key.items.size() * sizeof(Type) +
                                key.keys.size() * sizeof(Symbol));
  auto* data = new (memory) TypeData(key.data);
  auto* items = reinterpret_cast<Type*>(data + 1);
  items = std::uninitialized_copy(key.items.begin(), key.items.end(), items);
  std::uninitialized_copy(key.keys.begin(), key.keys.end(), reinterpret_cast<Symbol*>(items));
  return data;
}

}  // namespace

struct TypeTable::Impl {
  internal::InternSet<TypeData> nodes;

  /// The null Type if none exists yet.
  Type find(const TensorKey& key, uint32_t hash) const {
    return Type(nodes.find(hash, [&](const TypeData& data) { return equals(data, key); }));
  }

  template <class Key>
  Type intern(const Key& key) {
    return intern(key, hash_of(key));
  }

  /// Creates a tensor; null if a part of it is undefined. Separate from find, which is the common
  /// case.
  [[gnu::noinline]] Type make_tensor(TensorKey& key, uint32_t hash) {
    const bool is_default = key.row_major && key.strides.empty();
    const DimVector strides = is_default ? contiguous_strides(key.spec.sizes) : DimVector();
    if (is_default) key.strides = strides;
    const auto undefined = [](const Dim& dim) { return dim.is_undefined(); };
    if (key.spec.offset.is_undefined() ||
        std::any_of(key.spec.sizes.begin(), key.spec.sizes.end(), undefined) ||
        std::any_of(key.strides.begin(), key.strides.end(), undefined))
      return Type();
    key.is_dense = key.row_major ||
                   (key.has_strides && are_non_overlapping_and_dense(key.spec.sizes, key.strides));
    return intern(key, hash);
  }

  template <class Key>
  Type intern(const Key& key, uint32_t hash) {
    const auto equal = [&](const TypeData& data) { return equals(data, key); };
    return Type(nodes.find_or_make(hash, equal, [&](internal::Arena& arena) {
      TypeData* const data = make(arena, key);
      data->hash = hash;
      return data;
    }));
  }
};

TypeTable::TypeTable(SymbolTable& symbols, SymExprTable& exprs)
    : symbols_(symbols), exprs_(exprs), impl_(std::make_unique<Impl>()) {}
TypeTable::~TypeTable() = default;

size_t TypeTable::size() const { return impl_->nodes.size(); }

Type TypeTable::tensor(const TensorSpec& spec) {
  FX_CHECK(spec.has_rank || spec.sizes.empty(), "sizes require a rank");
  TensorKey key{.spec = spec, .strides = {}, .has_strides = false, .row_major = false};
  const bool is_default =
      spec.strides.is_default() && spec.has_rank && spec.layout == Layout::kStrided;
  if (spec.strides.is_explicit()) {
    FX_CHECK(spec.strides.values().size() == spec.sizes.size(),
             fmt::format("{} strides do not match {} sizes", spec.strides.values().size(),
                         spec.sizes.size()));
    key.strides = spec.strides.values();
    key.has_strides = spec.has_rank;
    key.row_major = spec.has_rank && has_row_major_strides(spec.sizes, key.strides);
  } else if (is_default) {
    key.row_major = true;
    key.has_strides = true;
  }
  const uint32_t hash = hash_of(key);
  if (const Type known = impl_->find(key, hash)) return known;
  return impl_->make_tensor(key, hash);
}

namespace {

TypeKey scalar_key(TypeKind kind, State state = State::kUnknown, uint64_t bits = 0) {
  TypeKey key;
  key.data.kind = kind;
  key.data.state = state;
  key.data.bits[0] = bits;
  return key;
}

}  // namespace

Type TypeTable::number(TypeKind kind, SymExpr expr) {
  if (expr.is_undefined()) return Type();
  TypeKey key = scalar_key(kind, State::kSymbolic);
  key.data.expr = expr;
  return impl_->intern(key);
}

Type TypeTable::none() { return impl_->intern(scalar_key(TypeKind::kNone)); }
Type TypeTable::graph() { return impl_->intern(scalar_key(TypeKind::kGraph)); }
Type TypeTable::token() { return impl_->intern(scalar_key(TypeKind::kToken)); }

Type TypeTable::integer() { return impl_->intern(scalar_key(TypeKind::kInt)); }
Type TypeTable::integer(int64_t value) {
  return impl_->intern(scalar_key(TypeKind::kInt, State::kConstant, static_cast<uint64_t>(value)));
}
Type TypeTable::integer(SymExpr expr) { return number(TypeKind::kInt, expr); }

Type TypeTable::floating() { return impl_->intern(scalar_key(TypeKind::kFloat)); }
Type TypeTable::floating(double value) {
  return impl_->intern(scalar_key(TypeKind::kFloat, State::kConstant, float_bits(value)));
}
Type TypeTable::floating(SymExpr expr) { return number(TypeKind::kFloat, expr); }

Type TypeTable::boolean() { return impl_->intern(scalar_key(TypeKind::kBool)); }
Type TypeTable::boolean(bool value) {
  return impl_->intern(scalar_key(TypeKind::kBool, State::kConstant, value));
}
Type TypeTable::boolean(SymExpr expr) { return number(TypeKind::kBool, expr); }

Type TypeTable::complex() { return impl_->intern(scalar_key(TypeKind::kComplex)); }
Type TypeTable::complex(std::complex<double> value) {
  TypeKey key = scalar_key(TypeKind::kComplex, State::kConstant, float_bits(value.real()));
  key.data.bits[1] = float_bits(value.imag());
  return impl_->intern(key);
}

Type TypeTable::string() { return impl_->intern(scalar_key(TypeKind::kString)); }
Type TypeTable::string(std::string_view value) {
  TypeKey key = scalar_key(TypeKind::kString, State::kConstant);
  key.data.text = symbols_.intern(value);
  return impl_->intern(key);
}

Type TypeTable::object(std::string_view class_name) {
  TypeKey key = scalar_key(TypeKind::kObject);
  key.data.text = symbols_.intern(class_name);
  return impl_->intern(key);
}

Type TypeTable::aggregate(TypeKind kind, absl::Span<const Type> items,
                          absl::Span<const Symbol> keys) {
  TypeKey key;
  key.data.kind = kind;
  key.data.count = static_cast<uint32_t>(items.size());
  int depth = 0;
  for (Type item : items) depth = std::max(depth, item.depth());
  FX_CHECK(depth < kMaxTypeDepth,
           fmt::format("types are nested more than {} levels deep", kMaxTypeDepth));
  key.data.depth = static_cast<uint16_t>(depth + 1);
  key.items = items;
  key.keys = keys;
  return impl_->intern(key);
}

Type TypeTable::list(absl::Span<const Type> items) { return aggregate(TypeKind::kList, items, {}); }
Type TypeTable::tuple(absl::Span<const Type> items) {
  return aggregate(TypeKind::kTuple, items, {});
}
Type TypeTable::map(absl::Span<const std::pair<Symbol, Type>> entries) {
  std::vector<Type> items;
  std::vector<Symbol> keys;
  for (const auto& [key, item] : entries) {
    keys.push_back(key);
    items.push_back(item);
  }
  return aggregate(TypeKind::kMap, items, keys);
}

Type TypeTable::with_items(Type type, absl::Span<const Type> items) {
  FX_CHECK(items.size() == type.items().size(), "the number of items must not change");
  return aggregate(type.kind(), items, type.keys());
}

// ---------------------------------------------------------------- rewriting expressions

namespace {

/// The type with `change` applied to every symbolic expression in it. The depth is bounded by
/// kMaxTypeDepth.
template <typename Change>
Type rewrite(TypeTable& table, Type type, const Change& change) {
  if (!type) return type;
  if (type.is_tensor()) {
    TensorSpec spec = type.spec();
    DimVector sizes(spec.sizes.begin(), spec.sizes.end());
    DimVector strides(type.strides().begin(), type.strides().end());
    for (Dim& dim : sizes)
      if (dim.is_symbolic()) dim = Dim(change(dim.expr()));
    for (Dim& dim : strides)
      if (dim.is_symbolic()) dim = Dim(change(dim.expr()));
    if (spec.offset.is_symbolic()) spec.offset = Dim(change(spec.offset.expr()));
    spec.sizes = sizes;
    if (type.has_strides()) spec.strides = strides;
    return table.tensor(spec);
  }
  if (!type.items().empty()) {
    std::vector<Type> items;
    for (Type item : type.items()) items.push_back(rewrite(table, item, change));
    return table.with_items(type, items);
  }
  if (!type.is_symbolic()) return type;
  const SymExpr expr = change(type.expr());
  switch (type.kind()) {  // an expression that became a number is that number
    case TypeKind::kInt:
      return expr.is_int() ? table.integer(expr.int_value()) : table.integer(expr);
    case TypeKind::kFloat:
      return expr.kind() == SymKind::kFloat ? table.floating(expr.float_value())
                                            : table.floating(expr);
    default:
      return expr.kind() == SymKind::kBool ? table.boolean(expr.int_value() != 0)
                                           : table.boolean(expr);
  }
}

}  // namespace

Type TypeTable::substitute(Type type, const absl::flat_hash_map<Symbol, SymExpr>& values) {
  return rewrite(*this, type, [&](SymExpr e) { return exprs_.substitute(e, values); });
}

Type TypeTable::canonical(Type type) {
  return rewrite(*this, type, [](SymExpr e) { return e.canonical(); });
}

}  // namespace fx
