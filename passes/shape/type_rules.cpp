// The table of the type functions of all families, indexed by the address of the operator.
#include "fx/passes/shape/type_rules.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/metadata_writes.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/attachments.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/exceptions.h"
#include "fx/ir/support/hash_mix.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

namespace fx {
namespace {

using shape::TypeRule;

struct Row {
  BuiltInTypeFunction function;
  bool is_elementwise;
};
using RowTable = absl::flat_hash_map<const ops::OpInfo*, Row>;

RowTable make_row_table() {
  RowTable rows;
  for (absl::Span<const TypeRule> family :
       {shape::pointwise_rules(),     shape::activation_rules(), shape::view_rules(),
        shape::copy_rules(),          shape::factory_rules(),    shape::reduction_rules(),
        shape::matmul_rules(),        shape::conv_rules(),       shape::norm_rules(),
        shape::pool_rules(),          shape::loss_rules(),       shape::index_rules(),
        shape::join_rules(),          shape::attention_rules(),  shape::rnn_rules(),
        shape::sort_rules(),          shape::resize_rules(),     shape::linalg_rules(),
        shape::factorization_rules(), shape::fft_rules(),        shape::einsum_rules(),
        shape::split_rules(),         shape::foreach_rules(),    shape::composite_rules(),
        shape::python_rules()}) {
    const bool is_elementwise = family.data() == shape::pointwise_rules().data() ||
                                family.data() == shape::activation_rules().data();
    for (const TypeRule& row : family) {
      const ops::OpInfo* op = ops::find_op(row.op);
      FX_CHECK(op, fmt::format("a type function names the unknown operator {}", row.op));
      FX_CHECK(rows.emplace(op, Row{row.function, is_elementwise}).second,
               fmt::format("{} has two type functions", row.op));
    }
  }
  return rows;
}

const RowTable& rows() {
  static const RowTable* table = new RowTable(make_row_table());
  return *table;
}

bool starts_with_any(std::string_view op, absl::Span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view name) { return op.starts_with(name); });
}

/// True for operators that do not write to tensors whose elements share memory: elementwise ones,
/// except some, and those in a list. Kernels of other operators do not check this.
bool rejects_overlap(std::string_view op, bool is_elementwise) {
  constexpr std::string_view kElementwiseThatAccept[] = {"aten.threshold", "aten.conj_physical_.",
                                                         "aten.float_power.Scalar_out",
                                                         "aten.glu_backward."};
  // fill_(1), masked_fill_, index_fill_ and index_put_ write to such tensors.
  constexpr std::string_view kOthers[] = {
      "aten._fft_",
      "aten._stack.",
      "aten.addbmm",
      "aten.addmm",
      "aten.addmv.",
      "aten.addr",
      "aten.alias_copy.",
      "aten.aminmax.",
      "aten.as_strided_copy.",
      "aten.as_strided_scatter.",
      "aten.baddbmm.",
      "aten.bernoulli",
      "aten.binomial.",
      "aten.cat.",
      "aten.cauchy",
      "aten.cholesky.",
      "aten.clone.",
      "aten.concat.",
      "aten.concatenate.",
      "aten.constant_pad_nd.",
      "aten.copy.",
      "aten.cumprod",
      "aten.cumsum",
      "aten.detach_copy.",
      "aten.diag_embed.",
      "aten.diagonal_copy.",
      "aten.expand_copy.",
      "aten.exponential",
      "aten.fill.",
      "aten.fill_.Tensor",
      "aten.flip.",
      "aten.full_like.",
      "aten.gather.",
      "aten.geometric",
      "aten.index.",
      "aten.index_add",
      "aten.index_copy",
      "aten.index_fill.",
      "aten.index_put.",
      "aten.index_reduce",
      "aten.index_select.",
      "aten.kthvalue.",
      "aten.linalg_cross.",
      "aten.log_normal",
      "aten.log_softmax.",
      "aten.logcumsumexp.",
      "aten.logsumexp.",
      "aten.masked_fill.",
      "aten.masked_scatter",
      "aten.max.dim_max",
      "aten.mean.",
      "aten.min.dim_min",
      "aten.mode.",
      "aten.multinomial.",
      "aten.new_full.",
      "aten.new_ones.",
      "aten.new_zeros.",
      "aten.normal",
      "aten.ones_like.",
      "aten.permute_copy.",
      "aten.pixel_shuffle.",
      "aten.pixel_unshuffle.",
      "aten.poisson.",
      "aten.put",
      "aten.quantile.",
      "aten.rand_like.",
      "aten.randint",
      "aten.randn_like.",
      "aten.random",
      "aten.renorm",
      "aten.repeat.",
      "aten.roll.",
      "aten.rot90.",
      "aten.scatter",
      "aten.slice_copy.",
      "aten.slice_scatter.",
      "aten.softmax.",
      "aten.sort.",
      "aten.squeeze_copy.",
      "aten.stack.",
      "aten.t_copy.",
      "aten.take.",
      "aten.topk.",
      "aten.transpose_copy.",
      "aten.unfold_copy.",
      "aten.uniform",
      "aten.unsqueeze_copy.",
      "aten.view_copy.",
      "aten.zeros_like.",
  };
  if (is_elementwise) return !starts_with_any(op, kElementwiseThatAccept);
  if (op.starts_with("aten._foreach_"))
    return !op.starts_with("aten._foreach_zero_.") && op.find("_.") != std::string_view::npos;
  return starts_with_any(op, kOthers);
}

/// Binds an operator to its row, or to the row of one of its forms.
std::unique_ptr<BoundTypeRule> bind_built_in(const ops::OpInfo& op) {
  const auto row = [](const ops::OpInfo* variant) {
    if (!variant) return Row{};
    const auto it = rows().find(variant);
    return it == rows().end() ? Row{} : it->second;
  };
  if (const BuiltInTypeFunction function = row(&op).function)
    return std::make_unique<BoundTypeRule>(op, op, function, TypeForm::kPlain);
  if (op.is_function()) return nullptr;
  const ops::OpVariants variants = ops::find_variants(op);
  TypeForm form = TypeForm::kPlain;
  if (variants.in_place == &op) form = TypeForm::kInPlace;
  if (variants.out == &op) form = TypeForm::kOut;
  for (const ops::OpInfo* variant : {variants.functional, variants.view, variants.in_place}) {
    const auto [function, is_elementwise] = row(variant);
    if (!function || variant == &op) continue;
    // Only the functional form of an in-place operator returns the tensors that it writes to.
    const bool has_same_results =
        op.schema().returns().size() == variant->schema().returns().size();
    if (form == TypeForm::kPlain && variant == variants.in_place && !has_same_results) continue;
    if (variant == variants.view && variants.functional != variants.view &&
        form == TypeForm::kPlain)
      return std::make_unique<BoundTypeRule>(op, *variant, function, TypeForm::kCopy);
    auto rule = std::make_unique<BoundTypeRule>(op, *variant, function, form);
    rule->rejects_overlap = form != TypeForm::kPlain && rejects_overlap(op.name(), is_elementwise);
    return rule;
  }
  return nullptr;
}

/// The bound rules by the operator's address, with open addressing; each slot is written once. The
/// built-in operators fill less than half of the slots.
class BoundTable {
 public:
  const BoundTypeRule* find(const ops::OpInfo& op) {
    for (size_t i = slot_of(op);; i = (i + 1) % kSlots) {
      const ops::OpInfo* key = slots_[i].key.load(std::memory_order_acquire);
      if (key == &op) [[likely]]
        return slots_[i].rule;
      if (!key) return add(op);
    }
  }

 private:
  static constexpr size_t kSlots = 16384;
  struct Slot {
    std::atomic<const ops::OpInfo*> key = nullptr;
    const BoundTypeRule* rule = nullptr;
  };
  static size_t slot_of(const ops::OpInfo& op) {
    return internal::hash_bits(reinterpret_cast<uintptr_t>(&op)) % kSlots;
  }

  // This is a separate function so that find() saves no registers.
  [[gnu::cold, gnu::noinline]] const BoundTypeRule* add(const ops::OpInfo& op) {
    // Operators of other registries may be destroyed, so the table contains only built-in
    // operators.
    if (ops::find_op(op.name()) != &op) return nullptr;
    std::lock_guard<std::mutex> lock(mutex_);
    size_t i = slot_of(op);
    for (; slots_[i].key.load(std::memory_order_relaxed); i = (i + 1) % kSlots)
      if (slots_[i].key.load(std::memory_order_relaxed) == &op) return slots_[i].rule;
    slots_[i].rule = bind_built_in(op).release();
    slots_[i].key.store(&op, std::memory_order_release);
    return slots_[i].rule;
  }

  std::mutex mutex_;
  std::array<Slot, kSlots> slots_;
};

BoundTable& bound_table() {
  static BoundTable* table = new BoundTable();
  return *table;
}

BoundTypeRule::ArgumentClass class_of(const ops::SchemaType& type) {
  using ArgumentClass = BoundTypeRule::ArgumentClass;
  using ops::SchemaTypeKind;
  if (type.is(SchemaTypeKind::kTensor)) return ArgumentClass::kTensor;
  const ops::SchemaType& inner = type.without_optional();
  if (inner.is(SchemaTypeKind::kTensor)) return ArgumentClass::kOptionalTensor;
  if (inner.is_list() && inner.innermost().is(SchemaTypeKind::kTensor))
    return ArgumentClass::kTensorList;
  // torch.ops converts a number to a list for `int[2]`, but not for `SymInt[2]`.
  const bool is_list =
      inner.is_list() && (!inner.list_size() || inner.innermost().is(SchemaTypeKind::kSymInt));
  return is_list ? ArgumentClass::kList : ArgumentClass::kOther;
}

/// True if the operator converts its operand to the dtype of the tensor that it writes to, or
/// copies its result to that tensor. The dtypes then need not be castable.
bool converts_operand(std::string_view op) {
  constexpr std::string_view kNames[] = {
      "aten.all.",      "aten.any.",       "aten.cumprod.",
      "aten.cumprod_.", "aten.cumsum.",    "aten.cumsum_.",
      "aten._fft_c2c.", "aten._fft_c2r.",  "aten._fft_r2c.",
      "aten.sum.",      "aten.nansum.",    "aten.mean.",
      "aten.prod.",     "aten.logsumexp.", "aten.linalg_solve_triangular."};
  return starts_with_any(op, kNames);
}

/// Operators whose out= forms libtorch generates from the functional forms: they do not cast. The
/// kinds of the arguments (call_rules.inc) do not show this where operands of different dtypes are
/// promoted.
constexpr std::string_view kExactOut[] = {
    "aten.add.Scalar_out",
    "aten.bitwise_and.Scalar_Tensor_out",
    "aten.bitwise_left_shift.Scalar_Tensor_out",
    "aten.bitwise_or.Scalar_Tensor_out",
    "aten.bitwise_right_shift.Scalar_Tensor_out",
    "aten.bitwise_xor.Scalar_Tensor_out",
    "aten.div.Scalar_mode_out",
    "aten.div.Scalar_out",
    "aten.floor_divide.Scalar_out",
    "aten.mul.Scalar_out",
    "aten.prod.out",
    "aten.remainder.Scalar_Tensor_out",
    "aten.rsub.Scalar_out",
    "aten.rsub.Tensor_out",
    "aten.sub.Scalar_out",
    "aten.sum.out",
};

}  // namespace

const BoundTypeRule* find_type_rule(const ops::OpInfo& op) { return bound_table().find(op); }

/// Adds a parameter of the called operator. Its slot is that of the functional form's parameter of
/// the same name, or a new one.
void BoundTypeRule::add_formal(const ops::SchemaArgument& argument) {
  Formal formal{.name = argument.name, .argument_class = class_of(argument.type)};
  if (formal.argument_class == ArgumentClass::kList && call_style(*op) == CallStyle::kPython)
    formal.argument_class = ArgumentClass::kOther;
  size_t slot = 0;
  while (slot < size && slots[slot].name != argument.name) ++slot;
  // An in-place form may have a default that the functional form does not have (bernoulli_).
  if (slot < size && !slots[slot].has_default && argument.default_value) {
    slots[slot].has_default = true;
    slots[slot].default_value = schema_default(argument);
  }
  if (slot == size) {
    slot = slots.size();
    slots.push_back({.name = argument.name, .has_default = argument.default_value.has_value()});
  }
  formal.slot = static_cast<uint8_t>(slot);
  const uint64_t bit = slot < 64 ? uint64_t{1} << slot : 0;
  if (!slots[slot].has_default) required |= bit;
  if (formal.has_tensors()) tensors |= bit;
  formals.push_back(formal);
}

BoundTypeRule::BoundTypeRule(const ops::OpInfo& called, const ops::OpInfo& functional,
                             BuiltInTypeFunction f, TypeForm how)
    : op(&called), function(f), form(how) {
  const ops::OpSchema& schema = called.schema();
  positional = static_cast<size_t>(schema.positional_count());
  returns_nothing = schema.returns().empty() && !schema.is_varret();
  is_vararg = schema.is_vararg();
  needs_one_device = shape::needs_one_device(called);
  call_row = shape::find_call_row(called);
  requirement = shape::find_requirement(functional);
  may_change_arguments =
      how != TypeForm::kCopy &&
      (may_change_metadata(called) ||
       std::ranges::any_of(called.output_aliases(), [](const ops::OutputAlias& alias) {
         return alias.kind == ops::AliasKind::kSame;
       }));
  changes_sizes_in_place = how == TypeForm::kInPlace && called.has(ops::OpTrait::kWritesMetadata);
  for (const ops::SchemaArgument& argument : functional.schema().arguments()) {
    if (&called != &functional && argument.is_out()) break;
    Slot slot{.name = argument.name, .has_default = argument.default_value.has_value()};
    if (slot.has_default) slot.default_value = schema_default(argument);
    slots.push_back(std::move(slot));
  }
  size = slots.size();
  // Factories (including linspace of tensors, and factories of tensors like an operand) and random
  // generators write numbers into the tensor. Scans,
  // any() and all() convert their operand first.
  casts_result =
      (how == TypeForm::kInPlace || how == TypeForm::kOut) &&
      !called.effects().has(ops::Effect::kRandom) && !called.name().starts_with("aten.linspace.") &&
      !called.name().starts_with("aten.logspace.") && !called.name().starts_with("aten.new_") &&
      called.name().find("_like.") == std::string_view::npos && !converts_operand(called.name()) &&
      std::ranges::any_of(functional.schema().arguments(), [](const auto& argument) {
        return class_of(argument.type) >= ArgumentClass::kTensor;
      });
  for (const ops::SchemaArgument& argument : schema.arguments()) add_formal(argument);
  // Arguments that only the functional form has are None.
  defaults.resize(slots.size());
  all = slots.size() < 64 ? (uint64_t{1} << slots.size()) - 1 : ~uint64_t{0};
  for (Slot& slot : slots) {
    const auto index_in_called = schema.find_argument(slot.name);
    if (index_in_called < 0) slot.has_default = true;
    if (!slot.default_value.is_none())
      defaults[static_cast<size_t>(&slot - slots.data())] = TypeArgument(slot.default_value);
  }
  if (how == TypeForm::kOut && schema.find_argument("dtype") >= 0)
    dtype_slot = functional.schema().find_argument("dtype");
  exact_out = how == TypeForm::kOut && std::ranges::binary_search(kExactOut, called.name());
  accepted_dtypes = shape::dtypes_accepted_everywhere(*this, shape::OtherKinds::kAll);
  accepted_dtypes_by_default =
      shape::dtypes_accepted_everywhere(*this, shape::OtherKinds::kDefault);
  // Running statistics and saved noise are written, but are not results.
  for (uint8_t index : called.written_arguments()) {
    if (how == TypeForm::kOut && !schema.arguments()[index].is_out()) continue;
    written.push_back(formals[index].slot);
  }
  if (!schema.returns().empty() && written.size() > schema.returns().size())
    written.resize(schema.returns().size());
}

namespace {

/// The key of the rules stored in a Context.
constexpr char kRulesOfContext = 0;

uint64_t new_rules_id() {
  static std::atomic<uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

TypeRules::TypeRules() : id_(new_rules_id()) {}
TypeRules::~TypeRules() = default;
TypeRules::TypeRules(TypeRules&&) noexcept = default;
TypeRules& TypeRules::operator=(TypeRules&&) noexcept = default;

TypeRules& TypeRules::of(Context& context) {
  const auto make = [] {
    return Attachment(new TypeRules(), [](void* rules) { delete static_cast<TypeRules*>(rules); });
  };
  return *static_cast<TypeRules*>(attachment(context, &kRulesOfContext, make));
}

const TypeRules* TypeRules::find_in(const Context& context) {
  return static_cast<const TypeRules*>(find_attachment(context, &kRulesOfContext));
}

absl::Status TypeRules::add(Context& context, std::string_view name, TypeFunction function,
                            std::string_view origin) {
  if (!function)
    return absl::InvalidArgumentError(fmt::format("the type function of {} is empty", name));
  const ops::OpInfo* op = context.ops().find(name);
  if (!op) {
    return absl::NotFoundError(
        fmt::format("unknown operator {}; add it to the Context first", name));
  }
  auto rule = std::make_unique<BoundTypeRule>(*op, *op, nullptr, TypeForm::kPlain);
  rule->custom_function = [function = std::move(function),
                           who = std::string(origin)](TypeCall& call) {
    return without_exceptions([&] { return function(call); },
                              [&](std::string_view what) {
                                return call.fail(fmt::format("{}{}its type function threw {}", who,
                                                             who.empty() ? "" : ": ", what));
                              });
  };
  custom_[op] = std::move(rule);
  id_ = new_rules_id();
  return absl::OkStatus();
}

const BoundTypeRule* TypeRules::find(const ops::OpInfo& op) const {
  if (!custom_.empty())
    if (const auto it = custom_.find(&op); it != custom_.end()) return it->second.get();
  return find_type_rule(op);
}

}  // namespace fx
