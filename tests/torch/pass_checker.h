// Runs passes on graphs with data, and checks the guarantees in their rows of the pass table: see
// check_passes.cpp.
#pragma once

#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/passes/manager/pass_manager.h"
#include "tests/testing/random_graph.h"
#include "tests/torch/check_passes_trial.h"
#include "tests/torch/reference_runs.h"

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// A graph with data for a run.
struct Subject {
  std::string name;
  std::unique_ptr<Graph> graph;
  std::vector<c10::IValue> inputs;
  TorchConstants constants;
  bool gradients = false;
  bool returns_written = false;  ///< the results include the new values of inputs
  bool shared_inputs = false;    ///< inputs share memory, but the graph does not record it
  std::string kind = {};         ///< the kind of a random program, used for statistics
  /// The graph with its calls in a plain form; it must compute the same results. May be null.
  std::unique_ptr<Graph> plain = nullptr;
  uint64_t seed = 0;  ///< the seed of the options for passes
};

struct PassCheckerOptions {
  std::vector<std::string> passes;   ///< the passes to run; empty for all
  std::vector<std::string> skipped;  ///< the passes to skip
  bool verbose = false;              ///< print why a graph does not run
};

class PassChecker {
 public:
  explicit PassChecker(PassCheckerOptions options);

  /// Runs all passes on a graph, and prints each finding. Returns false if the graph itself does
  /// not run.
  bool check(Subject& subject);
  /// Compares the subject with `plain`, the same program with other forms of calls. Returns false
  /// and prints a finding if the results differ.
  bool check_spelling(const Subject& subject);
  /// Prints the table. Returns true if there are no findings.
  bool report() const;

 private:
  struct Row {
    size_t graphs = 0, rejected = 0, changed = 0, bits = 0, rounded = 0, magnified = 0,
           gradients = 0, no_gradients = 0, wrong = 0;
    double max_abs = 0;
    std::map<std::string, size_t> reasons = {};
  };

  enum class Remaining : uint8_t { kNone, kGradients, kAll };

  static bool is_large(const Subject& subject);
  bool is_reproducible(const Subject& subject, ReferenceRuns& runs) const;
  bool has_gradients(const Subject& subject, ReferenceRuns& runs) const;
  /// Compares the types of the subject with its values. Returns false and prints a finding if a
  /// type does not match its value.
  bool check_types(const Subject& subject, ReferenceRuns& runs);
  static EquivalenceOptions with_constants(EquivalenceOptions options, const Subject& subject,
                                           const Module* root_b);
  void check_pass(const Pass& pass, const Subject& subject, ReferenceRuns& runs,
                  testing::Random& random);
  static Remaining prove(const Pass& pass, const Trial& trial, const Subject& subject,
                         const Graph& after, const Module& root, bool changed, ReferenceRuns& runs,
                         Row& row);
  static bool compares_gradients(const Pass& pass, const Subject& subject);
  static bool loses_gradients(const Pass& pass, const Trial& trial, const Graph& after);
  static std::string compare_results(const Pass& pass, const Trial& trial, const Subject& subject,
                                     const Pipeline& pipeline, const Graph& after,
                                     const Module& root, Row& row);
  static std::string compare_memory(const Pass& pass, const Trial& trial, const Subject& subject,
                                    const Graph& after, const Module& root, ReferenceRuns& runs);
  static std::string compare_gradients(const Pass& pass, const Trial& trial, const Subject& subject,
                                       const Pipeline& pipeline, const Graph& after,
                                       const Module& root, Row& row);
  static bool comparable(const Pass& pass, const Trial& trial);
  static std::optional<bool> is_correct_in_float64(const Pipeline& pipeline, const Trial& trial,
                                                   const Subject& subject, bool gradients);

  PassCheckerOptions options_;
  std::vector<const Pass*> passes_;
  std::map<std::string, Row> rows_;
  size_t run_ = 0, not_run_ = 0, without_gradients_ = 0, misspelled_ = 0, mistyped_ = 0;
};

}  // namespace fx
