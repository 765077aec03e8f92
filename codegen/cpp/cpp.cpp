#include "fx/codegen/cpp/cpp.h"

#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/lowered_internal.h"
#include "fx/codegen/cpp/prelude_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/codegen/separate_members_internal.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace cpp {

void append_function(std::string& out, std::string_view name, const Emitter& function) {
  out += "\n  ";
  append_type(out, function.returned);
  absl::StrAppend(&out, " ", std::string(name), "(");
  const char* separator = "";
  for (const CppParameter& parameter : function.parameters) {
    out += separator;
    absl::StrAppend(&out, parameter.type, " ");
    const bool is_used = function.uses(*parameter.node);
    absl::StrAppend(&out, is_used ? "" : "/*", parameter.name, is_used ? "" : "*/");
    separator = ", ";
  }
  out += ") {\n";
  out += function.body;
  out += "  }\n";
}

namespace {

std::string class_name_of(const Graph& graph, std::string_view option) {
  if (!option.empty()) return std::string(option);
  const std::optional<Argument> model = graph.meta("model");
  std::string name = model && model->is_string() ? plain_name(model->as_string()) : "model";
  name[0] = absl::ascii_toupper(static_cast<unsigned char>(name[0]));
  return name;
}

/// Indents text by two spaces, except for preprocessor directives.
void append_indented(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    if (line != "\n" && !line.starts_with('#')) out += "  ";
    out.append(line);
    text.remove_prefix(end);
  }
}

/// Appends the nested structs and the tensors of a struct.
void append_fields(std::string& out, const Structs& structs, const Struct& holder) {
  for (const uint32_t i : holder.children) {
    const Struct& child = structs[i];
    std::string text = absl::StrCat("struct ", child.type_name, " {\n");
    append_fields(text, structs, child);
    const bool is_first = child.children.empty() && child.members.empty();
    text.append(child.methods, is_first && !child.methods.empty() ? 1 : 0);
    absl::StrAppend(&text, "};\n\n");
    append_indented(out, text);
  }
  for (const uint32_t i : holder.children)
    absl::StrAppend(&out, "  ", structs[i].type_name, " ", structs[i].member_name, ";\n");
  for (const size_t i : holder.members) {
    const CppMember& member = structs.members[i];
    absl::StrAppend(&out, "  at::Tensor ", member.name.substr(member.name.rfind('.') + 1),
                    ";  // ");
    if (member.type) {
      append_comment(out, to_string(member.type));
      out += ", ";
    }
    append_comment(out, member.path);
    for (const std::string& path : member.tied_paths) {
      out += ", ";
      append_comment(out, path);
    }
    out += '\n';
  }
}

void append_members(std::string& out, const Structs& structs) {
  const std::vector<CppMember>& members = structs.members;
  append_fields(out, structs, structs[0]);
  if (members.empty()) return;
  out +=
      "\n  /// The tensors above with their names in the model. Set them before a call.\n"
      "  std::vector<std::pair<std::string, at::Tensor*>> members() {\n    return {";
  const auto append = [&out](const std::string& path, const CppMember& member) {
    out += "\n        {";
    append_string(out, path);
    absl::StrAppend(&out, ", &", member.name, "},");
  };
  for (const CppMember& member : members) {
    append(member.path, member);
    for (const std::string& path : member.tied_paths) append(path, member);
  }
  out += "\n    };\n  }\n";
}

/// Appends code that adds the leaves of the value to `results`, depth first.
void append_leaves(std::string& out, Value value, const std::string& name) {
  switch (value.kind) {
    case ValueKind::kTensors:
      absl::StrAppend(&out, "  for (at::Tensor& item : ", name,
                      ") results.push_back(item.defined() ? c10::IValue(item) : c10::IValue());\n");
      return;
    case ValueKind::kInts:
      absl::StrAppend(&out, "  for (const int64_t item : ", name,
                      ") results.emplace_back(item);\n");
      return;
    case ValueKind::kTuple:
      for (size_t i = 0; i < value.items->size(); ++i)
        append_leaves(out, (*value.items)[i], item_of(value, name, i));
      return;
    case ValueKind::kTensor:
      absl::StrAppend(&out, "  results.push_back(", name, ".defined() ? c10::IValue(", name,
                      ") : c10::IValue());\n");
      return;
    case ValueKind::kNone:
      absl::StrAppend(&out, "  static_cast<void>(", name, ");\n  results.emplace_back();\n");
      return;
    case ValueKind::kDType:
      absl::StrAppend(&out, "  results.emplace_back(static_cast<int64_t>(", name, "));\n");
      return;
    default:
      absl::StrAppend(&out, "  results.emplace_back(", name, ");\n");
      return;
  }
}

void append_entry_point(std::string& out, const CppCode& code, const CppOptions& options,
                        Value result) {
  absl::StrAppend(
      &out, "\n/// Runs ", code.class_name,
      " on members and inputs, in order. Moves from `inputs`, and appends the leaves of\n"
      "/// the result to `results`.\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) void fxcpp_run(const "
      "std::vector<at::Tensor>& members,\n"
      "                          std::vector<c10::IValue>& inputs,\n"
      "                          std::vector<c10::IValue>& results);\n"
      "extern \"C\" void fxcpp_run([[maybe_unused]] const std::vector<at::Tensor>& "
      "members,\n"
      "                          [[maybe_unused]] std::vector<c10::IValue>& inputs,\n"
      "                          std::vector<c10::IValue>& results) {\n  ",
      code.class_name, " model;\n");
  for (size_t i = 0; i < code.members.size(); ++i)
    absl::StrAppend(&out, "  model.", code.members[i].name, " = members.at(", i, ");\n");
  absl::StrAppend(&out, "  auto result = model.", std::string(options.function_name), "(");
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const std::string input = absl::StrCat("inputs.at(", i, ")");
    const std::string& type = code.parameters[i].type;
    if (i > 0) out += ", ";
    if (type == "at::Tensor") {
      absl::StrAppend(&out, input, ".isNone() ? at::Tensor() : std::move(", input, ").toTensor()");
    } else if (type == "c10::complex<double>") {
      absl::StrAppend(&out, input, ".toComplexDouble()");
    } else {
      absl::StrAppend(&out, input, ".to<", type, ">()");
    }
  }
  out += ");\n";
  append_leaves(out, result, "result");
  out += "}\n";
}

/// Adds #line directives that switch back to the emitted file after lines that come from nodes.
void restore_lines(std::string& source, const CppOptions& options) {
  if (options.locations == nullptr) return;
  std::string out;
  out.reserve(source.size());
  bool is_from_graph = false;
  size_t line = 1, begin = 0;
  while (begin < source.size()) {
    size_t end = source.find('\n', begin);
    end = end == std::string::npos ? source.size() : end + 1;
    const std::string_view text = std::string_view(source).substr(begin, end - begin);
    if (text.starts_with("#line ")) {
      is_from_graph = true;
    } else if (is_from_graph &&
               text.substr(std::min(text.find_first_not_of(' '), text.size() - 1))[0] == '}') {
      ++line;
      absl::StrAppend(&out, "#line ", line, " ");
      append_literal(out, options.source_file);
      out += '\n';
      is_from_graph = false;
    }
    out += text;
    ++line;
    begin = end;
  }
  source = std::move(out);
}

/// Emits the file. With `lower`, first lowers calls to Python functions to operators, including
/// those in nested graphs and modules.
absl::StatusOr<CppCode> emit_file(const Graph& given, const CppOptions& options, bool lower) {
  LoweredGraph copy;
  if (lower) {
    FX_ASSIGN_OR_RETURN(copy, lowered(given, options.root));
  }
  const Graph& graph = lower ? *copy.graph : given;
  CppCode code;
  if (!options.class_name.empty() && !is_class_name(options.class_name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", std::string(options.class_name),
                     "\" is not a valid class name: a name must consist of letters, digits "
                     "and _, must not start with a digit, "
                     "and must not be reserved by C++ or by the emitted code"));
  }
  code.class_name = class_name_of(graph, options.class_name);
  ClassState shared(options, code.class_name);
  shared.lower = lower;
  shared.reserve(code.class_name);
  shared.reserve(options.function_name);
  Emitter function(shared, graph, {}, lower ? &copy : nullptr);
  FX_RETURN_IF_ERROR(function.emit());
  FX_RETURN_IF_ERROR(function.emit_input_checks());

  code.members = shared.structs.members;
  code.parameters = function.parameters;
  code.dispatched = std::move(shared.dispatched);
  append_type(code.result_type, function.returned);

  std::string& out = code.source;
  const std::string guard = "FXCPP_" + absl::AsciiStrToUpper(code.class_name) + "_H";
  absl::StrAppend(&out, "// Written by fxcpp from a graph of ", graph.size(),
                  " nodes. Requires libtorch and C++20.\n");
  if (!code.dispatched.empty()) {
    out += "// Called through the dispatcher, since libtorch has no C++ function:";
    for (const std::string& name : code.dispatched) {
      out += ' ';
      append_comment(out, name);
    }
    out += '\n';
  }
  absl::StrAppend(&out, "#ifndef ", guard, "\n#define ", guard, "\n\n");
  if (shared.uses_numbers || shared.uses_scan || shared.uses_stacked_loop)
    shared.includes.insert("c10/util/Exception.h");
  if (shared.uses_autocast) shared.includes.insert("ATen/autocast_mode.h");
  if (options.entry_point) shared.includes.insert("ATen/core/ivalue.h");
  shared.includes.insert("ATen/core/Tensor.h");
  std::vector<std::string> includes(shared.includes.begin(), shared.includes.end());
  std::ranges::sort(includes);
  for (const std::string& name : includes) absl::StrAppend(&out, "#include <", name, ">\n");
  out +=
      "\n#include <cstdint>\n#include <limits>\n#include <optional>\n#include <string>\n"
      "#include <tuple>\n#include <type_traits>\n#include <utility>\n#include <vector>\n";
  if (shared.uses_numbers) out += kNumbersPrelude;
  if (shared.uses_call) out += kCallPrelude;
  if (shared.uses_scan) out += kScanPrelude;
  if (shared.uses_stacked_loop) out += kStackedLoopPrelude;
  if (shared.uses_autocast) out += kAutocastPrelude;
  out += shared.types.long_tuples();
  absl::StrAppend(&out, "\nstruct ", code.class_name, " {\n");
  append_members(out, shared.structs);
  append_function(out, options.function_name, function);
  if (const std::string& methods = shared.structs[0].methods; !methods.empty())
    absl::StrAppend(&out, "\n private:", methods);
  out += "};\n";
  if (options.entry_point) append_entry_point(out, code, options, function.returned);
  out += "\n#endif\n";
  restore_lines(out, options);
  if (lower)  // parameters refer to the graph that was passed
    for (CppParameter& parameter : code.parameters) parameter.node = copy.origin.at(parameter.node);
  return code;
}

}  // namespace
}  // namespace cpp

absl::StatusOr<CppCode> cpp_code(const Graph& graph, const CppOptions& given) {
  CppOptions options = given;
  if (!options.root) options.root = graph.owning_module();
  if (!cpp::is_plain_name(options.function_name)) {
    return absl::InvalidArgumentError(absl::StrCat("\"", std::string(options.function_name),
                                                   "\" is not a valid C++ function name"));
  }
  if (!options.entry_point) FX_RETURN_IF_ERROR(check_separate_members(graph, options.root));
  absl::StatusOr<CppCode> code = cpp::emit_file(graph, options, /*lower=*/false);
  if (code.ok() || !cpp::calls_python(graph)) return code;
  // Some Python functions cannot be expressed in C++ but can be lowered to operators. A lowering
  // may specialize the code for the sizes in the types.
  absl::StatusOr<CppCode> lowered_code = cpp::emit_file(graph, options, /*lower=*/true);
  return absl::IsFailedPrecondition(lowered_code.status()) ? code : lowered_code;
}

absl::StatusOr<CppCode> cpp_code(const GraphModule& module, CppOptions options) {
  if (!options.root) options.root = &module;
  return cpp_code(module.graph(), options);
}

}  // namespace fx
