// The parser of the `.fx` text: one pass over the text, with tables of functions, name bases and
// types by their text, and of nodes by name. Values are nested at most kMaxArgumentDepth levels
// deep and graphs kMaxGraphDepth levels deep, so that recursion is bounded.
// parser_parts.cpp reads names, types and functions; parser_values.cpp, values; parser.cpp,
// statements, graphs and files.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/recent_cache.h"
#include "fx/ir/text/lexer_internal.h"
#include "fx/ir/text/text.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::text {

/// Strips the position from an error message of the type or expression parser.
std::string without_offset(std::string_view message);

/// Maps names to nodes, usually without hashing: the numbers of one base are mostly dense, so each
/// base has a list indexed by number, and a table for numbers far beyond its end.
class NodesByName {
 public:
  void add(const Name& name, Node* node) {
    Base& base = base_of(name.base.id());
    if (!base.first) {
      base.first = node;
      base.first_number = name.number_plus_one;
      return;
    }
    ++base.count;
    if (name.number_plus_one > 4 * base.count + 64) {
      far_[name] = node;
      return;
    }
    if (name.number_plus_one >= base.nodes.size())
      base.nodes.resize(name.number_plus_one + name.number_plus_one / 2 + size_t{4});
    base.nodes[name.number_plus_one] = node;
  }
  /// Null if none exists.
  Node* find(const Name& name) {
    const Base& base = base_of(name.base.id());
    if (base.first && base.first_number == name.number_plus_one) return base.first;
    if (name.number_plus_one < base.nodes.size() && base.nodes[name.number_plus_one])
      return base.nodes[name.number_plus_one];
    const auto it = far_.find(name);
    return it == far_.end() ? nullptr : it->second;
  }

 private:
  struct Base {
    Node* first = nullptr;
    uint32_t first_number = 0;
    uint32_t count = 0;  // not counting the first
    std::vector<Node*> nodes;
  };
  Base& base_of(uint32_t id) {
    return bases_[recent_.get(id, [&] {
      const auto [it, is_new] = index_.try_emplace(id, static_cast<uint32_t>(bases_.size()));
      if (is_new) bases_.emplace_back();
      return it->second;
    })];
  }

  absl::flat_hash_map<uint32_t, uint32_t> index_;
  std::vector<Base> bases_;
  internal::RecentCache<uint32_t, uint32_t, 64> recent_;  // of index_
  absl::flat_hash_map<Name, Node*> far_;
};

/// Maps words of the text to the values that they denote; finds recent ones without hashing. Words
/// must be views of the text, or outlive the table.
template <class T>
class WordTable {
 public:
  /// Null when the word was not added.
  const T* find(std::string_view word) {
    if (const T* const* known = recent_.find(word)) return *known;
    const auto it = values_.find(word);
    return it == values_.end() ? nullptr : recent_.put(it->first, it->second.get());
  }
  const T& add(std::string_view word, T value) {
    return *values_.emplace(word, std::make_unique<T>(value)).first->second;
  }

 private:
  internal::RecentCache<std::string_view, const T*, 128> recent_;
  absl::flat_hash_map<std::string_view, std::unique_ptr<T>> values_;
};

class Parser {
 public:
  Parser(Context& context, std::string_view text, const ParseOptions& options)
      : context_(context), lexer_(text), options_(options) {}

  /// Parses all graphs of the text; with `just_one` there must be exactly one.
  bool parse_file(bool just_one, std::vector<std::unique_ptr<Graph>>* graphs);
  bool parse_single_value(Argument* value);
  absl::Status status() const {
    return absl::InvalidArgumentError(
        text::render_error(lexer_.text(), options_.file_name, lexer_.error()));
  }

 private:
  /// The state of a graph that is being parsed, with the nodes and graphs that its statements may
  /// refer to.
  struct Scope {
    Graph* graph = nullptr;
    Scope* parent = nullptr;
    int depth = 1;
    NodesByName nodes;
    absl::flat_hash_map<std::string_view, uint32_t> graphs;  // keys: names in `graph`
  };
  /// The result of a statement or a parameter.
  struct Result {
    size_t offset = 0;
    Name name;
    Type type;
  };

  // File level
  bool parse_version();
  bool parse_function_row();
  bool parse_graph(Scope* parent, std::string* name, std::unique_ptr<Graph>* graph);
  bool parse_graph_meta(Graph& graph, const std::string& name);
  bool parse_parameters();
  bool parse_body_graph();

  // Statements
  bool parse_statement();
  bool parse_operation(const Result& result);
  bool parse_return(const Result& result);
  bool parse_arguments();
  bool parse_meta(Node* node);
  bool make_node(const Result& result, Opcode op, std::string_view target, Target function);

  // Values: each pushes one onto values_.
  bool parse_value(int depth);
  bool check_depth(int depth);
  bool parse_items(char close, int depth);
  bool parse_list(int depth);
  bool parse_tuple(int depth);
  bool parse_dict(int depth);
  bool parse_word_value(std::string_view word, size_t start, int depth);
  bool parse_call_value(std::string_view word, size_t start, int depth);
  bool parse_struct(std::string type_name, int depth);
  bool parse_slice(size_t start, int depth);
  bool parse_range(size_t start, int depth);
  bool parse_complex(size_t start, int depth);
  bool parse_device();
  bool parse_symbolic();
  bool parse_torch_constant(std::string_view name, size_t start);
  bool parse_node_value();
  bool parse_graph_value();
  bool unknown_node(size_t start, const Name& name);

  // Parts
  bool expect(char c, std::string_view where);
  bool parse_name(Name* name);
  /// `bare` characters, or a quoted string; the result is valid until the next token.
  bool parse_text(uint8_t bare, std::string_view what, std::string_view* text);
  bool parse_bracket_target(std::string* target);
  bool parse_type(Type* type);
  Target function(std::string_view name);
  Name split(std::string_view text);
  Symbol symbol(std::string_view word_in_text);
  void push(Argument value) { values_.push_back(std::move(value)); }
  Argument pop() {
    Argument value = std::move(values_.back());
    values_.pop_back();
    return value;
  }
  absl::Span<const Argument> values_from(size_t base) const {
    return absl::MakeConstSpan(values_).subspan(base);
  }
  /// Replaces the values at index `base` and after it with one value.
  bool fold(size_t base, Argument value) {
    values_.resize(base);
    push(std::move(value));
    return true;
  }
  /// Offsets must not decrease from call to call.
  SourceLocation location_of(size_t offset);

  Context& context_;
  Lexer lexer_;
  const ParseOptions& options_;
  Scope* scope_ = nullptr;
  bool constants_only_ = false;  // inside metadata: no nodes
  int num_graphs_ = 0;
  std::vector<Argument> values_;
  std::vector<Kwarg> kwargs_;
  std::string scratch_;
  // Tables by text; the keys are views of the text that is read.
  WordTable<Target> functions_;
  WordTable<Symbol> symbols_;
  absl::flat_hash_map<std::string_view, Type> types_;
  std::string_view last_type_text_;
  Type last_type_;
  // Used by location_of: the offset of the last call, and its location.
  size_t located_offset_ = 0;
  SourceLocation located_ = {1, 1};
};

}  // namespace fx::text
