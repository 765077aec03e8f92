// Names of locals and globals: see globals_internal.h.
#include "fx/codegen/python/globals_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/python/function_spelling.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/text_tokens.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>

namespace fx::python {
namespace {

constexpr std::string_view kKeywords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

struct Operator {
  std::string_view name;
  FunctionInfo::Form form;
  int arity;
  const char* op;
};
constexpr auto kInfix = FunctionInfo::Form::kInfix;
constexpr auto kInPlace = FunctionInfo::Form::kInPlace;
constexpr Operator kOperators[] = {
    {"add", kInfix, 2, " + "},
    {"and_", kInfix, 2, " & "},
    {"div", kInfix, 2, " / "},
    {"eq", kInfix, 2, " == "},
    {"floordiv", kInfix, 2, " // "},
    {"ge", kInfix, 2, " >= "},
    {"getitem", kInfix, 2, ""},
    {"gt", kInfix, 2, " > "},
    {"iadd", kInPlace, 2, " += "},
    {"iand", kInPlace, 2, " &= "},
    {"ifloordiv", kInPlace, 2, " //= "},
    {"ilshift", kInPlace, 2, " <<= "},
    {"imatmul", kInPlace, 2, " @= "},
    {"imod", kInPlace, 2, " %= "},
    {"imul", kInPlace, 2, " *= "},
    {"invert", kInfix, 1, "~"},
    {"ior", kInPlace, 2, " |= "},
    {"ipow", kInPlace, 2, " **= "},
    {"irshift", kInPlace, 2, " >>= "},
    {"isub", kInPlace, 2, " -= "},
    {"itruediv", kInPlace, 2, " /= "},
    {"ixor", kInPlace, 2, " ^= "},
    {"le", kInfix, 2, " <= "},
    {"lshift", kInfix, 2, " << "},
    {"lt", kInfix, 2, " < "},
    {"matmul", kInfix, 2, " @ "},
    {"mod", kInfix, 2, " % "},
    {"mul", kInfix, 2, " * "},
    {"ne", kInfix, 2, " != "},
    {"neg", kInfix, 1, "-"},
    {"or_", kInfix, 2, " | "},
    {"pos", kInfix, 1, "+"},
    {"pow", kInfix, 2, " ** "},
    {"rshift", kInfix, 2, " >> "},
    {"setitem", kInPlace, 3, ""},
    {"sub", kInfix, 2, " - "},
    {"truediv", kInfix, 2, " / "},
    {"xor", kInfix, 2, " ^ "},
};

/// torch.fx's predefined globals.
struct Builtin {
  const char *name, *key, *statement;
};
constexpr Builtin kBuiltins[] = {
    {"inf", "math.inf", "from math import inf"},
    {"nan", "math.nan", "from math import nan"},
    {"NoneType", "NoneType", "NoneType = type(None)"},
    {"torch", "torch", "import torch"},
    {"device", "torch.device", "from torch import device"},
    {"fx_pytree", "torch.fx._pytree", "import torch.fx._pytree as fx_pytree"},
    {"pytree", "torch.utils._pytree", "import torch.utils._pytree as pytree"},
};

bool ends_in_number(std::string_view name) {
  const size_t digits = name.find_last_not_of("0123456789");
  return digits != std::string_view::npos && digits + 1 < name.size() && name[digits] == '_';
}

std::string_view parent(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}
std::string_view last(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// Implements torch.fx's _is_from_torch for the name of a module.
bool is_torch_module(std::string_view module) {
  if (module != "torch" && !module.starts_with("torch.")) return false;
  return module.find("._dynamo.") == std::string_view::npos &&
         module.find("._inductor.") == std::string_view::npos;
}

/// True for a name that starts with an uppercase letter, as classes do, unlike modules.
bool is_class_like(std::string_view part) {
  const size_t first = part.find_first_not_of('_');
  return first != std::string_view::npos && part[first] >= 'A' && part[first] <= 'Z';
}

/// Returns `module.name` for a class `module.Outer.name` or `module.f.<locals>.name`, like
/// torch.fx. Sets `is_local` for a class inside a function.
std::string qualified_class(std::string_view path, bool& is_local) {
  std::string_view module = parent(path);
  while (!module.empty()) {
    const std::string_view part = last(module);
    if (part == "<locals>") {
      is_local = true;
      module = parent(parent(module));  // also removes the function
    } else if (is_class_like(part)) {
      module = parent(module);
    } else {
      break;
    }
  }
  std::string out(module);
  if (!out.empty()) out += '.';
  out += last(path);
  return out;
}

/// Returns the statement that binds `name` to the object at a dotted path.
std::string import_statement(std::string_view path, std::string_view name) {
  std::string out;
  const std::string_view module = parent(path);
  if (module.empty() || !is_dotted(path)) return out;
  if (is_class_like(last(module))) {  // an attribute of a class
    out += name;
    out += " = __import__(\"pkgutil\").resolve_name(";
    text::append_python_string(out, path);
    out += ')';
    return out;
  }
  out += "from ";
  out += module;
  out += " import ";
  out += last(path);
  out += " as ";
  out += name;
  return out;
}

}  // namespace

bool is_identifier(std::string_view text) {
  return text::is_key(text) &&
         std::find(std::begin(kKeywords), std::end(kKeywords), text) == std::end(kKeywords);
}

bool is_dotted(std::string_view text) {
  while (true) {
    const size_t dot = text.find('.');
    if (!is_identifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

Names::Names(const Graph& graph) : graph_(graph), locals_(graph) {
  for (const Builtin& builtin : kBuiltins) add(builtin.name, builtin.key, builtin.statement);
}

NameHint Names::hint(const Node& node) {
  const Name name = node.name_parts();
  auto [it, is_new] = plain_bases_.try_emplace(name.base, false);
  if (is_new) it->second = text::is_key(name.base.str()) && !ends_in_number(name.base.str());
  if (!it->second) return make_name_hint(graph_.context().symbols(), name.str());
  NameHint hint;
  hint.base = name.base;
  hint.exact = name;
  hint.numbered = name.has_number();
  hint.number = name.has_number() ? name.number() : 0;
  // torch.fx allows None as the name of a node, but not of a local.
  hint.reserved =
      !hint.numbered && (is_reserved_name(name.base.str()) || name.base.str() == "None");
  return hint;
}

std::string Names::add(std::string_view hint, std::string_view key, std::string statement) {
  auto [it, is_new] = names_.try_emplace(std::string(key));
  if (!is_new) return it->second;
  NameHint candidate = make_name_hint(graph_.context().symbols(), hint);
  // Builtins and the rows of kBuiltins keep their names.
  const bool is_builtin = hint == key && is_reserved_name(hint) && is_identifier(hint);
  const auto is_row = [&](const Builtin& row) { return hint == row.name && key == row.key; };
  if (is_builtin || std::any_of(std::begin(kBuiltins), std::end(kBuiltins), is_row))
    candidate.reserved = false;
  it->second = space_.create(candidate).str();
  const std::string& name = it->second;
  if (statement.empty() && is_builtin)
    statement = import_statement(fmt::format("builtins.{}", hint), name);
  globals_.push_back({name, std::move(statement)});
  return name;
}

std::string Names::add_qualified(std::string_view hint, std::string_view qualified,
                                 std::string_view key, bool is_importable) {
  auto it = names_.find(std::string(key));
  if (it != names_.end()) return it->second;
  const std::string name = add(hint, key, "");
  if (is_importable && globals_.back().name == name && globals_.back().statement.empty())
    globals_.back().statement = import_statement(qualified, name);
  return name;
}

FunctionInfo& Names::function(Target target) {
  auto [it, is_new] = functions_.try_emplace(target.data());
  FunctionInfo& info = it->second;
  if (!is_new) return info;
  const std::string_view name = target.name();
  if (name == "builtins.getattr") {
    info.form = FunctionInfo::Form::kGetAttr;
  } else if (name.starts_with("operator.") && !target.data()->listing) {
    const std::string_view op = name.substr(name.find('.') + 1);
    const Operator* found =
        std::lower_bound(std::begin(kOperators), std::end(kOperators), op,
                         [](const Operator& row, std::string_view key) { return row.name < key; });
    if (found != std::end(kOperators) && found->name == op) {
      info.form = found->form;
      info.arity = found->arity;
      info.op = found->op;
    }
  }
  return info;
}

const std::string& Names::call_name(FunctionInfo& info, Target target) {
  if (!info.global_name.empty()) return info.global_name;
  std::string qualified, repr;
  append_listing_name(qualified, target);
  append_python_str(repr, target);
  bool in_torch = is_torch_module(parent(qualified)) && is_dotted(qualified);
  // Methods of C classes have no attribute __module__; torch.fx imports them.
  if (repr.starts_with("<method ") || repr.starts_with("<slot wrapper ")) in_torch = false;
  if (qualified == "torch.device") in_torch = false;
  if (in_torch) return info.global_name = qualified;
  info.global_name = add_function(target, std::move(qualified), repr);
  set_function(info.global_name);
  return info.global_name;
}

void Names::set_function(std::string_view name) {
  // Searches from the end, because the global was usually added last.
  const auto it = std::find_if(globals_.rbegin(), globals_.rend(),
                               [&](const PythonGlobal& global) { return global.name == name; });
  if (it != globals_.rend()) it->is_function = true;
}

std::string Names::add_function(Target target, std::string qualified, std::string_view repr) {
  if (qualified.starts_with("builtins.") && is_reserved_name(last(qualified)))
    qualified.erase(0, std::string_view("builtins.").size());
  else if (qualified.starts_with("operator.") && repr.starts_with("<built-in function "))
    qualified = fmt::format("_{}", qualified);
  // Different functions with the same name are numbered in the IR: `f` and `f#2`.
  const bool is_numbered = target.name().find('#') != std::string_view::npos;
  const bool is_importable = !is_numbered && repr.find("<locals>") == std::string::npos &&
                             repr.find("<lambda>") == std::string::npos;
  const std::string key = is_numbered ? std::string(target.name()) : qualified;
  if (qualified.starts_with("torch.Tensor.") && is_dotted(qualified)) {
    std::string name = add(qualified, key, "");
    if (globals_.back().name == name)
      globals_.back().statement = fmt::format("{} = {}", name, qualified);
    return name;
  }
  return add_qualified(qualified, qualified, key, is_importable);
}

std::string Names::imported(std::string_view name, std::string_view path) {
  return add(name, path, import_statement(path, name));
}

void Names::add_unbound(std::string_view text) {
  const auto is_same = [&](const PythonGlobal& global) { return global.name == text; };
  if (std::ranges::none_of(globals_, is_same)) globals_.push_back({std::string(text), ""});
}

void Names::reserve(std::string_view name) {
  space_.create(make_name_hint(graph_.context().symbols(), name));
}

bool Names::is_global(std::string_view name) const {
  return std::ranges::any_of(globals_,
                             [&](const PythonGlobal& global) { return global.name == name; });
}

std::string Names::class_name(std::string_view qualified, bool short_hint) {
  bool is_local = false;
  std::string path = qualified_class(qualified, is_local);
  if (is_torch_module(parent(path)) && path != "torch.device" && is_dotted(path)) return path;
  return add_qualified(short_hint ? last(path) : std::string_view(path), qualified, qualified,
                       !is_local);
}

}  // namespace fx::python
