// TextHash: the hash function of tables by text on hot paths.
#pragma once

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

#include <cstddef>
#include <string_view>

namespace fx {

/// Abseil's hash of a string. If absl::string_view is a separate type, as in Debian's packages,
/// Abseil's tables would hash a std::string_view with std::hash, which takes two to three times as
/// long for names.
struct TextHash {
  size_t operator()(std::string_view text) const {
    return absl::Hash<absl::string_view>()(absl::string_view(text.data(), text.size()));
  }
};

}  // namespace fx
