// The rows of fxcpp's decompositions, by family of operators. Each computes the same values as
// torch's decomposition of the operator (torch/_decomp/decompositions.py, torch/_refs of 2.13), in
// the same order of operations, so results are bit-equal if libtorch's kernels are deterministic.
// Where the operator has a finite derivative, the decomposition has the same derivative.
#pragma once

#include "fx/passes/decompose/decomposition_table.h"

#include "absl/types/span.h"

#include <initializer_list>
#include <string_view>

namespace fx {

inline constexpr auto kCore = DecompositionSet::kCore;
inline constexpr auto kByName = DecompositionSet::kByName;
inline constexpr auto kComposite = DecompositionSet::kComposite;

struct DecompositionRow {
  std::string_view op;
  AnyArg (*function)(Decomposer& d);
  DecompositionSet set;
};

/// True if the argument is a value of the graph that is a tensor: either its parameter accepts only
/// tensors, or its type is a tensor type.
bool is_tensor_argument(const Decomposer& d, std::string_view name);

/// True if the argument is a finite number in the dtype of the result.
bool is_finite(const Decomposer& d, std::string_view argument);
/// Returns an operand whose size in dimension `dim` is that of the result; null if there is none.
/// `dim` is negative and counts from the last dimension.
const Proxy* find_operand_of_size(const Decomposer& d, std::initializer_list<Proxy> operands,
                                  int dim);
/// Expands `x` to the sizes of the result, each of which an operand must have. The derivative of a
/// product then multiplies each element of the gradient before it adds those of repeated elements,
/// like the derivatives of operators that multiply and add: infinity times a sum of no elements is
/// NaN.
Proxy expanded_to_result(Decomposer& d, const Proxy& x, std::initializer_list<Proxy> operands);

absl::Span<const DecompositionRow> activation_decompositions();
absl::Span<const DecompositionRow> attention_decompositions();
absl::Span<const DecompositionRow> einsum_decompositions();
absl::Span<const DecompositionRow> factory_decompositions();
absl::Span<const DecompositionRow> index_decompositions();
absl::Span<const DecompositionRow> composite_decompositions();
absl::Span<const DecompositionRow> layer_decompositions();
absl::Span<const DecompositionRow> linalg_decompositions();
absl::Span<const DecompositionRow> loss_decompositions();
absl::Span<const DecompositionRow> matmul_decompositions();
absl::Span<const DecompositionRow> norm_decompositions();
absl::Span<const DecompositionRow> pointwise_decompositions();
absl::Span<const DecompositionRow> pool_decompositions();
absl::Span<const DecompositionRow> recurrent_decompositions();
absl::Span<const DecompositionRow> reduction_decompositions();
absl::Span<const DecompositionRow> view_decompositions();

inline constexpr absl::Span<const DecompositionRow> (*kDecompositionFamilies[])() = {
    activation_decompositions, attention_decompositions, factory_decompositions,
    index_decompositions,      loss_decompositions,      matmul_decompositions,
    norm_decompositions,       pointwise_decompositions, pool_decompositions,
    reduction_decompositions,  view_decompositions,      linalg_decompositions,
    layer_decompositions,      composite_decompositions, recurrent_decompositions,
    einsum_decompositions,
};

/// The rows of DecompositionTable::composite, and the operators whose rows above it shares.
absl::Span<const DecompositionRow> composite_kernels();
absl::Span<const std::string_view> standard_composites();

}  // namespace fx
