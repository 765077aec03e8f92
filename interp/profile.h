// Profile: what each node of a run cost. Any Interpreter becomes a profiler:
//
//   fx::Profiled<MyInterpreter> profiled(graph);
//   profiled.run(inputs);
//   std::cout << profiled.profile().table(fx::ProfileGroup::kModule);
//   fx::write_file("trace.json", profiled.profile().chrome_trace());   // chrome://tracing,
//   Perfetto
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

/// What the rows of a table stand for.
enum class ProfileGroup : uint8_t {
  kNode,
  kTarget,  ///< the operator, method, or path of a module; of inputs the opcode
  kModule,  ///< the innermost module that the node comes from (meta data `module`)
};

/// One node that ran.
struct ProfileEvent {
  std::string name;
  std::string target;
  std::string module;
  std::string_view opcode;
  int64_t start_ns = 0;  ///< since the first node began
  int64_t time_ns = 0;   ///< with the nested graphs that it ran
  int64_t self_ns = 0;   ///< without them
  int64_t bytes = 0;     ///< of memory that its value took
  size_t depth = 0;      ///< of nested graphs
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
  /// Most time first; equal ones by name.
  std::vector<ProfileRow> rows(ProfileGroup group) const;
  /// As text, with a line about all below; at most `limit` rows.
  std::string table(ProfileGroup group, size_t limit = 30) const;
  /// The JSON that chrome://tracing and ui.perfetto.dev read.
  std::string chrome_trace() const;
};

/// An interpreter that notes what each node costs. Placeholders and the output count too.
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
  /// Forgets what ran.
  void clear_profile() {
    profile_.events.clear();
    origin_ = -1;
  }

 protected:
  /// Bytes that a node's value took; 0 for a view of what was there.
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
  int64_t nested_ns_ = 0;  // of the nodes that ran inside of the present one
};

/// The names of a node for its event.
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
