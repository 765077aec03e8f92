// Formats counts with nouns, for messages.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace fx {

/// Returns `1 input` or `2 inputs`. `plural` is required unless the plural only adds an s.
template <std::integral Count>
std::string pluralize(Count count, std::string_view noun, std::string_view plural = {}) {
  std::string text = std::to_string(count);
  text += ' ';
  if (count == 1 || plural.empty())
    text += noun;
  else
    text += plural;
  if (count != 1 && plural.empty()) text += 's';
  return text;
}

}  // namespace fx
