// Random values and types for tests: see random_graph.h.
#include "fx/ir/types/dtype.h"
#include "tests/testing/random_graph.h"

#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

namespace fx::testing {
namespace {

constexpr std::string_view kFunctions[] = {"aten.add.Tensor",     "aten.relu.default",
                                           "aten.conv2d.default", "operator.getitem",
                                           "operator.add",        "builtins.getattr",
                                           "torch.relu",          "torch.nn.functional.gelu",
                                           "math.floor",          "higher_order.cond",
                                           "torch._C._nn.linear", "my_library.f",
                                           "mylib.op.out",        "plain"};

}  // namespace

std::string_view random_function_name(Random& random) { return random.pick(kFunctions); }

std::string random_word(Random& random) {
  constexpr std::string_view kWords[] = {"alpha", "dim",     "size_2", "x",
                                         "None",  "keepdim", "seq",    "f"};
  return std::string(random.pick(kWords));
}

std::string random_string(Random& random, bool invalid_utf8) {
  constexpr std::string_view kPieces[] = {
      "a",      "Z_9",    " ", "\"", "'",    "\\", "\n",     "\t", "\x01",      "\x7f",
      "\u00e9", "\u4e16", "#", "%x", "\r\n", "/*", "\u200b", "{}", "\U0001f600"};
  std::string text;
  for (size_t i = random.below(6); i > 0; --i) {
    if (invalid_utf8 && random.chance(20))
      text += static_cast<char>(random.below(256));
    else
      text += random.pick(kPieces);
  }
  return text;
}

double random_float(Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kSpecial[] = {
      0.0,    -0.0,  1.0, -1.5,      1e-05,     1e16, 123456789012345680.0,
      5e-324, 1e300, 0.1, kInfinity, -kInfinity};
  if (random.chance(5)) return std::numeric_limits<double>::quiet_NaN();
  if (random.chance(70)) return random.pick(kSpecial);
  const double any = std::bit_cast<double>(random.bits());
  return std::isnan(any) ? 0.5 : any;
}

int64_t random_int(Random& random) {
  if (random.chance(70)) return static_cast<int64_t>(random.below(20)) - 5;
  constexpr int64_t kSpecial[] = {std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max(), 1000000007};
  return random.chance(50) ? random.pick(kSpecial) : static_cast<int64_t>(random.bits());
}

SymExpr random_expr(Context& context, Random& random) {
  SymExprTable& exprs = context.exprs();
  constexpr std::string_view kSymbols[] = {"s0", "s77", "u1", "n"};
  SymExpr expr = exprs.symbol(random.pick(kSymbols));
  for (size_t i = random.below(4); i > 0; --i) {
    const SymExpr other = random.chance(50)
                              ? exprs.integer(static_cast<int64_t>(random.below(9)) + 1)
                              : exprs.symbol(random.pick(kSymbols));
    switch (random.below(5)) {
      case 0:
        expr = exprs.add(expr, other);
        break;
      case 1:
        expr = exprs.mul(expr, other);
        break;
      case 2:
        expr = exprs.floor_div(expr, other);
        break;
      case 3:
        expr = exprs.max(expr, other);
        break;
      default:
        expr = exprs.sub(expr, other);
        break;
    }
  }
  return expr;
}

Argument random_tensor_value(Context& context, Random& random) {
  TensorSpec spec;
  spec.dtype = DType::kInt64;
  const DimVector sizes = {2};
  spec.sizes = sizes;
  const Type type = context.types().tensor(spec);
  const Argument data = Argument::list({random_int(random), random_int(random)});
  switch (random.below(3)) {
    case 0: {
      const Argument items[] = {type, MemoryFormat::kChannelsLast};
      return Argument::named_tuple("fx.Tensor(type, memory_format)", items);
    }
    case 1: {
      const Argument items[] = {type, Argument()};
      return Argument::named_tuple("fx.Tensor(type, memory_format)", items);
    }
    default: {
      const Argument items[] = {type, "pkg.Sub", true, data, "tensor([...])"};
      return Argument::named_tuple("fx.Tensor(type, class, param, data, str)", items);
    }
  }
}

namespace {

/// Returns a value of one of the classes in ir/python/python_objects.h.
Argument random_python_object(Context& context, Random& random, int max_depth,
                              const RandomGraphOptions& options) {
  switch (random.below(4)) {
    case 0: {
      const Argument items[] = {"pkg.Strange", random_string(random)};
      return Argument::named_tuple("fx.Opaque(class, str)", items);
    }
    case 1: {
      const Argument items[] = {"pkg.Color", "Color.RED", "<Color.RED: 1>",
                                random_constant(context, random, max_depth - 1, options)};
      return Argument::named_tuple("fx.Opaque(class, str, repr, data)", items);
    }
    case 2: {
      // Keys that Argument's dicts do not accept.
      const Argument pairs[] = {Argument::tuple({Argument::tuple({1, "a"}), random_int(random)}),
                                Argument::tuple({random_float(random), "text"})};
      return Argument::named_tuple("fx.Dict", pairs);
    }
    default:
      return random_tensor_value(context, random);
  }
}

}  // namespace

Argument random_constant(Context& context, Random& random, int max_depth,
                         const RandomGraphOptions& options) {
  const auto item = [&] { return random_constant(context, random, max_depth - 1, options); };
  const auto items = [&] {
    std::vector<Argument> result;
    for (size_t i = random.below(4); i > 0; --i) result.push_back(item());
    return result;
  };
  switch (random.below(max_depth > 0 ? 23 : 15)) {
    case 0:
      return Argument::none();
    case 1:
      return random.chance(50);
    case 2:
      return random_int(random);
    case 3:
      return random_float(random);
    case 4:
      return std::complex<double>{random_float(random), random_float(random)};
    case 5:
      return random_string(random, options.invalid_utf8);
    case 6:
      return static_cast<DType>(random.below(kNumDTypes));
    case 7: {
      constexpr Device kDevices[] = {
          {}, {DeviceType::kCuda, 0}, {DeviceType::kMeta, -1}, {DeviceType::kCuda, -1}};
      return random.pick(kDevices);
    }
    case 8:
      return static_cast<Layout>(random.below(kNumLayouts));
    case 9:
      return static_cast<MemoryFormat>(random.below(kNumMemoryFormats));
    case 10: {
      const SymExpr expr = random_expr(context, random);
      return expr.is_int() ? Argument(expr.int_value()) : Argument(expr);
    }
    case 11:
      return random_type(context, random);
    case 12:
      return context.function(random_function_name(random));
    case 13:
      return Argument::ellipsis();
    case 14:
      return Argument::object(random.chance(70) ? "torch.per_tensor_affine"
                                                : random_string(random));
    case 15:
      return Argument::list(items());
    case 16:
      return Argument::tuple(items());
    case 17: {
      const Argument sizes[] = {random_int(random), random_int(random)};
      return Argument::named_tuple("torch.Size", sizes);
    }
    case 18: {
      const Argument pair[] = {item(), item()};
      return Argument::named_tuple(random.chance(50) ? "pkg.Point(x, y)" : "op", pair);
    }
    case 19: {
      std::vector<std::pair<Argument, Argument>> entries;
      for (Argument& value : items()) {
        const auto number = static_cast<int64_t>(entries.size());
        Argument key = random.chance(50) ? Argument(number)
                                         : Argument(random_string(random) + std::to_string(number));
        entries.emplace_back(std::move(key), std::move(value));
      }
      return Argument::dict(entries);
    }
    case 20: {
      const Argument parts[] = {item(), item(), item()};
      return Argument::slice(parts[0], parts[1], parts[2]);
    }
    case 21:
      return random_python_object(context, random, max_depth, options);
    default: {
      const int64_t parts[] = {random_int(random), random_int(random), random_int(random)};
      return Argument::range(parts[0], parts[1], parts[2]);
    }
  }
}

Type random_type(Context& context, Random& random, int max_depth) {
  TypeTable& types = context.types();
  const auto items = [&] {
    std::vector<Type> result;
    for (size_t i = random.below(4); i > 0; --i) {
      const bool unknown = random.chance(10);
      result.push_back(unknown ? Type() : random_type(context, random, max_depth - 1));
    }
    return result;
  };
  const auto symbolic = [&] {
    SymExpr expr = random_expr(context, random);
    return expr.is_constant() ? context.exprs().symbol("s3") : expr;
  };
  if (random.chance(60)) {
    DimVector sizes, strides;
    for (size_t i = random.below(5); i > 0; --i) {
      sizes.push_back(random.chance(80) ? Dim(static_cast<int64_t>(random.below(70)))
                                        : Dim(random_expr(context, random)));
      strides.push_back(static_cast<int64_t>(random.below(100)));
    }
    TensorSpec spec;
    spec.dtype = static_cast<DType>(random.below(kNumDTypes + 1));
    spec.sizes = sizes;
    if (random.chance(20)) spec.strides = strides;
    if (random.chance(5)) spec.strides = StrideSpec::unknown();
    if (random.chance(10)) spec.offset = static_cast<int64_t>(random.below(1000));
    if (random.chance(5)) {
      spec.layout = Layout::kSparseCoo;
      spec.strides = {};
    }
    if (random.chance(20)) spec.device = {DeviceType::kCuda, 1};
    spec.requires_grad = random.chance(20);
    if (random.chance(5)) {
      spec.has_rank = false;
      spec.sizes = {};
      spec.strides = {};
    }
    return types.tensor(spec);
  }
  switch (random.below(max_depth > 0 ? 20 : 17)) {
    case 0:
      return types.none();
    case 1:
      return types.integer();
    case 2:
      return types.integer(random_int(random));
    case 3:
      return types.integer(symbolic());
    case 4:
      return types.floating();
    case 5:
      return types.floating(random_float(random));
    case 6:
      return types.floating(symbolic());
    case 7:
      return types.boolean();
    case 8:
      return types.boolean(random.chance(50));
    case 9:
      return types.boolean(context.exprs().compare(SymKind::kGt, context.exprs().symbol("s0"),
                                                   context.exprs().integer(4)));
    case 10:
      return types.complex();
    case 11:
      return types.complex({random_float(random), random_float(random)});
    case 12:
      return types.string();
    case 13:
      return types.string(random_string(random));
    case 14:
      return types.object("FakeScriptObject");
    case 15:
      return types.graph();
    case 16:
      return types.token();
    case 17:
      return types.list(items());
    case 18:
      return types.tuple(items());
    default: {
      std::vector<std::pair<Symbol, Type>> entries;
      for (const Type item : items())
        entries.emplace_back(context.symbol(random_word(random) + std::to_string(entries.size())),
                             item);
      return types.map(entries);
    }
  }
}

}  // namespace fx::testing
