// Names of nodes: see name.h.
#include "fx/ir/support/name.h"

#include "fx/ir/support/check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <utility>

namespace fx {
namespace {

// Python 3.11: keyword.kwlist and dir(builtins), and the names that torch.fx's generated code
// imports, but not None, whose entry torch.fx treats as "no entry". Sorted by bytes;
// tests/differential compares it with a running Python.
constexpr std::string_view kReserved[] = {
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NoneType",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
    "__build_class__",
    "__debug__",
    "__doc__",
    "__import__",
    "__loader__",
    "__name__",
    "__package__",
    "__spec__",
    "abs",
    "aiter",
    "all",
    "and",
    "anext",
    "any",
    "as",
    "ascii",
    "assert",
    "async",
    "await",
    "bin",
    "bool",
    "break",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "class",
    "classmethod",
    "compile",
    "complex",
    "continue",
    "copyright",
    "credits",
    "def",
    "del",
    "delattr",
    "device",
    "dict",
    "dir",
    "divmod",
    "elif",
    "else",
    "enumerate",
    "eval",
    "except",
    "exec",
    "exit",
    "filter",
    "finally",
    "float",
    "for",
    "format",
    "from",
    "frozenset",
    "fx_pytree",
    "getattr",
    "global",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "if",
    "import",
    "in",
    "inf",
    "input",
    "int",
    "is",
    "isinstance",
    "issubclass",
    "iter",
    "lambda",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "nan",
    "next",
    "nonlocal",
    "not",
    "object",
    "oct",
    "open",
    "or",
    "ord",
    "pass",
    "pow",
    "print",
    "property",
    "pytree",
    "quit",
    "raise",
    "range",
    "repr",
    "return",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "torch",
    "try",
    "tuple",
    "type",
    "vars",
    "while",
    "with",
    "yield",
    "zip",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr auto kIsNameChar = [] {
  std::array<bool, 256> is_name_char{};
  for (int c = 0; c < 128; ++c) {
    is_name_char[static_cast<size_t>(c)] =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  return is_name_char;
}();
bool is_name_char(char c) { return kIsNameChar[static_cast<unsigned char>(c)]; }

bool is_legal_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), is_name_char);
}

/// The position of the `_<digits>` at the end of a legal name, or its size if none exists. The
/// base before it must not be empty.
size_t number_start(std::string_view text) {
  size_t i = text.size();
  while (i > 0 && is_digit(text[i - 1])) --i;
  if (i == text.size() || i < 2 || text[i - 1] != '_') return text.size();
  return i - 1;
}

/// Parses digits into a number less than 2^31 - 1; false if it does not fit.
bool parse_number(std::string_view digits, uint32_t* out) {
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *out);
  return error == std::errc() && *out < INT32_MAX;
}

}  // namespace

bool is_reserved_name(std::string_view name) {
  // Fast path: no reserved name has this first letter and length.
  static constexpr auto kLengths = [] {
    std::array<uint32_t, 256> lengths{};  // by the first letter, a bit for each
    for (const std::string_view reserved : kReserved)
      lengths[static_cast<unsigned char>(reserved[0])] |= uint32_t{1} << reserved.size();
    return lengths;
  }();
  if (name.empty() || name.size() > 31) return false;
  if ((kLengths[static_cast<unsigned char>(name[0])] >> name.size() & 1) == 0) return false;
  return std::binary_search(std::begin(kReserved), std::end(kReserved), name);
}

void Name::append_to(std::string& out) const {
  out += base.str();
  if (number_plus_one == 0) return;
  char digits[12];
  char* end = std::to_chars(digits, digits + sizeof digits, number()).ptr;
  out += '_';
  out.append(digits, end);
}

std::string Name::str() const {
  std::string out;
  append_to(out);
  return out;
}

Name split_name(SymbolTable& symbols, std::string_view text) {
  size_t at = number_start(text);
  uint32_t number = 0;
  if (at == text.size() || (text[at + 1] == '0' && at + 2 != text.size()) ||
      !parse_number(text.substr(at + 1), &number)) {
    return {symbols.intern(text), 0};
  }
  return {symbols.intern(text.substr(0, at)), number + 1};
}

std::string name_candidate(std::string_view target, bool is_function) {
  if (!is_function && target.size() > 4 && target.starts_with("__") && target.ends_with("__"))
    target = target.substr(2, target.size() - 4);
  std::string out;
  out.reserve(target.size() + 4);
  for (size_t i = 0; i < target.size(); ++i) {
    char c = target[i];
    bool upper = c >= 'A' && c <= 'Z';
    if (upper && i > 0 && target[i - 1] >= 'a' && target[i - 1] <= 'z') out += '_';
    out += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string legal_name(std::string_view candidate) {
  std::string legal;
  legal.reserve(candidate.size() + 1);
  for (size_t i = 0; i < candidate.size(); ++i) {
    if (is_name_char(candidate[i]))
      legal += candidate[i];
    else if (i == 0 || is_name_char(candidate[i - 1]))
      legal += '_';
  }
  if (legal.empty()) legal = "_unnamed";
  if (is_digit(legal[0])) legal.insert(legal.begin(), '_');
  return legal;
}

NameForm name_form(std::string_view text) {
  NameForm form;
  bool legal = !text.empty() && !is_digit(text[0]), lower = true;
  for (const char c : text) {
    legal = legal && is_name_char(c);
    lower = lower && !(c >= 'A' && c <= 'Z');
  }
  form.legal = legal;
  form.lower = lower && !text.starts_with("__");
  form.numbered = legal && number_start(text) != text.size();
  form.reserved = is_reserved_name(text);
  return form;
}

NameHint make_name_hint(SymbolTable& symbols, std::string_view candidate) {
  std::string legal;
  if (!is_legal_name(candidate)) candidate = legal = legal_name(candidate);
  NameHint hint;
  size_t at = number_start(candidate);
  hint.exact = split_name(symbols, candidate);
  const std::string_view base = candidate.substr(0, at);
  hint.base = hint.exact.base.str() == base ? hint.exact.base : symbols.intern(base);
  // A number that is too large is part of the base; torch.fx would continue to count from it.
  hint.numbered = at != candidate.size() && parse_number(candidate.substr(at + 1), &hint.number);
  if (at != candidate.size() && !hint.numbered) hint.base = symbols.intern(candidate);
  hint.reserved = is_reserved_name(candidate);
  return hint;
}

NameHint make_name_hint(SymbolTable& symbols, const Name& name) {
  const NameForm form = name.base.name_form();
  if (!form.legal || (!name.has_number() && form.numbered))
    return make_name_hint(symbols, name.str());
  NameHint hint{.base = name.base, .exact = name};
  hint.numbered = name.has_number();
  if (hint.numbered)
    hint.number = name.number();
  else
    hint.reserved = form.reserved;
  return hint;
}

NameHint make_target_hint(SymbolTable& symbols, Symbol target) {
  return make_name_hint(symbols, Name{symbols.node_name(target), 0});
}

absl::flat_hash_map<uint32_t, uint32_t>& NameSpace::Base::mutable_sparse() {
  using Map = absl::flat_hash_map<uint32_t, uint32_t>;
  if (!sparse)
    sparse = std::make_shared<Map>();
  else if (sparse.use_count() > 1)
    sparse = std::make_shared<Map>(*sparse);
  return *sparse;
}

bool NameSpace::has_number(const Base& base, uint32_t number) {
  if (number >= base.dense_from && number < base.dense_to) return true;
  return base.sparse && base.sparse->contains(number);
}

void NameSpace::add_number(Base& base, uint32_t number) {
  if (base.dense_from == base.dense_to) base.dense_from = base.dense_to = number;
  if (number == base.dense_to) {
    ++base.dense_to;
    if (!base.sparse) return;
    auto& sparse = base.mutable_sparse();
    for (auto it = sparse.find(base.dense_to); it != sparse.end();
         it = sparse.find(base.dense_to)) {
      sparse.erase(it);
      ++base.dense_to;
    }
    return;
  }
  if (number + 1 == base.dense_from) {
    --base.dense_from;
    return;
  }
  base.mutable_sparse().emplace(number, number + 1);
}

uint32_t NameSpace::next_free(Base& base, uint32_t number) {
  while (true) {
    if (number >= base.dense_from && number < base.dense_to) number = base.dense_to;
    if (!base.sparse) return number;
    if (!base.sparse->contains(number)) return number;
    // Follow the hints to a number that is not in `sparse`, then compress the path for the next
    // search.
    auto& sparse = base.mutable_sparse();
    uint32_t end = number;
    for (auto step = sparse.find(end); step != sparse.end(); step = sparse.find(end))
      end = step->second;
    for (uint32_t at = number; at != end;) {
      auto step = sparse.find(at);
      at = step->second;
      step->second = end;
    }
    number = end;
  }
}

bool NameSpace::contains_exact(const Name& name, const Base* base) {
  if (!base) return false;
  return name.has_number() ? has_number(*base, name.number()) : base->bare;
}

const NameSpace::Base* NameSpace::existing_base(Symbol base) const {
  if (entries_ == nullptr) return nullptr;
  const std::vector<Base>& bases = entries_->bases;
  if (bases.size() > kScanned) {
    const auto found = entries_->index.find(base);
    return found == entries_->index.end() ? nullptr : &bases[found->second];
  }
  const auto found = std::ranges::find(bases, base, &Base::symbol);
  return found == bases.end() ? nullptr : &*found;
}

NameSpace::Base& NameSpace::find_base(Symbol base) {
  Entries& entries = own_entries();
  std::vector<Base>& bases = entries.bases;
  auto index = static_cast<uint32_t>(bases.size());
  if (index > kScanned)
    index = entries.index.try_emplace(base, index).first->second;
  else
    index = static_cast<uint32_t>(std::ranges::find(bases, base, &Base::symbol) - bases.begin());
  entries.recent.put(base, index);
  if (index < bases.size()) return bases[index];
  if (bases.empty()) bases.reserve(8);
  bases.emplace_back().symbol = base;
  if (bases.size() == kScanned + 1)
    for (uint32_t i = 0; i < bases.size(); ++i) entries.index.emplace(bases[i].symbol, i);
  return bases.back();
}

bool NameSpace::take(const Name& name) {
  Base& base = base_of(name.base);
  if (contains_exact(name, &base)) return false;
  if (name.has_number()) {
    add_number(base, name.number());
    base.count = name.number();
  } else {
    base.bare = true;
  }
  return true;
}

Name NameSpace::create_like(SymbolTable& symbols, const Name& name) {
  if (name.has_number()) {
    Base& base = base_of(name.base);
    if (base.is_legal && !has_number(base, name.number())) {
      base.count = name.number();
      add_number(base, name.number());
      return name;
    }
  }
  return create(make_name_hint(symbols, name));
}

Name NameSpace::create(const NameHint& hint) {
  // torch.fx keeps the counter under the base of the candidate. A name with leading zeros in its
  // number ("x_01") is taken unchanged, as a different base, while its number counts for "x".
  if (hint.numbered && !contains(hint.exact)) {
    Base& base = base_of(hint.base);
    base.is_legal = true;
    base.count = hint.number;
    if (hint.exact.base == hint.base)
      add_number(base, hint.number);
    else
      base_of(hint.exact.base).bare = true;
    return hint.exact;
  }
  Base& base = base_of(hint.base);
  base.is_legal = true;
  if (!hint.numbered && !hint.reserved && !base.bare) {
    base.bare = true;
    return hint.exact;
  }
  if (base.count + 1 == base.dense_to && !base.sparse) {  // the common case: the next one is free
    base.count = base.dense_to++;
    return {hint.base, base.count + 1};
  }
  base.count = next_free(base, base.count + 1);
  add_number(base, base.count);
  return {hint.base, base.count + 1};
}

}  // namespace fx
