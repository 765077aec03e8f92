// Measures the operations of fxcpp and its peers with google-benchmark.
//
// A subject is a class S with a context and one graph:
//
//   void build(Family, size_t nodes, const Paths&, bool is_returned)    required
//   size_t size()                              required; returns the number of operations
//   void destroy()                                                      required
//   ... and any of: build_named, iterate, replace_each, replace_wide, erase_all, dce, cse, clone,
//   split, outline_projections, verify, print, parse, write_binary, read_binary, rewrite_loop,
//   rewrite, rewrite_greedily; collect with insert_before and is_before
//
// Operations that a subject lacks are omitted. Benchmarks are named OP/FAMILY/NODES. Times are the
// process's CPU time (user and system: page faults are part of building a graph), because the wall
// clock of a shared machine is unreliable; every case checks its result. `bytes` is the increase in
// resident memory caused by the operation, per node, for 1e5 nodes or more.
#pragma once

#include "bench/families.h"

#include "benchmark/benchmark.h"

#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace fx::bench {

inline double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Returns the anonymous memory of this process, in bytes: malloc's, after trimming, and mapped
/// pages. The result is a multiple of the size of a page or huge page.
inline double private_bytes() {
  malloc_trim(0);
  std::ifstream statm("/proc/self/statm");  // in pages
  size_t size = 0, resident = 0, shared = 0;
  statm >> size >> resident >> shared;
  return static_cast<double>(resident - shared) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// One run of an operation: `prepare` is not timed, `run` is. The result of `run` must equal
/// `expected`.
template <class S>
struct Operation {
  const char* name;
  std::vector<Family> families;
  std::function<void(S&, Family, size_t)> prepare;
  std::function<size_t(S&, Family, size_t)> run;
  std::function<size_t(Family, size_t)> expected;
  /// The number of units by which the time is divided; the number of nodes unless set.
  std::function<size_t(Family, size_t)> units = {};
};

inline size_t num_inserts(size_t nodes) { return std::max<size_t>(1000, nodes / 10); }

/// Additional state that some operations need.
template <class S>
struct Fixture {
  static Paths& paths(size_t nodes) {
    static std::unique_ptr<Paths> instance;
    if (!instance || instance->names.size() < nodes / 6) instance = std::make_unique<Paths>(nodes);
    return *instance;
  }
  static std::string& text() {
    static std::string instance;
    return instance;
  }
};

template <class S>
std::vector<Operation<S>> operations() {
  using F = Family;
  const std::vector<F> big = {F::kChain, F::kWide, F::kTransformer};
  const std::vector<F> two = {F::kChain, F::kTransformer};
  const auto build = [](S& s, F f, size_t n) { s.build(f, n, Fixture<S>::paths(n), true); };
  const auto build_dead = [](S& s, F f, size_t n) { s.build(f, n, Fixture<S>::paths(n), false); };
  const auto nothing = [](S&, F f, size_t n) {
    Fixture<S>::paths(n);
    (void)f;
  };
  const auto all = [](F f, size_t n) { return family_size(f, n); };
  const auto none = [](F, size_t) { return size_t{0}; };
  const auto inserts = [](F, size_t n) { return num_inserts(n); };
  std::vector<Operation<S>> ops;
  const auto add = [&](Operation<S> op) { ops.push_back(std::move(op)); };

  add({"build", big, nothing,
       [=](S& s, F f, size_t n) {
         build(s, f, n);
         return s.size();
       },
       all});
  if constexpr (requires(S& s, const Paths& p) { s.build_named(F::kChain, size_t{1}, p); }) {
    add({"build_named",
         {F::kChain},
         nothing,
         [](S& s, F f, size_t n) {
           s.build_named(f, n, Fixture<S>::paths(n));
           return s.size();
         },
         all});
  }
  if constexpr (requires(S& s) { s.iterate(); })
    // Counts operands: 2 per node of a chain, 1 of wide, 18 per block of transformer.
    add({"iterate", big, build, [](S& s, F, size_t) { return s.iterate(); },
         [](F f, size_t n) { return f == F::kChain  ? 2 * n
                                    : f == F::kWide ? n
                                                    : n / 12 * 18; }});
  if constexpr (requires(S& s) { s.replace_each(); })
    add({"rauw_each", {F::kChain}, build, [](S& s, F, size_t) { return s.replace_each(); }, none});
  if constexpr (requires(S& s) { s.replace_wide(); })
    add({"rauw_wide", {F::kWide}, build, [](S& s, F, size_t) { return s.replace_wide(); }, none});
  if constexpr (requires(S& s) { s.erase_all(); })
    add({"erase_all", two, build_dead,
         [](S& s, F, size_t) {
           s.erase_all();
           return s.size();
         },
         none});
  if constexpr (requires(S& s) { s.dce(); }) {
    add({"dce_all_dead", big, build_dead,
         [](S& s, F, size_t) {
           s.dce();
           return s.size();
         },
         none});
    add({"dce_none_dead", two, build,
         [](S& s, F, size_t) {
           s.dce();
           return s.size();
         },
         all});
  }
  if constexpr (requires(S& s) { s.cse(); }) {
    add({"cse",
         {F::kChain, F::kWide, F::kTransformer, F::kDup},
         build,
         [](S& s, F, size_t) {
           s.cse();
           return s.size();
         },
         [](F f, size_t n) {
           return f == F::kWide ? size_t{2} : f == F::kDup ? n / 2 + 1 : family_size(f, n);
         }});
  }
  if constexpr (requires(S& s) { s.clone(); })
    add({"clone", two, build, [](S& s, F, size_t) { return s.clone(); }, all});
  if constexpr (requires(S& s) { s.split(size_t{1}); }) {
    // Every thousand calls become a function and a call to it.
    add({"split", two, build, [](S& s, F, size_t) { return s.split(1000); },
         [](F f, size_t n) {
           const size_t calls = f == F::kTransformer ? n / 12 * 10 : n;
           return (calls + 999) / 1000;
         }});
  }
  if constexpr (requires(S& s) { s.outline_projections(); })
    // Outlines the linear and the following matmul of each block.
    add({"outline_pairs",
         {F::kTransformer},
         build,
         [](S& s, F, size_t) { return s.outline_projections(); },
         [](F, size_t n) { return n / 12; }});
  if constexpr (requires(S& s) { s.verify(); })
    add({"verify", two, build, [](S& s, F, size_t) { return s.verify() ? size_t{1} : 0; },
         [](F, size_t) { return size_t{1}; }});
  const auto has_text = [](F, size_t) { return size_t{1}; };
  if constexpr (requires(S& s, std::string& t) { s.print(t); }) {
    add({"print", two,
         [=](S& s, F f, size_t n) {
           build(s, f, n);
           std::string().swap(Fixture<S>::text());
         },
         [](S& s, F, size_t n) {
           s.print(Fixture<S>::text());
           return size_t{Fixture<S>::text().size() > n};
         },
         has_text});
  }
  if constexpr (requires(S& s, const std::string& t) { s.parse(t); }) {
    add({"parse", two,
         [=](S& s, F f, size_t n) {
           S other;
           build(other, f, n);
           Fixture<S>::text().clear();
           other.print(Fixture<S>::text());
           (void)s;
         },
         [](S& s, F, size_t) {
           s.parse(Fixture<S>::text());
           return s.size();
         },
         all});
  }
  if constexpr (requires(S& s, std::string& t) { s.write_binary(t); }) {
    add({"write_binary", two,
         [=](S& s, F f, size_t n) {
           build(s, f, n);
           std::string().swap(Fixture<S>::text());
         },
         [](S& s, F, size_t n) {
           s.write_binary(Fixture<S>::text());
           return size_t{Fixture<S>::text().size() > n};
         },
         has_text});
    add({"read_binary", two,
         [=](S& s, F f, size_t n) {
           S other;
           build(other, f, n);
           Fixture<S>::text().clear();
           other.write_binary(Fixture<S>::text());
           (void)s;
         },
         [](S& s, F, size_t) {
           s.read_binary(Fixture<S>::text());
           return s.size();
         },
         all});
  }
  if constexpr (requires(S& s) { s.rewrite_loop(); }) {
    add({"rewrite_loop",
         {F::kSep, F::kBackToBack},
         build,
         [](S& s, F, size_t) {
           s.rewrite_loop();
           return s.size();
         },
         [](F f, size_t n) { return f == F::kSep ? n / 3 * 2 : n / 2; },
         [](F f, size_t n) { return f == F::kSep ? n / 3 : n / 2; }});
  }
  const auto num_left = [](F f, size_t n) { return f == F::kSep ? n / 3 * 2 : n / 2; };
  const auto num_matches = [](F f, size_t n) { return f == F::kSep ? n / 3 : n / 2; };
  const auto with_pattern = [=](S& s, F f, size_t n) {
    build(s, f, n);
    if constexpr (requires { s.prepare_rewrite(); }) s.prepare_rewrite();
  };
  if constexpr (requires(S& s) { s.rewrite(); }) {
    // Rewrites every occurrence of a pattern once, in order.
    add({"rewrite",
         {F::kSep, F::kBackToBack},
         with_pattern,
         [](S& s, F, size_t) {
           s.rewrite();
           return s.size();
         },
         num_left,
         num_matches});
  }
  if constexpr (requires(S& s) { s.rewrite_greedily(); }) {
    // Applies a set of rules, here a single one, until none applies.
    add({"rewrite_greedily",
         {F::kSep, F::kBackToBack},
         with_pattern,
         [](S& s, F, size_t) {
           s.rewrite_greedily();
           return s.size();
         },
         num_left,
         num_matches});
  }
  if constexpr (requires(S& s) { s.collect(); }) {
    // A graph and handles to its operations, in order.
    const auto with_nodes = [=](S& s, F f, size_t n) {
      build(s, f, n);
      s.collect();
    };
    add({"insert_random",
         {F::kChain},
         with_nodes,
         [](S& s, F, size_t n) {
           Random random;
           for (size_t i = 0, m = num_inserts(n); i < m; ++i) s.insert_before(random.below(n));
           return s.size();
         },
         [](F, size_t n) { return n + num_inserts(n); },
         inserts});
    add({"order_after_inserts",
         {F::kChain},
         [=](S& s, F f, size_t n) {
           with_nodes(s, f, n);
           Random random;
           for (size_t i = 0, m = num_inserts(n); i < m; ++i) s.insert_before(random.below(n));
         },
         [](S& s, F, size_t n) {
           Random random;
           size_t wrong = 0;
           for (size_t i = 0, m = num_inserts(n); i < m; ++i) {
             const size_t a = random.below(n), b = random.below(n);
             wrong += s.is_before(a, b) != (a < b);
           }
           return wrong;
         },
         none,
         inserts});
    add({"insert_and_order",
         {F::kChain},
         with_nodes,
         [](S& s, F, size_t n) {
           Random random;
           size_t wrong = 0;
           for (size_t i = 0, m = num_inserts(n); i < m; ++i) {
             s.insert_before(random.below(n));
             const size_t a = random.below(n), b = random.below(n);
             wrong += s.is_before(a, b) != (a < b);
           }
           return wrong;
         },
         none,
         inserts});
  }
  add({"destroy", big, build,
       [](S& s, F, size_t) {
         s.destroy();
         return size_t{0};
       },
       none});
  return ops;
}

/// Registers and runs the benchmarks that the command line selects:
///   --nodes=1000,100000   sizes (default 1000, 100000, 1000000)
///   --repetitions=5       repetitions of each case
/// and google-benchmark's own options.
template <class S>
int run_benchmarks(int argc, char** argv) {
  std::vector<size_t> sizes = {1000, 100000, 1000000};
  int repetitions = 5;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, 8) == "--nodes=") {
      sizes.clear();
      std::stringstream list{std::string(argument.substr(8))};
      for (std::string item; std::getline(list, item, ',');)
        sizes.push_back(static_cast<size_t>(std::strtod(item.c_str(), nullptr)));
    } else if (argument.substr(0, 14) == "--repetitions=") {
      repetitions = std::atoi(argv[i] + 14);
    } else {
      rest.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;

  static const std::vector<Operation<S>> all = operations<S>();
  for (const size_t nodes : sizes) {
    for (const Operation<S>& op : all) {
      for (const Family family : op.families) {
        if constexpr (requires { S::is_too_slow(op.name, family, nodes); }) {
          if (S::is_too_slow(op.name, family, nodes)) continue;
        }
        const std::string name = std::string(op.name) + '/' + std::string(family_name(family)) +
                                 '/' + std::to_string(nodes);
        const size_t units = op.units ? op.units(family, nodes) : family_size(family, nodes);
        auto* registered = benchmark::RegisterBenchmark(
            name.c_str(), [&op, family, nodes, units](benchmark::State& state) {
              for (auto _ : state) {
                auto subject = std::make_unique<S>();
                op.prepare(*subject, family, nodes);
                // Trims, so that memory comes from the system each time. Small graphs fill only
                // parts of pages.
                if constexpr (requires { S::release_memory(); }) S::release_memory();
                const bool is_big = nodes >= 100000;
                const double bytes = is_big ? private_bytes() : 0;
                const double start = cpu_seconds();
                const size_t result = op.run(*subject, family, nodes);
                state.SetIterationTime(cpu_seconds() - start);
                if (is_big) {
                  state.counters["bytes"] =
                      (private_bytes() - bytes) / static_cast<double>(family_size(family, nodes));
                }
                size_t expected = op.expected(family, nodes);
                if constexpr (requires { S::expected(op.name, family, expected); })
                  expected = S::expected(op.name, family, expected);
                if (result == expected) continue;
                state.SkipWithError(("wrong result: " + std::to_string(result) + " instead of " +
                                     std::to_string(expected))
                                        .c_str());
                return;
              }
              state.counters["units"] = static_cast<double>(units);
            });
        registered->UseManualTime()
            ->Iterations(static_cast<int64_t>(std::clamp<size_t>(200000 / nodes, 1, 200)))
            ->Repetitions(repetitions)
            ->Unit(benchmark::kNanosecond);
      }
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace fx::bench
