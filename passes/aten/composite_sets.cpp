// Functions whose flags determine the number of results: unique, whose operators always return all
// results, and nonzero.
#include "fx/ir/support/status.h"
#include "fx/passes/aten/composite_internal.h"

#include <vector>

namespace fx::aten {
namespace {

/// Returns the Python result for (values, inverse, counts): a single value, or a tuple.
Argument requested_results(Calls& call, const Argument& all, const ops::Values& values) {
  std::vector<Argument> items{call("operator.getitem", {all, 0})};
  if (values.at("return_inverse") == Argument(true))
    items.push_back(call("operator.getitem", {all, 1}));
  if (values.at("return_counts") == Argument(true))
    items.push_back(call("operator.getitem", {all, 2}));
  return items.size() == 1 ? items[0] : Argument::tuple(items);
}

absl::StatusOr<Argument> unique(const ops::Values& values, AddCall add) {
  Calls call(add);
  const Argument &input = values.at("input"), &dim = values.at("dim");
  const Argument &sorted = values.at("sorted"), &inverse = values.at("return_inverse"),
                 &counts = values.at("return_counts");
  const Argument all = dim.is_none()
                           ? call("aten._unique2.default", {input, sorted, inverse, counts})
                           : call("aten.unique_dim.default", {input, dim, sorted, inverse, counts});
  return call.result(requested_results(call, all, values));
}

absl::StatusOr<Argument> unique_consecutive(const ops::Values& values, AddCall add) {
  Calls call(add);
  const Argument all =
      call("aten.unique_consecutive.default", {values.at("input"), values.at("return_inverse"),
                                               values.at("return_counts"), values.at("dim")});
  return call.result(requested_results(call, all, values));
}

absl::StatusOr<Argument> nonzero(const ops::Values& values, AddCall add) {
  Calls call(add);
  const bool as_tuple = values.at("as_tuple") == Argument(true);
  return call.result(
      call(as_tuple ? "aten.nonzero_numpy.default" : "aten.nonzero.default", {values.at("input")}));
}

constexpr std::string_view kUnique =
    "input, sorted=True, return_inverse=False, return_counts=False, dim=None";
constexpr std::string_view kConsecutive =
    "input, return_inverse=False, return_counts=False, dim=None";
constexpr std::string_view kNonzero = "input, as_tuple=False";

constexpr Composite kSetComposites[] = {
    {"torch.functional.unique", kUnique, unique},
    {"torch.functional.unique_consecutive", kConsecutive, unique_consecutive},
    {"torch.nonzero", kNonzero, nonzero},
    {"torch.Tensor.nonzero", kNonzero, nonzero},
    {"torch.Tensor.unique", kUnique, unique},
    {"torch.Tensor.unique_consecutive", kConsecutive, unique_consecutive},
};

}  // namespace

absl::Span<const Composite> set_composites() { return kSetComposites; }

}  // namespace fx::aten
