// The binary format of graphs, `.fxb`, represents everything in a Graph. It is for caches and for
// graphs that are too large for text.
//
//   FX_ASSIGN_OR_RETURN(std::string bytes, fx::write_binary(graph));
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::Graph> back, fx::read_binary(context, bytes));
//
// A node in a chain occupies 5 bytes. The bytes depend only on the graph, not on the machine or the
// process. docs/binary_format.md defines the format, currently version 1.
//
// Input is not trusted: the reader checks the checksum, then every index against its table. Reading
// any bytes returns a graph or an error, in time and memory linear in the number of bytes. The
// verifier checks the other rules for graphs (operands come before users, schemas), as with text
// and JSON.
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

/// The first bytes of every `.fxb` file. They are not text, and reveal a transfer that changed line
/// endings.
inline constexpr std::string_view kBinaryMagic =
    "\x89"
    "FXB\r\n\x1a\n";
inline constexpr uint32_t kBinaryVersion = 1;

/// True if the bytes start with the magic bytes of a `.fxb` file.
inline bool is_binary_graph(std::string_view bytes) { return bytes.starts_with(kBinaryMagic); }

/// The bytes of a graph with its nested graphs. InvalidArgument if a node is malformed (verify()
/// reports which), or graphs are nested more than kMaxGraphDepth levels deep.
absl::StatusOr<std::string> write_binary(const Graph& graph);

struct BinaryReadOptions {
  /// If false, the checksum is not checked. For fuzzers.
  bool verify_checksum = true;
};

/// Reads a graph. InvalidArgument if the bytes are corrupted (with the offset of the invalid byte,
/// if it is known) or not in this format; FailedPrecondition for an unknown version.
absl::StatusOr<std::unique_ptr<Graph>> read_binary(Context& context, std::string_view bytes,
                                                   const BinaryReadOptions& options = {});

/// Read a graph from a file (mapped, not copied), and write a graph to a file (replaced only when
/// the new content is complete).
absl::StatusOr<std::unique_ptr<Graph>> read_binary_file(Context& context, const std::string& path,
                                                        const BinaryReadOptions& options = {});
absl::Status write_binary_file(const Graph& graph, const std::string& path);

}  // namespace fx
