// Fuzzes code generation: emits C++ and Python for a graph whose names, paths, strings and metadata
// come from the fuzzer, and checks that such text does not become code. The output is split into
// tokens: strings and comments must end on their line, brackets must match, all preprocessor lines
// must have a form that the emitter writes, and everything outside strings and comments must be
// ASCII words and punctuation. Every string from the fuzzer contains the same word, which must
// occur only inside strings and comments.
#include "fx/codegen/cpp/cpp.h"
#include "fx/codegen/python/python.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/check.h"
#include "fx/ir/text/text.h"

#include <absl/strings/match.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

/// The word in all user text. A character that is invalid in identifiers precedes it, so it is a
/// separate word only if the text became code.
constexpr std::string_view kWord = "system";

/// Reads numbers and strings from the input.
class Input {
 public:
  explicit Input(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  uint8_t number() {
    if (bytes_.empty()) return 0;
    const auto value = static_cast<uint8_t>(bytes_[0]);
    bytes_.remove_prefix(1);
    return value;
  }
  std::string text() {
    const size_t length = std::min<size_t>(number(), bytes_.size());
    std::string out(bytes_.substr(0, length));
    bytes_.remove_prefix(length);
    // A method or function whose name is the word would be a valid call.
    constexpr absl::string_view kAny(kWord.data(), kWord.size());
    for (size_t i = 0; i + kWord.size() <= out.size(); ++i) {
      if (absl::EqualsIgnoreCase(absl::string_view(out).substr(i, kWord.size()), kAny))
        out[i] = 'x';
    }
    // Sometimes returns a long string.
    if (length == 255) out = out + std::string(10'000, 'n') + out;
    return out;
  }
  /// Returns marked text that must not become code. Keywords and names of Python and C++ are not
  /// marked.
  std::string marked() {
    const std::string out = text();
    return out + '\x01' + std::string(kWord) + "(" + out;
  }

 private:
  std::string_view bytes_;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Checks that strings and comments are closed, and returns the source without them.
std::string skeleton(std::string_view source, bool python) {
  std::string out;
  const auto at = [&](size_t i) { return i < source.size() ? source[i] : '\0'; };
  for (size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    const bool comment = python ? c == '#' : c == '/' && at(i + 1) == '/';
    if (comment) {
      while (i < source.size() && source[i] != '\n') ++i;
      out += '\n';
    } else if (!python && c == '/' && at(i + 1) == '*') {  // the name of an unused parameter
      for (i += 2; is_word(at(i));) ++i;
      FX_CHECK(source.substr(i, 2) == "*/", "a comment in a line of code");
      ++i;
    } else if (python && (source.substr(i, 3) == "\"\"\"" || source.substr(i, 3) == "'''")) {
      const size_t end = source.find(source.substr(i, 3), i + 3);
      FX_CHECK(end != std::string_view::npos, "an unterminated docstring");
      i = end + 2;
      out += 'S';
    } else if (c == '"' || (python && c == '\'')) {
      for (++i; i < source.size() && source[i] != c; ++i) {
        FX_CHECK(source[i] != '\n', "a string that continues on the next line");
        if (source[i] == '\\') ++i;
      }
      FX_CHECK(i < source.size(), "an unterminated string");
      out += 'S';
    } else {
      out += c;
    }
  }
  return out;
}

/// Checks that brackets match.
void check_brackets(std::string_view code) {
  std::vector<char> open;
  for (const char c : code) {
    if (c == '(' || c == '[' || c == '{') open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    if (c == ')' || c == ']' || c == '}') {
      FX_CHECK(!open.empty() && open.back() == c, "brackets do not match");
      open.pop_back();
    }
  }
  FX_CHECK(open.empty(), "a bracket is not closed");
}

/// Checks that the word `system` does not occur as a separate word.
void check_no_mark(std::string_view code) {
  for (size_t i = code.find(kWord); i != std::string_view::npos; i = code.find(kWord, i + 1)) {
    const bool is_word_alone = (i == 0 || !is_word(code[i - 1])) &&
                               i + kWord.size() < code.size() && code[i + kWord.size()] == '(';
    FX_CHECK(!is_word_alone, "text of the graph became code");
  }
}

void check_code(std::string_view source, bool python) {
  const std::string code = skeleton(source, python);
  for (const char c : code)
    FX_CHECK((c >= 0x20 && c < 0x7f) || c == '\n', "a character that code must not contain");
  if (!python) {
    size_t begin = 0;
    for (size_t end = code.find('\n'); end != std::string::npos; end = code.find('\n', begin)) {
      const std::string_view line = std::string_view(code).substr(begin, end - begin);
      FX_CHECK(line.empty() || line.back() != '\\', "a line that ends in a backslash");
      const size_t first = line.find_first_not_of(' ');
      if (first != std::string_view::npos && line[first] == '#')
        FX_CHECK(line.starts_with("#include <") || line.starts_with("#ifndef FXCPP") ||
                     line.starts_with("#define FXCPP") || line.starts_with("#endif") ||
                     line.starts_with("#line "),
                 "a preprocessor line");
      begin = end + 1;
    }
  }
  check_brackets(code);
  check_no_mark(code);
}

fx::Argument parameter(const std::string& path) {
  const std::vector<std::pair<fx::Argument, fx::Argument>> items = {
      {fx::Argument("kind"), fx::Argument("parameter")},
      {fx::Argument("target"), fx::Argument(path)}};
  return fx::Argument::dict(items);
}

void build(fx::Graph& graph, Input& input) {
  fx::Context& context = graph.context();
  std::vector<fx::Node*> values{graph.placeholder("x")};
  const auto value = [&] { return values[input.number() % values.size()]; };
  for (int i = 0; i < 40 && !input.empty(); ++i) {
    fx::Node* node = nullptr;
    switch (input.number() % 9) {
      case 0:
        node = graph.placeholder(input.text());
        break;
      case 1:
        node = graph.placeholder("p");
        node->meta().set(fx::meta::kInput, parameter(input.marked()));
        break;
      case 2:
        node = graph.get_attr(input.marked());
        break;
      case 3:
        node = graph.call_function(context.function("aten.gelu.default"), {value()},
                                   {{"approximate", fx::Argument(input.marked())}});
        break;
      case 4:
        node = graph.call_method("relu", {value()});
        break;
      case 5:
        node = graph.call_method(input.text(), {value()});
        break;
      case 6:
        node = graph.call_function(context.function(input.text()), {value()});
        break;
      case 7:
        node = graph.call_module(input.marked(), {value()});
        break;
      default:
        node = graph.call_function(context.function("aten.add.Tensor"), {value(), value()});
        break;
    }
    if (input.number() % 4 == 0) node->rename(input.text());
    if (input.number() % 4 == 0) node->meta().set(fx::meta::kStackTrace, input.marked());
    values.push_back(node);
  }
  graph.output(fx::Argument::list({values.back(), value()}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(std::string_view(reinterpret_cast<const char*>(data), size));
  fx::Context context;
  fx::Graph graph(context);
  const std::string class_name = input.text(), file = input.marked();
  graph.set_meta("model", fx::Argument(input.marked()));
  build(graph, input);
  // Positions of nodes come from parsing the text of the graph.
  fx::SourceLocations positions;
  absl::StatusOr<std::unique_ptr<fx::Graph>> copy =
      fx::parse_graph(context, fx::print(graph), {.locations = &positions});
  FX_CHECK(copy.ok(), std::string(copy.status().message()));
  for (const bool lift : {true, false}) {
    const absl::StatusOr<fx::CppCode> code = fx::cpp_code(**copy, {.class_name = class_name,
                                                                   .lift_parameters = lift,
                                                                   .locations = &positions,
                                                                   .line_file = file,
                                                                   .source_file = file,
                                                                   .entry_point = lift});
    if (code.ok()) check_code(code->source, /*python=*/false);
  }
  fx::PythonOptions verbose;
  verbose.verbose = true;
  if (const auto code = fx::python_code(graph, verbose); code.ok())
    check_code(code->source, /*python=*/true);
  if (const auto code = fx::python_module(graph, file); code.ok())
    check_code(*code, /*python=*/true);
  if (const auto code = fx::python_readable(graph, file); code.ok())
    check_code(*code, /*python=*/true);
  return 0;
}
