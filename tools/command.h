// What the subcommands of `fxcpp` share: how one is declared, how it reads its input and writes its
// result. Each subcommand has a file of its own and a row in main.cpp.
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
/// `import` of .pt2 archives.
Run add_import_pt2(CLI::App& app);

/// The arguments of the process, for imports_pt2; `arguments` must outlive the calls.
void set_command_arguments(absl::Span<char* const> arguments);
/// Whether an argument names a .pt2 archive: what `import` reads decides which options it has.
bool imports_pt2();

/// read_file, and what gzip compressed is unpacked.
absl::StatusOr<std::string> read_compressed_input(const std::string& path);

/// Reads a graph of any kind with its modules; weights are mapped and not checked. Prints what the
/// reader notes.
absl::StatusOr<GraphDocument> load_document(Context& context, const std::string& path);
/// Reads a graph of any kind that this build supports, found from the content.
absl::StatusOr<std::unique_ptr<Graph>> load_graph(Context& context, const std::string& path);

}  // namespace fx::tools
