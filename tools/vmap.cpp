// fxcpp vmap: creates a graph for a batch from a graph for one example.
#include "fx/passes/vmap/vmap.h"

#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/input_type.h"
#include "fx/tools/driver/document.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct VmapFlags {
  std::string input, output, randomness = "error";
  std::vector<std::string> inputs, in_dims, out_dims;
  int64_t size = -1;
  bool loop = true;
};

absl::StatusOr<std::optional<int64_t>> parse_dim(const std::string& option,
                                                 const std::string& text) {
  if (text == "none") return std::optional<int64_t>();
  int64_t dim = 0;
  if (!absl::SimpleAtoi(text, &dim)) {
    return absl::InvalidArgumentError(
        fmt::format("{}: '{}' must be a dimension or none", option, text));
  }
  return std::optional<int64_t>(dim);
}

absl::StatusOr<VmapOptions> options_of(const VmapFlags& flags) {
  VmapOptions options;
  options.loop = flags.loop;
  if (flags.size >= 0) options.size = Dim(flags.size);
  if (flags.randomness == "same") options.randomness = BatchRandomness::kSame;
  if (flags.randomness == "different") options.randomness = BatchRandomness::kDifferent;
  for (const std::string& text : flags.in_dims) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) {
      return absl::InvalidArgumentError(
          fmt::format("--in {}: expected NAME=DIM, where DIM is a number or none", text));
    }
    FX_ASSIGN_OR_RETURN(const std::optional<int64_t> dim,
                        parse_dim("--in " + text, text.substr(equals + 1)));
    options.in_dims.emplace_back(text.substr(0, equals), dim);
  }
  for (const std::string& text : flags.out_dims) {
    FX_ASSIGN_OR_RETURN(const std::optional<int64_t> dim, parse_dim("--out " + text, text));
    options.out_dims.push_back(dim);
  }
  return options;
}

absl::StatusOr<int> run_vmap(const VmapFlags& flags) {
  Context context;
  FX_RETURN_IF_ERROR(command_extensions().set_up(context));
  FX_ASSIGN_OR_RETURN(const Document document,
                      Document::read_and_print_notes(context, flags.input));
  Graph& graph = document.graph();
  FX_RETURN_IF_ERROR(set_input_types(graph, flags.inputs));
  FX_ASSIGN_OR_RETURN(const VmapOptions options, options_of(flags));
  VmapReport report;
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> batched, vmap(graph, options, &report));
  FX_RETURN_IF_ERROR(with_context(verify_status(*batched), "after vmap"));
  replace_graph(graph, std::move(batched));
  FX_ASSIGN_OR_RETURN(const std::string left_out, document.write(flags.output));
  if (!left_out.empty()) fmt::print(stderr, "# {}\n", left_out);
  for (const std::string& call : report.looped)
    fmt::print(stderr, "# called once for each example: {}\n", call);
  return kDone;
}

}  // namespace

Run add_vmap(CLI::App& app) {
  auto flags = std::make_shared<VmapFlags>();
  app.add_option("FILE", flags->input, "the graph for one example")->required();
  app.add_option("--in", flags->in_dims,
                 "NAME=DIM,...: the batch dimension of an input, or none; inputs that are not "
                 "listed are shared. By default 0 for all except parameters and buffers")
      ->delimiter(',');
  app.add_option("--out", flags->out_dims,
                 "the batch dimension of the results: one for all, or one for each; none for "
                 "a result that does not depend on the batch (default 0)")
      ->delimiter(',');
  app.add_option("--size", flags->size, "the number of examples; by default a symbol")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--randomness", flags->randomness,
                 "the random numbers of the examples: the same, different, or an error")
      ->check(CLI::IsMember({"error", "same", "different"}));
  app.add_flag("--loop,!--no-loop", flags->loop,
               "call operators without a batching rule once for each example (the default), and "
               "list them; --no-loop: report an error");
  app.add_option("--input", flags->inputs,
                 "NAME=TYPE: the type of an input that has none; may be repeated");
  app.add_option("-o", flags->output,
                 "the file to write (.fx, .json or .fxb), instead of text on standard output");
  return [flags]() -> absl::StatusOr<int> { return run_vmap(*flags); };
}

}  // namespace fx::tools
