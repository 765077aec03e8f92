// Escapes text from users, which may contain arbitrary bytes, for XML and DOT.
#pragma once

#include <string>
#include <string_view>

namespace fx {

/// Escapes text for XML and HTML, including attribute values. `& < > " '` become entities. Control
/// characters, which XML does not allow, and bytes that are not UTF-8 become U+FFFD.
std::string escape_xml(std::string_view text);

/// Escapes text for a quoted string in DOT; does not add the quotes. Escapes `"` and `\`, so that
/// Graphviz does not interpret sequences such as `\N` and `\l`. Line breaks become `\n`. Control
/// characters and bytes that are not UTF-8 become U+FFFD.
std::string escape_dot(std::string_view text);

/// Returns the first `limit` UTF-8 characters, followed by "…" if there are more.
std::string shorten(std::string_view text, size_t limit);

}  // namespace fx
