// Converts custom operators: each call becomes one operator in the user's domain.
#include "fx/importers/onnx/writer_internal.h"

#include <algorithm>
#include <deque>

namespace fx::onnx {

void Writer::write_custom(const Node& node, const OnnxCustomOp& custom) {
  static constexpr Row kRow{"", nullptr, kUnchecked, false};
  RowCall call(*this, node, kRow, bound_);
  std::vector<Value> inputs;
  std::vector<Attribute> attributes;
  std::deque<std::string> texts;
  for (const ops::SchemaArgument& argument : node.function().op()->schema().arguments()) {
    const ops::SchemaType& type = argument.type.without_optional();
    const bool is_passed = call.has(argument.name);
    if (type.contains_tensors()) {
      if (!type.is_list()) {
        inputs.push_back(is_passed ? call.tensor(argument.name) : Value());
      } else if (is_passed) {
        for (const Value& item : call.tensors(argument.name)) inputs.push_back(item);
      }
    } else if (!is_passed) {
      continue;
    } else if (type.is(ops::SchemaTypeKind::kString)) {
      attributes.emplace_back(argument.name,
                              std::string_view(texts.emplace_back(call.text(argument.name))));
    } else if (type.is_list()) {
      attributes.emplace_back(argument.name, call.ints(argument.name));
    } else if (call.constant_integer(argument.name) && !type.is(ops::SchemaTypeKind::kFloat)) {
      attributes.emplace_back(argument.name, call.integer(argument.name));
    } else {
      attributes.emplace_back(argument.name, call.real(argument.name));
    }
  }
  if (failed()) return;
  const size_t count = node.function().op()->schema().returns().size();
  std::vector<DType> dtypes;
  dtypes.reserve(count);
  for (size_t i = 0; i < count; ++i) dtypes.push_back(call.result_type(i).dtype());
  if (failed()) return;
  const std::vector<Value> values =
      emit_several(custom.op_type, inputs, attributes, dtypes, custom.domain);
  nodes_->back().op_type = model_.keep(custom.op_type);
  nodes_->back().domain = model_.keep(custom.domain);
  const auto opset =
      std::ranges::find(model_.opsets, custom.domain, &std::pair<std::string, int64_t>::first);
  if (opset == model_.opsets.end()) model_.opsets.emplace_back(custom.domain, custom.version);
  if (count == 1) return set_result(node, values[0]);
  set_results(node, values);
}

}  // namespace fx::onnx
