// Assigns the arguments of a call to the parameters of a schema.
//
// The library has one set of rules: the verifier, normalization, lowering, the interpreter and the
// code generators use bind_arguments(). Only shape propagation has its own loop
// (passes/shape/type_binder.cpp), for speed; it uses names_parameter().
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/schema.h"

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The rules that a call follows.
enum class CallStyle : uint8_t {
  /// torch.ops: positional arguments in the schema's order, keywords by the schema's names.
  kOperator,
  /// Functions of torch and methods of Tensor, as torch/csrc/utils/python_arg_parser.cpp binds
  /// them: also accepts NumPy's parameter names (names_parameter), and the items of a trailing list
  /// as separate arguments (`x.view(2, 3)`).
  kPython,
};

/// The style of a call to this operator or function.
inline CallStyle call_style(const ops::OpInfo& op) {
  return op.is_function() ? CallStyle::kPython : CallStyle::kOperator;
}

/// True if `key` names the parameter in Python: its name, `input` for `self`, or NumPy's names:
/// `axis` for `dim`, `keepdims` for `keepdim`, `x`, `a` and `x1` for `input`, `x2` for `other`.
bool names_parameter(std::string_view key, std::string_view parameter);

/// The kind of an argument, used to choose an overload.
enum class PassedKind : uint8_t {
  kUnknown,  ///< a node without a type: counts as a tensor
  kNone,
  kTensor,
  kBool,
  kInt,
  kFloat,
  kComplex,
  kNumber,     ///< a number of unknown kind
  kEnumOrInt,  ///< an int that may be a dtype, layout or memory format (libtorch's IValues)
  kString,
  kDeviceName,  ///< a string that names a device
  kDType,
  kDevice,
  kLayout,
  kMemoryFormat,
  kList,         ///< list or tuple of `items`
  kInts,         ///< one value that is a list of integers: a size
  kTensors,      ///< one value that is a list of tensors, such as the result of split
  kUnknownList,  ///< one value that is a list of unknown items
  kOther,        ///< matches only `Any`
};

struct PassedValue {
  PassedKind kind = PassedKind::kUnknown;
  std::vector<PassedValue> items = {};  ///< of kList
};

/// The value of an argument, by its kind and the types of its nodes.
PassedValue passed_value(ArgumentRef argument);
PassedValue passed_value(const Argument& argument);

/// The arguments of a call, in the form that binding requires. Arguments are numbered: positional
/// arguments first, then keyword arguments.
struct CallArguments {
  size_t num_args = 0;
  absl::InlinedVector<std::string_view, 4> keywords = {};
  /// One value for each argument; may be empty if no parameter accepts the items of its list as
  /// separate arguments.
  absl::Span<const PassedValue> values = {};
  /// The first argument is the receiver of a method, which accepts the items of a list of integers
  /// as separate arguments (`x.permute(1, 0)`) where the function does not.
  bool is_method = false;

  static CallArguments of(const Node& node);
  static CallArguments of(absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs);
};

/// The arguments that a call passes to one parameter: `count` arguments, starting at number
/// `first`.
struct BoundParameter {
  uint32_t first = 0;
  uint32_t count = 0;        ///< 0: the call does not pass the parameter
  bool is_variadic = false;  ///< the arguments are the items of the parameter's list

  bool is_passed() const { return count > 0; }
};

/// The reason why a call does not match a schema.
struct BindProblem {
  enum Kind : uint8_t {
    kNone,
    kTooMany,         ///< `index` positional arguments are allowed
    kUnknownKeyword,  ///< argument `index` has a keyword that is not in the schema
    kPassedTwice,     ///< argument `index` was already passed by position or another keyword
    kMissing,         ///< parameter `index` is not passed and has no default
  };
  Kind kind = kNone;
  size_t index = 0;

  bool ok() const { return kind == kNone; }
};
/// Describes the problem: "it does not have an argument axis".
std::string describe(const BindProblem& problem, const ops::OpSchema& schema,
                     const CallArguments& call);
/// Returns InvalidArgument with the description of the problem in a call to `function`.
absl::Status bind_error(std::string_view function, const BindProblem& problem,
                        const ops::OpSchema& schema, const CallArguments& call);

/// Binds a call: `bound` has an entry for each parameter of the schema, in order. Returns the first
/// problem. A vararg schema accepts additional arguments.
BindProblem bind_arguments(const ops::OpSchema& schema, const CallArguments& call, CallStyle style,
                           std::vector<BoundParameter>& bound);
/// Like above, but reports every problem.
void bind_arguments(const ops::OpSchema& schema, const CallArguments& call, CallStyle style,
                    std::vector<BoundParameter>& bound,
                    absl::FunctionRef<void(const BindProblem&)> report);

/// A parameter of a Python function's signature.
struct BindParameter {
  std::string_view name;
  bool has_default = false;
};
BindProblem bind_arguments(absl::Span<const BindParameter> parameters, const CallArguments& call,
                           std::vector<BoundParameter>& bound);

/// The number of the argument that a call to `op` passes to parameter `index`; nullopt if it passes
/// none. The parameters of a vararg schema continue with the additional positional arguments.
std::optional<size_t> argument_number(const Node& node, const ops::OpInfo& op, int index);
/// The argument that a call to `op` passes to parameter `index`; nullopt if it passes none.
std::optional<ArgumentRef> passed_argument(const Node& node, const ops::OpInfo& op, int index);
/// Argument `number` of a call, counting positional arguments first.
ArgumentRef argument_at(const Node& node, size_t number);
const Argument& argument_at(absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs,
                            size_t number);

}  // namespace fx
