#include "fx/interp/python_numbers.h"

#include "fx/ir/support/pluralize.h"
#include "fx/ir/symbolic/number_functions.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <optional>
#include <vector>

namespace fx {
namespace {

std::optional<PythonNumber> number_of(const Argument& argument) {
  if (argument.is_bool()) return PythonNumber::of(argument.as_bool());
  if (argument.is_int()) return PythonNumber::of(argument.as_int());
  if (argument.is_float()) return PythonNumber::of(argument.as_float());
  return std::nullopt;
}

Argument argument_of(const PythonNumber& number) {
  switch (number.kind) {
    case PythonNumber::kBool:
      return Argument(number.i != 0);
    case PythonNumber::kInt:
      return Argument(number.i);
    case PythonNumber::kFloat:
      break;
  }
  return Argument(number.f);
}

}  // namespace

bool is_python_number_function(std::string_view function) {
  const NumberFunction* row = find_number_function(function);
  return row != nullptr && row->compute != nullptr;
}

absl::StatusOr<Argument> call_python_number(std::string_view function,
                                            absl::Span<const Argument> args) {
  const NumberFunction* row = find_number_function(function);
  if (row == nullptr || row->compute == nullptr)
    return absl::NotFoundError(fmt::format("unknown function on numbers: {}", function));
  // torch.sym_sum and math.prod accept a list.
  const bool accepts_list = row->max_operands == NumberFunction::kAny;
  std::vector<Argument> items;
  if (accepts_list && args.size() == 1 && (args[0].is_list() || args[0].is_tuple())) {
    for (size_t i = 0; i < args[0].size(); ++i) items.push_back(args[0][i]);
    args = items;
  }
  if (args.size() < row->min_operands || (!accepts_list && args.size() > row->max_operands)) {
    return absl::InvalidArgumentError(fmt::format("{} has {}, but the call passes {}", function,
                                                  pluralize(row->min_operands, "parameter"),
                                                  pluralize(args.size(), "argument")));
  }
  std::vector<PythonNumber> numbers;
  numbers.reserve(args.size());
  for (const Argument& arg : args) {
    const std::optional<PythonNumber> number = number_of(arg);
    if (!number) {
      return absl::InvalidArgumentError(
          fmt::format("{} requires numbers, not a {}", function, argument_kind_name(arg.kind())));
    }
    numbers.push_back(*number);
  }
  absl::StatusOr<PythonNumber> result = row->compute(numbers);
  if (!result.ok()) return result.status();
  return argument_of(*result);
}

}  // namespace fx
