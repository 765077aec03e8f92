#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "fx/passes/aten/composite_internal.h"
#include "fx/passes/aten/python_forms_internal.h"

#include "fmt/format.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace fx::aten {
namespace {

/// A mode of F.interpolate on inputs of some rank.
struct Mode {
  std::string_view mode;
  int64_t rank;
  std::string_view op;
  bool aligns = false;  ///< takes align_corners
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

absl::StatusOr<Argument> interpolate(const Values& values, AddCall add) {
  const Argument& input = values.at("input");
  const Type type = input.is_node() ? input.as_node()->type() : Type();
  if (!type.is_tensor() || type.rank() < 3 || type.rank() > 5)
    return absl::InvalidArgumentError("interpolate takes a tensor of rank 3, 4 or 5, and its type");
  const auto count = static_cast<size_t>(type.rank()) - 2;
  /// A number for each of the last dimensions; none for None.
  const auto each = [&](std::string_view name) -> absl::StatusOr<std::vector<Argument>> {
    const Argument& value = values.at(name);
    if (value.is_none()) return std::vector<Argument>();
    if (!value.is_list() && !value.is_tuple()) return std::vector<Argument>(count, value);
    std::vector<Argument> items;
    items.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i) items.push_back(value[i]);
    if (items.size() == count) return items;
    return absl::InvalidArgumentError(
        fmt::format("{} has {} numbers for {} dimensions", name, items.size(), count));
  };
  FX_ASSIGN_OR_RETURN(std::vector<Argument> size, each("size"));
  FX_ASSIGN_OR_RETURN(std::vector<Argument> scale, each("scale_factor"));
  if (size.empty() == scale.empty())
    return absl::InvalidArgumentError("interpolate takes either size or scale_factor");
  const Argument& mode_name = values.at("mode");
  if (!mode_name.is_string()) return absl::InvalidArgumentError("mode is a string");
  std::string_view mode = mode_name.as_string();
  const bool is_area = mode == "area";
  const Argument& recompute = values.at("recompute_scale_factor");
  if (!scale.empty() && (is_area || recompute == Argument(true))) {
    for (size_t i = 0; i < count; ++i) {
      const Dim dim = type.sizes()[i + 2];
      const bool is_number = scale[i].is_float() || scale[i].is_int();
      if (!dim.is_int() || !is_number)
        return absl::UnimplementedError("a scale_factor of a size that is not known: give size");
      const double factor =
          scale[i].is_int() ? static_cast<double>(scale[i].as_int()) : scale[i].as_float();
      const double scaled = std::floor(static_cast<double>(dim.value()) * factor);
      if (!(scaled >= 0 && scaled < 0x1p53))
        return absl::InvalidArgumentError("a scale_factor gives no size");
      size.emplace_back(static_cast<int64_t>(scaled));
    }
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
  const auto list = [](const std::vector<Argument>& items) {
    return items.empty() ? Argument() : Argument::list(items);
  };
  const Argument& align = values.at("align_corners");
  for (const Mode& row : kModes) {
    if (row.mode != mode || row.rank != type.rank()) continue;
    std::string op = fmt::format("aten.{}.vec", row.op);
    if (values.at("antialias") == Argument(true)) {
      if (mode != "bilinear" && mode != "bicubic")
        return absl::InvalidArgumentError("antialias is of bilinear and bicubic");
      op = fmt::format("aten._{}_aa.vec", row.op);
    }
    std::vector<Argument> args{input, list(size)};
    if (row.aligns) args.push_back(align.is_none() ? Argument(false) : align);
    if (!row.aligns && !align.is_none())
      return absl::InvalidArgumentError(fmt::format("align_corners is not of the mode {}", mode));
    args.push_back(list(scale));
    FX_ASSIGN_OR_RETURN(Node* const made, add(op, args, {}));
    return Argument(made);
  }
  return absl::InvalidArgumentError(
      fmt::format("interpolate has no mode {} for a tensor of rank {}", mode, type.rank()));
}

absl::StatusOr<Argument> normalize(const Values& values, AddCall add) {
  const Argument& input = values.at("input");
  const Argument& dim = values.at("dim");
  if (!values.at("out").is_none()) return absl::UnimplementedError("normalize with out");
  const bool is_list = dim.is_list() || dim.is_tuple() || dim.is_none();
  FX_ASSIGN_OR_RETURN(
      Node* const norm,
      add("aten.linalg_vector_norm.default",
          {input, values.at("p"), is_list ? dim : Argument::list({dim}), true}, {}));
  FX_ASSIGN_OR_RETURN(Node* const bounded,
                      add("aten.clamp_min.default", {norm, values.at("eps")}, {}));
  FX_ASSIGN_OR_RETURN(Node* const expanded, add("aten.expand_as.default", {bounded, input}, {}));
  FX_ASSIGN_OR_RETURN(Node* const quotient, add("aten.div.Tensor", {input, expanded}, {}));
  return Argument(quotient);
}

struct Composite {
  std::string_view function;
  std::string_view signature;  ///< as python_forms_internal.h has them
  absl::StatusOr<Argument> (*lower)(const Values& values, AddCall add);
};

constexpr std::string_view kInterpolate =
    "input, size=None, scale_factor=None, mode=\"nearest\", align_corners=None, "
    "recompute_scale_factor=None, antialias=False";

constexpr Composite kComposites[] = {
    {"torch.nn.functional.interpolate", kInterpolate, interpolate},
    {"torch.nn.functional.normalize", "input, p=2.0, dim=1, eps=1e-12, out=None", normalize},
};

}  // namespace

absl::StatusOr<std::optional<Argument>> lower_composite(Context& context, std::string_view function,
                                                        absl::Span<const Argument> args,
                                                        absl::Span<const Kwarg> kwargs,
                                                        AddCall add) {
  for (const Composite& row : kComposites) {
    if (row.function != function) continue;
    FX_ASSIGN_OR_RETURN(const Values values,
                        bind_signature(context, function, row.signature, args, kwargs));
    FX_ASSIGN_OR_RETURN(Argument result, row.lower(values, add));
    return result;
  }
  return std::nullopt;
}

}  // namespace fx::aten
