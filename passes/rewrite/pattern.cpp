// Checks and prepares patterns: see pattern.h.
#include "fx/passes/rewrite/pattern.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/rewrite/pattern_internal.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <utility>
#include <vector>

namespace fx {
namespace rewrite {
namespace {

struct InputWord {
  std::string_view word;
  InputKind kind;
};
constexpr InputWord kInputWords[] = {
    {"any", InputKind::kAny},   {"value", InputKind::kValue},   {"constant", InputKind::kConstant},
    {"int", InputKind::kInt},   {"float", InputKind::kFloat},   {"number", InputKind::kNumber},
    {"bool", InputKind::kBool}, {"string", InputKind::kString}, {"list", InputKind::kList},
};

/// True if the first two arguments may be swapped.
bool is_commutative(Target function) {
  const ops::OpInfo* op = function.op();
  return op != nullptr && op->algebra().commutes != ops::OpAlgebra::Commutes::kNever;
}

absl::Status pattern_error(const Node& node, std::string_view what, std::string_view hint) {
  return absl::InvalidArgumentError(
      fmt::format("pattern node %{}: {}; {}", node.name(), what, hint));
}

class Compiler {
 public:
  Compiler(const Graph& graph, const PatternOptions& options) : graph_(graph) {
    out_.graph = &graph;
    out_.options = options;
  }

  absl::StatusOr<CompiledPattern> compile() {
    FX_RETURN_IF_ERROR(check_pattern());
    for (const Node& node : graph_.nodes()) {
      if (node.is_output() && !out_.options.match_output) continue;
      out_.index_of[node.id()] = static_cast<uint32_t>(out_.nodes.size());
      out_.nodes.emplace_back().node = &node;
    }
    for (PatternNode& node : out_.nodes) FX_RETURN_IF_ERROR(compile_node(node));
    FX_RETURN_IF_ERROR(find_ends());
    find_anchor_paths();
    return std::move(out_);
  }

 private:
  absl::Status check_pattern() {
    output_ = graph_.output_node();
    if (!output_) {
      return absl::InvalidArgumentError(
          "the pattern must have an output, which defines the values with users outside: "
          "graph.output(value)");
    }
    if (graph_.size() > kMaxPatternNodes) {
      return absl::InvalidArgumentError(
          fmt::format("the pattern has {}, but at most {} are allowed",
                      pluralize(graph_.size(), "node"), kMaxPatternNodes));
    }
    out_.index_of.assign(graph_.id_bound(), kNoIndex);
    std::vector<char> is_live(graph_.id_bound());
    std::vector<const Node*> worklist = {output_};
    bool has_calls = false;
    while (!worklist.empty()) {
      const Node& node = *worklist.back();
      worklist.pop_back();
      has_calls |= !node.is_placeholder() && !node.is_output();
      node.for_each_input([&](const Node* input) {
        if (std::exchange(is_live[input->id()], char{1}) == 0) worklist.push_back(input);
      });
    }
    for (const Node& node : graph_.nodes()) {
      if (node.is_output() || is_live[node.id()]) continue;
      return pattern_error(node, "the results of the pattern do not depend on it",
                           node.is_placeholder()
                               ? "remove the parameter from the pattern and the replacement"
                               : "remove it, or also return it");
    }
    if (!has_calls && !out_.options.match_output) {
      return absl::InvalidArgumentError(
          "the pattern must have a call, since it would otherwise match every node");
    }
    return absl::OkStatus();
  }

  absl::Status compile_node(PatternNode& out) {
    const Node& node = *out.node;
    out.op = node.op();
    out.target = target_key(node);
    if (out_.options.extensions) out.type = node.type();
    out_.has_types |= static_cast<bool>(out.type);
    if (node.is_placeholder()) return compile_input(out);
    FX_RETURN_IF_ERROR(compile_kept(out));
    if (node.op() == Opcode::kGetAttr) out.kind = PatternNode::Kind::kAttribute;
    size_t skip = 0;
    if (out_.options.extensions && node.target().starts_with("match.") &&
        node.op() == Opcode::kCallFunction) {
      FX_RETURN_IF_ERROR(compile_special(out, skip));
    }
    out.num_args = static_cast<uint32_t>(node.num_args() - skip);
    out.args = reserve(out.num_args);
    for (size_t i = skip; i < node.num_args(); ++i)
      fill(out.args + static_cast<uint32_t>(i - skip), Argument(node.arg(i)));
    out.num_kwargs = static_cast<uint32_t>(node.num_kwargs());
    out.kwargs = reserve(out.num_kwargs);
    out.kwarg_names = static_cast<uint32_t>(out_.names.size());
    for (size_t i = 0; i < node.num_kwargs(); ++i) {
      fill(out.kwargs + static_cast<uint32_t>(i), Argument(node.kwarg_value(i)));
      out_.names.push_back(node.kwarg_name(i));
    }
    if (out.kind == PatternNode::Kind::kExact) compile_schema(out);
    if (out_.options.commutative && out.num_args == 2 && out.num_kwargs == 0 &&
        is_commutative(node.function())) {
      out.is_commutative = true;
      out_.has_choices = true;
    }
    return absl::OkStatus();
  }

  absl::Status compile_input(PatternNode& out) {
    const Node& node = *out.node;
    if (!out_.options.match_placeholder) out.kind = PatternNode::Kind::kInput;
    if (!out_.options.extensions) return absl::OkStatus();
    out.is_rest = node.target().starts_with('*');
    if (node.num_args() > 0) out.default_value = Argument(node.arg(0));
    const Argument* word = node.meta().find("match");
    if (!word) return absl::OkStatus();
    if (word->is_string()) {
      for (const InputWord& entry : kInputWords) {
        if (entry.word != word->as_string()) continue;
        out.input = entry.kind;
        return absl::OkStatus();
      }
    }
    std::string words;
    for (const InputWord& entry : kInputWords)
      words += (words.empty() ? "" : ", ") + std::string(entry.word);
    return pattern_error(node, "its metadata `match` has an unknown value",
                         "the valid values are " + words);
  }

  absl::Status compile_kept(PatternNode& out) {
    const Node& node = *out.node;
    const Argument* const word = out_.options.extensions ? node.meta().find("match") : nullptr;
    if (!word) return absl::OkStatus();
    if (!word->is_string() || word->as_string() != "kept") {
      return pattern_error(node, "its metadata `match` must be \"kept\"",
                           "only placeholders may have the other values");
    }
    out.is_kept = true;
    out_.kept.push_back(out_.index_of[node.id()]);
    absl::Status status;
    node.for_each_input([&](const Node* input) {
      if (input->is_placeholder() || out_.nodes[out_.index_of[input->id()]].is_kept) return;
      status = pattern_error(
          node, fmt::format("it is kept, but uses %{}, which is not kept", input->name()),
          "also keep %" + std::string(input->name()));
    });
    return status;
  }

  absl::Status compile_special(PatternNode& out, size_t& skip) {
    const Node& node = *out.node;
    const std::string_view name = node.target();
    if (name == "match.any_of" || name == "match.optional") {
      if (out.is_kept)
        return pattern_error(node, "alternatives cannot be kept", "keep each of them");
      out.kind = PatternNode::Kind::kAnyOf;
      out_.has_choices = true;
      if (node.num_args() == 0 || node.num_kwargs() > 0)
        return pattern_error(node,
                             "it must have at least one alternative, and no keyword arguments",
                             "as in match.any_of(%a, %b)");
      return absl::OkStatus();
    }
    skip = 1;
    if (name == "match.call") {
      out.kind = PatternNode::Kind::kCallOf;
      const std::string_view hint = "as in match.call([op(aten.relu.default)], %x)";
      if (node.num_args() == 0 || !node.arg(0).is_list())
        return pattern_error(node, "the first argument must be a list of functions", hint);
      for (size_t i = 0; i < node.arg(0).size(); ++i) {
        if (node.arg(0)[i].kind() != ArgumentKind::kFunction)
          return pattern_error(node, "the first argument must be a list of functions", hint);
        out.functions.push_back(node.arg(0)[i].as_function());
      }
      return absl::OkStatus();
    }
    if (name == "match.module") {
      out.kind = PatternNode::Kind::kModuleOf;
      out.op = Opcode::kCallModule;
      if (node.num_args() == 0 || !node.arg(0).is_string())
        return pattern_error(node, "the first argument must be a class name",
                             "as in match.module(\"Conv2d\", %x)");
      out.class_name = std::string(node.arg(0).as_string());
      return absl::OkStatus();
    }
    return pattern_error(
        node, fmt::format("unknown function {}", name),
        "the functions are match.any_of, match.optional, match.call and match.module");
  }

  void compile_schema(PatternNode& out) {
    const Node& node = *out.node;
    const ops::OpInfo* op = node.function().op();
    if (!op || op->schema().is_vararg()) return;
    if (!out_.options.normalize && !is_operator_overload(node.target())) return;
    const std::span<const ops::SchemaArgument> arguments = op->schema().arguments();
    const auto positional = static_cast<size_t>(op->schema().positional_count());
    if (node.num_args() > positional) return;
    out.schema = op;
    out.num_schema = static_cast<uint32_t>(arguments.size());
    out.schema_values = reserve(out.num_schema);
    out_.defaults.resize(out_.values.size());
    for (uint32_t i = 0; i < out.num_schema; ++i) {
      const ops::SchemaArgument& argument = arguments[i];
      Argument otherwise = argument.default_value ? schema_default(argument) : Argument();
      const std::optional<ArgumentRef> given = passed_argument(node, *op, static_cast<int>(i));
      const Argument value = given ? Argument(*given) : otherwise;
      fill(out.schema_values + i, value);
      out_.defaults.resize(out_.values.size());
      out_.defaults[out.schema_values + i] = std::move(otherwise);
    }
  }

  uint32_t reserve(size_t count) {
    const size_t begin = out_.values.size();
    out_.values.resize(begin + count);
    return static_cast<uint32_t>(begin);
  }

  void fill(uint32_t slot, const Argument& value) {
    using Kind = PatternValue::Kind;
    PatternValue out;
    if (const Node* node = value.node()) {
      out.kind = Kind::kNode;
      out.index = out_.index_of[node->id()];
    } else {
      out.literal = value;
      const bool nested = out_.options.nested_nodes && value.contains_node();
      switch (value.kind()) {
        case ArgumentKind::kList:
        case ArgumentKind::kTuple:
        case ArgumentKind::kStruct:
          out.kind = Kind::kSequence;
          break;
        case ArgumentKind::kSlice:
          if (nested) out.kind = Kind::kSlice;
          break;
        case ArgumentKind::kDict:
          if (nested) out.kind = Kind::kDict;
          break;
        default:
          break;
      }
      if (out.kind != Kind::kLiteral) {
        out.count = static_cast<uint32_t>(value.size());
        out.index = reserve(out.count);
        for (uint32_t i = 0; i < out.count; ++i) fill(out.index + i, value[i]);
        const Node* const last = out.count > 0 ? value[out.count - 1].node() : nullptr;
        out.has_rest = out.kind == Kind::kSequence && out_.options.extensions && last &&
                       last->is_placeholder() && last->target().starts_with('*');
      }
    }
    out_.values[slot] = std::move(out);
  }

  absl::Status find_ends() {
    out_.returned_nodes = output_->all_input_nodes();
    for (const Node& node : graph_.nodes()) {
      if (!node.is_placeholder()) continue;
      out_.placeholder_nodes.push_back(const_cast<Node*>(&node));
      out_.placeholders.push_back(out_.index_of[node.id()]);
    }
    for (Node* node : out_.returned_nodes) {
      const uint32_t index = out_.index_of[node->id()];
      out_.returned.push_back(index);
      out_.nodes[index].is_returned = true;
      if (out_.nodes[index].is_kept)
        return pattern_error(*node, "it is returned and kept",
                             "a returned value may have users outside anyway");
      if (out_.options.match_output || !node->has_one_user()) continue;
      if (out_.nodes[index].kind == PatternNode::Kind::kInput)
        return pattern_error(*node,
                             "it is returned and has no other users, so any value would match",
                             "return only values that the pattern computes or uses");
      out_.anchor_nodes.push_back(node);
      out_.anchors.push_back(index);
    }
    if (out_.options.match_output) {
      out_.anchor_nodes.push_back(const_cast<Node*>(output_));
      out_.anchors.push_back(out_.index_of[output_->id()]);
    }
    for (const uint32_t anchor : out_.anchors)
      out_.anchor_values.push_back(
          {.kind = PatternValue::Kind::kNode, .index = anchor, .literal = {}});
    if (out_.anchors.size() > 1) out_.has_choices = true;
    for (PatternNode& node : out_.nodes) {
      node.is_replaced =
          node.is_matched() && node.op != Opcode::kPlaceholder && node.op != Opcode::kOutput &&
          (node.kind != PatternNode::Kind::kAttribute || !out_.options.share_attributes) &&
          !node.is_kept;
    }
    // All matched nodes come before the single value that may have users outside.
    out_.may_cycle = out_.returned.size() > 1 || out_.options.match_output;
    return absl::OkStatus();
  }

  /// Calls `f` for the inputs that are bound whenever `node` is bound.
  template <class F>
  void for_each_bound_input(uint32_t node, F&& f) const {
    if (out_.nodes[node].kind == PatternNode::Kind::kAnyOf) return;
    out_.nodes[node].node->for_each_input(
        [&](const Node* input) { f(out_.index_of[input->id()]); });
  }

  void find_anchor_paths() {
    out_.anchor_paths.resize(out_.anchors.size());
    std::vector<char> is_bound(out_.nodes.size());
    std::vector<uint32_t> worklist;
    for (size_t k = 0; k < out_.anchors.size(); ++k) {
      if (k > 0) out_.anchor_paths[k] = find_path(out_.anchors[k], is_bound);
      worklist.assign(1, out_.anchors[k]);
      is_bound[out_.anchors[k]] = 1;
      while (!worklist.empty()) {
        const uint32_t node = worklist.back();
        worklist.pop_back();
        for_each_bound_input(node, [&](uint32_t input) {
          if (std::exchange(is_bound[input], char{1}) == 0) worklist.push_back(input);
        });
      }
    }
  }

  AnchorPath find_path(uint32_t anchor, const std::vector<char>& is_bound) const {
    std::vector<uint32_t> user(out_.nodes.size(), kNoIndex);
    std::vector<uint32_t> queue = {anchor};
    for (size_t i = 0; i < queue.size(); ++i) {
      AnchorPath path;
      for_each_bound_input(queue[i], [&](uint32_t input) {
        if (user[input] != kNoIndex || path.from != kNoIndex) return;
        user[input] = queue[i];
        queue.push_back(input);
        if (is_bound[input]) path.from = input;
      });
      if (path.from == kNoIndex) continue;
      for (uint32_t node = path.from; node != anchor;) {
        node = user[node];
        path.path.push_back(node);
      }
      return path;
    }
    return {};
  }

  const Graph& graph_;
  const Node* output_ = nullptr;
  CompiledPattern out_;
};

/// Returns a number for comparison as in Python, where bools, ints and floats may be equal.
std::optional<double> number_of(const Argument& a) {
  if (a.is_bool()) return a.as_bool() ? 1.0 : 0.0;
  if (a.is_int()) return static_cast<double>(a.as_int());
  if (a.is_float()) return a.as_float();
  return std::nullopt;
}

}  // namespace

bool literal_equal(const Argument& a, const Argument& b, bool same_kind, bool exact) {
  if ((same_kind || exact) && a.kind() != b.kind()) return false;
  const auto equal = [&](double x, double y) {
    if (!exact) return x == y;
    return x == y ? std::signbit(x) == std::signbit(y) : std::isnan(x) && std::isnan(y);
  };
  if (a.kind() == b.kind() && !is_aggregate(a.kind())) {
    if (a.is_float()) return equal(a.as_float(), b.as_float());
    if (a.kind() != ArgumentKind::kComplex) return a == b;
    const std::complex<double> x = a.as_complex(), y = b.as_complex();
    return equal(x.real(), y.real()) && equal(x.imag(), y.imag());
  }
  if (const auto x = number_of(a)) {
    if (a.is_int() && b.is_int()) return a.as_int() == b.as_int();
    const auto y = number_of(b);
    return y && *x == *y;
  }
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a.is_dict() && !(a.key(i) == b.key(i))) return false;
    if (!literal_equal(a[i], b[i], false, exact)) return false;
  }
  return true;
}

}  // namespace rewrite

PatternOptions PatternOptions::torch_fx() {
  return {.literals_match_nodes = true,
          .distinct_placeholders = true,
          .normalize = false,
          .share_attributes = false,
          .nested_nodes = false,
          .extensions = false};
}

absl::StatusOr<Pattern> Pattern::create(const Graph& graph, const PatternOptions& options) {
  FX_ASSIGN_OR_RETURN(rewrite::CompiledPattern compiled,
                      rewrite::Compiler(graph, options).compile());
  return Pattern(std::make_shared<const rewrite::CompiledPattern>(std::move(compiled)));
}

const Graph& Pattern::graph() const { return *compiled_->graph; }
const PatternOptions& Pattern::options() const { return compiled_->options; }
absl::Span<Node* const> Pattern::placeholders() const { return compiled_->placeholder_nodes; }
absl::Span<Node* const> Pattern::returned() const { return compiled_->returned_nodes; }
absl::Span<Node* const> Pattern::anchors() const { return compiled_->anchor_nodes; }

}  // namespace fx
