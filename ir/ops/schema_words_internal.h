// The words of schema text, shared by its reader and its writer.
#pragma once

#include "fx/ir/ops/schema.h"

#include <string_view>

namespace fx::ops {

/// The maximum depth of types: `Tensor?[]` has depth three. PyTorch's schemas stay below six.
inline constexpr int kMaxSchemaDepth = 16;
/// The maximum declared size of a list, and the maximum number of values in a default.
inline constexpr int kMaxSchemaListSize = 1024;

inline constexpr std::string_view kSchemaWhitespace = " \t\r\n";

struct SchemaWord {
  std::string_view text;
  SchemaTypeKind kind;
};

/// If a kind has more than one spelling, the first one is printed.
inline constexpr SchemaWord kSchemaWords[] = {
    {"Tensor", SchemaTypeKind::kTensor},
    {"int", SchemaTypeKind::kInt},
    {"bool", SchemaTypeKind::kBool},
    {"SymInt", SchemaTypeKind::kSymInt},
    {"Scalar", SchemaTypeKind::kScalar},
    {"float", SchemaTypeKind::kFloat},
    {"str", SchemaTypeKind::kString},
    {"ScalarType", SchemaTypeKind::kScalarType},
    {"Layout", SchemaTypeKind::kLayout},
    {"Device", SchemaTypeKind::kDevice},
    {"MemoryFormat", SchemaTypeKind::kMemoryFormat},
    {"Generator", SchemaTypeKind::kGenerator},
    {"complex", SchemaTypeKind::kComplex},
    {"SymFloat", SchemaTypeKind::kSymFloat},
    {"SymBool", SchemaTypeKind::kSymBool},
    {"Storage", SchemaTypeKind::kStorage},
    {"Stream", SchemaTypeKind::kStream},
    {"QScheme", SchemaTypeKind::kQScheme},
    {"Quantizer", SchemaTypeKind::kQuantizer},
    {"Dimname", SchemaTypeKind::kDimname},
    {"NoneType", SchemaTypeKind::kNone},
    {"None", SchemaTypeKind::kNone},
    {"Any", SchemaTypeKind::kAny},
    {"list", SchemaTypeKind::kAnyList},
    {"tuple", SchemaTypeKind::kAnyTuple},
    {"AnyClassType", SchemaTypeKind::kAnyClass},
    {"AnyEnumType", SchemaTypeKind::kAnyEnum},
    {"Capsule", SchemaTypeKind::kCapsule},
    {"DeviceIndex", SchemaTypeKind::kInt},
    {"ConstQuantizerPtr", SchemaTypeKind::kInt},
    {"Dict", SchemaTypeKind::kDict},
    {"Union", SchemaTypeKind::kUnion},
    {"Future", SchemaTypeKind::kFuture},
    {"Await", SchemaTypeKind::kAwait},
    {"RRef", SchemaTypeKind::kRRef},
};

/// Characters that are written in a quoted string as a backslash and the letter at the same index
/// in kEscapeLetters.
inline constexpr std::string_view kEscapedCharacters = "\a\b\f\n\r\t\v\"\'\\";
inline constexpr std::string_view kEscapeLetters = "abfnrtv\"'\\";

/// Words for enumerators in defaults, with PyTorch's numeric values.
struct SchemaNumberWord {
  std::string_view text;
  int number;
};
inline constexpr SchemaNumberWord kSchemaNumberWords[] = {
    {"Mean", 1},
    {"Sum", 2},
    {"strided", 0},
    {"contiguous_format", 0},
    {"preserve_format", 1},
    {"channels_last", 2},
    {"byte", 0},
    {"char", 1},
    {"short", 2},
    {"int", 3},
    {"long", 4},
    {"half", 5},
    {"float", 6},
    {"double", 7},
    {"bool", 11},
    {"bfloat16", 15},
};

}  // namespace fx::ops
