// Writes labels, styles and tooltips.
#include "fx/codegen/dot/dot_writer.h"

#include "fx/codegen/escape.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/text/listing.h"
#include "fx/passes/analysis/edges.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/summary/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace fx {
namespace {

constexpr size_t kNameLimit = 64, kTypeLimit = 44, kArgumentLimit = 60, kTooltipLimit = 1200;

// Okabe and Ito's blue and a darker form of their orange, which color-blind people can
// distinguish. The fills differ in lightness, so that they also differ in black and white.
constexpr std::string_view kForward =
    R"(shape=box, style="filled", fillcolor="#e3f0fa", color="#0072b2")";
constexpr std::string_view kBackward =
    R"(shape=box, style="filled,rounded,dashed", fillcolor="#f5c469", color="#8a4500", penwidth=1.4)";
constexpr std::string_view kInput =
    R"(shape=oval, style="filled,bold", fillcolor="#ffffff", color="#222222")";
constexpr std::string_view kTangent =
    R"(shape=oval, style="filled,dashed", fillcolor="#f5c469", color="#8a4500", penwidth=1.4)";
constexpr std::string_view kParameter =
    R"(shape=oval, style="filled", fillcolor="#eeeeee", color="#777777")";
constexpr std::string_view kAttribute =
    R"(shape=note, style="filled", fillcolor="#eeeeee", color="#777777")";
constexpr std::string_view kOutput =
    R"(shape=box, peripheries=2, style="filled,bold", fillcolor="#ffffff", color="#222222")";

std::string_view style_of(const ViewBox& box) {
  switch (box.kind) {
    case ViewBoxKind::kInput:
      return box.backward ? kTangent : kInput;
    case ViewBoxKind::kParameter:
      return kParameter;
    case ViewBoxKind::kAttribute:
      return kAttribute;
    case ViewBoxKind::kOutput:
      return kOutput;
    default:
      return box.backward ? kBackward : kForward;
  }
}

/// Returns "f32[8, 64]" for a tensor and "(f32[8], i64[8])" for multiple results.
std::string short_type(Type type) {
  if (!type) return {};
  if (type.is_tuple() || type.is_list()) {
    std::string text;
    for (const Type item : type.items()) {
      if (!text.empty()) text += ", ";
      text += short_type(item);
    }
    return shorten(fmt::format("({})", text), kTypeLimit);
  }
  if (!type.is_tensor()) return shorten(to_string(type), kTypeLimit);
  // Strides, offset and device are in the tooltip.
  const std::string whole = to_string(type);
  const size_t close = whole.find(']');
  return shorten(close == std::string::npos ? whole : whole.substr(0, close + 1), kTypeLimit);
}

std::string small(std::string_view text) {
  return fmt::format("<FONT POINT-SIZE=\"9\">{}</FONT>", escape_xml(text));
}

std::string bold(std::string_view text) {
  return fmt::format("<B>{}</B>", escape_xml(shorten(text, kNameLimit)));
}

/// Returns text on a white background, so that lines and frames behind it do not cross the letters.
std::string on_white(std::string_view text) {
  return fmt::format(
      "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"2\" CELLPADDING=\"1\">"
      "<TR><TD BGCOLOR=\"white\">{}</TD></TR></TABLE>",
      escape_xml(text));
}

/// Returns a multi-line label, as rows of a table. Lines that are separated by <BR/> are so close
/// together that the underscore of a name would touch the type below it.
std::string lines_label(const std::vector<std::string>& lines) {
  if (lines.size() == 1) return lines[0];
  std::string rows;
  for (const std::string& line : lines) rows += fmt::format("<TR><TD>{}</TD></TR>", line);
  return fmt::format(
      R"(<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">{}</TABLE>)", rows);
}

/// Returns the totals of a module or a run: "3 nodes, 2.1M FLOPs".
std::string totals(const ViewBox& box) {
  std::string text = pluralize(box.num_nodes, "node");
  if (box.flops > 0) text += fmt::format(", {} FLOPs", count_text(box.flops));
  return text;
}

/// Returns the path of a module relative to the frame around it.
std::string_view name_in_frame(std::string_view module, std::string_view frame) {
  if (module.size() > frame.size() && !frame.empty()) module.remove_prefix(frame.size() + 1);
  return module;
}

std::string input_label(const Node& node) {
  const std::string_view target = input_fact(node, "target");
  if (!target.empty()) return std::string(target);
  return std::string(input_fact(node, "kind"));
}

}  // namespace

DotWriter::DotWriter(const GraphView& view, const DotOptions& options, bool columns)
    : view_(view),
      options_(options),
      labels_edges_(view.edges.size() <= options.max_edge_labels),
      columns_(columns) {}

std::string DotWriter::title() const {
  if (!options_.title.empty() || view_.boxes.empty()) return options_.title;
  const auto model = view_.boxes[0].node->graph().meta("model");
  return model && model->is_string() ? std::string(model->as_string()) : std::string();
}

void DotWriter::open(std::string& out) const {
  out += fmt::format("digraph \"{}\" {{\n", escape_dot(title()));
  // Without bounds on the iterations of the layout, a few hundred nodes take minutes. remincross,
  // the second crossing minimization, would discard the order of the columns.
  out +=
      "  graph [rankdir=TB, newrank=true, remincross=false, nslimit=2, nslimit1=2, mclimit=0.5, "
      "ranksep=0.35, "
      "nodesep=0.25, splines=true, bgcolor=white, fontname=\"Helvetica,Arial,sans-serif\", "
      "fontsize=12, labeljust=l, labelloc=t, tooltip=\" \"];\n"
      "  node [fontname=\"Helvetica,Arial,sans-serif\", fontsize=11, margin=\"0.12,0.06\", "
      "height=0.3];\n"
      "  edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=9, arrowsize=0.7, "
      "color=\"#333333\"];\n";
}

std::string DotWriter::label(const ViewBox& box) const {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view text) { lines.push_back(small(text)); };
  const Node& node = *box.node;
  switch (box.kind) {
    case ViewBoxKind::kModule:
      lines.push_back(bold(name_in_frame(box.module, view_.clusters[box.cluster].module)));
      break;
    case ViewBoxKind::kRun:
      lines.push_back(bold(node.name()));
      if (box.last) add(fmt::format("to {}", shorten(box.last->name(), kNameLimit)));
      break;
    case ViewBoxKind::kOutput:
      lines.push_back(bold(node.name()));
      break;
    default:
      lines.push_back(bold(node.name()));
      if (node.is_placeholder() && !input_label(node).empty())
        add(shorten(input_label(node), kTypeLimit));
      if (node.op() == Opcode::kGetAttr && node.target() != node.name())
        add(shorten(node.target(), kTypeLimit));
      if (node.type()) add(short_type(node.type()));
  }
  if (box.kind == ViewBoxKind::kModule || box.kind == ViewBoxKind::kRun) {
    add(totals(box));
    if (box.parameters > 0 && !box.backward) add(count_text(box.parameters) + " parameters");
  }
  for (const std::string& note : box.notes) add(shorten(note, kArgumentLimit));
  if (!view_.has_frames && box.kind != ViewBoxKind::kModule && !box.module.empty())
    add("in " + shorten(box.module, kTypeLimit));
  return lines_label(lines);
}

void DotWriter::call_rows(std::string& rows, const Node& node) const {
  const auto row = [&](std::string_view what, std::string_view text) {
    rows += fmt::format("<TR><TD ALIGN=\"LEFT\">{}: {}</TD></TR>", what,
                        escape_xml(shorten(text, kArgumentLimit)));
  };
  row("op", opcode_name(node.op()));
  row("target", node.target());
  std::vector<Argument> args = node.args();
  std::vector<Kwarg> kwargs = node.kwargs();
  if (options_.normalize_arguments && node.op() == Opcode::kCallFunction) {
    if (auto normal = normalized_arguments(node, /*only_kwargs=*/true); normal.ok()) {
      args = std::move(normal->args);
      kwargs = std::move(normal->kwargs);
    }
  }
  for (size_t i = 0; i < args.size(); ++i) row(fmt::format("args[{}]", i), python_str(args[i]));
  for (const Kwarg& kwarg : kwargs) row(escape_xml(kwarg.key), python_str(kwarg.value));
  row("users", fmt::format("{}", node.num_users()));
  if (node.type()) row("type", to_string(node.type()));
}

std::string DotWriter::tooltip(const ViewBox& box) const {
  const Node& node = *box.node;
  std::string text;
  if (box.kind == ViewBoxKind::kModule || box.kind == ViewBoxKind::kRun) {
    text = fmt::format("{}{} pass, {}, the first {}", box.module.empty() ? "" : box.module + "\n",
                       box.backward ? "backward" : "forward", pluralize(box.num_nodes, "node"),
                       node.name());
    return text;
  }
  text = format_node(node);
  if (text.empty()) text = node.name();
  if (node.type()) text += fmt::format("\n{}", to_string(node.type()));
  if (!box.module.empty()) text += fmt::format("\nmodule {}", box.module);
  if (const auto aten = node.meta().get(meta::kOriginalAten))
    text += fmt::format("\nfrom {}", *aten);
  if (const auto seq = node.meta().get(meta::kSeq)) text += fmt::format("\nseq {}", *seq);
  for (const NodeSource& source : node_sources(node)) text += fmt::format("\n{}", source.str());
  if (const auto trace = node.meta().get(meta::kStackTrace)) text += fmt::format("\n{}", *trace);
  return shorten(text, kTooltipLimit);
}

void DotWriter::box(std::string& out, uint32_t i) const {
  const ViewBox& box = view_.boxes[i];
  const bool detailed = options_.detail == DotDetail::kCalls && box.kind != ViewBoxKind::kModule &&
                        box.kind != ViewBoxKind::kRun && !box.node->is_output();
  std::string text = label(box);
  if (detailed) {
    std::string rows = fmt::format("<TR><TD ALIGN=\"LEFT\"><B>{}</B></TD></TR>",
                                   escape_xml(shorten(box.node->name(), kNameLimit)));
    call_rows(rows, *box.node);
    for (const std::string& note : box.notes)
      rows += fmt::format("<TR><TD ALIGN=\"LEFT\">{}</TD></TR>",
                          escape_xml(shorten(note, kArgumentLimit)));
    text = fmt::format(
        R"(<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{}</TABLE>)", rows);
  }
  out += fmt::format("  n{} [{}, label=<{}>, tooltip=\"{}\"{}];\n", i, style_of(box), text,
                     escape_dot(tooltip(box)),
                     box.context  ? ", fontcolor=\"#777777\", penwidth=0.6"
                     : box.center ? ", penwidth=3"
                                  : "");
}

void DotWriter::edge(std::string& out, const ViewEdge& edge, std::string_view from,
                     std::string_view to) const {
  const ViewBox& source = view_.boxes[edge.from];
  const ViewBox& target = view_.boxes[edge.to];
  const bool has_one_node = target.kind != ViewBoxKind::kModule && target.kind != ViewBoxKind::kRun;
  std::string words =
      short_type(has_one_node ? edge_type({edge.value, target.node, 0}) : edge.value->type());
  if (edge.num_values > 1) words = fmt::format("{} values", edge.num_values);
  std::string more = fmt::format(
      "edgetooltip=\"{}\", labeltooltip=\"{}\"",
      escape_dot(fmt::format("{} to {}: {}", edge.value->name(), target.node->name(), words)),
      escape_dot(edge.value->name()));
  if (labels_edges_ && !words.empty() && !edge.saved)
    more += fmt::format(", label=<{}>", on_white(words));
  if (edge.saved) {
    // With columns, these edges cannot close a cycle, so they may constrain the ranks.
    more += columns_ ? ", minlen=0, weight=0" : ", constraint=false";
    more += ", style=dotted, color=\"#666666\"";
  } else if (source.backward && target.backward) {
    // The backward pass runs up, so the edge is written reversed.
    out += fmt::format("  {} -> {} [dir=back, color=\"#8a4500\", penwidth=1.3, {}];\n", to, from,
                       more);
    return;
  } else if (source.backward) {
    more += ", constraint=false, color=\"#8a4500\"";
  }
  out += fmt::format("  {} -> {} [{}];\n", from, to, more);
}

void DotWriter::invisible_edge(std::string& out, uint32_t above, uint32_t below) const {
  out += fmt::format("  n{} -> n{} [style=invis];\n", above, below);
}

void DotWriter::legend(std::string& out) const {
  std::string heading = title();
  size_t forward = 0, backward = 0;
  for (const ViewBox& box : view_.boxes) {
    if (box.kind == ViewBoxKind::kCall || box.kind == ViewBoxKind::kModule ||
        box.kind == ViewBoxKind::kRun)
      (box.backward ? backward : forward) += box.num_nodes;
  }
  std::string rows;
  if (!heading.empty())
    rows = fmt::format("<TR><TD COLSPAN=\"2\" ALIGN=\"LEFT\"><B>{}</B></TD></TR>",
                       escape_xml(heading));
  rows += fmt::format("<TR><TD COLSPAN=\"2\" ALIGN=\"LEFT\">{} forward, {} backward</TD></TR>",
                      pluralize(forward, "call"), backward);
  const auto row = [&](std::string_view cell, std::string_view words) {
    rows += fmt::format("<TR>{}<TD ALIGN=\"LEFT\">{}</TD></TR>", cell, words);
  };
  const std::string_view unit = view_.collapsed ? "modules and calls" : "calls";
  row("<TD BGCOLOR=\"#e3f0fa\" BORDER=\"1\" COLOR=\"#0072b2\">forward</TD>",
      fmt::format("{}, downwards", unit));
  if (view_.has_backward) {
    row("<TD BGCOLOR=\"#f5c469\" BORDER=\"2\" STYLE=\"ROUNDED\" COLOR=\"#8a4500\">backward</TD>",
        fmt::format("{}, upwards; dashed outline", unit));
    row("<TD>. . . .</TD>", "saved for the backward pass");
  }
  if (std::ranges::any_of(view_.boxes, &ViewBox::context))
    row("<TD><FONT COLOR=\"#777777\">faded</FONT></TD>", "next to the selection");
  row("<TD>oval</TD>", "input");
  row("<TD>double</TD>", "output of the graph");
  out += fmt::format(
      "  legend [shape=box, style=\"filled\", fillcolor=\"#fcfcfc\", color=\"#bbbbbb\", "
      "fontsize=10, tooltip=\"legend\", label=<<TABLE BORDER=\"0\" CELLSPACING=\"2\" "
      "CELLPADDING=\"2\">{}</TABLE>>];\n",
      rows);
}

std::vector<std::pair<uint32_t, uint32_t>> invisible_edges(const GraphView& view) {
  std::vector<uint8_t> has_edge(view.boxes.size(), 0);
  for (const ViewEdge& edge : view.edges) has_edge[edge.from] = has_edge[edge.to] = 1;
  std::map<std::pair<uint32_t, bool>, std::vector<uint32_t>> rows;  // keyed by frame and pass
  for (uint32_t i = 0; i < view.boxes.size(); ++i) {
    const ViewBox& box = view.boxes[i];
    if (box.kind == ViewBoxKind::kCall || box.kind == ViewBoxKind::kModule ||
        box.kind == ViewBoxKind::kRun)
      rows[{box.cluster, box.backward}].push_back(i);
  }
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const auto& [key, row] : rows) {
    for (size_t k = 0; k + 1 < row.size(); ++k) {
      const bool is_isolated = has_edge[row[k]] == 0, is_next_isolated = has_edge[row[k + 1]] == 0;
      if (!is_next_isolated && !(is_isolated && k == 0)) continue;
      edges.emplace_back(row[k], row[k + 1]);
      if (key.second) std::swap(edges.back().first, edges.back().second);  // the pass runs up
    }
  }
  return edges;
}

void open_cluster(std::string& out, const ViewCluster& cluster, uint32_t number,
                  std::string_view outer_module) {
  const bool inside = !outer_module.empty() && cluster.module.starts_with(outer_module);
  const std::string_view name =
      inside ? std::string_view(cluster.module).substr(outer_module.size() + 1) : cluster.module;
  // The label has a white background, like the labels of edges.
  const std::string label =
      name.empty() ? std::string("\"\"") : fmt::format("<{}>", on_white(shorten(name, kNameLimit)));
  out += fmt::format(
      "  subgraph cluster_{} {{\n  label={}; tooltip=\"{}\"; style=\"rounded\"; "
      "color=\"#999999\"; fontcolor=\"#444444\"; fontsize=11;\n",
      number, label, escape_dot(cluster.module));
}

}  // namespace fx
