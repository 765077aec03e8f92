// Decompositions of operators that create tensors.
#include "fx/ir/graph/context.h"
#include "fx/passes/decompose/families_internal.h"

namespace fx {
namespace {

/// Returns the device and dtype of the result, as keyword arguments.
std::vector<Kwarg> result_options(Decomposer& d, bool with_format = false) {
  std::vector<Kwarg> options;
  options.emplace_back("dtype", Argument(d.result().dtype()));
  for (const std::string_view name : {"layout", "device", "pin_memory", "memory_format"}) {
    const Argument value = d.argument(name);
    if (!value.is_none() && (with_format || name != "memory_format"))
      options.emplace_back(name, value);
  }
  return options;
}
Proxy call_factory(Decomposer& d, std::string_view op, std::initializer_list<Argument> args,
                   bool with_format = false) {
  return d.call_function(d.context().function(op), std::vector<Argument>(args),
                         result_options(d, with_format));
}

AnyArg filled(Decomposer& d, const Argument& value) {
  return call_factory(d, "aten.full.default", {d.argument("size"), value});
}
AnyArg zeros(Decomposer& d) { return filled(d, 0); }
AnyArg ones(Decomposer& d) { return filled(d, 1); }

AnyArg filled_like(Decomposer& d, const Argument& value) {
  const Proxy self = d.tensor("self");
  if (self.node() == nullptr) return self;  // its type is unknown; the call is kept
  return call_factory(d, "aten.full_like.default", {Argument(self.node()), value}, true);
}
AnyArg zeros_like(Decomposer& d) { return filled_like(d, 0); }
AnyArg ones_like(Decomposer& d) { return filled_like(d, 1); }
AnyArg fill(Decomposer& d) {
  return d.emit("aten.full_like.default", {d.tensor("self"), AnyArg(d.scalar("value"))});
}

/// Creates a tensor on the operand's device unless the call has a device argument.
AnyArg new_filled(Decomposer& d, const ScalarArg& value) {
  const Proxy self = d.tensor("self");
  const Argument device = d.argument("device");
  std::vector<Kwarg> options = result_options(d);
  if (device.is_none()) options.emplace_back("device", Argument(d.type(self).device()));
  const Argument args[] = {d.argument("size"), value.value()};
  return d.call_function(d.context().function("aten.full.default"), args, options);
}
AnyArg new_zeros(Decomposer& d) { return new_filled(d, 0); }
AnyArg new_ones(Decomposer& d) { return new_filled(d, 1); }
AnyArg new_full(Decomposer& d) { return new_filled(d, d.scalar("fill_value")); }

AnyArg arange(Decomposer& d) {
  const Argument start = d.argument("start");
  return call_factory(d, "aten.arange.start_step",
                      {start.is_none() ? Argument(0) : start, d.argument("end"), Argument(1)});
}
AnyArg eye(Decomposer& d) {
  const int64_t rows = d.integer("n");
  const int64_t columns = d.is_none("m") ? rows : d.integer("m");
  const Type type = d.result();
  const auto iota = [&](int64_t count) {
    return fx::arange(d, 0, count, 1, DType::kInt64, {}, type.device());
  };
  const Proxy row = unsqueeze(iota(rows), -1);
  return row == iota(columns);
}

/// Returns the part below or above the diagonal, with zeros elsewhere.
AnyArg triangle(Decomposer& d, bool lower) {
  const Proxy x = d.tensor("self");
  if (d.rank(x) < 2) return d.reject("the input must have at least two dimensions");
  const Proxy rows = unsqueeze(d.iota(d.size(x, -2), x), -1);
  const Proxy columns = d.iota(d.size(x, -1), x);
  const Proxy distance = columns - rows;
  const int64_t diagonal = d.integer("diagonal");
  return d.where(lower ? distance <= diagonal : distance >= diagonal, x, 0);
}
AnyArg tril(Decomposer& d) { return triangle(d, true); }
AnyArg triu(Decomposer& d) { return triangle(d, false); }

}  // namespace

absl::Span<const DecompositionRow> factory_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.arange.default", arange, kCore},
      {"aten.arange.start", arange, kCore},
      {"aten.eye.default", eye, kCore},
      {"aten.eye.m", eye, kCore},
      {"aten.fill.Scalar", fill, kCore},
      {"aten.new_full.default", new_full, kCore},
      {"aten.new_ones.default", new_ones, kCore},
      {"aten.new_zeros.default", new_zeros, kCore},
      {"aten.ones.default", ones, kCore},
      {"aten.ones_like.default", ones_like, kCore},
      {"aten.tril.default", tril, kCore},
      {"aten.triu.default", triu, kCore},
      {"aten.zero.default", zeros_like, kCore},
      {"aten.zeros.default", zeros, kCore},
      {"aten.zeros_like.default", zeros_like, kCore},
  };
  return kRows;
}

}  // namespace fx
