// Reads arguments from interchange JSON: docs/json.md, "Arguments".
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

#include <algorithm>
#include <limits>

namespace fx::json {
namespace {

/// A required member.
absl::StatusOr<Value> require(Value form, std::string_view key) {
  if (Value value = form.find(key)) return value;
  return form.error(fmt::format("the key \"{}\" is missing", key));
}

}  // namespace

absl::Status wrong_kind(Value value, std::string_view expected) {
  if (value.kind() == Kind::kBigInt)
    return value.error(fmt::format("the integer {} does not fit in 64 bits", value.as_string()));
  return value.error(fmt::format("expected {}, not {}", expected, kind_name(value.kind())));
}

absl::Status check_keys(Value form, std::initializer_list<std::string_view> known) {
  for (auto [key, value] : form.members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return value.error(fmt::format("unknown key \"{}\"", key));
  }
  return absl::OkStatus();
}

std::optional<std::string> text_from_codes(const Argument& codes) {
  if (!codes.is_list()) return std::nullopt;
  std::string text;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!codes[i].is_int()) return std::nullopt;
    const int64_t code = codes[i].as_int();
    if (code < 0 || code > 0x10ffff) return std::nullopt;
    if (code >= 0xdc80 && code <= 0xdcff)
      text += static_cast<char>(code - 0xdc00);
    else if (code >= 0xd800 && code <= 0xdfff)
      return std::nullopt;
    else
      text::append_utf8(text, static_cast<uint32_t>(code));
  }
  return text;
}

std::string_view natural_kind(SymExpr expr) {
  switch (expr.value_kind()) {
    case SymValueKind::kBool:
      return "bool";
    case SymValueKind::kFloat:
    case SymValueKind::kReal:
      return "float";
    default:
      return "int";
  }
}

absl::Status Reader::too_deep(Value value) const {
  return value.error(
      fmt::format("arguments are nested more than {} levels deep", kMaxArgumentDepth));
}

// ---------------------------------------------------------------- arguments

// Depth is bounded: by kMaxArgumentDepth here, by kMaxDepth in the tree.
absl::StatusOr<Argument> Reader::read_argument(Value value, Scope* scope, int depth) {
  switch (value.kind()) {
    case Kind::kNull:
      return Argument();
    case Kind::kBool:
      return Argument(value.as_bool());
    case Kind::kInt:
      return Argument(value.as_int());
    case Kind::kFloat:
      return Argument(value.as_float());
    case Kind::kString:
      return Argument(value.as_string());
    case Kind::kArray: {
      FX_ASSIGN_OR_RETURN(std::vector<Argument> items, read_items(value, scope, depth));
      return Argument::list(items);
    }
    case Kind::kBigInt:
      return wrong_kind(value, "an integer");
    case Kind::kObject:
      break;
  }
  if (value.size() == 0)
    return value.error("an object must have a key, which determines the form of the argument");
  return read_form(value, scope, depth);
}

absl::StatusOr<Argument> Reader::read_form(Value value, Scope* scope, int depth) {
  auto [form, content] = value.first();
  auto only = [&](std::initializer_list<std::string_view> keys) { return check_keys(value, keys); };
  if (form == "n") {
    FX_RETURN_IF_ERROR(only({"n"}));
    return read_reference(content, scope);
  }
  if (form == "f") {
    FX_RETURN_IF_ERROR(only({"f"}));
    FX_ASSIGN_OR_RETURN(double number, read_number(value));
    return Argument(number);
  }
  if (form == "complex") {
    FX_RETURN_IF_ERROR(only({"complex"}));
    if (!content.is_array() || content.size() != 2)
      return content.error("a complex number must have two parts, real and imaginary");
    auto parts = content.items().begin();
    FX_ASSIGN_OR_RETURN(double real, read_number(*parts));
    FX_ASSIGN_OR_RETURN(double imaginary, read_number(*++parts));
    return Argument(std::complex<double>(real, imaginary));
  }
  if (form == "tuple") {
    FX_RETURN_IF_ERROR(only({"tuple"}));
    FX_ASSIGN_OR_RETURN(std::vector<Argument> items, read_items(content, scope, depth));
    return Argument::tuple(items);
  }
  if (form == "namedtuple") return read_named_tuple(value, scope, depth);
  if (form == "size") {
    FX_RETURN_IF_ERROR(only({"size"}));
    if (depth >= kMaxArgumentDepth) return too_deep(value);
    return read_size(content);
  }
  if (form == "map") {
    FX_RETURN_IF_ERROR(only({"map"}));
    return read_map(content, scope, depth);
  }
  if (form == "dict") {
    FX_RETURN_IF_ERROR(only({"dict"}));
    return read_dict(content, scope, depth);
  }
  if (form == "slice") {
    FX_RETURN_IF_ERROR(only({"slice"}));
    FX_ASSIGN_OR_RETURN(std::vector<Argument> parts, read_items(content, scope, depth));
    if (parts.size() != 3)
      return content.error("a slice must have three parts: start, stop and step");
    return Argument::slice(parts[0], parts[1], parts[2]);
  }
  if (form == "range") {
    FX_RETURN_IF_ERROR(only({"range"}));
    FX_ASSIGN_OR_RETURN(std::vector<Argument> parts, read_items(content, nullptr, depth));
    if (parts.size() != 3 || !parts[0].is_int() || !parts[1].is_int() || !parts[2].is_int())
      return content.error("a range must have three integers: start, stop and step");
    return Argument::range(parts[0].as_int(), parts[1].as_int(), parts[2].as_int());
  }
  if (form == "ellipsis") {
    FX_RETURN_IF_ERROR(only({"ellipsis"}));
    if (!content.is_bool()) return wrong_kind(content, "true");
    if (!content.as_bool()) return content.error("expected true, not false");
    return Argument::ellipsis();
  }
  if (form == "sym") return read_symbolic(value);
  if (form == "t") return read_tensor_argument(value, depth);
  if (form == "opaque") return read_opaque(value, depth);
  if (form == "graph") {
    FX_RETURN_IF_ERROR(only({"graph"}));
    return read_graph_argument(content, scope);
  }

  FX_RETURN_IF_ERROR(only({form}));
  return read_word(form, content);
}

/// The forms that are one word.
absl::StatusOr<Argument> Reader::read_word(std::string_view form, Value content) {
  constexpr std::string_view kWords[] = {"dtype", "layout", "memory_format", "device",
                                         "op",    "object", "type"};
  if (std::find(std::begin(kWords), std::end(kWords), form) == std::end(kWords))
    return content.error(fmt::format("unknown argument form \"{}\"", form));
  if (!content.is_string()) return wrong_kind(content, "a string");
  std::string_view word = content.as_string();
  if (form == "dtype") {
    if (word == dtype_name(DType::kUndefined)) return Argument(DType::kUndefined);
    if (std::optional<DType> dtype = dtype_from_name(word)) return Argument(*dtype);
  } else if (form == "layout") {
    if (std::optional<Layout> layout = layout_from_name(word)) return Argument(*layout);
  } else if (form == "memory_format") {
    if (std::optional<MemoryFormat> found = memory_format_from_name(word)) return Argument(*found);
  } else if (form == "device") {
    if (std::optional<Device> device = device_from_name(word)) return Argument(*device);
  } else if (form == "op") {
    if (!word.empty()) return Argument(context_.function(word));
  } else if (form == "object") {
    return Argument::object(word);
  } else {
    absl::StatusOr<Type> type = context_.types().parse(word);
    if (!type.ok()) return content.error(std::string(type.status().message()));
    return Argument(*type);
  }
  return content.error(fmt::format("unknown {} \"{}\"", form, word));
}

absl::StatusOr<std::vector<Argument>> Reader::read_items(Value value, Scope* scope, int depth) {
  if (!value.is_array()) return wrong_kind(value, "a list");
  if (depth >= kMaxArgumentDepth) return too_deep(value);
  std::vector<Argument> items;
  items.reserve(value.size());
  for (Value item : value.items()) {
    FX_ASSIGN_OR_RETURN(Argument argument, read_argument(item, scope, depth + 1));
    items.push_back(std::move(argument));
  }
  return items;
}

absl::StatusOr<Argument> Reader::read_reference(Value value, Scope* scope) {
  if (!value.is_string()) return wrong_kind(value, "a node name");
  if (!scope) return value.error("a node is not allowed in metadata or constants");
  std::string_view name = value.as_string();
  if (auto it = scope->nodes.find(name); it != scope->nodes.end()) return Argument(it->second);
  if (scope->all_names.empty()) {
    for (Value node : scope->document.find("nodes").items()) {
      Value other = node.find("name");
      if (other && other.is_string()) scope->all_names.insert(other.as_string());
    }
  }
  if (!scope->all_names.contains(name))
    return value.error(fmt::format("the graph does not have a node {}", name));
  if (!options_.allow_forward_references)
    return value.error(fmt::format("node {} is used before it is defined", name));
  scope->saw_later = true;  // the arguments are read again when all nodes exist
  return Argument();
}

absl::StatusOr<Argument> Reader::read_graph_argument(Value value, Scope* scope) {
  if (!scope) return value.error("a graph is not allowed in metadata or constants");
  Graph& graph = *scope->graph;
  if (value.is_string()) {
    if (const auto index = subgraph_index(graph, value.as_string())) return Argument::graph(*index);
    return value.error(fmt::format("the graph does not have a nested graph {}", value.as_string()));
  }
  // The graph already exists if the arguments are read a second time.
  if (auto it = scope->inline_graphs.find(value.id()); it != scope->inline_graphs.end())
    return Argument::graph(it->second);
  std::string name;
  size_t number = scope->inline_graphs.size();
  do {
    name = fmt::format("{}{}", kInlineGraphPrefix, number++);
  } while (graph.find_subgraph(name));
  FX_ASSIGN_OR_RETURN(uint32_t index, add_subgraph(graph, name, value, scope->depth + 1));
  scope->inline_graphs.emplace(value.id(), index);
  return Argument::graph(index);
}

absl::StatusOr<Argument> Reader::read_map(Value value, Scope* scope, int depth) {
  if (!value.is_object()) return wrong_kind(value, "an object");
  if (depth >= kMaxArgumentDepth) return too_deep(value);
  std::vector<std::pair<Argument, Argument>> entries;
  entries.reserve(value.size());
  for (auto [key, item] : value.members()) {
    FX_ASSIGN_OR_RETURN(Argument argument, read_argument(item, scope, depth + 1));
    entries.emplace_back(Argument(key), std::move(argument));
  }
  return Argument::dict(entries);
}

absl::StatusOr<Argument> Reader::read_dict(Value value, Scope* scope, int depth) {
  if (!value.is_array()) return wrong_kind(value, "a list of keys and values");
  if (depth >= kMaxArgumentDepth) return too_deep(value);
  std::vector<std::pair<Argument, Argument>> entries;
  absl::flat_hash_set<std::string> texts;
  absl::flat_hash_set<int64_t> numbers;
  bool plain_keys = true;
  int item_depth = 0;
  for (Value pair : value.items()) {
    if (!pair.is_array() || pair.size() != 2)
      return pair.error("an entry of a dict must be a list of two items, key and value");
    auto items = pair.items().begin();
    Value key_value = *items;
    FX_ASSIGN_OR_RETURN(Argument key, read_argument(key_value, nullptr, depth + 1));
    FX_ASSIGN_OR_RETURN(Argument item, read_argument(*++items, scope, depth + 1));
    bool is_new = true;
    if (key.is_string()) {
      is_new = texts.emplace(key.as_string()).second;
    } else if (key.is_int()) {
      is_new = numbers.insert(key.as_int()).second;
    } else {
      plain_keys = false;
    }
    if (!is_new) return key_value.error("duplicate key in a dict");
    item_depth = std::max({item_depth, key.depth(), item.depth()});
    entries.emplace_back(std::move(key), std::move(item));
  }
  if (plain_keys) return Argument::dict(entries);
  if (depth + 2 + item_depth > kMaxArgumentDepth) return too_deep(value);
  std::vector<Argument> pairs;
  pairs.reserve(entries.size());
  for (auto& [key, item] : entries) pairs.push_back(Argument::tuple({key, item}));
  return Argument::named_tuple(kDictClass, pairs);
}

absl::StatusOr<Argument> Reader::read_named_tuple(Value form, Scope* scope, int depth) {
  FX_RETURN_IF_ERROR(check_keys(form, {"namedtuple", "fields"}));
  FX_ASSIGN_OR_RETURN(std::string_view class_name,
                      read_string(form.find("namedtuple"), "a class name"));
  FX_ASSIGN_OR_RETURN(Value fields, require(form, "fields"));
  if (!fields.is_object()) return wrong_kind(fields, "an object");
  if (depth >= kMaxArgumentDepth) return too_deep(form);
  std::vector<Argument> items;
  std::string names;
  bool numbered = true;  // fields without names are "0", "1", ...
  for (auto [key, value] : fields.members()) {
    numbered = numbered && key == fmt::to_string(items.size());
    if (!names.empty()) names += ", ";
    names += key;
    FX_ASSIGN_OR_RETURN(Argument item, read_argument(value, scope, depth + 1));
    items.push_back(std::move(item));
  }
  if (numbered) return Argument::named_tuple(class_name, items);
  std::string type_name = fmt::format("{}({})", class_name, names);
  if (struct_class(type_name, items.size()) != class_name)
    return fields.error("the fields of a named tuple must be identifiers");
  return Argument::named_tuple(type_name, items);
}

absl::StatusOr<Argument> Reader::read_opaque(Value form, int depth) {
  FX_RETURN_IF_ERROR(check_keys(form, {"opaque", "str", "repr", "data"}));
  if (depth >= kMaxArgumentDepth) return too_deep(form);
  std::vector<Argument> items;
  std::string type_name = std::string(kOpaqueClass) + "(class";
  FX_ASSIGN_OR_RETURN(std::string_view class_name,
                      read_string(form.find("opaque"), "a class name"));
  items.emplace_back(class_name);
  for (std::string_view key : {"str", "repr"}) {
    Value value = form.find(key);
    if (!value) continue;
    FX_ASSIGN_OR_RETURN(std::string_view text, read_string(value, "a string"));
    type_name.append(", ").append(key);
    items.emplace_back(text);
  }
  if (Value data = form.find("data")) {
    FX_ASSIGN_OR_RETURN(Argument item, read_argument(data, nullptr, depth + 1));
    if (class_name == "builtins.str") {
      if (std::optional<std::string> text = text_from_codes(item)) return Argument(*text);
    }
    type_name += ", data";
    items.push_back(std::move(item));
  }
  return Argument::named_tuple(type_name + ")", items);
}

absl::StatusOr<Argument> Reader::read_size(Value value) {
  if (!value.is_array()) return wrong_kind(value, "a list of sizes");
  std::vector<Argument> items;
  for (Value item : value.items()) {
    if (item.is_string()) {
      FX_ASSIGN_OR_RETURN(SymExpr expr, read_expression(item));
      items.emplace_back(expr);
    } else if (item.is_int()) {
      items.emplace_back(item.as_int());
    } else {
      return wrong_kind(item, "an integer or an expression");
    }
  }
  return Argument::named_tuple("torch.Size", items);
}

absl::StatusOr<double> Reader::read_number(Value value) {
  if (value.is_float()) return value.as_float();
  if (value.is_int()) return static_cast<double>(value.as_int());
  if (value.is_object() && value.size() == 1 && value.first().key == "f") {
    Value content = value.first().value;
    if (content.is_string()) {
      if (content.as_string() == "inf") return std::numeric_limits<double>::infinity();
      if (content.as_string() == "-inf") return -std::numeric_limits<double>::infinity();
      if (content.as_string() == "nan") return std::numeric_limits<double>::quiet_NaN();
    }
    return content.error("expected \"inf\", \"-inf\" or \"nan\"");
  }
  return wrong_kind(value, "a number");
}

absl::StatusOr<Argument> Reader::read_symbolic(Value form) {
  FX_RETURN_IF_ERROR(check_keys(form, {"sym", "kind"}));
  FX_ASSIGN_OR_RETURN(SymExpr expr, read_expression(form.find("sym")));
  FX_ASSIGN_OR_RETURN(Value kind, require(form, "kind"));
  FX_ASSIGN_OR_RETURN(std::string_view word, read_string(kind, "int, float or bool"));
  if (word == natural_kind(expr)) return Argument(expr);
  if (word == "int") return Argument(context_.types().integer(expr));
  if (word == "float") return Argument(context_.types().floating(expr));
  if (word == "bool") return Argument(context_.types().boolean(expr));
  return kind.error("a symbolic number must be an int, float or bool");
}

// ---------------------------------------------------------------- plain JSON

absl::StatusOr<Argument> Reader::read_plain(Value value, int depth) {
  if (!value.is_array() && !value.is_object()) return read_argument(value, nullptr);
  if (depth >= kMaxArgumentDepth) return too_deep(value);
  if (value.is_array()) {
    std::vector<Argument> items;
    items.reserve(value.size());
    for (Value item : value.items()) {
      FX_ASSIGN_OR_RETURN(Argument argument, read_plain(item, depth + 1));
      items.push_back(std::move(argument));
    }
    return Argument::list(items);
  }
  std::vector<std::pair<Argument, Argument>> entries;
  entries.reserve(value.size());
  for (auto [key, item] : value.members()) {
    FX_ASSIGN_OR_RETURN(Argument argument, read_plain(item, depth + 1));
    entries.emplace_back(Argument(key), std::move(argument));
  }
  return Argument::dict(entries);
}

}  // namespace fx::json
