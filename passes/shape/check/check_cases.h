// Checks type functions against recorded operator calls: the results that libtorch returned for
// given arguments.
//
// The input is JSON lines: one object per call, {"op", "args", "kwargs", "out", "alias", "meta"},
// and optionally one per overload, {"overload", ...}, which counts operators. corpus/README.md,
// "Operator cases", describes how calls are encoded and compared:
//   - "meta" is "same": the result must equal the recorded result;
//   - "meta" is the result of PyTorch's meta kernel: the result must equal one of the two;
//   - "meta" is "error": only rank and dtype are compared.
// Strides of empty tensors are not compared.
//
// A line with "mutation" is a call that scripts/record_illegal_calls.py derived from a legal call.
// The case passes if the type function and eager mode both reject it or both accept it ("rejected"
// is the message); the result is not compared. "rejected": "values" marks calls that eager mode
// rejects because of values; these are counted separately.
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
  std::string got;       ///< fxcpp's result, or why none was inferred
};

struct CaseCount {
  size_t passed = 0;
  size_t failed = 0;
};

/// Counts of derived calls with one kind of mutation.
struct MutationCount {
  size_t rejected = 0;          ///< by eager mode
  size_t rejected_by_both = 0;  ///< number of these that the type function rejects
  size_t accepted = 0;          ///< by eager mode
  size_t accepted_by_both = 0;  ///< number of these that the type function accepts
  size_t other_types = 0;       ///< number of these whose type is not the recorded one
  size_t by_values = 0;         ///< rejected because of values; not compared
};

struct CaseReport {
  std::map<std::string, CaseCount> operators;      ///< by overload
  std::map<std::string, MutationCount> mutations;  ///< by kind
  std::vector<std::string> without_type_function;
  std::vector<CaseFailure> failures;
  size_t passed = 0;

  size_t cases() const { return passed + failures.size(); }
};

/// Returns InvalidArgument, with the line number, for malformed text. Operators that are not in the
/// Context's registry count as operators without a type function.
absl::StatusOr<CaseReport> check_cases(Context& context, std::string_view json_lines,
                                       const TypeRules* rules = nullptr);

}  // namespace fx
