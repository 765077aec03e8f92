// Saves and loads the state of modules: save_state and load_state, declared in safetensors.h.
#include "fx/ir/files/safetensors.h"
#include "fx/ir/files/safetensors_internal.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace fx {

absl::Status save_state(const Module& module, const std::string& path, StateDictOptions options) {
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> state, module.state_dict(options));
  std::vector<std::pair<std::string, Tensor>> tensors;
  std::vector<std::pair<std::string, std::string>> aliases;
  absl::flat_hash_map<const void*, std::string_view> first_names;
  for (const NamedAttribute& entry : state) {
    const Tensor& tensor = entry.attribute->tensor;
    const auto [it, is_new] = first_names.try_emplace(tensor.identity(), entry.path);
    if (is_new)
      tensors.emplace_back(entry.path, tensor);
    else
      aliases.emplace_back(entry.path, it->second);
  }
  return write_safetensors(path, tensors, aliases);
}

namespace {

using safetensors::in_quotes;

/// The reason why `tensor` cannot replace `present`; empty if it can.
std::string mismatch(const Tensor& present, const Tensor& tensor) {
  auto shape = [](const Tensor& t) { return fmt::format("[{}]", fmt::join(t.sizes(), ", ")); };
  if (present.dtype() != DType::kUndefined && present.dtype() != tensor.dtype())
    return fmt::format("{} in the file, but {} in the module", dtype_name(tensor.dtype()),
                       dtype_name(present.dtype()));
  if (present.has_shape() && present.sizes() != tensor.sizes())
    return fmt::format("sizes {} in the file, but {} in the module", shape(tensor), shape(present));
  return {};
}

absl::Status list_problems(absl::StatusCode code, std::string_view before, std::string_view after,
                           absl::Span<const std::string> items) {
  constexpr size_t kShown = 8;
  const auto listed = items.subspan(0, std::min(items.size(), kShown));
  return absl::Status(
      code, fmt::format("{} {} {}: {}{}", before, pluralize(items.size(), "tensor"), after,
                        fmt::join(listed, "; "), items.size() > kShown ? "; ..." : ""));
}

/// The new tensors, by the identity of the tensors that they replace.
using Replacements = absl::flat_hash_map<const void*, Tensor>;

/// Fails if a parameter or persistent buffer is not in the file, or if a tensor in the file is not
/// in `known`, the names in the module.
absl::Status check_complete(const Safetensors& file, absl::Span<const NamedAttribute> all,
                            const absl::flat_hash_set<std::string_view>& known,
                            const Replacements& replacements) {
  std::vector<std::string> unexpected, missing;
  for (const auto& [name, tensor] : file.tensors)
    if (!known.contains(name)) unexpected.push_back(in_quotes(name));
  for (const NamedAttribute& entry : all) {
    const Attribute& attribute = *entry.attribute;
    const bool required = attribute.kind == AttributeKind::kParameter ||
                          (attribute.kind == AttributeKind::kBuffer && attribute.persistent);
    if (required && !replacements.contains(attribute.tensor.identity()))
      missing.push_back(in_quotes(entry.path));
  }
  if (!missing.empty()) {
    return list_problems(absl::StatusCode::kNotFound, "the file lacks", "of the module", missing);
  }
  if (!unexpected.empty()) {
    return list_problems(absl::StatusCode::kInvalidArgument, "the module lacks", "of the file",
                         unexpected);
  }
  return absl::OkStatus();
}

/// Returns `tensor` with the strides and offset of `present`, or unchanged if they do not fit.
Tensor with_strides_of(const Tensor& present, const Tensor& tensor) {
  if (!present.has_shape()) return tensor;
  if (tensor.strides() == present.strides() && present.offset() == 0) return tensor;
  absl::StatusOr<Tensor> copy = tensor.restrided(present.strides(), present.offset());
  return copy.ok() ? *std::move(copy) : tensor;
}

}  // namespace

absl::Status load_state(Module& module, const Safetensors& file, LoadStateOptions options) {
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> all,
                      module.state_dict({.non_persistent_buffers = true, .constants = true}));
  Replacements replacements;
  std::vector<std::string> wrong;
  absl::flat_hash_set<std::string_view> known;  // names of the module
  for (const NamedAttribute& entry : all) {
    const Tensor* found = file.tensors.find(entry.path);
    if (!found) {
      if (const std::string* kept = file.metadata.find(entry.path))
        found = file.tensors.find(*kept);
    }
    known.insert(entry.path);
    if (!found) continue;
    const Tensor& present = entry.attribute->tensor;
    const std::string problem = mismatch(present, *found);
    if (!problem.empty()) {
      wrong.push_back(fmt::format("{}: {}", in_quotes(entry.path), problem));
      continue;
    }
    const auto [it, is_new] = replacements.try_emplace(present.identity(), *found);
    if (!is_new && !it->second.same_bits(*found)) {
      wrong.push_back(in_quotes(entry.path) +
                      ": tied to another tensor in the module, but the two differ in the file");
    }
  }
  if (!wrong.empty()) {
    return list_problems(absl::StatusCode::kInvalidArgument, "the module does not match",
                         "of the file", wrong);
  }
  if (options.strict) FX_RETURN_IF_ERROR(check_complete(file, all, known, replacements));
  // Look up all names before changing any: a module with multiple paths occurs once for each.
  std::vector<std::pair<Attribute*, const Tensor*>> changes;
  absl::flat_hash_set<const void*> restored;
  for (const NamedAttribute& entry : all) {
    const Tensor& present = entry.attribute->tensor;
    const auto it = replacements.find(present.identity());
    if (it == replacements.end()) continue;
    if (options.restore_strides && restored.insert(present.identity()).second)
      it->second = with_strides_of(present, it->second);
    changes.emplace_back(entry.attribute, &it->second);
  }
  for (const auto& [attribute, tensor] : changes) attribute->tensor = *tensor;
  return absl::OkStatus();
}

}  // namespace fx
