// The families of the operator table of PyTorch 2.13.0, one per file.
//
// Made by scripts/generate (make_op_table.py). Do not edit.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

extern const std::span<const OpInfo> kActivationOps;
extern const std::span<const OpInfo> kArithmeticOps;
extern const std::span<const OpInfo> kAttentionOps;
extern const std::span<const OpInfo> kBackendOps;
extern const std::span<const OpInfo> kBitwiseOps;
extern const std::span<const OpInfo> kCompareOps;
extern const std::span<const OpInfo> kConvOps;
extern const std::span<const OpInfo> kDistributedOps;
extern const std::span<const OpInfo> kEmbeddingOps;
extern const std::span<const OpInfo> kFactoryOps;
extern const std::span<const OpInfo> kFftOps;
extern const std::span<const OpInfo> kForeachBinaryOps;
extern const std::span<const OpInfo> kForeachUnaryOps;
extern const std::span<const OpInfo> kIndexOps;
extern const std::span<const OpInfo> kJoinOps;
extern const std::span<const OpInfo> kLinalgOps;
extern const std::span<const OpInfo> kLossOps;
extern const std::span<const OpInfo> kMatmulOps;
extern const std::span<const OpInfo> kNestedOps;
extern const std::span<const OpInfo> kNormOps;
extern const std::span<const OpInfo> kOptimizerOps;
extern const std::span<const OpInfo> kPoolOps;
extern const std::span<const OpInfo> kPrimOps;
extern const std::span<const OpInfo> kPrimsOps;
extern const std::span<const OpInfo> kQuantizeOps;
extern const std::span<const OpInfo> kQuantizedOps;
extern const std::span<const OpInfo> kQuantizedDecomposedOps;
extern const std::span<const OpInfo> kQueryOps;
extern const std::span<const OpInfo> kRandomOps;
extern const std::span<const OpInfo> kReductionOps;
extern const std::span<const OpInfo> kResizeOps;
extern const std::span<const OpInfo> kRnnOps;
extern const std::span<const OpInfo> kScanOps;
extern const std::span<const OpInfo> kShapeOps;
extern const std::span<const OpInfo> kSortOps;
extern const std::span<const OpInfo> kSparseOps;
extern const std::span<const OpInfo> kSpecialOps;
extern const std::span<const OpInfo> kTestingOps;
extern const std::span<const OpInfo> kTorchscriptOps;
extern const std::span<const OpInfo> kUnaryOps;
extern const std::span<const OpInfo> kViewOps;
extern const std::span<const OpInfo> kWindowOps;

constinit const FamilyRow kGeneratedFamilyRows[] = {
    {"activation", &kActivationOps},
    {"arithmetic", &kArithmeticOps},
    {"attention", &kAttentionOps},
    {"backend", &kBackendOps},
    {"bitwise", &kBitwiseOps},
    {"compare", &kCompareOps},
    {"conv", &kConvOps},
    {"distributed", &kDistributedOps},
    {"embedding", &kEmbeddingOps},
    {"factory", &kFactoryOps},
    {"fft", &kFftOps},
    {"foreach_binary", &kForeachBinaryOps},
    {"foreach_unary", &kForeachUnaryOps},
    {"index", &kIndexOps},
    {"join", &kJoinOps},
    {"linalg", &kLinalgOps},
    {"loss", &kLossOps},
    {"matmul", &kMatmulOps},
    {"nested", &kNestedOps},
    {"norm", &kNormOps},
    {"optimizer", &kOptimizerOps},
    {"pool", &kPoolOps},
    {"prim", &kPrimOps},
    {"prims", &kPrimsOps},
    {"quantize", &kQuantizeOps},
    {"quantized", &kQuantizedOps},
    {"quantized_decomposed", &kQuantizedDecomposedOps},
    {"query", &kQueryOps},
    {"random", &kRandomOps},
    {"reduction", &kReductionOps},
    {"resize", &kResizeOps},
    {"rnn", &kRnnOps},
    {"scan", &kScanOps},
    {"shape", &kShapeOps},
    {"sort", &kSortOps},
    {"sparse", &kSparseOps},
    {"special", &kSpecialOps},
    {"testing", &kTestingOps},
    {"torchscript", &kTorchscriptOps},
    {"unary", &kUnaryOps},
    {"view", &kViewOps},
    {"window", &kWindowOps},
};
constinit const std::span<const FamilyRow> kGeneratedFamilies(kGeneratedFamilyRows);

}  // namespace fx::ops
