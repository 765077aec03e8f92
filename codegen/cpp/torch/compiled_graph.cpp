#include "fx/codegen/cpp/torch/compiled_graph.h"

#include "fx/codegen/cpp/torch/library.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/shape_prop.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>

namespace fx {
namespace {

/// Returns a message that quotes the first line of the graph's text to which the compiler's message
/// refers.
std::string first_line_named(std::string_view message, std::string_view text) {
  constexpr std::string_view kFile = "graph.fx:";
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  size_t file = message.find(kFile);  // "graph.fx: In function ..." has no line number
  while (file != std::string_view::npos &&
         (file + kFile.size() >= message.size() || !is_digit(message[file + kFile.size()])))
    file = message.find(kFile, file + 1);
  if (file == std::string_view::npos) return "the code of the graph does not compile";
  size_t line = 0;
  for (size_t i = file + kFile.size(); i < message.size() && is_digit(message[i]); ++i)
    line = line * 10 + static_cast<size_t>(message[i] - '0');
  size_t begin = 0;
  for (size_t i = 1; i < line && begin < text.size(); ++i)
    begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  const std::string_view found = text.substr(begin, text.find('\n', begin) - begin);
  return fmt::format("the code of the graph does not compile; graph.fx:{} is `{}`", line, found);
}

/// True if values of the graph may be tensors with the conjugate or negative bit: complex tensors,
/// their imaginary parts, results of `_neg_view`, and results of unknown type.
bool has_unresolved_values(Graph& graph) {
  propagate_types(graph, {.other_call = type_by_lowering});
  const auto may_be_unresolved = [](const Node& node) {
    if (node.op() == Opcode::kCallFunction && node.function().name() == "aten._neg_view.default")
      return true;
    const Type type = node.type();
    return type ? type.is_tensor() && !has_real_dtype(type) : node.is_call();
  };
  for (const Graph& g : all_graphs(graph))
    for (const Node& node : g.nodes())
      if (may_be_unresolved(node)) return true;
  return false;
}

}  // namespace

absl::StatusOr<CompiledGraph> CompiledGraph::create(const Graph& graph, TorchConstants constants,
                                                    CompileOptions options) {
  CompiledGraph compiled(graph, std::move(constants), std::move(options));
  FX_RETURN_IF_ERROR(compiled.compile());
  return compiled;
}

absl::StatusOr<CompiledGraph> CompiledGraph::create(const GraphModule& module,
                                                    CompileOptions options) {
  return create(module.graph(), {}, std::move(options));
}

absl::Status CompiledGraph::compile() {
  // Parses a copy from the text to get the line of each node, for the compiler's messages.
  const std::string text = print(*graph_);
  Context context;
  SourceLocations locations;
  FX_ASSIGN_OR_RETURN(
      const std::unique_ptr<Graph> copy,
      parse_graph(context, text, {.file_name = "graph.fx", .locations = &locations}));
  FX_ASSIGN_OR_RETURN(code_, cpp_code(*copy, {.lift_parameters = false,
                                              .root = graph_->owning_module(),
                                              .locations = &locations,
                                              .line_file = "graph.fx",
                                              .entry_point = true}));
  may_be_unresolved_ = has_unresolved_values(*copy);
  // The copy and its Context are destroyed on return, so code_ must not refer to their nodes and
  // types.
  for (CppMember& member : code_.members) member.type = Type();
  for (CppParameter& parameter : code_.parameters) parameter.node = nullptr;
  FX_RETURN_IF_ERROR(find_members());
  if (options_.transform) code_.source = options_.transform(std::move(code_.source));
  function_ = nullptr;
  evaluator_.reset();
  version_ = graph_->version();
  const absl::StatusOr<cpp::Library> library =
      cpp::build_library({.source = code_.source,
                          .compiler = options_.compiler,
                          .flags = options_.flags,
                          .cache_folder = options_.cache_folder,
                          .precompile = options_.precompile});
  if (absl::IsUnavailable(library.status()) && options_.fall_back) {
    FX_ASSIGN_OR_RETURN(evaluator_, TorchEvaluator::create(*graph_, constants_));
    return absl::OkStatus();
  }
  if (absl::IsFailedPrecondition(library.status()))
    return with_context(library.status(),
                        first_line_named(std::string(library.status().message()), text));
  FX_RETURN_IF_ERROR(library.status());
  is_cached_ = library->is_cached;
  function_ = reinterpret_cast<Function>(dlsym(library->handle, "fxcpp_run"));
  if (function_ == nullptr)
    return absl::FailedPreconditionError("the compiled code must have a function fxcpp_run");
  return absl::OkStatus();
}

absl::Status CompiledGraph::find_members() {
  members_.clear();
  std::string missing;
  const Module* root = graph_->owning_module();
  for (const CppMember& member : code_.members) {
    auto found = constants_.find(member.path);
    for (const std::string& path : member.tied_paths)
      if (found == constants_.end()) found = constants_.find(path);
    if (found != constants_.end() && found->second.isTensor()) {
      members_.push_back(found->second.toTensor());
    } else if (const Tensor tensor = root ? root->find_tensor(member.path) : Tensor();
               tensor.defined() && tensor.has_host_data()) {
      members_.push_back(to_torch(tensor));
    } else {
      missing += (missing.empty() ? "" : ", ") + member.path;
    }
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::NotFoundError(fmt::format("missing tensors: {}", missing));
}

absl::StatusOr<std::vector<c10::IValue>> CompiledGraph::run(std::vector<c10::IValue> inputs,
                                                            AutogradUse autograd) {
  if (graph_->version() != version_) FX_RETURN_IF_ERROR(compile());
  if (evaluator_) return evaluator_->run(std::move(inputs), autograd);
  if (inputs.size() != code_.parameters.size()) {
    return absl::InvalidArgumentError(fmt::format("the graph has {}, but received {}",
                                                  pluralize(code_.parameters.size(), "input"),
                                                  inputs.size()));
  }
  std::vector<c10::IValue> results;
  try {
    std::optional<KernelScope> kernel_scope;
    std::optional<at::AutoGradMode> grad_mode;
    std::optional<NoGradientScope> no_gradient_scope;  // the code does not call `dispatch`
    if (autograd == AutogradUse::kNone) {
      kernel_scope.emplace();
      grad_mode.emplace(true);  // as in TorchEvaluator
      if (may_be_unresolved_ || has_unresolved(inputs)) no_gradient_scope.emplace();
    }
    function_(members_, inputs, results);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(torch_message(error));
  }
  return results;
}

}  // namespace fx
