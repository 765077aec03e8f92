// The printer of the `.fx` text: the text is appended to one string; nested graphs are printed with
// an explicit stack. printer_values.cpp writes names, values and nodes; printer.cpp graphs.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/graph/target.h"
#include "fx/ir/support/recent_cache.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/text/meta_order.h"
#include "fx/ir/text/text.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::text {

/// The node names in the text.
enum class Naming : uint8_t {
  kNames,   ///< %relu_1
  kOrder,   ///< %0
  kValues,  ///< v1
};

class Printer {
 public:
  Printer(std::string& out, const PrintOptions& options) : out_(out) {
    types_ = options.types;
    switch (options.preset) {
      case PrintPreset::kCanonical:
        naming_ = Naming::kOrder;
        break;
      case PrintPreset::kNumbered:
        naming_ = Naming::kValues;
        break;
      default:
        meta_ = options.meta;
        collect_functions_ = true;
        break;
    }
  }

  void print_graphs(const Graph& root);
  void print_statement(const Node& node);

  void print_value(const Argument& value) { append_value(value); }
  void print_value(ArgumentRef value) { append_value(value); }

  /// The rows of functions whose spelling does not follow the rules, each once.
  std::string function_rows() const;

 private:
  struct Frame {
    const Graph* graph;
    size_t next_subgraph;
    std::string_view name;
  };

  void begin_graph(const Graph& graph, std::string_view name);
  void end_graph(const Graph& graph);
  bool fits_header(const Node& node) const;
  size_t count_parameters(const Graph& graph) const;
  void print_parameter(const Node& node);
  void print_graph_meta(const Graph& graph, bool is_root);
  void print_meta(const Node& node);
  void number_nodes(const Graph& graph);

  void print_name(const Node& node);
  void print_type(Type type) {
    if (!type || !types_) return;
    out_ += type_texts_.get(type.data(), [type] {
      std::string text = " : ";
      append_text(text, type);
      return text;
    });
  }
  void print_quoted_unless(bool bare, std::string_view text) {
    if (bare)
      out_ += text;
    else
      append_quoted(out_, text);
  }
  void print_function(Target function) {
    const FunctionWord& word = function_words_.get(function.data(), [&] {
      note_function(function);
      return FunctionWord{function.name(), is_function_word(function.name())};
    });
    print_quoted_unless(word.is_bare, word.name);
  }
  void note_function(Target function) {
    if (collect_functions_ && function.data()->is_spelled() && seen_.insert(function.data()).second)
      functions_.push_back(function.data());
  }
  void print_target(std::string_view target) {
    out_ += '[';
    const std::string_view stars_off =
        target.substr(std::min(target.size(), target.find_first_not_of('*')));
    print_quoted_unless(is_path(stars_off), target);
    out_ += ']';
  }
  void print_arguments(const Node& node);
  template <class A>
  void append_value(const A& value);
  template <class A>
  void print_items(const A& value);
  template <class A>
  void print_struct(const A& value);
  void indent() { out_.append(indent_, ' '); }

  std::string& out_;
  Naming naming_ = Naming::kNames;
  bool types_ = true;
  bool meta_ = false;
  bool collect_functions_ = false;
  bool in_meta_ = false;
  size_t indent_ = 0;
  const Graph* graph_ = nullptr;
  std::optional<internal::MetaOrder> meta_order_;  // while a graph is printed with metadata
  std::vector<uint32_t> numbers_;                  // by node id, unless names are printed
  struct FunctionWord {
    std::string_view name;
    bool is_bare = false;
  };
  internal::RecentCache<const TypeData*, std::string, 16> type_texts_;
  internal::RecentCache<const TargetData*, FunctionWord, 64> function_words_;
  internal::RecentCache<uint32_t, bool, 64> plain_bases_;  // by Symbol id
  std::vector<const TargetData*> functions_;
  absl::flat_hash_set<const TargetData*> seen_;
};

}  // namespace fx::text
