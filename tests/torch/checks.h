// The checks of check_graphs, each with the arguments that follow its name. They return status 1 if
// there is a finding.
#pragma once

#include <cstddef>

namespace fx {

int check_passes(int argc, char** argv);
int check_functionalize(int argc, char** argv);
int check_gradients(int argc, char** argv);
int check_symbolic(int argc, char** argv);
int check_partition(int argc, char** argv);
int check_kept(int argc, char** argv);

/// True if a check refuses nearly all of many programs (98 %), and so checks nothing: a finding.
constexpr bool refuses_most(size_t refused, size_t programs) {
  return programs >= 100 && refused * 100 > programs * 98;
}

}  // namespace fx
