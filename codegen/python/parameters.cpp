#include "fx/codegen/python/parameters_internal.h"

#include "absl/strings/str_join.h"
#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx::python {

std::string Parameter::text() const {
  std::string out = name + annotation;
  if (has_default) out += " = " + default_value;
  return out;
}

std::vector<Parameter> declared_parameters(std::vector<Parameter> parameters) {
  std::stable_partition(parameters.begin(), parameters.end(),
                        [](const Parameter& parameter) { return !parameter.is_kwargs(); });
  const auto args = std::ranges::find_if(parameters, &Parameter::is_args);
  bool is_required = false;  // a later positional parameter has no default value
  for (auto it = std::make_reverse_iterator(args); it != parameters.rend(); ++it) {
    if (it->is_kwargs()) continue;
    if (is_required) it->has_default = false;
    is_required = is_required || !it->has_default;
  }
  return parameters;
}

std::string function_head(const PythonOptions& options, const std::vector<Parameter>& parameters,
                          std::string_view returns) {
  const bool has_self = !parameters.empty() && parameters[0].name == "self";
  std::vector<std::string> texts;
  if (!options.expanded_def) {
    if (!has_self) texts.emplace_back("self");
    for (const Parameter& parameter : parameters) texts.push_back(parameter.text());
    return fmt::format("def {}({}){}:", options.function_name, absl::StrJoin(texts, ", "), returns);
  }
  std::string out = fmt::format("def {}(\n", options.function_name);
  if (!has_self) out += "    self,\n";
  for (const Parameter& parameter : parameters) {
    out += fmt::format("    {},", parameter.text());
    if (!parameter.note.empty()) out += "  # " + parameter.note;
    out += '\n';
  }
  out += ')';
  out += returns;
  out += ':';
  return out;
}

}  // namespace fx::python
