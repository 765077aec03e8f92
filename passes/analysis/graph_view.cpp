#include "fx/passes/analysis/graph_view.h"

#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/edges.h"
#include "fx/passes/analysis/flops.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fx {
namespace {

constexpr uint32_t kNoBox = UINT32_MAX;
/// The maximum number of lines of parameters and gradients in a box.
constexpr size_t kMaxNotes = 8;
/// The approximate number of boxes for calls without a module.
constexpr size_t kRuns = 24;

/// True for inputs that are shown as lines in the boxes that use them: parameters, buffers, and the
/// state and numbers of a training step.
bool is_parameter(const Node& node) {
  if (!node.is_placeholder()) return false;
  const std::string_view kind = input_fact(node, "kind");
  return kind == "parameter" || kind == "buffer" || kind == "optimizer" || kind == "number";
}

/// Returns the name of an input in a picture.
std::string_view shown_name(const Node& input) {
  const std::string_view target = input_fact(input, "target");
  return target.empty() ? std::string_view(input.target()) : target;
}

bool is_backward_side(const Node& node) {
  return node.is_placeholder() ? is_tangent(node) : is_backward(node);
}

class ViewBuilder {
 public:
  ViewBuilder(const Graph& graph, const GraphViewOptions& options, bool collapsed)
      : graph_(graph),
        options_(options),
        collapsed_(collapsed),
        selected_(graph),
        module_(graph, 0),
        box_(graph, kNoBox),
        folded_nodes_(graph) {}

  absl::StatusOr<GraphView> run() {
    FX_ASSIGN_OR_RETURN(selected_, select_nodes(graph_, options_.selection));
    bindings_ = bindings_of(graph_);
    show_parameters_ = options_.show_parameters || options_.expand;
    for (const Node& node : graph_.nodes()) {
      if (!selected_.inside.contains(node) && !selected_.context.contains(node)) continue;
      nodes_.push_back(&node);
    }
    find_modules();
    if (!options_.selection.modules.empty()) find_selected_module();
    view_.num_nodes = nodes_.size();
    view_.clusters.push_back({});
    view_.collapsed = collapsed_;
    if (!options_.expand) find_modules_between();
    depth_ = collapsed_ ? depth_that_fits() : ModuleTree::kMaxDepth;
    make_boxes();
    view_.has_frames = options_.selection.around.empty();
    if (view_.has_frames) make_clusters();
    find_folded_results();
    make_edges();
    add_folded_results();
    return std::move(view_);
  }

 private:
  /// Assigns calls in the backward pass without a module to the module of the forward call with the
  /// same number.
  void find_modules() {
    absl::flat_hash_map<int64_t, uint32_t> by_seq;
    for (const Node* node : nodes_) {
      const std::string_view path = module_path(*node);
      module_[*node] = tree_.add(path);
      if (node->op() == Opcode::kPlaceholder) continue;
      const auto seq = node->meta().get(meta::kSeq);
      if (!seq) continue;
      if (!is_backward(*node)) {
        if (!path.empty()) by_seq.emplace(*seq, module_[*node]);
      } else if (const auto found = by_seq.find(*seq); path.empty() && found != by_seq.end()) {
        module_[*node] = found->second;
      }
    }
  }

  /// Assigns calls between two calls of a module to that module if it is inside the module to which
  /// they were assigned before. A capture of libtorch's modules records only which parameters a
  /// call uses, not when a module runs. Without this step, edges in both directions would connect
  /// the box of a module to the calls between its calls. A list of modules computes nothing: calls
  /// between two of its items belong to the item that runs first.
  void find_modules_between() {
    std::vector<const Node*> calls;
    for (const Node* node : nodes_)
      if (!is_input_or_output(*node)) calls.push_back(node);
    const auto same_run = [&](const Node& a, const Node& b) {
      return module_[a] == module_[b] && is_backward_side(a) == is_backward_side(b);
    };
    uint32_t before = 0;  // original module of the call before the run
    for (size_t from = 0, to = 0; from < calls.size(); from = to) {
      while (to < calls.size() && same_run(*calls[from], *calls[to])) ++to;
      const uint32_t module = module_[*calls[from]];
      const bool inner = from > 0 && to < calls.size() &&
                         is_backward_side(*calls[from - 1]) == is_backward_side(*calls[to]);
      const uint32_t both =
          inner ? between(before, module_[*calls[to]], is_backward_side(*calls[from])) : 0;
      if (both != module && common_module(both, module) == module)
        for (size_t i = from; i < to; ++i) module_[*calls[i]] = both;
      before = module;
    }
  }

  /// Returns the module of calls between calls of these two modules: the innermost module that
  /// contains both or, if that is a list (names are numbers), the item that runs first in the
  /// forward pass.
  uint32_t between(uint32_t before, uint32_t after, bool backward) const {
    const uint32_t both = common_module(before, after);
    if (both == before || both == after) return both;
    const auto item = [&](uint32_t module) {
      while (tree_.parent(module) != both) module = tree_.parent(module);
      return module;
    };
    const auto is_numbered = [&](uint32_t module) {
      return std::ranges::all_of(tree_.name(module), [](char c) { return c >= '0' && c <= '9'; });
    };
    const uint32_t first = item(before), second = item(after);
    if (!is_numbered(first) || !is_numbered(second)) return both;
    return backward ? second : first;
  }

  /// Returns the innermost module that contains both.
  uint32_t common_module(uint32_t a, uint32_t b) const {
    while (a != b) {
      uint32_t& deeper = tree_.depth(a) >= tree_.depth(b) ? a : b;
      deeper = tree_.parent(deeper);
    }
    return a;
  }

  /// Returns the module that represents `module` at the depth that is shown.
  uint32_t shown_module(uint32_t module) const {
    while (tree_.depth(module) > depth_) module = tree_.parent(module);
    return module;
  }

  bool is_input_or_output(const Node& node) const {
    return node.is_placeholder() || node.op() == Opcode::kGetAttr || node.is_output();
  }

  void find_selected_module() {
    std::vector<uint32_t> modules;
    for (const Node* node : nodes_)
      if (selected_.inside.contains(*node)) modules.push_back(module_[*node]);
    selected_module_ = tree_.common(modules);
  }

  // ---- Depth

  /// Finds the modules with submodules that are boxes at this depth. Calls that are in such a
  /// module but not in a submodule, and calls without a module, form runs between these boxes. A
  /// single box for all of these calls would be on every path.
  void find_opened(int depth) {
    depth_ = depth;
    opened_.assign(tree_.size(), 0);
    // The module around the selected nodes is not a box.
    for (uint32_t m = selected_module_; m != 0; m = tree_.parent(m)) opened_[m] = 1;
    opened_[0] = 1;
    for (const Node* node : nodes_) {
      if (is_input_or_output(*node)) continue;
      for (uint32_t m = shown_module(module_[*node]); m != 0 && opened_[tree_.parent(m)] == 0;)
        opened_[m = tree_.parent(m)] = 1;
    }
  }

  /// Returns the number of boxes if modules are shown to `depth`. Boxes of calls without a module
  /// are not counted.
  size_t boxes_at(int depth) {
    find_opened(depth);
    std::vector<uint8_t> seen(tree_.size(), 0);  // bit 0: forward, bit 1: backward
    size_t count = 0;
    std::pair<uint32_t, uint8_t> last = {0, 0};
    for (const Node* node : nodes_) {
      if (is_input_or_output(*node)) continue;
      const std::pair<uint32_t, uint8_t> now = {shown_module(module_[*node]),
                                                is_backward_side(*node) ? 2 : 1};
      const bool follows = std::exchange(last, now) == now;
      const auto [module, pass] = now;
      if (module == 0 || (opened_[module] != 0 ? follows : (seen[module] & pass) != 0)) continue;
      seen[module] |= pass;
      ++count;
    }
    return count;
  }

  int depth_that_fits() {
    int deepest = 0;
    for (uint32_t i = 0; i < tree_.size(); ++i) deepest = std::max(deepest, tree_.depth(i));
    int fits = std::max(1, tree_.depth(selected_module_));
    while (fits < deepest && boxes_at(fits + 1) <= options_.max_boxes) ++fits;
    find_opened(fits);
    return fits;
  }

  // ---- Boxes

  void make_boxes() {
    absl::flat_hash_map<std::pair<uint32_t, bool>, uint32_t> module_boxes;
    size_t num_in_runs = 0;
    const auto is_in_run = [&](uint32_t module) {
      return module == 0 || module == selected_module_;
    };
    for (const Node* node : nodes_)
      if (!is_input_or_output(*node) && is_in_run(shown_module(module_[*node]))) ++num_in_runs;
    const size_t run_length = std::max<size_t>(1, (num_in_runs + kRuns - 1) / kRuns);
    uint32_t run = kNoBox, run_module = 0;
    for (const Node* node : nodes_) {
      if (is_parameter(*node) && !show_parameters_) continue;
      const bool backward = is_backward_side(*node);
      const uint32_t module = shown_module(module_[*node]);
      if (!view_.collapsed || is_input_or_output(*node)) {
        box_[*node] = add_box(*node, kind_of(*node), module);
      } else if (opened_[module] != 0) {
        const size_t max_length = is_in_run(module) ? run_length : SIZE_MAX;
        if (run == kNoBox || run_module != module || view_.boxes[run].backward != backward ||
            view_.boxes[run].num_nodes >= max_length)
          run = add_box(*node, ViewBoxKind::kRun, module);
        run_module = module;
        view_.boxes[run].last = node;
        box_[*node] = run;
      } else {
        run = kNoBox;
        const auto [entry, added] = module_boxes.try_emplace(std::pair(module, backward), kNoBox);
        if (added) entry->second = add_box(*node, ViewBoxKind::kModule, module);
        box_[*node] = entry->second;
      }
      ++view_.boxes[box_[*node]].num_nodes;
    }
    for (const Node* node : nodes_) add_to_box(*node);
    for (ViewBox& box : view_.boxes) {
      if (box.kind == ViewBoxKind::kRun && box.num_nodes == 1) box.kind = ViewBoxKind::kCall;
      view_.has_backward |= box.backward;
    }
  }

  static ViewBoxKind kind_of(const Node& node) {
    switch (node.op()) {
      case Opcode::kPlaceholder:
        return is_parameter(node) ? ViewBoxKind::kParameter : ViewBoxKind::kInput;
      case Opcode::kGetAttr:
        return ViewBoxKind::kAttribute;
      case Opcode::kOutput:
        return ViewBoxKind::kOutput;
      default:
        return ViewBoxKind::kCall;
    }
  }

  uint32_t add_box(const Node& node, ViewBoxKind kind, uint32_t module) {
    ViewBox box;
    box.kind = kind;
    box.node = &node;
    box.module = tree_.path(module);
    box.backward = is_backward_side(node);
    box.num_nodes = 0;
    box.context = !selected_.inside.contains(node);
    box.center = !options_.selection.around.empty() && node.name() == options_.selection.around;
    view_.boxes.push_back(std::move(box));
    return static_cast<uint32_t>(view_.boxes.size() - 1);
  }

  /// Adds the operations, parameters and lines of a node to its box.
  void add_to_box(const Node& node) {
    if (box_[node] == kNoBox || is_input_or_output(node)) return;
    ViewBox& box = view_.boxes[box_[node]];
    if (const auto flops = count_flops(node); flops.ok()) {
      if (const auto number = eval_int(*flops, bindings_); number.ok()) {
        int64_t sum = std::max<int64_t>(box.flops, 0);
        if (!__builtin_add_overflow(sum, *number, &sum)) box.flops = sum;
      }
    }
    if (show_parameters_) return;
    node.for_each_input([&](Node* operand) {
      if (!is_parameter(*operand)) return;
      if (!counted_.insert({operand->id(), box_[node]}).second) return;
      add_parameter(box, *operand);
      if (view_.collapsed && box.num_nodes > 1) return;
      add_note(box, fmt::format("{}: {}", shown_path(shown_name(*operand), box.module),
                                to_string(operand->type())));
    });
  }

  /// Adds the elements of a parameter, if their number is known.
  void add_parameter(ViewBox& box, const Node& input) const {
    if (!input.type().is_tensor() || !input.type().has_rank()) return;
    const auto n = eval_int(numel(input.type().sizes()), bindings_);
    if (!n.ok() || input_fact(input, "kind") != "parameter") return;
    if (__builtin_add_overflow(box.parameters, *n, &box.parameters)) box.parameters = INT64_MAX;
  }

  /// Returns a parameter's path relative to the module of the box.
  static std::string_view shown_path(std::string_view path, std::string_view module) {
    const bool inside = !module.empty() && path.size() > module.size() &&
                        path.starts_with(module) && path[module.size()] == '.';
    return inside ? path.substr(module.size() + 1) : path;
  }

  static void add_note(ViewBox& box, std::string note) {
    if (box.notes.size() < kMaxNotes)
      box.notes.push_back(std::move(note));
    else if (box.notes.size() == kMaxNotes)
      box.notes.emplace_back("...");
  }

  // ---- Modules as frames

  /// Creates a frame for each module with multiple boxes or frames.
  void make_clusters() {
    const auto frame_of = [&](const ViewBox& box) {
      const uint32_t module = tree_.add(box.module);
      return box.kind == ViewBoxKind::kModule ? tree_.parent(module) : module;
    };
    std::vector<uint32_t> uses(tree_.size(), 0);
    for (const ViewBox& box : view_.boxes) ++uses[frame_of(box)];
    for (auto i = static_cast<uint32_t>(tree_.size()); i-- > 1;)
      if (uses[i] > 0) uses[tree_.parent(i)] += uses[i] > 1 ? 2 : 1;
    std::vector<uint32_t> cluster(tree_.size(), 0);
    for (const uint32_t module : tree_.preorder()) {
      if (module == 0) continue;
      const uint32_t outer = cluster[tree_.parent(module)];
      cluster[module] = outer;
      if (uses[module] < 2) continue;
      cluster[module] = static_cast<uint32_t>(view_.clusters.size());
      view_.clusters.push_back({tree_.path(module), outer});
    }
    for (ViewBox& box : view_.boxes) box.cluster = cluster[frame_of(box)];
  }

  // ---- Edges

  void make_edges() {
    absl::flat_hash_map<std::pair<uint32_t, uint32_t>, uint32_t> index;
    absl::flat_hash_set<std::pair<uint32_t, uint32_t>> carried;  // value, box
    for (const Node* node : nodes_) {
      const uint32_t to = box_[*node];
      if (to == kNoBox) continue;
      node->for_each_input([&](Node* operand) {
        const uint32_t from = box_[*operand];
        if (from == kNoBox || from == to || !carried.insert({operand->id(), to}).second) return;
        const ViewBox &source = view_.boxes[from], &target = view_.boxes[to];
        if (source.context && target.context) return;
        if (target.kind == ViewBoxKind::kOutput && folded_nodes_.contains(*operand)) return;
        const auto [entry, added] =
            index.try_emplace({from, to}, static_cast<uint32_t>(view_.edges.size()));
        if (!added) {
          ++view_.edges[entry->second].num_values;
          return;
        }
        const bool saved = !source.backward && target.backward;
        view_.edges.push_back({from, to, operand, 1, saved});
      });
    }
  }

  /// Finds results that are shown as lines in the boxes of their producers: gradients and new
  /// values of inputs.
  void find_folded_results() {
    const Node* const output = graph_.output_node();
    if (!output || show_parameters_ || output->num_args() != 1) return;
    const Argument* const facts = output->meta().find(meta::kOutputs.name);
    const ArgumentRef results = output->arg(0);
    for (size_t i = 0; i < results.size(); ++i) {
      const Node* const node = results[i].node();
      if (!node) continue;
      const std::string_view kind = fact_of(facts, i, "kind");
      const bool mutation = kind.find("mutation") != std::string_view::npos;
      if (mutation || kind == "gradient" || (kind.empty() && is_backward(*node)))
        folded_.push_back({node, i, mutation});
    }
    for (const FoldedResult& result : folded_) folded_nodes_.insert(*result.node);
    // A node that is also an ordinary result keeps its edge.
    for (size_t i = 0, k = 0; i < results.size(); ++i) {
      if (k < folded_.size() && folded_[k].index == i)
        ++k;
      else if (const Node* node = results[i].node())
        folded_nodes_.erase(*node);
    }
  }

  void add_folded_results() {
    struct Count {
      uint32_t gradients = 0, updates = 0;
    };
    std::map<uint32_t, Count> of_box;
    const Node* const output = graph_.output_node();
    const Argument* const facts = output ? output->meta().find(meta::kOutputs.name) : nullptr;
    for (const FoldedResult& result : folded_) {
      const uint32_t number = box_[*result.node];
      if (number == kNoBox) continue;
      if (view_.boxes[number].num_nodes > 1) {
        ++(result.mutation ? of_box[number].updates : of_box[number].gradients);
      } else {
        add_note(view_.boxes[number], fmt::format("{} {}", result.mutation ? "new" : "gradient of",
                                                  target_of(facts, result.index)));
      }
    }
    const auto note = [&](uint32_t box, uint32_t count, std::string_view what) {
      if (count > 0) add_note(view_.boxes[box], pluralize(count, what));
    };
    for (const auto& [box, count] : of_box) {
      note(box, count.gradients, "gradient");
      note(box, count.updates, "new value");
    }
  }

  static std::string_view fact_of(const Argument* outputs, size_t i, std::string_view key) {
    if (!outputs || !outputs->is_list() || i >= outputs->size()) return {};
    return (*outputs)[i].find_text(key);
  }

  /// Returns the name of the value whose gradient or new value is result `i`.
  static std::string target_of(const Argument* outputs, size_t i) {
    if (outputs && outputs->is_list() && i < outputs->size()) {
      if (const Argument* of = (*outputs)[i].find("of")) {
        if (const Argument* target = of->find("target"); target && target->is_string())
          return std::string(target->as_string());
        const Argument *kind = of->find("kind"), *index = of->find("index");
        if (kind && kind->is_string() && index && index->is_int())
          return fmt::format("{} {}", kind->as_string(), index->as_int());
      }
    }
    return fmt::format("result {}", i);
  }

  const Graph& graph_;
  const GraphViewOptions& options_;
  const bool collapsed_;
  SelectedNodes selected_;
  SymBindings bindings_;
  bool show_parameters_ = false;
  int depth_ = 0;
  uint32_t selected_module_ = 0;  // the innermost one around all selected nodes; 0: no selection
  std::vector<char> opened_;      // by module: find_opened
  std::vector<const Node*> nodes_;
  ModuleTree tree_;
  NodeMap<uint32_t> module_;
  NodeMap<uint32_t> box_;
  absl::flat_hash_set<std::pair<uint32_t, uint32_t>> counted_;  // parameter, box
  struct FoldedResult {
    const Node* node;
    size_t index;  // of the result
    bool mutation;
  };
  std::vector<FoldedResult> folded_;
  NodeSet folded_nodes_;
  GraphView view_;
};

/// True if at least half of the calls in a picture are in module boxes.
bool shows_mostly_modules(const GraphView& view) {
  uint32_t calls = 0, in_modules = 0;
  for (const ViewBox& box : view.boxes) {
    if (box.kind == ViewBoxKind::kModule) in_modules += box.num_nodes;
    if (box.kind == ViewBoxKind::kModule || box.kind == ViewBoxKind::kRun ||
        box.kind == ViewBoxKind::kCall)
      calls += box.num_nodes;
  }
  return 2 * in_modules >= calls;
}

}  // namespace

absl::StatusOr<GraphView> make_view(const Graph& graph, const GraphViewOptions& options) {
  if (options.collapse && !options.expand) return ViewBuilder(graph, options, true).run();
  FX_ASSIGN_OR_RETURN(GraphView nodes, ViewBuilder(graph, options, false).run());
  const size_t count = nodes.boxes.size();
  if (options.expand || count <= std::min(options.collapse_above, options.collapse_small_above))
    return nodes;
  FX_ASSIGN_OR_RETURN(GraphView modules, ViewBuilder(graph, options, true).run());
  const bool is_readable = 3 * modules.boxes.size() <= 2 * count && shows_mostly_modules(modules);
  return count > options.collapse_above || is_readable ? modules : nodes;
}

}  // namespace fx
