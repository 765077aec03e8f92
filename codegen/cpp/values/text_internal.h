// Words of C++: names, literals, comments.
#pragma once

#include "fx/ir/types/dtype.h"

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

namespace fx::cpp {

/// A name that a user may give a class: letters, digits and `_`, no keyword, nothing that the
/// emitted code itself, a known macro or the implementation may mean.
bool is_class_name(std::string_view text);
/// A name that a local or member may have: not in capitals alone either, as macros are.
bool is_plain_name(std::string_view text);
/// Such a name made of any text.
std::string plain_name(std::string_view text);

/// A string literal with quotes, for any bytes.
void append_literal(std::string& out, std::string_view text);
/// A value for a std::string or std::string_view: the literal, or a string of one with zeros.
void append_string(std::string& out, std::string_view text);
/// What may stand behind `//`: printable ASCII; all else is shown as `?`.
void append_comment(std::string& out, std::string_view text);
void append_int(std::string& out, int64_t value);
void append_double(std::string& out, double value);
void append_complex(std::string& out, std::complex<double> value);
/// at::kFloat
void append_dtype(std::string& out, DType dtype);
void append_layout(std::string& out, Layout layout);
void append_memory_format(std::string& out, MemoryFormat format);
/// at::kCPU, at::Device("cuda:0")
void append_device(std::string& out, Device device);

}  // namespace fx::cpp
