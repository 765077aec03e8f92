// See pass_checker.h.
#include "tests/torch/pass_checker.h"

#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/constant_evaluator.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/manager/pass.h"
#include "tests/testing/graph_variants.h"
#include "tests/torch/checks.h"
#include "tests/torch/rewrite_pass.h"
#include "tests/torch/rounded_kernels.h"
#include "tests/torch/storage_relation.h"

#include <ATen/Functions.h>
#include <ATen/MemoryOverlap.h>
#include <c10/core/DefaultDtype.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

namespace fx {
namespace {

constexpr uint64_t kRunSeed = 7;

/// Returns a seed that depends only on the pass and the subject, so that a single trial can be
/// repeated.
uint64_t seed_of(const Pass& pass, const Subject& subject) {
  uint64_t seed = subject.seed + 0x9e3779b97f4a7c15;
  for (const char c : pass.name) seed = seed * 1099511628211 + static_cast<unsigned char>(c);
  return seed;
}

/// Returns how values may differ after the pass.
PassValues values_of(const Pass& pass) {
  return pass.values == PassValues::kOther ? PassValues::kSameBits : pass.values;
}

/// True if the bits of a NaN may differ after the pass. libtorch returns the first NaN as the
/// product of two NaNs, and swapping operands changes which NaN is first; `mul_.Scalar` and
/// `mul.Scalar` multiply in different orders (docs/functionalize.md). `x * 1`, which simplify
/// replaces with x, sets the quiet bit of a NaN, and replaces all its bits in bfloat16 (simplify.h).
bool may_change_nan(const Pass& pass, const Trial& trial) {
  return pass.name == "functionalize" || trial.pipeline.find("commutative") != std::string::npos ||
         (pass.name == "simplify" && (has_bfloat16(*trial.before) || views_bits(*trial.before)));
}

/// True if elements of an input share memory locations and the type of the input does not specify
/// its strides. Eager mode accepts some writes to such an input (masked_fill_), but not the copy
/// that functionalize adds.
bool has_unknown_overlap(const Subject& subject) {
  size_t i = 0;
  for (const Node* const input : subject.graph->find_nodes(Opcode::kPlaceholder)) {
    const c10::IValue& value = subject.inputs[i++];
    if (value.isTensor() && value.toTensor().defined() && !is_static(input->type()) &&
        at::has_internal_overlap(value.toTensor()) != at::MemOverlap::No)
      return true;
  }
  return false;
}

/// True if a type of the graph is not completely known.
bool has_unknown_types(const Graph& graph) {
  for (const Node& node : graph.nodes())
    if (!node.is_output() && !is_static(node.type())) return true;
  return false;
}

/// True if a call to bernoulli_ draws the numbers of a tensor that may not be row-major.
bool draws_in_memory_order(const Graph& graph) {
  for (const Graph& each : all_graphs(graph)) {
    for (const Node& node : each.nodes()) {
      if (!node.target().starts_with("aten.bernoulli_.")) continue;
      const std::optional<Argument> self = node.argument("self");
      const Node* const tensor = self ? self->node() : nullptr;
      if (tensor == nullptr || !tensor->type().is_tensor() || !is_contiguous(tensor->type()))
        return true;
    }
  }
  return false;
}

/// Returns the dtype of the input if the difference is in its gradient.
DType dtype_of_gradient(const ValueDifference& difference, const Subject& subject) {
  constexpr std::string_view kPrefix = "gradient of ";
  if (!difference.name.starts_with(kPrefix)) return DType::kUndefined;
  const Node* const input = subject.graph->find_node(difference.name.substr(kPrefix.size()));
  return input != nullptr && input->type().is_tensor() ? input->type().dtype() : DType::kUndefined;
}

/// True if all differences are in gradients of 16-bit inputs.
bool have_short_inputs(const std::vector<ValueDifference>& differences, const Subject& subject) {
  return std::ranges::all_of(differences, [&](const ValueDifference& difference) {
    const DType dtype = dtype_of_gradient(difference, subject);
    return dtype == DType::kFloat16 || dtype == DType::kBFloat16;
  });
}

/// While it exists, operators convert integers to float64, the dtype of widened().
class WideDefault {
 public:
  WideDefault() : before_(c10::get_default_dtype()) {
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
  }
  ~WideDefault() { c10::set_default_dtype(before_); }
  WideDefault(const WideDefault&) = delete;
  WideDefault& operator=(const WideDefault&) = delete;

 private:
  caffe2::TypeMeta before_;
};

/// True if all differences are in complex gradients with infinities or NaNs. libtorch's sum of two
/// complex tensors multiplies the second one by 1, after which both parts of an element are NaN if
/// one of them was not finite. So the order of the summands determines which elements are NaN.
bool are_complex_infinities(const std::vector<ValueDifference>& differences,
                            const Subject& subject) {
  return std::ranges::all_of(differences, [&](const ValueDifference& difference) {
    return !difference.is_finite && is_complex(dtype_of_gradient(difference, subject));
  });
}

EquivalenceOptions tolerance(PassValues values, bool gradients, bool equal_nan = false) {
  EquivalenceOptions options;
  options.find_node = true;
  options.equal_nan = equal_nan;
  if (gradients) {
    // The order of users determines the order of summation, and thereby rounding.
    options.rtol = 1e-3;
    options.atol = 1e-4;
  } else if (values == PassValues::kRounded) {
    options.rtol = 1e-3;
    options.atol = 1e-4;
  } else if (values == PassValues::kSameNumbers) {
    options.atol = 1e-300;  // ignores signs of zeros
  }
  return options;
}

}  // namespace

PassChecker::PassChecker(PassCheckerOptions options) : options_(std::move(options)) {
  for (const Pass& pass : checked_passes().passes()) {
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, pass.name) != names.end();
    };
    if ((options_.passes.empty() || is_in(options_.passes)) && !is_in(options_.skipped))
      passes_.push_back(&pass);
  }
}

bool PassChecker::check(Subject& subject) {
  ReferenceRuns runs(subject.inputs, subject.constants, kRunSeed);
  if (!is_reproducible(subject, runs)) {
    ++not_run_;
    return false;
  }
  ++run_;
  if (!check_types(subject, runs)) return false;
  if (subject.gradients) {
    subject.gradients = has_gradients(subject, runs);
    if (!subject.gradients) ++without_gradients_;
  }
  for (const Pass* pass : passes_) {
    testing::Random random(seed_of(*pass, subject));
    // These passes require that the graph records which inputs share memory.
    const bool requires_shared_inputs = pass->name == "functionalize" ||
                                        pass->name == "reinplace" ||
                                        pass->name == "extract_subgraph";
    if (!subject.shared_inputs || !requires_shared_inputs) check_pass(*pass, subject, runs, random);
  }
  return true;
}

/// True for graphs whose runs are not kept, because they may return thousands of parameters.
bool PassChecker::is_large(const Subject& subject) { return subject.graph->size() > 2000; }

/// True if two runs of the graph return the same results.
bool PassChecker::is_reproducible(const Subject& subject, ReferenceRuns& runs) const {
  if (!is_large(subject) && runs.is_deterministic(*subject.graph)) return true;
  const absl::StatusOr<EquivalenceReport> report = check_equivalent(
      *subject.graph, *subject.graph, subject.inputs, with_constants({}, subject, nullptr));
  if (report.ok() && report->equivalent()) return true;
  if (options_.verbose)
    fmt::print(stderr, "{} does not run: {}\n", subject.name,
               report.ok() ? report->str() : std::string(report.status().message()));
  return false;
}

bool PassChecker::has_gradients(const Subject& subject, ReferenceRuns& runs) const {
  // Autograd leaves in these runs are dense and start at offset 0, even if the types
  // specify otherwise.
  for (const c10::IValue& input : subject.inputs) {
    if (!input.isTensor() || !input.toTensor().defined()) continue;
    const at::Tensor& tensor = input.toTensor();
    if (tensor.layout() == at::kStrided && !is_large(subject) &&
        (tensor.storage_offset() != 0 || tensor.clone().strides() != tensor.strides()))
      return false;
  }
  if (reads_written_items(*subject.graph)) return false;
  if (!is_large(subject) && runs.has_gradients(*subject.graph)) return true;
  EquivalenceOptions with_gradients = with_constants({}, subject, nullptr);
  with_gradients.gradients = true;
  const absl::StatusOr<EquivalenceReport> report =
      check_equivalent(*subject.graph, *subject.graph, subject.inputs, with_gradients);
  if (report.ok() && report->equivalent()) return true;
  if (options_.verbose)
    fmt::print(stderr, "{} has no gradients: {}\n", subject.name,
               report.ok() ? report->str() : std::string(report.status().message()));
  return false;
}

bool PassChecker::check_types(const Subject& subject, ReferenceRuns& runs) {
  if (is_large(subject)) return true;
  const testing::StorageRun* const run = runs.run_of(*subject.graph);
  if (run == nullptr || run->wrong_type.empty()) return true;
  ++mistyped_;
  fmt::print("---- types of {}\n{}\n", subject.name, run->wrong_type);
  if (subject.graph->size() < 60) fmt::print("{}", print(*subject.graph));
  return false;
}

bool PassChecker::check_spelling(const Subject& subject) {
  const Graph* const before = subject.plain.get();
  if (before == nullptr) return true;
  ReferenceRuns fast(subject.inputs, subject.constants, kRunSeed);
  if (fast.is_deterministic(*before) &&
      fast.prove(*before, *subject.graph, Module(), false, false) != ReferenceRuns::Proof::kNone)
    return true;
  const EquivalenceOptions same = with_constants({}, subject, nullptr);
  const absl::StatusOr<EquivalenceReport> runs =
      check_equivalent(*before, *before, subject.inputs, same);
  if (!runs.ok() || !runs->equivalent()) return true;
  const absl::StatusOr<EquivalenceReport> report =
      check_equivalent(*before, *subject.graph, subject.inputs, same);
  if (report.ok() && report->equivalent()) return true;
  ++misspelled_;
  fmt::print("---- different forms of the calls in {}\n{}\nbefore:\n{}after:\n{}", subject.name,
             report.ok() ? report->str() : std::string(report.status().message()), print(*before),
             print(*subject.graph));
  return false;
}

bool PassChecker::report() const {
  fmt::print("{:34} {:>6} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7} {:>10}\n", "pass",
             "graphs", "rejected", "changed", "bits", "rounded", "magnified", "gradients", "none",
             "wrong", "largest");
  size_t wrong = 0;
  for (const Pass* pass : passes_) {
    const auto found = rows_.find(pass->name);
    const Row row = found == rows_.end() ? Row() : found->second;
    fmt::print("{:34} {:>6} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7} {:>10.3g}\n",
               pass->name, row.graphs, row.rejected, row.changed, row.bits, row.rounded,
               row.magnified, row.gradients, row.no_gradients, row.wrong, row.max_abs);
    for (const auto& [reason, count] : row.reasons)
      fmt::print("    rejected {}: {}\n", count, reason);
    wrong += row.wrong;
    if (!rejects_most(row.rejected, row.graphs)) continue;
    fmt::print("---- {} rejects most graphs\n", pass->name);
    ++wrong;
  }
  fmt::print("{} graphs, {} of them without gradients, and {} that do not run; {} findings\n", run_,
             without_gradients_, not_run_, wrong);
  if (mistyped_ > 0) fmt::print("{} graphs with values that do not match their types\n", mistyped_);
  return wrong + misspelled_ + mistyped_ == 0 && run_ > 0;
}

EquivalenceOptions PassChecker::with_constants(EquivalenceOptions options, const Subject& subject,
                                               const Module* root_b) {
  options.constants_a = subject.constants;
  options.root_b = root_b;
  // The graphs that `b` calls use the tensors of the module, so `b` must use them also.
  for (const auto& [path, value] : subject.constants)
    if (root_b == nullptr || !root_b->find_tensor(path).defined())
      options.constants_b.emplace(path, value);
  options.seed = kRunSeed;
  return options;
}

/// Compares one run of the graph after the pass with a run of the reference. Returns what must
/// still be compared in detail: everything if values may differ, for example by rounding.
PassChecker::Remaining PassChecker::prove(const Pass& pass, const Trial& trial,
                                          const Subject& subject, const Graph& after,
                                          const Module& root, bool changed, ReferenceRuns& runs,
                                          Row& row) {
  if (is_large(subject) || !comparable(pass, trial)) return Remaining::kAll;
  const bool gradients = changed && compares_gradients(pass, subject);
  const bool has_no_gradients = gradients && loses_gradients(pass, trial, after);
  const ReferenceRuns::Proof proof = runs.prove(
      *trial.reference, after, root, pass.may_change_sharing, gradients && !has_no_gradients);
  if (proof == ReferenceRuns::Proof::kNone) return Remaining::kAll;
  ++row.bits;
  if (gradients && !has_no_gradients && proof != ReferenceRuns::Proof::kGradients)
    return Remaining::kGradients;
  row.gradients += gradients && !has_no_gradients ? 1 : 0;
  row.no_gradients += has_no_gradients ? 1 : 0;
  return Remaining::kNone;
}

void PassChecker::check_pass(const Pass& pass, const Subject& subject, ReferenceRuns& runs,
                             testing::Random& random) {
  Row& row = rows_[pass.name];
  Trial trial = trial_of(pass, *subject.graph, random);
  Module root;
  for (const auto& [path, value] : subject.constants) {
    if (value.isTensor())
      (void)root.assign(path, Attribute::constant(from_torch(value.toTensor())));
  }
  const PassManagerOptions manager_options{.check_changed = true, .evaluate = evaluate_constants};
  if (!trial.setup.empty()) {
    trial.unprepared = trial.before->clone();
    const absl::StatusOr<PassReport> ready =
        PassManager(*parse_pipeline(checked_passes(), trial.setup), manager_options)
            .run(*trial.before, &root);
    if (!ready.ok()) {  // the setup pass fails; its own trials report why
      ++row.graphs;
      ++row.rejected;
      return;
    }
  }
  std::unique_ptr<Graph> after = trial.before->clone();
  const absl::StatusOr<Pipeline> pipeline = parse_pipeline(checked_passes(), trial.pipeline);
  FX_CHECK_OK(pipeline);
  const absl::StatusOr<PassReport> report =
      PassManager(*pipeline, manager_options).run(*after, &root);
  ++row.graphs;
  const auto finding = [&](const std::string& what) {
    ++row.wrong;
    fmt::print("---- {} on {}\n{}\n", trial.pipeline, subject.name, what);
    if (subject.graph->size() < 60)
      fmt::print("before:\n{}after:\n{}", print(*trial.before), print(*after));
    std::fflush(stdout);
  };
  if (!report.ok()) {
    if (report.status().code() == absl::StatusCode::kInternal)
      return finding(std::string(report.status().message()));
    ++row.rejected;
    std::string reason(report.status().message());
    const size_t options_end = reason.find("}: ");
    if (options_end != std::string::npos) reason.erase(0, options_end + 3);
    if (reason.starts_with('%')) reason.erase(0, std::min(reason.find(' '), reason.size()));
    ++row.reasons[reason.substr(0, std::min(reason.find('\n'), size_t{160}))];
    if (row.reasons.size() > 4) row.reasons.erase(std::prev(row.reasons.end()));
    return;
  }
  row.changed += report->changed ? 1 : 0;
  const Remaining remaining = prove(pass, trial, subject, *after, root, report->changed, runs, row);
  if (remaining != Remaining::kNone) {
    const auto compare = [&](const Graph& result) {
      std::string wrong = compare_results(pass, trial, subject, *pipeline, result, root, row);
      if (wrong.empty() && report->changed)
        wrong = compare_gradients(pass, trial, subject, *pipeline, result, root, row);
      if (wrong.empty()) wrong = compare_memory(pass, trial, subject, result, root, runs);
      return wrong;
    };
    std::string wrong = remaining == Remaining::kAll
                            ? compare(*after)
                            : compare_gradients(pass, trial, subject, *pipeline, *after, root, row);
    const auto retry = [&](std::unique_ptr<Graph> reference) {
      if (reference == nullptr) return;
      trial.reference = std::move(reference);
      wrong = compare(*after);
    };
    const auto is_wrong_after = [&](std::string_view name) {
      return !wrong.empty() && pass.name == name && trial.reference != nullptr;
    };
    const EquivalenceOptions options = with_constants({}, subject, &root);
    if (is_wrong_after("decompose"))
      retry(with_rounded_calls(*trial.reference, subject.inputs, options));
    if (is_wrong_after("functionalize"))
      retry(with_rounded_writes(*trial.reference, subject.inputs, options));
    if (is_wrong_after("functionalize") || is_wrong_after("reinplace")) {
      EquivalenceOptions of_after = options;
      of_after.root_a = &root;
      std::unique_ptr<Graph> reference =
          with_aligned_products(*trial.reference, subject.inputs, options);
      const std::unique_ptr<Graph> aligned =
          with_aligned_products(*after, subject.inputs, of_after);
      if (reference && aligned) {
        trial.reference = std::move(reference);
        wrong = compare(*aligned);
      }
    }
    if (pass.name == "functionalize" && has_unknown_overlap(subject) &&
        wrong.find("more than one element") != std::string::npos) {
      ++row.rejected;
      ++row.reasons
            ["the run: copies to an input with internal overlap that its type does not show"];
      return;
    }
    if (!wrong.empty()) return finding(wrong);
  }
  // If the pass did not change the graph, a second run would have the same input.
  if (pass.idempotent && report->changed) {
    const std::string first = subject.graph->size() < 60 ? print(*after) : "";
    const absl::StatusOr<PassReport> again =
        PassManager(*pipeline, manager_options).run(*after, &root);
    // Types are not completely known, so it is unknown whether the copies to inputs that the first
    // run added change a value. In the first run, the writes of the program determined this.
    if (!again.ok() && pass.name == "functionalize" && has_unknown_types(*subject.graph) &&
        again.status().message().find("may or may not share memory") != std::string_view::npos) {
      ++row.rejected;
      ++row.reasons["the second run: types are unknown, so memory may or may not be shared"];
      return;
    }
    if (!again.ok())
      return finding("the second run fails: " + std::string(again.status().message()));
    if (!again->changed) return;
    finding("a second run changes it again");
    if (subject.graph->size() < 60) fmt::print("after the first run:\n{}", first);
  }
}

/// Returns the differences in results and written inputs of `after`; "" if none exist.
std::string PassChecker::compare_results(const Pass& pass, const Trial& trial,
                                         const Subject& subject, const Pipeline& pipeline,
                                         const Graph& after, const Module& root, Row& row) {
  if (!comparable(pass, trial)) return "";
  EquivalenceOptions options = with_constants(
      tolerance(values_of(pass), false, may_change_nan(pass, trial)), subject, &root);
  // extract_subgraph keeps only writes that affect its results.
  options.written_inputs = !subject.returns_written && pass.name != "extract_subgraph";
  const absl::StatusOr<EquivalenceReport> values =
      check_equivalent(*trial.reference, after, subject.inputs, options);
  if (!values.ok()) {
    // An index that another operator computes may be out of bounds. Then neither graph runs.
    const auto runs = [&](const Graph& graph) {
      const bool has_modules = !graph.find_nodes(Opcode::kCallModule).empty();
      return testing::run_for_storage(graph, subject.inputs, subject.constants, &root, has_modules,
                                      kRunSeed)
          .ok();
    };
    if (pass.name != "replace_targets" || runs(*trial.reference) || runs(after))
      return std::string(values.status().message());
    ++row.rejected;
    ++row.reasons["the run: neither graph runs, with or without the pass"];
    return "";
  }
  row.max_abs = std::max(row.max_abs, values->max_abs);
  if (values->equivalent()) {
    ++(values->bit_equal == values->compared ? row.bits : row.rounded);
    return "";
  }
  if (pass.values != PassValues::kRounded ||
      !is_correct_in_float64(pipeline, trial, subject, /*gradients=*/false).value_or(false)) {
    return values->str();
  }
  ++row.magnified;
  return "";
}

/// Returns the errors in types and in sharing of memory after the pass; "" if none exist.
std::string PassChecker::compare_memory(const Pass& pass, const Trial& trial,
                                        const Subject& subject, const Graph& after,
                                        const Module& root, ReferenceRuns& runs) {
  if (is_large(subject)) return "";
  // extract_subgraph omits calls that change the sizes of inputs if they do not affect its results.
  if (pass.name == "extract_subgraph" && trial.reference && changes_metadata(*trial.reference))
    return "";
  const bool has_modules = !after.find_nodes(Opcode::kCallModule).empty();
  absl::StatusOr<testing::StorageRun> second = testing::run_for_storage(
      after, subject.inputs, subject.constants, &root, has_modules, kRunSeed);
  if (!second.ok()) return "";  // found by compare_results
  if (!second->wrong_type.empty()) return second->wrong_type;
  if (!comparable(pass, trial)) return "";
  return runs.compare_storage(*trial.reference, *second, pass.may_change_sharing,
                              tolerance(values_of(pass), false, may_change_nan(pass, trial)));
}

/// True if gradients can be compared: values that are folded to constants have no gradient.
bool PassChecker::compares_gradients(const Pass& pass, const Subject& subject) {
  return subject.gradients && pass.name != "fold_constants";
}

bool PassChecker::loses_gradients(const Pass& pass, const Trial& trial, const Graph& after) {
  if (pass.name == "decompose")
    return num_efficient_zeros(*trial.before) > num_efficient_zeros(after) ||
           may_overflow_derivative(*trial.before);
  const bool removes_writes = pass.name == "functionalize";
  if ((removes_writes || pass.name == "reinplace") && strides_over_view(*trial.before)) return true;
  return removes_writes &&
         (writes_behind_autograd(*trial.before) || writes_logically(*trial.before) ||
          changes_lazy_view(*trial.before) || scatters_by_strides(after));
}

/// Returns the differences in gradients; "" if there are none.
std::string PassChecker::compare_gradients(const Pass& pass, const Trial& trial,
                                           const Subject& subject, const Pipeline& pipeline,
                                           const Graph& after, const Module& root, Row& row) {
  if (!comparable(pass, trial) || !compares_gradients(pass, subject)) return "";
  if (loses_gradients(pass, trial, after)) {
    ++row.no_gradients;
    return "";
  }
  EquivalenceOptions options = with_constants(tolerance(pass.values, true), subject, &root);
  options.gradients = true;
  options.written_inputs = false;
  absl::StatusOr<EquivalenceReport> values =
      check_equivalent(*trial.reference, after, subject.inputs, options);
  if (values.status().message().find("a leaf Variable that requires grad") !=
      std::string_view::npos)
    values = check_equivalent(*trial.reference, *with_histories(after), subject.inputs, options);
  // libtorch has no derivatives for some functional forms, such as aten.copy, and autograd rejects
  // writes to saved tensors, and to some views of tensors with a storage offset (reinplace is for
  // graphs that run without autograd).
  const std::string message(values.ok() ? "" : values.status().message());
  if (message.find("derivative for") != std::string::npos ||
      message.find("inplace") != std::string::npos ||
      (pass.name == "reinplace" &&
       message.find("are out of bounds for storage") != std::string::npos) ||
      message.find("calling in-place forward function") != std::string::npos ||
      message.find("does not support automatic differentiation") != std::string::npos ||
      message.find("Autograd not support dtype") != std::string::npos) {
    ++row.no_gradients;
    return "";
  }
  if (!values.ok()) {
    // The results of extract_subgraph's reference differ from those of the subject. They may have
    // no gradients, for example after a cast from real to complex.
    const absl::StatusOr<EquivalenceReport> reference_run =
        check_equivalent(*trial.reference, *trial.reference, subject.inputs, options);
    if (reference_run.ok()) return "with gradients: " + message;
    ++row.no_gradients;
    return "";
  }
  if (!values->equivalent()) {
    const std::optional<bool> is_correct =
        is_correct_in_float64(pipeline, trial, subject, /*gradients=*/true);
    // A view of a different dtype, or a write to a value that is a copy only in the program's dtypes,
    // prevents a run in float64.
    if (!is_correct && have_short_inputs(values->different, subject)) {
      options.rtol = options.atol = 1.0 / 32;  // bfloat16 rounds a sum by at most 1/256
      values = check_equivalent(*trial.reference, after, subject.inputs, options);
    }
    const bool is_rounded =
        !is_correct && values.ok() &&
        (values->equivalent() || are_complex_infinities(values->different, subject));
    if (!is_correct.value_or(is_rounded))
      return values.ok() ? values->str() : std::string(values.status().message());
  }
  ++row.gradients;
  return "";
}

/// True if the results can be compared: the random numbers that a subgraph draws differ from those
/// of the entire graph, and so do those of the functional form of bernoulli_ if the tensor is not
/// row-major (docs/functionalize.md).
bool PassChecker::comparable(const Pass& pass, const Trial& trial) {
  if (pass.name == "extract_subgraph" && draws(*trial.before)) return false;
  return trial.reference && !(pass.name == "functionalize" && draws_in_memory_order(*trial.before));
}

/// True if the results after the pass agree to 1e-6 in float64. In float32, some graphs magnify
/// rounding errors: a batch norm over two rows, for example, to 0.3.
std::optional<bool> PassChecker::is_correct_in_float64(const Pipeline& pipeline, const Trial& trial,
                                                       const Subject& subject, bool gradients) {
  Subject wide{subject.name, widened(*trial.reference), {}, {}};
  for (const c10::IValue& input : subject.inputs) wide.inputs.push_back(widened(input));
  Module root;
  for (const auto& [path, value] : subject.constants) {
    const c10::IValue& constant = wide.constants[path] = widened(value);
    if (constant.isTensor())
      (void)root.assign(path, Attribute::constant(from_torch(constant.toTensor())));
  }
  const PassManagerOptions options_of_passes{.evaluate = evaluate_constants};
  const std::unique_ptr<Graph> after =
      widened(trial.unprepared ? *trial.unprepared : *trial.before);
  if (trial.unprepared &&
      !PassManager(*parse_pipeline(checked_passes(), trial.setup), options_of_passes)
           .run(*after, &root)
           .ok())
    return std::nullopt;
  if (!PassManager(pipeline, options_of_passes).run(*after, &root).ok()) return std::nullopt;
  EquivalenceOptions options = with_constants({}, wide, &root);
  options.rtol = options.atol = 1e-6;
  options.gradients = gradients;
  options.written_inputs = !gradients && !subject.returns_written;
  const WideDefault wide_default;
  const absl::StatusOr<EquivalenceReport> values =
      check_equivalent(*wide.graph, *after, wide.inputs, options);
  if (!values.ok()) return std::nullopt;
  // Infinities and NaNs in float64 come from a division by zero. The order of a preceding summation
  // determines which of the two occurs. A sum that is 0 in one order may be nonzero in another one,
  // and is then multiplied by factors as large as those of the other elements.
  return std::ranges::all_of(values->different, [&](const auto& difference) {
    return gradients && (!difference.is_finite || difference.relative <= 1e-6);
  });
}

}  // namespace fx
