// The signature of a program, which describes each input and output of its graph.
#pragma once

#include "fx/importers/pt2/graph/graph_reader_internal.h"
#include "fx/importers/pt2/schema/json_internal.h"
#include "fx/ir/graph/argument.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fx::pt2 {

enum class InputRole : uint8_t { kParameter, kBuffer, kConstant, kObject, kUser, kToken };

/// An input of the graph. Its strings refer to the document.
struct SignatureInput {
  InputRole role = InputRole::kUser;
  std::string_view name;    ///< the name of the value
  std::string_view target;  ///< the path of the member
  bool is_persistent = true;
  bool is_literal = false;
  Argument entry;  ///< the metadata kInput of the placeholder (docs/json.md)
};

struct SignatureOutput {
  std::string_view written_input;  ///< the input to which the value is copied, or empty
  bool is_token = false;
  Argument entry;  ///< an item of the metadata kOutputs
};

struct Signature {
  std::vector<SignatureInput> inputs;
  std::vector<SignatureOutput> outputs;

  /// Returns true if the input is a member of the module.
  static bool is_lifted(const SignatureInput& input) {
    return input.role != InputRole::kUser && input.role != InputRole::kToken;
  }
  /// Returns the plan for the graph. If `lifted`, members are placeholders, and the graph returns
  /// written values and tokens.
  RootPlan plan(bool lifted) const;
  /// Returns the names of the inputs that are tokens.
  std::vector<std::string_view> tokens() const;
  /// Sets the metadata of placeholders and of the output.
  void annotate(Graph& graph, bool lifted) const;
};

/// Returns InvalidArgument for a malformed record, and for a mutation whose target is not an input.
absl::StatusOr<Signature> read_signature(Json record, Notes& notes);

}  // namespace fx::pt2
