// Pass: a function that changes a graph, and its row: name, one line of documentation, and options.
//
//   absl::StatusOr<bool> multiply(fx::PassRun& run) {
//     bool changed = false;
//     for (fx::Node* node : run.graph().find_nodes(add)) { ...; changed = true; }
//     return changed;
//   }
//   const fx::Pass pass = {"multiply", "multiplies instead of adding", multiply,
//                          {{"limit", 10, "the maximum number of replacements"}}};
//
// The row makes a pass available in pipelines (passes/manager/pipeline.h), in the pass manager
// (pass_manager.h), and in the listings of the command.
#pragma once

#include "fx/interp/constant_evaluator.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// An option of a pass. Its kind is the kind of its default: bool, int, float or string.
struct PassOption {
  std::string name;
  Argument default_value;
  std::string description;  ///< one line
  /// The smallest integer that pipelines accept.
  int64_t minimum = std::numeric_limits<int64_t>::min();
};

/// A counter of a pass.
struct PassCount {
  std::string what;  ///< "calls replaced"
  size_t count = 0;
};

/// The arguments of one run of a pass: graph, module, options.
class PassRun {
 public:
  /// `options` are the options of the pass, in the order of its row, with their values. `module`
  /// may be null.
  PassRun(Graph& graph, Module* module, absl::Span<const PassOption> options,
          const ConstantEvaluator* evaluate = nullptr)
      : graph_(graph), module_(module), options_(options), evaluate_(evaluate) {}

  Graph& graph() { return graph_; }
  /// Returns the module that get_attr and call_module paths refer to. The pass may change it. The
  /// module may lack the members that the paths refer to. Null if the caller passed no module.
  Module* module() { return module_; }

  /// Returns the constant evaluator (PassManagerOptions::evaluate); null if there is none.
  const ConstantEvaluator* evaluate() const { return evaluate_; }

  /// Whether a selection in the options (`modules`) may select nothing. False by default,
  /// so an empty selection is an error. PassManager sets it for parts of graphs, and in rounds
  /// after the first.
  bool may_select_nothing() const { return may_select_nothing_; }
  void set_may_select_nothing(bool value) { may_select_nothing_ = value; }

  /// Adds to a counter in the record of this run: `run.count("calls replaced")`, like LLVM's
  /// STATISTIC.
  void count(std::string_view what, size_t n = 1);
  /// Adds a note for the user to the record of this run, such as why the pass could do less than
  /// requested: `fxcpp opt` prints it to standard error.
  void note(std::string text) { notes_.push_back(std::move(text)); }
  const std::vector<std::string>& notes() const { return notes_; }
  /// Returns the counters in the order of their first use, without those that are 0.
  const std::vector<PassCount>& counts() const { return counts_; }

  // Return the value of an option. Name and kind must be those of the row; both are checked.
  bool flag(std::string_view name) const { return value(name).as_bool(); }
  int64_t integer(std::string_view name) const { return value(name).as_int(); }
  double number(std::string_view name) const { return value(name).as_float(); }
  std::string_view text(std::string_view name) const { return value(name).as_string(); }
  /// Returns the words of a text option, separated by spaces.
  std::vector<std::string> words(std::string_view name) const;

 private:
  const Argument& value(std::string_view name) const;

  Graph& graph_;
  Module* module_;
  absl::Span<const PassOption> options_;
  const ConstantEvaluator* evaluate_;
  bool may_select_nothing_ = false;
  std::vector<PassCount> counts_;
  std::vector<std::string> notes_;
};

/// Changes the graph; returns true if it did. On error, the graph may be partially changed.
using PassFunction = std::function<absl::StatusOr<bool>(PassRun&)>;
/// Checks a graph; returns an error that describes the problem.
using GraphCheck = std::function<absl::Status(const Graph&)>;

/// The relation between the values that a graph computes before and after a pass.
enum class PassValues : uint8_t {
  kSameBits,     ///< bit-equal
  kSameNumbers,  ///< equal except for the signs of zeros
  kRounded,      ///< equal except for rounding, because the order of operations differs
  kOther,        ///< intentionally different
};
/// Returns "bits", "numbers", "rounded" or "other".
std::string_view pass_values_name(PassValues values);

/// A function on a graph with its row; see the top of this file.
struct Pass {
  std::string name;         ///< letters, digits and `_`
  std::string description;  ///< one line that begins with a verb: "removes ..."
  PassFunction run;
  std::vector<PassOption> options = {};

  // The guarantees of the pass; tests/torch/check_passes.cpp tests them.
  PassValues values = PassValues::kSameBits;  ///< the values of results and written inputs
  bool idempotent = true;                     ///< a second run changes nothing
  /// If true, results that share memory with inputs, parameters, constants or each other may be
  /// separate after the pass. If false, they share memory exactly as before.
  bool may_change_sharing = false;

  GraphCheck requires_before = {};  ///< runs before the pass; an error ends the pipeline
  GraphCheck ensures_after = {};    ///< runs after the pass; an error ends the pipeline
  /// The component that added the pass, such as "libmy.so"; empty for fxcpp's passes. Listings and
  /// errors name it.
  std::string origin = {};
};
/// Returns, as text, the guarantees that the pass does not have, such as "a second run may change
/// more"; may be empty.
std::string missing_guarantees(const Pass& pass);

/// A table of passes by name.
class PassTable {
 public:
  PassTable() = default;
  explicit PassTable(absl::Span<const Pass> passes);

  /// Adds a pass. Returns AlreadyExists if the name is taken; InvalidArgument for a name with
  /// characters other than letters, digits and `_`, a pass without a function, an option with an
  /// invalid name or default, and two options with the same name.
  absl::Status add(Pass pass);
  /// Returns the pass with this name, or null.
  const Pass* find(std::string_view name) const;
  /// Returns the passes, sorted by name.
  const std::vector<Pass>& passes() const { return passes_; }

 private:
  std::vector<Pass> passes_;
};

/// Returns fxcpp's passes; passes/standard_passes.cpp contains the rows.
const PassTable& standard_passes();

}  // namespace fx
