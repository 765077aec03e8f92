// Declarations for the subcommands of `fxcpp`: their options, reading inputs and writing results.
// Each subcommand has a source file and a row in main.cpp.
#pragma once

#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/files.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
}

namespace fx::tools {

/// The exit status of a check that has printed findings.
inline constexpr int kFound = 1;
inline constexpr int kDone = 0;
inline constexpr int kUsage = 2;

/// Runs a subcommand whose options have been parsed. Returns the exit status, or an error to print.
using Run = std::function<absl::StatusOr<int>()>;

struct Command {
  const char* name;
  const char* description;  ///< one line
  const char* example;      ///< command lines with descriptions
  Run (*add)(
      CLI::App& app);  ///< declares the options, and returns the function that runs the subcommand
};

Run add_print(CLI::App& app);
Run add_verify(CLI::App& app);
Run add_diff(CLI::App& app);
Run add_convert(CLI::App& app);
Run add_state(CLI::App& app);
Run add_opt(CLI::App& app);
Run add_rewrite(CLI::App& app);
Run add_grad(CLI::App& app);
Run add_vmap(CLI::App& app);
Run add_partition(CLI::App& app);
Run add_passes(CLI::App& app);
Run add_ops(CLI::App& app);
Run add_shape(CLI::App& app);
Run add_emit(CLI::App& app);
Run add_completion(CLI::App& app);
/// Declares `import` for .pt2 archives and ONNX models.
Run add_import_program(CLI::App& app);

/// Sets the arguments of the process, which imports_program uses. `arguments` must outlive all
/// calls to it.
void set_command_arguments(absl::Span<char* const> arguments);
/// Returns true if an argument names a .pt2 archive or an ONNX model. The options of `import`
/// depend on its input.
bool imports_program();
/// Returns true if an argument names a file of a format that a plugin reads.
bool imports_with_plugin();

/// Reads a file like read_file, and decompresses gzip data.
absl::StatusOr<std::string> read_compressed_input(const std::string& path);

/// Reads a graph in any format, with its modules. Weights are mapped, and their checksums are not
/// verified. Prints the notes of the reader.
absl::StatusOr<GraphDocument> load_document(Context& context, const std::string& path);
/// Reads a graph in any format that this build supports, detected from the content.
absl::StatusOr<std::unique_ptr<Graph>> load_graph(Context& context, const std::string& path);

}  // namespace fx::tools
