// The text and the JSON of a summary: see summary.h.
#include "fx/ir/support/pluralize.h"
#include "fx/ir/types/dtype.h"
#include "fx/passes/summary/summary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace fx {
namespace {

using nlohmann::ordered_json;

std::string scaled(int64_t number, double base, std::span<const std::string_view> units) {
  auto value = static_cast<double>(number);
  size_t unit = 0;
  while (std::abs(value) >= base && unit + 1 < units.size()) {
    value /= base;
    ++unit;
  }
  if (unit == 0) return fmt::format("{}{}", number, units[0]);
  return fmt::format("{:.{}f}{}", value,
                     std::abs(value) < 10    ? 2
                     : std::abs(value) < 100 ? 1
                                             : 0,
                     units[unit]);
}

/// A table with a left-aligned first column and right-aligned other columns.
class Table {
 public:
  explicit Table(std::vector<std::string> head) { add(std::move(head)); }
  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
    rows_.push_back(std::move(row));
  }
  std::string str() const {
    std::string text;
    for (const std::vector<std::string>& row : rows_) {
      std::string line = fmt::format("  {:<{}}", row[0], widths_[0]);
      for (size_t i = 1; i < row.size(); ++i) line += fmt::format("  {:>{}}", row[i], widths_[i]);
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> widths_;
};

std::string tensors_line(std::string_view what, const TensorCount& count) {
  if (count.tensors == 0) return {};
  return fmt::format("  {:<12}{} in {}, {}\n", what, count_text(count.elements),
                     pluralize(count.tensors, "tensor"), bytes_text(count.bytes));
}

int path_depth(std::string_view path) {
  return path.empty() ? 0 : static_cast<int>(std::ranges::count(path, '.')) + 1;
}

std::string module_name(std::string_view path) {
  if (path.empty()) return "(all)";
  const size_t dot = path.rfind('.');
  return fmt::format("{:{}}{}", "", path_depth(path) * 2,
                     dot == std::string_view::npos ? path : path.substr(dot + 1));
}

ordered_json to_json(const StepPartCounts& numbers) {
  return {{"forward", numbers.forward},
          {"backward", numbers.backward},
          {"optimizer", numbers.optimizer}};
}

ordered_json to_json(const TensorCount& count) {
  return {{"tensors", count.tensors}, {"elements", count.elements}, {"bytes", count.bytes}};
}

ordered_json to_json(const MemoryPeak& peak, const Liveness& liveness) {
  if (!peak.node) return nullptr;
  ordered_json live = ordered_json::object();
  for (const StorageLifetime* life : liveness.live_at(peak.position)) {
    ordered_json& sum = live[std::string(storage_kind_name(life->kind))];
    sum = (sum.is_null() ? 0 : sum.get<int64_t>()) + life->bytes;
  }
  return {{"bytes", peak.bytes}, {"node", peak.node->name()}, {"by_kind", std::move(live)}};
}

std::vector<std::pair<std::string, double>> sorted_bindings(const GraphSummary& summary) {
  std::vector<std::pair<std::string, double>> sorted;
  for (const auto& [symbol, value] : summary.bindings)
    sorted.emplace_back(symbol.str(), value.as_float());
  std::ranges::sort(sorted);
  return sorted;
}

std::string dump(const ordered_json& json, int indent = -1) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string peak_bytes(const MemoryPeak& peak) { return peak.node ? bytes_text(peak.bytes) : ""; }

std::string peak_text(std::string_view pass, const MemoryPeak& peak, const Liveness& liveness,
                      size_t values) {
  if (!peak.node) return {};
  std::string text =
      fmt::format("peak memory of the {}: {}, including {} owned by the caller, at {}\n", pass,
                  bytes_text(peak.bytes), bytes_text(liveness.caller_bytes), peak.node->name());
  Table table({"live value", "bytes", "kind", "type"});
  const std::vector<const StorageLifetime*> live = liveness.live_at(peak.position);
  for (size_t i = 0; i < std::min(values, live.size()); ++i) {
    const StorageLifetime& life = *live[i];
    table.add({life.producer->name(), bytes_text(life.bytes),
               std::string(storage_kind_name(life.kind)), to_string(life.type)});
  }
  if (values < live.size())
    table.add({fmt::format("and {} more", live.size() - values), "", "", ""});
  return values == 0 ? text : text + table.str();
}

}  // namespace

std::string bytes_text(int64_t bytes) {
  static constexpr std::array<std::string_view, 6> kUnits = {" B",   " KiB", " MiB",
                                                             " GiB", " TiB", " PiB"};
  return scaled(bytes, 1024, kUnits);
}

std::string count_text(int64_t count) {
  static constexpr std::array<std::string_view, 7> kUnits = {"",   " k", " M", " G",
                                                             " T", " P", " E"};
  return scaled(count, 1000, kUnits);
}

std::string summary_text(const GraphSummary& s, const SummaryTextOptions& options) {
  std::string text;
  const bool is_step = s.nodes.optimizer > 0;
  // The last column is for the optimizer, which only training steps have.
  const auto row = [&](std::vector<std::string> cells) {
    if (!is_step) cells.pop_back();
    return cells;
  };
  Table passes(row({"", "forward", "backward", "optimizer"}));
  passes.add(row({"calls", std::to_string(s.nodes.forward), std::to_string(s.nodes.backward),
                  std::to_string(s.nodes.optimizer)}));
  passes.add(row({"FLOPs", count_text(s.flops.forward), count_text(s.flops.backward),
                  count_text(s.flops.optimizer)}));
  passes.add(row({"peak memory", peak_bytes(s.peak_forward), peak_bytes(s.peak_backward),
                  peak_bytes(s.peak_optimizer)}));
  text += passes.str();
  text += tensors_line("parameters", s.parameters) + tensors_line("buffers", s.buffers) +
          tensors_line("state", s.state) + tensors_line("inputs", s.inputs) +
          tensors_line("attributes", s.attributes);
  if (s.nodes.backward > 0) {
    text += fmt::format(
        "  saved for backward: {} allocated by the forward pass, {} of parameters and inputs\n",
        bytes_text(s.saved_bytes), bytes_text(s.saved_caller_bytes));
  }
  for (const auto& [symbol, value] : sorted_bindings(s))
    text += fmt::format("  with {} = {:g}\n", symbol, value);
  if (s.liveness.unknown_values > 0)
    text += fmt::format("  {} values of unknown size are not counted\n", s.liveness.unknown_values);
  for (const std::string& op : s.uncounted)
    text += fmt::format("  FLOPs do not include {}: decompose the graph to count it\n", op);
  text += '\n';
  text += peak_text("forward pass", s.peak_forward, s.liveness, options.live_values);
  text += peak_text("backward pass", s.peak_backward, s.liveness, options.live_values);
  text += peak_text("optimizer", s.peak_optimizer, s.liveness, options.live_values);

  text += '\n';
  Table ops(row({"operator", "calls", "backward", "FLOPs", "backward", "%", "optimizer calls"}));
  size_t shown = 0;
  for (const OperatorSummary& op : s.operators) {
    if (shown++ == options.operators) break;
    const int64_t all = s.flops.total();
    const double share =
        all == 0 ? 0 : 100 * static_cast<double>(op.flops.total()) / static_cast<double>(all);
    ops.add(row({op.op, std::to_string(op.calls.forward), std::to_string(op.calls.backward),
                 count_text(op.flops.forward), count_text(op.flops.backward),
                 op.flops.total() == 0 ? "" : fmt::format("{:.1f}", share),
                 std::to_string(op.calls.optimizer)}));
  }
  if (s.operators.size() > options.operators)
    ops.add({fmt::format("and {} more", s.operators.size() - options.operators)});
  text += ops.str();
  if (s.modules.size() < 2) return text;
  text += '\n';
  Table modules(row({"module", "parameters", "calls", "backward", "FLOPs", "backward", "allocated",
                     "backward", "saved", "optimizer calls"}));
  size_t deeper = 0;
  for (const ModuleSummary& m : s.modules) {
    if (path_depth(m.path) > options.module_depth) {
      ++deeper;
      continue;
    }
    modules.add(row({module_name(m.path), count_text(m.parameters.elements),
                     std::to_string(m.nodes.forward), std::to_string(m.nodes.backward),
                     count_text(m.flops.forward), count_text(m.flops.backward),
                     bytes_text(m.allocated_bytes.forward), bytes_text(m.allocated_bytes.backward),
                     bytes_text(m.saved_bytes), std::to_string(m.nodes.optimizer)}));
  }
  text += modules.str();
  if (deeper > 0) text += fmt::format("  {} deeper modules are not shown\n", deeper);
  return text;
}

std::string summary_json(const GraphSummary& s, bool values) {
  ordered_json ops = ordered_json::array();
  for (const OperatorSummary& row : s.operators)
    ops.push_back({{"op", row.op}, {"calls", to_json(row.calls)}, {"flops", to_json(row.flops)}});
  ordered_json modules = ordered_json::array();
  for (const ModuleSummary& m : s.modules) {
    modules.push_back({{"module", m.path},
                       {"parameters", to_json(m.parameters)},
                       {"calls", to_json(m.nodes)},
                       {"flops", to_json(m.flops)},
                       {"allocated_bytes", to_json(m.allocated_bytes)},
                       {"saved_bytes", m.saved_bytes}});
  }
  ordered_json symbols = ordered_json::object();
  for (const auto& [name, value] : sorted_bindings(s)) symbols[name] = value;
  const ordered_json head = {{"calls", to_json(s.nodes)},
                             {"flops", to_json(s.flops)},
                             {"uncounted", s.uncounted},
                             {"parameters", to_json(s.parameters)},
                             {"buffers", to_json(s.buffers)},
                             {"state", to_json(s.state)},
                             {"inputs", to_json(s.inputs)},
                             {"attributes", to_json(s.attributes)},
                             {"caller_bytes", s.liveness.caller_bytes},
                             {"peak",
                              {{"forward", to_json(s.peak_forward, s.liveness)},
                               {"backward", to_json(s.peak_backward, s.liveness)},
                               {"optimizer", to_json(s.peak_optimizer, s.liveness)}}},
                             {"saved_bytes", s.saved_bytes},
                             {"saved_caller_bytes", s.saved_caller_bytes},
                             {"returned_bytes", s.returned_bytes},
                             {"unknown_values", s.liveness.unknown_values},
                             {"symbols", std::move(symbols)},
                             {"operators", std::move(ops)},
                             {"modules", std::move(modules)}};
  std::string text = dump(head, 1);
  if (!values) return text + "\n";
  text.resize(text.rfind('\n'));  // before the closing brace
  text += ",\n \"values\": [";
  for (size_t i = 0; i < s.liveness.nodes.size(); ++i) {
    const Node& node = *s.liveness.nodes[i];
    text += i == 0 ? "\n  " : ",\n  ";
    text += dump({{"node", node.name()},
                  {"allocated_bytes", s.liveness.allocated_bytes(node)},
                  {"live_bytes", s.liveness.live_bytes[i]}});
  }
  return text + "\n ]\n}\n";
}

}  // namespace fx
