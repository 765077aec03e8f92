#include "fx/ir/calls/python_forms.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/aten/composite_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace fx::aten {
namespace {

/// A mode of F.interpolate for inputs of one rank.
struct Mode {
  std::string_view mode;
  int64_t rank;
  std::string_view op;
  bool has_align_corners = false;
};

constexpr Mode kModes[] = {
    {"nearest", 3, "upsample_nearest1d"},
    {"nearest", 4, "upsample_nearest2d"},
    {"nearest", 5, "upsample_nearest3d"},
    {"nearest-exact", 3, "_upsample_nearest_exact1d"},
    {"nearest-exact", 4, "_upsample_nearest_exact2d"},
    {"nearest-exact", 5, "_upsample_nearest_exact3d"},
    {"linear", 3, "upsample_linear1d", true},
    {"bilinear", 4, "upsample_bilinear2d", true},
    {"trilinear", 5, "upsample_trilinear3d", true},
    {"bicubic", 4, "upsample_bicubic2d", true},
};

/// Returns a number for each of `count` dimensions; an empty list for None.
absl::StatusOr<std::vector<Argument>> numbers_of(const ops::Values& values, std::string_view name,
                                                 size_t count, AddCall add) {
  const Argument& value = values.at(name);
  if (value.is_none()) return std::vector<Argument>();
  Calls call(add);
  const std::optional<std::vector<Argument>> items = call.items(value);
  FX_RETURN_IF_ERROR(call.result({}).status());
  if (!items) return std::vector<Argument>(count, value);
  if (items->size() == count) return *items;
  return absl::InvalidArgumentError(fmt::format(
      "{} has {} for {}", name, pluralize(items->size(), "number"), pluralize(count, "dimension")));
}

/// Returns the sizes of the last dimensions of `type`, multiplied by their factors and rounded
/// down.
absl::StatusOr<std::vector<Argument>> scaled_sizes(Type type,
                                                   const std::vector<Argument>& factors) {
  std::vector<Argument> sizes;
  for (size_t i = 0; i < factors.size(); ++i) {
    const Dim dim = type.sizes()[i + 2];
    const Argument& value = factors[i];
    if (!dim.is_int() || !(value.is_float() || value.is_int()))
      return absl::UnimplementedError(
          "scale_factor must be constant and requires known sizes; pass size instead");
    const double factor = value.is_int() ? static_cast<double>(value.as_int()) : value.as_float();
    const double scaled = std::floor(static_cast<double>(dim.value()) * factor);
    if (!(scaled >= 0 && scaled < 0x1p53))
      return absl::InvalidArgumentError(
          fmt::format("scale_factor {} of size {} is out of range", factor, dim.value()));
    sizes.emplace_back(static_cast<int64_t>(scaled));
  }
  return sizes;
}

/// Adds a call to the operator of a row of kModes.
absl::StatusOr<Argument> resample(const ops::Values& values, AddCall add, const Mode& row,
                                  const std::vector<Argument>& size,
                                  const std::vector<Argument>& scale) {
  const auto list = [](const std::vector<Argument>& items) {
    return items.empty() ? Argument() : Argument::list(items);
  };
  const Argument& align = values.at("align_corners");
  std::string op = fmt::format("aten.{}.vec", row.op);
  FX_ASSIGN_OR_RETURN(const bool antialias, ops::truth_of(values, "antialias"));
  if (antialias) {
    if (row.mode != "bilinear" && row.mode != "bicubic")
      return absl::InvalidArgumentError(
          "antialias is restricted to the modes bilinear and bicubic");
    op = fmt::format("aten._{}_aa.vec", row.op);
  }
  std::vector<Argument> args{values.at("input"), list(size)};
  if (row.has_align_corners) args.push_back(align.is_none() ? Argument(false) : align);
  if (!row.has_align_corners && !align.is_none())
    return absl::InvalidArgumentError(
        fmt::format("align_corners can only be set with interpolating modes, not {}", row.mode));
  args.push_back(list(scale));
  FX_ASSIGN_OR_RETURN(Node* const created, add(op, args, {}));
  return Argument(created);
}

absl::StatusOr<Argument> interpolate(const ops::Values& values, AddCall add) {
  const Argument& input = values.at("input");
  const Type type = input.is_node() ? input.as_node()->type() : Type();
  if (!type.is_tensor() || type.rank() < 3 || type.rank() > 5)
    return absl::InvalidArgumentError("interpolate requires a tensor of known rank 3, 4 or 5");
  const auto count = static_cast<size_t>(type.rank()) - 2;
  FX_ASSIGN_OR_RETURN(std::vector<Argument> size, numbers_of(values, "size", count, add));
  FX_ASSIGN_OR_RETURN(std::vector<Argument> scale, numbers_of(values, "scale_factor", count, add));
  if (size.empty() == scale.empty())
    return absl::InvalidArgumentError("interpolate requires either size or scale_factor");
  const Argument& mode_name = values.at("mode");
  if (!mode_name.is_string()) return absl::InvalidArgumentError("mode must be a string");
  std::string_view mode = mode_name.as_string();
  const bool is_area = mode == "area";
  FX_ASSIGN_OR_RETURN(const bool recompute, ops::truth_of(values, "recompute_scale_factor"));
  if (!scale.empty() && (is_area || recompute)) {
    FX_ASSIGN_OR_RETURN(size, scaled_sizes(type, scale));
    scale.clear();
  }
  if (is_area) {
    FX_ASSIGN_OR_RETURN(Node* const pooled, add(count == 1   ? "aten.adaptive_avg_pool1d.default"
                                                : count == 2 ? "aten.adaptive_avg_pool2d.default"
                                                             : "aten.adaptive_avg_pool3d.default",
                                                {input, Argument::list(size)}, {}));
    return Argument(pooled);
  }
  for (Argument& factor : scale)
    if (factor.is_int()) factor = Argument(static_cast<double>(factor.as_int()));
  for (const Mode& row : kModes)
    if (row.mode == mode && row.rank == type.rank()) return resample(values, add, row, size, scale);
  return absl::InvalidArgumentError(fmt::format(
      "interpolate does not support mode {} for a tensor of rank {}", mode, type.rank()));
}

absl::StatusOr<Argument> normalize(const ops::Values& values, AddCall add) {
  const Argument& input = values.at("input");
  const Argument &dim = values.at("dim"), &out = values.at("out");
  const bool is_list = dim.is_list() || dim.is_tuple() || dim.is_none();
  FX_ASSIGN_OR_RETURN(
      Node* const norm,
      add("aten.linalg_vector_norm.default",
          {input, values.at("p"), is_list ? dim : Argument::list({dim}), true}, {}));
  FX_ASSIGN_OR_RETURN(Node* const bounded,
                      add("aten.clamp_min.default", {norm, values.at("eps")}, {}));
  FX_ASSIGN_OR_RETURN(Node* const expanded, add("aten.expand_as.default", {bounded, input}, {}));
  FX_ASSIGN_OR_RETURN(Node* const quotient,
                      out.is_none() ? add("aten.div.Tensor", {input, expanded}, {})
                                    : add("aten.div.out", {input, expanded}, {Kwarg("out", out)}));
  return Argument(quotient);
}

absl::StatusOr<Argument> softmin(const ops::Values& values, AddCall add) {
  FX_ASSIGN_OR_RETURN(Node* const negative, add("aten.neg.default", {values.at("input")}, {}));
  Argument dim = values.at("dim");
  if (dim.is_none()) {
    const Node* const input = values.at("input").node();
    if (!input || !input->type().is_tensor() || !input->type().has_rank())
      return absl::InvalidArgumentError("softmin requires dim if the rank of the input is unknown");
    dim = Argument(ops::default_softmax_dim(input->type().rank()));
  }
  FX_ASSIGN_OR_RETURN(Node* const created,
                      add("aten.softmax.int", {negative, dim, values.at("dtype")}, {}));
  return Argument(created);
}

absl::StatusOr<Argument> softsign(const ops::Values& values, AddCall add) {
  FX_ASSIGN_OR_RETURN(Node* const magnitude, add("aten.abs.default", {values.at("input")}, {}));
  FX_ASSIGN_OR_RETURN(Node* const divisor, add("aten.add.Tensor", {magnitude, 1}, {}));
  FX_ASSIGN_OR_RETURN(Node* const created,
                      add("aten.div.Tensor", {values.at("input"), divisor}, {}));
  return Argument(created);
}

absl::StatusOr<Argument> tanhshrink(const ops::Values& values, AddCall add) {
  FX_ASSIGN_OR_RETURN(Node* const tanh, add("aten.tanh.default", {values.at("input")}, {}));
  FX_ASSIGN_OR_RETURN(Node* const created, add("aten.sub.Tensor", {values.at("input"), tanh}, {}));
  return Argument(created);
}

/// Lowers torch.norm: norms of vectors, and norms of matrices that have a name.
absl::StatusOr<Argument> norm(const ops::Values& values, AddCall add) {
  const Argument &input = values.at("input"), &p = values.at("p");
  if (values.contains("out") && !values.at("out").is_none())
    return absl::UnimplementedError("norm with out is not supported");
  Calls call(add);
  Argument dim = values.at("dim");
  if (!dim.is_list() && !dim.is_tuple() && !dim.is_none()) dim = Argument::list({dim});
  const bool is_frobenius = p.is_string() && p.as_string() == "fro";
  if (!p.is_string() || (is_frobenius && (dim.is_none() || dim.size() <= 2))) {
    return call.result(
        call("aten.linalg_vector_norm.default",
             {input, p.is_none() || is_frobenius ? Argument(2.0) : p, dim, values.at("keepdim")},
             {Kwarg("dtype", values.at("dtype"))}));
  }
  if (dim.is_none()) {
    std::vector<int64_t> dims(static_cast<size_t>(std::max<int64_t>(call.rank(input), 0)));
    std::iota(dims.begin(), dims.end(), 0);
    dim = Argument::ints(dims);
  }
  return call.result(call("aten.linalg_matrix_norm.str_ord", {input, p, dim, values.at("keepdim")},
                          {Kwarg("dtype", values.at("dtype"))}));
}

/// Lowers torch.tensordot. If `dims` is a number n, it selects the last n dimensions of a and the
/// first n of b.
absl::StatusOr<Argument> tensordot(const ops::Values& values, AddCall add) {
  if (!values.at("out").is_none())
    return absl::UnimplementedError("tensordot with out is not supported");
  const Argument& a = values.at("a");
  const Argument& dims = values.at("dims");
  Argument a_dims, b_dims;
  if (dims.is_int()) {
    const Type type = a.is_node() ? a.as_node()->type() : Type();
    if (!type.is_tensor() || !type.has_rank())
      return absl::InvalidArgumentError("tensordot requires a tensor of known rank");
    const int64_t rank = type.rank();
    if (dims.as_int() < 0 || dims.as_int() > rank)
      return absl::InvalidArgumentError(
          fmt::format("dims={} is out of range for a tensor of rank {}", dims.as_int(), rank));
    std::vector<Argument> last, first;
    for (int64_t i = 0; i < dims.as_int(); ++i) {
      last.emplace_back(rank - dims.as_int() + i);
      first.emplace_back(i);
    }
    a_dims = Argument::list(last), b_dims = Argument::list(first);
  } else if ((dims.is_list() || dims.is_tuple()) && dims.size() == 2) {
    const auto list = [](const Argument& item) {
      return item.is_int() ? Argument::list({item}) : item;
    };
    a_dims = list(dims[0]), b_dims = list(dims[1]);
  } else {
    return absl::UnimplementedError("dims of tensordot must be an integer or two lists");
  }
  FX_ASSIGN_OR_RETURN(Node* const created,
                      add("aten.tensordot.default", {a, values.at("b"), a_dims, b_dims}, {}));
  return Argument(created);
}

/// Renormalizes the selected rows that exceed max_norm in place, without autograd.
void renormalize_rows(Calls& call, const ops::Values& values, const Argument& input) {
  if (values.at("max_norm").is_none()) return;
  call("aten.embedding_renorm_.default", {call("aten.detach.default", {values.at("weight")}), input,
                                          values.at("max_norm"), values.at("norm_type")});
}

absl::StatusOr<Argument> embedding(const ops::Values& values, AddCall add) {
  Calls call(add);
  const Argument &input = values.at("input"), &weight = values.at("weight");
  Argument padding = values.at("padding_idx");
  if (padding.is_none()) {
    padding = -1;
  } else if (padding.is_int() && padding.as_int() < 0) {  // counted from the end
    const Argument rows = call.size(weight, 0);
    padding = rows.is_int() ? Argument(rows.as_int() + padding.as_int())
                            : call("operator.add", {rows, padding});
  }
  renormalize_rows(call, values, input);
  return call.result(
      call("aten.embedding.default",
           {weight, input, padding, values.at("scale_grad_by_freq"), values.at("sparse")}));
}

absl::StatusOr<Argument> embedding_bag(const ops::Values& values, AddCall add) {
  const Argument& mode = values.at("mode");
  int64_t number = 0;
  for (const std::string_view word : {"sum", "mean", "max"}) {
    if (mode.is_string() && mode.as_string() == word) break;
    ++number;
  }
  if (number == 3)
    return absl::InvalidArgumentError(
        fmt::format("mode must be sum, mean or max, not {}", print(mode)));
  Calls call(add);
  Argument input = values.at("input"), offsets = values.at("offsets");
  Argument weights = values.at("per_sample_weights"), ends = values.at("include_last_offset");
  if (offsets.is_none()) {  // each row is a bag
    if (call.ok() && call.rank(input) != 2)
      call.fail(
          absl::InvalidArgumentError("embedding_bag without offsets requires an input of rank 2"));
    const Argument rows = call.size(input, 0), columns = call.size(input, 1);
    if (!call.ok()) return call.result({});
    offsets = call(
        "aten.arange.start_step",
        {0,
         rows.is_int() && columns.is_int() ? Argument(rows.as_int() * columns.as_int())
                                           : call("operator.mul", {rows, columns}),
         columns},
        {Kwarg("dtype", call.dtype(input)), Kwarg("device", input.as_node()->type().device())});
    input = call("aten.reshape.default", {input, Argument::list({-1})});
    if (!weights.is_none()) weights = call("aten.reshape.default", {weights, Argument::list({-1})});
    ends = false;
  }
  renormalize_rows(call, values, input);
  const Argument bags =
      call("aten.embedding_bag.padding_idx",
           {values.at("weight"), input, offsets, values.at("scale_grad_by_freq"), number,
            values.at("sparse"), weights, ends, values.at("padding_idx")});
  return call.result(call("operator.getitem", {bags, 0}));
}

absl::StatusOr<Argument> gumbel_softmax(const ops::Values& values, AddCall add) {
  FX_ASSIGN_OR_RETURN(const bool is_hard, ops::truth_of(values, "hard"));
  Calls call(add);
  const Argument &logits = values.at("logits"), &dim = values.at("dim");
  const Kwarg contiguous("memory_format", MemoryFormat::kContiguous);
  const Argument empty = call("aten.empty_like.default", {logits}, {contiguous});
  const Argument drawn = call("aten.exponential_.default", {empty});
  const Argument noise = call("aten.neg.default", {call("aten.log.default", {drawn})});
  const Argument perturbed = call("aten.add.Tensor", {logits, noise});
  const Argument scaled = call("aten.div.Tensor", {perturbed, values.at("tau")});
  const Argument soft = call("aten.softmax.int", {scaled, dim});
  if (!is_hard) return call.result(soft);
  const Argument best = call("aten.max.dim", {soft, dim, true});
  const Argument zeros = call("aten.zeros_like.default", {logits}, {contiguous});
  const Argument index = call("operator.getitem", {best, 1});
  const Argument hard = call("aten.scatter_.value", {zeros, dim, index, 1.0});
  const Argument difference = call("aten.sub.Tensor", {hard, call("aten.detach.default", {soft})});
  return call.result(call("aten.add.Tensor", {difference, soft}));
}

/// Drops channels. Adds a batch dimension for the call if there is none.
template <int dims>
absl::StatusOr<Argument> channel_dropout(const ops::Values& values, AddCall add) {
  FX_ASSIGN_OR_RETURN(const bool is_inplace, ops::truth_of(values, "inplace"));
  Calls call(add);
  const Argument &input = values.at("input"), &training = values.at("training");
  const std::string_view suffix = is_inplace ? "_" : "";
  const auto drop = [&](const Argument& x) {
    return call(fmt::format("aten.feature_dropout{}.default", suffix),
                {x, values.at("p"), training});
  };
  if (training == Argument(false) || call.rank(input) == dims + 2) return call.result(drop(input));
  const Argument batch = call(fmt::format("aten.unsqueeze{}.default", suffix), {input, 0});
  return call.result(call(fmt::format("aten.squeeze{}.dim", suffix), {drop(batch), 0}));
}

constexpr std::string_view kDropout = "input, p=0.5, training=True, inplace=False";
constexpr std::string_view kInterpolate =
    "input, size=None, scale_factor=None, mode=\"nearest\", align_corners=None, "
    "recompute_scale_factor=None, antialias=False";

constexpr Composite kFunctionComposites[] = {
    {"torch.nn.functional.dropout1d", kDropout, channel_dropout<1>},
    {"torch.nn.functional.dropout3d", kDropout, channel_dropout<3>},
    {"torch.nn.functional.interpolate", kInterpolate, interpolate},
    {"torch.nn.functional.normalize", "input, p=2.0, dim=1, eps=1e-12, out=None", normalize},
    {"torch.nn.functional.softmin", "input, dim=None, _stacklevel=3, dtype=None", softmin},
    {"torch.nn.functional.softsign", "input", softsign},
    {"torch.nn.functional.tanhshrink", "input", tanhshrink},
    {"torch.functional.norm", "input, p=\"fro\", dim=None, keepdim=False, out=None, dtype=None",
     norm},
    {"torch.Tensor.norm", "input, p=\"fro\", dim=None, keepdim=False, dtype=None", norm},
    {"torch.functional.tensordot", "a, b, dims=2, out=None", tensordot},
    {"torch.nn.functional.embedding",
     "input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, "
     "sparse=False",
     embedding},
    {"torch.nn.functional.embedding_bag",
     "input, weight, offsets=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, "
     "mode=\"mean\", sparse=False, per_sample_weights=None, include_last_offset=False, "
     "padding_idx=None",
     embedding_bag},
    {"torch.nn.functional.gumbel_softmax", "logits, tau=1, hard=False, eps=1e-10, dim=-1",
     gumbel_softmax},
};

const Composite* find(std::string_view function) {
  for (const absl::Span<const Composite> rows :
       {absl::MakeConstSpan(kFunctionComposites), pool_composites(), loss_composites(),
        set_composites()})
    for (const Composite& row : rows)
      if (row.function == function) return &row;
  return nullptr;
}

}  // namespace

Argument Calls::operator()(std::string_view op, std::initializer_list<Argument> args,
                           std::initializer_list<Kwarg> kwargs) {
  if (!ok()) return {};
  absl::StatusOr<Node*> created = add_(op, args, kwargs);
  if (created.ok()) return Argument(*created);
  fail(created.status());
  return {};
}

int64_t Calls::rank(const Argument& tensor) {
  const Type type = tensor.is_node() ? tensor.as_node()->type() : Type();
  if (type.is_tensor() && type.has_rank()) return type.rank();
  fail(absl::UnimplementedError("the rank of the input must be known: propagate types"));
  return 0;
}

DType Calls::dtype(const Argument& tensor) {
  const Type type = tensor.is_node() ? tensor.as_node()->type() : Type();
  if (type.is_tensor() && type.dtype() != DType::kUndefined) return type.dtype();
  fail(absl::UnimplementedError("the dtype of the input must be known: propagate types"));
  return DType::kUndefined;
}

Argument Calls::size(const Argument& tensor, int64_t dim) {
  const int64_t count = rank(tensor);
  if (!ok()) return {};
  const int64_t at = dim < 0 ? dim + count : dim;
  if (at < 0 || at >= count) {
    fail(absl::InvalidArgumentError(
        fmt::format("the dimension is out of range for a tensor of rank {}", count)));
    return {};
  }
  const Dim size = tensor.as_node()->type().sizes()[static_cast<size_t>(at)];
  return size.is_int() ? Argument(size.value()) : (*this)("aten.sym_size.int", {tensor, at});
}

std::optional<std::vector<Argument>> Calls::items(const Argument& list) {
  std::vector<Argument> items;
  if (list.is_list() || list.is_tuple()) {
    for (size_t i = 0; i < list.size(); ++i) items.push_back(list[i]);
    return items;
  }
  const Node* const node = list.node();
  if (node == nullptr) return std::nullopt;
  const Type type = node->type();
  if (!type)
    fail(absl::UnimplementedError(
        fmt::format("{} may be a number or a list: propagate types", print(list))));
  if (!type.is_list() && !type.is_tuple()) return std::nullopt;
  for (size_t i = 0; i < type.items().size(); ++i) {
    const Type item = type.items()[i];
    items.push_back(item.kind() == TypeKind::kInt && item.is_constant()
                        ? Argument(item.int_value())
                        : (*this)("operator.getitem", {list, static_cast<int64_t>(i)}));
  }
  return items;
}

void Calls::fail(absl::Status status) {
  if (ok()) status_ = std::move(status);
}

Argument Calls::reduced(const Argument& loss, const Argument& reduction) {
  const std::string_view word = reduction.is_string() ? reduction.as_string() : "";
  if (word == "none") return loss;
  if (word == "mean") return (*this)("aten.mean.default", {loss});
  if (word == "sum") return (*this)("aten.sum.default", {loss});
  fail(absl::InvalidArgumentError(
      fmt::format("reduction must be none, mean or sum, not {}", print(reduction))));
  return {};
}

absl::StatusOr<Argument> Calls::result(Argument value) const {
  FX_RETURN_IF_ERROR(status_);
  return value;
}

absl::StatusOr<std::optional<Argument>> lower_composite(Context& context, std::string_view function,
                                                        absl::Span<const Argument> args,
                                                        absl::Span<const Kwarg> kwargs,
                                                        AddCall add) {
  const Composite* const row = find(function);
  if (row == nullptr) return std::nullopt;
  FX_ASSIGN_OR_RETURN(const ops::Values values,
                      ops::bind_signature(context, function, row->signature, args, kwargs));
  FX_RETURN_IF_ERROR(ops::check_python_call(function, values));
  FX_ASSIGN_OR_RETURN(Argument result, row->lower(values, add));
  return result;
}

}  // namespace fx::aten
