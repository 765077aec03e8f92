// torch.fx's own views of a graph, character for character: the listing (`str(graph)` in Python)
// and the table (`graph.print_tabular()`). For human readers, and for comparison with torch.fx;
// ir/text/text.h has the text that can be parsed.
//
//   graph():
//       %x : [num_users=1] = placeholder[target=x]
//       %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
//       return relu
//
// Memory addresses, which Python prints, are printed as 0x0.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"

#include <functional>
#include <string>

namespace fx {

class Graph;

/// A custom printer of arguments: appends the text of the argument and returns true, or returns
/// false.
using ArgumentPrinter = std::function<bool(std::string& out, ArgumentRef value)>;

struct ListingOptions {
  /// If set, format_graph prints only the nodes for which it returns true.
  std::function<bool(const Node&)> only = {};
  /// Prints the type of a call's tensor, as Node.format_node(include_tensor_metadata=True) does.
  bool tensor_types = false;
  /// Called for each argument of a call and each of its items, outermost first, before the default
  /// printer: torch.fx's `_custom_fx_repr_fn` of an object.
  ArgumentPrinter print_argument = {};
};

/// `str(graph)`, without a line break at the end.
std::string format_graph(const Graph& graph, const ListingOptions& options = {});
/// `node.format_node()`.
std::string format_node(const Node& node, const ListingOptions& options = {});

struct TabularOptions {
  // Columns in addition to torch.fx's opcode, name, target, args and kwargs, in this order.
  bool users = false;        ///< the users of the value
  bool input_nodes = false;  ///< its operands
  bool type = false;         ///< the type of the value, as in the `.fx` text
  /// If set, prints only the nodes for which it returns true.
  std::function<bool(const Node&)> only = {};
};

/// The output of `graph.print_tabular()`, without a line break at the end.
std::string format_tabular(const Graph& graph, const TabularOptions& options = {});

/// Python's `str()` and `repr()` of an argument: `x` and `'x'` for a string.
std::string python_str(const Argument& argument);
std::string python_repr(const Argument& argument);

}  // namespace fx
