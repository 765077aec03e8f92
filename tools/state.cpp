// fxcpp state: lists, compares and converts files of named tensors.
#include "fx/importers/program_file.h"
#include "fx/importers/pt2/state_dict.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/tools/driver/omissions.h"
#include "tools/command.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

using nlohmann::ordered_json;

struct StateFlags {
  std::string input, compare, output, prefix, add_prefix;
  bool json = false, cpp = false;
};

std::string tensor_type_text(Context& context, const Tensor& tensor) {
  return to_string(tensor.type(context.types()));
}

/// Applies --prefix and --add-prefix to a name. Returns nullopt for a name without the prefix.
std::optional<std::string> renamed_entry(std::string_view name, const StateFlags& flags) {
  if (!flags.prefix.empty()) {
    if (!name.starts_with(flags.prefix) || name.substr(flags.prefix.size(), 1) != ".")
      return std::nullopt;
    name.remove_prefix(flags.prefix.size() + 1);
  }
  return flags.add_prefix.empty() ? std::string(name)
                                  : fmt::format("{}.{}", flags.add_prefix, name);
}

absl::StatusOr<StateDict> selected_state(StateDict all, const StateFlags& flags) {
  StateDict state;
  for (const auto& [name, tensor] : all.tensors)
    if (const auto new_name = renamed_entry(name, flags)) state.tensors.set(*new_name, tensor);
  for (const auto& [name, value] : all.values)
    if (const auto new_name = renamed_entry(name, flags)) state.values.set(*new_name, value);
  if (flags.prefix.empty()) state.omitted = std::move(all.omitted);
  if (state.tensors.empty() && state.values.empty() && !flags.prefix.empty()) {
    return absl::NotFoundError(
        fmt::format("{}: no name starts with \"{}.\"", flags.input, flags.prefix));
  }
  return state;
}

std::string state_listing(Context& context, const StateDict& state) {
  size_t width = 0;
  uint64_t total = 0;
  for (const auto& entry : state.tensors) width = std::max(width, entry.key.size());
  for (const auto& entry : state.values) width = std::max(width, entry.key.size());
  std::string out;
  for (const auto& [name, tensor] : state.tensors) {
    out += fmt::format("{:{}}  {}\n", name, width, tensor_type_text(context, tensor));
    total += tensor.num_bytes();
  }
  for (const auto& [name, value] : state.values)
    out += fmt::format("{:{}}  {}\n", name, width, print(value));
  out += fmt::format("# {} with {}, {} other values\n", pluralize(state.tensors.size(), "tensor"),
                     pluralize(total, "byte"), state.values.size());
  for (const std::string& omitted : state.omitted) out += fmt::format("# not read: {}\n", omitted);
  return out;
}

std::string state_json(Context& context, const StateDict& state) {
  ordered_json tensors = ordered_json::array(), values = ordered_json::array();
  for (const auto& [name, tensor] : state.tensors) {
    tensors.push_back({{"name", name},
                       {"type", tensor_type_text(context, tensor)},
                       {"bytes", tensor.num_bytes()}});
  }
  for (const auto& [name, value] : state.values)
    values.push_back({{"name", name}, {"value", print(value)}});
  const ordered_json document = {
      {"tensors", std::move(tensors)}, {"values", std::move(values)}, {"omitted", state.omitted}};
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// The number of elements that differ between two tensors of the same type, and the largest
/// difference. NaNs compare equal.
struct TensorDifference {
  int64_t count = 0;
  double largest = 0;

  TensorDifference(const Tensor& a, const Tensor& b) {
    for (int64_t i = 0; i < a.num_elements(); ++i) {
      const Argument x = a.element(i), y = b.element(i);
      if (x == y) continue;
      ++count;
      largest = std::max(largest, distance(x, y));
    }
  }
  static double distance(const Argument& x, const Argument& y) {
    if (x.kind() == ArgumentKind::kComplex) return std::abs(x.as_complex() - y.as_complex());
    const double difference = std::abs(number(x) - number(y));
    return std::isnan(difference) ? INFINITY : difference;
  }
  static double number(const Argument& x) {
    return x.is_bool()    ? static_cast<double>(x.as_bool())
           : x.is_int()   ? static_cast<double>(x.as_int())
           : x.is_float() ? x.as_float()
                          : NAN;
  }
};

/// Returns a line for each name whose tensors or values differ.
std::vector<std::string> state_differences(Context& context, const StateDict& a,
                                           const StateDict& b) {
  std::vector<std::string> lines;
  for (const auto& [name, tensor] : a.tensors) {
    const Tensor* other = b.tensors.find(name);
    if (other == nullptr) {
      lines.push_back(fmt::format("{}: only in the first file", name));
    } else if (tensor.dtype() != other->dtype() || tensor.sizes() != other->sizes()) {
      lines.push_back(fmt::format("{}: {} and {}", name, tensor_type_text(context, tensor),
                                  tensor_type_text(context, *other)));
    } else if (!tensor.same_bits(*other)) {
      const TensorDifference difference(tensor, *other);
      if (difference.count == 0) continue;  // only the bits of NaNs differ
      lines.push_back(fmt::format("{}: {} of {} elements differ, by at most {}", name,
                                  difference.count, tensor.num_elements(), difference.largest));
    }
  }
  for (const auto& entry : b.tensors)
    if (!a.tensors.contains(entry.key))
      lines.push_back(fmt::format("{}: only in the second file", entry.key));
  for (const auto& [name, value] : a.values) {
    const Argument* other = b.values.find(name);
    if (other == nullptr && !b.values.empty()) {
      lines.push_back(fmt::format("{}: only in the first file", name));
    } else if (other != nullptr && *other != value) {
      lines.push_back(fmt::format("{}: {} and {}", name, print(value), print(*other)));
    }
  }
  return lines;
}

/// Prints that the tensors are separate tensors in the file.
void print_shared(const std::string& path, const std::vector<std::string>& names) {
  if (!names.empty())
    fmt::print(stderr, "# {} does not contain the shared memory of the tensors {}\n", path,
               list_names(names));
}

absl::Status write_state(const StateFlags& flags, const StateDict& state) {
  const std::string& path = flags.output;
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const auto& [name, tensor] : state.tensors) tensors.emplace_back(name, tensor);
  if (flags.cpp) {
    FX_RETURN_IF_ERROR(write_cpp_archive(path, state));
    if (!state.omitted.empty())
      fmt::print(stderr, "# not written: {}\n", fmt::join(state.omitted, ", "));
    print_shared(path, names_of_shared(tensors, /*only_other_dtypes=*/true));
    return absl::OkStatus();
  }
  const bool is_safetensors = path.ends_with(".safetensors");
  if (is_safetensors) {
    FX_RETURN_IF_ERROR(write_safetensors(path, tensors));
  } else if (path.ends_with(".pt") || path.ends_with(".pth")) {
    FX_RETURN_IF_ERROR(write_state_dict(path, tensors));
  } else {
    return absl::InvalidArgumentError(fmt::format(
        "{}: unknown file name extension; use .safetensors, or .pt or .pth (torch.save)", path));
  }
  std::vector<std::string> left_out = state.omitted;
  for (const auto& entry : state.values) left_out.push_back(entry.key);
  if (!left_out.empty()) fmt::print(stderr, "# not written: {}\n", fmt::join(left_out, ", "));
  print_shared(path, names_of_shared(tensors, /*only_other_dtypes=*/!is_safetensors));
  return absl::OkStatus();
}

absl::StatusOr<int> run_state(const StateFlags& flags) {
  Context context;
  FX_ASSIGN_OR_RETURN(StateDict all, read_state_file(flags.input));
  FX_ASSIGN_OR_RETURN(const StateDict state, selected_state(std::move(all), flags));
  if (!flags.output.empty()) FX_RETURN_IF_ERROR(write_state(flags, state));
  if (!flags.compare.empty()) {
    FX_ASSIGN_OR_RETURN(const StateDict other, read_state_file(flags.compare));
    const std::vector<std::string> lines = state_differences(context, state, other);
    std::string out;
    if (flags.json) {
      out =
          ordered_json(lines).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    } else {
      for (const std::string& line : lines) out += line + "\n";
      if (lines.empty())
        out = fmt::format("# equal: {}\n", pluralize(state.tensors.size(), "tensor"));
    }
    FX_RETURN_IF_ERROR(write_file("-", out));
    return lines.empty() ? kDone : kFound;
  }
  if (flags.output.empty())
    FX_RETURN_IF_ERROR(
        write_file("-", flags.json ? state_json(context, state) : state_listing(context, state)));
  return kDone;
}

}  // namespace

Run add_state(CLI::App& app) {
  auto flags = std::make_shared<StateFlags>();
  app.add_option("INPUT", flags->input,
                 "tensors: .safetensors, .npz, .pt2, or a torch.save file (.pt, .pth)")
      ->required();
  app.add_option("--compare", flags->compare,
                 "print the names whose tensors differ from the tensors in this file; exit status "
                 "1 if there are any");
  app.add_option("-o", flags->output, "write the tensors: .safetensors, .pt or .pth (torch.load)");
  app.add_flag("--cpp", flags->cpp, "write an archive that C++'s torch::load reads");
  app.add_option("--prefix", flags->prefix,
                 "use only the names that start with PREFIX and a dot, and remove this prefix");
  app.add_option("--add-prefix", flags->add_prefix, "put \"PREFIX.\" before each name");
  app.add_flag(
      "--json", flags->json,
      "{tensors: [{name, type, bytes}], values: [{name, value}], omitted}; with --compare, "
      "a list of lines");
  return [flags]() -> absl::StatusOr<int> { return run_state(*flags); };
}

}  // namespace fx::tools
