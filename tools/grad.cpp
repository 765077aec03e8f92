// fxcpp grad: creates the graph that computes the gradients or tangents of a graph.
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/autodiff/jacobian.h"
#include "fx/passes/shape/input_type.h"
#include "fx/tools/driver/document.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct GradFlags {
  std::string input, output, of, mode = "reverse", style = "readable";
  std::vector<std::string> inputs, wrt;
  bool joint = false, vjp = false, jacobian = false, hessian = false;
};

absl::StatusOr<std::unique_ptr<Graph>> differentiate(const Graph& graph, const GradFlags& flags,
                                                     VmapReport& report) {
  GradOptions options{.wrt = flags.wrt, .of = flags.of};
  options.style = flags.style == "aten" ? GradStyle::kAten : GradStyle::kReadable;
  const bool is_forward = flags.mode == "forward";
  if (flags.hessian) return hessian(graph, options, &report);
  if (flags.jacobian) {
    return jacobian(
        graph,
        {.grad = options, .mode = is_forward ? JacobianMode::kForward : JacobianMode::kReverse},
        &report);
  }
  if (is_forward) return jvp(graph, options);
  if (flags.joint) return joint(graph, options);
  return flags.vjp ? vjp(graph, options) : grad(graph, options);
}

absl::StatusOr<int> run_grad(const GradFlags& flags) {
  Context context;
  FX_RETURN_IF_ERROR(command_extensions().set_up(context));
  FX_ASSIGN_OR_RETURN(const Document document,
                      Document::read_and_print_notes(context, flags.input));
  Graph& graph = document.graph();
  FX_RETURN_IF_ERROR(set_input_types(graph, flags.inputs));
  VmapReport report;
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> result, differentiate(graph, flags, report));
  FX_RETURN_IF_ERROR(with_context(verify_status(*result), "after differentiation"));
  replace_graph(graph, std::move(result));
  graph.set_meta("calling_convention", Argument());  // it describes the original inputs and results
  FX_ASSIGN_OR_RETURN(const std::string left_out, document.write(flags.output));
  if (!left_out.empty()) fmt::print(stderr, "# {}\n", left_out);
  for (const std::string& call : report.looped)
    fmt::print(stderr, "# called once for each basis vector: {}\n", call);
  return kDone;
}

}  // namespace

Run add_grad(CLI::App& app) {
  auto flags = std::make_shared<GradFlags>();
  app.add_option("FILE", flags->input, "the graph")->required();
  app.add_option("--wrt", flags->wrt,
                 "the inputs to differentiate with respect to; by default the inputs that require "
                 "grad, or else all floating-point and complex inputs");
  app.add_option("--of", flags->of, "the node to differentiate instead of the graph's results");
  CLI::Option* mode = app.add_option("--mode", flags->mode, "reverse or forward")
                          ->check(CLI::IsMember({"reverse", "forward"}));
  CLI::Option* joint = app.add_flag(
      "--joint", flags->joint,
      "the joint graph: primals and tangents as inputs; results and gradients as results");
  CLI::Option* vjp =
      app.add_flag("--vjp", flags->vjp,
                   "use a tangent for each result, instead of the gradient of one real number")
          ->excludes(joint);
  CLI::Option* jacobian = app.add_flag("--jacobian", flags->jacobian,
                                       "the derivatives of all elements of each result with "
                                       "respect to all elements of each input")
                              ->excludes(joint)
                              ->excludes(vjp);
  app.add_flag("--hessian", flags->hessian, "the second derivatives of a result with one element")
      ->excludes(joint)
      ->excludes(vjp)
      ->excludes(jacobian)
      ->excludes(mode);
  app.add_option("--style", flags->style,
                 "readable: plain operators, simplified; aten: the operators of libtorch's "
                 "autograd, with bit-equal gradients")
      ->check(CLI::IsMember({"aten", "readable"}));
  app.add_option("--input", flags->inputs,
                 "NAME=TYPE: the type of an input that has none; may be repeated");
  app.add_option("-o", flags->output,
                 "the file to write (.fx, .json or .fxb), instead of text on standard output");
  joint->excludes(mode);
  return [flags]() -> absl::StatusOr<int> { return run_grad(*flags); };
}

}  // namespace fx::tools
