// Capture without running kernels: the graphs have the types of a real run, and use no tensor
// memory.
#include "fx/importers/torch/capture/fake_tensor.h"

#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/step.h"
#include "fx/ir/text/text.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

/// Returns the peak memory of the process so far, in bytes.
size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

TEST(FakeTensor, CapturesSteps) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const ModelInstance model, make_zoo_model("mlp"));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph real,
                          capture_step(context, model.state, make_optimizer("adamw", model.state),
                                       model.inputs, model.loss));
  FX_ASSERT_OK_AND_ASSIGN(const ModelInstance other, make_zoo_model("mlp"));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph types,
                          capture_step(context, other.state, make_optimizer("adamw", other.state),
                                       other.inputs, other.loss, {.execution = Execution::kFake}));
  EXPECT_EQ(print(*types.graph), print(*real.graph));
}

TEST(FakeTensor, FilledTensorsAreConstants) {
  const at::Tensor w = at::full({8}, 3.0).requires_grad_();
  const Program program = [&](Tensors) -> std::vector<at::Tensor> {
    const at::Tensor scale =
        at::tensor(std::vector<float>(8, 0.0F));  // the data that fake tensors contain
    at::Tensor mask = at::zeros({8});
    mask.accessor<float, 1>()[2] = 1;
    return {at::add(at::mul(w, scale), mask).sum()};
  };
  Context context;
  const auto capture = [&](Execution execution) {
    return capture_joint(context, ModuleState{{{"w", w}}, {}}, {}, program,
                         {.execution = execution});
  };
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph real, capture(Execution::kReal));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph types, capture(Execution::kFake));
  EXPECT_EQ(print(*types.graph), print(*real.graph));
  ASSERT_EQ(types.constants.size(), 2u);
  for (const auto& [name, value] : types.constants)
    EXPECT_TRUE(at::equal(value.toTensor(), real.constants.at(name).toTensor())) << name;
}

TEST(FakeTensor, DoesNotWriteToTensors) {
  Context context;
  const at::Tensor w = at::full({8, 8}, 3.0).requires_grad_(), b = at::zeros({8});
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph captured,
                          capture_joint(context, ModuleState{{{"w", w}}, {{"b", b}}}, {},
                                        [&](Tensors) -> std::vector<at::Tensor> {
                                          b.add_(1);
                                          return {at::mul(w, b).sum()};
                                        },
                                        {.execution = Execution::kFake}));
  EXPECT_EQ(captured.outputs[0].kind, OutputKind::kMutation);
  EXPECT_EQ(b.sum().item().toDouble(), 0);
}

TEST(FakeTensor, FifteenGigabytesOfParametersUseNoMemory) {
  Context context;
  const size_t before = peak_memory();
  FX_ASSERT_OK_AND_ASSIGN(const ModelEntry* entry, find_model(zoo_models(), "mlp"));
  const std::pair<std::string_view, int64_t> settings[] = {
      {"features", 16384}, {"hidden", 40000}, {"classes", 40000}};
  FX_ASSERT_OK_AND_ASSIGN(const ModelInstance model, build_fake_model(context, *entry, settings));
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph captured,
                          capture_joint(context, model.state, model.inputs, model.loss,
                                        {.execution = Execution::kFake}));
  size_t bytes = 0;
  for (const NamedTensor& p : model.state.parameters) bytes += p.tensor.nbytes();
  EXPECT_GT(bytes, size_t{14} << 30);
  EXPECT_LT(peak_memory() - before, size_t{100} << 20);
}

TEST(FakeTensor, DataDependentOperatorsAreErrors) {
  Context context;
  const at::Tensor x = at::ones({3});
  const auto status_of = [&](const Program& program) {
    return capture(context, {}, {{x}}, program, {.execution = Execution::kFake}).status();
  };
  EXPECT_THAT(
      status_of([](Tensors in) -> std::vector<at::Tensor> { return {in[0] * in[0].sum().item()}; }),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("the result of aten._local_scalar_dense.default depends on data")));
  EXPECT_THAT(status_of([](Tensors in) -> std::vector<at::Tensor> { return {at::nonzero(in[0])}; }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("aten.nonzero.default")));
  EXPECT_THAT(status_of([](Tensors in) -> std::vector<at::Tensor> {
                return {at::mm(in[0].unsqueeze(0), in[0].unsqueeze(0))};
              }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("aten.mm.default")));
}

TEST(FakeTensor, EqualComparesIdentity) {
  Context context;
  const at::Tensor x = at::ones({3}), y = at::ones({3});
  bool same = false, other = true;
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph captured,
                          capture(context, {}, {{x, y}},
                                  [&](Tensors in) -> std::vector<at::Tensor> {
                                    same = at::equal(in[0], in[0].detach());
                                    other = at::equal(in[0], in[1]);
                                    return {};
                                  },
                                  {.execution = Execution::kFake}));
  EXPECT_TRUE(same);
  EXPECT_FALSE(other);
}

}  // namespace
}  // namespace fx
