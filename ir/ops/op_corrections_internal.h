// Corrections of schemas, and effects that a schema cannot express (op_corrections.cpp).
#pragma once

#include "fx/ir/ops/op_info.h"

#include <span>
#include <string_view>

namespace fx::ops {

struct OpCorrection {
  /// A packet (`aten.batch_norm`) for all its overloads, or one overload (`aten.to.dtype`), or a
  /// function.
  std::string_view op;
  /// Why the schema is not the whole truth.
  std::string_view reason;
  Effects add = {};
  Effects remove = {};
  /// Arguments that are written to without an annotation, joined by commas. Overloads
  /// without them are left alone.
  std::string_view writes = {};
  /// A bool argument: where it is False, the call lacks the effects that it otherwise has.
  std::string_view unless_false = {};
  /// An argument that results may share memory with; `alias` says how, `output` which result (-1:
  /// all).
  std::string_view aliases = {};
  AliasKind alias = AliasKind::kMaybe;
  int output = -1;
};

std::span<const OpCorrection> op_corrections();

/// Where all operators of a namespace have effects that their schemas do not show.
struct NamespaceEffects {
  std::string_view name_space;
  Effects effects;
  std::string_view reason;
};
std::span<const NamespaceEffects> namespace_effects();

}  // namespace fx::ops
