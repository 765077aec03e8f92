// fxcpp partition: cuts a joint graph into a forward and a backward graph.
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/partition/joint/joint_partition.h"
#include "fx/tools/driver/document.h"
#include "tools/command.h"
#include "tools/summary.h"

#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct PartitionFlags {
  std::string input, folder, method = "min-cut", budget;
  std::vector<std::string> save, recompute, symbols;
};

absl::StatusOr<MemoryBudget> parse_budget(const std::string& text) {
  const auto wrong = [&] {
    return absl::InvalidArgumentError(fmt::format(
        "--budget {}: expected a fraction with a decimal point, as in 0.5, or bytes, as in 4096 or "
        "64MiB",
        text));
  };
  MemoryBudget budget;
  if (text.find('.') != std::string::npos) {
    double fraction = 0;
    if (!absl::SimpleAtod(text, &fraction) || !(fraction >= 0)) return wrong();
    budget.fraction = fraction;
    return budget;
  }
  int64_t unit = 1;
  std::string_view digits = text;
  constexpr std::pair<std::string_view, int64_t> kUnits[] = {
      {"KiB", int64_t{1} << 10}, {"MiB", int64_t{1} << 20}, {"GiB", int64_t{1} << 30}};
  for (const auto& [name, bytes] : kUnits) {
    if (!digits.ends_with(name)) continue;
    digits.remove_suffix(name.size());
    unit = bytes;
  }
  int64_t count = 0;
  int64_t bytes = 0;
  if (!absl::SimpleAtoi(absl::string_view(digits.data(), digits.size()), &count) || count < 0 ||
      __builtin_mul_overflow(count, unit, &bytes))
    return wrong();
  budget.bytes = bytes;
  return budget;
}

absl::Status write_part(const Document& document, std::unique_ptr<Graph> part,
                        const std::filesystem::path& path) {
  FX_RETURN_IF_ERROR(with_context(verify_status(*part), path.filename().string()));
  replace_graph(document.graph(), std::move(part));
  FX_ASSIGN_OR_RETURN(const std::string left_out, document.write(path.string()));
  if (!left_out.empty()) fmt::print(stderr, "# {}\n", left_out);
  return absl::OkStatus();
}

absl::StatusOr<int> run_partition(const PartitionFlags& flags) {
  Context context;
  FX_ASSIGN_OR_RETURN(const Document document,
                      Document::read_and_print_notes(context, flags.input));
  Graph& graph = document.graph();
  complete_types(graph);
  JointPartitionOptions options{.save = flags.save, .recompute = flags.recompute};
  options.method = flags.method == "default" ? JointMethod::kDefault : JointMethod::kMinCut;
  if (!flags.budget.empty()) {
    FX_ASSIGN_OR_RETURN(options.budget, parse_budget(flags.budget));
  }
  FX_ASSIGN_OR_RETURN(options.bindings, parse_symbols(graph, flags.symbols));
  FX_ASSIGN_OR_RETURN(JointPartition partition, partition_joint(graph, options));
  const std::string table = to_string(partition);
  fmt::print("{}", table);
  if (flags.folder.empty() || is_device_file(flags.folder)) return kDone;
  const std::filesystem::path folder = flags.folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::InvalidArgumentError(
        fmt::format("cannot create the folder {}: {}", flags.folder, error.message()));
  }
  FX_RETURN_IF_ERROR(write_part(document, std::move(partition.forward), folder / "forward.fx"));
  FX_RETURN_IF_ERROR(write_part(document, std::move(partition.backward), folder / "backward.fx"));
  FX_RETURN_IF_ERROR(write_file((folder / "partition.txt").string(), table));
  return kDone;
}

}  // namespace

Run add_partition(CLI::App& app) {
  auto flags = std::make_shared<PartitionFlags>();
  app.add_option("FILE", flags->input, "the joint graph")->required();
  app.add_option(
         "--joint", flags->method,
         "the values that the forward graph saves: with default, all values that the backward pass "
         "uses; with min-cut (the default), the fewest bytes, so that cheap values are recomputed")
      ->check(CLI::IsMember({"default", "min-cut"}));
  app.add_option("--budget", flags->budget,
                 "the limit for saved values: a fraction of the bytes that default saves (0.5), or "
                 "bytes (4096, 64MiB); expensive values are recomputed if required");
  app.add_option(
      "--save", flags->save,
      "nodes, or modules with all their nodes, that are never recomputed; in the path of "
      "a module, `*` matches any characters and `?` one");
  app.add_option("--recompute", flags->recompute,
                 "nodes or modules, as in --save, whose values are recomputed instead of saved");
  app.add_option("--symbol", flags->symbols, "NAME=N: the value of a symbolic size");
  app.add_option("-o", flags->folder,
                 "the folder for forward.fx, backward.fx and partition.txt (the table)");
  return [flags]() -> absl::StatusOr<int> { return run_partition(*flags); };
}

}  // namespace fx::tools
