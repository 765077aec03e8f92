// Binds a call's arguments to a rule, runs it, and derives the result of the call's form.
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <new>
#include <optional>

namespace fx {
namespace {

using Class = BoundTypeRule::ArgumentClass;

/// True if an argument is a `Tensor?[]`; a `Tensor[]` must not contain None.
bool accepts_none_items(const ops::OpInfo& op, std::string_view argument) {
  const int index = op.schema().find_argument(argument);
  if (index < 0) return false;
  const ops::SchemaType& type =
      op.schema().arguments()[static_cast<size_t>(index)].type.without_optional();
  return type.is_list() && type.element().is_optional();
}

}  // namespace

/// Binds a tensor. Returns false if the call cannot be typed because the type of the argument is
/// unknown or wrong.
bool TypeBinder::set_tensor(TypeCall& call, const BoundTypeRule::Formal& formal,
                            const TypeArgument& value) {
  const size_t slot = formal.slot;
  Type type = value.type();
  if (type.is_tensor()) {
    if (!is_known_tensor(type)) {
      call.unknown_ = true;
      return false;
    }
  } else if (value.is_none()) {
    if (formal.argument_class == Class::kOptionalTensor) {
      call.tensors_[slot] = Type();
      return true;
    }
    call.fail(fmt::format("argument {} must be a tensor, not None", formal.name));
    return false;
  } else if (value.is_untyped()) {
    call.unknown_ = true;
    return false;
  } else {
    const DType dtype = value.number_dtype();
    if (dtype == DType::kUndefined) {
      call.fail(
          fmt::format("argument {} must be a tensor, not {}", formal.name,
                      type ? to_string(type) : std::string(argument_kind_name(value.kind()))));
      return false;
    }
    type = call.types().tensor({.dtype = dtype});
    call.numbers_ |= uint64_t{1} << slot;
  }
  call.tensors_[slot] = type;
  return true;
}

/// Checks the argument in its slot. Returns false if the call cannot be typed.
bool TypeBinder::set(TypeCall& call, const BoundTypeRule::Formal& formal) {
  const TypeArgument& value = call.arguments_[formal.slot];
  switch (formal.argument_class) {
    case Class::kTensor:
    case Class::kOptionalTensor:
      return set_tensor(call, formal, value);
    case Class::kTensorList: {
      call.tensors_[formal.slot] = Type();
      if (value.type().is_tensor() || value.is_none()) return true;
      if (value.is_untyped()) {
        call.unknown_ = true;
        return false;
      }
      const size_t count = value.size();
      for (size_t i = 0; i < count; ++i) {
        const TypeArgument item = value[i];
        if (item.is_none()) {
          if (accepts_none_items(call.op(), formal.name)) continue;
          call.fail(
              fmt::format("item {} of argument {} must be a tensor, not None", i, formal.name));
          return false;
        }
        if (!item.type() || (item.type().is_tensor() && !is_known_tensor(item.type()))) {
          if (item.kind() == ArgumentKind::kType) {
            call.unknown_ = true;
            return false;
          }
        }
        if (!item.type().is_tensor()) {
          call.fail(fmt::format("item {} of argument {} must be a tensor", i, formal.name));
          return false;
        }
      }
      return true;
    }
    case Class::kList:
      if (value.number_dtype() != DType::kUndefined) {
        call.fail(fmt::format("argument {} must be a list of numbers, not a number", formal.name));
        return false;
      }
      call.tensors_[formal.slot] = value.type();
      return true;
    case Class::kOther:
      call.tensors_[formal.slot] = value.type();
      return true;
  }
  return true;
}

/// Binds an argument of a node. Handles the usual case, an operand of known type, first.
inline bool TypeBinder::set(TypeCall& call, const BoundTypeRule::Formal& formal, const Graph& graph,
                            const detail::Cell& cell) {
  TypeArgument* const target_slot = &call.arguments_[formal.slot];
  Type type;
  bool is_known = false;
  if (cell.is_use()) {
    type = Type(Graph::Editor::type(*graph.storage().node_at(cell.head)));
    new (target_slot) TypeArgument(type);
    is_known =
        formal.argument_class != Class::kTensorList && type.is_tensor() && is_known_tensor(type);
  } else {
    new (target_slot) TypeArgument(ArgumentRef(&graph, &cell));
    type = target_slot->type();
  }
  if (is_known || formal.argument_class == Class::kOther) {
    call.tensors_[formal.slot] = type;
    return true;
  }
  return set(call, formal);
}

namespace {

// Messages are formatted in separate functions, because almost no call needs them.
[[gnu::cold, gnu::noinline]] Type too_many(TypeCall& call, size_t given, size_t accepted) {
  return call.fail(
      fmt::format("it accepts {}, not {}", pluralize(accepted, "positional argument"), given));
}
[[gnu::cold, gnu::noinline]] Type no_argument(TypeCall& call, std::string_view name) {
  return call.fail(fmt::format("it does not have an argument {}", name));
}
[[gnu::cold, gnu::noinline]] Type given_twice(TypeCall& call, std::string_view name) {
  return call.fail(fmt::format("argument {} is passed both by position and by keyword", name));
}
[[gnu::cold, gnu::noinline]] Type cannot_cast(TypeCall& call, DType from, DType to) {
  return call.fail(fmt::format("result type {} cannot be cast to the output type {}",
                               dtype_name(from), dtype_name(to)));
}
[[gnu::cold, gnu::noinline]] Type missing_argument(TypeCall& call, std::string_view name) {
  return call.fail(fmt::format("argument {} is missing", name));
}

/// Returns the index of the formal that a keyword denotes by its Python name (x.sum(axis=1)), or
/// the number of formals if there is none.
[[gnu::cold, gnu::noinline]] size_t find_by_python_name(const BoundTypeRule& rule,
                                                        std::string_view key) {
  size_t i = 0;
  if (call_style(*rule.op) == CallStyle::kOperator) return rule.formals.size();
  while (i < rule.formals.size() && !names_parameter(key, rule.formals[i].name)) ++i;
  return i;
}

/// Binds a call by the rules of bind_arguments() (ir/calls/bind.h), but writes each argument
/// directly into its slot: an intermediate list of parameters takes 11 ns per call, whereas
/// typing a call takes 14 to 76 ns (docs/benchmarks.md). `key(i)` is the name of a keyword
/// argument. `set_arg(formal, i)` and `set_kwarg(formal, i)` return false if the call cannot be
/// typed. Sets `given` to the slots of the passed arguments, one bit for each.
template <class Key, class SetArg, class SetKwarg>
[[gnu::always_inline]] inline bool bind_to_slots(const BoundTypeRule& rule, TypeCall& call,
                                                 size_t num_args, size_t num_kwargs, Key&& key,
                                                 SetArg&& set_arg, SetKwarg&& set_kwarg,
                                                 uint64_t& given) {
  if (num_args > rule.positional) {
    too_many(call, num_args, rule.positional);
    return false;
  }
  for (size_t i = 0; i < num_args; ++i) {
    const BoundTypeRule::Formal& formal = rule.formals[i];
    given |= uint64_t{1} << formal.slot;
    if (!set_arg(formal, i)) return false;
  }
  const size_t count = rule.formals.size();
  size_t next = num_args < count ? num_args : 0;  // keywords usually follow the schema's order
  for (size_t i = 0; i < num_kwargs; ++i) {
    const std::string_view name = key(i);
    size_t tries = 0;
    while (tries < count && rule.formals[next].name != name) {
      ++tries;
      next = next + 1 == count ? 0 : next + 1;
    }
    if (tries == count) next = find_by_python_name(rule, name);
    if (next == count) {
      no_argument(call, name);
      return false;
    }
    const BoundTypeRule::Formal& formal = rule.formals[next];
    const uint64_t bit = uint64_t{1} << formal.slot;
    if ((given & bit) != 0) {
      given_twice(call, name);
      return false;
    }
    given |= bit;
    if (!set_kwarg(formal, i)) return false;
  }
  return true;
}

/// True for ranges, which resize out= only if its number of elements differs from that of the result.
bool resizes_by_count(const ops::OpInfo& op) {
  const std::string_view packet = op.packet();
  return packet == "aten.arange" || packet == "aten.range" || packet == "aten.linspace" ||
         packet == "aten.logspace";
}

/// The devices and dtypes of the operands of a call.
struct Operands {
  Type first;
  /// The first tensor of rank 1 or more. If there is none: the first that is not on the CPU, else
  /// the first tensor.
  Type device_source;
  bool have_several_devices = false;
  bool have_gaps = false;  ///< true if a tensor is not non-overlapping and dense
  uint64_t dtypes = 0;     ///< one bit for each dtype

  void add(Type tensor) {
    if (tensor == first) return;
    if (!first) first = device_source = tensor;
    add_kind(tensor);
    if (device_source.rank() == 0 &&
        (tensor.rank() > 0 || device_source.device().type == DeviceType::kCpu))
      device_source = tensor;
  }
  /// Adds the tensors of a list. Only the first determines the device of the result.
  [[gnu::noinline]] void add_list(const TypeArgument& list) {
    const size_t count = list.size();
    bool is_first = true;
    for (size_t i = 0; i < count; ++i) {
      const Type item = list[i].type();
      if (!item.is_tensor()) continue;
      if (is_first)
        add(item);
      else
        add_kind(item);
      is_first = false;
    }
  }

 private:
  void add_kind(Type tensor) {
    have_several_devices |= tensor.device() != device_source.device();
    have_gaps |= !is_non_overlapping_and_dense(tensor);
    dtypes |= uint64_t{1} << static_cast<int>(tensor.dtype());
  }
};

}  // namespace

Type TypeBinder::run(const BoundTypeRule& rule, TypeCall& call, const Node& node,
                     LazyOperands& lazy) {
  if (rule.slots.size() > TypeCall::kMaxArguments) return call.fail("too many arguments");
  call.size_ = static_cast<int>(rule.slots.size());
  uint64_t given = 0;
  const Graph& graph = node.graph();
  const detail::Cell* const args = Graph::Editor::cells(node);
  const detail::Cell* const kwargs = args + node.num_args();  // names and values alternate
  const bool is_bound = bind_to_slots(
      rule, call, node.num_args(), node.num_kwargs(),
      [&](size_t i) { return node.kwarg_name(i).str(); },
      [&](const BoundTypeRule::Formal& formal, size_t i) {
        return set(call, formal, graph, args[i]);
      },
      [&](const BoundTypeRule::Formal& formal, size_t i) {
        return set(call, formal, graph, kwargs[2 * i + 1]);
      },
      given);
  if (!is_bound) return Type();
  bool have_gaps = false;
  Type result = finish(rule, call, given, have_gaps);
  if (result && (have_gaps || has_offset(result)))
    result = for_lazy_views(rule, call, node, result, lazy);
  return result && rule.form != TypeForm::kPlain ? of_form(rule, call, result) : result;
}

Type TypeBinder::run(const BoundTypeRule& rule, TypeCall& call, absl::Span<const Argument> args,
                     absl::Span<const Kwarg> kwargs) {
  if (rule.slots.size() > TypeCall::kMaxArguments) return call.fail("too many arguments");
  call.size_ = static_cast<int>(rule.slots.size());
  uint64_t given = 0;
  const auto set_value = [&](const BoundTypeRule::Formal& formal, const Argument& value) {
    new (&call.arguments_[formal.slot]) TypeArgument(value);
    return set(call, formal);
  };
  const bool is_bound = bind_to_slots(
      rule, call, args.size(), kwargs.size(),
      [&](size_t i) -> std::string_view { return kwargs[i].key; },
      [&](const BoundTypeRule::Formal& formal, size_t i) { return set_value(formal, args[i]); },
      [&](const BoundTypeRule::Formal& formal, size_t i) {
        return set_value(formal, kwargs[i].value);
      },
      given);
  if (!is_bound) return Type();
  bool have_gaps = false;
  const Type result = finish(rule, call, given, have_gaps);
  return result ? of_form(rule, call, result) : Type();
}

/// Returns the type of argument `slot` after a call that writes `functional` into it.
Type TypeBinder::into_argument(const BoundTypeRule& rule, TypeCall& call, Type functional,
                               size_t slot) {
  const Type target = call.tensors_[slot];
  if (!target.is_tensor()) {  // a missing out= argument, or a list
    const TypeArgument& list = call.arguments_[slot];
    const size_t count = std::min(list.size(), functional.items().size());
    if (list.is_sequence() && list.size() != functional.items().size()) {
      return call.fail(fmt::format("{} results cannot be written into {}",
                                   functional.items().size(), pluralize(list.size(), "tensor")));
    }
    for (size_t i = 0; rule.form == TypeForm::kInPlace && i < count; ++i) {
      const Type from = functional.items()[i], to = list[i].type();
      if (!from.is_tensor() || !to.is_tensor()) continue;
      if (rule.casts_result && !can_cast(from.dtype(), to.dtype()))
        return cannot_cast(call, from.dtype(), to.dtype());
      bool same = from.rank() == to.rank();
      for (size_t d = 0; same && d < to.sizes().size(); ++d)
        same = call.guard_equal(to.sizes()[d], from.sizes()[d]);
      if (same && (!rule.rejects_overlap || shape::check_overlap(call, to))) continue;
      if (same) return Type();
      return call.fail(fmt::format("the result {} cannot be written into {}, whose sizes differ",
                                   to_string(from), to_string(to)));
    }
    return functional;
  }
  if (!functional.is_tensor()) return target;
  if (rule.casts_result && !can_cast(functional.dtype(), target.dtype()))
    return cannot_cast(call, functional.dtype(), target.dtype());
  const bool is_exact =
      rule.exact_out || (rule.dtype_slot >= 0 && !call.arguments_[rule.dtype_slot].is_none());
  if (is_exact && functional.dtype() != target.dtype() && functional.dtype() != DType::kUndefined &&
      target.dtype() != DType::kUndefined) {
    return call.fail(fmt::format("argument out must be of dtype {}, that of the result, not {}",
                                 dtype_name(functional.dtype()), dtype_name(target.dtype())));
  }
  const bool counts = rule.form == TypeForm::kOut && resizes_by_count(call.op());
  bool same = counts ? call.guard_equal(numel(target.sizes()), numel(functional.sizes()))
                     : target.rank() == functional.rank();
  for (int i = 0; same && !counts && i < target.rank(); ++i)
    same = call.guard_equal(target.sizes()[static_cast<size_t>(i)],
                            functional.sizes()[static_cast<size_t>(i)]);
  // A size that depends on data may differ from that of the target, which is then resized.
  const bool may_differ = rule.form == TypeForm::kOut && same && call.unknown_;
  if (same && !may_differ) {
    return !rule.rejects_overlap || shape::check_overlap(call, target) ? target : Type();
  }
  if (may_differ && target.rank() != functional.rank()) {
    call.unknown_ = false;
    return call.types().tensor({.dtype = target.dtype(),
                                .strides = StrideSpec::unknown(),
                                .device = target.device(),
                                .has_rank = false});
  }
  if (rule.form == TypeForm::kInPlace) {
    return call.fail(fmt::format("the result {} cannot be written into {}, whose sizes differ",
                                 to_string(functional), to_string(target)));
  }
  call.unknown_ = false;
  TensorSpec spec = functional.spec();  // out= is resized and keeps its offset
  spec.dtype = target.dtype();
  spec.offset = target.offset();
  // Some kernels allocate the strides of the functional form, others a row-major tensor. Those of
  // the decompositions are structured: both forms have the strides that the meta function sets.
  if (target.has_strides() && !may_differ && call.op().name().starts_with("aten._linalg_"))
    return call.types().tensor(spec);
  spec.strides = {};
  const Type row_major = call.types().tensor(spec);
  // A vector without gaps has the stride 1 whether or not it is resized.
  if (may_differ && target.rank() == 1 && target.has_default_strides()) return row_major;
  if (target.has_strides() && !may_differ && functional.has_strides() && row_major &&
      std::ranges::equal(functional.strides(), row_major.strides(),
                         [](const Dim& a, const Dim& b) { return same_value(a, b); }))
    return row_major;
  spec.strides = StrideSpec::unknown();
  return call.types().tensor(spec);
}

void TypeBinder::set_defaults(const BoundTypeRule& rule, TypeCall& call, uint64_t given) {
  for (uint64_t omitted = rule.all & ~given; omitted != 0; omitted &= omitted - 1) {
    const auto i = static_cast<size_t>(__builtin_ctzll(omitted));
    call.arguments_[i] = rule.defaults[i];
    call.tensors_[i] = Type();
  }
}

inline bool TypeBinder::check_operands(const BoundTypeRule& rule, TypeCall& call, uint64_t given,
                                       bool& have_gaps) {
  Operands operands;
  const uint64_t tensors = rule.tensors & given & ~call.numbers_;
  for (uint64_t rest = tensors; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<size_t>(__builtin_ctzll(rest));
    if (const Type type = call.tensors_[slot]; type.is_tensor())
      operands.add(type);
    else
      operands.add_list(call.arguments_[slot]);
  }
  if (operands.first) call.device_ = operands.device_source.device();
  have_gaps = operands.have_gaps;
  if (operands.have_several_devices && !shape::check_devices(rule, call)) return false;
  if (rule.call_row) {
    const bool has_default_numbers = (given & ~rule.tensors) == 0;
    const uint64_t accepted =
        has_default_numbers ? rule.accepted_dtypes_by_default : rule.accepted_dtypes;
    const bool is_one_dtype = (operands.dtypes & (operands.dtypes - 1)) == 0;
    const bool is_accepted = is_one_dtype && (operands.dtypes & accepted) != 0;
    if (!is_accepted && !shape::check_kinds(rule, call)) return false;
  }
  return !rule.requirement || rule.requirement(call);
}

Type TypeBinder::copied(TypeCall& call, Type view) {
  const auto copy = [&](Type tensor) {
    TensorSpec spec = tensor.spec();
    spec.offset = 0;
    spec.strides = {};
    return call.types().tensor(spec);
  };
  call.aliases_.clear();
  call.may_alias_ = false;
  if (view.is_tensor()) return copy(view);
  absl::InlinedVector<Type, 8> items;
  for (Type item : view.items()) items.push_back(item.is_tensor() ? copy(item) : item);
  return call.types().with_items(view, items);
}

Type TypeBinder::written(const BoundTypeRule& rule, TypeCall& call, Type functional) {
  call.aliases_.clear();
  call.may_alias_ = false;
  absl::InlinedVector<Type, 4> results;
  for (size_t i = 0; i < rule.written.size(); ++i) {
    const size_t slot = rule.written[i];
    Type part = functional;
    const bool is_list = !call.tensors_[slot].is_tensor() && call.arguments_[slot].is_sequence();
    if (!functional.is_tensor() && !is_list)
      part = i < functional.items().size() ? functional.items()[i] : Type();
    const Type result = into_argument(rule, call, part, slot);
    if (!result) return Type();
    results.push_back(result);
    size_t formal = 0;
    while (rule.formals[formal].slot != slot) ++formal;
    call.set_alias(static_cast<int>(formal), static_cast<int>(i));
  }
  if (call.failed_) return Type();
  if (rule.returns_nothing) return call.none();
  return results.size() == 1 ? results[0] : call.types().tuple(results);
}

Type TypeBinder::finish(const BoundTypeRule& rule, TypeCall& call, uint64_t given,
                        bool& have_gaps) {
  if ((rule.required & ~given) != 0) {
    const auto missing = static_cast<size_t>(__builtin_ctzll(rule.required & ~given));
    // Only calls to the functional form can omit out=.
    return missing_argument(call, rule.slots[missing].name);
  }
  set_defaults(rule, call, given);
  if (!check_operands(rule, call, given, have_gaps)) return Type();
  call.size_ = static_cast<int>(rule.size);
  const Type result = rule.function ? rule.function(call) : rule.custom_function(call);
  // The function used 0 for an unknown number, so a relation that failed may hold.
  if (call.unknown_) call.failed_ = false;
  return call.failed_ || call.unknown_ ? Type() : result;
}

Type TypeBinder::of_form(const BoundTypeRule& rule, TypeCall& call, Type result) {
  if (rule.form == TypeForm::kPlain) return result;
  if (rule.form == TypeForm::kCopy) return copied(call, result);
  return rule.changes_sizes_in_place ? result : written(rule, call, result);
}

}  // namespace fx
