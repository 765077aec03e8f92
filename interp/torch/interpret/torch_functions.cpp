#include "fx/interp/torch/interpret/torch_functions.h"

#include "fx/ir/support/pluralize.h"

#include <fmt/format.h>

namespace fx::internal {

absl::Status check_function_call(const Call<c10::IValue>& call, size_t num_parameters) {
  if (call.args.size() == num_parameters && call.kwargs.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "the function has {}, but the call passes {} positional and "
      "{} keyword arguments",
      pluralize(num_parameters, "positional parameter"), call.args.size(), call.kwargs.size()));
}

}  // namespace fx::internal
