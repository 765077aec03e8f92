// A plugin whose pass, type function, rules, emitter and reader throw exceptions.
#include "fx/ir/support/status.h"
#include "fx/tools/driver/plugin.h"

#include <stdexcept>
#include <string>

namespace {

[[noreturn]] void fail_with(const std::string& what) { throw std::runtime_error(what); }

absl::StatusOr<fx::RuleSet> make_throwing_rules(fx::Context& context) {
  fx::RuleSet rules(context);
  FX_RETURN_IF_ERROR(
      rules.add("relu", {context.function("aten.relu.default")},
                [](fx::Node& /*root*/, fx::Rewriter& /*rewriter*/) -> absl::StatusOr<bool> {
                  fail_with("no rule");
                }));
  return rules;
}

absl::Status add_throwing(fx::Extensions& extensions) {
  FX_RETURN_IF_ERROR(extensions.add(fx::Pass{
      "throwing_pass", "throws", [](fx::PassRun& /*run*/) -> absl::StatusOr<bool> { throw 3; }}));
  FX_RETURN_IF_ERROR(extensions.add(fx::OperatorExtension{
      .schema = "bad::typed(Tensor x) -> Tensor",
      .type = [](fx::TypeCall& /*call*/) -> fx::Type { fail_with("no type"); }}));
  FX_RETURN_IF_ERROR(extensions.add(fx::OperatorExtension{
      .schema = "bad::decomposed(Tensor x) -> Tensor",
      .derivative = fx::DerivativeRule{.arguments = {{"x",
                                                      [](fx::Derivative& /*d*/) -> fx::AnyArg {
                                                        fail_with("no derivative");
                                                      }}}},
      .decomposition = fx::Decomposition{.function = [](fx::Decomposer& /*d*/) -> fx::AnyArg {
        fail_with("no decomposition");
      }}}));
  FX_RETURN_IF_ERROR(
      extensions.add(fx::RuleExtension{"throwing_rules", "throw", make_throwing_rules}));
  FX_RETURN_IF_ERROR(extensions.add(fx::Emitter{
      "throwing", "throws", [](const fx::EmitSource& /*source*/) -> absl::StatusOr<std::string> {
        fail_with("no text");
      }}));
  return extensions.add(
      fx::ImportFormat{".bad", "throws",
                       [](fx::Context& /*context*/, const std::string& /*path*/)
                           -> absl::StatusOr<fx::GraphDocument> { fail_with("no graph"); }});
}

}  // namespace

FXCPP_PLUGIN("throws", "throws everywhere", add_throwing);
