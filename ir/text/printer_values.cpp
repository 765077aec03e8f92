// Writes names, values and nodes of the `.fx` text: see printer_internal.h.
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/text/printer_internal.h"
#include "fx/ir/types/dtype.h"

#include <algorithm>
#include <charconv>
#include <complex>
#include <iterator>

namespace fx::text {

// ---------------------------------------------------------------- values

void Printer::print_name(const Node& node) {
  if (naming_ != Naming::kNames) {
    out_ += naming_ == Naming::kOrder ? '%' : 'v';
    const uint32_t id = node.id();
    append_int(out_, id < numbers_.size() ? numbers_[id] : UINT32_MAX);
    return;
  }
  const Name name = node.name_parts();
  const bool is_plain = plain_bases_.get(name.base.id(), [&] { return is_name(name.base.str()); });
  const std::string_view base = name.base.str();
  char text[64];
  if (!is_plain || base.size() > sizeof text - 16) {
    out_ += '%';
    if (is_plain)
      name.append_to(out_);
    else
      append_quoted(out_, name.str());
    return;
  }
  // Assembled first, to append to the string once.
  char* end = text;
  *end++ = '%';
  end = std::copy(base.begin(), base.end(), end);
  if (name.has_number()) {
    *end++ = '_';
    end = std::to_chars(end, text + sizeof text, name.number()).ptr;
  }
  out_.append(text, end);
}

template <class A>
void Printer::print_items(const A& value) {
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out_ += ", ";
    print_value(value[i]);
  }
}

/// `pkg.Point(x=1, y=2)`; without fields `torch.Size(1, 2)`.
template <class A>
void Printer::print_struct(const A& value) {
  const std::string_view type_name = value.type_name();
  std::string_view fields = struct_fields(type_name, value.size());
  std::string_view name = struct_class(type_name, value.size());
  if (!is_function_word(name)) {
    name = type_name;
    fields = {};
  }
  print_quoted_unless(is_function_word(name), name);
  out_ += '(';
  for (size_t i = 0, n = value.size(); i < n; ++i) {
    if (i) out_ += ", ";
    if (!fields.empty()) {
      out_ += next_struct_field(fields);
      out_ += '=';
    }
    print_value(value[i]);
  }
  out_ += ')';
}

// Depth is bounded (kMaxArgumentDepth).
template <class A>
void Printer::append_value(const A& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      out_ += "None";
      return;
    case ArgumentKind::kBool:
      out_ += value.as_bool() ? "True" : "False";
      return;
    case ArgumentKind::kInt:
      append_int(out_, value.as_int());
      return;
    case ArgumentKind::kFloat:
      append_float(out_, value.as_float());
      return;
    case ArgumentKind::kComplex: {
      const std::complex<double> number = value.as_complex();
      out_ += "complex(";
      append_float(out_, number.real());
      out_ += ", ";
      append_float(out_, number.imag());
      out_ += ')';
      return;
    }
    case ArgumentKind::kString:
      append_quoted(out_, value.as_string());
      return;
    case ArgumentKind::kDType:
      out_ += "torch.";
      out_ += dtype_name(value.as_dtype());
      return;
    case ArgumentKind::kDevice:
      out_ += "device(";
      out_ += device_name(value.as_device());
      out_ += ')';
      return;
    case ArgumentKind::kLayout:
      out_ += "torch.";
      out_ += layout_name(value.as_layout());
      return;
    case ArgumentKind::kMemoryFormat:
      out_ += "torch.";
      out_ += memory_format_name(value.as_memory_format());
      return;
    case ArgumentKind::kSymbolic:
      out_ += "sym(";
      append_text(out_, value.as_symbolic());
      out_ += ')';
      return;
    case ArgumentKind::kType:
      out_ += "type(";
      append_text(out_, value.as_type());
      out_ += ')';
      return;
    case ArgumentKind::kFunction:
      out_ += "op(";
      print_function(value.as_function());
      out_ += ')';
      return;
    case ArgumentKind::kEllipsis:
      out_ += "...";
      return;
    case ArgumentKind::kObject:
      out_ += "object(";
      append_quoted(out_, value.as_string());
      out_ += ')';
      return;
    case ArgumentKind::kGraph: {
      const uint32_t index = value.as_graph();
      if (graph_ && !in_meta_ && index < graph_->num_subgraphs()) {
        const std::string_view name = graph_->subgraph_name(index);
        out_ += '@';
        print_quoted_unless(is_name(name), name);
      } else {
        out_ += "graph(";
        append_int(out_, index);
        out_ += ')';
      }
      return;
    }
    case ArgumentKind::kNode:
      print_name(*value.node());
      return;
    case ArgumentKind::kList:
      out_ += '[';
      print_items(value);
      out_ += ']';
      return;
    case ArgumentKind::kTuple:
      out_ += '(';
      print_items(value);
      out_ += value.size() == 1 ? ",)" : ")";
      return;
    case ArgumentKind::kStruct:
      print_struct(value);
      return;
    case ArgumentKind::kDict:
      out_ += '{';
      for (size_t i = 0, n = value.size(); i < n; ++i) {
        if (i) out_ += ", ";
        print_value(value.key(i));
        out_ += ": ";
        print_value(value[i]);
      }
      out_ += '}';
      return;
    case ArgumentKind::kSlice:
    case ArgumentKind::kRange:
      out_ += value.kind() == ArgumentKind::kSlice ? "slice(" : "range(";
      print_items(value);
      out_ += ')';
      return;
  }
}

// ---------------------------------------------------------------- nodes

void Printer::print_arguments(const Node& node) {
  out_ += '(';
  const size_t num_args = node.num_args(), num_kwargs = node.num_kwargs();
  for (size_t i = 0; i < num_args; ++i) {
    if (i) out_ += ", ";
    print_value(node.arg(i));
  }
  for (size_t i = 0; i < num_kwargs; ++i) {
    if (num_args + i) out_ += ", ";
    const std::string_view key = node.kwarg_name(i).str();
    print_quoted_unless(is_key(key), key);
    out_ += '=';
    print_value(node.kwarg_value(i));
  }
  out_ += ')';
}

void Printer::print_meta(const Node& node) {
  if (!meta_) return;
  bool first = true;
  in_meta_ = true;
  const auto print_entry = [&](Symbol key, const Argument& value) {
    out_ += first ? " !{" : ", ";
    first = false;
    print_quoted_unless(is_key(key.str()), key.str());
    out_ += '=';
    print_value(value);
  };
  if (meta_order_)
    meta_order_->for_each(node, print_entry);
  else
    node.meta().for_each(print_entry);
  in_meta_ = false;
  if (!first) out_ += '}';
}

void Printer::print_statement(const Node& node) {
  graph_ = &node.graph();
  const std::string_view target = node.target();
  const bool has_arguments = node.num_args() + node.num_kwargs() > 0;
  if (node.is_output() && target == "output" && node.num_args() == 1 && node.num_kwargs() == 0 &&
      !(node.type() && types_) &&
      (naming_ != Naming::kNames || node.name_parts() == Name{node.target_symbol(), 0})) {
    out_ += "return ";
    print_value(node.arg(0));
    print_meta(node);
    return;
  }
  print_name(node);
  if (naming_ != Naming::kValues) print_type(node.type());
  out_ += " = ";
  switch (node.op()) {
    case Opcode::kCallFunction:
      print_function(node.function());
      break;
    case Opcode::kCallMethod:
      out_ += "call_method ";
      print_quoted_unless(is_path(target), target);
      break;
    case Opcode::kCallModule:
      out_ += "call_module ";
      print_quoted_unless(is_path(target), target);
      break;
    case Opcode::kGetAttr:
      out_ += "get_attr ";
      print_quoted_unless(is_path(target), target);
      break;
    case Opcode::kPlaceholder:
      out_ += "placeholder";
      if (naming_ != Naming::kNames || target != node.name()) print_target(target);
      break;
    case Opcode::kOutput:
      out_ += "output";
      if (target != "output") print_target(target);
      break;
  }
  if (node.is_call() || has_arguments) print_arguments(node);
  print_meta(node);
  if (naming_ == Naming::kValues && node.type() && types_) {
    out_ += "  # ";
    append_text(out_, node.type());
  }
}

}  // namespace fx::text
