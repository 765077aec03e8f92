#include "fx/codegen/cpp/project/folder.h"

#include "fx/codegen/cpp/cpp.h"
#include "fx/codegen/cpp/project/folder_files_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/interp/data_name.h"
#include "fx/interp/shared_inputs.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace fx {
namespace {

namespace fs = std::filesystem;
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

constexpr int64_t kMaxOnes = 1 << 24;

/// Returns a tensor of ones, the default for tangents; std::nullopt if a size is unknown or the
/// tensor has more than kMaxOnes elements.
std::optional<Tensor> ones(Type type) {
  if (!type.is_tensor() || !type.has_rank()) return std::nullopt;
  std::vector<int64_t> sizes;
  int64_t count = 1;
  for (const Dim& size : type.sizes()) {
    if (!size.is_int() || count > kMaxOnes / std::max<int64_t>(size.value(), 1))
      return std::nullopt;
    sizes.push_back(size.value());
    count *= size.value();
  }
  const std::vector<Argument> elements(static_cast<size_t>(count), Argument(int64_t{1}));
  absl::StatusOr<Tensor> tensor = Tensor::from_elements(type.dtype(), sizes, elements);
  return tensor.ok() ? std::optional<Tensor>(*std::move(tensor)) : std::nullopt;
}

/// C++ expressions by tensor name, for tensors that share memory with other tensors.
using Expressions = absl::flat_hash_map<std::string, std::string>;

/// Returns `find(TENSORS, "NAME")`.
std::string find_expression(std::string_view tensors, std::string_view name) {
  std::string text = "find(" + std::string(tensors) + ", ";
  cpp::append_string(text, name);
  return text + ')';
}

/// Returns `{find(TENSORS, "NAME"), {STRIDES}, OFFSET}`.
std::string placed_expression(std::string_view tensors, std::string_view name,
                              const Placement& place) {
  return absl::StrCat("{", find_expression(tensors, name), ", {",
                      absl::StrJoin(place.strides, ", "), "}, ", place.offset, "}");
}

/// Returns the expression of a tensor, with the strides and the offset in its type, in which the
/// symbols have these values.
std::string load_expression(std::string_view tensors, std::string_view name, Type type,
                            const Expressions& shared, const SymBindings& symbols) {
  if (const auto found = shared.find(std::string(name)); found != shared.end())
    return found->second;
  const absl::StatusOr<Placement> place = placement_of(type, symbols);
  if (!place.ok() || (type.has_default_strides() && place->offset == 0))
    return find_expression(tensors, name);
  return absl::StrCat("in_one_storage({", placed_expression(tensors, name, *place), "}).at(0)");
}

/// Returns statements that place each group of inputs that share memory in one allocation. Adds the
/// expressions of these inputs to `expressions`.
absl::StatusOr<std::string> share_inputs(const Graph& graph, const CppCode& code,
                                         const SymBindings& symbols, Expressions& expressions) {
  std::string out;
  size_t number = 0;
  for (const SharedInputs& group : shared_inputs(graph)) {
    const std::string variable = absl::StrCat("shared_", number++);
    absl::StrAppend(&out, "  const std::vector<at::Tensor> ", variable, " = in_one_storage({");
    for (size_t i = 0; i < group.nodes.size(); ++i) {
      const Node& node = *group.nodes[i];
      const std::string name = data_name(node);
      const absl::StatusOr<Placement> place = placement_of(node.type(), symbols);
      if (!place.ok()) {
        return absl::FailedPreconditionError(absl::StrCat(
            "%", node.name(), " shares memory with a different input: ", place.status().message()));
      }
      const bool is_member =
          std::ranges::find(code.members, name, &CppMember::path) != code.members.end();
      absl::StrAppend(&out, i > 0 ? "," : "", "\n      ",
                      placed_expression(is_member ? "weights" : "samples", name, *place));
      expressions[name] = absl::StrCat(variable, ".at(", i, ")");
    }
    out += "});\n";
  }
  return out;
}

/// Returns the text of an input whose type has a constant value; empty for other inputs.
std::string literal(Type type) {
  std::string out;
  if (type.kind() == TypeKind::kInt && type.is_constant()) cpp::append_int(out, type.int_value());
  if (type.kind() == TypeKind::kFloat && type.is_constant())
    cpp::append_double(out, type.float_value());
  if (type.kind() == TypeKind::kBool && type.is_constant())
    out = type.bool_value() ? "true" : "false";
  if (type.kind() == TypeKind::kString && type.is_constant())
    cpp::append_string(out, type.string_value());
  return out;
}

/// The tensors of the data files.
struct DataFiles {
  NamedTensors weights, samples;
  /// Paths of members that have the tensor of an earlier member, with the path of that member. The
  /// module does not contain these tensors: the data file shows that they are tied.
  std::vector<std::pair<std::string, std::string>> tied_weights = {};
};

absl::StatusOr<std::string> main_file(const Graph& graph, const CppCode& code,
                                      const Safetensors& data, const DataFiles& files,
                                      uint64_t seed) {
  Expressions shared;
  const SymBindings symbols =
      symbols_of_data(graph, [&](std::string_view name) { return data.tensors.find(name); });
  FX_ASSIGN_OR_RETURN(const std::string statements, share_inputs(graph, code, symbols, shared));
  std::string out(cpp::kMainHead);
  absl::StrAppend(&out,
                  "int run(const std::string& folder) {\n"
                  "  const Tensors weights = fxcpp::load_safetensors(folder + "
                  "\"/weights.safetensors\");\n"
                  "  const Tensors samples = fxcpp::load_safetensors(folder + "
                  "\"/samples.safetensors\");\n",
                  statements, "  ", code.class_name, " model;\n");
  absl::flat_hash_map<std::string, std::string> names;  // of members, by path
  for (const CppMember& member : code.members) names.emplace(member.path, member.name);
  absl::flat_hash_map<std::string, std::string> tied(files.tied_weights.begin(),
                                                     files.tied_weights.end());
  for (const CppMember& member : code.members) {
    const auto first = tied.find(member.path);
    absl::StrAppend(&out, "  model.", member.name, " = ",
                    first != tied.end()
                        ? "model." + names.at(first->second)
                        : load_expression("weights", member.path, member.type, shared, symbols),
                    ";\n");
  }
  absl::StrAppend(&out, "  at::manual_seed(", seed, ");\n  auto result = model.forward(");
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const CppParameter& parameter = code.parameters[i];
    const std::string name = data_name(*parameter.node);
    const Type type = parameter.node->type();
    const std::string value = data.tensors.find(name) ? std::string() : literal(type);
    absl::StrAppend(
        &out, i > 0 ? "," : "", "\n      ",
        value.empty() ? load_expression("samples", name, type, shared, symbols) : value);
    if (!value.empty()) continue;
    if (parameter.type == "int64_t") out += ".item().toLong()";
    if (parameter.type == "double") out += ".item().toDouble()";
    if (parameter.type == "bool") out += ".item().toBool()";
  }
  out += cpp::kMainTail;
  return out;
}

constexpr std::string_view kCMake =
    R"cmake(# Written by fxcpp. libtorch is found through CMAKE_PREFIX_PATH or Torch_DIR.
cmake_minimum_required(VERSION 3.18)
project(fxcpp_model LANGUAGES CXX)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
find_package(Torch REQUIRED)

add_executable(model main.cpp)
target_compile_features(model PRIVATE cxx_std_20)
target_include_directories(model SYSTEM PRIVATE ${TORCH_INCLUDE_DIRS})
target_link_libraries(model PRIVATE ${TORCH_LIBRARIES})
target_compile_options(model PRIVATE -Wall -Wextra)
# Debuggers look for model.fx in this folder, not in the build folder.
target_compile_options(
  model PRIVATE "-fdebug-prefix-map=${CMAKE_CURRENT_BINARY_DIR}=${CMAKE_CURRENT_SOURCE_DIR}")

enable_testing()
add_test(NAME model COMMAND model "${CMAKE_CURRENT_SOURCE_DIR}")
)cmake";

constexpr std::string_view kReadme = R"md(# A model in C++

Written by fxcpp. `model.h` contains the model; `main.cpp` runs it on the sample inputs and compares the
results with the recorded outputs.

    cmake -S . -B build -DCMAKE_PREFIX_PATH=<path to libtorch> && cmake --build build
    ctest --test-dir build

Weights are in `weights.safetensors`, samples in `samples.safetensors`. `model.fx` is the graph from
which this folder was created; debuggers show its lines.
)md";

/// Moves tensors that an earlier member also has to `tied_weights`. Does not move inputs that share
/// memory: the program copies their values to one allocation.
void tie_weights(const Graph& graph, const CppCode& code, DataFiles& files) {
  absl::flat_hash_set<std::string> shared;
  for (const SharedInputs& group : shared_inputs(graph))
    for (const Node* node : group.nodes) shared.insert(data_name(*node));
  absl::flat_hash_map<std::pair<const void*, Type>, std::string> first_paths;
  NamedTensors weights;
  for (size_t i = 0; i < files.weights.size(); ++i) {
    auto& [path, tensor] = files.weights[i];
    const auto [first, is_new] =
        first_paths.try_emplace({tensor.identity(), code.members[i].type}, path);
    if (is_new || shared.contains(path) || shared.contains(first->second)) {
      weights.emplace_back(path, std::move(tensor));
    } else {
      files.tied_weights.emplace_back(path, first->second);
    }
  }
  files.weights = std::move(weights);
}

/// Returns an error if the data has different values for the paths of a tied tensor.
absl::Status check_tied_data(const CppCode& code, const Safetensors& data) {
  for (const CppMember& member : code.members) {
    const Tensor* const first = data.tensors.find(member.path);
    for (const std::string& path : member.tied_paths) {
      const Tensor* const other = data.tensors.find(path);
      if (first == nullptr || other == nullptr || first->same_bits(*other)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("\"", member.path, "\" and \"", path,
                       "\" are one tensor in the module, but they differ in the data"));
    }
  }
  return absl::OkStatus();
}

/// Returns the tensors of members and parameters, from `data` or otherwise from the graph's module.
/// Missing tangents are ones. Returns NotFound, with their names, if other tensors are missing.
absl::StatusOr<DataFiles> find_tensors(const Graph& graph, const CppCode& code,
                                       const Safetensors& data) {
  DataFiles files;
  std::string missing;
  const Module* root = graph.owning_module();
  const auto find = [&](const std::string& name, Type type) -> std::optional<Tensor> {
    if (const Tensor* tensor = data.tensors.find(name)) return *tensor;
    if (Tensor tensor = root ? root->find_tensor(name) : Tensor();
        tensor.defined() && tensor.has_data())
      return tensor;
    return name.starts_with("tangent.") ? ones(type) : std::nullopt;
  };
  const auto add_missing = [&](const std::string& name) {
    absl::StrAppend(&missing, missing.empty() ? "" : ", ", name);
  };
  FX_RETURN_IF_ERROR(check_tied_data(code, data));
  for (const CppMember& member : code.members) {
    std::string name = member.path;  // in the data, which may contain only another path
    for (const std::string& path : member.tied_paths)
      if (!data.tensors.contains(name) && data.tensors.contains(path)) name = path;
    if (const std::optional<Tensor> tensor = find(name, member.type)) {
      files.weights.emplace_back(member.path, *tensor);
    } else {
      add_missing(member.path);
    }
  }
  for (const CppParameter& parameter : code.parameters) {
    const std::string name = data_name(*parameter.node);
    const Type type = parameter.node->type();
    if (!data.tensors.find(name) && !literal(type).empty()) continue;
    if (const std::optional<Tensor> tensor = find(name, type)) {
      files.samples.emplace_back(name, *tensor);
    } else {
      add_missing(name);
    }
  }
  if (!missing.empty()) {
    return absl::NotFoundError(
        absl::StrCat("missing values for ", missing,
                     "; pass a safetensors file that contains them (`fxcpp capture` writes one)"));
  }
  for (const auto& [name, tensor] : data.tensors)
    if (name.starts_with("out.")) files.samples.emplace_back(name, tensor);
  tie_weights(graph, code, files);
  return files;
}

constexpr std::string_view kFileNames[] = {"model.h",
                                           "model.fx",
                                           "main.cpp",
                                           "safetensors.h",
                                           "README.md",
                                           "CMakeLists.txt",
                                           "weights.safetensors",
                                           "samples.safetensors"};

/// Returns AlreadyExists, with the names of the existing files, if the folder contains any of
/// kFileNames.
absl::Status check_no_files(const std::string& folder) {
  std::vector<std::string> existing;
  for (const std::string_view name : kFileNames)
    if (std::error_code ignored; fs::exists(fs::path(folder) / name, ignored))
      existing.emplace_back(name);
  if (existing.empty()) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(folder, " already contains ",
                                               absl::StrJoin(existing, ", "),
                                               "; choose a different folder, or overwrite"));
}

}  // namespace

absl::Status write_cpp_folder(const Graph& graph, const Safetensors& data,
                              const std::string& folder, const CppFolderOptions& options) {
  FX_RETURN_IF_ERROR(check_data_names(graph));
  // Parses a copy from the text to get the line of each node in model.fx.
  const std::string text = print(graph, {.version_line = true});
  Context context;
  SourceLocations locations;
  FX_ASSIGN_OR_RETURN(
      const std::unique_ptr<Graph> copy,
      parse_graph(context, text, {.file_name = "model.fx", .locations = &locations}));
  if (graph.owning_module() != nullptr) copy->set_owning_module(graph.owning_module());
  FX_ASSIGN_OR_RETURN(const CppCode code,
                      cpp_code(*copy, {.class_name = options.class_name,
                                       .modules = options.modules,
                                       .locations = options.lines_of_graph ? &locations : nullptr,
                                       .line_file = "model.fx"}));
  FX_ASSIGN_OR_RETURN(const DataFiles files, find_tensors(graph, code, data));
  FX_ASSIGN_OR_RETURN(const std::string main_text,
                      main_file(*copy, code, data, files, options.seed));
  if (is_device_file(folder)) return absl::OkStatus();  // /dev/null
  if (!options.overwrite) FX_RETURN_IF_ERROR(check_no_files(folder));
  const fs::path root(folder);
  std::error_code error;
  fs::create_directories(root, error);
  if (error) return absl::InvalidArgumentError(absl::StrCat(folder, ": ", error.message()));
  const auto path = [&](std::string_view name) { return (root / name).string(); };
  const std::pair<std::string_view, std::string_view> texts[] = {
      {"model.h", code.source}, {"model.fx", text},
      {"main.cpp", main_text},  {"safetensors.h", cpp::kSafetensorsHeader},
      {"README.md", kReadme},   {"CMakeLists.txt", kCMake}};
  for (const auto& [name, content] : texts) FX_RETURN_IF_ERROR(write_file(path(name), content));
  FX_RETURN_IF_ERROR(
      write_safetensors(path("weights.safetensors"), files.weights, files.tied_weights));
  return write_safetensors(path("samples.safetensors"), files.samples);
}

}  // namespace fx
