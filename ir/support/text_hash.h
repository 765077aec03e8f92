// TextHash: the hash function of tables by text that hot paths look into.
#pragma once

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

#include <cstddef>
#include <string_view>

namespace fx {

/// abseil's hash of a text. Where absl::string_view is a type of its own, as in Debian's packages,
/// abseil's tables would hash a std::string_view by std::hash, which takes two to three times as
/// long on names.
struct TextHash {
  size_t operator()(std::string_view text) const {
    return absl::Hash<absl::string_view>()(absl::string_view(text.data(), text.size()));
  }
};

}  // namespace fx
