// Pass: a function over a graph together with its row: name, a line of documentation, options.
//
//   absl::StatusOr<bool> multiply(fx::PassRun& run) {
//     bool changed = false;
//     for (fx::Node* node : run.graph().find_nodes(add)) { ...; changed = true; }
//     return changed;
//   }
//   const fx::Pass pass = {"multiply", "multiplies instead of adding", multiply,
//                          {{"limit", 10, "at most so many"}}};
//
// The row is all that a pass needs to be named in pipelines (passes/manager/pipeline.h), run by the
// manager (pass_manager.h), listed and documented by the command.
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

/// An option of a pass. Its kind is that of its default: bool, int, float or string.
struct PassOption {
  std::string name;
  Argument default_value;
  std::string about;  ///< one line
  /// Of an integer: pipelines refuse what is less.
  int64_t least = std::numeric_limits<int64_t>::min();
};

/// How often a pass did something.
struct PassCount {
  std::string what;  ///< "calls replaced"
  size_t count = 0;
};

/// What a pass is given.
class PassRun {
 public:
  /// `options` are those of the pass, in its order, with their values. `module` may be null.
  PassRun(Graph& graph, Module* module, absl::Span<const PassOption> options,
          const ConstantEvaluator* evaluate = nullptr)
      : graph_(graph), module_(module), options_(options), evaluate_(evaluate) {}

  Graph& graph() { return graph_; }
  /// Where the graph's get_attr and call_module paths lead, to be changed by the pass too. Of a
  /// graph that came alone, a module without what the paths name, to which a pass may add modules;
  /// null when the caller gave none.
  Module* module() { return module_; }

  /// Computes constants; null where nobody can (PassManagerOptions::evaluate).
  const ConstantEvaluator* evaluate() const { return evaluate_; }

  /// Counts what the pass does, for its record: `run.count("calls replaced")`. The same again adds
  /// up; LLVM's STATISTIC.
  void count(std::string_view what, size_t n = 1);
  /// In the order in which they were first counted; none is 0.
  const std::vector<PassCount>& counts() const { return counts_; }

  // The value of an option; name and kind must be those of the row, checked.
  bool flag(std::string_view name) const { return value(name).as_bool(); }
  int64_t integer(std::string_view name) const { return value(name).as_int(); }
  double number(std::string_view name) const { return value(name).as_float(); }
  std::string_view text(std::string_view name) const { return value(name).as_string(); }
  /// A text's words: what stands between blanks.
  std::vector<std::string> words(std::string_view name) const;

 private:
  const Argument& value(std::string_view name) const;

  Graph& graph_;
  Module* module_;
  absl::Span<const PassOption> options_;
  const ConstantEvaluator* evaluate_;
  std::vector<PassCount> counts_;
};

/// Changes the graph; says whether it did. After an error the graph may be half changed.
using PassFunction = std::function<absl::StatusOr<bool>(PassRun&)>;
/// Says what is wrong with a graph.
using GraphCheck = std::function<absl::Status(const Graph&)>;

/// How what a graph computes after a pass compares with what it computed before.
enum class PassValues : uint8_t {
  kSameBits,     ///< the same to the last bit
  kSameNumbers,  ///< the same, but for signs of zeros
  kRounded,      ///< arithmetic is done in another order: the same but for rounding
  kOther,        ///< something else, on purpose
};
/// "bits", "numbers", "rounded", "other".
std::string_view pass_values_name(PassValues values);

/// See the head of this file.
struct Pass {
  std::string name;   ///< letters, digits and `_`
  std::string about;  ///< one line, which begins with a verb: "removes ..."
  PassFunction run;
  std::vector<PassOption> options = {};
  GraphCheck requires_before = {};  ///< is asked before it runs
  GraphCheck ensures_after = {};    ///< is asked of what it made
  // What tests hold it to (tests/torch/check_passes_main.cpp): results, and written inputs.
  PassValues values = PassValues::kSameBits;
  bool idempotent = true;  ///< a second run changes nothing
};

/// Passes by name.
class PassTable {
 public:
  PassTable() = default;
  explicit PassTable(absl::Span<const Pass> passes);

  /// AlreadyExists when the name is taken; InvalidArgument for a name that pipelines cannot say, a
  /// pass without a function, options of other kinds or with the same name.
  absl::Status add(Pass pass);
  /// Null when there is none.
  const Pass* find(std::string_view name) const;
  /// By name.
  const std::vector<Pass>& passes() const { return passes_; }

 private:
  std::vector<Pass> passes_;
};

/// fxcpp's own passes (passes/standard_passes.cpp has the rows).
const PassTable& standard_passes();

}  // namespace fx
