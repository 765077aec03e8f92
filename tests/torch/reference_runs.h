// Runs of a program and of the result of a pass on it, without repeating runs whose outcome is
// known: each reference graph runs once, and a graph that equals one that was already proven equal
// does not run again.
#pragma once

#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/verify/hash.h"
#include "tests/torch/storage_relation.h"

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// The data of a program, for all its runs.
class ReferenceRuns {
 public:
  /// Refers to the arguments.
  ReferenceRuns(const std::vector<c10::IValue>& inputs, const TorchConstants& constants,
                uint64_t seed)
      : inputs_(inputs), constants_(constants), seed_(seed) {}

  /// What was_proven() states.
  enum class Proof : uint8_t {
    kNone,
    kValues,     ///< values, types, and sharing of memory, including after later writes
    kGradients,  ///< these and gradients
  };

  /// Runs `after`, the result of a pass with `root`, and compares everything that a caller can
  /// observe with the run of `reference`. kNone if something differs, or cannot be compared here: a
  /// result that is not a tensor, a run that fails.
  Proof prove(const Graph& reference, const Graph& after, const Module& root, bool may_separate,
              bool gradients);
  /// The run of a reference graph; null if it fails. Writing to its tensors is an error.
  const testing::StorageRun* run_of(const Graph& reference);
  /// Compares a run with that of a reference graph: testing::compare_storage.
  std::string compare_storage(const Graph& reference, testing::StorageRun& after, bool may_separate,
                              const EquivalenceOptions& options);
  /// True if two runs of the graph return the same bits.
  bool is_deterministic(const Graph& reference);
  /// True if two runs of the graph have the same gradients.
  bool has_gradients(const Graph& reference);

 private:
  using Gradients = std::optional<std::vector<at::Tensor>>;
  struct Reference {
    GraphHash hash;
    testing::StorageRun run;
    std::optional<Gradients> gradients = std::nullopt;
  };

  Reference* find(const Graph& reference);
  Gradients gradients_of(const Graph& graph) const;
  bool has_foreign_members(const Graph& graph) const;

  const std::vector<c10::IValue>& inputs_;
  const TorchConstants& constants_;
  const uint64_t seed_;
  std::vector<Reference> references_;
  std::vector<std::pair<std::pair<GraphHash, GraphHash>, Proof>> proven_;
};

}  // namespace fx
