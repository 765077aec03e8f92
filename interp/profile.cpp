#include "fx/interp/profile.h"

#include "fx/ir/graph/meta.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>

namespace fx {
namespace {

const std::string& group_name(const ProfileEvent& event, ProfileGroup group) {
  switch (group) {
    case ProfileGroup::kNode:
      return event.name;
    case ProfileGroup::kTarget:
      return event.target;
    case ProfileGroup::kModule:
      break;
  }
  return event.module;
}

std::string time_text(int64_t ns) { return fmt::format("{:.3f}", static_cast<double>(ns) * 1e-6); }

}  // namespace

ProfileEvent profile_event(const Node& node) {
  ProfileEvent event;
  event.name = node.name();
  const bool is_input = node.is_placeholder() || node.op() == Opcode::kGetAttr;
  event.target = is_input ? opcode_name(node.op()) : node.target();
  event.module = node.meta().get(meta::kModule).value_or("");
  event.opcode = opcode_name(node.op());
  return event;
}

int64_t Profile::total_ns() const {
  int64_t total = 0;
  for (const ProfileEvent& event : events) total += event.self_ns;
  return total;
}

std::vector<ProfileRow> Profile::rows(ProfileGroup group) const {
  std::vector<ProfileRow> rows;
  absl::flat_hash_map<std::string_view, size_t> indices;
  for (const ProfileEvent& event : events) {
    const std::string& name = group_name(event, group);
    const auto [index, is_new] = indices.try_emplace(name, rows.size());
    if (is_new) rows.push_back({.name = name});
    ProfileRow& row = rows[index->second];
    ++row.calls;
    row.self_ns += event.self_ns;
    row.bytes += event.bytes;
  }
  std::sort(rows.begin(), rows.end(), [](const ProfileRow& a, const ProfileRow& b) {
    return a.self_ns != b.self_ns ? a.self_ns > b.self_ns : a.name < b.name;
  });
  return rows;
}

std::string Profile::table(ProfileGroup group, size_t limit) const {
  const std::vector<ProfileRow> all = rows(group);
  const double total = static_cast<double>(std::max<int64_t>(total_ns(), 1));
  std::string text =
      fmt::format("{:>10} {:>6} {:>7} {:>12}  {}\n", "self ms", "%", "calls", "bytes",
                  group == ProfileGroup::kNode     ? "node"
                  : group == ProfileGroup::kTarget ? "target"
                                                   : "module");
  size_t calls = 0;
  int64_t bytes = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    calls += all[i].calls;
    bytes += all[i].bytes;
    if (i >= limit) continue;
    text += fmt::format("{:>10} {:>6.1f} {:>7} {:>12}  {}\n", time_text(all[i].self_ns),
                        100 * static_cast<double>(all[i].self_ns) / total, all[i].calls,
                        all[i].bytes, all[i].name.empty() ? "(none)" : all[i].name);
  }
  if (all.size() > limit) text += fmt::format("{:>10} and {} more\n", "...", all.size() - limit);
  text += fmt::format("{:>10} {:>6.1f} {:>7} {:>12}  total\n", time_text(total_ns()), 100.0, calls,
                      bytes);
  return text;
}

std::string Profile::chrome_trace() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ProfileEvent& event : events) {
    list.push_back(
        {{"name", event.name},
         {"cat", event.opcode},
         {"ph", "X"},
         {"pid", 0},
         {"tid", 0},
         {"ts", static_cast<double>(event.start_ns) * 1e-3},
         {"dur", static_cast<double>(event.time_ns) * 1e-3},
         {"args", {{"target", event.target}, {"module", event.module}, {"bytes", event.bytes}}}});
  }
  const nlohmann::ordered_json trace = {{"displayTimeUnit", "ns"},
                                        {"traceEvents", std::move(list)}};
  return trace.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace fx
