// Hot operations of the IR, marked for callgrind, which counts their instructions;
// bench/instructions.py runs this program and compares the counts with stored ones.
#include "bench/fx_subject.h"

#include <valgrind/callgrind.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using fx::bench::Family;
using fx::bench::FxGraph;
using fx::bench::Paths;

constexpr size_t kNodes = 12000;

/// Measures one operation under the name `name/family`, on an existing graph.
template <class F>
void measure(const char* name, Family family, const Paths& paths, bool is_returned, F run) {
  FxGraph subject;
  subject.build(family, kNodes, paths, is_returned);
  const std::string label = std::string(name) + '/' + std::string(family_name(family));
  CALLGRIND_ZERO_STATS;
  run(subject);
  CALLGRIND_DUMP_STATS_AT(label.c_str());
}

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong result: %s\n", what);
  std::exit(1);
}

}  // namespace

int main() {
  const Paths paths(kNodes);
  for (const Family family : {Family::kChain, Family::kTransformer}) {
    {
      FxGraph subject;
      const std::string label = "build/" + std::string(family_name(family));
      CALLGRIND_ZERO_STATS;
      subject.build(family, kNodes, paths, true);
      CALLGRIND_DUMP_STATS_AT(label.c_str());
    }
    measure("iterate", family, paths, true, [](FxGraph& g) { g.iterate(); });
    measure("verify", family, paths, true, [](FxGraph& g) { check(g.verify(), "verify"); });
    measure("clone", family, paths, true, [](FxGraph& g) { g.clone(); });
    measure("dce_all_dead", family, paths, false, [](FxGraph& g) { g.dce(); });
    measure("cse", family, paths, true, [](FxGraph& g) { g.cse(); });
    std::string text, bytes;
    measure("print", family, paths, true, [&](FxGraph& g) { g.print(text); });
    measure("parse", family, paths, true, [&](FxGraph& g) { g.parse(text); });
    measure("write_binary", family, paths, true, [&](FxGraph& g) { g.write_binary(bytes); });
    measure("read_binary", family, paths, true, [&](FxGraph& g) { g.read_binary(bytes); });
  }
  measure("rauw_each", Family::kChain, paths, true, [](FxGraph& g) { g.replace_each(); });
  measure("rewrite_loop", Family::kBackToBack, paths, true, [](FxGraph& g) { g.rewrite_loop(); });
#ifdef __clang__
  std::puts("clang");  // counts are compared with those of the same compiler
#else
  std::puts("gcc");
#endif
  return 0;
}
