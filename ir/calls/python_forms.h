// Python functions whose arguments differ from those of the operator that they call.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/types/dtype.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::ops {

/// The value of each parameter of a signature. The names are views into the text of the signature.
class Values {
 public:
  bool contains(std::string_view name) const { return values_.contains(name); }
  const Argument& at(std::string_view name) const { return values_.at(name).value; }
  /// The index of the argument in the call, positional arguments first; -1: the signature's
  /// default.
  int number_of(std::string_view name) const { return values_.at(name).number; }
  /// The positional argument with this index; nullptr if the call has fewer.
  const Argument* positional(int number) const {
    if (number >= num_args_) return nullptr;
    for (const auto& [name, value] : values_)
      if (value.number == number) return &value.value;
    return nullptr;
  }
  /// True if the call names the parameter.
  bool is_keyword(std::string_view name) const { return number_of(name) >= num_args_; }
  void set_num_args(int num_args) { num_args_ = num_args; }
  void add(std::string_view name, Argument value, int number) {
    values_.emplace(name, Value{std::move(value), number});
  }

 private:
  struct Value {
    Argument value;
    int number;
  };
  absl::flat_hash_map<std::string_view, Value> values_;
  int num_args_ = 0;
};

/// Returns the truth of a value that Python code tests: `if inplace:`. Unimplemented for a node;
/// `name` is the parameter.
absl::StatusOr<bool> truth_of(const Argument& value, std::string_view name);
inline absl::StatusOr<bool> truth_of(const Values& values, std::string_view name) {
  return truth_of(values.at(name), name);
}

/// `signature`: the parameters of a Python function with their defaults in the syntax of .fx text,
/// separated by ", ". InvalidArgument if the arguments do not match.
absl::StatusOr<Values> bind_signature(Context& context, std::string_view function,
                                      std::string_view signature, absl::Span<const Argument> args,
                                      absl::Span<const Kwarg> kwargs);

/// Returns the name of a function in its module. `torch` also contains the functions of
/// torch.functional: torch.functional.norm for torch.norm.
std::string_view python_function(std::string_view name);

/// Returns the reduction of a loss: `reduction`, or the one that the old parameters size_average
/// and reduce select, which take precedence (torch/nn/_reduction.py). Unimplemented if one of them
/// is a node.
absl::StatusOr<Argument> reduction_of(const Values& values);

/// InvalidArgument for a call that the Python code of torch.nn.functional refuses, as far as its
/// values and types are known, although the operators accept it: a batch norm of one value in
/// training mode.
absl::Status check_python_call(std::string_view function, const Values& values);

/// The operator call that a call to a Python function is equivalent to.
struct PythonCall {
  std::string packet;  ///< aten.dropout
  std::vector<Argument> args = {};
  std::vector<Kwarg> kwargs = {};
  /// For each argument, those of `args` first: its index in the Python call; -1: a constant or a
  /// default value.
  std::vector<int> argument_numbers = {};
  /// True for kl_div with reduction="batchmean": the result is divided by the first size of the
  /// first argument, unless that has rank 0.
  bool is_batch_mean = false;
};

/// False if python_form() returns nullopt for every call to the function.
bool has_python_form(std::string_view function);
/// Returns the operator call that the function's row describes; nullopt for a function without a
/// row. `rank` is the rank of the first argument, if it is known (default_softmax_dim).
/// InvalidArgument if the arguments do not match the function's signature; Unimplemented if no
/// operator supports a setting (max_norm of an embedding), or the function (max_unpool2d).
absl::StatusOr<std::optional<PythonCall>> python_form(Context& context, std::string_view function,
                                                      absl::Span<const Argument> args,
                                                      absl::Span<const Kwarg> kwargs,
                                                      std::optional<int64_t> rank = std::nullopt);

/// The dimension that F.softmax, log_softmax and softmin use without `dim`
/// (torch/nn/functional.py, _get_softmax_dim).
inline int64_t default_softmax_dim(int64_t rank) {
  return rank == 0 || rank == 1 || rank == 3 ? 0 : 1;
}

/// The dtype of the result of a method that only converts: x.float(), x.cdouble().
std::optional<DType> dtype_of_cast(std::string_view method);

/// The parameter that comes before `self` in the operator of the same name as a method. Two
/// operators have one: x.where(condition, other) is where(condition, x, other), and x.polygamma(n)
/// is polygamma(n, x). Empty for other methods.
std::string_view parameter_before_self(std::string_view method);

/// Puts the arguments of a method, which start with the receiver, into the order of the operator of
/// the same name. `key` returns the name of a keyword argument; Named::value is its value.
template <class Value, class Named, class Key>
void order_for_operator(std::string_view method, std::vector<Value>& args,
                        std::vector<Named>& kwargs, Key&& key) {
  const std::string_view first = parameter_before_self(method);
  if (first.empty() || args.empty()) return;
  if (args.size() >= 2) return std::swap(args[0], args[1]);
  const auto found =
      std::ranges::find_if(kwargs, [&](const Named& named) { return key(named) == first; });
  if (found == kwargs.end()) return;
  args.insert(args.begin(), std::move(found->value));
  kwargs.erase(found);
}
inline void order_for_operator(std::string_view method, std::vector<Argument>& args,
                               std::vector<Kwarg>& kwargs) {
  order_for_operator(method, args, kwargs, [](const Kwarg& kwarg) { return kwarg.key; });
}

}  // namespace fx::ops
