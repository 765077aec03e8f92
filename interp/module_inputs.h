// RecordModuleInputs: an interpreter that records the arguments of module calls, so that the parts
// of a split graph can be run, tested or compiled separately.
//
//   fx::RecordModuleInputs<Numbers> run({"_run_on_acc_0"}, *module);   // Numbers: an Interpreter
//   FX_RETURN_IF_ERROR(run.run(inputs).status());
//   const auto* inputs = run.inputs_of("_run_on_acc_0");               // of the last call
//
// The counterpart of torch.fx's splitter_base.generate_inputs_for_submodules, for values of any
// kind.
#pragma once

#include "fx/interp/interpreter.h"

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_set.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// See the top of this file. `Base` is an Interpreter, which runs the calls to modules.
template <class Base>
class RecordModuleInputs : public Base {
 public:
  using Value = typename Base::Value;
  using Call = fx::Call<Value>;

  /// Copies of the arguments of a module. The copy constructor of Value determines whether they
  /// share memory.
  struct Inputs {
    std::vector<Value> args;
    std::vector<NamedValue<Value>> kwargs;
  };

  /// `paths` are the paths of the modules from the root. If it is empty, the inputs of all modules
  /// are recorded. `arguments` are passed to the constructor of Base.
  template <class... Arguments>
  explicit RecordModuleInputs(std::vector<std::string> paths, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...), paths_(paths.begin(), paths.end()) {}

  /// Returns the inputs of the last call to a module, or null if it was not called or is not in
  /// `paths`.
  const Inputs* inputs_of(std::string_view path) const {
    const auto entry = inputs_.find(std::string(path));
    return entry == inputs_.end() ? nullptr : &entry->second;
  }
  /// Returns all recorded inputs, by path.
  const absl::btree_map<std::string, Inputs>& module_inputs() const { return inputs_; }

  absl::StatusOr<Value> call_module(Call& call) override {
    std::string path = this->path_of(call.target);
    if (paths_.empty() || paths_.contains(path)) inputs_[path] = {call.args, call.kwargs};
    return Base::call_module(call);
  }

 private:
  absl::flat_hash_set<std::string> paths_;
  absl::btree_map<std::string, Inputs> inputs_;
};

}  // namespace fx
