// Writes the tables of inputs into the Python file of a graph, and the function arguments(), which
// loads inputs.
#pragma once

#include "fx/ir/graph/graph.h"

#include <string>
#include <string_view>

namespace fx::python {

/// Appends the tables INPUTS and SHARED. INPUTS maps the data name of each positional input to int,
/// float or bool; to (strides, offset) for a tensor that is not at offset 0 with default strides, or
/// that shares memory with a different input; or to None. SHARED contains the data names of groups
/// of inputs that share memory. Returns true if a stride or an offset is an expression, as text, of
/// symbols.
bool append_inputs(std::string& out, const Graph& graph);

/// Returns the text of the function arguments(). It calls _evaluate_layouts(values), which returns
/// the values of INPUTS with numbers instead of expressions.
std::string_view arguments_function();

}  // namespace fx::python
