// The C++ type of a node's value.
#pragma once

#include "fx/ir/ops/schema.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::cpp {

enum class ValueKind : uint8_t {
  kUnknown,
  kNone,     ///< no value and no variable
  kTensor,   ///< at::Tensor
  kInt,      ///< int64_t
  kFloat,    ///< double
  kBool,     ///< bool
  kComplex,  ///< c10::complex<double>
  kScalar,   ///< at::Scalar
  kString,   ///< std::string
  kTensors,  ///< std::vector<at::Tensor>
  kInts,     ///< std::vector<int64_t>
  kTuple,    ///< std::tuple<...>; a struct if it is long
  kGraph,    ///< a nested graph, which has no variable
  kDType,    ///< at::ScalarType
  kDevice,   ///< at::Device
};

/// The C++ type of a value. Equal types compare equal.
struct Value {
  ValueKind kind = ValueKind::kUnknown;
  const std::vector<Value>* items = nullptr;  ///< the items of a tuple
  std::string_view name = {};  ///< the name of the struct of a long tuple; else empty
  friend bool operator==(const Value&, const Value&) = default;
};

bool is_number(Value value);

/// Creates Values. Owns the items of tuples, without duplicates.
class ValueTypes {
 public:
  /// `long_tuple` is the prefix of the names of long tuples. No other name in namespace fxcpp may
  /// have this prefix.
  explicit ValueTypes(std::string long_tuple) : long_tuple_(std::move(long_tuple)) {}

  Value tuple(std::vector<Value> items);
  /// Returns the type of a list or tuple: a vector if all items are tensors, otherwise a tuple.
  Value aggregate(const std::vector<Value>& items);
  /// Returns the type of an operator's result.
  Value of_returns(const ops::OpSchema& schema);
  /// Returns the C++ type for a type of the IR; at::Tensor if the type is unknown.
  Value of_type(Type type);
  /// Returns the declarations of the structs for long tuples; empty if there are none.
  std::string long_tuples() const;

 private:
  struct Tuple {
    std::vector<Value> items;
    std::string name;  ///< the name of the struct of a long tuple; else empty
  };
  std::string long_tuple_;
  std::deque<Tuple> tuples_;
};

/// Appends the C++ name of a type: "at::Tensor".
void append_type(std::string& out, Value value);
/// Returns the expression of an item of the expression `tuple`, such as "std::get<2>(result)".
std::string item_of(Value value, std::string_view tuple, size_t i);

}  // namespace fx::cpp
