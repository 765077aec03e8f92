// Checks on many graphs, with libtorch as the reference. They are one program, since each source
// that includes libtorch takes 15 s to compile.
//
//   check_graphs passes [OPTION]...          every pass on models and random programs
//   check_graphs functionalize [OPTION]...   functionalize on random programs of views and writes
//   check_graphs gradients [OPTION]...       fx::joint and recorded joint graphs
//   check_graphs symbolic [OPTION]...        symbolic graphs after every pass, at many sizes
//   check_graphs partition [OPTION]...       joint graphs against their forward and backward parts
//   check_graphs kept [OPTION]...            captures with whole operators against plain ones
//
// `check_graphs NAME --help` lists a check's options. Without options, a check runs in full.
#include "tests/torch/checks.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace {

/// Drops libtorch's warnings: random programs cast complex values to reals and resize results.
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
