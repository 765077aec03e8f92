// Runs a program and the results of passes on it without repetition: each reference graph runs
// once, and a graph is not run again if an identical graph has already passed the comparison.
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

/// Runs of graphs on the data of one program.
class ReferenceRuns {
 public:
  /// The arguments must outlive the object.
  ReferenceRuns(const std::vector<c10::IValue>& inputs, const TorchConstants& constants,
                uint64_t seed)
      : inputs_(inputs), constants_(constants), seed_(seed) {}

  /// The facts that prove() has established.
  enum class Proof : uint8_t {
    kNone,
    kValues,     ///< values, types and shared memory are equal, even after later writes
    kGradients,  ///< and gradients are equal
  };

  /// Runs `after`, the result of a pass with `root`, and compares everything that a caller can
  /// observe with the run of `reference`. Returns kNone if something differs or cannot be compared,
  /// for example if a result is not a tensor or a run fails.
  Proof prove(const Graph& reference, const Graph& after, const Module& root, bool may_separate,
              bool gradients);
  /// Returns the run of a reference graph, or null if it fails. The caller must not write to its
  /// tensors.
  const testing::StorageRun* run_of(const Graph& reference);
  /// Compares a run with that of a reference graph with testing::compare_storage.
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
  bool uses_changed_members(const Graph& graph) const;

  const std::vector<c10::IValue>& inputs_;
  const TorchConstants& constants_;
  const uint64_t seed_;
  std::vector<Reference> references_;
  std::vector<std::pair<std::pair<GraphHash, GraphHash>, Proof>> proven_;
};

}  // namespace fx
