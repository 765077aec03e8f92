// Types: interning and making. Text is in type_text.cpp, facts about strides in strides.cpp.
#include "fx/ir/type.h"

#include "fx/ir/intern_set_internal.h"
#include "fx/ir/strides.h"
#include "fx/ir/support/check.h"

#include "fmt/format.h"

#include <algorithm>
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
           fmt::format("dimension {} of a tensor of rank {}", dim, rank));
  return static_cast<size_t>(index);
}

/// A node as it is about to be made: its fixed part, and the spans of what follows it.
struct TypeKey {
  TypeData data;
  absl::Span<const Dim> sizes = {};
  absl::Span<const Dim> strides = {};
  absl::Span<const Type> items = {};
  absl::Span<const Symbol> keys = {};
};

uint64_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

uint64_t hash_dim(uint64_t hash, const Dim& dim) {
  return hash_mix(hash, dim.is_int() ? static_cast<uint64_t>(dim.value())
                                     : address(dim.expr().data()) | uint64_t{1} << 63);
}

uint32_t hash_of(const TypeKey& key) {
  const TypeData& d = key.data;
  uint64_t hash = static_cast<uint64_t>(d.kind) | static_cast<uint64_t>(d.dtype) << 8 |
                  static_cast<uint64_t>(d.layout) << 16 | static_cast<uint64_t>(d.state) << 24 |
                  static_cast<uint64_t>(d.has_rank) << 32 |
                  static_cast<uint64_t>(d.has_strides) << 33 |
                  static_cast<uint64_t>(d.requires_grad) << 34;
  hash = hash_mix(hash, static_cast<uint64_t>(d.device.type) << 48 |
                            static_cast<uint64_t>(static_cast<uint16_t>(d.device.index)) << 32 |
                            d.count);
  if (d.kind == TypeKind::kTensor) {
    hash = hash_dim(hash, d.offset);
    for (const Dim& dim : key.sizes) hash = hash_dim(hash, dim);
    for (const Dim& dim : key.strides) hash = hash_dim(hash, dim);
  } else {
    hash = hash_mix(hash, d.bits[0]);
    hash = hash_mix(hash, d.bits[1] ^ address(d.expr.data()) ^ d.text.id());
    for (Type item : key.items) hash = hash_mix(hash, address(item.data()));
    for (Symbol symbol : key.keys) hash = hash_mix(hash, symbol.id());
  }
  return static_cast<uint32_t>(hash ^ hash >> 32);
}

bool equals(const TypeData& a, const TypeKey& key) {
  const TypeData& b = key.data;
  if (a.kind != b.kind || a.dtype != b.dtype || a.layout != b.layout || a.state != b.state ||
      a.has_rank != b.has_rank || a.has_strides != b.has_strides ||
      a.requires_grad != b.requires_grad || a.device != b.device || a.count != b.count)
    return false;
  if (a.kind == TypeKind::kTensor) {
    return a.offset == b.offset && std::equal(key.sizes.begin(), key.sizes.end(), a.dims()) &&
           std::equal(key.strides.begin(), key.strides.end(), a.dims() + a.count);
  }
  return a.bits[0] == b.bits[0] && a.bits[1] == b.bits[1] && a.expr == b.expr && a.text == b.text &&
         std::equal(key.items.begin(), key.items.end(), a.items()) &&
         std::equal(key.keys.begin(), key.keys.end(), a.keys());
}

uint64_t float_bits(double value) {
  // One NaN for all.
  return std::bit_cast<uint64_t>(value != value ? std::numeric_limits<double>::quiet_NaN() : value);
}

}  // namespace

const Dim& Type::size(int dim) const { return sizes()[checked_dim(dim, rank())]; }
const Dim& Type::stride(int dim) const {
  FX_CHECK(has_strides(), "the strides of this tensor are not known");
  return strides()[checked_dim(dim, rank())];
}

TensorSpec Type::spec() const {
  FX_CHECK(is_tensor(), "only tensors have a spec");
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

struct TypeTable::Impl {
  internal::InternSet<TypeData> nodes;

  Type intern(const TypeKey& key) {
    const uint32_t hash = hash_of(key);
    const auto equal = [&](const TypeData& data) { return equals(data, key); };
    return Type(nodes.find_or_make(hash, equal, [&](internal::Arena& arena) {
      const size_t tail = (key.sizes.size() + key.strides.size()) * sizeof(Dim) +
                          key.items.size() * sizeof(Type) + key.keys.size() * sizeof(Symbol);
      void* memory = arena.allocate(sizeof(TypeData) + tail);
      auto* data = new (memory) TypeData(key.data);
      data->hash = hash;
      if (data->has_strides) {
        data->default_strides = absl::MakeConstSpan(contiguous_strides(key.sizes)) == key.strides;
      }
      auto* dims = reinterpret_cast<Dim*>(data + 1);
      dims = std::uninitialized_copy(key.sizes.begin(), key.sizes.end(), dims);
      std::uninitialized_copy(key.strides.begin(), key.strides.end(), dims);
      auto* items = reinterpret_cast<Type*>(data + 1);
      items = std::uninitialized_copy(key.items.begin(), key.items.end(), items);
      std::uninitialized_copy(key.keys.begin(), key.keys.end(), reinterpret_cast<Symbol*>(items));
      return data;
    }));
  }
};

TypeTable::TypeTable(SymbolTable& symbols, SymExprTable& exprs)
    : symbols_(symbols), exprs_(exprs), impl_(std::make_unique<Impl>()) {}
TypeTable::~TypeTable() = default;

size_t TypeTable::size() const { return impl_->nodes.size(); }

Type TypeTable::tensor(const TensorSpec& spec) {
  TypeKey key;
  key.data.kind = TypeKind::kTensor;
  key.data.dtype = spec.dtype;
  key.data.layout = spec.layout;
  key.data.device = spec.device;
  key.data.requires_grad = spec.requires_grad;
  key.data.has_rank = spec.has_rank;
  key.data.offset = spec.offset;
  FX_CHECK(spec.has_rank || spec.sizes.empty(), "sizes without a rank");
  key.data.count = static_cast<uint32_t>(spec.sizes.size());
  key.sizes = spec.sizes;
  DimVector strides;
  if (spec.strides.is_given()) {
    FX_CHECK(
        spec.strides.values().size() == spec.sizes.size(),
        fmt::format("{} strides for {} sizes", spec.strides.values().size(), spec.sizes.size()));
    key.strides = spec.strides.values();
    key.data.has_strides = spec.has_rank;
  } else if (spec.strides.is_default() && spec.has_rank && spec.layout == Layout::kStrided) {
    strides = contiguous_strides(spec.sizes);
    key.strides = strides;
    key.data.has_strides = true;
  }
  const auto undefined = [](const Dim& dim) { return dim.is_undefined(); };
  if (spec.offset.is_undefined() || std::any_of(key.sizes.begin(), key.sizes.end(), undefined) ||
      std::any_of(key.strides.begin(), key.strides.end(), undefined))
    return Type();
  return impl_->intern(key);
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
  FX_CHECK(depth < kMaxTypeDepth, fmt::format("types nest deeper than {} levels", kMaxTypeDepth));
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
  FX_CHECK(items.size() == type.items().size(), "as many items as before");
  return aggregate(type.kind(), items, type.keys());
}

// ---------------------------------------------------------------- rewriting expressions

namespace {

/// The type with `change` applied to every Dim and `change_expr` to every expression. The depth is
/// bounded by kMaxTypeDepth.
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
  switch (type.kind()) {
    case TypeKind::kInt:
      return table.integer(expr);
    case TypeKind::kFloat:
      return table.floating(expr);
    default:
      return table.boolean(expr);
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
