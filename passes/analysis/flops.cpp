// The table of formulas, one row per operator.
#include "fx/passes/analysis/flops.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace fx {
namespace {

using Sizes = absl::Span<const Dim>;

std::string text_of(Sizes sizes) {
  std::string text = "[";
  for (const Dim& size : sizes) {
    if (text.size() > 1) text += ", ";
    append_text(text, size);
  }
  return text + "]";
}

Dim fail_expected(const FlopCall& call, std::string_view expected, Sizes a, Sizes b) {
  return call.fail(fmt::format("expected {}, not {} and {}", expected, text_of(a), text_of(b)));
}

/// Counts the product of [rows, inner] and [inner, columns]: each element of the result requires
/// `inner` multiply-adds.
Dim matmul_flops(const Dim& batch, const Dim& rows, const Dim& inner, const Dim& columns) {
  return batch * rows * columns * inner * 2;
}

// ---------------------------------------------------------------- matrices

Dim matrices(const FlopCall& call, std::string_view a_name, std::string_view b_name) {
  const Sizes a = call.sizes(a_name), b = call.sizes(b_name);
  if (a.size() != 2 || b.size() != 2) return fail_expected(call, "two matrices", a, b);
  return matmul_flops(1, a[0], a[1], b[1]);
}

Dim batches(const FlopCall& call, std::string_view a_name, std::string_view b_name) {
  const Sizes a = call.sizes(a_name), b = call.sizes(b_name);
  if (a.size() != 3 || b.size() != 3) return fail_expected(call, "two batches of matrices", a, b);
  return matmul_flops(a[0], a[1], a[2], b[2]);
}

Dim mm_flops(const FlopCall& call) { return matrices(call, "self", "mat2"); }
Dim addmm_flops(const FlopCall& call) { return matrices(call, "mat1", "mat2"); }
Dim bmm_flops(const FlopCall& call) { return batches(call, "self", "mat2"); }
Dim baddbmm_flops(const FlopCall& call) { return batches(call, "batch1", "batch2"); }
Dim addbmm_flops(const FlopCall& call) { return batches(call, "batch1", "batch2"); }

Dim mv_flops(const FlopCall& call) { return 2 * numel(call.sizes("self")); }
Dim addmv_flops(const FlopCall& call) { return 2 * numel(call.sizes("mat")); }
Dim dot_flops(const FlopCall& call) { return 2 * numel(call.sizes("self")); }

/// Counts the product of the rows of the input and the rows of the weight.
Dim linear_flops(const FlopCall& call) {
  const Sizes weight = call.sizes("weight");
  if (weight.empty()) return fail_expected(call, "a weight", call.sizes("input"), weight);
  const Dim columns = weight.size() == 2 ? weight[0] : Dim(1);
  return numel(call.sizes("input")) * columns * 2;
}

/// Each element of the result requires as many multiply-adds as the last dimension of the first
/// operand has elements.
Dim matmul_op_flops(const FlopCall& call) {
  const Sizes a = call.sizes("self"), b = call.sizes("other");
  if (a.empty() || b.empty())
    return fail_expected(call, "two tensors with at least one dimension", a, b);
  return numel(call.result_sizes()) * a.back() * 2;
}

// ---------------------------------------------------------------- convolutions

/// The whole filter is applied at each position of the output or, if transposed, of the input.
/// `weight` is [c1, c2, filter...] in both directions.
Dim filter_flops(Sizes input, Sizes weight, Sizes output, bool transposed) {
  const Sizes positions = (transposed ? input : output).subspan(2);
  return numel(positions) * input[0] * numel(weight) * 2;
}

/// Adds a batch dimension of size 1 if it is missing.
DimVector batched(Sizes sizes, size_t rank) {
  DimVector result(sizes.begin(), sizes.end());
  if (result.size() + 1 == rank) result.insert(result.begin(), Dim(1));
  return result;
}

Dim convolution(const FlopCall& call, std::string_view input_name, bool transposed) {
  const Sizes weight = call.sizes("weight");
  const DimVector input = batched(call.sizes(input_name), weight.size());
  const DimVector output = batched(call.result_sizes(), weight.size());
  if (weight.size() < 3 || input.size() != weight.size() || output.size() != weight.size())
    return fail_expected(call, "an input and a filter", input, weight);
  return filter_flops(input, weight, output, transposed);
}

Dim conv_flops(const FlopCall& call) { return convolution(call, "input", call.flag("transposed")); }
Dim conv_self_flops(const FlopCall& call) { return convolution(call, "self", false); }
Dim conv_nd_flops(const FlopCall& call) { return convolution(call, "input", false); }
Dim conv_transpose_flops(const FlopCall& call) { return convolution(call, "input", true); }

DimVector transposed_channels(Sizes sizes) {
  DimVector result(sizes.begin(), sizes.end());
  std::swap(result[0], result[1]);
  return result;
}

/// The gradient of the input is a convolution in the opposite direction. The gradient of
/// the weight is a convolution of the input with the gradient as its filter, with batch
/// and channels exchanged.
Dim conv_backward_flops(const FlopCall& call) {
  const Sizes grad = call.sizes("grad_output"), weight = call.sizes("weight");
  const Sizes input = call.sizes("input");
  const bool transposed = call.flag("transposed");
  if (weight.size() < 3 || input.size() != weight.size() || grad.size() != weight.size())
    return fail_expected(call, "an input and a filter", input, weight);
  const Argument mask = call.argument("output_mask");
  const auto is_requested = [&](size_t i) {
    return i < mask.size() && mask[i].is_bool() ? mask[i].as_bool() : true;
  };
  Dim flops = 0;
  if (is_requested(0)) flops += filter_flops(grad, weight, input, !transposed);
  if (is_requested(1)) {
    const Sizes filter = transposed ? input : grad;
    const Sizes slid_over = transposed ? grad : input;
    flops += filter_flops(transposed_channels(slid_over), transposed_channels(filter),
                          transposed_channels(weight), /*transposed=*/false);
  }
  return flops;
}

// ---------------------------------------------------------------- attention

/// query [b, h, s_q, d], key [b, h_kv, s_k, d], value [b, h_kv, s_k, d_v].
struct Attention {
  Dim heads, queries, keys, width, value_width;
};

bool read_attention(const FlopCall& call, Attention& attention) {
  const Sizes q = call.sizes("query"), k = call.sizes("key"), v = call.sizes("value");
  if (q.size() < 3 || k.size() != q.size() || v.size() != q.size()) {
    fail_expected(call, "query, key and value of the same rank, at least 3", q, k);
    return false;
  }
  const size_t n = q.size();
  attention = {numel(q.subspan(0, n - 2)), q[n - 2], k[n - 2], q[n - 1], v[n - 1]};
  return true;
}

/// In these operators the heads come after the sequence, [b, s, h, d]; in the other attention
/// operators they come before it. FlopCounterMode assumes the same order for all of them. Sizes
/// do not determine the lengths of packed sequences ([total, h, d]).
bool read_raw_attention(const FlopCall& call, Attention& attention) {
  const Sizes q = call.sizes("query"), k = call.sizes("key"), v = call.sizes("value");
  if (q.size() != 4 || k.size() != 4 || v.size() != 4) {
    fail_expected(
        call, "query, key and value with four dimensions (packed sequences are not counted)", q, k);
    return false;
  }
  attention = {q[0] * q[2], q[1], k[1], q[3], v[3]};
  return true;
}

using ReadAttention = bool (*)(const FlopCall& call, Attention& attention);

/// Counts query @ key, then scores @ value.
template <ReadAttention read>
Dim sdpa_flops(const FlopCall& call) {
  Attention a;
  if (!read(call, a)) return 0;
  return matmul_flops(a.heads, a.queries, a.width, a.keys) +
         matmul_flops(a.heads, a.queries, a.keys, a.value_width);
}

/// Counts the scores again, then the gradients of scores and value, then those of query and key.
template <ReadAttention read>
Dim sdpa_backward_flops(const FlopCall& call) {
  Attention a;
  if (!read(call, a)) return 0;
  return matmul_flops(a.heads, a.queries, a.width, a.keys) +
         matmul_flops(a.heads, a.queries, a.value_width, a.keys) +
         matmul_flops(a.heads, a.keys, a.queries, a.value_width) +
         matmul_flops(a.heads, a.queries, a.keys, a.width) +
         matmul_flops(a.heads, a.width, a.queries, a.keys);
}

// ---------------------------------------------------------------- recurrent layers

/// Counts one layer in one direction: each step multiplies input and state by their weights, which
/// contain the rows of all gates.
Dim rnn_layer_flops(const FlopCall& call) {
  const Sizes input = call.sizes("input");
  const Sizes from_input = call.sizes("weight0"), from_state = call.sizes("weight1");
  if (input.size() != 3 || from_input.size() != 2 || from_state.size() != 2)
    return fail_expected(call, "a sequence and two matrices", input, from_input);
  return input[0] * input[1] * (numel(from_input) + numel(from_state)) * 2;
}

/// Counts twice the operations of the forward pass: a product for the gradient of each factor.
Dim rnn_layer_backward_flops(const FlopCall& call) {
  const Sizes input = call.sizes("input");
  const Sizes from_input = call.sizes("weight1"), from_state = call.sizes("weight2");
  if (input.size() != 3 || from_input.size() != 2 || from_state.size() != 2)
    return fail_expected(call, "a sequence and two matrices", input, from_input);
  return input[0] * input[1] * (numel(from_input) + numel(from_state)) * 4;
}

/// Counts all layers: each matrix among the parameters is used once per step.
Dim rnn_flops(const FlopCall& call) {
  const Sizes input = call.tensor("input") ? call.sizes("input") : call.sizes("data");
  if (input.size() < 2) return fail_expected(call, "a sequence", input, {});
  const Argument parameters = call.argument("params");
  Dim weights = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Node* const parameter = parameters[i].node();
    const Type type = parameter ? parameter->type() : Type();
    if (!type.is_tensor() || !type.has_rank())
      return call.fail("the types of the parameters must be known");
    if (type.rank() == 2) weights += numel(type.sizes());
  }
  return numel(input.first(input.size() - 1)) * weights * 2;
}

Dim rnn_cell_flops(const FlopCall& call) {
  const Sizes input = call.sizes("input");
  if (input.empty()) return fail_expected(call, "an input", input, {});
  return numel(input.first(input.size() - 1)) *
         (numel(call.sizes("w_ih")) + numel(call.sizes("w_hh"))) * 2;
}

// ---------------------------------------------------------------- the table

constexpr std::string_view kTorch = "torch.utils.flop_counter";
constexpr std::string_view kLikeTorch = "as torch.utils.flop_counter counts what it decomposes to";
constexpr std::string_view kGpuCounterpart =
    "as torch.utils.flop_counter counts the GPU's operator";
constexpr std::string_view kProducts = "2 per multiply-add";

constexpr auto kRows = std::to_array<FlopRow>({
    // Sorted by name, for find_flop_row's binary search.
    {"aten._convolution", conv_flops, kTorch},
    {"aten._efficient_attention_backward", sdpa_backward_flops<read_raw_attention>, kProducts},
    {"aten._efficient_attention_forward", sdpa_flops<read_raw_attention>, kProducts},
    {"aten._flash_attention_backward", sdpa_backward_flops<read_raw_attention>, kProducts},
    {"aten._flash_attention_forward", sdpa_flops<read_raw_attention>, kProducts},
    {"aten._scaled_dot_product_cudnn_attention", sdpa_flops<read_attention>, kTorch},
    {"aten._scaled_dot_product_cudnn_attention_backward", sdpa_backward_flops<read_attention>,
     kTorch},
    {"aten._scaled_dot_product_efficient_attention", sdpa_flops<read_attention>, kTorch},
    {"aten._scaled_dot_product_efficient_attention_backward", sdpa_backward_flops<read_attention>,
     kTorch},
    {"aten._scaled_dot_product_flash_attention", sdpa_flops<read_attention>, kTorch},
    {"aten._scaled_dot_product_flash_attention_backward", sdpa_backward_flops<read_attention>,
     kTorch},
    {"aten._scaled_dot_product_flash_attention_for_cpu", sdpa_flops<read_attention>,
     kGpuCounterpart},
    {"aten._scaled_dot_product_flash_attention_for_cpu_backward",
     sdpa_backward_flops<read_attention>, kGpuCounterpart},
    {"aten._scaled_dot_product_fused_attention_overrideable", sdpa_flops<read_attention>,
     kGpuCounterpart},
    {"aten._scaled_dot_product_fused_attention_overrideable_backward",
     sdpa_backward_flops<read_attention>, kGpuCounterpart},
    {"aten._scaled_mm", mm_flops, kTorch},
    {"aten._slow_conv2d_forward", conv_self_flops, kTorch},
    {"aten.addbmm", addbmm_flops, kProducts},
    {"aten.addmm", addmm_flops, kTorch},
    {"aten.addmv", addmv_flops, kProducts},
    {"aten.baddbmm", baddbmm_flops, kTorch},
    {"aten.bmm", bmm_flops, kTorch},
    {"aten.conv1d", conv_nd_flops, kLikeTorch},
    {"aten.conv2d", conv_nd_flops, kLikeTorch},
    {"aten.conv3d", conv_nd_flops, kLikeTorch},
    {"aten.conv_transpose1d", conv_transpose_flops, kLikeTorch},
    {"aten.conv_transpose2d", conv_transpose_flops, kLikeTorch},
    {"aten.conv_transpose3d", conv_transpose_flops, kLikeTorch},
    {"aten.convolution", conv_flops, kTorch},
    {"aten.convolution_backward", conv_backward_flops, kTorch},
    {"aten.convolution_overrideable", conv_flops, kTorch},
    {"aten.cudnn_convolution", conv_self_flops, kTorch},
    {"aten.dot", dot_flops, kProducts},
    {"aten.gru", rnn_flops, kLikeTorch},
    {"aten.gru_cell", rnn_cell_flops, kLikeTorch},
    {"aten.linear", linear_flops, kLikeTorch},
    {"aten.lstm", rnn_flops, kLikeTorch},
    {"aten.lstm_cell", rnn_cell_flops, kLikeTorch},
    {"aten.matmul", matmul_op_flops, kLikeTorch},
    {"aten.mkldnn_rnn_layer", rnn_layer_flops, kProducts},
    {"aten.mkldnn_rnn_layer_backward", rnn_layer_backward_flops, kProducts},
    {"aten.mm", mm_flops, kTorch},
    {"aten.mv", mv_flops, kProducts},
    {"aten.rnn_relu", rnn_flops, kLikeTorch},
    {"aten.rnn_relu_cell", rnn_cell_flops, kLikeTorch},
    {"aten.rnn_tanh", rnn_flops, kLikeTorch},
    {"aten.rnn_tanh_cell", rnn_cell_flops, kLikeTorch},
    {"aten.scaled_dot_product_attention", sdpa_flops<read_attention>, kLikeTorch},
    {"aten.vdot", dot_flops, kProducts},
});
static_assert(std::ranges::is_sorted(kRows, {}, &FlopRow::packet));

constexpr auto kUncounted = std::to_array<std::string_view>({
    "aten._trilinear",
    "aten.bilinear",
    "aten.chain_matmul",
    "aten.einsum",
    "aten.inner",
    "aten.linalg_multi_dot",
    "aten.matrix_power",
    "aten.tensordot",
});
static_assert(std::ranges::is_sorted(kUncounted));

}  // namespace

Argument FlopCall::argument(std::string_view name) const {
  return node_.argument(name).value_or(Argument());
}

Type FlopCall::tensor(std::string_view name) const {
  const Argument value = argument(name);
  if (!value.is_node() || !value.node()->type().is_tensor()) return {};
  return value.node()->type();
}

absl::Span<const Dim> FlopCall::sizes(std::string_view name) const {
  const Type type = tensor(name);
  return type && type.has_rank() ? type.sizes() : Sizes();
}

absl::Span<const Dim> FlopCall::result_sizes(size_t i) const {
  Type type = node_.type();
  if (type.is_tuple() || type.is_list()) type = i < type.items().size() ? type.items()[i] : Type();
  return type.is_tensor() && type.has_rank() ? type.sizes() : Sizes();
}

bool FlopCall::flag(std::string_view name) const {
  const Argument value = argument(name);
  return value.is_bool() && value.as_bool();
}

Dim FlopCall::fail(std::string reason) const {
  if (failure_.empty()) failure_ = std::move(reason);
  return 0;
}

absl::Status FlopFormulas::add(Context& context, std::string_view op, const FlopFormula& formula) {
  if (const ops::OpInfo* row = context.ops().find(op)) formulas_[row] = formula;
  for (const ops::OpInfo* row : context.ops().overloads(op)) formulas_[row] = formula;
  if (context.ops().find(op) || !context.ops().overloads(op).empty()) return absl::OkStatus();
  return absl::NotFoundError(
      fmt::format("unknown operator {}; add it with Context::add_operator first", op));
}

const FlopFormula* FlopFormulas::find(const ops::OpInfo& op) const {
  const auto found = formulas_.find(&op);
  return found == formulas_.end() ? nullptr : &found->second;
}

absl::Span<const FlopRow> flop_rows() { return kRows; }

const FlopRow* find_flop_row(const ops::OpInfo& op) {
  const auto* const found = std::ranges::lower_bound(kRows, op.packet(), {}, &FlopRow::packet);
  return found != kRows.end() && found->packet == op.packet() ? &*found : nullptr;
}

bool is_uncounted_product(const ops::OpInfo& op) {
  return std::ranges::binary_search(kUncounted, op.packet());
}

absl::StatusOr<Dim> count_flops(const Node& node, const FlopFormulas* formulas) {
  const ops::OpInfo* const op = node.function().op();
  if (!op) return Dim(0);
  const FlopFormula* const custom = formulas ? formulas->find(*op) : nullptr;
  const FlopRow* const row = custom ? nullptr : find_flop_row(*op);
  if (!custom && !row) return Dim(0);
  const FlopCall call(node);
  const Dim flops = custom ? (*custom)(call) : row->formula(call);
  if (!call.failure().empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{} = {}: {}", node.name(), node.target(), call.failure()));
  }
  if (flops.is_undefined()) {
    return with_context(flops.status(),
                        fmt::format("{} = {}: number of operations", node.name(), node.target()));
  }
  return flops;
}

}  // namespace fx
