// fxcpp ops: lists the operator table, describes an operator, lists the operators of a graph that
// are unknown or have no type function, or checks type functions against recorded calls.
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/registry.h"
#include "fx/ir/support/nearest.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/check/check_cases.h"
#include "fx/passes/shape/type_rules.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <map>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

using nlohmann::ordered_json;
using ops::OpInfo;

/// Returns the rows whose name or packet is `name`, with rows of plugins last. Returns all rows if
/// `name` is empty.
std::vector<const OpInfo*> rows_of(const Context& context, const std::string& name) {
  std::vector<const OpInfo*> rows;
  if (name.empty()) {
    for (const ops::OpFamily& family : ops::op_families())
      for (const OpInfo& op : family.ops) rows.push_back(&op);
  } else if (const OpInfo* op = ops::find_op(name)) {
    return {op};
  } else {
    for (const OpInfo& overload : ops::find_overloads(name)) rows.push_back(&overload);
  }
  for (const OpInfo* op : context.ops().added())
    if (name.empty() || op->name() == name || op->name().starts_with(name + "."))
      rows.push_back(op);
  return rows;
}

ordered_json to_json(const OpInfo& op) {
  ordered_json aliases = ordered_json::array();
  for (const ops::OutputAlias& alias : op.output_aliases()) {
    aliases.push_back({{"output", alias.output},
                       {"argument", op.schema().arguments()[alias.argument].name},
                       {"kind", alias.kind == ops::AliasKind::kSame   ? "same"
                                : alias.kind == ops::AliasKind::kView ? "view"
                                                                      : "maybe"}});
  }
  ordered_json writes = ordered_json::array();
  for (uint8_t index : op.written_arguments())
    writes.push_back(op.schema().arguments()[index].name);
  return {{"name", op.name()},
          {"schema", ops::to_string(op.schema())},
          {"effects", ops::to_string(op.effects())},
          {"writes", std::move(writes)},
          {"aliases", std::move(aliases)}};
}

void print_in_full(const OpInfo& op, std::string& out) {
  ordered_json row = to_json(op);
  out += fmt::format("{}\n  schema   {}\n  effects  {}\n", op.name(), ops::to_string(op.schema()),
                     ops::to_string(op.effects()));
  for (const auto& name : row["writes"])
    out += fmt::format("  writes   {}\n", name.get<std::string>());
  for (const auto& alias : row["aliases"]) {
    out += fmt::format("  aliases  result {} {} {}\n", alias["output"].get<int>(),
                       alias["kind"] == "same"   ? "is"
                       : alias["kind"] == "view" ? "is a view of"
                                                 : "may share memory with",
                       alias["argument"].get<std::string>());
  }
}

struct Missing {
  int calls = 0;
  bool in_table = false;
};

absl::StatusOr<int> list_missing(const std::string& path, bool json) {
  Context context;
  FX_RETURN_IF_ERROR(command_extensions().set_up(context));
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, load_graph(context, path));
  const TypeRules* added_rules = TypeRules::find_in(context);
  std::map<std::string, Missing> missing;
  for (const Graph& g : all_graphs(*graph)) {
    for (const Node& node : g.nodes()) {
      if (node.op() != Opcode::kCallFunction) continue;
      const OpInfo* op = node.function().op();
      if (op && (added_rules != nullptr ? added_rules->find(*op) : find_type_rule(*op)) != nullptr)
        continue;
      Missing& entry = missing[std::string(node.target())];
      ++entry.calls;
      entry.in_table = op != nullptr;
    }
  }
  std::string out;
  if (json) {
    ordered_json list = ordered_json::array();
    for (const auto& [name, entry] : missing)
      list.push_back({{"op", name}, {"calls", entry.calls}, {"in_table", entry.in_table}});
    out = list.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  } else {
    for (const auto& [name, entry] : missing)
      out += fmt::format("{:6} {}  {}\n", entry.calls, name,
                         entry.in_table ? "no type function" : "not in the table");
  }
  FX_RETURN_IF_ERROR(write_file("-", out));
  return missing.empty() ? kDone : kFound;
}

/// Returns a fraction in percent with two decimals. Rounds down, so that 100 means all.
std::string percent(size_t part, size_t total) {
  if (total == 0) return "-";
  const size_t hundredths = part * 10000 / total;
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

/// Returns a table of the results for derived calls, by kind of mutation: the numbers of calls that
/// eager mode rejects and accepts, how many of them type functions treat in the same way, the number
/// of accepted calls with another type, and that of calls that eager mode rejects because of values.
std::string mutation_table(const std::map<std::string, MutationCount>& mutations) {
  MutationCount all;
  std::string out =
      fmt::format("{:10} {:>8} {:>8} {:>7} {:>9} {:>8} {:>7} {:>11} {:>10}\n", "mutation",
                  "rejected", "here", "%", "accepted", "here", "%", "other types", "by values");
  const auto row = [&](std::string_view kind, const MutationCount& count) {
    out += fmt::format("{:10} {:8} {:8} {:>7} {:9} {:8} {:>7} {:11} {:10}\n", kind, count.rejected,
                       count.rejected_by_both, percent(count.rejected_by_both, count.rejected),
                       count.accepted, count.accepted_by_both,
                       percent(count.accepted_by_both, count.accepted), count.other_types,
                       count.by_values);
  };
  for (const auto& [kind, count] : mutations) {
    row(kind, count);
    all.rejected += count.rejected;
    all.rejected_by_both += count.rejected_by_both;
    all.accepted += count.accepted;
    all.accepted_by_both += count.accepted_by_both;
    all.other_types += count.other_types;
    all.by_values += count.by_values;
  }
  row("all", all);
  return out;
}

absl::StatusOr<int> check(const std::string& path, bool json) {
  Context context;
  FX_RETURN_IF_ERROR(command_extensions().set_up(context));
  FX_ASSIGN_OR_RETURN(const std::string text, read_compressed_input(path));
  absl::StatusOr<CaseReport> checked = check_cases(context, text);
  if (!checked.ok()) return with_context(checked.status(), path);
  const CaseReport& report = *checked;
  std::string out;
  if (json) {
    ordered_json failures = ordered_json::array();
    for (const auto& [op, count] : report.operators) {
      if (count.failed == 0) continue;
      failures.push_back({{"op", op}, {"passed", count.passed}, {"failed", count.failed}});
    }
    ordered_json mutations = ordered_json::object();
    for (const auto& [kind, count] : report.mutations) {
      mutations[kind] = {
          {"rejected", count.rejected},       {"rejected_by_both", count.rejected_by_both},
          {"accepted", count.accepted},       {"accepted_by_both", count.accepted_by_both},
          {"other_types", count.other_types}, {"by_values", count.by_values}};
    }
    ordered_json document = {{"operators", report.operators.size()},
                             {"operators_without_type_function", report.without_type_function},
                             {"cases", report.cases()},
                             {"passed", report.passed},
                             {"failed", report.failures.size()},
                             {"failures", std::move(failures)}};
    if (!mutations.empty()) document["mutations"] = std::move(mutations);
    out = document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  } else {
    for (const CaseFailure& failure : report.failures) {
      out += fmt::format("line {}: {} ({})\n  recorded {}\n  got      {}\n", failure.line,
                         failure.op, failure.variant, failure.expected, failure.got);
    }
    out += fmt::format("{}, {} without a type function; {} cases, {} passed\n",
                       pluralize(report.operators.size(), "operator"),
                       report.without_type_function.size(), report.cases(), report.passed);
    if (!report.mutations.empty()) out += mutation_table(report.mutations);
  }
  FX_RETURN_IF_ERROR(write_file("-", out));
  return report.failures.empty() ? kDone : kFound;
}

absl::Status no_such_operator(const Context& context, const std::string& name) {
  const std::string aten = "aten." + (name.starts_with("torch.") ? name.substr(6) : name);
  if (!rows_of(context, aten).empty())
    return absl::NotFoundError(
        fmt::format("unknown operator {}; the registered name is {}", name, aten));
  std::vector<std::string_view> names;
  for (const OpInfo* op : rows_of(context, "")) {
    names.push_back(op->name());
    names.push_back(op->name().substr(0, op->name().rfind('.')));
  }
  return absl::NotFoundError(fmt::format("unknown operator {}{}; `fxcpp ops` lists all operators",
                                         name, did_you_mean(name, names)));
}

absl::StatusOr<int> print_rows(const std::string& name, bool json) {
  Context context;
  FX_RETURN_IF_ERROR(command_extensions().set_up(context));
  const std::vector<const OpInfo*> rows = rows_of(context, name);
  if (rows.empty()) return no_such_operator(context, name);
  std::string out;
  ordered_json list = ordered_json::array();
  for (const OpInfo* op : rows) {
    if (json)
      list.push_back(to_json(*op));
    else if (name.empty())
      out += fmt::format("{:48} {}\n", op->name(), ops::to_string(op->effects()));
    else
      print_in_full(*op, out);
  }
  if (json) out = list.dump(1) + "\n";
  FX_RETURN_IF_ERROR(write_file("-", out));
  return kDone;
}

}  // namespace

Run add_ops(CLI::App& app) {
  struct OpsFlags {
    std::string name, missing, cases;
    bool json = false;
  };
  auto options = std::make_shared<OpsFlags>();
  app.add_option("NAME", options->name,
                 "an operator (aten.add.Tensor) or all overloads (aten.add)");
  app.add_option("--missing", options->missing,
                 "list the functions that this graph calls and that have no row in the table or no "
                 "type function; exit status 1 if there are any");
  app.add_option("--check", options->cases,
                 "check type functions against recorded calls (JSON lines, optionally gzipped); "
                 "exit status 1 if any result differs");
  app.add_flag("--json", options->json, "[{name, schema, effects, writes, aliases}]");
  return [options]() -> absl::StatusOr<int> {
    if (!options->missing.empty()) return list_missing(options->missing, options->json);
    if (!options->cases.empty()) return check(options->cases, options->json);
    return print_rows(options->name, options->json);
  };
}

}  // namespace fx::tools
