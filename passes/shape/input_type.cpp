// `--input NAME=TYPE`: see input_type.h.
#include "fx/passes/shape/input_type.h"

#include "fx/ir/context.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

namespace fx {

absl::Status set_input_type(Graph& graph, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return absl::InvalidArgumentError(fmt::format("--input {}: NAME=TYPE expected", text));
  const std::string_view name = text.substr(0, equals);
  Node* node = graph.find_node(name);
  if (node == nullptr)
    return absl::NotFoundError(fmt::format("--input {}: there is no node {}", text, name));
  if (node->op() != Opcode::kPlaceholder && node->op() != Opcode::kGetAttr)
    return absl::InvalidArgumentError(fmt::format("--input {}: {} is no input", text, name));
  const absl::StatusOr<Type> type = graph.context().types().parse(text.substr(equals + 1));
  if (!type.ok()) return with_context(type.status(), fmt::format("--input {}", text));
  node->set_type(*type);
  return absl::OkStatus();
}

}  // namespace fx
