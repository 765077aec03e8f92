// transform_graph FILE copy|swap: copies a JSON graph with a Transformer, and prints torch.fx's
// listing of the copy. test_interpreter_against_torch_fx.py does the same with torch.fx's
// Transformer.
#include "fx/interp/transformer.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/files.h"
#include "fx/ir/text/text.h"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace {

class Swap : public fx::Transformer {
 public:
  using Transformer::Transformer;
  absl::StatusOr<fx::Argument> call_function(Call& call) override {
    fx::Context& context = new_graph().context();
    const std::string_view name = call.function.name();
    if (name == "torch.sigmoid") call.function = context.function("torch.neg");
    if (name == "torch.relu") {
      return fx::Argument(
          new_graph().call_function(context.function("torch.add"), {call.args[0], call.args[0]}));
    }
    if (name == "torch.tanh") return call.args[0];
    return Transformer::call_function(call);
  }
  absl::StatusOr<fx::Argument> call_method(Call& call) override {
    if (call.target == "exp") return fx::Argument(2);
    return Transformer::call_method(call);
  }
};

absl::Status run(const std::string& path, bool swap) {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const std::string text, fx::read_file(path));
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> graph, fx::read_json(context, text));
  const fx::TransformOptions options{.keep_names = false};
  FX_ASSIGN_OR_RETURN(
      const std::unique_ptr<fx::Graph> changed,
      swap ? Swap(*graph, options).transform() : fx::Transformer(*graph, options).transform());
  std::fputs(fx::print(*changed, {.preset = fx::PrintPreset::kTorch}).c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const absl::Status status = run(argv[1], std::string_view(argv[2]) == "swap");
  if (!status.ok()) std::fputs((std::string(status.message()) + "\n").c_str(), stderr);
  return status.ok() ? 0 : 1;
}
