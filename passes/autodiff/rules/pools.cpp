// Pooling, reflection and replication padding, and resizing.
#include "fx/ir/graph/context.h"
#include "fx/passes/autodiff/rules_internal.h"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// Calls `op(grad, self, arguments of the call...)`.
Proxy backward(D& d, std::string_view op, std::initializer_list<std::string_view> names) {
  std::vector<Argument> args = {AnyArg(d.grad(0)).value(), AnyArg(d("self")).value()};
  for (const std::string_view name : names) args.push_back(d.argument(name));
  return d.call_function(d.context().function(op), args);
}

AnyArg max_pool_grad(D& d, std::string_view op) {
  std::vector<Argument> args = {AnyArg(d.grad(0)).value(), AnyArg(d("self")).value()};
  for (const std::string_view name : {"kernel_size", "stride", "padding", "dilation", "ceil_mode"})
    args.push_back(d.argument(name));
  args.push_back(AnyArg(d.value(1)).value());
  return d.call_function(d.context().function(op), args);
}
AnyArg with_indices_grad(D& d, std::string_view op) {
  return d.emit(op, {d.grad(0), d("self"), d.value(1)});
}
/// Selects the tangents of the elements that the operator selected.
AnyArg pool_tangent(D& d, int64_t pooled) {
  const Proxy t = d.tangent("self"), indices = d.value(1);
  const auto flat = [&](const Proxy& values) {
    std::vector<IntArg> sizes = d.sizes(values, 0, d.rank(values) - pooled);
    sizes.push_back(-1);
    return d.reshape(values, sizes);
  };
  const Proxy chosen = gather(flat(t), -1, flat(indices));
  return AnyArg::tuple({d.reshape(chosen, d.sizes(indices)), Argument()});
}
AnyArg avg_pool_grad(D& d, std::string_view op) {
  return backward(
      d, op,
      {"kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"});
}
AnyArg max_unpool_grad(D& d, int64_t pooled) {
  const Proxy indices = d("indices"), g = d.grad();
  const auto flat = [&](const Proxy& values) {
    std::vector<IntArg> sizes = d.sizes(values, 0, d.rank(values) - pooled);
    sizes.push_back(-1);
    return d.reshape(values, sizes);
  };
  return d.reshape(gather(flat(g.contiguous()), -1, flat(indices)), d.sizes(indices));
}

/// Calls `op(grad, output_size, input_size, options...)`.
Proxy resize_grad(D& d, std::string_view op, std::initializer_list<std::string_view> options) {
  std::vector<Argument> args = {AnyArg(d.grad()).value(), d.argument("output_size"),
                                IntList(d.sizes(d("self"))).value()};
  for (const std::string_view name : options) args.push_back(d.argument(name));
  return d.call_function(d.context().function(op), args);
}

/// Handles backward operators: the forward operator pools or resizes their gradients.
AnyArg pool_grad_grad(D& d, std::string_view op) {
  return d.emit(op, {d.grad(), argument_of(d, "kernel_size"), argument_of(d, "stride"),
                     argument_of(d, "padding"), argument_of(d, "ceil_mode"),
                     argument_of(d, "count_include_pad"), argument_of(d, "divisor_override")});
}
AnyArg select_grad_grad(D& d, int64_t pooled) {
  const Proxy indices = d("indices");
  const auto flat = [&](const Proxy& values) {
    std::vector<IntArg> sizes = d.sizes(values, 0, d.rank(values) - pooled);
    sizes.push_back(-1);
    return d.reshape(values, sizes);
  };
  return d.reshape(gather(flat(d.grad()), -1, flat(indices)), d.sizes(indices));
}
AnyArg pad_grad_grad(D& d, std::string_view op) {
  return d.emit(op, {d.grad(), argument_of(d, "padding")});
}
AnyArg resize_grad_grad(D& d, std::string_view op,
                        std::initializer_list<std::string_view> options) {
  std::vector<Argument> args = {AnyArg(d.grad()).value(), d.argument("output_size")};
  for (const std::string_view name : options) args.push_back(d.argument(name));
  return d.call_function(d.context().function(op), args);
}
AnyArg adaptive_pool_grad_grad(D& d, std::string_view op, int64_t pooled) {
  const Proxy g = d("grad_output");
  return d.emit(op, {d.grad(), IntList(d.sizes(g, d.rank(g) - pooled))});
}

AnyArg grid_sampler_grads(D& d, std::string_view op) {
  const Proxy both =
      d.emit(op, {d.grad(), d("input"), d("grid"), d.integer("interpolation_mode"),
                  d.integer("padding_mode"), d.flag("align_corners"), d.mask({"input", "grid"})});
  return AnyArg::tuple({both[0], both[1]});
}
AnyArg im2col_grad(D& d) {
  const Proxy x = d("self");
  return d.emit("aten.col2im.default",
                {d.grad(), IntList(d.sizes(x, d.rank(x) - 2)), argument_of(d, "kernel_size"),
                 argument_of(d, "dilation"), argument_of(d, "padding"), argument_of(d, "stride")});
}
AnyArg col2im_grad(D& d) {
  return d.emit("aten.im2col.default",
                {d.grad(), argument_of(d, "kernel_size"), argument_of(d, "dilation"),
                 argument_of(d, "padding"), argument_of(d, "stride")});
}

}  // namespace

absl::Span<const DerivativeRow> pool_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.max_pool2d_with_indices.default",
       kFunction,
       {{"self",
         [](D& d) { return max_pool_grad(d, "aten.max_pool2d_with_indices_backward.default"); }}},
       [](D& d) { return pool_tangent(d, 2); }},
      {"aten.max_pool3d_with_indices.default",
       kFunction,
       {{"self",
         [](D& d) { return max_pool_grad(d, "aten.max_pool3d_with_indices_backward.default"); }}},
       [](D& d) { return pool_tangent(d, 3); }},
      {"aten.adaptive_max_pool2d.default",
       kFunction,
       {{"self",
         [](D& d) { return with_indices_grad(d, "aten.adaptive_max_pool2d_backward.default"); }}},
       [](D& d) { return pool_tangent(d, 2); }},
      {"aten.adaptive_max_pool3d.default",
       kFunction,
       {{"self",
         [](D& d) { return with_indices_grad(d, "aten.adaptive_max_pool3d_backward.default"); }}},
       [](D& d) { return pool_tangent(d, 3); }},
      {"aten.max_unpool2d.default",
       kLinear,
       {{"self", [](D& d) { return max_unpool_grad(d, 2); }}}},
      {"aten.max_unpool3d.default",
       kLinear,
       {{"self", [](D& d) { return max_unpool_grad(d, 3); }}}},
      {"aten.avg_pool2d.default",
       kLinear,
       {{"self", [](D& d) { return avg_pool_grad(d, "aten.avg_pool2d_backward.default"); }}}},
      {"aten.avg_pool3d.default",
       kLinear,
       {{"self", [](D& d) { return avg_pool_grad(d, "aten.avg_pool3d_backward.default"); }}}},
      {"aten._adaptive_avg_pool2d.default",
       kLinear,
       {{"self",
         [](D& d) { return backward(d, "aten._adaptive_avg_pool2d_backward.default", {}); }}}},
      {"aten._adaptive_avg_pool3d.default",
       kLinear,
       {{"self",
         [](D& d) { return backward(d, "aten._adaptive_avg_pool3d_backward.default", {}); }}}},
      {"aten.reflection_pad1d.default",
       kLinear,
       {{"self",
         [](D& d) { return backward(d, "aten.reflection_pad1d_backward.default", {"padding"}); }}}},
      {"aten.reflection_pad2d.default",
       kLinear,
       {{"self",
         [](D& d) { return backward(d, "aten.reflection_pad2d_backward.default", {"padding"}); }}}},
      {"aten.reflection_pad3d.default",
       kLinear,
       {{"self",
         [](D& d) { return backward(d, "aten.reflection_pad3d_backward.default", {"padding"}); }}}},
      {"aten.replication_pad1d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return backward(d, "aten.replication_pad1d_backward.default", {"padding"});
         }}}},
      {"aten.replication_pad2d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return backward(d, "aten.replication_pad2d_backward.default", {"padding"});
         }}}},
      {"aten.replication_pad3d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return backward(d, "aten.replication_pad3d_backward.default", {"padding"});
         }}}},
      {"aten.upsample_nearest1d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten.upsample_nearest1d_backward.default", {"scales"});
         }}}},
      {"aten.upsample_nearest2d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten.upsample_nearest2d_backward.default",
                              {"scales_h", "scales_w"});
         }}}},
      {"aten.upsample_nearest3d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten.upsample_nearest3d_backward.default",
                              {"scales_d", "scales_h", "scales_w"});
         }}}},
      {"aten.upsample_linear1d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten.upsample_linear1d_backward.default",
                              {"align_corners", "scales"});
         }}}},
      {"aten.upsample_bilinear2d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten.upsample_bilinear2d_backward.default",
                              {"align_corners", "scales_h", "scales_w"});
         }}}},
      {"aten.upsample_bicubic2d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten.upsample_bicubic2d_backward.default",
                              {"align_corners", "scales_h", "scales_w"});
         }}}},
      {"aten.upsample_trilinear3d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten.upsample_trilinear3d_backward.default",
                              {"align_corners", "scales_d", "scales_h", "scales_w"});
         }}}},
      {"aten._upsample_nearest_exact1d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten._upsample_nearest_exact1d_backward.default", {"scales"});
         }}}},
      {"aten._upsample_nearest_exact2d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten._upsample_nearest_exact2d_backward.default",
                              {"scales_h", "scales_w"});
         }}}},
      {"aten._upsample_nearest_exact3d.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten._upsample_nearest_exact3d_backward.default",
                              {"scales_d", "scales_h", "scales_w"});
         }}}},
      {"aten.grid_sampler_2d.default",
       kTransposed,
       {{"input, grid",
         [](D& d) { return grid_sampler_grads(d, "aten.grid_sampler_2d_backward.default"); }}}},
      {"aten.grid_sampler_3d.default",
       kTransposed,
       {{"input, grid",
         [](D& d) { return grid_sampler_grads(d, "aten.grid_sampler_3d_backward.default"); }}}},
      {"aten.im2col.default", kLinear, {{"self", im2col_grad}}},
      {"aten.col2im.default", kLinear, {{"self", col2im_grad}}},
      {"aten._upsample_bilinear2d_aa.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten._upsample_bilinear2d_aa_backward.default",
                              {"align_corners", "scales_h", "scales_w"});
         }}}},
      {"aten._upsample_bicubic2d_aa.default",
       kLinear,
       {{"self",
         [](D& d) {
           return resize_grad(d, "aten._upsample_bicubic2d_aa_backward.default",
                              {"align_corners", "scales_h", "scales_w"});
         }}}},
      {"aten.fractional_max_pool2d.default",
       kFunction,
       {{"self",
         [](D& d) {
           return d.emit("aten.fractional_max_pool2d_backward.default",
                         {d.grad(0), d("self"), argument_of(d, "kernel_size"),
                          argument_of(d, "output_size"), d.value(1)});
         }}},
       [](D& d) { return pool_tangent(d, 2); }},
      {"aten.fractional_max_pool3d.default",
       kFunction,
       {{"self",
         [](D& d) {
           return d.emit("aten.fractional_max_pool3d_backward.default",
                         {d.grad(0), d("self"), argument_of(d, "kernel_size"),
                          argument_of(d, "output_size"), d.value(1)});
         }}},
       [](D& d) { return pool_tangent(d, 3); }},
      // Second derivatives
      {"aten.max_pool2d_with_indices_backward.default",
       kTransposed,
       {{"grad_output", [](D& d) { return select_grad_grad(d, 2); }},
        {"self", [](D& d) { return d.zero_grad("self"); }}}},
      {"aten.max_pool3d_with_indices_backward.default",
       kTransposed,
       {{"grad_output", [](D& d) { return select_grad_grad(d, 3); }},
        {"self", [](D& d) { return d.zero_grad("self"); }}}},
      {"aten.adaptive_max_pool2d_backward.default",
       kTransposed,
       {{"grad_output", [](D& d) { return select_grad_grad(d, 2); }},
        {"self", [](D& d) { return d.zero_grad("self"); }}}},
      {"aten.adaptive_max_pool3d_backward.default",
       kTransposed,
       {{"grad_output", [](D& d) { return select_grad_grad(d, 3); }},
        {"self", [](D& d) { return d.zero_grad("self"); }}}},
      {"aten.avg_pool2d_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return pool_grad_grad(d, "aten.avg_pool2d.default"); }}}},
      {"aten.avg_pool3d_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return pool_grad_grad(d, "aten.avg_pool3d.default"); }}}},
      {"aten._adaptive_avg_pool2d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) { return adaptive_pool_grad_grad(d, "aten._adaptive_avg_pool2d.default", 2); }}}},
      {"aten._adaptive_avg_pool3d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) { return adaptive_pool_grad_grad(d, "aten._adaptive_avg_pool3d.default", 3); }}}},
      {"aten.reflection_pad1d_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return pad_grad_grad(d, "aten.reflection_pad1d.default"); }}}},
      {"aten.reflection_pad2d_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return pad_grad_grad(d, "aten.reflection_pad2d.default"); }}}},
      {"aten.reflection_pad3d_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return pad_grad_grad(d, "aten.reflection_pad3d.default"); }}}},
      {"aten.replication_pad1d_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return pad_grad_grad(d, "aten.replication_pad1d.default"); }}}},
      {"aten.replication_pad2d_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return pad_grad_grad(d, "aten.replication_pad2d.default"); }}}},
      {"aten.replication_pad3d_backward.default",
       kLinear,
       {{"grad_output", [](D& d) { return pad_grad_grad(d, "aten.replication_pad3d.default"); }}}},
      {"aten.upsample_nearest1d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) { return resize_grad_grad(d, "aten.upsample_nearest1d.default", {"scales"}); }}}},
      {"aten.upsample_nearest2d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten.upsample_nearest2d.default", {"scales_h", "scales_w"});
         }}}},
      {"aten.upsample_linear1d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten.upsample_linear1d.default",
                                   {"align_corners", "scales"});
         }}}},
      {"aten.upsample_bilinear2d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten.upsample_bilinear2d.default",
                                   {"align_corners", "scales_h", "scales_w"});
         }}}},
      {"aten.upsample_bicubic2d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten.upsample_bicubic2d.default",
                                   {"align_corners", "scales_h", "scales_w"});
         }}}},
      {"aten.upsample_nearest3d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten.upsample_nearest3d.default",
                                   {"scales_d", "scales_h", "scales_w"});
         }}}},
      {"aten.upsample_trilinear3d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten.upsample_trilinear3d.default",
                                   {"align_corners", "scales_d", "scales_h", "scales_w"});
         }}}},
      {"aten._upsample_nearest_exact1d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten._upsample_nearest_exact1d.default", {"scales"});
         }}}},
      {"aten._upsample_nearest_exact2d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten._upsample_nearest_exact2d.default",
                                   {"scales_h", "scales_w"});
         }}}},
      {"aten._upsample_nearest_exact3d_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten._upsample_nearest_exact3d.default",
                                   {"scales_d", "scales_h", "scales_w"});
         }}}},
      {"aten._upsample_bilinear2d_aa_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten._upsample_bilinear2d_aa.default",
                                   {"align_corners", "scales_h", "scales_w"});
         }}}},
      {"aten._upsample_bicubic2d_aa_backward.default",
       kLinear,
       {{"grad_output",
         [](D& d) {
           return resize_grad_grad(d, "aten._upsample_bicubic2d_aa.default",
                                   {"align_corners", "scales_h", "scales_w"});
         }}}},
      {"aten.fractional_max_pool2d_backward.default",
       kTransposed,
       {{"grad_output", [](D& d) { return select_grad_grad(d, 2); }},
        {"self", [](D& d) { return d.zero_grad("self"); }}}},
      {"aten.fractional_max_pool3d_backward.default",
       kTransposed,
       {{"grad_output", [](D& d) { return select_grad_grad(d, 3); }},
        {"self", [](D& d) { return d.zero_grad("self"); }}}},
      {"aten.affine_grid_generator.default",
       kLinear,
       {{"theta",
         [](D& d) {
           return d.emit("aten.affine_grid_generator_backward.default",
                         {d.grad(), argument_of(d, "size"), d.flag("align_corners")});
         }}}},
  };
  return kRows;
}

}  // namespace fx
