// The binary form of graphs, `.fxb`: everything that a Graph holds, for caches and for graphs that
// are too big to be read as text.
//
//   FX_ASSIGN_OR_RETURN(std::string bytes, fx::write_binary(graph));
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::Graph> back, fx::read_binary(context, bytes));
//
// A node of a chain takes 5 bytes. Nothing in it depends on the machine or the process: the same
// graph makes the same bytes. docs/binary_format.md defines the format; version 1.
//
// Reading checks everything: a checksum first, then every number against what it indexes, so that
// reading any bytes returns a graph or an error, in time and memory linear in their number. What
// may be wrong with a graph beyond that (operands that come later, schemas) is left to the
// verifier, as with text and JSON.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fx {

class Context;
class Graph;

/// The first bytes of every `.fxb` file. They are not text, and show when a transfer changed line
/// ends.
inline constexpr std::string_view kBinaryMagic =
    "\x89"
    "FXB\r\n\x1a\n";
inline constexpr uint32_t kBinaryVersion = 1;

/// True for the start of a `.fxb` file.
inline bool is_binary_graph(std::string_view bytes) { return bytes.starts_with(kBinaryMagic); }

/// The bytes of a graph with its nested graphs. InvalidArgument when arguments are malformed
/// (verify() reports which), or graphs nest deeper than kMaxGraphDepth.
absl::StatusOr<std::string> write_binary(const Graph& graph);

struct BinaryReadOptions {
  /// False: the checksum is not compared. For fuzzers.
  bool verify_checksum = true;
};

/// Reads a graph. InvalidArgument, with the offset of the byte, for what is not such a file or is
/// damaged; FailedPrecondition for an unknown version.
absl::StatusOr<std::unique_ptr<Graph>> read_binary(Context& context, std::string_view bytes,
                                                   const BinaryReadOptions& options = {});

/// The same from a file, which is mapped, not copied; and to a file, which appears when complete.
absl::StatusOr<std::unique_ptr<Graph>> read_binary_file(Context& context, const std::string& path,
                                                        const BinaryReadOptions& options = {});
absl::Status write_binary_file(const Graph& graph, const std::string& path);

}  // namespace fx
