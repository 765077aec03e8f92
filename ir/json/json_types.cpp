// Reads types from interchange JSON: docs/json.md, "Values".
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::json {
namespace {

absl::Status check_dim(Value form, const Dim& dim) {
  if (!dim.is_undefined()) return absl::OkStatus();
  return form.error(std::string(dim.status().message()));
}

}  // namespace

absl::StatusOr<SymExpr> Reader::read_expression(Value value) {
  if (!value.is_string()) return wrong_kind(value, "an expression, as a string");
  auto [it, is_new] = expressions_.try_emplace(value.as_string());
  if (is_new) {
    absl::StatusOr<SymExpr> expr = context_.exprs().parse(value.as_string());
    if (!expr.ok()) {
      expressions_.erase(it);
      return value.error(std::string(expr.status().message()));
    }
    it->second = *expr;
  }
  return it->second;
}

absl::StatusOr<Dim> Reader::read_dim(Value value) {
  if (value.is_int()) return Dim(value.as_int());
  if (!value.is_string()) return wrong_kind(value, "an integer or an expression");
  FX_ASSIGN_OR_RETURN(SymExpr expr, read_expression(value));
  return Dim(expr);
}

absl::StatusOr<Type> Reader::read_tensor(Value form, bool* has_extras, std::string_view other_key) {
  TensorSpec spec;
  DimVector sizes, strides;
  spec.has_rank = false;
  *has_extras = false;
  auto read_dims = [&](Value list, DimVector& dims) -> absl::Status {
    if (!list.is_array()) return wrong_kind(list, "a list");
    for (Value item : list.items()) {
      FX_ASSIGN_OR_RETURN(Dim dim, read_dim(item));
      dims.push_back(dim);
    }
    return absl::OkStatus();
  };
  bool has_strides = false;
  for (auto [key, value] : form.members()) {
    if (key == "t") {
      FX_ASSIGN_OR_RETURN(std::string_view name, read_string(value, "a dtype name"));
      std::optional<DType> dtype = dtype_from_name(name);
      if (!dtype) return value.error(fmt::format("unknown dtype \"{}\"", name));
      spec.dtype = *dtype;
    } else if (key == "shape") {
      spec.has_rank = true;
      FX_RETURN_IF_ERROR(read_dims(value, sizes));
    } else if (key == "stride") {
      has_strides = true;
      FX_RETURN_IF_ERROR(read_dims(value, strides));
    } else if (key == "offset") {
      FX_ASSIGN_OR_RETURN(spec.offset, read_dim(value));
    } else if (key == "layout") {
      FX_ASSIGN_OR_RETURN(std::string_view name, read_string(value, "a layout name"));
      std::optional<Layout> layout = layout_from_name(name);
      if (!layout) return value.error(fmt::format("unknown layout \"{}\"", name));
      spec.layout = *layout;
    } else if (key == "device") {
      FX_ASSIGN_OR_RETURN(std::string_view name, read_string(value, "a device name"));
      std::optional<Device> device = device_from_name(name);
      if (!device) return value.error(fmt::format("unknown device \"{}\"", name));
      spec.device = *device;
    } else if (key == "rg") {
      if (!value.is_bool()) return wrong_kind(value, "a bool");
      spec.requires_grad = value.as_bool();
    } else if (std::find(std::begin(kTensorExtras), std::end(kTensorExtras), key) !=
               std::end(kTensorExtras)) {
      *has_extras = true;
    } else if (other_key.empty() || key != other_key) {
      return value.error(fmt::format("unknown key \"{}\"", key));
    }
  }
  if (has_strides && !spec.has_rank) return form.error("strides require sizes");
  if (has_strides && strides.size() != sizes.size())
    return form.error(fmt::format("the number of strides, {}, differs from the number of sizes, {}",
                                  strides.size(), sizes.size()));
  spec.sizes = sizes;
  if (has_strides) {
    spec.strides = strides;
  } else if (spec.layout == Layout::kStrided) {
    spec.strides = StrideSpec::unknown();
  }
  for (const Dim& dim : sizes) FX_RETURN_IF_ERROR(check_dim(form, dim));
  for (const Dim& dim : strides) FX_RETURN_IF_ERROR(check_dim(form, dim));
  FX_RETURN_IF_ERROR(check_dim(form, spec.offset));
  return context_.types().tensor(spec);
}

absl::StatusOr<Argument> Reader::read_tensor_argument(Value form, int depth) {
  bool has_extras = false;
  FX_ASSIGN_OR_RETURN(Type type, read_tensor(form, &has_extras));
  if (!has_extras) return Argument(type);
  if (depth >= kMaxArgumentDepth) return too_deep(form);
  std::vector<Argument> items = {type};
  std::string type_name = std::string(kTensorClass) + "(type";
  for (std::string_view key : kTensorExtras) {
    Value value = form.find(key);
    if (!value) continue;
    type_name.append(", ").append(key);
    if (key == "memory_format" && value.is_string()) {
      std::optional<MemoryFormat> format = memory_format_from_name(value.as_string());
      if (!format)
        return value.error(fmt::format("unknown memory format \"{}\"", value.as_string()));
      items.emplace_back(*format);
      continue;
    }
    FX_ASSIGN_OR_RETURN(Argument item, read_argument(value, nullptr, depth + 1));
    items.push_back(std::move(item));
  }
  return Argument::named_tuple(type_name + ")", items);
}

absl::StatusOr<std::optional<Type>> Reader::read_type(Value value, int depth) {
  TypeTable& types = context_.types();
  if (depth > kMaxTypeDepth) return std::nullopt;
  switch (value.kind()) {
    case Kind::kNull:
      return types.none();
    case Kind::kBool:
      return types.boolean(value.as_bool());
    case Kind::kInt:
      return types.integer(value.as_int());
    case Kind::kFloat:
      return types.floating(value.as_float());
    case Kind::kString:
      return types.string(value.as_string());
    case Kind::kBigInt:
      return wrong_kind(value, "an integer");
    case Kind::kArray: {
      FX_ASSIGN_OR_RETURN(std::optional<std::vector<Type>> items, read_types(value, depth));
      if (!items) return std::nullopt;
      return types.list(*items);
    }
    case Kind::kObject:
      break;
  }
  if (value.size() == 0) return std::nullopt;
  return read_type_form(value, depth);
}

absl::StatusOr<std::optional<std::vector<Type>>> Reader::read_types(Value list, int depth) {
  std::vector<Type> items;
  for (Value item : list.items()) {
    FX_ASSIGN_OR_RETURN(std::optional<Type> type, read_type(item, depth + 1));
    if (!type || type->depth() >= kMaxTypeDepth) return std::nullopt;
    items.push_back(*type);
  }
  return items;
}

absl::StatusOr<std::optional<Type>> Reader::read_type_form(Value value, int depth) {
  TypeTable& types = context_.types();
  auto [form, content] = value.first();
  if (form == "t") {
    bool has_extras = false;
    FX_ASSIGN_OR_RETURN(Type type, read_tensor(value, &has_extras));
    return has_extras ? std::nullopt : std::optional<Type>(type);
  }
  if (form == "tuple" && value.size() == 1 && content.is_array()) {
    FX_ASSIGN_OR_RETURN(std::optional<std::vector<Type>> items, read_types(content, depth));
    if (!items) return std::nullopt;
    return types.tuple(*items);
  }
  if (form == "map" && value.size() == 1 && content.is_object()) {
    std::vector<std::pair<Symbol, Type>> entries;
    for (auto [key, item] : content.members()) {
      FX_ASSIGN_OR_RETURN(std::optional<Type> type, read_type(item, depth + 1));
      if (!type || type->depth() >= kMaxTypeDepth) return std::nullopt;
      entries.emplace_back(context_.symbol(key), *type);
    }
    return types.map(entries);
  }
  constexpr std::string_view kScalars[] = {"f", "complex", "sym", "object", "type"};
  if (std::find(std::begin(kScalars), std::end(kScalars), form) == std::end(kScalars))
    return std::nullopt;
  FX_ASSIGN_OR_RETURN(Argument leaf, read_argument(value, nullptr));
  if (leaf.kind() == ArgumentKind::kSymbolic) {
    std::string_view kind = value.find("kind").as_string();
    SymExpr expr = leaf.as_symbolic();
    return kind == "int"     ? types.integer(expr)
           : kind == "float" ? types.floating(expr)
                             : types.boolean(expr);
  }
  return type_of_value(types, leaf);
}

std::optional<Type> type_of_value(TypeTable& types, const Argument& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      return types.none();
    case ArgumentKind::kBool:
      return types.boolean(value.as_bool());
    case ArgumentKind::kInt:
      return types.integer(value.as_int());
    case ArgumentKind::kFloat:
      return types.floating(value.as_float());
    case ArgumentKind::kComplex:
      return types.complex(value.as_complex());
    case ArgumentKind::kString:
      return types.string(value.as_string());
    case ArgumentKind::kType:
      return value.as_type();
    case ArgumentKind::kObject:
      return types.object(value.as_string());
    case ArgumentKind::kSymbolic: {
      std::string_view kind = natural_kind(value.as_symbolic());
      if (kind == "int") return types.integer(value.as_symbolic());
      if (kind == "float") return types.floating(value.as_symbolic());
      return types.boolean(value.as_symbolic());
    }
    case ArgumentKind::kStruct: {
      std::optional<Argument> type = struct_field(value, kTensorClass, "type");
      if (type && type->kind() == ArgumentKind::kType) return type->as_type();
      return std::nullopt;
    }
    case ArgumentKind::kList:
    case ArgumentKind::kTuple:
    case ArgumentKind::kDict:
      break;
    default:
      return std::nullopt;
  }
  if (value.depth() >= kMaxTypeDepth) return std::nullopt;
  std::vector<Type> items;
  std::vector<std::pair<Symbol, Type>> entries;
  for (size_t i = 0; i < value.size(); ++i) {
    std::optional<Type> item = type_of_value(types, value[i]);
    if (!item || item->depth() >= kMaxTypeDepth) return std::nullopt;
    if (value.is_dict()) {
      if (!value.key(i).is_string()) return std::nullopt;
      entries.emplace_back(types.symbols().intern(value.key(i).as_string()), *item);
    } else {
      items.push_back(*item);
    }
  }
  if (value.is_dict()) return types.map(entries);
  return value.is_list() ? types.list(items) : types.tuple(items);
}

}  // namespace fx::json
