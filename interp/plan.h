// Plan: a graph prepared for running. The nodes up to the output become steps, and step i writes
// slot i. An operand is marked if it is the last use of its slot. A run can thus move values out of
// their slots, and free each value as early as an eager program does.
//
//   slot  step                       operands (slot, last use)
//   0     %x = placeholder
//   1     %a = aten.exp(%x)          (0, no)
//   2     %b = aten.mul(%x, %a)      (0, yes) (1, yes)
//         return %b                  (2, yes)
//
// A Plan contains no values, so multiple runs can share it.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx {

/// Finds the last use of each slot. Call read() for all uses in execution order. Afterward, the
/// `is_last` variable of the last use of each slot is true, and those of other uses are false. The
/// variables must not move before the last call.
class LastUses {
 public:
  explicit LastUses(size_t num_slots) : last_(num_slots, nullptr) {}
  void read(uint32_t slot, bool& is_last) {
    if (last_[slot] != nullptr) *last_[slot] = false;
    is_last = true;
    last_[slot] = &is_last;
  }
  bool is_used(uint32_t slot) const { return last_[slot] != nullptr; }

 private:
  std::vector<bool*> last_;
};

/// See the top of this file. Changes to the graph (compare version()), except to types and metadata
/// of nodes, invalidate the plan.
class Plan {
 public:
  static constexpr uint32_t kNoSlot = UINT32_MAX;

  struct Operand {
    uint32_t slot;  ///< kNoSlot if the node comes after the output
    bool last_use;
  };
  /// Step i writes slot i.
  struct Step {
    Node* node;
    uint32_t first_operand;
    uint32_t num_operands;  ///< the operands are in the order of Node::for_each_input
    bool is_used;           ///< a later step uses the value
  };

  explicit Plan(const Graph& graph);

  const Graph& graph() const { return *graph_; }
  /// Returns the nodes up to and including the first output, or all nodes if there is no output.
  absl::Span<const Step> steps() const { return steps_; }
  const Operand& operand(uint32_t i) const { return operands_[i]; }
  /// Returns the slot of a node, which is also the index of its step; kNoSlot if the node comes
  /// after the output or was created after the plan.
  uint32_t slot(const Node& node) const { return slots_[node]; }
  /// Returns the number of placeholders that accept one positional input. Placeholders after
  /// `*name` are keyword-only and not counted.
  size_t num_inputs() const { return num_inputs_; }
  /// Returns true if a placeholder `*name` accepts all remaining positional inputs.
  bool has_varargs() const { return has_varargs_; }
  /// Returns the version of the graph for which the plan was created.
  uint64_t version() const { return version_; }

 private:
  const Graph* graph_;
  uint64_t version_;
  std::vector<Step> steps_;
  std::vector<Operand> operands_;
  NodeMap<uint32_t> slots_;
  size_t num_inputs_ = 0;
  bool has_varargs_ = false;
};

/// The inputs that a placeholder accepts, determined by the asterisks before its target.
enum class InputPack : uint8_t {
  kOne,         ///< `x`
  kPositional,  ///< `*args`: all remaining positional inputs, as a tuple
  kNamed,       ///< `**kwargs`: all remaining named inputs, as a dict
};
InputPack input_pack(const Node& placeholder);

/// Returns true if the argument is a node or contains one.
bool contains_node(ArgumentRef argument);

}  // namespace fx
