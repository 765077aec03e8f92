// Records calls to Proxy's generated functions and methods.
#pragma once

#include "fx/tracer/proxy.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace fx {

/// The data shared by all calls to one traced function. Must be static, because its address is a
/// key.
struct TracedCall {
  std::string_view target;  ///< `torch.relu`, or a method's name
  std::string_view op;      ///< the overload of the signature: `aten.relu.default`
  uint8_t num_positional;
  std::array<std::string_view, 8> keywords = {};
  /// The overload for a call whose argument at `narrow_at` is a number instead of a list; or, with
  /// `narrow_is_tensor`, for a call in which it or a later argument is a tensor instead of a
  /// number.
  std::string_view narrow_op = {};
  uint8_t narrow_at = 0;
  bool narrow_is_tensor = false;
};

/// A view of one argument.
class OperandRef {
 public:
  OperandRef(const Operand& operand) : operand_(&operand) {}  // NOLINT(google-explicit-constructor)
  OperandRef(const Proxy& proxy) : proxy_(&proxy) {}          // NOLINT(google-explicit-constructor)

  bool has_value() const { return proxy_ != nullptr || operand_->has_value(); }
  TracerBase* tracer() const { return proxy_ ? proxy_->tracer() : operand_->tracer(); }
  /// True for a Proxy without a value.
  bool is_empty_proxy() const { return proxy_ != nullptr && !proxy_->defined(); }
  Argument value() const { return proxy_ ? Argument(proxy_->node()) : operand_->value(); }

 private:
  const Operand* operand_ = nullptr;
  const Proxy* proxy_ = nullptr;
};

using OperandRefs = std::initializer_list<OperandRef>;

/// Records a call to a function with positional arguments, then keyword arguments. Uses the tracer
/// of the first argument that has one.
Proxy record_function(const TracedCall& call, Where where, OperandRefs operands);
Proxy record_function(TracerBase& tracer, const TracedCall& call, Where where,
                      OperandRefs operands);
/// Records a call to a method; the first operand is the receiver.
Proxy record_method(const TracedCall& call, Where where, OperandRefs operands);

}  // namespace fx
