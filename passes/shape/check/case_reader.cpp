// Reads recorded operator calls: see case_reader_internal.h.
#include "fx/ir/support/status.h"
#include "fx/passes/shape/check/case_reader_internal.h"

#include "fmt/format.h"

#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

using Json = nlohmann::ordered_json;

absl::Status read_dims(const Json& list, DimVector& dims) {
  if (!list.is_array()) return malformed_case("a list of sizes");
  for (const Json& item : list) {
    if (!item.is_number_integer()) return malformed_case("an integer size");
    dims.push_back(Dim(item.get<int64_t>()));
  }
  return absl::OkStatus();
}

absl::StatusOr<Argument> complex_number(const Json& parts) {
  if (!parts.is_array() || parts.size() != 2 || !parts[0].is_number() || !parts[1].is_number())
    return malformed_case("two numbers");
  return Argument(std::complex<double>(parts[0].get<double>(), parts[1].get<double>()));
}

/// Returns a constant of a kind that JSON cannot express; nullopt for an unknown kind or name.
std::optional<Argument> named_constant(std::string_view kind, const std::string& text) {
  const auto found = [](const auto& value) {
    return value ? std::optional(Argument(*value)) : std::nullopt;
  };
  if (kind == "dtype") return found(dtype_from_name(text));
  if (kind == "layout") return found(layout_from_name(text));
  if (kind == "memory_format") return found(memory_format_from_name(text));
  if (kind == "device") return found(device_from_name(text));
  if (kind != "f") return std::nullopt;
  const double infinity = std::numeric_limits<double>::infinity();
  return Argument(text == "inf"    ? infinity
                  : text == "-inf" ? -infinity
                                   : std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

absl::Status malformed_case(std::string_view expected) {
  return absl::InvalidArgumentError(fmt::format("expected {}", expected));
}

absl::StatusOr<Type> CaseReader::tensor(const Json& json) {
  TensorSpec spec;
  const auto text = [&](const char* key) {
    const auto it = json.find(key);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  const auto dtype = dtype_from_name(text("t"));
  if (!dtype) return malformed_case("a dtype");
  spec.dtype = *dtype;
  DimVector sizes, strides;
  if (!json.contains("shape")) return malformed_case("a shape");
  FX_RETURN_IF_ERROR(read_dims(json["shape"], sizes));
  spec.sizes = sizes;
  if (json.contains("stride")) {
    FX_RETURN_IF_ERROR(read_dims(json["stride"], strides));
    if (strides.size() != sizes.size()) return malformed_case("one stride for each size");
    spec.strides = strides;
  }
  if (json.contains("offset")) {
    if (!json["offset"].is_number_integer()) return malformed_case("an integer offset");
    spec.offset = json["offset"].get<int64_t>();
  }
  if (json.contains("layout")) {
    const auto layout = layout_from_name(text("layout"));
    if (!layout) return malformed_case("a layout");
    spec.layout = *layout;
  }
  if (json.contains("device")) {
    const auto device = device_from_name(text("device"));
    if (!device) return malformed_case("a device");
    spec.device = *device;
  }
  return types_.tensor(spec);
}

absl::StatusOr<Type> CaseReader::value(const Json& json, int depth) {
  if (depth > kMaxTypeDepth - 2) return malformed_case("less nesting");
  if (json.is_null()) return types_.none();
  if (json.is_boolean()) return types_.boolean(json.get<bool>());
  if (json.is_number_integer()) return types_.integer(json.get<int64_t>());
  if (json.is_number()) return types_.floating(json.get<double>());
  if (json.is_string()) return types_.string(json.get<std::string>());
  if (json.is_array()) {
    std::vector<Type> items;
    for (const Json& item : json) {
      FX_ASSIGN_OR_RETURN(const Type type, value(item, depth + 1));
      items.push_back(type);
    }
    return types_.list(items);
  }
  if (json.contains("t")) return tensor(json);
  if (json.contains("f")) return types_.floating();
  if (json.contains("complex")) return types_.complex();
  return malformed_case("a result");
}

absl::StatusOr<Argument> CaseReader::argument(const Json& json, int depth) {
  if (depth > kMaxArgumentDepth - 1) return malformed_case("less nesting");
  if (json.is_null()) return Argument();
  if (json.is_boolean()) return Argument(json.get<bool>());
  if (json.is_number_integer()) return Argument(json.get<int64_t>());
  if (json.is_number()) return Argument(json.get<double>());
  if (json.is_string()) return Argument(json.get<std::string>());
  if (json.is_array()) {
    std::vector<Argument> items;
    for (const Json& item : json) {
      FX_ASSIGN_OR_RETURN(Argument value, argument(item, depth + 1));
      items.push_back(std::move(value));
    }
    return Argument::list(items);
  }
  if (json.contains("t")) {
    FX_ASSIGN_OR_RETURN(const Type type, tensor(json));
    return Argument(type);
  }
  if (json.contains("complex")) return complex_number(json["complex"]);
  if (json.size() == 1 && json.begin()->is_string()) {
    const auto entry = json.begin();
    if (std::optional<Argument> named = named_constant(entry.key(), entry->get<std::string>()))
      return *std::move(named);
  }
  return malformed_case("an argument");
}

}  // namespace fx
