// The objects that handles of the C interface refer to, and functions that check handles.
//
// A handle is a number stored in a pointer. It contains the kind, a slot and its generation
// and, for nodes, types and values, a number within the slot's graph or context. A slot is reused
// only after many other slots, and with a different generation, so that handles to destroyed
// objects are recognized.
#pragma once

#include "fx/c/fxcpp.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/exceptions.h"
#include "fx/ir/support/status.h"
#include "fx/tools/driver/document.h"
#include "fx/tools/driver/extensions.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace fx::c {

enum class Kind : uint8_t { kNone, kContext, kGraph, kNode, kType, kValue, kCall };

/// The parts of a handle.
struct Token {
  Kind kind = Kind::kNone;
  uint16_t generation = 0;  ///< the generation of the slot, 12 bits
  uint16_t slot = 0;
  uint32_t number = 0;

  template <class Handle>
  static Token of(Handle handle) {
    return from_bits(reinterpret_cast<uintptr_t>(handle));
  }
  static Token from_bits(uint64_t bits) {
    return {static_cast<Kind>(bits >> 60), static_cast<uint16_t>(bits >> 48 & 0xfff),
            static_cast<uint16_t>(bits >> 32), static_cast<uint32_t>(bits)};
  }
  template <class Handle>
  Handle as() const {
    const uint64_t bits = static_cast<uint64_t>(kind) << 60 | uint64_t{generation} << 48 |
                          uint64_t{slot} << 32 | number;
    return reinterpret_cast<Handle>(static_cast<uintptr_t>(bits));
  }
};
static_assert(sizeof(void*) == 8, "a handle has 64 bits");

/// Returns an error with this code.
absl::Status failure(fxc_status code, const std::string& message);

struct ContextData;

/// The nodes of a graph, by ID. Call rebuild() after passes have replaced nodes.
class NodeIndex final : public GraphObserver {
 public:
  explicit NodeIndex(Graph& graph) : graph_(graph) {
    graph_.add_observer(this);
    rebuild();
  }
  ~NodeIndex() override { graph_.remove_observer(this); }
  NodeIndex(const NodeIndex&) = delete;
  NodeIndex& operator=(const NodeIndex&) = delete;

  void rebuild();
  /// Returns the node with this ID, or null if it was erased.
  Node* find(uint32_t id) const { return id < nodes_.size() ? nodes_[id] : nullptr; }

  void node_created(Node& node) override;
  void node_erased(Node& node) override;

 private:
  Graph& graph_;
  std::vector<Node*> nodes_;
};

/// A graph. Its owner is a document, `own` or, for a nested graph, its parent.
struct GraphData {
  ContextData* context = nullptr;
  Token token;
  std::optional<Document> document;
  std::unique_ptr<Graph> own;
  Module default_root;  // used by passes if there is no document
  Graph* graph = nullptr;
  GraphData* parent = nullptr;  // the parent of a nested graph
  std::vector<GraphData*> nested;
  std::optional<NodeIndex> index;  // destroyed before the graph
  int running =
      0;  // the number of running functions that may call callbacks; only used for outermost graphs

  GraphData& outermost() { return parent != nullptr ? parent->outermost() : *this; }
  Module& root() { return document ? document->root() : default_root; }
};

/// A value whose nodes are handles.
struct ValueData {
  Argument shape;                // the value, with None instead of nodes
  fxc_node node = nullptr;       // not null if the value is a node
  std::vector<ValueData> items;  // the items of an aggregate that contains nodes
};

struct CallData {
  ContextData* context = nullptr;
  /// Returns the caller's value for an argument, by position or name.
  virtual absl::StatusOr<void*> argument(size_t index, int64_t item) const = 0;
  virtual absl::StatusOr<void*> keyword(std::string_view name, int64_t item) const = 0;

 protected:
  ~CallData() = default;
};

struct ContextData {
  Token token;
  std::thread::id owner;
  int busy =
      0;  // the number of functions that have not returned; guarded by the lock of the registry
  int callbacks = 0;  // the number of running functions that may call callbacks
  Extensions extensions;
  Context context;
  std::vector<std::unique_ptr<GraphData>> graphs;
  absl::flat_hash_map<const Graph*, GraphData*> by_graph;
  std::vector<Type> types;
  absl::flat_hash_map<const void*, uint32_t> type_numbers;
  absl::flat_hash_map<uint32_t, ValueData> values;
  uint32_t next_value = 0;
};

/// A checked handle. Its context is in use until this object is destroyed.
class Access {
 public:
  /// Checks the kind, the slot and the thread. `what` names the argument in messages.
  static absl::StatusOr<Access> enter(Token token, Kind kind, std::string_view what);
  Access(Access&& other) noexcept
      : context_(std::exchange(other.context_, nullptr)),
        object_(other.object_),
        token_(other.token_) {}
  Access& operator=(Access&&) = delete;
  ~Access();

  ContextData& context() const { return *context_; }
  GraphData& graph() const { return *static_cast<GraphData*>(object_); }
  CallData& call() const { return *static_cast<CallData*>(object_); }
  /// Returns the node of a node handle, or FXC_DESTROYED if the node was erased.
  absl::StatusOr<Node*> node() const;
  /// Returns the type of a type handle.
  absl::StatusOr<Type> type() const;
  absl::StatusOr<const ValueData*> value() const;
  /// Returns FXC_IN_USE while a function that may call callbacks is running.
  absl::Status may_change() const;

 private:
  Access(ContextData* context, void* object, Token token)
      : context_(context), object_(object), token_(token) {}
  ContextData* context_;
  void* object_;  // the object of the slot
  Token token_;
};

/// Marks a graph as used by a function that may call callbacks.
class Running {
 public:
  explicit Running(GraphData& graph) : graph_(graph.outermost()) {
    ++graph_.running;
    ++graph_.context->callbacks;
  }
  ~Running() {
    --graph_.running;
    --graph_.context->callbacks;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  GraphData& graph_;
};

/// Makes the calling thread the owner of a context.
absl::Status take(Token context);
/// Returns the message of the last error in this thread.
const char* last_message();
/// Copies a caller's options struct, whose size may be that of a different release. `given` may be
/// null.
absl::Status copy_options(const void* given, void* options, size_t size);

// ---- Creating and destroying the objects of slots
absl::StatusOr<Token> add_slot(Kind kind, void* object, ContextData* context);
void remove_slot(Token token);
/// Creates a handle for the graph of `data`. The context owns `data`.
absl::StatusOr<GraphData*> add_graph(ContextData& context, std::unique_ptr<GraphData> data);
/// Returns the data of a graph that is nested in the graph of `outer`, or belongs to its modules.
absl::StatusOr<GraphData*> data_of(GraphData& outer, Graph& graph);
void destroy_graph(GraphData& data);
void destroy_nested(GraphData& data);
fxc_type handle_of(ContextData& context, Type type);
absl::StatusOr<fxc_node> handle_of(GraphData& graph, Node* node);
absl::StatusOr<fxc_value> add_value(ContextData& context, ValueData&& value);
/// Returns the value of an argument of a node of `graph`.
absl::StatusOr<ValueData> value_of(GraphData& graph, const Argument& argument);
/// Returns the argument for a value. `graph` is the graph of its nodes; if it is null, the value
/// must not contain nodes.
absl::StatusOr<Argument> argument_of(ContextData& context, GraphData* graph, fxc_value value);
absl::StatusOr<Argument> argument_of(ContextData& context, GraphData* graph,
                                     const ValueData& value);

/// Returns the type of a handle, which may be null, in this context.
absl::StatusOr<Type> type_of(ContextData& context, fxc_type handle);

// ---- Results
/// Sets `*out` to the text, which is valid in this thread until the next call.
void return_text(std::string text, const char** out, size_t* size = nullptr);

template <class T>
absl::Status check_pointer(const T* pointer, std::string_view what) {
  if (pointer != nullptr) return absl::OkStatus();
  return failure(FXC_NULL_ARGUMENT, std::string(what) + " is NULL");
}
/// Checks an array that a caller passes.
template <class T>
absl::Status check_array(const T* pointer, size_t size, std::string_view what) {
  return size == 0 ? absl::OkStatus() : check_pointer(pointer, what);
}

fxc_status report(const absl::Status& status);

/// Runs the body of a function of the interface.
template <class Body>
fxc_status run_function(Body&& body) {
  return without_exceptions(
      [&] { return report(body()); },
      [](std::string_view what) {
        return report(failure(FXC_INTERNAL, "an exception: " + std::string(what)));
      });
}

}  // namespace fx::c
