// The checks of check_graphs. Each receives the command-line arguments after its name, and returns
// exit status 1 if there is a finding.
#pragma once

#include <cstddef>

namespace fx {

int check_passes(int argc, char** argv);
int check_functionalize(int argc, char** argv);
int check_gradients(int argc, char** argv);
int check_symbolic(int argc, char** argv);
int check_partition(int argc, char** argv);
int check_kept(int argc, char** argv);

/// True if a check rejects more than 98% of at least 100 programs, and so tests almost nothing.
/// This is a finding.
constexpr bool rejects_most(size_t rejected, size_t programs) {
  return programs >= 100 && rejected * 100 > programs * 98;
}

}  // namespace fx
