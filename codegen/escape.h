// Escapes user-supplied text, which may contain any bytes, for XML and DOT.
#pragma once

#include <string>
#include <string_view>

namespace fx {

/// Escapes text and attribute values of XML and HTML: `& < > " '` become entities; control
/// characters, which XML does not allow, and bytes that are not UTF-8 become U+FFFD.
std::string escape_xml(std::string_view text);

/// Escapes a quoted string of DOT, without its quotes: `"` and `\` are escaped, so that Graphviz
/// does not interpret sequences such as `\N` and `\l`; line breaks become `\n`; control characters
/// and bytes that are not UTF-8 become U+FFFD.
std::string escape_dot(std::string_view text);

/// Returns the first `limit` UTF-8 characters, followed by "…" if there are more.
std::string shorten(std::string_view text, size_t limit);

}  // namespace fx
