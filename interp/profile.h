// Profile: the time and memory of each node in a run. Profiled turns any Interpreter into a
// profiler:
//
//   fx::Profiled<MyInterpreter> profiled(graph);
//   profiled.run(inputs);
//   std::cout << profiled.profile().table(fx::ProfileGroup::kModule);
//   fx::write_file("trace.json", profiled.profile().chrome_trace());
#pragma once

#include "fx/ir/graph/node.h"

#include "absl/status/statusor.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// The grouping of events in a table.
enum class ProfileGroup : uint8_t {
  kNode,
  kTarget,  ///< the operator, method or module path; the opcode for placeholder and get_attr nodes
  kModule,  ///< the innermost module of the node (metadata `module`)
};

/// The execution of one node.
struct ProfileEvent {
  std::string name;
  std::string target;
  std::string module;
  std::string_view opcode;
  int64_t start_ns = 0;  ///< relative to the start of the first node
  int64_t time_ns = 0;   ///< including nested graphs
  int64_t self_ns = 0;   ///< excluding nested graphs
  int64_t bytes = 0;     ///< the size of the memory that its value occupies
  size_t depth = 0;      ///< the nesting depth of the graph
};

/// The sum over the events of a group.
struct ProfileRow {
  std::string name;
  size_t calls = 0;
  int64_t self_ns = 0;
  int64_t bytes = 0;
};

class Profile {
 public:
  std::vector<ProfileEvent> events;  ///< in the order in which they ended

  int64_t total_ns() const;  ///< the sum of all self_ns
  /// Returns the rows, sorted by descending time, then by name.
  std::vector<ProfileRow> rows(ProfileGroup group) const;
  /// Returns at most `limit` rows as text, followed by a line with totals.
  std::string table(ProfileGroup group, size_t limit = 30) const;
  /// Returns JSON for chrome://tracing and ui.perfetto.dev.
  std::string chrome_trace() const;
};

/// An interpreter that records each node, including placeholders and the output.
template <class Base>
class Profiled : public Base {
 public:
  using Base::Base;
  using V = typename Base::Value;

  absl::StatusOr<V> run_node(Node& node) override {
    const int64_t start = now();
    const int64_t outer = std::exchange(nested_ns_, 0);
    absl::StatusOr<V> value = Base::run_node(node);
    const int64_t time = now() - start;
    if (value.ok()) add(node, start, time, *value);
    nested_ns_ = outer + time;
    return value;
  }

  const Profile& profile() const { return profile_; }
  /// Removes all events.
  void clear_profile() {
    profile_.events.clear();
    origin_ = -1;
  }

 protected:
  /// Returns the bytes of new memory that a node's value occupies; 0 for a view.
  virtual int64_t bytes_of(const Node&, const V&) const { return 0; }

 private:
  static int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  void add(const Node& node, int64_t start, int64_t time, const V& value);

  Profile profile_;
  int64_t origin_ = -1;
  int64_t nested_ns_ = 0;  // the time of the nodes that ran inside the current node
};

/// Returns an event with the names of a node, but without times.
ProfileEvent profile_event(const Node& node);

template <class Base>
void Profiled<Base>::add(const Node& node, int64_t start, int64_t time, const V& value) {
  if (origin_ < 0) origin_ = start;
  ProfileEvent event = profile_event(node);
  event.start_ns = start - origin_;
  event.time_ns = time;
  event.self_ns = time - nested_ns_;
  event.bytes = bytes_of(node, value);
  event.depth = this->depth();
  profile_.events.push_back(std::move(event));
}

}  // namespace fx
