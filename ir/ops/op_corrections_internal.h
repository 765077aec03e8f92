// Corrections to schemas, and effects that a schema cannot express (op_corrections.cpp).
#pragma once

#include "fx/ir/ops/op_info.h"

#include <span>
#include <string_view>

namespace fx::ops {

struct OpCorrection {
  /// A packet (`aten.batch_norm`), meaning all its overloads; one overload (`aten.to.dtype`);
  /// or a function.
  std::string_view op;
  /// The reason for the correction.
  std::string_view reason;
  Effects add = {};
  Effects remove = {};
  /// Arguments that are written to without an annotation, separated by commas. Overloads without
  /// these arguments do not change.
  std::string_view writes = {};
  /// A bool argument: if it is False, the call does not have the effects.
  std::string_view unless_false = {};
  /// An argument that results may share memory with; `alias` is the relation, `output` the result
  /// (-1: all).
  std::string_view aliases = {};
  AliasKind alias = AliasKind::kMaybe;
  int output = -1;
};

std::span<const OpCorrection> op_corrections();

/// Effects that all operators of a namespace have and that their schemas do not express.
struct NamespaceEffects {
  std::string_view name_space;
  Effects effects;
  std::string_view reason;
};
std::span<const NamespaceEffects> namespace_effects();

}  // namespace fx::ops
