// A program that uses the C interface, built with -fno-exceptions and -fno-rtti and without Abseil.
#include "fx/c/fxcpp.h"

#include <cstdio>
#include <cstring>

int main() {
  fxc_context context = nullptr;
  fxc_graph graph = nullptr;
  int changed = 0;
  const char* text = nullptr;
  const char* const input =
      "graph(%x : f32[2]) {\n"
      "  %unused : f32[2] = aten.neg.default(%x)\n"
      "  return %x\n"
      "}\n";
  if (fxc_context_create(nullptr, &context) != FXC_OK ||
      fxc_graph_parse(context, input, std::strlen(input), &graph) != FXC_OK ||
      fxc_run_passes(graph, "eliminate_dead_code", nullptr, &changed) != FXC_OK ||
      fxc_graph_text(graph, "fx", &text, nullptr) != FXC_OK) {
    std::puts(fxc_message());
    return 1;
  }
  std::fputs(text, stdout);
  return changed == 1 && fxc_context_destroy(context) == FXC_OK ? 0 : 1;
}
