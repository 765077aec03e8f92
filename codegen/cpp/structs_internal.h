// The class and, with CppOptions::modules, the structs in it, one for each module.
#pragma once

#include "fx/codegen/cpp/cpp.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/module/tied_paths.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::cpp {

/// A struct. Its methods are stored as text.
struct Struct {
  std::string type_name, member_name;  ///< `struct Layer1 {...}; Layer1 layer1;`
  uint32_t parent = 0;
  int depth = 0;
  std::vector<uint32_t> children;
  std::vector<size_t> members;  ///< tensors: indices into Structs::members
  std::string methods;
  absl::flat_hash_set<std::string> taken;

  /// Reserves an unused name in the struct, derived from `name`, and returns it.
  std::string unique(const std::string& name);
};

class Structs {
 public:
  /// With `nested`, modules are structs; otherwise, all members are in the class, struct 0. `root`,
  /// which may be null, contains the tensors: a tied tensor is one member.
  Structs(bool nested, const Module* root) : nested_(nested), ties_(root), structs_(1) {}

  bool nested() const { return nested_; }
  /// Returns the struct of the module at a path. Creates it if it does not exist.
  uint32_t at(std::string_view path);
  Struct& operator[](uint32_t i) { return structs_[i]; }
  const Struct& operator[](uint32_t i) const { return structs_[i]; }
  /// Returns the index of a tensor in `members`. Creates it in the struct of its module if it does
  /// not exist. All paths of a tied tensor have one member, in the struct of the path that occurs
  /// first.
  size_t member(std::string_view path, Type type);
  uint32_t owner(size_t member) const { return owners_[member]; }
  /// Returns the expression of a member in methods of the struct `from`, such as
  /// "this->layer1.conv.weight"; empty if `from` does not contain the member.
  std::string expression(size_t member, uint32_t from) const;
  /// Returns the expression of the struct `to` in methods of the struct `from`, such as
  /// "this->layer1.conv."; "this->" if both are the same struct.
  std::string access(uint32_t to, uint32_t from) const;
  bool contains(uint32_t outer, uint32_t inner) const;

  std::vector<CppMember> members;
  uint32_t current = 0;  ///< the struct whose method is being written

 private:
  bool nested_;
  TiedPaths ties_;
  std::deque<Struct> structs_;
  std::vector<uint32_t> owners_;
  std::vector<std::string> names_;  ///< the names of the members in their structs
  absl::flat_hash_map<std::string, size_t> by_path_;
  absl::flat_hash_map<std::pair<uint32_t, std::string>, uint32_t> children_;
};

/// Consecutive calls of a graph that belong to one module: a method of its struct.
struct Region {
  uint32_t module = 0;  ///< the struct
  int32_t parent = -1;  ///< the enclosing region; -1: the function itself
  int depth = 0;
  bool is_backward = false;
  const Node* first = nullptr;
  const Node* last = nullptr;
  std::vector<const Node*> tensors;  ///< members of the struct that get a local at the start
  std::vector<const Node*> inputs;   ///< values that are defined outside the region
  std::vector<const Node*> outputs;  ///< values that are used outside the region
};

class Regions {
 public:
  /// Finds the regions, given the metadata `module` of the nodes. `member_path(node)` returns the
  /// path of a node that is a tensor member of the class, or an empty path for other nodes.
  /// `has_no_code(node)` returns true for nodes for which no code is emitted.
  template <class MemberPath, class HasNoCode>
  Regions(const Graph& graph, Structs& structs, MemberPath member_path, HasNoCode has_no_code)
      : structs_(&structs), of_(graph, -1), owners_(graph, -1) {
    for (const Node& node : graph.nodes()) {
      if (const std::string path = member_path(node); !path.empty()) {
        of_[node] = kNowhere;
        owners_[node] = static_cast<int32_t>(structs.owner(structs.member(path, node.type())));
      } else if (!node.is_placeholder() && !has_no_code(node)) {
        enter(node);
      }
    }
    find_uses(graph);
  }

  const std::vector<Region>& all() const { return all_; }
  /// Returns the region of a node; -1 for the function itself. A tensor member has a local at the
  /// start of each region that uses it and whose struct contains it; for such a node, returns -1 if
  /// the function itself also uses it, and kNowhere otherwise.
  int32_t of(const Node& node) const { return of_[node]; }
  /// True if `user` is the last use of `value` in `region`, and `value` is not used outside the
  /// region.
  bool is_last_use(int32_t region, const Node& value, const Node& user) const;
  /// True if the call to the region `called` is the last use of `value` in `region`, and `value` is
  /// not used outside the region.
  bool is_last_use_in(int32_t region, const Node& value, int32_t called) const;

 private:
  struct LastUse {
    const Node* user = nullptr;
    int32_t called = -1;
    bool is_output = false;
  };
  static constexpr int32_t kNowhere = -2;

  /// Pairs (region, value) for which the value is an input, an output or a tensor of the region.
  using PassedValues = absl::flat_hash_set<std::pair<int32_t, const Node*>>;

  void enter(const Node& node);
  int32_t definition_region(const Node& value, int32_t user) const;
  void find_uses(const Graph& graph);
  void add_use(const Node& node, const Node* value, PassedValues& passed);
  int32_t common(int32_t a, int32_t b) const;
  int depth(int32_t region) const {
    return region < 0 ? -1 : all_[static_cast<size_t>(region)].depth;
  }
  Region& at(int32_t region) { return all_[static_cast<size_t>(region)]; }

  Structs* structs_;
  NodeMap<int32_t> of_;
  NodeMap<int32_t> owners_;  ///< the structs of tensor members; -1 for other nodes
  std::vector<Region> all_;
  int32_t open_ = -1;
  absl::flat_hash_map<std::pair<int32_t, const Node*>, LastUse> last_;
};

/// Returns the parts of a path, such as "layer1", "0" and "conv". If a path is deeper than the
/// nesting that compilers support, the last part contains all remaining names.
std::vector<std::string_view> path_parts(std::string_view path);

}  // namespace fx::cpp
