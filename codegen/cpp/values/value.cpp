#include "fx/codegen/cpp/values/value_internal.h"

#include "absl/strings/str_cat.h"

#include <algorithm>
#include <utility>

namespace fx::cpp {
namespace {

/// Longer tuples become structs: g++ 12 takes 5 s to compile a std::tuple with 100 items and 12 s
/// for 300 items, and rejects a std::tuple with 600 items, since its templates are nested too
/// deeply.
constexpr size_t kLongTuple = 64;

Value of_schema_type(const ops::SchemaType& type) {
  using ops::SchemaTypeKind;
  if (type.is_list()) {
    switch (type.element().without_optional().kind()) {
      case SchemaTypeKind::kTensor:
        return {ValueKind::kTensors};
      case SchemaTypeKind::kInt:
      case SchemaTypeKind::kSymInt:
        return {ValueKind::kInts};
      default:
        return {};
    }
  }
  switch (type.without_optional().kind()) {
    case SchemaTypeKind::kTensor:
      return {ValueKind::kTensor};
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
      return {ValueKind::kInt};
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
      return {ValueKind::kFloat};
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
      return {ValueKind::kBool};
    case SchemaTypeKind::kComplex:
      return {ValueKind::kComplex};
    case SchemaTypeKind::kScalar:
      return {ValueKind::kScalar};
    case SchemaTypeKind::kString:
      return {ValueKind::kString};
    case SchemaTypeKind::kScalarType:
      return {ValueKind::kDType};
    case SchemaTypeKind::kDevice:
      return {ValueKind::kDevice};
    default:
      return {};
  }
}

}  // namespace

bool is_number(Value value) {
  return value.kind >= ValueKind::kInt && value.kind <= ValueKind::kScalar;
}

Value ValueTypes::tuple(std::vector<Value> items) {
  for (const Tuple& known : tuples_)
    if (known.items == items) return {ValueKind::kTuple, &known.items, known.name};
  std::string name;
  if (items.size() > kLongTuple) name = absl::StrCat("fxcpp::", long_tuple_, tuples_.size());
  const Tuple& tuple = tuples_.emplace_back(std::move(items), std::move(name));
  return {ValueKind::kTuple, &tuple.items, tuple.name};
}

std::string ValueTypes::long_tuples() const {
  std::string out;
  for (const Tuple& tuple : tuples_) {
    if (tuple.name.empty()) continue;
    absl::StrAppend(&out, "struct ", tuple.name.substr(tuple.name.rfind(':') + 1), " {\n");
    std::string calls;
    for (size_t i = 0; i < tuple.items.size(); ++i) {
      out += "  ";
      append_type(out, tuple.items[i]);
      absl::StrAppend(&out, " item_", i, ";\n");
      absl::StrAppend(&calls, "    f(item_", i, ");\n");
    }
    absl::StrAppend(&out, "  template <class F>\n  void for_each(F&& f) const {\n", calls,
                    "  }\n};\n");
  }
  if (out.empty()) return out;
  return absl::StrCat(
      "\nnamespace fxcpp {\n"
      "// Tuples with many items are structs: compilers are slow on long std::tuples.\n",
      out, "}  // namespace fxcpp\n");
}

Value ValueTypes::aggregate(const std::vector<Value>& items) {
  const bool all_tensors = std::ranges::all_of(items, [](Value item) {
    return item.kind == ValueKind::kTensor || item.kind == ValueKind::kNone;
  });
  if (all_tensors) return {ValueKind::kTensors};
  std::vector<Value> values = items;
  for (Value& item : values)
    if (item.kind == ValueKind::kNone) item.kind = ValueKind::kTensor;  // undefined
  return tuple(std::move(values));
}

Value ValueTypes::of_returns(const ops::OpSchema& schema) {
  if (schema.returns().empty()) return {ValueKind::kNone};
  if (schema.returns().size() == 1) return of_schema_type(schema.returns()[0].type);
  std::vector<Value> items;
  for (const ops::SchemaArgument& item : schema.returns())
    items.push_back(of_schema_type(item.type));
  return tuple(std::move(items));
}

Value ValueTypes::of_type(Type type) {
  switch (type.kind()) {
    case TypeKind::kUnknown:
    case TypeKind::kTensor:
      return {ValueKind::kTensor};
    case TypeKind::kNone:
      return {ValueKind::kNone};
    case TypeKind::kInt:
      return {ValueKind::kInt};
    case TypeKind::kFloat:
      return {ValueKind::kFloat};
    case TypeKind::kBool:
      return {ValueKind::kBool};
    case TypeKind::kComplex:
      return {ValueKind::kComplex};
    case TypeKind::kString:
      return {ValueKind::kString};
    case TypeKind::kList:
    case TypeKind::kTuple: {
      std::vector<Value> items;
      for (const Type item : type.items()) items.push_back(of_type(item));
      return aggregate(items);
    }
    default:
      return {};
  }
}

void append_type(std::string& out, Value value) {
  switch (value.kind) {
    case ValueKind::kTensor:
    case ValueKind::kNone:
      out += "at::Tensor";
      return;
    case ValueKind::kInt:
      out += "int64_t";
      return;
    case ValueKind::kFloat:
      out += "double";
      return;
    case ValueKind::kBool:
      out += "bool";
      return;
    case ValueKind::kComplex:
      out += "c10::complex<double>";
      return;
    case ValueKind::kScalar:
      out += "at::Scalar";
      return;
    case ValueKind::kString:
      out += "std::string";
      return;
    case ValueKind::kTensors:
      out += "std::vector<at::Tensor>";
      return;
    case ValueKind::kInts:
      out += "std::vector<int64_t>";
      return;
    case ValueKind::kDType:
      out += "at::ScalarType";
      return;
    case ValueKind::kDevice:
      out += "at::Device";
      return;
    case ValueKind::kTuple: {
      if (!value.name.empty()) {
        out += value.name;
        return;
      }
      out += "std::tuple<";
      const char* separator = "";
      for (const Value item : *value.items) {
        out += separator;
        append_type(out, item);
        separator = ", ";
      }
      out += '>';
      return;
    }
    case ValueKind::kUnknown:
    case ValueKind::kGraph:
      out += "auto";
      return;
  }
}

std::string item_of(Value value, std::string_view tuple, size_t i) {
  return value.name.empty() ? absl::StrCat("std::get<", i, ">(", std::string(tuple), ")")
                            : absl::StrCat(std::string(tuple), ".item_", i);
}

}  // namespace fx::cpp
