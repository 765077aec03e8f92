// torch.fx's spellings of functions: see function_spelling.h.
#include "fx/ir/python/function_spelling.h"

#include "fx/ir/graph/context.h"

#include <string_view>

namespace fx {
namespace {

// The rules distinguish names by their form; the first rule that matches applies.
enum class Form {
  kOperator,     // operator.X, math.X
  kBuiltin,      // builtins.X
  kHigherOrder,  // higher_order.X
  kTorch,        // torch.X
  kTorchC,       // torch._C. ... .X
  kOverload,     // namespace.operator.overload
  kOther,
};

bool is_member_of(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.find('.', prefix.size()) == std::string_view::npos;
}

Form form_of(std::string_view name) {
  if (is_member_of(name, "operator.") || is_member_of(name, "math.")) return Form::kOperator;
  if (is_member_of(name, "builtins.")) return Form::kBuiltin;
  if (is_member_of(name, "higher_order.")) return Form::kHigherOrder;
  if (is_member_of(name, "torch.")) return Form::kTorch;
  if (name.starts_with("torch._C.")) return Form::kTorchC;
  return is_operator_overload(name) ? Form::kOverload : Form::kOther;
}

std::string_view last_component(std::string_view name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

void append_listing_name(std::string& out, Target function) {
  if (const Symbol spelling = function.data()->listing) {
    out += spelling.str();
    return;
  }
  const Form form = form_of(function.name());
  if (form == Form::kHigherOrder || form == Form::kOverload) out += "torch.ops.";
  out += function.name();
}

void append_python_str(std::string& out, Target function) {
  if (const Symbol spelling = function.data()->repr) {
    out += spelling.str();
    return;
  }
  const std::string_view name = function.name();
  switch (form_of(name)) {
    case Form::kOperator:
    case Form::kBuiltin:
    case Form::kTorchC:
      out += "<built-in function ";
      out += last_component(name);
      out += '>';
      return;
    case Form::kHigherOrder:
      out += last_component(name);
      return;
    case Form::kTorch:
      out += "<built-in method ";
      out += last_component(name);
      out += " of type object at 0x0>";
      return;
    case Form::kOverload:
    case Form::kOther:
      out += name;
      return;
  }
}

void append_python_repr(std::string& out, Target function) {
  if (const Symbol spelling = function.data()->inner) {
    out += spelling.str();
    return;
  }
  const std::string_view name = function.name();
  if (function.data()->repr || form_of(name) != Form::kOverload) {
    append_python_str(out, function);
    return;
  }
  const size_t dot = name.rfind('.');
  out += "<OpOverload(op='";
  out += name.substr(0, dot);
  out += "', overload='";
  out += name.substr(dot + 1);
  out += "')>";
}

}  // namespace fx
