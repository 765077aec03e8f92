// ShapedTracer: a tracer that types every node when it is recorded, so that the traced code can use
// sizes: loops over them are unrolled, and branches on them are resolved.
//
//   fx::ShapedTracer tracer(context, [](const fx::Node& n) { return fx::infer_type(n); });
//   fx::TraceInputs inputs{"x"};
//   inputs.types = {{"x", *context.types().parse("f32[3, 8]")}};
//   tracer.trace([](fx::Proxy x) {
//     fx::Proxy y = x[0];
//     for (int64_t i = 1; i < int64_t(x.size(0)); ++i) y = y + x[i];
//     return int64_t(y.dim()) == 1 ? relu(y) : y;
//   }, inputs);
//
// It records ATen overloads (Targets::kAten), which have type functions. The function that computes
// types is an argument: infer_type of passes/shape, or a custom one. Size nodes without users in
// the graph are erased.
#pragma once

#include "fx/tracer/tracer.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace fx {

/// Returns the type of a call from the types of its operands; null if it is unknown.
using TypeSource = std::function<absl::StatusOr<Type>(const Node& node)>;

class ShapedTracer : public Tracer {
 public:
  ShapedTracer(Context& context, TypeSource types, RecordOptions options = {});

 protected:
  /// An invalid call fails the trace with the error of its type function; a call without a type
  /// function is recorded without a type.
  absl::StatusOr<Node*> create_node(const NodeRequest& request) override;
  /// Return the values of constant types: sizes, their products, comparisons of them.
  absl::StatusOr<bool> to_bool(const Proxy& value) override;
  absl::StatusOr<int64_t> to_int(const Proxy& value) override;
  absl::StatusOr<double> to_float(const Proxy& value) override;
  absl::Status end_trace(Graph& graph) override;

 private:
  absl::StatusOr<Type> constant_type(const Proxy& value, std::string_view what) const;
  TypeSource types_;
  std::vector<Node*> requested_;
};

/// Returns the type of a value if its tracer types nodes, otherwise the null Type.
Type type_of(const Proxy& value);

}  // namespace fx
