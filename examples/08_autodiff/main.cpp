// Lesson 8: differentiation by an interpreter (vjp.h), and its result.
#include "fx/ir/text.h"

#include <iostream>

#include "vjp.h"

namespace {

absl::Status run() {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> f, fx::parse_graph(context, R"(
graph(%x) {
  %sin = torch.sin(%x)
  %add = operator.add(%sin, %x)
  return %add
})"));
  const autodiff::BackwardRules rules = autodiff::standard_rules();
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> backward, autodiff::vjp(*f, rules));
  std::cout << fx::print(*backward, {.meta = false});
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
