// Checks many graphs with libtorch as the reference. All checks are in one program, because each
// source file that includes libtorch takes 15 s to compile.
//
//   check_graphs passes [OPTION]...          every pass on models and random programs
//   check_graphs functionalize [OPTION]...   functionalize on random programs with views and writes
//   check_graphs gradients [OPTION]...       fx::joint against recorded joint graphs
//   check_graphs symbolic [OPTION]...        graphs with symbolic sizes after every pass
//   check_graphs partition [OPTION]...       joint graphs against their forward and backward parts
//   check_graphs kept [OPTION]...            captures that keep operators against plain captures
//
// `check_graphs NAME --help` lists the options of a check. Without options, a check runs on
// everything.
#include "tests/torch/checks.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace {

/// Suppresses libtorch's warnings: random programs cast complex values to reals and resize results.
class NoWarnings : public c10::WarningHandler {
 public:
  void process(const c10::Warning& /*warning*/) override {}
};

}  // namespace

int main(int argc, char** argv) {
  static NoWarnings no_warnings;
  c10::WarningUtils::set_warning_handler(&no_warnings);
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "passes") return fx::check_passes(argc - 1, argv + 1);
  if (name == "functionalize") return fx::check_functionalize(argc - 1, argv + 1);
  if (name == "gradients") return fx::check_gradients(argc - 1, argv + 1);
  if (name == "symbolic") return fx::check_symbolic(argc - 1, argv + 1);
  if (name == "partition") return fx::check_partition(argc - 1, argv + 1);
  if (name == "kept") return fx::check_kept(argc - 1, argv + 1);
  fmt::print(
      stderr,
      "usage: check_graphs passes|functionalize|gradients|symbolic|partition|kept [OPTION]...\n");
  return 2;
}
