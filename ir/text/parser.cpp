// Reads statements, graphs and files of the `.fx` text: see text.h and parser_internal.h.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/parser_internal.h"
#include "fx/ir/text/text.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace fx {
namespace text {

// ---------------------------------------------------------------- statements

/// Parses `(args, key=value)` into values_ and kwargs_.
bool Parser::parse_arguments() {
  if (!expect('(', "before the arguments")) return false;
  while (lexer_.peek() != ')') {
    const size_t start = lexer_.offset();
    const char c = lexer_.here();
    std::string_view key;
    Symbol key_symbol;
    bool is_key = false;
    if (is_class(c, kNameChar) && !is_class(c, kDigit)) {
      key = lexer_.take_while(kNameChar);
      is_key = lexer_.peek() == '=';
      if (is_key) key_symbol = symbol(key);
    } else if (c == '"') {
      if (!lexer_.quoted(scratch_, &key)) return false;
      is_key = lexer_.peek() == '=';
      if (is_key) key_symbol = context_.symbol(key);
    }
    if (is_key) {
      lexer_.advance(1);
      for (const Kwarg& kwarg : kwargs_) {
        if (kwargs_.size() > 32 || kwarg.symbol != key_symbol)
          continue;  // create_node reports later ones
        return lexer_.fail_at(start,
                              fmt::format("duplicate keyword argument {}", key_symbol.str()));
      }
      if (!parse_value(0)) return false;
      kwargs_.emplace_back(key_symbol, pop());
    } else {
      lexer_.seek(start);
      if (!kwargs_.empty()) {
        return lexer_.fail("a positional argument follows a keyword argument",
                           "put positional arguments first");
      }
      if (!parse_value(0)) return false;
    }
    if (!lexer_.take(',') && lexer_.peek() != ')')
      return lexer_.fail(fmt::format("expected ',' or ')', found {}", describe_next(lexer_)));
  }
  return lexer_.take(')');
}

/// Parses an optional `!{key=value, ...}`.
bool Parser::parse_meta(Node* node) {
  if (lexer_.peek() != '!') return true;
  lexer_.advance(1);
  if (!expect('{', "after '!'")) return false;
  constants_only_ = true;
  absl::flat_hash_set<std::string> keys;
  while (lexer_.peek() != '}') {
    const size_t start = lexer_.offset();
    std::string_view text;
    if (!parse_text(kNameChar, "a key", &text)) return false;
    const std::string key(text);
    if (!keys.insert(key).second)
      return lexer_.fail_at(start, fmt::format("duplicate metadata key {}", key));
    if (!expect('=', "after a key") || !parse_value(0)) return false;
    node->meta().set(key, pop());
    if (!lexer_.take(',') && lexer_.peek() != '}')
      return lexer_.fail(fmt::format("expected ',' or '}}', found {}", describe_next(lexer_)));
  }
  constants_only_ = false;
  return lexer_.take('}');
}

/// Creates a node with the arguments in values_ and kwargs_, then parses its metadata.
bool Parser::make_node(const Result& result, Opcode op, std::string_view target, Target function) {
  Graph& graph = *scope_->graph;
  const NodeOptions options{.type = result.type, .exact_name = result.name};
  absl::StatusOr<Node*> node = function ? graph.create_node(op, function, values_, kwargs_, options)
                                        : graph.create_node(op, target, values_, kwargs_, options);
  values_.clear();
  kwargs_.clear();
  if (!node.ok()) {
    return lexer_.fail_at(result.offset, std::string(node.status().message()),
                          absl::IsAlreadyExists(node.status()) ? "rename one of them" : "");
  }
  scope_->nodes.add(result.name, *node);
  if (options_.locations) options_.locations->emplace(*node, location_of(result.offset));
  return parse_meta(*node);
}

bool Parser::parse_return(const Result& result) {
  if (!parse_value(0)) return false;
  if (lexer_.peek() == ',')
    return lexer_.fail("a graph must return one value",
                       "put multiple values into a tuple: return (%a, %b)");
  return make_node(result, Opcode::kOutput, "output", Target());
}

bool Parser::parse_operation(const Result& result) {
  const char c = lexer_.peek();
  const size_t start = lexer_.offset();
  std::string_view word;
  if (c == '"') {
    if (!lexer_.quoted(scratch_, &word)) return false;
    const Target target = function(word);
    return parse_arguments() && make_node(result, Opcode::kCallFunction, {}, target);
  }
  word = lexer_.take_while(kPathChar);
  if (const Target* known = functions_.find(word); known && lexer_.here() == '(') {
    const Target target = *known;
    return parse_arguments() && make_node(result, Opcode::kCallFunction, {}, target);
  }
  if (word.empty() || is_class(c, kDigit)) {
    return lexer_.fail_at(start, "expected an operation",
                          "a function such as aten.relu.default(%x), or call_method, call_module, "
                          "get_attr, placeholder");
  }
  const std::optional<Opcode> op = opcode_from_name(word);
  if (!op || op == Opcode::kCallFunction) {
    if (lexer_.peek() != '(') {
      return lexer_.fail(fmt::format("expected '(' and the arguments of {}, found {}", word,
                                     describe_next(lexer_)));
    }
    if (!is_function_word(word)) {
      return lexer_.fail_at(start, fmt::format("\"{}\" is not the name of a function", word),
                            "put the name in quotes if it is");
    }
    const Target target = function(word);
    return parse_arguments() && make_node(result, Opcode::kCallFunction, {}, target);
  }
  // Copied, because parsing the arguments may overwrite the scratch text.
  std::string target;
  std::string_view text;
  if (op == Opcode::kPlaceholder || op == Opcode::kOutput) {
    target = op == Opcode::kOutput ? "output" : result.name.str();
    if (lexer_.take('[') && !parse_bracket_target(&target)) return false;
  } else {
    if (!parse_text(kPathChar, op == Opcode::kCallMethod ? "the name of a method" : "a path",
                    &text))
      return false;
    target = text;
  }
  const bool is_call = op == Opcode::kCallMethod || op == Opcode::kCallModule;
  if ((is_call || lexer_.peek() == '(') && !parse_arguments()) return false;
  return make_node(result, *op, target, Target());
}

bool Parser::parse_statement() {
  Result result;
  result.offset = lexer_.offset();
  if (lexer_.take_here('%')) {
    if (!parse_name(&result.name)) return false;
    if (lexer_.take(':') && !parse_type(&result.type)) return false;
    return expect('=', "after the name of a value") && parse_operation(result);
  }
  const std::string_view word = lexer_.take_while(kNameChar);
  if (word == "return") {
    result.name = {context_.symbol("output"), 0};
    return parse_return(result);
  }
  if (word == "graph") return parse_body_graph();
  return lexer_.fail_at(result.offset,
                        word.empty()
                            ? fmt::format("expected a statement, found {}", describe_next(lexer_))
                            : fmt::format("expected a statement, found \"{}\"", word),
                        "%y = aten.relu.default(%x), return %y, graph @body(...) { ... }");
}

// ---------------------------------------------------------------- graphs

bool Parser::parse_parameters() {
  if (!expect('(', "before the parameters")) return false;
  while (lexer_.peek() != ')') {
    Result result;
    result.offset = lexer_.offset();
    if (!lexer_.take_here('%')) {
      return lexer_.fail(
          fmt::format("expected a parameter such as %x : f32[2], found {}", describe_next(lexer_)));
    }
    if (!parse_name(&result.name)) return false;
    std::string target = result.name.str();
    if (lexer_.take_here('[') && !parse_bracket_target(&target)) return false;
    if (lexer_.take(':') && !parse_type(&result.type)) return false;
    if (lexer_.take('=') && !parse_value(0)) return false;
    if (!make_node(result, Opcode::kPlaceholder, target, Target())) return false;
    if (!lexer_.take(',') && lexer_.peek() != ')')
      return lexer_.fail(fmt::format("expected ',' or ')', found {}", describe_next(lexer_)));
  }
  return lexer_.take(')');
}

/// Parses the lines `!key = value` at the start of a body. The name after the `@` of a graph that
/// is not nested is its first entry, unless a line sets it.
bool Parser::parse_graph_meta(Graph& graph, const std::string& name) {
  std::vector<std::pair<std::string, Argument>> entries;
  constants_only_ = true;
  absl::flat_hash_set<std::string> keys;
  while (lexer_.peek() == '!') {
    lexer_.advance(1);
    const size_t start = lexer_.offset();
    std::string_view text;
    if (!parse_text(kNameChar, "a key", &text)) return false;
    std::string key(text);
    if (!keys.insert(key).second)
      return lexer_.fail_at(start, fmt::format("duplicate graph key {}", key));
    if (!expect('=', "after a key") || !parse_value(0)) return false;
    entries.emplace_back(std::move(key), pop());
  }
  constants_only_ = false;
  if (!name.empty() && !keys.contains(std::string(kGraphNameKey)))
    graph.set_meta(kGraphNameKey, name);
  for (auto& [key, value] : entries) graph.set_meta(key, std::move(value));
  return true;
}

bool Parser::parse_body_graph() {
  const size_t start = lexer_.offset() - 5;
  std::string name;
  std::unique_ptr<Graph> graph;
  Scope* scope = scope_;
  if (scope->depth >= kMaxGraphDepth)
    return lexer_.fail_at(
        start, fmt::format("graphs are nested more than {} levels deep", kMaxGraphDepth));
  if (!parse_graph(scope, &name, &graph)) return false;
  absl::StatusOr<uint32_t> added = scope->graph->add_subgraph(name, std::move(graph));
  if (!added.ok()) return lexer_.fail_at(start, std::string(added.status().message()));
  scope->graphs.emplace(scope->graph->subgraph_name(*added), *added);
  return true;
}

/// Parses a graph, after the word `graph`, to the closing brace.
bool Parser::parse_graph(Scope* parent, std::string* name, std::unique_ptr<Graph>* graph) {
  if (++num_graphs_ > kMaxGraphsInText)
    return lexer_.fail(fmt::format("text must contain at most {} graphs", kMaxGraphsInText));
  if (lexer_.take('@')) {
    std::string_view text;
    if (!parse_text(kNameChar, "the name of the graph", &text)) return false;
    *name = text;
  } else if (parent) {
    return lexer_.fail("a nested graph must have a name", "graph @body(%x) { ... }");
  }
  *graph = std::make_unique<Graph>(context_);
  (*graph)->set_allow_several_outputs(true);  // verify() checks this
  Scope scope;
  scope.graph = graph->get();
  scope.parent = parent;
  scope.depth = parent ? parent->depth + 1 : 1;
  scope_ = &scope;
  const auto body = [&] {
    if (!parse_parameters() || !expect('{', "before the body of the graph")) return false;
    if (!parse_graph_meta(**graph, parent ? std::string() : *name)) return false;
    while (lexer_.peek() != '}') {
      if (lexer_.offset() == lexer_.text().size()) {
        return lexer_.fail("the text ends inside a graph",
                           "the body of a graph ends with a closing brace");
      }
      if (!parse_statement()) return false;
    }
    return lexer_.take('}');
  };
  const bool ok = body();
  scope_ = parent;
  return ok;
}

// ---------------------------------------------------------------- files

bool Parser::parse_version() {
  lexer_.skip_space();
  const size_t start = lexer_.offset();
  Lexer::Number version;
  if (!lexer_.number(&version)) return false;
  if (!version.is_float && version.integer == 1) return true;
  return lexer_.fail_at(start, "only version 1 of the text format is supported",
                        "a newer version of fxcpp may support this version");
}

/// `function f(name="...", listing="...", repr="...", inner="...")`
bool Parser::parse_function_row() {
  std::string_view text;
  if (!parse_text(kPathChar, "the name of a function", &text)) return false;
  const std::string name(text);
  if (!expect('(', "after the name of a function")) return false;
  std::string parts[4];
  constexpr std::string_view kKeys[] = {"name", "listing", "repr", "inner"};
  while (lexer_.peek() != ')') {
    const size_t start = lexer_.offset();
    const std::string_view word = lexer_.take_while(kNameChar);
    const auto key = std::find(std::begin(kKeys), std::end(kKeys), word) - std::begin(kKeys);
    if (key == 4)
      return lexer_.fail_at(start, "a function entry must be name, listing, repr or inner");
    if (!expect('=', "after a key")) return false;
    if (lexer_.peek() != '"') return lexer_.fail("expected a quoted string");
    if (!lexer_.quoted(scratch_, &text)) return false;
    parts[key] = text;
    if (!lexer_.take(',') && lexer_.peek() != ')')
      return lexer_.fail(fmt::format("expected ',' or ')', found {}", describe_next(lexer_)));
  }
  context_.function(
      name, {.base_name = parts[0], .listing = parts[1], .repr = parts[2], .inner = parts[3]});
  return lexer_.take(')');
}

bool Parser::parse_file(bool just_one, std::vector<std::unique_ptr<Graph>>* graphs) {
  for (bool first = true; lexer_.peek() != '\0' || lexer_.offset() != lexer_.text().size();
       first = false) {
    const size_t start = lexer_.offset();
    const std::string_view word = lexer_.take_while(kNameChar);
    if (word == "fx" && first) {
      if (!parse_version()) return false;
    } else if (word == "function") {
      if (!parse_function_row()) return false;
    } else if (word == "graph") {
      if (just_one && !graphs->empty())
        return lexer_.fail_at(start, "the text must contain only one graph",
                              "use JSON for a graph with the graphs of its modules");
      std::string name;
      std::unique_ptr<Graph> graph;
      if (!parse_graph(nullptr, &name, &graph)) return false;
      graphs->push_back(std::move(graph));
    } else {
      if (word.empty()) lexer_.seek(start);
      return lexer_.fail_at(start,
                            word.empty()
                                ? fmt::format("expected a graph, found {}", describe_next(lexer_))
                                : fmt::format("expected a graph, found \"{}\"", word),
                            "graph @name(%x) { ... }");
    }
  }
  if (just_one && graphs->empty())
    return lexer_.fail("the text must contain a graph", "graph @name(%x) { ... }");
  return true;
}

bool Parser::parse_single_value(Argument* value) {
  if (!parse_value(0)) return false;
  if (lexer_.peek() != '\0' || lexer_.offset() != lexer_.text().size())
    return lexer_.fail(
        fmt::format("expected the end of the value, found {}", describe_next(lexer_)));
  *value = pop();
  return true;
}

}  // namespace text

namespace {

absl::StatusOr<std::vector<std::unique_ptr<Graph>>> parse(Context& context, std::string_view text,
                                                          const ParseOptions& options,
                                                          bool just_one) {
  std::vector<std::unique_ptr<Graph>> graphs;
  text::Parser parser(context, text, options);
  if (parser.parse_file(just_one, &graphs)) return graphs;
  if (options.locations) options.locations->clear();
  return parser.status();
}

}  // namespace

absl::StatusOr<std::vector<std::unique_ptr<Graph>>> parse_graphs(Context& context,
                                                                 std::string_view text,
                                                                 const ParseOptions& options) {
  return parse(context, text, options, /*just_one=*/false);
}

absl::StatusOr<std::unique_ptr<Graph>> parse_graph(Context& context, std::string_view text,
                                                   const ParseOptions& options) {
  absl::StatusOr<std::vector<std::unique_ptr<Graph>>> graphs =
      parse(context, text, options, /*just_one=*/true);
  if (!graphs.ok()) return graphs.status();
  return std::move(graphs->front());
}

absl::StatusOr<Argument> parse_argument(Context& context, std::string_view text,
                                        const ParseOptions& options) {
  text::Parser parser(context, text, options);
  Argument value;
  if (!parser.parse_single_value(&value)) return parser.status();
  return value;
}

}  // namespace fx
