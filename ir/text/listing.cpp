// torch.fx's listing and table: see listing.h.
#include "fx/ir/text/listing.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/python/function_spelling.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/table.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include <utility>
#include <vector>

namespace fx {
namespace {

/// Appends an argument of a call: containers item by item, and other values as str() prints them.
/// Depth is bounded (kMaxArgumentDepth).
void append_argument(std::string& out, ArgumentRef value, const ArgumentPrinter& custom) {
  if (custom && custom(out, value)) return;
  const size_t size = value.size();
  switch (value.kind()) {
    case ArgumentKind::kNode:
      out += '%';
      value.node()->name_parts().append_to(out);
      return;
    case ArgumentKind::kStruct:
      if (python_object_text(value, /*is_repr=*/false)) {
        text::append_python_str(out, value);
        return;
      }
      if (text::is_python_dict(value)) {
        text::append_python_dict(
            out, value, [](std::string& o, ArgumentRef key) { text::append_python_str(o, key); },
            [&](std::string& o, ArgumentRef item) { append_argument(o, item, custom); });
        return;
      }
      [[fallthrough]];
    case ArgumentKind::kList:
    case ArgumentKind::kTuple: {
      const bool list = value.is_list();
      out += list ? '[' : '(';
      for (size_t i = 0; i < size; ++i) {
        if (i) out += ", ";
        append_argument(out, value[i], custom);
      }
      if (!list && size == 1) out += ',';
      out += list ? ']' : ')';
      return;
    }
    case ArgumentKind::kDict:
      out += '{';
      for (size_t i = 0; i < size; ++i) {
        if (i) out += ", ";
        text::append_python_str(out, value.key(i));
        out += ": ";
        append_argument(out, value[i], custom);
      }
      out += '}';
      return;
    default:
      text::append_python_str(out, value);
      return;
  }
}

/// A tuple or dict, in the form that both views use; `append` appends an item.
template <class Append>
void append_args(std::string& out, const Node& node, Append&& append) {
  out += '(';
  for (size_t i = 0; i < node.num_args(); ++i) {
    if (i) out += ", ";
    append(out, node.arg(i));
  }
  out += node.num_args() == 1 ? ",)" : ")";
}

std::string_view annotation_of(const Node& node) {
  return node.meta().get(meta::kAnnotation).value_or(std::string_view());
}

void append_annotation(std::string& out, const Node& node) {
  const std::string_view annotation = annotation_of(node);
  out += annotation;
  if (!annotation.empty()) out += ' ';
}

/// Appends `Tensor "f32[2, 3][3, 1]cpu"`; returns false if the value is not a tensor with known
/// strides.
bool append_tensor_type(std::string& out, const Node& node) {
  const Type type = node.type();
  if (!type || !type.is_tensor() || !type.has_strides()) return false;
  out += "Tensor \"";
  out += dtype_abbreviation(type.dtype());
  append_text(out, type.sizes());
  append_text(out, type.strides());
  out += device_name(type.device());
  out += '"';
  return true;
}

void append_node(std::string& out, const Node& node, const ListingOptions& options) {
  if (node.is_output()) {
    out += "return ";
    if (node.num_args() > 0) text::append_python_str(out, node.arg(0));
    return;
  }
  const bool is_call = !node.is_placeholder() && node.op() != Opcode::kGetAttr;
  out += '%';
  node.name_parts().append_to(out);
  out += " : ";
  if (!(is_call && options.tensor_types && append_tensor_type(out, node)))
    append_annotation(out, node);
  out += "[num_users=";
  text::append_int(out, static_cast<int64_t>(node.num_users()));
  out += "] = ";
  out += opcode_name(node.op());
  out += "[target=";
  if (node.op() == Opcode::kCallFunction)
    append_listing_name(out, node.function());
  else
    out += node.target();
  out += ']';
  if (node.is_placeholder() && node.num_args() > 0) {
    out += "(default=";
    text::append_python_str(out, node.arg(0));
    out += ')';
  }
  if (!is_call) return;
  out += "(args = ";
  const ArgumentPrinter& custom = options.print_argument;
  append_args(out, node, [&](std::string& o, ArgumentRef arg) { append_argument(o, arg, custom); });
  out += ", kwargs = {";
  for (size_t i = 0; i < node.num_kwargs(); ++i) {
    if (i) out += ", ";
    out += node.kwarg_name(i).str();
    out += ": ";
    append_argument(out, node.kwarg_value(i), custom);
  }
  out += "})";
}

std::string names_of(const std::vector<Node*>& nodes) {
  std::string out = "[";
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i) out += ", ";
    nodes[i]->name_parts().append_to(out);
  }
  out += ']';
  return out;
}

}  // namespace

std::string format_graph(const Graph& graph, const ListingOptions& options) {
  std::string out = "graph():";
  for (const Node& node : graph.nodes()) {
    if (options.only && !options.only(node)) continue;
    out += "\n    ";
    append_node(out, node, options);
  }
  return out;
}

std::string format_node(const Node& node, const ListingOptions& options) {
  std::string out;
  append_node(out, node, options);
  return out;
}

std::string format_tabular(const Graph& graph, const TabularOptions& options) {
  text::Table table;
  for (const std::string_view header : {"opcode", "name", "target", "args", "kwargs"})
    table.headers.emplace_back(header);
  if (options.users) table.headers.emplace_back("users");
  if (options.input_nodes) table.headers.emplace_back("input nodes");
  if (options.type) table.headers.emplace_back("type");
  for (const Node& node : graph.nodes()) {
    if (options.only && !options.only(node)) continue;
    std::vector<text::Cell>& row = table.rows.emplace_back();
    row.push_back({std::string(opcode_name(node.op())), true});
    row.push_back({node.name(), true});
    std::string target;
    const bool is_function = node.op() == Opcode::kCallFunction;
    if (is_function)
      append_python_str(target, node.function());
    else
      target = node.target();
    row.push_back({std::move(target), !is_function});
    std::string args;
    append_args(args, node,
                [](std::string& out, ArgumentRef value) { text::append_python_repr(out, value); });
    row.push_back({std::move(args), false});
    std::string kwargs = "{";
    for (size_t i = 0; i < node.num_kwargs(); ++i) {
      if (i) kwargs += ", ";
      text::append_python_string(kwargs, node.kwarg_name(i).str());
      kwargs += ": ";
      text::append_python_repr(kwargs, node.kwarg_value(i));
    }
    kwargs += '}';
    row.push_back({std::move(kwargs), false});
    if (options.users) row.push_back({names_of(node.users()), false});
    if (options.input_nodes) row.push_back({names_of(node.all_input_nodes()), false});
    if (options.type) {
      std::string type;
      if (node.type()) append_text(type, node.type());
      row.push_back({std::move(type), false});
    }
  }
  return text::format_table(table);
}

std::string python_str(const Argument& argument) {
  std::string out;
  text::append_python_str(out, argument);
  return out;
}

std::string python_repr(const Argument& argument) {
  std::string out;
  text::append_python_repr(out, argument);
  return out;
}

}  // namespace fx
