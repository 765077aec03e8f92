// fxcpp's IR by the operations of harness.h.
#include "bench/fx_subject.h"
#include "bench/harness.h"

int main(int argc, char** argv) {
  return fx::bench::run_benchmarks<fx::bench::FxGraph>(argc, argv);
}
