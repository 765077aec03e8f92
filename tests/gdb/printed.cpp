// A program with a graph for check_printers.py; gdb stops it in look().
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"

#include <complex>
#include <cstdio>
#include <memory>
#include <utility>

namespace {

__attribute__((noinline)) void look(const fx::Graph& graph) {
  std::printf("%s", fx::print(graph).c_str());
}

}  // namespace

int main() {
  fx::Context context;
  fx::Graph graph(context);
  // Fills the first pages of the symbol table, so that later symbols are in later pages.
  for (int i = 0; i < 2000; ++i) context.symbol("symbol" + std::to_string(i));
  const fx::SymExpr s0 = context.exprs().symbol("s0");
  const fx::Dim sizes[] = {2, fx::Dim(context.exprs().add(s0, context.exprs().integer(1)))};
  const fx::Type f32 = context.types().tensor({.dtype = fx::DType::kFloat32, .sizes = sizes});
  const fx::Dim plain[] = {2, 3};
  const fx::DimVector swapped = {1, 2};
  const fx::Type strided = context.types().tensor({.dtype = fx::DType::kBFloat16,
                                                   .sizes = plain,
                                                   .strides = swapped,
                                                   .device = {fx::DeviceType::kCuda, 1}});
  const fx::Type items[] = {f32, fx::Type(), context.types().integer(3),
                            context.types().integer(s0)};
  const fx::Type tuple = context.types().tuple(items);
  const std::pair<fx::Argument, fx::Argument> entries[] = {{"k", 1}, {-2, 2.5}};
  const fx::Argument pair[] = {1, 2};

  fx::Node* x = graph.placeholder("x", {.type = f32});
  fx::Node* late = graph.placeholder("late_name", 1);
  fx::Node* weight = graph.get_attr("layer.weight");
  fx::Node* relu =
      graph.call_function(context.function("torch.relu"), {x}, {{"inplace", true}}, {.type = f32});
  const fx::Argument constants = fx::Argument::list(
      {fx::Argument(), true, -3, 0.5, "text", std::complex<double>(1, -2), fx::DType::kFloat32,
       fx::Device{fx::DeviceType::kCuda, 0}, fx::Layout::kStrided, fx::MemoryFormat::kChannelsLast,
       fx::Argument::ellipsis(), fx::Argument(context.exprs().add(s0, context.exprs().integer(2))),
       fx::Argument(strided), fx::Argument(context.function("aten.add.Tensor")),
       fx::Argument::object("obj")});
  const fx::Argument nested = fx::Argument::tuple(
      {fx::Argument::dict(entries), fx::Argument::named_tuple("pkg.Point(x, y)", pair),
       fx::Argument::slice(1, fx::Argument(), relu), fx::Argument::range(0, 4, 2)});
  fx::Node* call = graph.call_function(context.function("f"), {constants, nested});
  fx::Node* second = graph.call_method("view", {call, -1});
  fx::Node* third = graph.call_module("layer.0", {second, weight});
  fx::Node* again = graph.call_function(context.function("torch.relu"), {third});
  graph.output(fx::Argument::tuple({again, late}));
  fx::Node* erased = graph.call_method("neg", {x});
  if (!graph.erase_node(erased).ok()) return 1;

  const fx::Symbol symbol = context.symbol("a symbol"), no_symbol;
  const fx::Name name = again->name_parts();
  const fx::Target target = context.function("torch.relu");
  const fx::ArgumentRef held = call->arg(1);
  look(graph);
  // The objects that gdb inspects must be alive at this point.
  return symbol == no_symbol || name.base == symbol || !target || !held.size() || !tuple;
}
