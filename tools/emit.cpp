// fxcpp emit: writes a graph as a picture, as data for other programs, or as code.
#include "fx/codegen/cpp/cpp.h"
#include "fx/codegen/cpp/project/folder.h"
#include "fx/codegen/dot/dot.h"
#include "fx/codegen/mlir/mlir.h"
#include "fx/codegen/networkx/networkx.h"
#include "fx/codegen/python/python.h"
#include "fx/importers/onnx/onnx.h"
#include "fx/importers/program_file.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/cli/option_checks.h"
#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/steps.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/input_type.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tools/driver/extensions.h"
#include "fx/tools/driver/write_program.h"
#include "tools/command.h"
#include "tools/module_option.h"
#include "tools/parts.h"
#include "tools/summary.h"

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"

#include <cstdio>
#include <filesystem>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct EmitFlags {
  std::string input, output, to, title, class_name;
  GraphViewOptions view;
  std::vector<std::string> data, inputs, custom_ops;
  int opset = OnnxOptions().opset;
  uint64_t seed = 0;
  bool force = false, modules = false, calls = false, normalize = false, no_legend = false,
       literals = false, no_locations = false, symbolic_shapes = false, without_data = false,
       no_weights = false;
  double seconds = 3;
};

DotOptions dot_options(const EmitFlags& options) {
  return {.title = options.title,
          .detail = options.calls ? DotDetail::kCalls : DotDetail::kNames,
          .normalize_arguments = options.normalize,
          .legend = !options.no_legend};
}

absl::StatusOr<std::string> draw(const Graph& graph, const EmitFlags& options) {
  FX_ASSIGN_OR_RETURN(const GraphvizPart* graphviz, graphviz_part());
  const Step step("lay out");
  return graphviz->draw_svg(
      graph, {.view = options.view, .dot = dot_options(options), .seconds = options.seconds});
}

/// Reads the graph's data from the files on the command line or, if there are none, from the data
/// file next to the graph.
absl::StatusOr<Safetensors> read_data(const EmitFlags& options) {
  std::vector<std::string> files = options.data;
  const std::string data_file =
      std::filesystem::path(options.input).replace_extension(".safetensors").string();
  if (files.empty() && std::filesystem::exists(data_file)) files.push_back(data_file);
  Safetensors all;
  for (const std::string& file : files) {
    FX_ASSIGN_OR_RETURN(Safetensors data, read_tensor_file(file));
    for (const auto& [name, tensor] : data.tensors) all.tensors.set(name, tensor);
  }
  return all;
}

absl::StatusOr<int> emit_program(const GraphDocument& document, const EmitFlags& options) {
  if (options.output.empty() || options.output == "-")
    return usage_error("--to pt2 writes a file; use -o FILE.pt2");
  Safetensors data;
  if (options.data.empty()) {
    FX_ASSIGN_OR_RETURN(data, data_of_graph_file(options.input));
  } else {
    FX_ASSIGN_OR_RETURN(data, read_data(options));
  }
  const Module no_members;
  FX_RETURN_IF_ERROR(write_program(document.graph(),
                                   document.module ? *document.module : no_members, options.output,
                                   {.data = &data,
                                    .has_member_kinds = document.module != nullptr,
                                    .allow_missing_data = options.without_data}));
  return kDone;
}

/// Returns the name of the output in messages.
std::string_view output_name(const EmitFlags& options) {
  const std::string_view path = options.output;
  return path.empty() || path == "-" ? "the output" : path;
}

/// Prints the guards of the graph that the written format does not contain.
void print_guards_left_out(const Graph& graph, const EmitFlags& options) {
  GuardSupport support = GuardSupport::kNone;
  if (options.to == "pt2") support = GuardSupport::kPt2;
  if (options.to == "mlir" && options.symbolic_shapes) support = GuardSupport::kRanges;
  const std::string guards = omitted_guards(graph, support);
  if (guards.empty()) return;
  fmt::print(stderr, "# {} does not contain {}\n", output_name(options), guards);
}

/// Prints the calls that only check values: ONNX has no such operators.
void print_omitted_assertions(const Graph& graph, const EmitFlags& options) {
  constexpr size_t kMaxNames = 8;
  std::vector<std::string> names;
  size_t count = 0;
  for (const Graph& nested : all_graphs(graph)) {
    for (const Node& node : nested.nodes()) {
      const ops::Effects of_call = effects(node);
      if (node.num_users() > 0 || !of_call.has(ops::Effect::kChecks) ||
          of_call.has_any(ops::Effect::kWritesArguments | ops::Effect::kWritesState))
        continue;
      if (++count <= kMaxNames) names.push_back(fmt::format("%{}", node.name()));
    }
  }
  if (count == 0) return;
  fmt::print(stderr, "# {} does not contain the assertions {}{}\n", output_name(options),
             fmt::join(names, ", "),
             count > kMaxNames ? fmt::format(" and {} more", count - kMaxNames) : "");
}

absl::StatusOr<std::string> emit_mlir(const Graph& graph, const EmitFlags& options) {
  Safetensors data;
  if (options.literals) {
    FX_ASSIGN_OR_RETURN(data, read_data(options));
  }
  FX_ASSIGN_OR_RETURN(MlirCode code,
                      mlir_code(graph, {.literals = options.literals ? &data.tensors : nullptr,
                                        .locations = !options.no_locations,
                                        .symbolic_shapes = options.symbolic_shapes}));
  return std::move(code.source);
}

/// Parses "user.swish.default=com.user::Swish". A final "@2" means version 2 of the domain.
absl::StatusOr<OnnxCustomOp> custom_op_of(const std::string& text) {
  OnnxCustomOp custom;
  const size_t equals = text.find('='), colons = text.find("::", equals);
  const size_t at = text.find('@', colons == std::string::npos ? 0 : colons);
  bool valid = equals != std::string::npos && colons != std::string::npos && equals > 0 &&
               colons > equals + 1;
  if (valid && at != std::string::npos)
    valid = absl::SimpleAtoi(text.substr(at + 1), &custom.version) && custom.version > 0;
  if (!valid) {
    return usage_error(fmt::format(
        "--custom-op {}: expected OPERATOR=DOMAIN::NAME, or OPERATOR=DOMAIN::NAME@VERSION", text));
  }
  custom.op = text.substr(0, equals);
  custom.domain = text.substr(equals + 1, colons - equals - 1);
  custom.op_type = text.substr(colons + 2, at == std::string::npos ? at : at - colons - 2);
  return custom;
}

absl::StatusOr<int> emit_onnx(const Graph& graph, const EmitFlags& options) {
  Safetensors data;
  if (!options.no_weights) {
    FX_ASSIGN_OR_RETURN(data, read_data(options));
  }
  std::vector<OnnxCustomOp> custom_ops;
  for (const std::string& text : options.custom_ops) {
    FX_ASSIGN_OR_RETURN(custom_ops.emplace_back(), custom_op_of(text));
  }
  const OnnxOptions onnx{.opset = options.opset,
                         .tensors = &data.tensors,
                         .weights = !options.no_weights,
                         .custom_ops = custom_ops,
                         .metadata = !options.no_locations};
  if (!options.output.empty() && options.output != "-") {
    FX_RETURN_IF_ERROR(write_onnx(graph, options.output, onnx));
    return kDone;
  }
  FX_ASSIGN_OR_RETURN(const std::string bytes, onnx_model(graph, onnx));
  FX_RETURN_IF_ERROR(write_file("-", bytes));
  return kDone;
}

absl::StatusOr<std::string> emit(const Graph& graph, const EmitFlags& options) {
  if (options.to == "svg") return draw(graph, options);
  if (options.to == "dot") return write_dot(graph, options.view, dot_options(options));
  if (options.to == "networkx") return write_networkx(graph, {.selection = options.view.selection});
  if (options.to == "python") {
    const std::optional<Argument> name = graph.meta("model");
    return python_module(graph, name && name->is_string() ? name->as_string() : "GraphModule");
  }
  if (options.to == "cpp") {
    FX_ASSIGN_OR_RETURN(CppCode code, cpp_code(graph, {.class_name = options.class_name,
                                                       .modules = options.modules}));
    return std::move(code.source);
  }
  if (options.to == "mlir") return emit_mlir(graph, options);
  return write_json(graph);
}

/// Adds a hint to the error of a call if the type of an input is unknown.
absl::Status with_type_hint(const Graph& graph, const absl::Status& status) {
  if (!absl::StartsWith(status.message(), "node "))
    return status;  // the error does not refer to a call
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder() || node.type() || node.meta().find("tensor_meta")) continue;
    return absl::Status(status.code(),
                        fmt::format("{}\n  the type of {} is unknown; set it with --input "
                                    "'{}=f32[2, 3]'",
                                    std::string(status.message()), node.name(), node.name()));
  }
  return status;
}

absl::StatusOr<int> emit_folder(const Graph& graph, const EmitFlags& options) {
  if (options.output.empty()) return usage_error("--to folder requires -o FOLDER");
  FX_ASSIGN_OR_RETURN(const Safetensors data, read_data(options));
  const absl::Status status = write_cpp_folder(graph, data, options.output,
                                               {.class_name = options.class_name,
                                                .overwrite = options.force,
                                                .modules = options.modules,
                                                .seed = options.seed});
  if (absl::IsAlreadyExists(status)) {
    return absl::AlreadyExistsError(
        fmt::format("{}, or use --force", std::string(status.message())));
  }
  FX_RETURN_IF_ERROR(status);
  return kDone;
}

/// Returns the values that --to accepts.
std::vector<std::string> output_formats() {
  std::vector<std::string> names(emit_formats().begin(), emit_formats().end());
  for (const Emitter& emitter : command_extensions().emitters()) names.push_back(emitter.name);
  return names;
}

// The formats to which some options apply.
constexpr std::string_view kPictures = "dot or svg";
constexpr std::string_view kViews = "dot, svg or networkx";
constexpr std::string_view kCode = "cpp or folder";
constexpr std::string_view kFolder = "folder";
constexpr std::string_view kMlir = "mlir";
constexpr std::string_view kProgram = "pt2";
constexpr std::string_view kOnnx = "onnx";
constexpr std::string_view kWithData = "folder, mlir, onnx or pt2";
constexpr std::string_view kWithLocations = "mlir or onnx";

/// Options, and the formats to which they apply.
using OnlyFor = std::vector<std::pair<const CLI::Option*, std::string_view>>;

absl::Status check_only_for(const OnlyFor& only_for, std::string_view to) {
  for (const auto& [option, forms] : only_for) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(absl::string_view(forms.data(), forms.size()), absl::ByAnyChar(" ,"));
    if (forms == kWithData && command_extensions().find_emitter(to) != nullptr) continue;
    if (option->count() > 0 &&
        !absl::c_linear_search(words, absl::string_view(to.data(), to.size())))
      return usage_error(fmt::format("{} is valid only with --to {}", option->get_name(), forms));
  }
  return absl::OkStatus();
}

}  // namespace

Run add_emit(CLI::App& app) {
  auto options = std::make_shared<EmitFlags>();
  OnlyFor only_for;
  const auto only = [&only_for](std::string_view forms, const CLI::Option* option) {
    only_for.emplace_back(option, forms);
  };
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option(
         "--to", options->to,
         "dot: Graphviz's language; svg: a picture; json: the interchange JSON; networkx: "
         "node-link JSON; python: a module that runs the graph in Python; cpp: a class over "
         "at::Tensor; folder: that class with its weights, samples and a program that checks it; "
         "mlir: "
         "torch-mlir's torch dialect; onnx: a model for onnxruntime and similar runtimes; pt2: a "
         "program for "
         "torch.export.load; or a format of a plugin")
      ->required()
      ->check(CLI::IsMember(output_formats()));
  app.add_option("-o", options->output, "write to this file (folder) instead of standard output");
  only(kViews,
       app.add_option("--around", options->view.selection.around,
                      "show only this node and the nodes that it depends on or that depend on it"));
  app.add_option("--depth", options->view.selection.depth, "for --around: the number of edges")
      ->check(check_count)
      ->needs("--around")
      ->capture_default_str();
  only(kViews, add_module_option(app, options->view.selection.modules, "show only"));
  CLI::Option* const expand = app.add_flag(
      "--expand", options->view.expand,
      "show every node, even if the graph is so large that its picture would show modules");
  only(kPictures, expand);
  only(kPictures,
       app.add_flag(
              "--collapse", options->view.collapse,
              "show modules, even if the graph is so small that its picture would show every node")
           ->excludes(expand));
  only(kPictures,
       app.add_flag(
           "--parameters", options->view.show_parameters,
           "show parameters and buffers as boxes, not as lines in the boxes of their users"));
  only(kPictures, app.add_flag("--calls", options->calls,
                               "show the target, the arguments and the number of users in boxes, "
                               "as torch.fx's FxGraphDrawer does"));
  app.add_flag("--normalize", options->normalize,
               "with --calls: show arguments with their names in the schema, including defaults")
      ->needs("--calls");
  only(kPictures, app.add_flag("--no-legend", options->no_legend, "omit the legend"));
  app.add_option(
      "--input", options->inputs,
      "NAME=TYPE: the type of an input, which may determine the meaning of a Python call");
  only(kCode, app.add_option("--class", options->class_name,
                             "for --to cpp and folder; default: the name of the model"));
  only(kCode, app.add_flag("--modules", options->modules,
                           "for --to cpp and folder: emit modules as nested structs with methods"));
  only(kWithData,
       app.add_option("--data", options->data,
                      "for --to folder, mlir, onnx and pt2: files with weights, inputs and "
                      "outputs (safetensors, .npz, "
                      ".pt2); "
                      "default: g.safetensors next to g.fx"));
  only(kMlir,
       app.add_flag("--literals", options->literals,
                    "for --to mlir: emit weights as constants in the text, not as arguments"));
  only(kMlir, app.add_flag("--symbolic-shapes", options->symbolic_shapes,
                           "for --to mlir: emit ranges and relations of symbolic sizes, for IREE"));
  only(kWithLocations,
       app.add_flag("--no-locations", options->no_locations,
                    "for --to mlir and onnx: omit locations (source lines, modules); for "
                    "onnx, also omit the types of values"));
  only(kOnnx, app.add_option("--opset", options->opset,
                             fmt::format("for --to onnx: the version of the operators, {} to {}",
                                         kMinOnnxOpset, kMaxOnnxOpset))
                  ->check(CLI::Range(kMinOnnxOpset, kMaxOnnxOpset))
                  ->capture_default_str());
  only(kOnnx, app.add_flag("--no-weights", options->no_weights,
                           "for --to onnx: make the weights inputs of the model"));
  only(kOnnx, app.add_option("--custom-op", options->custom_ops,
                             "for --to onnx: OPERATOR=DOMAIN::NAME: a custom operator, and its "
                             "name in a custom domain; may be repeated"));
  only(kProgram,
       app.add_flag("--without-data", options->without_data,
                    "for --to pt2: also write members without data, which PyTorch reads as "
                    "zeros"));
  app.add_option("--seed", options->seed, "for --to folder: the seed for random operators")
      ->check(check_seed)
      ->capture_default_str();
  only(kFolder, app.add_flag("--force", options->force, "for --to folder: replace existing files"));
  only(kPictures,
       app.add_option("--title", options->title, "the title; default: the model's name"));
  app.add_option("--seconds", options->seconds,
                 "the time limit for a layout, after which a coarser layout is computed")
      ->check([](const std::string& text) {
        double seconds = 0;
        const bool positive = absl::SimpleAtod(text, &seconds) && seconds > 0;
        return positive ? std::string() : fmt::format("{}: expected a time greater than 0", text);
      })
      ->capture_default_str();
  return [options, only_for]() -> absl::StatusOr<int> {
    FX_RETURN_IF_ERROR(check_only_for(only_for, options->to));
    Context context;
    FX_RETURN_IF_ERROR(command_extensions().set_up(context));
    FX_ASSIGN_OR_RETURN(const GraphDocument document, load_document(context, options->input));
    Graph& graph = document.graph();
    FX_RETURN_IF_ERROR(set_input_types(graph, options->inputs));
    // Nodes whose types cannot be inferred are drawn without a type.
    const bool is_untyped = options->to == "json" || options->to == "python";
    if (!options->inputs.empty()) {
      propagate_types(graph, {.other_call = type_by_lowering});
    } else if (!is_untyped) {
      complete_types(graph);
    }
    if (options->to == "folder" || options->to == "pt2") {
      absl::StatusOr<int> done =
          options->to == "pt2" ? emit_program(document, *options) : emit_folder(graph, *options);
      if (done.ok() && options->to == "pt2") print_guards_left_out(graph, *options);
      return done.ok() ? done : with_type_hint(graph, done.status());
    }
    if (options->to == "onnx") {
      absl::StatusOr<int> done = emit_onnx(graph, *options);
      if (done.ok()) {
        print_guards_left_out(graph, *options);
        print_omitted_assertions(graph, *options);
      }
      return done.ok() ? done : with_type_hint(graph, done.status());
    }
    if (const Emitter* const emitter = command_extensions().find_emitter(options->to)) {
      const auto read = [options] { return read_data(*options); };
      FX_ASSIGN_OR_RETURN(
          const std::string text,
          emit_with(*emitter,
                    {.graph = graph, .module = document.module.get(), .read_data = read}));
      FX_RETURN_IF_ERROR(write_file(options->output, text));
      return kDone;
    }
    const absl::StatusOr<std::string> text = emit(graph, *options);
    if (!text.ok()) return with_type_hint(graph, text.status());
    FX_RETURN_IF_ERROR(write_file(options->output, *text));
    if (options->to == "mlir") print_guards_left_out(graph, *options);
    return kDone;
  };
}

}  // namespace fx::tools
