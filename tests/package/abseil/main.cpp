// A program with a separate copy of Abseil that counts the operators of a graph through the C
// interface.
#include "fx/c/fxcpp.h"

#include "absl/base/config.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_format.h"

#include <cstring>
#include <map>
#include <string>

namespace {

absl::Status status_of(fxc_status code) {
  return code == FXC_OK ? absl::OkStatus() : absl::InvalidArgumentError(fxc_message());
}

absl::Status count_operators(absl::flat_hash_map<std::string, int>& counts) {
  const char* const text =
      "graph(%x : f32[2]) {\n"
      "  %a : f32[2] = aten.neg.default(%x)\n"
      "  %b : f32[2] = aten.neg.default(%a)\n"
      "  %c : f32[2] = aten.relu.default(%b)\n"
      "  return %c\n"
      "}\n";
  fxc_context context = nullptr;
  fxc_graph graph = nullptr;
  if (auto s = status_of(fxc_context_create(nullptr, &context)); !s.ok()) return s;
  if (auto s = status_of(fxc_graph_parse(context, text, std::strlen(text), &graph)); !s.ok())
    return s;
  fxc_node node = nullptr;
  if (auto s = status_of(fxc_graph_first(graph, &node)); !s.ok()) return s;
  while (node != nullptr) {
    const char* target = nullptr;
    if (auto s = status_of(fxc_node_target(node, &target)); !s.ok()) return s;
    ++counts[target];
    if (auto s = status_of(fxc_node_next(node, &node)); !s.ok()) return s;
  }
  fxc_graph missing = nullptr;
  const absl::Status error = status_of(fxc_graph_parse(context, "graph(", 6, &missing));
  if (error.ok()) return absl::InternalError("an invalid graph was accepted");
  absl::PrintF("error: %s\n", error.message());
  return status_of(fxc_context_destroy(context));
}

}  // namespace

int main() {
  absl::flat_hash_map<std::string, int> counts;
  if (const absl::Status status = count_operators(counts); !status.ok()) {
    absl::PrintF("%s\n", status.message());
    return 1;
  }
  for (const auto& [op, count] : std::map<std::string, int>(counts.begin(), counts.end()))
    absl::PrintF("%s %d\n", op, count);
  absl::PrintF("Abseil %d\n", ABSL_LTS_RELEASE_VERSION);
  return counts["aten.neg.default"] == 2 ? 0 : 1;
}
