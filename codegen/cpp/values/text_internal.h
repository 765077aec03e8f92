// C++ tokens: names, literals, comments.
#pragma once

#include "fx/ir/types/dtype.h"

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

namespace fx::cpp {

/// True for a valid name of a class: it consists of letters, digits and `_`, and is not a keyword,
/// not a known macro, not reserved for the implementation and not used by the emitted code.
bool is_class_name(std::string_view text);
/// True for a valid name of a local or a member: is_class_name(), and, unlike most macro names, has
/// a lowercase letter or is a single character.
bool is_plain_name(std::string_view text);
/// Returns a plain name derived from arbitrary text.
std::string plain_name(std::string_view text);

/// Appends a string literal, including the quotes, for arbitrary bytes.
void append_literal(std::string& out, std::string_view text);
/// Appends an expression for a std::string or std::string_view: a literal, or a std::string if the
/// text contains null characters.
void append_string(std::string& out, std::string_view text);
/// Appends text for a comment after `//`. Replaces bytes that are not printable ASCII with `?`.
void append_comment(std::string& out, std::string_view text);
void append_int(std::string& out, int64_t value);
void append_double(std::string& out, double value);
void append_complex(std::string& out, std::complex<double> value);
/// Appends a dtype: at::kFloat.
void append_dtype(std::string& out, DType dtype);
void append_layout(std::string& out, Layout layout);
void append_memory_format(std::string& out, MemoryFormat format);
/// Appends a device: at::kCPU, at::Device("cuda:0").
void append_device(std::string& out, Device device);

}  // namespace fx::cpp
