// A minimal program that uses the installed library. It checks the result of a call.
#include "fx/ir/support/status.h"

#include <cstdio>

int main() {
  const absl::Status status = fx::with_context(absl::NotFoundError("no node x"), "graph.fx");
  if (status.message() != "graph.fx: no node x") return 1;
  std::puts("fxcpp works");
  return 0;
}
