// Module: the state that a graph refers to by dotted paths, torch.nn.Module's tree without its
// code.
//
//   auto root = std::make_shared<Module>("Net");
//   FX_RETURN_IF_ERROR(root->add_submodule("layer1.conv", conv));   // makes layer1
//   FX_RETURN_IF_ERROR(root->register_buffer("mask", mask, {.persistent = false}));
//   root->find_module("layer1.conv")->find_attribute("weight")->tensor;
//
// A module has members by name, each a parameter, a buffer, a constant or a child module, in the
// order in which they were set; and hyper-parameters, a training flag and a class name, for
// call_module. Children are shared: one module may be at several paths (tied layers), never
// below itself. A GraphModule (ir/module/graph_module.h) is a Module whose forward is a Graph.
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
  kConstant,   ///< a tensor that is neither, or any other value that get_attr reads
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
  Argument value;                  ///< constants other than tensors; holds no node
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

/// A parameter, buffer or constant with its path from the module it was found from.
struct NamedAttribute {
  std::string path;
  Attribute* attribute;
};
struct NamedModule {
  std::string path;
  Module* module;
};

struct StateDictOptions {
  bool non_persistent_buffers = false;  ///< include these
  bool constants = false;               ///< include tensor constants
};

enum class CopyMode {
  kDeep,          ///< tensors are copied, what they share stays shared
  kShareTensors,  ///< the copy holds the same tensors
};

/// Paths have at most this many components.
inline constexpr size_t kMaxModuleDepth = 1000;
inline constexpr std::string_view kPlainModuleClass = "torch.nn.modules.module.Module";

/// See the head of this file.
class Module : public MemberPaths {
 public:
  explicit Module(std::string_view class_name = kPlainModuleClass) : class_name_(class_name) {}
  virtual ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// The qualified class name: "torch.nn.modules.conv.Conv2d".
  const std::string& class_name() const { return class_name_; }
  void set_class_name(std::string_view name) { class_name_ = name; }
  /// This module when it is a GraphModule, else null.
  virtual GraphModule* as_graph_module() { return nullptr; }
  const GraphModule* as_graph_module() const {
    return const_cast<Module*>(this)->as_graph_module();
  }

  // ---- Mode
  bool training() const { return training_; }
  /// Sets the flag here and in everything below.
  void train(bool mode = true);
  void eval() { train(false); }
  /// Sets the flag of this module alone.
  void set_training(bool mode) { training_ = mode; }

  // ---- Hyper-parameters: what a call_module needs besides tensors (stride, eps, ...), by
  // torch's names. Values hold no nodes; checked.
  const OrderedMap<Argument>& hyperparameters() const { return hyperparameters_; }
  const Argument* hyperparameter(std::string_view name) const {
    return hyperparameters_.find(name);
  }
  void set_hyperparameter(std::string_view name, Argument value);

  // ---- Own members
  // A name is not empty and has no dot: InvalidArgument. Setting a name again replaces a member of
  // the same kind in its place; AlreadyExists when it is of another kind. A child must not contain
  // this module: InvalidArgument.
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
  /// The member at this path, of any kind; null when there is none. Valid until it is removed. Its
  /// tensor and flags may be changed, its kind and module not.
  Attribute* find_attribute(std::string_view path);
  const Attribute* find_attribute(std::string_view path) const {
    return const_cast<Module*>(this)->find_attribute(path);
  }
  bool has_attribute(std::string_view path) const override {
    return find_attribute(path) != nullptr;
  }
  bool has_module(std::string_view path) const override { return find_module(path) != nullptr; }
  const Module* as_module() const override { return this; }
  /// The tensor of the parameter, buffer or constant at this path; undefined when there is none.
  Tensor find_tensor(std::string_view path) const;
  /// The child at this path as something to share; null when there is none, and for "".
  std::shared_ptr<Module> find_shared_module(std::string_view path) const;

  /// Sets a member at a path; plain modules are made where the path has none yet. Errors as for own
  /// members; InvalidArgument also where the path leads through something that is not a module, and
  /// when it has more than kMaxModuleDepth components. Nothing changes on an error.
  absl::Status assign(std::string_view path, Attribute attribute);
  absl::Status add_submodule(std::string_view path, std::shared_ptr<Module> module) {
    return assign(path, Attribute::submodule(std::move(module)));
  }
  /// Removes the module at this path. NotFound when there is none, InvalidArgument for "". Graphs
  /// are not looked at; GraphModule::delete_submodule can.
  absl::Status delete_submodule(std::string_view path);
  /// Removes a member of any kind. Errors as above.
  absl::Status delete_attribute(std::string_view path);

  // ---- The whole tree, in torch's order: depth first, own members before those of children
  /// Every module once, under its first path; this one first.
  std::vector<NamedModule> named_modules() const;
  /// Calls `f` for the same; the path is valid during the call only.
  void for_each_module(absl::FunctionRef<void(std::string_view path, Module& module)> f) const;
  /// Every parameter tensor once, under its first path; None ones left out.
  std::vector<NamedAttribute> named_parameters() const;
  std::vector<NamedAttribute> named_buffers() const;
  std::vector<NamedAttribute> named_constants() const;
  /// Parameters and persistent buffers under all their paths, tied ones each time, None ones left
  /// out. ResourceExhausted when sharing of modules makes more than 2^20 paths.
  absl::StatusOr<std::vector<NamedAttribute>> state_dict(StateDictOptions options = {}) const;

  /// The tree as Python prints it, classes without their modules, hyper-parameters by name:
  /// "Linear(in_features=2, bias=True)". A module with children is printed once; where it stands
  /// again, its first path is. No line break at the end.
  std::string str() const;

  /// A copy of the tree: modules at several paths stay one. Errors of TensorCopier.
  absl::StatusOr<std::unique_ptr<Module>> clone(CopyMode mode = CopyMode::kDeep) const;

 protected:
  /// An empty module of the same class, with what a subclass adds to the members.
  virtual std::unique_ptr<Module> clone_shell() const;

 private:
  friend class GraphModule;
  friend class ModuleCloner;
  absl::Status set_member(std::string_view name, Attribute&& attribute);
  bool contains(const Module* other) const;
  /// Sets what has been checked; `old`: the member of that name, or null.
  void put(std::string_view name, Attribute&& attribute, Attribute* old);
  std::vector<NamedAttribute> named_tensors(AttributeKind kind) const;

  std::string class_name_;
  bool training_ = true;
  // How often this module is a child. Atomic, since trees of several threads may share a child.
  std::atomic<uint32_t> num_parents_ = 0;
  OrderedMap<Argument> hyperparameters_;
  OrderedMap<Attribute> attributes_;
};

/// Names for constants that have none, by torch.fx's rule: the first free `<prefix>N`, counted on
/// per prefix; from 0 again when `<prefix>0` is free.
class FreshAttr {
 public:
  explicit FreshAttr(const Module& root) : root_(root) {}
  /// `fresh.next("_tensor_constant")`. Does not take the name: set the attribute before asking
  /// again.
  std::string next(std::string_view prefix);

 private:
  const Module& root_;
  absl::flat_hash_map<std::string, uint64_t> counters_;
};

}  // namespace fx
