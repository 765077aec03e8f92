// Notes for the user about parts of a file that the reader ignores.
#pragma once

#include "absl/container/flat_hash_set.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace fx::pt2 {

/// Keeps each note once, and at most kMost notes, so that a file cannot make the list long.
class Notes {
 public:
  static constexpr size_t kMost = 100;

  /// `sink` receives the notes. If it is null, they are dropped.
  explicit Notes(std::vector<std::string>* sink) : sink_(sink) {}

  void add(std::string note) {
    if (sink_ == nullptr || seen_.size() >= kMost) return;
    if (seen_.insert(note).second) sink_->push_back(std::move(note));
  }

 private:
  std::vector<std::string>* sink_;
  absl::flat_hash_set<std::string> seen_;
};

}  // namespace fx::pt2
