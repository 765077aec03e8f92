// Functions whose flags determine the number of results: unique, whose operators always return all
// results, and nonzero.
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/aten/composite_internal.h"

#include "fmt/format.h"

#include <vector>

namespace fx::aten {
namespace {

/// Returns the Python result for (values, inverse, counts): a single value, or a tuple. `inverse`
/// and `counts` are the flags that select the items.
absl::StatusOr<Argument> requested_results(Calls& call, const Argument& all,
                                           const Argument& inverse, const Argument& counts) {
  FX_ASSIGN_OR_RETURN(const bool has_inverse, ops::truth_of(inverse, "return_inverse"));
  FX_ASSIGN_OR_RETURN(const bool has_counts, ops::truth_of(counts, "return_counts"));
  std::vector<Argument> items{call("operator.getitem", {all, 0})};
  if (has_inverse) items.push_back(call("operator.getitem", {all, 1}));
  if (has_counts) items.push_back(call("operator.getitem", {all, 2}));
  return call.result(items.size() == 1 ? items[0] : Argument::tuple(items));
}

absl::StatusOr<Argument> unique(const ops::Values& values, AddCall add) {
  Calls call(add);
  const Argument &input = values.at("input"), &dim = values.at("dim");
  const Argument &sorted = values.at("sorted"), &inverse = values.at("return_inverse"),
                 &counts = values.at("return_counts");
  const Argument all = dim.is_none()
                           ? call("aten._unique2.default", {input, sorted, inverse, counts})
                           : call("aten.unique_dim.default", {input, dim, sorted, inverse, counts});
  return requested_results(call, all, inverse, counts);
}

Argument all_consecutive(Calls& call, const ops::Values& values) {
  return call("aten.unique_consecutive.default", {values.at("input"), values.at("return_inverse"),
                                                  values.at("return_counts"), values.at("dim")});
}

absl::StatusOr<Argument> unique_consecutive_method(const ops::Values& values, AddCall add) {
  Calls call(add);
  return requested_results(call, all_consecutive(call, values), values.at("return_inverse"),
                           values.at("return_counts"));
}

/// torch.unique_consecutive chooses its results by flags that it takes from wrong positions, unless
/// they are keywords (boolean_dispatch in torch/functional.py): return_inverse from that of
/// return_counts, and return_counts from that of return_inverse.
absl::StatusOr<Argument> unique_consecutive(const ops::Values& values, AddCall add) {
  const auto flag = [&](std::string_view name, int position) {
    if (values.is_keyword(name)) return values.at(name);
    const Argument* const given = values.positional(position);
    return given != nullptr ? *given : Argument(false);
  };
  Calls call(add);
  return requested_results(call, all_consecutive(call, values), flag("return_inverse", 2),
                           flag("return_counts", 1));
}

absl::StatusOr<Argument> nonzero(const ops::Values& values, AddCall add) {
  const Argument& as_tuple = values.at("as_tuple");
  if (!as_tuple.is_bool())
    return absl::InvalidArgumentError(
        fmt::format("as_tuple must be True or False, not {}", print(as_tuple)));
  Calls call(add);
  if (values.contains("out") && !values.at("out").is_none()) {
    if (as_tuple.as_bool())
      return absl::InvalidArgumentError("nonzero does not accept out with as_tuple");
    return call.result(
        call("aten.nonzero.out", {values.at("input")}, {Kwarg("out", values.at("out"))}));
  }
  return call.result(
      call(as_tuple.as_bool() ? "aten.nonzero_numpy.default" : "aten.nonzero.default",
           {values.at("input")}));
}

constexpr std::string_view kUnique =
    "input, sorted=True, return_inverse=False, return_counts=False, dim=None";
constexpr std::string_view kConsecutive =
    "input, return_inverse=False, return_counts=False, dim=None";
constexpr std::string_view kNonzero = "input, as_tuple=False, out=None";
constexpr std::string_view kNonzeroMethod = "input, as_tuple=False";

constexpr Composite kSetComposites[] = {
    {"torch.functional.unique", kUnique, unique},
    {"torch.functional.unique_consecutive", kConsecutive, unique_consecutive},
    {"torch.nonzero", kNonzero, nonzero},
    {"torch.Tensor.nonzero", kNonzeroMethod, nonzero},
    {"torch.Tensor.unique", kUnique, unique},
    {"torch.Tensor.unique_consecutive", kConsecutive, unique_consecutive_method},
};

}  // namespace

absl::Span<const Composite> set_composites() { return kSetComposites; }

}  // namespace fx::aten
