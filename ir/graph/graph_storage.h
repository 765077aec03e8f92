// GraphStorage: the memory of one Graph. It contains the nodes and their order, the arguments, and
// the use lists, but not names, metadata or nested graphs.
//
//   node pages    [ header | node 1 | node 2 | ... ]      64 bytes each, addressed by slot
//   cell pages    [ cell 0 | cell 1 | ... ]               16 bytes each, addressed by index
//
// Slots and cell indexes are 32-bit numbers; pages never move, so a `Node*` stays valid until
// the node is erased. Nodes form a circular list through a hidden root node. A node's arguments are
// one run of cells, and so are the items of each list among them. The cell of an operand is also an
// entry of the operand's use list, which is circular through the value's first use.
//
// These functions check nothing. Graph and Node check their arguments and then call them; code that
// may skip the checks uses Graph::Editor (graph_editor.h). The functions on the path of every edit
// are inline, in graph_storage_inline.h.
//
// Multiple threads may call const functions concurrently.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/support/name.h"

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace fx {

class GraphStorage {
 public:
  static constexpr uint32_t kSlotsPerHeader = detail::kHeaderStride / sizeof(Node);
  static constexpr uint32_t kNodePageBits = 10;
  static constexpr uint32_t kNodesPerPage = 1u << kNodePageBits;
  static constexpr uint32_t kCellPageBits = 12;
  static constexpr uint32_t kCellsPerPage = 1u << kCellPageBits;
  static constexpr uint32_t kRoot = 1;  ///< slot of the hidden node that closes the list

  /// An empty storage for the nodes of `owner`.
  explicit GraphStorage(Graph& owner);
  ~GraphStorage();
  GraphStorage(const GraphStorage&) = delete;
  GraphStorage& operator=(const GraphStorage&) = delete;

  // ---- Whole graphs
  /// Copies all nodes and arguments of another storage: same slots, ids and order. This storage
  /// must be new.
  void copy_from(const GraphStorage& from);
  /// Drops all nodes and takes the nodes of `from`, which must have the same Context. Afterward
  /// `from` may only be destroyed. The ids of the nodes are raised above the ids used in this
  /// storage.
  void take(GraphStorage& from);
  /// Drops all nodes, and keeps the memory for new ones.
  void clear();
  /// Reserves memory for `nodes` more nodes with a total of `arguments` arguments.
  void reserve(size_t nodes, size_t arguments);
  size_t memory_bytes() const;

  // ---- Reading
  Node* node_at(uint32_t slot) const {
    return node_pages_[slot >> kNodePageBits] + (slot & (kNodesPerPage - 1));
  }
  /// The node in `slot`. Faster than node_at if it is under the same header as `node`: its address
  /// is then computed, and a walk over the graph waits for one load per node instead of two.
  Node* node_near(const Node& node, uint32_t slot) const {
    if ((slot ^ node.slot_) >= kSlotsPerHeader) [[unlikely]]
      return node_at(slot);
    return const_cast<Node*>(&node) + static_cast<int32_t>(slot - node.slot_);
  }
  detail::Cell* cell_at(uint32_t index) const {
    return cell_pages_[index >> kCellPageBits] + (index & (kCellsPerPage - 1));
  }
  Node& root() const { return *node_at(kRoot); }
  size_t size() const { return state_.size; }
  const std::array<uint32_t, kNumOpcodes>& num_by_op() const { return state_.num_by_op; }
  uint32_t id_bound() const { return state_.next_id; }      ///< all ids are less than this
  uint32_t slot_bound() const { return state_.next_slot; }  ///< all slots are less than this
  uint32_t cell_bound() const { return state_.next_cell; }  ///< all cell indexes are less than this
  bool has_iterators() const { return num_iterators_.load(std::memory_order_relaxed) != 0; }

  // ---- Nodes
  /// A node that is not in the list yet, with uninitialized cells for its arguments.
  Node& new_node(Opcode op, const void* target, Name name, size_t num_args, size_t num_kwargs,
                 const TypeData* type);
  /// Discards the node that new_node created last, which must not be in the list.
  void discard_node(Node& node);
  /// Inserts a new node before the node in a slot.
  void insert(Node& node, uint32_t before);
  /// Removes a node without arguments from the list. Its slot is not reused while an iterator
  /// exists; until then the node keeps its links.
  void remove(Node& node);
  /// Moves a node of the list before another one.
  void move(Node& node, uint32_t before);
  void change_op(Node& node, Opcode op);

  // ---- Arguments and uses
  uint32_t new_cells(uint32_t count);
  void free_cells(uint32_t begin, uint32_t count);
  /// Makes the cell an operand of `user`: the value of the node in slot `value`.
  void add_use(uint32_t cell, uint32_t value, uint32_t user);
  void remove_use(uint32_t cell);
  void move_cell(uint32_t from, uint32_t to);
  void store(const Argument& value, uint32_t cell, uint32_t user);
  void store_kwargs(absl::Span<const Kwarg> kwargs, uint32_t cell, uint32_t user);
  /// Removes the uses in a cell and frees the cells of its items.
  void release(uint32_t cell);
  void release_arguments(Node& node);
  /// Makes all users of `node` use `other`; returns their number, which must not be 0.
  size_t move_uses(Node& node, Node& other);

 private:
  friend class NodeIterator;
  friend class GraphTestPeer;  // tests that deliberately break graphs
  struct FreeRuns;             // graph_storage_inline.h

  /// The description of the contents of the pages, copied with them.
  struct State {
    uint32_t size = 0;
    // Lists of slots of erased nodes, linked through cells_: slots that may be reused, and slots at
    // which an iterator may be. 0: none.
    uint32_t free_slots = 0;
    uint32_t erased_slots = 0;
    uint32_t next_slot = 0;
    uint32_t slots_end = 0;  // end of the slots under next_slot's header
    uint32_t next_id = 0;
    uint32_t next_cell = 1;
    uint32_t cells_end = 0;      // end of the last cell page
    bool has_long_runs = false;  // there are runs of cells that span multiple pages
    std::array<uint32_t, kNumOpcodes> num_by_op = {};
  };
  /// The memory itself.
  struct Pages {
    absl::InlinedVector<Node*, 2> nodes;
    absl::InlinedVector<detail::Cell*, 2> cells;
    absl::InlinedVector<std::pair<void*, size_t>, 1> blocks;  // to free: address, bytes
    char* spare = nullptr;  // full pages that have not been used yet
    size_t num_spare = 0;
  };

  void* new_pages(size_t count);
  void* new_single_page(size_t page);
  void ensure_spare_pages(size_t count);
  void add_slots();
  void add_node_page();
  void set_headers(size_t page);
  void set_page_pointers();
  uint32_t new_slot();
  uint32_t grow_slots();
  uint32_t grow_cells(uint32_t count);
  FreeRuns& own_free_runs();
  void free_cell_trees(uint32_t begin, uint32_t count);
  void store_owned(const Argument& value, uint32_t cell, uint32_t user);
  void release_items(uint32_t cell);
  static void add_to(uint32_t& slots, Node& node);
  void link_before(Node& node, uint32_t before);
  void unlink(Node& node);
  void renumber_around(Node& node);

  Node** node_pages_ = nullptr;          // data of pages_.nodes
  detail::Cell** cell_pages_ = nullptr;  // data of pages_.cells
  State state_;
  mutable std::atomic<uint32_t> num_iterators_ = 0;  // not counting iterators at the end
  Graph* owner_;
  std::unique_ptr<FreeRuns> free_runs_;  // created when the first argument is released
  Pages pages_;
};

}  // namespace fx
