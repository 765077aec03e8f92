// Module: the state that a graph refers to by dotted paths; the tree of a torch.nn.Module without
// its code.
//
//   auto root = std::make_shared<Module>("Net");
//   FX_RETURN_IF_ERROR(root->add_submodule("layer1.conv", conv));   // creates layer1
//   FX_RETURN_IF_ERROR(root->register_buffer("mask", mask, {.persistent = false}));
//   root->find_module("layer1.conv")->find_attribute("weight")->tensor;
//
// A module has named members (parameters, buffers, constants and child modules), in the order in
// which they were set, and hyperparameters, a training flag and a class name, for
// call_module. Children are shared: one module may be at multiple paths (tied layers), but
// never below itself. A GraphModule (ir/module/graph_module.h) is a Module whose forward is a
// Graph.
//
// A Module with Arguments or declared tensors must not outlive their Context. One thread at a time
// may change a tree.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/ordered_map.h"

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

class GraphModule;
class Module;

enum class AttributeKind : uint8_t {
  kParameter,  ///< trained
  kBuffer,     ///< state that is not trained: running statistics
  kConstant,   ///< a tensor that is neither, or any other value that a get_attr refers to
  kModule,     ///< a child
};
/// "parameter", "buffer", "constant", "module".
std::string_view attribute_kind_name(AttributeKind kind);

/// One member of a module.
struct Attribute {
  AttributeKind kind = AttributeKind::kConstant;
  bool requires_grad = false;      ///< parameters
  bool persistent = true;          ///< buffers: part of the state dict
  Tensor tensor;                   ///< undefined: registered as None, or a `value`
  Argument value;                  ///< constants other than tensors; contains no node
  std::shared_ptr<Module> module;  ///< children

  static Attribute parameter(Tensor tensor, bool requires_grad = true);
  static Attribute buffer(Tensor tensor, bool persistent = true);
  static Attribute constant(Tensor tensor);
  static Attribute constant(Argument value);
  static Attribute submodule(std::shared_ptr<Module> module);
};

struct ParameterOptions {
  bool requires_grad = true;
};
struct BufferOptions {
  bool persistent = true;
};

/// A parameter, buffer or constant with its path from the module that was searched.
struct NamedAttribute {
  std::string path;
  Attribute* attribute;
};
struct NamedModule {
  std::string path;
  Module* module;
};

struct StateDictOptions {
  bool non_persistent_buffers = false;  ///< include non-persistent buffers
  bool constants = false;               ///< include tensor constants
};

enum class CopyMode {
  kDeep,          ///< tensors are copied; copies share memory as the originals do
  kShareTensors,  ///< the copy contains the same tensors
};

/// Paths have at most this many components.
inline constexpr size_t kMaxModuleDepth = 1000;
inline constexpr std::string_view kPlainModuleClass = "torch.nn.modules.module.Module";

/// See the top of this file.
class Module : public MemberPaths {
 public:
  explicit Module(std::string_view class_name = kPlainModuleClass) : class_name_(class_name) {}
  virtual ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// The qualified class name: "torch.nn.modules.conv.Conv2d".
  const std::string& class_name() const { return class_name_; }
  void set_class_name(std::string_view name) { class_name_ = name; }
  /// This module if it is a GraphModule, else null.
  virtual GraphModule* as_graph_module() { return nullptr; }
  const GraphModule* as_graph_module() const {
    return const_cast<Module*>(this)->as_graph_module();
  }

  // ---- Mode
  bool training() const { return training_; }
  /// Sets the flag of this module and all modules below it.
  void train(bool mode = true);
  void eval() { train(false); }
  /// Sets only the flag of this module.
  void set_training(bool mode) { training_ = mode; }

  // ---- Hyperparameters: settings of a module that are not tensors (stride, eps, ...), by torch's
  // names. Values must not contain nodes; checked.
  const OrderedMap<Argument>& hyperparameters() const { return hyperparameters_; }
  const Argument* hyperparameter(std::string_view name) const {
    return hyperparameters_.find(name);
  }
  void set_hyperparameter(std::string_view name, Argument value);

  // ---- Direct members
  // InvalidArgument if a name is empty or contains a dot, or if a child contains this module.
  // Setting a name again replaces a member of the same kind, at the same position; AlreadyExists if
  // it is of a different kind.
  const OrderedMap<Attribute>& attributes() const { return attributes_; }
  absl::Status set_attribute(std::string_view name, Attribute attribute);
  /// An undefined tensor registers the name as None, as torch does for a missing bias.
  absl::Status register_parameter(std::string_view name, Tensor tensor,
                                  ParameterOptions options = {});
  absl::Status register_buffer(std::string_view name, Tensor tensor, BufferOptions options = {});
  absl::Status register_constant(std::string_view name, Tensor tensor);
  absl::Status register_constant(std::string_view name, Argument value);
  /// Makes room for `n` more members.
  void reserve(size_t n) { attributes_.reserve(n); }
  /// The child with this name, or null.
  Module* child(std::string_view name) const;
  /// The children in order.
  std::vector<NamedModule> children() const;

  // ---- By dotted path. "" is this module.
  /// Null when there is no module at this path.
  Module* find_module(std::string_view path);
  const Module* find_module(std::string_view path) const {
    return const_cast<Module*>(this)->find_module(path);
  }
  /// The member at this path, of any kind; null if none exists. Valid until it is removed. The
  /// caller may change its tensor and flags, but not its kind and module.
  Attribute* find_attribute(std::string_view path);
  const Attribute* find_attribute(std::string_view path) const {
    return const_cast<Module*>(this)->find_attribute(path);
  }
  bool has_attribute(std::string_view path) const override {
    return find_attribute(path) != nullptr;
  }
  bool has_module(std::string_view path) const override { return find_module(path) != nullptr; }
  const Module* as_module() const override { return this; }
  /// The tensor of the parameter, buffer or constant at this path; undefined if none exists.
  Tensor find_tensor(std::string_view path) const;
  /// The child at this path as a shared pointer; null if none exists, and for "".
  std::shared_ptr<Module> find_shared_module(std::string_view path) const;

  /// Sets a member at a path; missing modules on the path are created, as plain modules. Returns
  /// the errors for direct members; also InvalidArgument if the path leads through a member that is
  /// not a module, or has more than kMaxModuleDepth components. On error, nothing changes.
  absl::Status assign(std::string_view path, Attribute attribute);
  absl::Status add_submodule(std::string_view path, std::shared_ptr<Module> module) {
    return assign(path, Attribute::submodule(std::move(module)));
  }
  /// Removes the module at this path. NotFound if none exists, InvalidArgument for "". Does not
  /// check references of graphs; GraphModule::delete_submodule can.
  absl::Status delete_submodule(std::string_view path);
  /// Removes a member of any kind. Returns the errors of delete_submodule.
  absl::Status delete_attribute(std::string_view path);

  // ---- The whole tree, in torch's order: depth first, direct members before those of children
  /// Every module once, under its first path; this one first.
  std::vector<NamedModule> named_modules() const;
  /// Calls `f` for the same modules; the path is valid only during the call.
  void for_each_module(absl::FunctionRef<void(std::string_view path, Module& module)> f) const;
  /// Every parameter tensor once, under its first path; without None.
  std::vector<NamedAttribute> named_parameters() const;
  std::vector<NamedAttribute> named_buffers() const;
  std::vector<NamedAttribute> named_constants() const;
  /// Parameters and persistent buffers under all their paths: tied ones once per path, without
  /// None. ResourceExhausted if shared modules result in more than 2^20 paths.
  absl::StatusOr<std::vector<NamedAttribute>> state_dict(StateDictOptions options = {}) const;

  /// The tree as Python prints it: classes without their Python modules, hyperparameters by name,
  /// as in "Linear(in_features=2, bias=True)". A module with children is printed once; at its other
  /// paths, its first path is printed. No line break at the end.
  std::string str() const;

  /// A copy of the tree: a module at multiple paths is copied once. Returns the errors of
  /// TensorCopier.
  absl::StatusOr<std::unique_ptr<Module>> clone(CopyMode mode = CopyMode::kDeep) const;

 protected:
  /// An empty module of the same class, with the additional state of a subclass.
  virtual std::unique_ptr<Module> clone_shell() const;

 private:
  friend class GraphModule;
  friend class ModuleCloner;
  absl::Status set_member(std::string_view name, Attribute&& attribute);
  bool contains(const Module* other) const;
  /// Sets a member that has been checked; `old`: the member of that name, or null.
  void put(std::string_view name, Attribute&& attribute, Attribute* old);
  std::vector<NamedAttribute> named_tensors(AttributeKind kind) const;

  std::string class_name_;
  bool training_ = true;
  // The number of times that this module is a child. Atomic, since trees in different threads may
  // share a child.
  std::atomic<uint32_t> num_parents_ = 0;
  OrderedMap<Argument> hyperparameters_;
  OrderedMap<Attribute> attributes_;
};

/// Names for constants without a name, by torch.fx's rule: the next free `<prefix>N` of each
/// prefix, starting from 0 again when `<prefix>0` is free.
class UniqueAttributeNames {
 public:
  explicit UniqueAttributeNames(const Module& root) : root_(root) {}
  /// `fresh.next("_tensor_constant")`. Does not take the name: set the attribute before the next
  /// call.
  std::string next(std::string_view prefix);

 private:
  const Module& root_;
  absl::flat_hash_map<std::string, uint64_t> counters_;
};

}  // namespace fx
