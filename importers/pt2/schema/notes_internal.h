// Notes for the user about parts of a file that the reader ignores.
#pragma once

#include "absl/container/flat_hash_set.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// Passes each distinct note to the sink once, up to a total of kMaxNotes notes, which bounds the
/// list for malicious files.
class Notes {
 public:
  static constexpr size_t kMaxNotes = 100;

  /// `sink` receives the notes. If it is null, they are dropped.
  explicit Notes(std::vector<std::string>* sink) : sink_(sink) {}

  void add(std::string note) {
    if (sink_ == nullptr || seen_.size() >= kMaxNotes) return;
    if (seen_.insert(note).second) sink_->push_back(std::move(note));
  }

 private:
  std::vector<std::string>* sink_;
  absl::flat_hash_set<std::string> seen_;
};

}  // namespace fx::pt2
