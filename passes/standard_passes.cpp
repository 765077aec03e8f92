// The rows of fxcpp's passes, which are available in pipelines and listed by `fxcpp passes`.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/selection.h"
#include "fx/passes/analysis/topological_sort.h"
#include "fx/passes/aten/inline_layers.h"
#include "fx/passes/aten/lower_to_aten.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/cleanup/infer_modules.h"
#include "fx/passes/cleanup/name_by_module.h"
#include "fx/passes/cleanup/normalize.h"
#include "fx/passes/cleanup/omit_default_arguments.h"
#include "fx/passes/cleanup/simplify.h"
#include "fx/passes/decompose/decompose.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/passes/functionalize/reinplace.h"
#include "fx/passes/inference/fold_constants.h"
#include "fx/passes/inference/fuse_conv_bn.h"
#include "fx/passes/inference/merge_matmul.h"
#include "fx/passes/inference/remove_dropout.h"
#include "fx/passes/inference/set_training.h"
#include "fx/passes/manager/module_options.h"
#include "fx/passes/manager/pass.h"
#include "fx/passes/partition/backend_splitter.h"
#include "fx/passes/partition/partitioner.h"
#include "fx/passes/partition/split_module.h"
#include "fx/passes/partition/subgraph.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Returns the types of all nodes, including the nodes of nested graphs.
std::vector<Type> types_of_nodes(const Graph& graph) {
  std::vector<Type> types;
  for (const Graph& g : all_graphs(graph)) {
    types.reserve(types.size() + g.size());
    for (const Node& node : g.nodes()) types.push_back(node.type());
  }
  return types;
}

absl::StatusOr<bool> run_propagate_types(PassRun& run) {
  // Compares the types after the propagation: during it, in-place calls change the types of their
  // arguments temporarily.
  const std::vector<Type> before = types_of_nodes(run.graph());
  const size_t guards = guards_of(run.graph()).size();
  const ShapeReport report = propagate_types(run.graph(), {.other_call = type_by_lowering});
  bool is_valid = true;
  for (const ShapeFinding& finding : report.findings) {
    is_valid = is_valid && finding.kind == ShapeFinding::Kind::kNoTypeFunction;
    if (finding.kind == ShapeFinding::Kind::kNoTypeFunction)
      run.count("calls without a type function", finding.nodes.size());
  }
  if (!is_valid || (run.flag("strict") && !report.ok()))
    return absl::InvalidArgumentError(report.str());
  return types_of_nodes(run.graph()) != before || guards_of(run.graph()).size() != guards;
}

/// Returns the graph's module; FailedPrecondition if there is none.
absl::StatusOr<Module*> module_of(PassRun& run) {
  if (run.module() != nullptr) return run.module();
  return absl::FailedPreconditionError(
      "the pass requires the graph's module; pass it to PassManager::run");
}

/// Returns the nodes with these names. Searches the graph once: an index of all names would cost
/// more than a few lookups.
absl::StatusOr<std::vector<Node*>> nodes_named(const Graph& graph,
                                               const std::vector<std::string>& names) {
  absl::flat_hash_map<Name, Node*> found;
  for (const std::string& name : names)
    found.emplace(split_name(graph.context().symbols(), name), nullptr);
  for (Node& node : graph.nodes())
    if (const auto it = found.find(node.name_parts()); it != found.end()) it->second = &node;
  std::vector<Node*> nodes;
  for (const std::string& name : names) {
    nodes.push_back(found.at(split_name(graph.context().symbols(), name)));
    if (nodes.back() == nullptr) return absl::NotFoundError(fmt::format("unknown node {}", name));
  }
  return nodes;
}

/// Returns the operators, methods and classes in option `ops`. An empty option is an error, because
/// the pass would silently do nothing.
absl::StatusOr<std::vector<std::string>> ops_of(PassRun& run, std::string_view pass) {
  std::vector<std::string> ops = run.words("ops");
  if (!ops.empty()) return ops;
  return absl::InvalidArgumentError(
      fmt::format("option ops is required: {}{{ops=\"aten.mul.Tensor aten.relu.default\"}}", pass));
}

/// Supports calls to `ops`; with option `modules`, only those of the selected modules.
absl::StatusOr<OperatorSupport> support_of(PassRun& run, const std::vector<std::string>& ops,
                                           const Module* root) {
  FX_ASSIGN_OR_RETURN(NodeFilter only, selected_modules(run));
  OperatorSupport support = supports_targets(ops, root);
  return only ? all_of({std::move(support), std::move(only)}) : support;
}

absl::StatusOr<bool> run_partition(PassRun& run) {
  FX_ASSIGN_OR_RETURN(Module * root, module_of(run));
  FX_ASSIGN_OR_RETURN(const std::vector<std::string> ops, ops_of(run, "partition"));
  FX_ASSIGN_OR_RETURN(const OperatorSupport support, support_of(run, ops, root));
  FX_ASSIGN_OR_RETURN(const FusedCalls fused,
                      partition_and_fuse(run.graph(), *root, support,
                                         {.allow_single_node = run.flag("allow_single_node"),
                                          .only_connected = run.flag("only_connected")},
                                         {.prefix = std::string(run.text("prefix"))}));
  run.count("modules created", fused.calls.size());
  run.count("calls moved", fused.num_moved);
  return !fused.calls.empty();
}

absl::StatusOr<bool> run_split_for_backend(PassRun& run) {
  FX_ASSIGN_OR_RETURN(Module * root, module_of(run));
  FX_ASSIGN_OR_RETURN(const std::vector<std::string> ops, ops_of(run, "split_for_backend"));
  FX_ASSIGN_OR_RETURN(const OperatorSupport support, support_of(run, ops, root));
  FX_ASSIGN_OR_RETURN(const size_t count,
                      split_for_backend_in_place(
                          run.graph(), *root, support,
                          {.min_backend_calls = static_cast<size_t>(run.integer("min_calls")),
                           .allow_non_tensor = run.flag("allow_non_tensor"),
                           .max_parts = static_cast<size_t>(run.integer("max_parts")),
                           .return_tuple = run.flag("return_tuple")}));
  run.count("modules created", count);
  return count > 0;
}

/// Splits by the metadata `key` of calls. A call without it has the value of the previous call.
absl::StatusOr<bool> run_split_module(PassRun& run) {
  FX_ASSIGN_OR_RETURN(Module * root, module_of(run));
  int64_t last = 0;
  const NodeMeta::Column column(run.graph(), run.graph().context().symbol(run.text("key")));
  const auto partition_of = [&](const Node& node) {
    const Argument* value = column.find(node);
    return last = value != nullptr && value->is_int() ? value->as_int() : last;
  };
  return split_module_in_place(run.graph(), *root, partition_of,
                               {.keep_original_order = run.flag("keep_original_order"),
                                .keep_original_node_name = run.flag("keep_names"),
                                .return_tuple = run.flag("return_tuple"),
                                .flatten_paths = run.flag("flatten_paths")});
}

absl::StatusOr<bool> run_extract(PassRun& run) {
  const bool by_name = !run.text("inputs").empty() || !run.text("outputs").empty();
  if (by_name && !run.text("modules").empty())
    return absl::InvalidArgumentError("option modules replaces options inputs and outputs");
  FX_ASSIGN_OR_RETURN(const auto inputs, nodes_named(run.graph(), run.words("inputs")));
  FX_ASSIGN_OR_RETURN(const auto outputs, nodes_named(run.graph(), run.words("outputs")));
  FX_ASSIGN_OR_RETURN(const NodeFilter only, selected_modules(run, {.nested = false}));
  return only ? reduce_to(run.graph(), only) : reduce_to(run.graph(), inputs, outputs);
}

absl::StatusOr<bool> run_lower_to_aten(PassRun& run) {
  FX_ASSIGN_OR_RETURN(const LowerToAtenReport report, lower_to_aten(run.graph()));
  run.count("calls lowered", report.lowered);
  run.count("calls that cannot be lowered", report.not_lowered.size());
  if (run.flag("strict") && !report.not_lowered.empty())
    return absl::InvalidArgumentError(report.str());
  return report.changed;
}

std::vector<Pass> make_rows() {
  return {
      decompose_pass("decompose"),
      {"eliminate_common_subexpressions",
       "merges equal calls",
       [](PassRun& run) {
         return eliminate_common_subexpressions(run.graph(),
                                                {.commutative = run.flag("commutative")});
       },
       {{"commutative", false, "treats x + y as equal to y + x; the bits of a NaN may differ"}}},
      {"eliminate_dead_code",
       "removes calls that have no users and no effects",
       [](PassRun& run) {
         return eliminate_dead_code(run.graph(), {.keep_random = run.flag("keep_random")});
       },
       {{"keep_random", true, "keeps calls whose only effect is to draw random numbers"}}},
      {"extract_subgraph",
       "reduces the graph to the part that computes given outputs from given inputs",
       run_extract,
       {{"inputs", "", "names of nodes that become inputs, separated by spaces"},
        {"outputs", "", "names of nodes whose values are returned"},
        {"modules", "", "instead of names, the calls in these modules: layer*.conv? fc"}},
       PassValues::kOther,
       /*idempotent=*/false},
      {"fold_constants",
       "evaluates calls that depend only on constants (requires libtorch and the constants' "
       "tensors)",
       [](PassRun& run) -> absl::StatusOr<bool> {
         FX_ASSIGN_OR_RETURN(Module * root, module_of(run));
         if (run.evaluate() == nullptr) {
           return absl::FailedPreconditionError(
               "evaluating constants requires a build with libtorch");
         }
         if (const std::string missing = missing_tensors(run.graph(), *root); !missing.empty())
           run.note(missing);
         return fold_constants(run.graph(), *root, *run.evaluate(),
                               {.fold_factories = run.flag("fold_factories"),
                                .max_bytes = static_cast<size_t>(run.integer("max_bytes"))});
       },
       {{"fold_factories", true, "also evaluates calls without operands, such as aten.ones"},
        {"max_bytes", 0, "the maximum size of a result in bytes; 0: no limit", 0}}},
      {"functionalize",
       "replaces operators that write to tensors with ones that return new tensors",
       [](PassRun& run) {
         return functionalize(run.graph(), {.copy_back = run.flag("copy_back")});
       },
       {{"copy_back", true, "copies the final values of written inputs back at the end"}},
       PassValues::kSameBits,
       /*idempotent=*/true,
       /*may_change_sharing=*/true},
      {"fuse_conv_bn",
       "folds batch norms in evaluation mode into the layers before them",
       [](PassRun& run) { return fuse_conv_bn(run.graph(), run.module()); },
       {},
       PassValues::kRounded},
      {"inline_calls", "replaces calls to graph modules with their graphs",
       [](PassRun& run) -> absl::StatusOr<bool> {
         FX_ASSIGN_OR_RETURN(Module * root, module_of(run));
         return inline_calls(run.graph(), *root);
       }},
      {"merge_matmul",
       "merges matrix products with the same right operand",
       [](PassRun& run) { return merge_matmul(run.graph()); },
       {},
       PassValues::kRounded},
      {"methods_to_functions", "replaces method calls with calls to torch functions",
       [](PassRun& run) { return methods_to_functions(run.graph()); }},
      {"normalize_args",
       "writes all arguments of each call, including defaults, in the order of the schema",
       [](PassRun& run) {
         return normalize_args(run.graph(), {.only_kwargs = run.flag("only_kwargs")});
       },
       {{"only_kwargs", false, "passes all arguments by keyword"}}},
      {"normalize_operators",
       "uses one spelling of arithmetic on tensors: operator.add or torch.add",
       [](PassRun& run) {
         return normalize_operators(run.graph(), run.flag("torch") ? OperatorSpelling::kTorch
                                                                   : OperatorSpelling::kOperator);
       },
       {{"torch", false, "uses torch functions instead of Python operators"}}},
      {"partition",
       "moves the largest possible groups of calls to given operators into modules",
       run_partition,
       {{"ops", "", "the operators, methods and module classes, separated by spaces"},
        {"prefix", "fused_", "modules are named <prefix>0, <prefix>1, ..."},
        {"allow_single_node", false, "also creates modules for single calls"},
        {"only_connected", false, "places unconnected calls in different modules"},
        modules_option()},
       PassValues::kSameBits,
       /*idempotent=*/false},
      {"inline_layers", "replaces calls to torch.nn layers with the operators that they call",
       [](PassRun& run) { return inline_layers(run.graph()); }},
      {"infer_modules", "infers the module of each call from the parameters that the call uses",
       [](PassRun& run) -> absl::StatusOr<bool> { return infer_modules(run.graph()); }},
      {"name_by_module",
       "names calls after their modules, and gradients after their parameters",
       [](PassRun& run) -> absl::StatusOr<bool> {
         return name_by_module(run.graph(), {.inputs = run.flag("inputs")});
       },
       {{"inputs", false, "also names the placeholders of parameters and buffers after them"}}},
      {"lower_to_aten",
       "lowers torch.*, methods, Python's operators and layers to ATen operators",
       run_lower_to_aten,
       {{"strict", false, "fails if a call cannot be lowered"}}},
      {"omit_default_arguments", "omits arguments that equal the operator's defaults",
       [](PassRun& run) { return omit_default_arguments(run.graph()); }},
      {"propagate_types",
       "infers the type of every call from the types of the inputs",
       run_propagate_types,
       {{"strict", false, "fails if an operator has no type function"}}},
      {"reinplace",
       "writes results into the memory of operands that are not used again",
       [](PassRun& run) { return reinplace(run.graph(), {.inputs = run.flag("inputs")}); },
       {{"inputs", false, "also writes into the memory of inputs"}}},
      {"remove_dropout",
       "removes dropout",
       [](PassRun& run) -> absl::StatusOr<bool> {
         FX_ASSIGN_OR_RETURN(NodeFilter only, selected_modules(run));
         return remove_dropout(run.graph(), run.module(),
                               {.training = run.flag("training"), .only = std::move(only)});
       },
       {{"training", true, "also removes dropout in training mode"}, modules_option()},
       PassValues::kOther},
      {"replace_targets",
       "replaces calls to one function with calls to another function",
       [](PassRun& run) -> absl::StatusOr<bool> {
         if (run.text("from").empty() || run.text("to").empty()) {
           return absl::InvalidArgumentError(
               "options from and to are required: "
               "replace_targets{from=aten.add.Tensor,to=aten.sub.Tensor}");
         }
         Context& context = run.graph().context();
         FX_ASSIGN_OR_RETURN(const NodeFilter only, selected_modules(run));
         const size_t replaced = replace_targets(run.graph(), context.function(run.text("from")),
                                                 context.function(run.text("to")), only);
         run.count("calls changed", replaced);
         return replaced > 0;
       },
       {{"from", "", "the function to replace: aten.add.Tensor"},
        {"to", "", "the function to call instead"},
        modules_option()},
       PassValues::kOther},
      {"set_training",
       "switches dropout and batch norm to training or evaluation mode",
       [](PassRun& run) -> absl::StatusOr<bool> {
         FX_ASSIGN_OR_RETURN(NodeFilter only, selected_modules(run));
         FX_ASSIGN_OR_RETURN(
             const SetTrainingReport report,
             set_training(run.graph(), run.flag("on"), run.module(), {.only = std::move(only)}));
         run.count("calls that cannot be switched", report.unchanged.size());
         if (run.flag("strict") && !report.unchanged.empty())
           return absl::FailedPreconditionError(report.str());
         return report.changed;
       },
       {{"on", false, "switches to training mode instead of evaluation mode"},
        {"strict", false, "fails if a call cannot be switched"},
        modules_option()},
       PassValues::kOther},
      {"simplify",
       "removes calls that do not change the result: x - 0, x * 1, neg of neg, reshape of reshape",
       [](PassRun& run) {
         return simplify(run.graph(), {.signed_zeros = run.flag("signed_zeros")});
       },
       {{"signed_zeros", true,
         "keeps x + 0, which turns -0.0 into 0.0; without it, signs of zeros may change"}}},
      {"split_for_backend",
       "splits the graph into modules that run alternately on a backend and on the host",
       run_split_for_backend,
       {{"ops", "",
         "the operators, methods and module classes that the backend runs, separated by spaces"},
        {"min_calls", 1,
         "the minimum number of calls in a backend part; smaller parts run on the host", 0},
        {"max_parts", 0, "the maximum number of parts; 0: no limit", 0},
        {"allow_non_tensor", false,
         "allows numbers and lists to be passed between host and backend"},
        {"return_tuple", false, "modules return tuples, even for a single value"},
        modules_option()},
       PassValues::kSameBits,
       /*idempotent=*/false},
      {"split_module",
       "splits the graph into modules by an integer in the metadata of its nodes",
       run_split_module,
       {{"key", "partition", "the key; a call without it is in the module of the previous call"},
        {"flatten_paths", false, "replaces dots in module paths with underscores"},
        {"keep_names", true, "keeps node names in modules"},
        {"keep_original_order", false, "calls the modules in the order of their first nodes"},
        {"return_tuple", false, "modules return tuples, even for a single value"}},
       PassValues::kSameBits,
       /*idempotent=*/false},
      {"topological_sort",
       "moves operands before their users",
       [](PassRun& run) {
         return topological_sort(
             run.graph(),
             {.order = run.flag("breadth_first") ? NodeOrder::kBreadthFirst : NodeOrder::kStable});
       },
       {{"breadth_first", false, "sorts breadth-first instead of moving the fewest nodes"}}},
  };
}

}  // namespace

const PassTable& standard_passes() {
  static const auto* table = new PassTable(make_rows());
  return *table;
}

}  // namespace fx
