// The `.fx` text: a complete, readable representation of a Graph that can be parsed.
//
//   graph @relu_twice(%x : f32[2, 3], %scale = 1.0) {
//     %relu : f32[2, 3] = aten.relu.default(%x)
//     %mul : f32[2, 3] = aten.mul.Tensor(%relu, %scale) !{seq=3, region="fw"}
//     return %mul
//   }
//
// parse_graph(context, print(graph)) returns an equal graph, whose text is the same. The grammar is
// in docs/text_format.md. torch.fx's own listing and table are in ir/text/listing.h; print() also
// creates them.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Context;
class Graph;

// ---------------------------------------------------------------- printing

enum class PrintPreset : uint8_t {
  kFx,         ///< the text format
  kCanonical,  ///< the text format with nodes numbered in order, without metadata, graph names
               ///< or spellings of functions: graphs that differ only in these have the same text
  kNumbered,   ///< v1, v2, ... instead of names, types as comments; for display; cannot be parsed
  kTorch,      ///< exactly torch.fx's listing, str(graph)
  kTabular,    ///< exactly torch.fx's print_tabular()
};

/// The preset called "fx", "canonical", "numbered", "torch" or "tabular".
std::optional<PrintPreset> print_preset_from_name(std::string_view name);

struct PrintOptions {
  PrintPreset preset = PrintPreset::kFx;
  bool types = true;          ///< the types of values (fx, canonical, numbered)
  bool meta = true;           ///< metadata of nodes and graphs (fx)
  bool version_line = false;  ///< starts with `fx 1`; for files (fx)
};

/// Appends the text of a graph, with its nested graphs, ending in a line break.
void print(const Graph& graph, std::string& out, const PrintOptions& options = {});
std::string print(const Graph& graph, const PrintOptions& options = {});
/// One node as one line, without the line break: `%relu : f32[2, 3] = aten.relu.default(%x)`. A
/// placeholder is written as a statement.
void print(const Node& node, std::string& out, const PrintOptions& options = {});
std::string print(const Node& node, const PrintOptions& options = {});
/// One argument, as printed in a call.
void print(const Argument& argument, std::string& out);
std::string print(const Argument& argument);
void print(ArgumentRef argument, std::string& out);
std::string print(ArgumentRef argument);

// ---------------------------------------------------------------- parsing

/// A position in text. Both numbers start at 1; columns count characters.
struct SourceLocation {
  uint32_t line = 0;
  uint32_t column = 0;
};

/// The position of each node's statement.
using SourceLocations = absl::flat_hash_map<const Node*, SourceLocation>;

struct ParseOptions {
  std::string_view file_name = "<text>";  ///< for messages
  SourceLocations* locations = nullptr;   ///< if set, receives the positions of all nodes
};

/// The maximum number of graphs in text; kMaxGraphDepth bounds their nesting depth.
inline constexpr int kMaxGraphsInText = 1 << 14;

/// Parses text with exactly one graph. Errors are InvalidArgument, of the form
///
///   model.fx:3:20: error: unknown node %y
///     %mul = aten.mul.Tensor(%x, %y)
///                                ^
///   hint: define a node in the same graph, before its first use
absl::StatusOr<std::unique_ptr<Graph>> parse_graph(Context& context, std::string_view text,
                                                   const ParseOptions& options = {});
/// Parses all graphs in the text, in order.
absl::StatusOr<std::vector<std::unique_ptr<Graph>>> parse_graphs(Context& context,
                                                                 std::string_view text,
                                                                 const ParseOptions& options = {});
/// Parses a value without nodes and graphs: `[1, 2.5, torch.float32]`.
absl::StatusOr<Argument> parse_argument(Context& context, std::string_view text,
                                        const ParseOptions& options = {});

/// The name after the `@` of a graph is stored in its metadata under this key. It is the name of
/// the GraphModule in torch.fx.
inline constexpr std::string_view kGraphNameKey = "model";
/// The name of the graph; empty if it has none.
std::string_view graph_name(const Graph& graph);
void set_graph_name(Graph& graph, std::string_view name);

}  // namespace fx
