#include "fx/interp/torch/graph_data.h"

#include "fx/interp/input_constants.h"
#include "fx/interp/shared_inputs.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/graph_tables.h"
#include "fx/interp/torch/stored_values_internal.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/module/tied_paths.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

namespace fx {
namespace {

absl::StatusOr<at::Tensor> as_tensor(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor();
  if (value.isDouble()) return at::scalar_tensor(value.toDouble(), at::kDouble);
  if (value.isInt()) return at::scalar_tensor(value.toInt(), at::kLong);
  return absl::InvalidArgumentError(
      fmt::format("a {} cannot be stored with a graph", value.tagKind()));
}

/// Creates zeros with these strides and this offset. Throws c10::Error if they require too much
/// memory, or are negative.
at::Tensor zeros_with_strides(at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset,
                              at::TensorOptions options) {
  const size_t count =
      at::detail::computeStorageNbytes(sizes, strides, 1, static_cast<size_t>(offset));
  return at::zeros({static_cast<int64_t>(count)}, options).as_strided(sizes, strides, offset);
}

/// Returns a number of this type: its constant, or 1, 0.5 or True if it has none. Returns
/// std::nullopt for other types and for symbolic numbers without a value.
std::optional<c10::IValue> make_number(Type type, const SymBindings& sizes) {
  const TypeKind kind = type.kind();
  if (kind != TypeKind::kInt && kind != TypeKind::kFloat && kind != TypeKind::kBool) return {};
  if (type.is_symbolic()) {
    if (kind != TypeKind::kInt) return {};
    const absl::StatusOr<int64_t> value = eval_int(type.expr(), sizes);
    return value.ok() ? std::optional(c10::IValue(*value)) : std::nullopt;
  }
  const bool is_constant = type.is_constant();
  if (kind == TypeKind::kInt) return c10::IValue(is_constant ? type.int_value() : int64_t{1});
  if (kind == TypeKind::kFloat) return c10::IValue(is_constant ? type.float_value() : 0.5);
  return c10::IValue(!is_constant || type.bool_value());
}

/// Creates the elements of a tensor: see GraphDataOptions. Integers start with 0, unless the tensor
/// is 0-dimensional, so that they are valid offsets.
at::Tensor make_elements(at::ScalarType dtype, const std::vector<int64_t>& sizes,
                         at::Generator& generator, bool both_signs) {
  if (dtype == at::kBool) return at::ones(sizes, dtype);
  if (at::isFloatingType(dtype) || at::isComplexType(dtype)) {
    at::Tensor values = at::rand(sizes, generator, at::TensorOptions().dtype(at::kFloat));
    if (both_signs) values.mul_(2).sub_(1);
    return values.to(dtype);
  }
  if (sizes.empty()) return at::full({}, 2, dtype);
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return at::arange(count, at::kLong).remainder(2).view(sizes).to(dtype);
}

/// Creates a value of this type: see GraphDataOptions.
absl::StatusOr<c10::IValue> make_value(Type type, const SymBindings& symbols,
                                       at::Generator& generator, bool both_signs) {
  if (type.is_none()) return c10::IValue();
  if (type.kind() == TypeKind::kString)
    return c10::IValue(std::string(type.is_constant() ? type.string_value() : ""));
  if (std::optional<c10::IValue> number = make_number(type, symbols)) return *std::move(number);
  if (!type.is_tensor() || !type.has_rank() || type.dtype() == DType::kUndefined) {
    return absl::InvalidArgumentError(
        fmt::format("cannot create a value of type {}", to_string(type)));
  }
  bool known = true;
  const auto value_of = [&](const Dim& dim) {
    const absl::StatusOr<int64_t> value = eval_int(dim, symbols);
    known = known && value.ok();
    return value.value_or(0);
  };
  std::vector<int64_t> sizes, strides;
  for (int i = 0; i < type.rank(); ++i) {
    sizes.push_back(value_of(type.size(i)));
    if (type.has_strides()) strides.push_back(value_of(type.stride(i)));
  }
  if (!known) {
    return absl::InvalidArgumentError(fmt::format(
        "cannot create a value of type {}; its sizes must be numbers", to_string(type)));
  }
  const at::Tensor values = make_elements(to_torch(type.dtype()), sizes, generator, both_signs);
  if (strides.empty()) return c10::IValue(values);
  // All elements of an expanded tensor (stride 0) are 1.
  const int64_t offset = eval_int(type.offset(), symbols).value_or(0);
  at::Tensor placed = zeros_with_strides(sizes, strides, offset, values.options());
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (strides[i] == 0 && sizes[i] > 1) return c10::IValue(placed.fill_(1));
  }
  placed.copy_(values);
  return c10::IValue(std::move(placed));
}

/// Creates a tensor of ones, for a tangent. Returns nullopt if its dtype or sizes are unknown.
std::optional<at::Tensor> make_ones(Type type, const SymBindings& symbols) {
  if (!type.has_rank() || type.dtype() == DType::kUndefined) return std::nullopt;
  std::vector<int64_t> sizes;
  for (const Dim& dim : type.sizes()) {
    const absl::StatusOr<int64_t> size = eval_int(dim, symbols);
    if (!size.ok()) return std::nullopt;
    sizes.push_back(*size);
  }
  const at::Tensor ones = at::ones(sizes, to_torch(type.dtype()));
  const absl::StatusOr<Placement> place = placement_of(type, symbols);
  return place.ok() ? with_strides(ones, place->strides, place->offset) : ones;
}

/// Creates zero tensors for the inputs of a group in one storage, at the offsets in their types.
absl::StatusOr<std::vector<at::Tensor>> zeros_for(const SharedInputs& group,
                                                  const SymBindings& symbols,
                                                  const std::vector<c10::IValue>& inputs) {
  std::vector<Placement> placements;
  size_t bytes = 0;
  for (size_t k = 0; k < group.nodes.size(); ++k) {
    const c10::IValue& input = inputs[group.indices[k]];
    absl::StatusOr<Placement> placement = placement_of(group.nodes[k]->type(), symbols);
    if (!placement.ok() || !input.isTensor()) {
      return absl::FailedPreconditionError(
          fmt::format("input %{} shares memory with %{}: {}", group.nodes[k]->name(),
                      group.nodes[k == 0 ? 1 : 0]->name(),
                      placement.ok() ? "its value must be a tensor"
                                     : std::string(placement.status().message())));
    }
    bytes = std::max(bytes, at::detail::computeStorageNbytes(
                                placement->sizes, placement->strides, input.toTensor().itemsize(),
                                static_cast<size_t>(placement->offset)));
    placements.push_back(*std::move(placement));
  }
  const at::Tensor memory = at::zeros({static_cast<int64_t>(bytes)}, at::kByte);
  std::vector<at::Tensor> placed;
  for (size_t k = 0; k < placements.size(); ++k) {
    placed.push_back(at::empty({0}, inputs[group.indices[k]].toTensor().options())
                         .set_(memory.storage(), placements[k].offset, placements[k].sizes,
                               placements[k].strides));
  }
  return placed;
}

/// Moves the inputs of a group to one storage. `is_created[i]` is true if input i was created from
/// its type; the data of such an input may differ from that of other inputs where they overlap.
absl::Status share_memory(const SharedInputs& group, const SymBindings& symbols,
                          const std::vector<bool>& is_created, std::vector<c10::IValue>& inputs) {
  FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> placed, zeros_for(group, symbols, inputs));
  const auto copy = [&](bool of_files) {
    for (size_t k = 0; k < placed.size(); ++k)
      if (is_created[group.indices[k]] != of_files)
        copy_elements(placed[k], inputs[group.indices[k]].toTensor());
  };
  copy(/*of_files=*/false);
  copy(/*of_files=*/true);
  for (size_t k = 0; k < placed.size(); ++k) {
    if (is_created[group.indices[k]] || same_bytes(placed[k], inputs[group.indices[k]].toTensor()))
      continue;
    std::vector<std::string> names;
    for (const Node* node : group.nodes) names.push_back(fmt::format("%{}", node->name()));
    return absl::InvalidArgumentError(
        fmt::format("the inputs {} share memory, but have different data where they overlap",
                    fmt::join(names, ", ")));
  }
  for (size_t k = 0; k < placed.size(); ++k) inputs[group.indices[k]] = placed[k];
  return absl::OkStatus();
}

/// Returns true for the path of a nested graph or a module.
bool is_graph(const Graph& graph, std::string_view path) {
  const Module* root = graph.owning_module();
  return graph.find_subgraph(path) != nullptr || (root && root->find_module(path) != nullptr);
}

absl::Status add_tensor(std::vector<std::pair<std::string, Tensor>>& tensors, std::string name,
                        const c10::IValue& value) {
  FX_ASSIGN_OR_RETURN(const at::Tensor tensor, as_tensor(value));
  tensors.emplace_back(std::move(name), from_torch(tensor.detach().contiguous()));
  return absl::OkStatus();
}

/// Loads or creates the values of a graph.
class DataLoader {
 public:
  DataLoader(absl::Span<const TensorTable> tables, const GraphDataOptions& options)
      : tables_(tables),
        options_(options),
        generator_(at::make_generator<at::CPUGeneratorImpl>(options.seed)) {}

  struct Loaded {
    GraphData data;
    std::vector<bool> created_inputs;  ///< inputs that were created from their types
    std::vector<std::string> missing;  ///< names of values that are not in a file
  };
  /// Returns the values of all placeholders and constants.
  absl::StatusOr<Loaded> load(const Graph& graph) {
    Loaded loaded;
    symbols_ = options_.sizes;
    for (const auto& [symbol, value] :
         symbols_of_data(graph, [&](std::string_view name) { return find(name); }))
      symbols_.insert_or_assign(symbol, value);
    module_ = graph.owning_module();
    ties_.emplace(module_);
    for (const Node& node : graph.nodes()) {
      const bool is_constant = node.op() == Opcode::kGetAttr;
      if (node.op() == Opcode::kCallModule)
        FX_RETURN_IF_ERROR(load_called(node.target(), loaded.data.constants));
      if (!node.is_placeholder() && !is_constant) continue;
      const std::string name = is_constant ? std::string(node.target()) : data_name(node);
      if (is_constant && is_graph(graph, name)) continue;
      if (is_constant) FX_RETURN_IF_ERROR(check_tied(name));
      FX_ASSIGN_OR_RETURN(Value value, value_or_error(node, name));
      loaded.data.num_generated += value.is_created ? 1 : 0;
      if (value.is_missing) {
        loaded.missing.push_back(name);
      } else if (is_constant) {
        loaded.data.constants.emplace(name, std::move(value.value));
      } else {
        loaded.data.inputs.push_back(std::move(value.value));
        loaded.created_inputs.push_back(value.is_created);
      }
    }
    return loaded;
  }
  /// The values of symbols: those of the options, unless the loaded inputs determine others.
  const SymBindings& symbols() const { return symbols_; }

 private:
  struct Value {
    c10::IValue value = {};
    bool is_missing = false;  ///< neither in a file nor to be created
    bool is_created = false;  ///< created from the type
  };
  /// Like value_of(), but returns an error if libtorch throws, usually because a type requires more
  /// memory than there is.
  absl::StatusOr<Value> value_or_error(const Node& node, std::string_view name) {
    try {
      return value_of(node, name);
    } catch (const std::exception& error) {
      return absl::InvalidArgumentError(
          fmt::format("cannot create the value \"{}\" of node {}, of type {}: {}", name,
                      node.name(), to_string(node.type()), torch_message(error)));
    }
  }

  /// Returns the value of a placeholder or get_attr node. `name` is its name in the files.
  absl::StatusOr<Value> value_of(const Node& node, std::string_view name) {
    const Type type = node.type();
    const bool must_generate =
        std::ranges::find(options_.always_generate, &node) != options_.always_generate.end();
    if (const Tensor* tensor = must_generate ? nullptr : find(name)) {
      absl::StatusOr<c10::IValue> value = convert_stored(*tensor, type, symbols_, copier_);
      if (!value.ok())
        return with_context(value.status(), fmt::format("\"{}\", for node {}", name, node.name()));
      return Value{.value = *std::move(value)};
    }
    if (name.starts_with("tangent.") && type.is_tensor()) {
      if (std::optional<at::Tensor> tangent = make_ones(type, symbols_))
        return Value{.value = *std::move(tangent)};
    }
    if (!options_.generate_missing && !must_generate && !constant_of(type))
      return Value{.is_missing = true};
    absl::StatusOr<c10::IValue> value = make_value(type, symbols_, generator_, options_.both_signs);
    if (!value.ok()) {
      return absl::Status(
          value.status().code(),
          fmt::format("{}: {}. Pass it as the tensor \"{}\" in a .safetensors file (--inputs)",
                      describe(node), std::string(value.status().message()), name));
    }
    return Value{.value = *std::move(value), .is_created = true};
  }

  /// Loads the attributes of a graph module at this path that are in a table.
  absl::Status load_called(std::string_view path, TorchConstants& constants) {
    const Module* const called = module_ == nullptr ? nullptr : module_->find_module(path);
    const GraphModule* const graph_module = called == nullptr ? nullptr : called->as_graph_module();
    if (graph_module == nullptr || !called_.insert(std::string(path)).second)
      return absl::OkStatus();
    for (const Node& node : graph_module->graph().nodes()) {
      const std::string name = fmt::format("{}.{}", path, node.target());
      if (node.op() == Opcode::kCallModule) FX_RETURN_IF_ERROR(load_called(name, constants));
      if (node.op() != Opcode::kGetAttr || constants.contains(name)) continue;
      FX_RETURN_IF_ERROR(check_tied(name));
      if (find(name) == nullptr) continue;
      FX_ASSIGN_OR_RETURN(Value value, value_or_error(node, name));
      constants.emplace(name, std::move(value.value));
    }
    return absl::OkStatus();
  }

  /// Calls f(path) for each path of the module with the tensor at `name`, which may be tied.
  template <class F>
  void for_each_tied(std::string_view name, F&& f) const {
    const absl::Span<const std::string> paths =
        ties_ ? ties_->paths(name) : absl::Span<const std::string>();
    if (paths.empty()) return f(name);
    for (const std::string& path : paths) f(std::string_view(path));
  }

  /// Returns an error if the data of tied tensors differ.
  absl::Status check_tied(std::string_view name) const {
    const Tensor* first = nullptr;
    absl::Status status;
    for_each_tied(name, [&](std::string_view path) {
      const Tensor* const tensor = find_in_tables(path);
      if (tensor == nullptr) return;
      if (first == nullptr) first = tensor;
      if (status.ok() && tensor != first && !tensor->same_bits(*first))
        status = absl::InvalidArgumentError(fmt::format(
            "\"{}\" and another path are one tensor of the module, but have different data", path));
    });
    return status;
  }

  const Tensor* find_in_tables(std::string_view name) const {
    for (auto table = tables_.rbegin(); table != tables_.rend(); ++table) {
      if (const Tensor* tensor = table->file.tensors.find(name)) return tensor;
    }
    return nullptr;
  }
  /// Returns the tensor in the last table that contains it, or null. Returns the same tensor for
  /// all paths of a tied tensor.
  const Tensor* find(std::string_view name) const {
    const Tensor* found = nullptr;
    for_each_tied(name, [&](std::string_view path) {
      if (found == nullptr) found = find_in_tables(path);
    });
    return found;
  }

  const absl::Span<const TensorTable> tables_;
  const GraphDataOptions& options_;
  SymBindings symbols_;
  at::Generator generator_;
  StoredTensorCopier copier_;
  const Module* module_ = nullptr;  ///< the owner of the graph
  std::optional<TiedPaths> ties_;
  absl::flat_hash_set<std::string> called_;  ///< the paths of graph modules that have been loaded
};

absl::Status missing_error(const std::vector<std::string>& missing,
                           absl::Span<const TensorTable> tables) {
  constexpr size_t kShown = 8;
  const size_t shown = std::min(missing.size(), kShown);
  std::string names = fmt::format("{}", fmt::join(missing.data(), missing.data() + shown, ", "));
  if (missing.size() > shown) names += fmt::format(" and {} more", missing.size() - shown);
  std::vector<std::string> paths;
  for (const TensorTable& table : tables) paths.push_back(table.path);
  return absl::NotFoundError(
      paths.empty()
          ? fmt::format("missing data for {}: the graph has no .safetensors file next to it, "
                        "and --inputs was not passed",
                        names)
          : fmt::format("missing data for {}: not in {}", names, fmt::join(paths, ", ")));
}

}  // namespace

void copy_elements(at::Tensor to, at::Tensor from) {
  for (int64_t dim = 0; dim < to.dim(); ++dim) {
    if (to.stride(dim) != 0 || to.size(dim) < 2) continue;
    to = to.narrow(dim, 0, 1);
    from = from.narrow(dim, 0, 1);
  }
  to.copy_(from);
}

at::Tensor with_strides(const at::Tensor& tensor, at::IntArrayRef strides, int64_t offset) {
  const at::Tensor out =
      offset == 0 ? at::empty_strided(tensor.sizes(), strides, tensor.options())
                  : zeros_with_strides(tensor.sizes(), strides, offset, tensor.options());
  copy_elements(out, tensor);
  return out;
}

absl::Status save_graph_data(const Graph& graph, const GraphData& data, const std::string& path) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  FX_RETURN_IF_ERROR(check_data_names(graph));
  size_t i = 0;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    FX_RETURN_IF_ERROR(add_tensor(tensors, data_name(node), data.inputs.at(i++)));
  }
  for (const auto& [name, value] : data.constants)
    FX_RETURN_IF_ERROR(add_tensor(tensors, name, value));
  for (size_t k = 0; k < data.outputs.size(); ++k) {
    if (!data.outputs[k].defined()) continue;
    FX_RETURN_IF_ERROR(add_tensor(tensors, fmt::format("out.{}", k), data.outputs[k]));
  }
  return write_safetensors(path, tensors);
}

absl::StatusOr<GraphData> load_graph_data(const Graph& graph, const std::vector<std::string>& paths,
                                          const GraphDataOptions& options) {
  std::vector<TensorTable> tables;
  for (const std::string& path : paths) {
    FX_ASSIGN_OR_RETURN(Safetensors file, read_safetensors(path));
    tables.push_back({path, std::move(file)});
  }
  return graph_data_of(graph, tables, options);
}

absl::StatusOr<GraphData> graph_data_of(const Graph& graph, absl::Span<const TensorTable> tables,
                                        const GraphDataOptions& options) {
  FX_RETURN_IF_ERROR(check_data_names(graph));
  DataLoader loader(tables, options);
  FX_ASSIGN_OR_RETURN(DataLoader::Loaded loaded, loader.load(graph));
  if (!loaded.missing.empty()) return missing_error(loaded.missing, tables);
  try {
    for (const SharedInputs& group : shared_inputs(graph))
      FX_RETURN_IF_ERROR(
          share_memory(group, loader.symbols(), loaded.created_inputs, loaded.data.inputs));
  } catch (const std::exception& error) {  // libtorch is out of memory
    return absl::InvalidArgumentError("inputs that share memory: " + torch_message(error));
  }
  return std::move(loaded.data);
}

absl::StatusOr<std::vector<at::Tensor>> graph_outputs_of(const TensorTable& table, size_t count) {
  std::vector<at::Tensor> outputs;
  bool found = false;
  for (size_t i = 0; i < count; ++i) {
    const Tensor* tensor = table.file.tensors.find(fmt::format("out.{}", i));
    outputs.push_back(tensor == nullptr ? at::Tensor() : to_torch(*tensor));
    found = found || tensor != nullptr;
  }
  if (!found && count > 0) {
    return absl::NotFoundError(
        fmt::format("{} does not contain results (out.0, ...) of this graph", table.path));
  }
  return outputs;
}

}  // namespace fx
