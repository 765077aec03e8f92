// Chooses sizes, captures the program with each of them, and combines the graphs.
#include "fx/importers/torch/capture/dynamic.h"

#include "fx/importers/torch/capture/capture_internal.h"
#include "fx/importers/torch/capture/dynamic_internal.h"
#include "fx/importers/torch/capture/fake_tensor_internal.h"
#include "fx/importers/torch/capture/tables/operator_table_internal.h"
#include "fx/interp/size_checks.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/generalize/generalize_sizes.h"

#include "absl/container/flat_hash_map.h"
#include <ATen/Functions.h>
#include <c10/core/TensorImpl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The number of additional runs with different sizes. A number that differs between the runs
/// becomes an expression that has the correct value in all runs.
constexpr int kOtherRuns = 3;
/// The maximum number of further runs, which distinguish expressions that have the correct value in
/// all previous runs, and confirm the chosen one.
constexpr int kFurtherRuns = 12;

/// Returns true for a tensor that represents a known real number or bool.
bool is_number(const at::Tensor& tensor) {
  return tensor.defined() && tensor.dim() == 0 && tensor.layout() == at::kStrided &&
         !tensor.requires_grad() && !tensor.is_complex() && tensor.has_storage() &&
         !FakeTensorMemory::owns(tensor.storage());
}

class SizeCapture {
 public:
  SizeCapture(Context& context, Tensors inputs, const CaptureOptions& options, CaptureAt capture,
              std::optional<FollowAt> follow)
      : context_(context),
        inputs_(inputs),
        options_(options),
        capture_(capture),
        follow_(follow),
        operators_(context),
        fake_kernels_(context, *operators_),
        stated_(context) {}

  absl::StatusOr<CapturedGraph> run();

 private:
  /// A run with different sizes, recorded as a comparison with the first graph or as a graph.
  struct OtherRun {
    SymBindings sizes;
    std::vector<at::Tensor> inputs;
    std::optional<RecordedRun> recorded = std::nullopt;
    CapturedGraph captured = {};
  };

  absl::Status read_types();
  absl::StatusOr<Type> read_type(size_t input, const std::string& text);
  absl::Status read_ranges();
  absl::Status read_sizes();
  absl::StatusOr<SymBindings> choose_sizes(int run);
  absl::StatusOr<std::vector<at::Tensor>> make_inputs(const SymBindings& sizes);
  std::vector<SizeWindow> windows(bool usual) const;
  absl::Status run_other(SymBindings sizes, const CapturedGraph& first);
  absl::StatusOr<bool> run_further(absl::Span<const SizeRivals> rivals, bool is_confirmed,
                                   const CapturedGraph& first);
  bool run_unusual(const SymBindings& sizes, const CapturedGraph& first);
  absl::Status capture_other(OtherRun& other, const CapturedGraph& first);
  absl::Status generalize(CapturedGraph& first, std::vector<SizeRivals>& rivals);
  absl::Status check_inputs(const CapturedGraph& first) const;
  absl::Status compare_constants(const CapturedGraph& first, const CapturedGraph& other,
                                 const SymBindings& sizes);
  absl::Status compute_numbers(CapturedGraph& captured) const;

  Context& context_;
  Tensors inputs_;
  CaptureOptions options_;
  CaptureAt capture_;
  std::optional<FollowAt> follow_;  // nullopt if the runs are captured
  KeptOperatorTable operators_;
  FakeTensorKernels fake_kernels_;  // creates the inputs of runs with different sizes
  Graph stated_;                    // placeholders with the types from the options, and the ranges
  std::vector<Type> types_;         // for each input; null if its sizes are fixed
  std::vector<SizeSymbol> symbols_;
  CaptureOptions other_options_;  // of runs with different sizes
  SymBindings sizes_;             // of the first run
  std::vector<OtherRun> others_;
  std::set<std::string, std::less<>>
      numbers_;  // names of constants that are numbers and differ between runs
};

absl::StatusOr<Type> SizeCapture::read_type(size_t input, const std::string& text) {
  FX_ASSIGN_OR_RETURN(const Type type, context_.types().parse(text));
  const at::Tensor& tensor = inputs_[input];
  if (!type.is_tensor() || !type.has_rank() || type.rank() != tensor.dim() ||
      type.dtype() != from_torch(tensor.scalar_type())) {
    return absl::InvalidArgumentError(
        fmt::format("it must be a tensor type with the dtype and rank of the input, {}",
                    to_string(type_of(context_.types(), tensor, false))));
  }
  for (int d = 0; d < type.rank(); ++d) {
    if (type.size(d).is_int() && type.size(d).value() != tensor.size(d)) {
      return absl::InvalidArgumentError(fmt::format("dimension {} of the input is {}, not {}", d,
                                                    tensor.size(d), type.size(d).value()));
    }
  }
  TensorSpec spec = type.spec();
  DimVector strides;
  if (type.has_default_strides() && !tensor.is_contiguous()) {
    FX_ASSIGN_OR_RETURN(strides, strides_like(tensor, type.sizes()));
    spec.strides = strides;
  }
  if (tensor.storage_offset() != 0) spec.offset = Dim(0);
  return context_.types().tensor(spec);
}

absl::Status SizeCapture::read_types() {
  types_.resize(inputs_.size());
  if (options_.dynamic.inputs.size() > inputs_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("dynamic sizes: {} types were specified, but the program has {}",
                    options_.dynamic.inputs.size(), pluralize(inputs_.size(), "input")));
  }
  for (size_t i = 0; i < options_.dynamic.inputs.size(); ++i) {
    const std::string& text = options_.dynamic.inputs[i];
    if (text.empty()) continue;
    absl::StatusOr<Type> type = read_type(i, text);
    if (!type.ok())
      return with_context(type.status(), fmt::format("dynamic sizes: input {}, {}", i, text));
    if (!has_symbols(*type)) continue;
    types_[i] = *type;
    stated_.placeholder(fmt::format("input_{}", i), {.type = *type});
  }
  return absl::OkStatus();
}

absl::Status SizeCapture::read_ranges() {
  std::vector<std::pair<Argument, Argument>> symbols;
  for (const SizeRange& range : options_.dynamic.ranges) {
    std::vector<std::pair<Argument, Argument>> bounds;
    if (range.min) bounds.emplace_back("min", *range.min);
    if (range.max) bounds.emplace_back("max", *range.max);
    symbols.emplace_back(range.symbol, Argument::dict(bounds));
  }
  if (!symbols.empty()) stated_.set_meta("symbols", Argument::dict(symbols));
  return absl::OkStatus();
}

/// Finds the symbols and their sizes in the inputs.
absl::Status SizeCapture::read_sizes() {
  const SizeChecks checks(stated_);
  std::vector<size_t> numbers;  // the indices of the inputs with types
  for (size_t i = 0; i < types_.size(); ++i)
    if (types_[i]) numbers.push_back(i);
  const auto value = [&](const SizeChecks::Location& location) -> std::optional<int64_t> {
    const at::Tensor& input = inputs_[numbers[location.input]];
    if (location.quantity == SizeChecks::Quantity::kRank) return input.dim();
    if (location.quantity != SizeChecks::Quantity::kSize) return std::nullopt;
    return input.size(static_cast<int64_t>(location.dim));
  };
  FX_RETURN_IF_ERROR(with_context(checks.check(value), "dynamic sizes"));
  for (const SizeChecks::Equation& equation : checks.equations()) {
    if (!equation.symbol) continue;
    SizeSymbol symbol{.symbol = equation.symbol};
    symbol.base = (*value(equation.location) - equation.offset) / equation.factor;
    symbol.max = std::max<int64_t>(4 * symbol.base, 64);
    symbols_.push_back(std::move(symbol));
  }
  for (const Symbol used : symbols_of_types(stated_)) {
    if (std::none_of(symbols_.begin(), symbols_.end(),
                     [&](const SizeSymbol& s) { return s.symbol == used; })) {
      return absl::InvalidArgumentError(fmt::format(
          "dynamic sizes: no size of an input determines {}; a size must be a symbol, or "
          "a linear function of one, such as 8*{}",
          used.str(), used.str()));
    }
  }
  for (const SizeRange& range : options_.dynamic.ranges) {
    const auto found = std::find_if(symbols_.begin(), symbols_.end(), [&](const SizeSymbol& s) {
      return s.symbol.str() == range.symbol;
    });
    if (found == symbols_.end()) {
      return absl::InvalidArgumentError(
          fmt::format("dynamic sizes: a range was specified for the symbol {}, which is not in the "
                      "type of an input",
                      range.symbol));
    }
    if (range.min) found->min = std::max<int64_t>(2, *range.min);
    if (range.max) found->max = *range.max;
    found->has_max = range.max.has_value();
    if (!range.max) found->max = std::max(found->max, found->min + 64);
  }
  for (SizeSymbol& symbol : symbols_) {
    if (symbol.base < 2) {
      return absl::InvalidArgumentError(fmt::format(
          "dynamic sizes: {} is {} in the inputs; pass inputs in which it is at least 2",
          symbol.symbol.str(), symbol.base));
    }
    symbol.chosen.push_back(symbol.base);
  }
  return absl::OkStatus();
}

/// Returns the usual or all sizes that runs may have.
std::vector<SizeWindow> SizeCapture::windows(bool usual) const {
  std::vector<SizeWindow> windows;
  for (const SizeSymbol& symbol : symbols_) {
    const auto [min, max] = usual ? symbol.usual() : std::pair(symbol.min, symbol.max);
    windows.push_back({symbol.symbol, min, max});
  }
  return windows;
}

absl::StatusOr<SymBindings> SizeCapture::choose_sizes(int run) {
  SymBindings sizes;
  std::vector<std::pair<const SizeSymbol*, int64_t>> taken;
  for (SizeSymbol& symbol : symbols_) {
    int64_t size = run == 0 ? symbol.base : symbol.choose(run, taken);
    if (size == 0) size = symbol.choose(run, {});
    if (size == 0 && symbol.chosen.size() >= 3) size = symbol.chosen[1];  // a narrow range
    if (size == 0) {
      return absl::InvalidArgumentError(
          fmt::format("dynamic sizes: the range {} to {} of {} has fewer than three sizes greater "
                      "than 1; capture a separate graph for each size",
                      symbol.min, symbol.max, symbol.symbol.str()));
    }
    taken.emplace_back(&symbol, size);
    sizes.insert_or_assign(symbol.symbol, SymValue(size));
  }
  return sizes;
}

absl::StatusOr<std::vector<at::Tensor>> SizeCapture::make_inputs(const SymBindings& sizes) {
  absl::flat_hash_map<const c10::TensorImpl*, at::Tensor> copies;
  std::vector<at::Tensor> inputs(inputs_.begin(), inputs_.end());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!types_[i]) continue;
    at::Tensor& copy = copies[inputs_[i].unsafeGetTensorImpl()];
    if (!copy.defined()) {
      DimVector dims, strides;
      for (int d = 0; d < types_[i].rank(); ++d) {
        FX_ASSIGN_OR_RETURN(const int64_t size, eval_int(types_[i].size(d), sizes));
        FX_ASSIGN_OR_RETURN(const int64_t stride, eval_int(types_[i].stride(d), sizes));
        dims.emplace_back(size);
        strides.emplace_back(stride);
      }
      const DType dtype = from_torch(inputs_[i].scalar_type());
      copy = fake_kernels_.empty(
          context_.types().tensor({.dtype = dtype, .sizes = dims, .strides = strides}));
      copy.requires_grad_(inputs_[i].requires_grad());
    }
    inputs[i] = copy;
  }
  return inputs;
}

absl::Status SizeCapture::check_inputs(const CapturedGraph& first) const {
  size_t i = 0;
  for (const Node& node : first.graph->nodes()) {
    if (!node.is_placeholder()) break;
    const CapturedInput& input = first.inputs[i++];
    if (input.kind != InputKind::kInput || !types_[input.index]) continue;
    if (node.meta().has(meta::kSharedMemory) || input.tensor.storage_offset() != 0) {
      return absl::UnimplementedError(
          fmt::format("dynamic sizes: input {} shares memory with another tensor; pass x.clone()",
                      input.index));
    }
  }
  for (const CapturedOutput& output : first.outputs) {
    if (output.kind != OutputKind::kState) continue;
    return absl::UnimplementedError(
        fmt::format("dynamic sizes: the step replaces the tensor {} in each run; write to the same "
                    "tensor (copy_) instead",
                    first.inputs[output.index].name));
  }
  return absl::OkStatus();
}

absl::Status SizeCapture::compare_constants(const CapturedGraph& first, const CapturedGraph& other,
                                            const SymBindings& sizes) {
  for (const auto& [name, value] : first.constants) {
    const auto found = other.constants.find(name);
    if (found == other.constants.end() || !value.isTensor() || !found->second.isTensor()) continue;
    const at::Tensor &a = value.toTensor(), &b = found->second.toTensor();
    if (a.is_same(b) || same_elements(a, b)) continue;
    if (is_number(a) && is_number(b)) {
      numbers_.insert(name);
      continue;
    }
    return absl::InvalidArgumentError(
        fmt::format("the constant {} differs for {}, because the program computes it without "
                    "an operator or keeps a tensor from an earlier run; pass it as an input",
                    name, sizes_text(sizes)));
  }
  return absl::OkStatus();
}

/// Replaces the constants in numbers_ with calls to scalar_tensor, whose argument may be an
/// expression in the sizes. TorchScript's traces use tensors that contain the value of a size.
absl::Status SizeCapture::compute_numbers(CapturedGraph& captured) const {
  if (numbers_.empty()) return absl::OkStatus();
  Graph& graph = *captured.graph;
  std::vector<Node*> constants;
  for (Node& node : graph.nodes()) {
    if (node.op() == Opcode::kGetAttr && numbers_.contains(node.target()))
      constants.push_back(&node);
  }
  const Target scalar_tensor = graph.context().function("aten.scalar_tensor.default");
  for (Node* constant : constants) {
    const auto value = captured.constants.find(std::string(constant->target()));
    if (value == captured.constants.end()) continue;
    const at::Tensor& tensor = value->second.toTensor();
    FX_ASSIGN_OR_RETURN(const Argument number,
                        from_ivalue(c10::IValue(tensor.item()), {.base = ArgumentCode::kNumber}));
    const InsertPointGuard place = graph.inserting_before(constant);
    const Kwarg options[] = {{"dtype", from_torch(tensor.scalar_type())},
                             {"device", from_torch(tensor.device())}};
    Node* call = graph.call_function(scalar_tensor, {number}, options, {.type = constant->type()});
    call->meta().set(meta::kRegion, "fw");
    constant->replace_all_uses_with(call);
    FX_RETURN_IF_ERROR(graph.erase_node(constant));
    captured.constants.erase(value);
  }
  return absl::OkStatus();
}

absl::StatusOr<CapturedGraph> SizeCapture::run() {
  FX_RETURN_IF_ERROR(read_types());
  FX_RETURN_IF_ERROR(read_ranges());
  FX_RETURN_IF_ERROR(read_sizes());
  CaptureOptions plain = options_;
  plain.dynamic = {};
  plain.operators = &*operators_;
  FX_ASSIGN_OR_RETURN(CapturedGraph first, capture_(inputs_, plain));
  if (symbols_.empty()) return first;
  FX_RETURN_IF_ERROR(check_inputs(first));
  FX_ASSIGN_OR_RETURN(sizes_, choose_sizes(0));
  if (const std::optional<Argument> ranges = stated_.meta("symbols"))
    first.graph->set_meta("symbols", *ranges);
  const std::vector<ReturnedNumber> numbers = returned_numbers(*first.graph);
  other_options_ = std::move(plain);
  other_options_.execution = Execution::kFake;
  other_options_.numbers = &numbers;
  if (!options_.keep.empty()) follow_.reset();
  for (int run = 1; run <= kOtherRuns; ++run) {
    FX_ASSIGN_OR_RETURN(SymBindings sizes, choose_sizes(run));
    FX_RETURN_IF_ERROR(run_other(std::move(sizes), first));
  }
  // A quotient may be the same at all of the usual sizes, or equal to another symbol.
  if (const SymBindings greater = greater_sizes(symbols_); !greater.empty()) {
    run_unusual(greater, first);
  } else if (symbols_.size() > 1) {
    absl::StatusOr<SymBindings> sizes = choose_sizes(kOtherRuns + 1);
    if (sizes.ok()) FX_RETURN_IF_ERROR(run_other(*std::move(sizes), first));
  }
  std::vector<SymExpr> previous;
  for (int further = 0; further <= kFurtherRuns; ++further) {
    FX_RETURN_IF_ERROR(compute_numbers(first));
    std::unique_ptr<Graph> recorded = first.graph->clone();
    std::vector<SizeRivals> rivals;
    const absl::Status generalized = generalize(first, rivals);
    std::vector<SymExpr> chosen;
    for (const SizeRivals& number : rivals) chosen.push_back(number.expressions[0]);
    std::swap(first.graph, recorded);
    FX_ASSIGN_OR_RETURN(const bool has_run, run_further(rivals, chosen == previous, first));
    if (!has_run) {
      FX_RETURN_IF_ERROR(generalized);
      first.graph = std::move(recorded);
      return first;
    }
    previous = std::move(chosen);
    if (further < kFurtherRuns) continue;
    const SizeRivals& number = *std::ranges::max_element(
        rivals, {}, [](const SizeRivals& rival) { return rival.expressions.size(); });
    return absl::InvalidArgumentError(
        fmt::format("dynamic sizes: {}: {} runs do not determine whether it is {} or {}; it must "
                    "be an input of the program",
                    number.number, others_.size() + 1, to_string(number.expressions[0]),
                    to_string(number.expressions.back())));
  }
  return first;
}

/// Runs the program at sizes that distinguish the rivals, or else at any other sizes. Returns false
/// if no further run is required.
absl::StatusOr<bool> SizeCapture::run_further(absl::Span<const SizeRivals> rivals,
                                              bool is_confirmed, const CapturedGraph& first) {
  if (rivals.empty()) return false;
  if (std::optional<SymBindings> sizes = distinguishing_sizes(rivals, windows(/*usual=*/true))) {
    FX_RETURN_IF_ERROR(run_other(*std::move(sizes), first));
    return true;
  }
  // Without a range, the program may reject sizes that are far from those of the inputs.
  while (std::optional<SymBindings> sizes =
             distinguishing_sizes(rivals, windows(/*usual=*/false))) {
    if (run_unusual(*sizes, first)) return true;
    bool is_narrower = false;
    for (SizeSymbol& symbol : symbols_)
      is_narrower |= symbol.exclude(sizes->at(symbol.symbol).int_value());
    if (!is_narrower) {
      FX_RETURN_IF_ERROR(run_other(*std::move(sizes), first));
      return true;
    }
  }
  if (is_confirmed) return false;
  absl::StatusOr<SymBindings> sizes = choose_sizes(kOtherRuns + 1);
  if (!sizes.ok()) return false;  // all sizes were tried
  FX_RETURN_IF_ERROR(run_other(*std::move(sizes), first));
  return true;
}

/// Returns false if the program fails with these sizes or has a different structure.
bool SizeCapture::run_unusual(const SymBindings& sizes, const CapturedGraph& first) {
  absl::StatusOr<std::vector<at::Tensor>> inputs = make_inputs(sizes);
  if (!inputs.ok()) return false;
  OtherRun other{sizes, *std::move(inputs)};
  if (follow_) {
    other.recorded = (*follow_)(first, other.inputs, other_options_);
    if (!other.recorded) return false;
  } else if (!capture_other(other, first).ok() ||
             !has_same_calls(*first.graph, *other.captured.graph)) {
    return false;
  }
  others_.push_back(std::move(other));
  return true;
}

/// Runs the program on fake tensors with these sizes. If the run cannot be compared with the
/// first graph, captures this run and all earlier ones.
absl::Status SizeCapture::run_other(SymBindings sizes, const CapturedGraph& first) {
  for (SizeSymbol& symbol : symbols_) symbol.chosen.push_back(sizes.at(symbol.symbol).int_value());
  FX_ASSIGN_OR_RETURN(std::vector<at::Tensor> inputs, make_inputs(sizes));
  OtherRun& other = others_.emplace_back(OtherRun{std::move(sizes), std::move(inputs)});
  if (follow_) {
    other.recorded = (*follow_)(first, other.inputs, other_options_);
    if (other.recorded) return absl::OkStatus();
    follow_.reset();
    for (OtherRun& earlier : others_) FX_RETURN_IF_ERROR(capture_other(earlier, first));
    return absl::OkStatus();
  }
  return capture_other(other, first);
}

absl::Status SizeCapture::capture_other(OtherRun& other, const CapturedGraph& first) {
  other.recorded.reset();
  absl::StatusOr<CapturedGraph> captured = capture_(other.inputs, other_options_);
  if (!captured.ok()) {
    return with_context(captured.status(),
                        fmt::format("dynamic sizes: with {}, which the program must accept unless "
                                    "a narrower range is specified",
                                    sizes_text(other.sizes)));
  }
  other.captured = *std::move(captured);
  return compare_constants(first, other.captured, other.sizes);
}

/// Combines the completed runs in the first graph.
absl::Status SizeCapture::generalize(CapturedGraph& first, std::vector<SizeRivals>& rivals) {
  FX_RETURN_IF_ERROR(compute_numbers(first));
  std::vector<Type> types;
  types.reserve(first.inputs.size());
  for (const CapturedInput& input : first.inputs)
    types.push_back(input.kind == InputKind::kInput ? types_[input.index] : Type());
  std::vector<SymBindings> sizes = {sizes_};
  for (const OtherRun& other : others_) sizes.push_back(other.sizes);
  if (follow_) {
    std::vector<RecordedRun> runs;
    for (const OtherRun& other : others_) runs.push_back(*other.recorded);
    return generalize_sizes(*first.graph, runs, sizes, types, &rivals);
  }
  std::vector<Graph*> graphs = {first.graph.get()};
  for (OtherRun& other : others_) {
    FX_RETURN_IF_ERROR(compute_numbers(other.captured));
    graphs.push_back(other.captured.graph.get());
  }
  return generalize_sizes(graphs, sizes, types, &rivals);
}

}  // namespace

absl::StatusOr<CapturedGraph> capture_sizes(Context& context, Tensors inputs,
                                            const CaptureOptions& options, CaptureAt run,
                                            std::optional<FollowAt> follow) {
  return SizeCapture(context, inputs, options, run, follow).run();
}

}  // namespace fx
