// Plan: how a graph is run. Its nodes up to the output become steps in order, their values slots in
// order, and each operand knows whether it is the last to read its slot, so that a run moves values
// out of their slots and frees each as early as an eager program would.
//
//   slot  step                       operands (slot, last use)
//   0     %x = placeholder
//   1     %a = aten.exp(%x)          (0, no)
//   2     %b = aten.mul(%x, %a)      (0, yes) (1, yes)
//         return %b                  (2, yes)
//
// A Plan holds no values: many runs may share one. Interpreter makes its own.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx {

/// Finds the last read of every slot: tell it of all reads in the order of reading. `is_last` of
/// the last read of a slot is true then, of others false. They must stay where they are meanwhile.
class LastUses {
 public:
  explicit LastUses(size_t num_slots) : last_(num_slots, nullptr) {}
  void read(uint32_t slot, bool& is_last) {
    if (last_[slot] != nullptr) *last_[slot] = false;
    is_last = true;
    last_[slot] = &is_last;
  }
  bool is_read(uint32_t slot) const { return last_[slot] != nullptr; }

 private:
  std::vector<bool*> last_;
};

/// See the head of this file. Stale when the graph has changed since (version()); types and meta
/// data of nodes may change.
class Plan {
 public:
  static constexpr uint32_t kNoSlot = UINT32_MAX;

  struct Operand {
    uint32_t slot;  ///< kNoSlot: the node stands behind the output
    bool last_use;
  };
  /// Step i writes slot i.
  struct Step {
    Node* node;
    uint32_t first_operand;
    uint32_t num_operands;  ///< in the order of Node::for_each_input
    bool is_read;           ///< some later step reads the value
  };

  explicit Plan(const Graph& graph);

  const Graph& graph() const { return *graph_; }
  /// Up to the first output, which is the last step; all nodes where there is no output.
  absl::Span<const Step> steps() const { return steps_; }
  const Operand& operand(uint32_t i) const { return operands_[i]; }
  /// The slot (and step) of a node; kNoSlot for one behind the output, or made later.
  uint32_t slot(const Node& node) const { return slots_[node]; }
  /// Of the placeholders, those that take one positional input each: those behind `*name` take
  /// theirs by name.
  size_t num_inputs() const { return num_inputs_; }
  /// There is a placeholder `*name` for further inputs.
  bool has_varargs() const { return has_varargs_; }
  /// Of the graph, when the plan was made.
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

/// How a placeholder takes inputs, by the stars in front of its target.
enum class InputPack : uint8_t {
  kOne,         ///< `x`
  kPositional,  ///< `*args`: all further ones, as a tuple
  kNamed,       ///< `**kwargs`: all further named ones, as a dict
};
InputPack input_pack(const Node& placeholder);

/// True when a node occurs somewhere in the tree.
bool holds_node(ArgumentRef argument);

}  // namespace fx
