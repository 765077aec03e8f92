#include "fx/importers/torch/script/script.h"

#include "fx/importers/torch/capture/scope_internal.h"
#include "fx/interp/torch/dispatch/dispatcher.h"

#include "absl/status/status.h"
#include <ATen/core/ivalue.h>
#include <fmt/format.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/script.h>

#include <cerrno>
#include <exception>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace fx {
namespace {

/// Returns the path of the current module, such as "layer1.0.conv1", from TorchScript's frames
/// "m(ResNet)::forward", "layer1(Sequential)::forward", ... The outermost frame is the root module.
std::string script_module_path() {
  std::string path;
  bool outermost = true;
  for (const std::string& frame : torch::jit::currentModuleHierarchy()) {
    const size_t end = frame.find('(');
    if (std::exchange(outermost, false) || end == std::string::npos) continue;
    std::string_view name = std::string_view(frame).substr(0, end);
    // Calls to functions and to other methods of the same module do not change the path.
    if (name == "SELF" || name == "self" || name.empty() || name.starts_with("CALL_FUNCTION"))
      continue;
    if (!path.empty()) path += '.';
    path += name;
  }
  return path;
}

/// The tensors in a result, and descriptions of the other values.
struct ResultCollector {
  std::vector<at::Tensor> tensors = {};
  std::vector<std::string> others = {};

  void add(const c10::IValue& value, const std::string& path) {  // NOLINT(misc-no-recursion)
    if (value.isTensor()) {
      tensors.push_back(value.toTensor());
    } else if (value.isTuple()) {
      add_items(value.toTupleRef().elements(), path);
    } else if (value.isList()) {
      add_items(value.toListRef(), path);
    } else if (value.isGenericDict()) {
      for (const auto& entry : value.toGenericDict()) {
        const std::string key = entry.key().isString()
                                    ? fmt::format("'{}'", entry.key().toStringView())
                                : entry.key().isInt() ? fmt::format("{}", entry.key().toInt())
                                                      : entry.key().tagKind();
        add(entry.value(), fmt::format("{}[{}]", path, key));
      }
    } else {
      others.push_back(fmt::format("{}{}({})", path, path.empty() ? "" : " ", value.type()->str()));
    }
  }
  void add_items(c10::ArrayRef<c10::IValue> items,
                 const std::string& path) {  // NOLINT(misc-no-recursion)
    for (size_t i = 0; i < items.size(); ++i) add(items[i], fmt::format("{}[{}]", path, i));
  }
};

}  // namespace

struct ScriptModule::Impl {
  torch::jit::Module module;
  std::vector<std::string> omitted_results = {};  // of the last run
};

absl::StatusOr<ScriptModule> ScriptModule::load(const std::string& path) {
  {  // libtorch's messages for these errors describe the internals of its reader
    std::ifstream file(path, std::ios::binary);
    char magic[4] = {};
    if (!file) {
      return absl::NotFoundError(fmt::format(
          "{}: cannot open: {}", path, std::error_code(errno, std::generic_category()).message()));
    }
    if (!file.read(magic, sizeof magic) || std::string_view(magic, 4) != "PK\x03\x04") {
      return absl::InvalidArgumentError(fmt::format(
          "{}: not a TorchScript file (torch.jit.save): it is not a ZIP archive", path));
    }
  }
  try {
    torch::jit::setGraphExecutorOptimize(false);
    return ScriptModule(std::make_shared<Impl>(Impl{torch::jit::load(path, at::kCPU)}));
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(
        fmt::format("{}: cannot be loaded as TorchScript: {}", path, torch_message(e)));
  }
}

ModuleState ScriptModule::state() const {
  ModuleState state;
  for (const auto& item : impl_->module.named_parameters()) {
    state.parameters.push_back({item.name, item.value});
  }
  for (const auto& item : impl_->module.named_buffers()) {
    state.buffers.push_back({item.name, item.value});
  }
  return state;
}

void ScriptModule::train(bool on) { impl_->module.train(on); }

Program ScriptModule::program(std::vector<std::string> names) const {
  return [impl = impl_, names = std::move(names)](Tensors inputs) {
    const ModulePathSource source(script_module_path);
    TORCH_CHECK(inputs.size() <= names.size(), "forward was passed ", inputs.size(),
                " inputs, but has ", names.size());
    torch::jit::Kwargs arguments;
    for (size_t i = 0; i < inputs.size(); ++i) arguments.emplace(names[i], inputs[i]);
    ResultCollector results;
    results.add(impl->module.forward({}, arguments), "");
    impl->omitted_results = std::move(results.others);
    return std::move(results.tensors);
  };
}

const std::vector<std::string>& ScriptModule::omitted_results() const {
  return impl_->omitted_results;
}

std::vector<std::string> ScriptModule::input_names() const {
  const auto& arguments = impl_->module.get_method("forward").function().getSchema().arguments();
  std::vector<std::string> names;
  for (size_t i = 1; i < arguments.size(); ++i) {  // 0 is the module itself
    if (!arguments[i].default_value()) names.push_back(arguments[i].name());
  }
  return names;
}

std::vector<std::string> ScriptModule::all_input_names() const {
  const auto& arguments = impl_->module.get_method("forward").function().getSchema().arguments();
  std::vector<std::string> names;
  for (size_t i = 1; i < arguments.size(); ++i) names.push_back(arguments[i].name());
  return names;
}

}  // namespace fx
