// The tables of `.fxb` files, and metadata values: see binary_tables_internal.h.
#include "fx/ir/files/binary_tables_internal.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "absl/container/flat_hash_set.h"

#include <complex>
#include <string>
#include <utility>

namespace fx::binary {
namespace {

/// Set by read_leaf(): the payload of the constant.
Argument leaf_value(ArgumentKind kind, int64_t bits) {
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

}  // namespace

absl::Status TableReader::read_tables() {
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

absl::Status TableReader::read_value(int depth, Argument* value) {
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

absl::Status TableReader::read_aggregate(ArgumentKind kind, int depth, Argument* value) {
  if (depth > kMaxArgumentDepth)
    return damaged(fmt::format("values are nested more than {} levels deep", kMaxArgumentDepth));
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
        return damaged("the keys of a dict must be strings or integers");
      const std::string text =
          key.is_int() ? std::to_string(key.as_int()) : std::string(key.as_string());
      if (!keys.emplace(key.kind(), text).second) return damaged("duplicate key in a dict");
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
  if (items.size() != 3) return damaged("a slice or range must have three parts");
  if (kind == ArgumentKind::kSlice) {
    *value = Argument::slice(items[0], items[1], items[2]);
    return check();
  }
  for (const Argument& item : items)
    if (!item.is_int()) return damaged("the start, stop and step of a range must be integers");
  *value = Argument::range(items[0].as_int(), items[1].as_int(), items[2].as_int());
  return check();
}

}  // namespace fx::binary
