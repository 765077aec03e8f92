// What the subcommands of `fxcpp` share: how one is declared, how it reads its input and writes its
// result. Each subcommand has a file of its own and a row in main.cpp.
#pragma once

#include "fx/interp/constant_evaluator.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/files.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls it
class App;
}

namespace fx::tools {

/// A check that the user asked for found something: exit status 1, the message already printed.
inline constexpr int kFound = 1;
inline constexpr int kDone = 0;
inline constexpr int kUsage = 2;

/// Runs a subcommand whose options have been parsed; the exit status, or an error to print.
using Run = std::function<absl::StatusOr<int>()>;

struct Command {
  const char* name;
  const char* about;          ///< one line
  const char* example;        ///< command lines, each with what it does
  Run (*add)(CLI::App& app);  ///< declares the options, gives the runner
};

Run add_print(CLI::App& app);
Run add_verify(CLI::App& app);
Run add_diff(CLI::App& app);
Run add_convert(CLI::App& app);
Run add_opt(CLI::App& app);
Run add_rewrite(CLI::App& app);
Run add_passes(CLI::App& app);
Run add_ops(CLI::App& app);
Run add_shape(CLI::App& app);
Run add_emit(CLI::App& app);
Run add_completion(CLI::App& app);
Run add_capture(CLI::App& app);  // with libtorch only, as the next
Run add_import(CLI::App& app);
Run add_run(CLI::App& app);
Run add_minimize(CLI::App& app);

/// For `shape --concrete`: runs the graph through libtorch and gives its nodes their types. Inputs
/// come from these files, else (and those of `made`) from the types that the graph has.
struct ConcreteRun {
  std::string path;  ///< the graph's: g.safetensors beside g.fx has tensors
  std::vector<std::string> files;
  std::vector<const Node*> made;
  uint64_t seed = 0;
};
using TypeByRunning = absl::Status (*)(Graph& graph, const ConcreteRun& run);
/// Null in a build without libtorch; main sets it.
TypeByRunning& type_by_running();
absl::Status type_by_running_in_torch(Graph& graph, const ConcreteRun& run);

/// For `diff --run`: runs both graphs through libtorch on the same inputs, prints what differs;
/// whether nothing does. Inputs come from these files, else from the types of the first graph's
/// placeholders.
struct ComparedRun {
  std::string left, right;  ///< paths: g.safetensors beside g.fx has tensors
  std::vector<std::string> files;
  double rtol = 0, atol = 0;
  uint64_t seed = 0;
  bool gradients = false;
};
using CompareByRunning = absl::StatusOr<bool> (*)(const Graph& left, const Graph& right,
                                                  const ComparedRun& run);
/// Null in a build without libtorch; main sets it.
CompareByRunning& compare_by_running();
absl::StatusOr<bool> compare_by_running_in_torch(const Graph& left, const Graph& right,
                                                 const ComparedRun& run);

/// Computes constants, for `opt`; empty in a build without libtorch, main sets it.
ConstantEvaluator& constant_evaluator();

/// read_file, and what gzip compressed is unpacked.
absl::StatusOr<std::string> read_compressed_input(const std::string& path);

/// Reads a graph of any kind that this build supports, found from the content.
absl::StatusOr<std::unique_ptr<Graph>> load_graph(Context& context, const std::string& path);
/// Writes a graph in the form that the ending says: .fx, .json or .fxb; text to "-" and "".
absl::Status save_graph(const Graph& graph, const std::string& path);

}  // namespace fx::tools
