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
  kNone,     ///< nothing: no variable
  kTensor,   ///< at::Tensor
  kInt,      ///< int64_t
  kFloat,    ///< double
  kBool,     ///< bool
  kComplex,  ///< c10::complex<double>
  kScalar,   ///< at::Scalar
  kString,   ///< std::string
  kTensors,  ///< std::vector<at::Tensor>
  kInts,     ///< std::vector<int64_t>
  kTuple,    ///< std::tuple<...>; a struct where it is long
  kGraph,    ///< a nested graph: no variable
  kDType,    ///< at::ScalarType
  kDevice,   ///< at::Device
};

/// Equal types are equal values.
struct Value {
  ValueKind kind = ValueKind::kUnknown;
  const std::vector<Value>* items = nullptr;  ///< of a tuple
  std::string_view name = {};                 ///< of the struct that a long tuple is; else empty
  friend bool operator==(const Value&, const Value&) = default;
};

bool is_number(Value value);

/// Makes Values and keeps the items of tuples, each list once.
class ValueTypes {
 public:
  /// `long_tuple`: what long tuples are called, which is free in the namespace fxcpp.
  explicit ValueTypes(std::string long_tuple) : long_tuple_(std::move(long_tuple)) {}

  Value tuple(std::vector<Value> items);
  /// A list or tuple of these: tensors (and nothing else) are a vector.
  Value aggregate(const std::vector<Value>& items);
  /// What an operator returns.
  Value of_returns(const ops::OpSchema& schema);
  /// What is known of a value; a tensor where nothing is.
  Value of_type(Type type);
  /// The structs that long tuples are; empty without.
  std::string long_tuples() const;

 private:
  struct Tuple {
    std::vector<Value> items;
    std::string name;  ///< of a long one
  };
  std::string long_tuple_;
  std::deque<Tuple> tuples_;
};

/// "at::Tensor"
void append_type(std::string& out, Value value);
/// "std::get<2>(result)": an item of a tuple that the expression `tuple` gives.
std::string item_of(Value value, std::string_view tuple, size_t i);

}  // namespace fx::cpp
