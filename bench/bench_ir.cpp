// The operations of harness.h on fxcpp's IR.
#include "bench/fx_subject.h"
#include "bench/harness.h"

int main(int argc, char** argv) {
  return fx::bench::run_benchmarks<fx::bench::FxGraph>(argc, argv);
}
