// Replays the matches and replacements of Python's torch.fx (make_rewrites.py) with find_matches
// and replace_pattern under torch.fx's options. The matches must be the same and in the same order,
// and the listings must be equal. If torch.fx fails or returns a graph that is out of order,
// fxcpp's graph must be valid.
// Usage: replay_rewrites FILE.jsonl
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/rewrite/replace_pattern.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {
namespace {

using nlohmann::json;

struct Pair {
  std::string name;
  std::unique_ptr<GraphModule> pattern, replacement;
  std::optional<Pattern> compiled;
  ReplaceOptions options = ReplaceOptions::torch_fx();
};

class Replay {
 public:
  absl::Status read_pairs(const json& line) {
    for (const json& j : line["pairs"]) {
      Pair& pair = pairs_.emplace_back();
      pair.name = j["name"].get<std::string>();
      FX_ASSIGN_OR_RETURN(pair.pattern,
                          read_json_module(context_, j["pattern"].get<std::string>()));
      FX_ASSIGN_OR_RETURN(pair.replacement,
                          read_json_module(context_, j["replacement"].get<std::string>()));
      pair.options.pattern.ignore_literals = j["ignore_literals"].get<bool>();
      FX_ASSIGN_OR_RETURN(pair.compiled,
                          Pattern::create(pair.pattern->graph(), pair.options.pattern));
    }
    return absl::OkStatus();
  }

  absl::Status check(const json& line) {
    FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module,
                        read_json_module(context_, line["graph"].get<std::string>()));
    std::vector<const json*> results(pairs_.size());
    for (const json& result : line["results"]) results[result["pair"].get<size_t>()] = &result;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      const absl::Status status = check(*module, pairs_[i], results[i]);
      if (!status.ok()) return with_context(status, pairs_[i].name);
    }
    return absl::OkStatus();
  }

  size_t num_replaced = 0, num_repaired = 0, num_rejected = 0;

 private:
  using Mapping = std::map<std::string, std::string>;

  static std::vector<Mapping> expected(const json* result, const char* key) {
    std::vector<Mapping> mappings;
    if (!result || !result->contains(key)) return mappings;
    for (const json& match : (*result)[key]) {
      Mapping& mapping = mappings.emplace_back();
      for (const auto& [pattern, node] : match.items())
        mapping[pattern] = node.is_null() ? "" : node.get<std::string>();
    }
    return mappings;
  }

  static std::vector<Mapping> found(const MatchList& list) {
    std::vector<Mapping> mappings;
    for (const Match match : list) {
      Mapping& mapping = mappings.emplace_back();
      for (const Node& node : list.pattern_graph().nodes())
        if (const Argument* value = match.value(node))
          mapping[node.name()] = value->is_node() ? value->as_node()->name() : "";
    }
    return mappings;
  }

  static std::string text(const std::vector<Mapping>& mappings) {
    std::string out;
    for (const Mapping& mapping : mappings) {
      out += " {";
      for (const auto& [pattern, node] : mapping) out += fmt::format(" {}:{}", pattern, node);
      out += " }";
    }
    return out;
  }

  static absl::Status compare(std::string_view what, const std::vector<Mapping>& want,
                              const std::vector<Mapping>& got) {
    if (want == got) return absl::OkStatus();
    return absl::InternalError(
        fmt::format("{}\n  torch.fx:{}\n  fxcpp:   {}", what, text(want), text(got)));
  }

  absl::Status check(const GraphModule& module, const Pair& pair, const json* result) {
    MatchOptions options = pair.options.match;
    FX_ASSIGN_OR_RETURN(const MatchList list,
                        find_matches(*pair.compiled, module.graph(), options));
    FX_RETURN_IF_ERROR(compare("matches", expected(result, "matches"), found(list)));
    options.overlap = Overlap::kAll;
    options.check_cycles = false;
    FX_ASSIGN_OR_RETURN(const MatchList every,
                        find_matches(*pair.compiled, module.graph(), options));
    FX_RETURN_IF_ERROR(compare("all matches", expected(result, "all"), found(every)));
    if (list.empty()) return absl::OkStatus();
    return check_replacement(module, pair, *result);
  }

  absl::Status check_replacement(const GraphModule& module, const Pair& pair, const json& result) {
    FX_ASSIGN_OR_RETURN(const std::unique_ptr<GraphModule> copy,
                        module.clone(CopyMode::kShareTensors));
    const Graph& graph = copy->graph();
    const absl::StatusOr<Replacements> done =
        replace_pattern(*copy, *pair.pattern, *pair.replacement, pair.options);
    const VerifierReport report = verify(graph, {.check_index = true});
    if (!report.ok()) return absl::InternalError("the graph is invalid: " + report.str());
    if (!result.contains("listing")) {
      ++(done.ok() ? num_repaired : num_rejected);
      return absl::OkStatus();
    }
    FX_RETURN_IF_ERROR(done.status());
    const std::string listing = print(graph, {.preset = PrintPreset::kTorch});
    std::string want = result["listing"].get<std::string>();
    if (!want.ends_with('\n')) want += '\n';
    if (listing != want)
      return absl::InternalError(fmt::format("torch.fx:\n{}fxcpp:\n{}", want, listing));
    for (size_t i = 0; i < done->size(); ++i) {
      std::vector<std::string> names;
      for (const Node* node : done->inserted(i)) names.push_back(node->name());
      if (json(names) != result["inserted"][i])
        return absl::InternalError(fmt::format("inserted {}, expected {}", json(names).dump(),
                                               result["inserted"][i].dump()));
    }
    ++num_replaced;
    return absl::OkStatus();
  }

  Context context_;
  std::vector<Pair> pairs_;
};

int run(const char* path) {
  std::ifstream in(path);
  std::string text;
  Replay replay;
  size_t num_graphs = 0, num_bad = 0;
  while (std::getline(in, text)) {
    const json line = json::parse(text);
    if (line.contains("pairs")) {
      const absl::Status status = replay.read_pairs(line);
      if (status.ok()) continue;
      fmt::print("{}\n", std::string(status.message()));
      return 1;
    }
    ++num_graphs;
    const absl::Status status = replay.check(line);
    if (status.ok()) continue;
    ++num_bad;
    fmt::print("graph {}: {}\n", line["seed"].dump(), std::string(status.message()));
  }
  fmt::print(
      "{} graphs, {} different; {} replacements equal; where torch.fx fails or leaves an "
      "invalid graph: {} valid, {} rejected\n",
      num_graphs, num_bad, replay.num_replaced, replay.num_repaired, replay.num_rejected);
  return num_bad == 0 && replay.num_replaced > 0 ? 0 : 1;
}

}  // namespace
}  // namespace fx

// parity: R1 R3 R5 R6 R7 R8 R11 R12 SM2 SM3 SM4 SM5 SM9 SM11 SM12
int main(int argc, char** argv) {
  if (argc == 2) return fx::run(argv[1]);
  fmt::print("usage: replay_rewrites FILE.jsonl\n");
  return 2;
}
