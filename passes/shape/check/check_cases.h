// Checks type functions against recorded operator calls: what libtorch gave for given arguments.
//
// Input is JSON lines: one object per call, {"op", "args", "kwargs", "out", "alias", "meta"}, and
// perhaps one per overload, {"overload", ...}, which count operators. corpus/README.md, "Operator
// cases", says how calls are encoded and judged:
//   - "meta" is "same": the result must be the recorded one;
//   - "meta" is a result, what PyTorch's meta kernel says: either will do;
//   - "meta" is "error": rank and dtype count.
// Strides count only for dimensions above 1 of tensors that are not empty.
#pragma once

#include "fx/passes/shape/type_rules.h"

#include "absl/status/statusor.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct CaseFailure {
  size_t line = 0;
  std::string op;
  std::string variant;   ///< the case's "from" and "variant"
  std::string expected;  ///< the recorded result
  std::string got;       ///< ours, or why there is none
};

struct CaseCount {
  size_t passed = 0;
  size_t failed = 0;
};

struct CaseReport {
  std::map<std::string, CaseCount> operators;  ///< by overload
  std::vector<std::string> without_type_function;
  std::vector<CaseFailure> failures;
  size_t passed = 0;

  size_t cases() const { return passed + failures.size(); }
};

/// InvalidArgument, with the line, when the text is no such file. Operators that are not in the
/// Context's registry count as operators without a type function.
absl::StatusOr<CaseReport> check_cases(Context& context, std::string_view json_lines,
                                       const TypeRules* rules = nullptr);

}  // namespace fx
