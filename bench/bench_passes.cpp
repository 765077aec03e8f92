// The cost per node of each pass in the table, on graphs from bench/families.h: PASS/FAMILY/NODES.
//
//   bench_passes [--nodes=10000,1000000] [google-benchmark's options]
//
// split_module creates modules of a thousand nodes; partition supports aten.add, matmul and linear,
// so that each block of the transformer becomes one module. split_for_backend is measured twice:
// for a backend that supports all nodes but one in a thousand, and
// (split_for_backend/fragments/NODES) for one that supports the operators given to partition, so
// that each block of the transformer becomes eight modules.
//
// find_fusion_groups/overlapping/NODES is a step of split_for_backend: a quarter of the nodes are
// sizes, each with a user directly after it and a user about two hundred nodes later, so that the
// groups overlap.
//
// Times are the process's CPU time in calls to the pass, which runs as in a pipeline but without
// verification; creating and destroying graphs is not timed. bench/passes_report.py prints the
// times with those of torch.fx.
#include "bench/fx_subject.h"
#include "bench/harness.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/partition/backend_splitter.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace {

using fx::bench::Family;

constexpr std::string_view kSomeOps = "aten.add.Tensor aten.matmul.default aten.linear.default";
/// The operators of the families, except the ones that replace_each_thousandth inserts.
constexpr std::string_view kAllOps =
    "aten.add.Tensor aten.matmul.default aten.linear.default aten.layer_norm.default "
    "aten.transpose.int aten.softmax.int aten.view.default aten.dropout.default";

std::string with_ops(const fx::Pass& pass, std::string_view ops) {
  return pass.name + "{ops=\"" + std::string(ops) + "\"}";
}

/// Returns the pipeline text of the pass, with options for these graphs.
std::string pipeline_of(const fx::Pass& pass) {
  if (pass.name == "partition") return with_ops(pass, kSomeOps);
  if (pass.name == "split_for_backend") return with_ops(pass, kAllOps);
  if (pass.name == "replace_targets")
    return "replace_targets{from=aten.add.Tensor,to=aten.mul.Tensor}";
  if (pass.name == "remove_dropout") return "remove_dropout";
  return pass.name;
}

void build(fx::Graph& graph, Family family, size_t nodes) {
  fx::bench::FxBuilder builder(graph.context(), graph);
  build_family(builder, family, nodes, fx::bench::Fixture<int>::paths(nodes), true);
}

/// Replaces the operator of every thousandth node (or the next suitable one): add with mul in the
/// chain, matmul with mm in the transformer.
void replace_each_thousandth(fx::Graph& graph, Family family) {
  const fx::Target from = graph.context().function(
      family == Family::kChain ? "aten.add.Tensor" : "aten.matmul.default");
  const fx::Target to =
      graph.context().function(family == Family::kChain ? "aten.mul.Tensor" : "aten.mm.default");
  size_t distance = 0;
  for (fx::Node& node : graph.nodes()) {
    if (++distance < 1000 || !node.is(from)) continue;
    node.set_function(to);
    distance = 0;
  }
}

void bm_pass(benchmark::State& state, const fx::Pass& pass, Family family, size_t nodes,
             std::string text) {
  for (auto _ : state) {
    fx::Context context;
    fx::Graph graph(context);
    build(graph, family, nodes);
    fx::Module root;
    for (const fx::Node& node : graph.nodes()) {
      // A tensor without data: passes use only types, and nothing is computed.
      if (node.op() == fx::Opcode::kGetAttr)
        (void)root.assign(node.target(), fx::Attribute::constant(fx::Tensor()));
    }
    if (pass.name == "extract_subgraph") {
      const fx::Node* last = graph.output_node()->arg(0).node();
      text = "extract_subgraph{inputs=" + graph.front()->name() + ",outputs=" + last->name() + "}";
    }
    if (pass.name == "split_module") {
      int64_t i = 0;
      for (fx::Node& node : graph.nodes()) node.meta().set("partition", fx::Argument(i++ / 1000));
    }
    if (pass.name == "split_for_backend") replace_each_thousandth(graph, family);
    const absl::StatusOr<fx::Pipeline> pipeline = fx::parse_pipeline(fx::standard_passes(), text);
    if (!pipeline.ok()) {
      state.SkipWithError("the pipeline is invalid");
      return;
    }
    const fx::ConstantEvaluator evaluate =
        [](const fx::Graph&, const fx::Module&) -> absl::StatusOr<std::vector<fx::Tensor>> {
      return absl::UnimplementedError("nothing is computed here");
    };
    fx::PassRun run(graph, &root, (*pipeline)[0].options, &evaluate);
    const double start = fx::bench::cpu_seconds();
    const absl::StatusOr<bool> changed = pass.run(run);
    state.SetIterationTime(fx::bench::cpu_seconds() - start);
    if (!changed.ok()) {
      state.SkipWithError(std::string(changed.status().message()).substr(0, 120).c_str());
      return;
    }
  }
  state.counters["units"] = static_cast<double>(family_size(family, nodes));
}

void bm_fusion_groups(benchmark::State& state, size_t nodes) {
  fx::Context context;
  fx::Graph graph(context);
  const fx::Type tensor = *context.types().parse("f32[s0, 3]");
  const fx::Type number = *context.types().parse("SymInt(s0)");
  const fx::Target size = context.function("aten.sym_size.int");
  const fx::Target expand = context.function("aten.expand.default");
  const fx::Target relu = context.function("aten.relu.default");
  fx::Node* x = graph.placeholder("x", {.type = tensor});
  fx::Node* last = x;
  std::vector<fx::Node*> sizes, calls;
  const auto expanded = [&](fx::Node* rows) {
    calls.push_back(
        graph.call_function(expand, {x, fx::Argument::list({rows, 3})}, {}, {.type = tensor}));
    return calls.back();
  };
  for (size_t i = 0; i < nodes / 4; ++i) {
    sizes.push_back(graph.call_function(size, {last, 0}, {}, {.type = number}));
    calls.push_back(sizes.back());
    last = graph.call_function(relu, {expanded(sizes.back())}, {}, {.type = tensor});
    calls.push_back(last);
    expanded(sizes[i - std::min<size_t>(i, 50)]);
  }
  graph.output(last);
  for (auto _ : state) {
    std::vector<fx::Node*> backend = calls;
    const double start = fx::bench::cpu_seconds();
    const size_t groups = find_fusion_groups(graph, backend).size();
    state.SetIterationTime(fx::bench::cpu_seconds() - start);
    if (groups != nodes / 4) state.SkipWithError("expected one group for each size");
  }
  state.counters["units"] = static_cast<double>(calls.size());
}

/// Returns the number of repetitions, whose median is reported. The first repetitions include the
/// cost of new memory, or of memory that an earlier case has fragmented.
int repetitions(size_t nodes) { return nodes > 100000 ? 9 : 21; }

}  // namespace

int main(int argc, char** argv) {
  std::vector<size_t> sizes = {10000, 1000000};
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with("--nodes=")) {
      rest.push_back(argv[i]);
      continue;
    }
    sizes.clear();
    std::stringstream list{std::string(argument.substr(8))};
    for (std::string item; std::getline(list, item, ',');)
      sizes.push_back(static_cast<size_t>(std::strtod(item.c_str(), nullptr)));
  }
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  for (const size_t nodes : sizes) {
    const auto add = [nodes](const std::string& pass, std::string_view graph, auto&& run) {
      const std::string name = pass + "/" + std::string(graph) + "/" + std::to_string(nodes);
      benchmark::RegisterBenchmark(name.c_str(), run)
          ->UseManualTime()
          ->Iterations(1)
          ->Repetitions(repetitions(nodes));
    };
    for (const fx::Pass& pass : fx::standard_passes().passes()) {
      for (const Family family : {Family::kChain, Family::kTransformer}) {
        add(pass.name, family_name(family), [&pass, family, nodes](benchmark::State& state) {
          bm_pass(state, pass, family, nodes, pipeline_of(pass));
        });
      }
      if (pass.name == "split_for_backend") {
        add(pass.name, "fragments", [&pass, nodes](benchmark::State& state) {
          bm_pass(state, pass, Family::kTransformer, nodes, with_ops(pass, kSomeOps));
        });
      }
    }
    add("find_fusion_groups", "overlapping",
        [nodes](benchmark::State& state) { bm_fusion_groups(state, nodes); });
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
