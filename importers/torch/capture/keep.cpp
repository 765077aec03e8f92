#include "fx/importers/torch/capture/autograd/autograd_internal.h"
#include "fx/importers/torch/capture/keep_internal.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/nearest.h"

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <fmt/format.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

constexpr c10::DispatchKey kCompositeKey = c10::DispatchKey::TESTING_ONLY_GenericMode;

/// The preset "accelerators": layers for which compilers for accelerators have a single operator.
constexpr std::string_view kAcceleratorOperators[] = {
    "linear",
    "bilinear",
    "matmul",
    "einsum",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "batch_norm",
    "instance_norm",
    "layer_norm",
    "group_norm",
    "rms_norm",
    "softmax",
    "log_softmax",
    "scaled_dot_product_attention",
    "lstm",
    "gru",
    "rnn_tanh",
    "rnn_relu",
    "cross_entropy_loss",
    "upsample_nearest1d",
    "upsample_nearest2d",
    "upsample_nearest3d",
    "upsample_linear1d",
    "upsample_bilinear2d",
    "upsample_bicubic2d",
    "upsample_trilinear3d",
};

bool is_composite(const c10::OperatorHandle& op) {
  return op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

/// Returns true if a result is a tensor or a list of tensors. Other results are returned to the
/// program.
bool returns_tensors(const c10::FunctionSchema& schema) {
  return std::ranges::any_of(schema.returns(), [](const c10::Argument& result) {
    return result.type()->isSubtypeOf(*c10::TensorType::get()) ||
           result.type()->isSubtypeOf(*c10::ListType::ofTensors());
  });
}

/// Returns the names by which `keep` may refer to an operator: "linear", "aten.linear",
/// "aten.linear.default".
std::array<std::string, 3> names_of(const c10::OperatorName& name) {
  std::string packet = absl::StrReplaceAll(name.name, {{"::", "."}});
  std::string overload =
      fmt::format("{}.{}", packet, name.overload_name.empty() ? "default" : name.overload_name);
  std::string plain = packet.starts_with("aten.") ? packet.substr(5) : std::string();
  return {std::move(plain), std::move(packet), std::move(overload)};
}

// ---- hook

constexpr std::string_view kCompositeSlotName = "fxcpp::CompositeObserver";
constexpr c10::DebugInfoKind kCompositeSlot(&kCompositeSlotName);

/// Stores the observer in libtorch's thread-local state, which the autograd engine copies to its
/// threads.
struct CompositeSlot final : c10::DebugInfoBase {
  explicit CompositeSlot(CompositeObserver* o) : observer(o) {}
  CompositeObserver* observer;
};

/// Returns the slot if the operator must be recorded whole, otherwise null. HookPause and
/// KernelScope exclude the keys of both hooks.
CompositeSlot* slot_for(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  if (c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::Fake)) return nullptr;
  auto* slot = static_cast<CompositeSlot*>(c10::ThreadLocalDebugInfo::get(kCompositeSlot));
  const bool is_kept =
      slot != nullptr && slot->observer->keeps(op, stack) && !autograd_position().backward;
  return is_kept ? slot : nullptr;
}

void composite_fallback(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                        torch::jit::Stack* stack) {
  if (CompositeSlot* slot = slot_for(op, *stack)) {
    const c10::impl::ExcludeDispatchKeyGuard inside(kCompositeKey);
    slot->observer->on_composite(op, *stack);
    return;
  }
  const c10::DispatchKeySet below(c10::DispatchKeySet::FULL_AFTER, kCompositeKey);
  op.redispatchBoxed(keys & below, stack);
}

/// Registers the fallback once per process. Returns an error message, or an empty string on
/// success.
const std::string& composite_hook_problem() {
  static const std::string* const problem = [] {
    auto* text = new std::string;
    if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(kCompositeKey)) {
      *text = "libtorch already has a fallback on DispatchKey::TESTING_ONLY_GenericMode";
      return text;
    }
    try {
      // The library is never destroyed, since it is not safe to remove a fallback while other
      // threads run.
      auto* library = new torch::Library(torch::Library::IMPL, "_", kCompositeKey,
                                         "importers/torch/capture/keep.cpp", 0);
      library->fallback(torch::CppFunction::makeFromBoxedFunction<&composite_fallback>());
    } catch (const c10::Error& e) {
      *text = e.what_without_backtrace();
    }
    return text;
  }();
  return *problem;
}

}  // namespace

absl::StatusOr<KeptOperators> KeptOperators::create(const ops::OpRegistry& registry,
                                                    absl::Span<const std::string> words) {
  KeptOperators kept;
  for (const std::string& word : words)
    if (const absl::Status status = kept.add(registry, word); !status.ok()) return status;
  return kept;
}

absl::Status KeptOperators::add(const ops::OpRegistry& registry, const std::string& word) {
  if (word == "torch") {
    all_ = true;
    return absl::OkStatus();
  }
  const bool is_core = word == "core", is_accelerators = word == "accelerators";
  bool found = is_core || is_accelerators;
  std::vector<std::string> candidates = {"torch", "core", "accelerators"};
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op) continue;
    std::array<std::string, 3> names = names_of(name);
    bool chosen = false;
    if (is_core) {
      const ops::OpInfo* info = registry.find(names[2]);
      chosen = info != nullptr && info->has(ops::OpTrait::kCore);
    } else if (is_accelerators) {
      chosen =
          std::ranges::find(kAcceleratorOperators, names[0]) != std::end(kAcceleratorOperators);
    } else {
      chosen = !word.empty() &&
               std::ranges::find(names, absl::StrReplaceAll(word, {{"::", "."}})) != names.end();
    }
    if (chosen) {
      found = true;
      if (is_composite(*op)) operators_.insert(*op);
    }
    if (!names[0].empty()) candidates.push_back(std::move(names[0]));
    candidates.push_back(std::move(names[1]));
  }
  if (found) return absl::OkStatus();
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return absl::InvalidArgumentError(
      fmt::format("keep: \"{}\" is not a libtorch operator{}; expected a name such as linear, "
                  "aten.conv2d or mylib.op, or the preset torch, core or accelerators",
                  word, did_you_mean(word, views)));
}

bool KeptOperators::contains(const c10::OperatorHandle& op) const {
  return (all_ ? is_composite(op) : operators_.contains(op)) && returns_tensors(op.schema());
}

/// Enables the dispatch key and sets the observer during its lifetime.
class CompositeHookGuard::Installed {
 public:
  explicit Installed(CompositeObserver& observer)
      : slot_(kCompositeSlot, std::make_shared<CompositeSlot>(&observer)),
        include_(c10::DispatchKeySet(kCompositeKey)) {}

 private:
  c10::DebugInfoGuard slot_;
  c10::impl::IncludeDispatchKeyGuard include_;
};

CompositeHookGuard::CompositeHookGuard(std::unique_ptr<Installed> installed)
    : installed_(std::move(installed)) {}
CompositeHookGuard::CompositeHookGuard(CompositeHookGuard&&) noexcept = default;
CompositeHookGuard::~CompositeHookGuard() = default;

absl::StatusOr<CompositeHookGuard> CompositeHookGuard::create(CompositeObserver& observer) {
  if (const std::string& problem = composite_hook_problem(); !problem.empty())
    return absl::UnavailableError("operators cannot be kept whole: " + problem);
  return CompositeHookGuard(std::make_unique<Installed>(observer));
}

}  // namespace fx
