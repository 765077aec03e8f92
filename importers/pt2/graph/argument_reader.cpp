// Reads arguments of nodes: see graph_reader_internal.h.
#include "fx/importers/pt2/graph/graph_reader_internal.h"
#include "fx/importers/pt2/schema/codes_internal.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

#include <complex>
#include <memory>
#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

struct ComplexFields {
  enum { kReal, kImag };
};
constexpr JsonField kComplexFields[] = {{"real"}, {"imag"}};

struct GraphArgumentFields {
  enum { kName, kGraph };
};
constexpr JsonField kGraphArgumentFields[] = {{"name"}, {"graph"}};

struct NamedFields {
  enum { kName };
};
constexpr JsonField kNamedFields[] = {{"name"}, {"class_fqn", false}};

}  // namespace

struct GraphReader::ArgumentForm {
  std::string_view kind;
  ReadArgument read;
};

template <GraphReader::ReadArgument read_item>
absl::StatusOr<Argument> GraphReader::list_of(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const JsonList list, json_list(value, field));
  std::vector<Argument> items;
  items.reserve(list.size());
  for (const Json item : list) {
    FX_ASSIGN_OR_RETURN(Argument argument, (this->*read_item)(item, field));
    items.push_back(std::move(argument));
  }
  return Argument::list(items);
}

absl::Span<const GraphReader::ArgumentForm> GraphReader::argument_forms() {
  using R = GraphReader;
  static constexpr ArgumentForm kForms[] = {
      {"as_tensor", &R::named},
      {"as_int", &R::integer},
      {"as_ints", &R::list_of<&R::integer>},
      {"as_float", &R::floating},
      {"as_bool", &R::boolean},
      {"as_none", &R::none},
      {"as_tensors", &R::list_of<&R::named>},
      {"as_sym_int", &R::symbolic},
      {"as_sym_ints", &R::list_of<&R::symbolic>},
      {"as_string", &R::string},
      {"as_scalar_type", &R::dtype},
      {"as_device", &R::device},
      {"as_layout", &R::layout},
      {"as_memory_format", &R::memory_format},
      {"as_optional_tensors", &R::list_of<&R::argument>},
      {"as_optional_tensor", &R::argument},
      {"as_nested_tensors", &R::list_of<&R::list_of<&R::named>>},
      {"as_floats", &R::list_of<&R::floating>},
      {"as_bools", &R::list_of<&R::boolean>},
      {"as_strings", &R::list_of<&R::string>},
      {"as_sym_float", &R::symbolic},
      {"as_sym_bool", &R::symbolic},
      {"as_sym_floats", &R::list_of<&R::symbolic>},
      {"as_sym_bools", &R::list_of<&R::symbolic>},
      {"as_int_lists", &R::list_of<&R::list_of<&R::integer>>},
      {"as_float_lists", &R::list_of<&R::list_of<&R::floating>>},
      {"as_complex", &R::complex},
      {"as_graph", &R::nested_graph},
      {"as_custom_obj", &R::named},
      {"as_operator", &R::function},
      {"as_string_to_argument", &R::dict},
  };
  return kForms;
}

absl::StatusOr<Argument> GraphReader::argument(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const JsonUnion form, json_union(value, field));
  return argument_of(form, field);
}

absl::StatusOr<Argument> GraphReader::argument_of(const JsonUnion& value, std::string_view field) {
  for (const ArgumentForm& form : argument_forms())
    if (form.kind == value.kind) return (this->*form.read)(value.value, field);
  return absl::InvalidArgumentError(
      fmt::format("{}: the kind \"{}\" is unknown", field, value.kind.substr(0, 200)));
}

absl::StatusOr<Argument> GraphReader::none(Json, std::string_view) { return Argument::none(); }

absl::StatusOr<Argument> GraphReader::named(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const auto record, JsonRecord<kNamedFields>::read(value, field, notes()));
  FX_ASSIGN_OR_RETURN(const std::string_view name, json_string(record[NamedFields::kName], "name"));
  FX_ASSIGN_OR_RETURN(Node* const node, find(name));
  return Argument(node);
}

absl::StatusOr<Argument> GraphReader::integer(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const int64_t number, json_int(value, field));
  return Argument(number);
}

absl::StatusOr<Argument> GraphReader::floating(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const double number, json_float(value, field));
  return Argument(number);
}

absl::StatusOr<Argument> GraphReader::boolean(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const bool truth, json_bool(value, field));
  return Argument(truth);
}

absl::StatusOr<Argument> GraphReader::string(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const std::string_view text, json_string(value, field));
  return Argument(text);
}

absl::StatusOr<Argument> GraphReader::complex(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const auto record, JsonRecord<kComplexFields>::read(value, field, notes()));
  FX_ASSIGN_OR_RETURN(const double real, json_float(record[ComplexFields::kReal], "real"));
  FX_ASSIGN_OR_RETURN(const double imag, json_float(record[ComplexFields::kImag], "imag"));
  return Argument(std::complex<double>(real, imag));
}

absl::StatusOr<Argument> GraphReader::symbolic(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const JsonUnion form, json_union(value, field));
  if (form.kind == "as_int") return integer(form.value, field);
  if (form.kind == "as_float") return floating(form.value, field);
  if (form.kind == "as_bool") return boolean(form.value, field);
  if (form.kind != "as_name") {
    return absl::InvalidArgumentError(
        fmt::format("{}: the kind \"{}\" is unknown", field, form.kind.substr(0, 200)));
  }
  FX_ASSIGN_OR_RETURN(const std::string_view name, json_string(form.value, field));
  FX_ASSIGN_OR_RETURN(Node* const node, find(name));
  return Argument(node);
}

absl::StatusOr<Argument> GraphReader::dtype(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const int64_t code, json_int(value, field));
  if (const std::optional<DType> dtype = dtype_from_code(code)) return Argument(*dtype);
  return absl::InvalidArgumentError(fmt::format("{}: the dtype code {} is unknown", field, code));
}

absl::StatusOr<Argument> GraphReader::layout(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const int64_t code, json_int(value, field));
  if (const std::optional<Layout> layout = layout_from_code(code)) return Argument(*layout);
  return absl::InvalidArgumentError(fmt::format("{}: the layout code {} is unknown", field, code));
}

absl::StatusOr<Argument> GraphReader::memory_format(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const int64_t code, json_int(value, field));
  if (const auto format = memory_format_from_code(code)) return Argument(*format);
  return absl::InvalidArgumentError(
      fmt::format("{}: the memory format code {} is unknown", field, code));
}

absl::StatusOr<Argument> GraphReader::device(Json value, std::string_view field) {
  absl::StatusOr<Device> device = session_.values.device(value);
  if (!device.ok()) return with_context(device.status(), field);
  return Argument(*device);
}

absl::StatusOr<Argument> GraphReader::function(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const std::string_view target, json_string(value, field));
  if (target.empty())
    return absl::InvalidArgumentError(fmt::format("{}: the operator has no name", field));
  return Argument(context().function(function_name(target)));
}

// Each level of an argument has two levels of JSON, so kMaxJsonDepth bounds the depth of arguments.
static_assert(kMaxJsonDepth / 2 <= kMaxArgumentDepth);
absl::StatusOr<Argument> GraphReader::dict(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const JsonObject object, json_object(value, field));
  std::vector<std::pair<Argument, Argument>> entries;
  absl::flat_hash_map<std::string_view, size_t> seen;
  for (const auto [key, item] : object) {
    if (!seen.emplace(key, entries.size()).second)
      return absl::InvalidArgumentError(fmt::format("{}: duplicate key \"{}\"", field, key));
    FX_ASSIGN_OR_RETURN(Argument argument, this->argument(item, field));
    entries.emplace_back(Argument(key), std::move(argument));
  }
  return Argument::dict(entries);
}

// Like PyTorch's loader, adds a get_attr node before the call.
absl::StatusOr<Argument> GraphReader::nested_graph(Json value, std::string_view field) {
  FX_ASSIGN_OR_RETURN(const auto record,
                      JsonRecord<kGraphArgumentFields>::read(value, field, notes()));
  FX_ASSIGN_OR_RETURN(const std::string_view name,
                      json_string(record[GraphArgumentFields::kName], "name"));
  if (name.empty())
    return absl::InvalidArgumentError(fmt::format("{}: a graph has no name", field));
  if (depth_ + 1 >= kMaxGraphDepth) {
    return absl::InvalidArgumentError(
        fmt::format("{}: graphs are nested more than {} levels deep", field, kMaxGraphDepth));
  }
  auto nested = std::make_unique<Graph>(context());
  GraphReader reader(session_, *nested, depth_ + 1);
  FX_RETURN_IF_ERROR(with_context(reader.read(record[GraphArgumentFields::kGraph]),
                                  fmt::format("graph {}", name)));
  // If two calls use a graph, the file contains it twice, with the same name.
  const std::string path = unused_subgraph_name(graph_, name);
  FX_RETURN_IF_ERROR(graph_.add_subgraph(path, std::move(nested)).status());
  NodeOptions options;
  options.exact_name = split_name(context().symbols(), unused_name(path));
  FX_ASSIGN_OR_RETURN(Node* const node,
                      graph_.create_node(Opcode::kGetAttr, path, {}, {}, options));
  return Argument(node);
}

}  // namespace fx::pt2
