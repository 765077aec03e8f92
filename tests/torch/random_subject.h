// Random programs with data, for check_passes: tests/testing/random_aten.h and
// functionalize_programs.h generate the programs, and tests/testing/graph_variants.h varies them.
#pragma once

#include "fx/ir/graph/context.h"
#include "tests/torch/pass_checker.h"

#include <cstdint>

namespace fx {

/// Returns the random program for a seed. It consists of operators in ATen's or Python's form, in
/// float64 or in all dtypes, or of views and writes. Some programs have inputs that share memory
/// (recorded in the graph or not), calls in nested graphs, different forms of arguments (`plain` is
/// the program without these), and incomplete types. The same seed returns the same program on
/// every machine.
Subject random_subject(Context& context, uint64_t seed);

}  // namespace fx
