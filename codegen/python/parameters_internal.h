// The parameters of an emitted function, and the head that declares them.
#pragma once

#include "fx/codegen/python/python.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx::python {

struct Parameter {
  std::string name;             ///< including stars: `x`, `*args`, `**kwargs`
  std::string annotation = {};  ///< ` : int`, or empty
  std::string default_value = {};
  bool has_default = false;
  std::string note = {};  ///< the comment after the parameter in an expanded definition

  bool is_args() const { return name.starts_with('*') && !is_kwargs(); }
  bool is_kwargs() const { return name.starts_with("**"); }
  /// Returns `x : int = 3`.
  std::string text() const;
};

/// Returns the parameters in a form that Python accepts. Moves `**kwargs` to the end, and removes
/// the default value of a parameter that precedes a positional parameter without a default value.
/// Parameters after `*args` stay there, so they are keyword-only.
std::vector<Parameter> declared_parameters(std::vector<Parameter> parameters);

/// Returns `def forward(self, x : int = 3) -> int:`. Adds `self` unless it is the first parameter.
std::string function_head(const PythonOptions& options, const std::vector<Parameter>& parameters,
                          std::string_view returns);

}  // namespace fx::python
