// Text of users inside other languages: names and types may hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace fx {

/// For the text and the attribute values of XML and HTML: `& < > " '` as entities; control
/// characters, which XML cannot hold, and bytes that are no UTF-8 become U+FFFD.
std::string escape_xml(std::string_view text);

/// For a quoted string of DOT, without its quotes: `"` and `\` are escaped, so that no sequence is
/// read as Graphviz's own (`\N`, `\l`); line breaks become `\n`. Bad bytes as above.
std::string escape_dot(std::string_view text);

/// The first `limit` characters, with "…" for the rest; whole characters of UTF-8.
std::string shorten(std::string_view text, size_t limit);

}  // namespace fx
