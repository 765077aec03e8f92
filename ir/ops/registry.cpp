// Operators that a user adds, and rows derived on demand. Built-in rows are found without a lock.
#include "fx/ir/ops/registry.h"

#include "fx/ir/ops/derived_functions_internal.h"
#include "fx/ir/ops/op_table_internal.h"
#include "fx/ir/ops/op_variants_internal.h"
#include "fx/ir/ops/packets.h"
#include "fx/ir/support/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace fx::ops {
namespace {

bool is_dotted_name(std::string_view name) {
  bool in_word = false;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (!letter && !(in_word && (digit || c == '.'))) return false;
    in_word = c != '.';
  }
  return in_word;
}

/// Checks a user's schema and converts it to the text of a row.
absl::StatusOr<std::string> row_text(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('('));
  std::string_view prefix;  // for a function, its name up to the last component
  if (name.find("::") == std::string_view::npos) {
    if (!is_dotted_name(name) || name.find('.') == std::string_view::npos) {
      return absl::InvalidArgumentError(fmt::format(
          "'{}' is not a valid operator name: write namespace::name(...) for an operator, "
          "module.name(...) for a function",
          name));
    }
    prefix = name.substr(0, name.rfind('.') + 1);
  }
  FX_ASSIGN_OR_RETURN(const OpSchema schema, parse_schema(text.substr(prefix.size())));
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const std::string_view argument = schema.arguments()[i].name;
    if (schema.find_argument(argument) != static_cast<int>(i)) {
      return absl::InvalidArgumentError(
          fmt::format("operator {} has two arguments named '{}'", name, argument));
    }
  }
  std::string normal = std::string(prefix) + to_string(schema);
  if (normal.size() > 65535) {
    return absl::InvalidArgumentError(fmt::format("the schema of {} is too long", name));
  }
  return normal;
}

/// The name as a target: `mylib.foo.default`.
std::string target_name(std::string_view name) {
  const size_t colons = name.find("::");
  if (colons == std::string_view::npos) return std::string(name);
  std::string target = fmt::format("{}.{}", name.substr(0, colons), name.substr(colons + 2));
  if (name.find('.', colons) == std::string_view::npos) target += ".default";
  return target;
}

}  // namespace

struct OpRegistry::Row {
  Row(std::string row_text, uint16_t traits, Effects effects)
      : text(std::move(row_text)), op(text, traits, effects) {}
  const std::string text;
  OpInfo op;
};

OpRegistry::OpRegistry() = default;
OpRegistry::~OpRegistry() {
  for (const auto& row : rows_) row->op.delete_details();
}

OpRegistry::Row& OpRegistry::make_row(std::string text, uint16_t traits, Effects effects) const {
  rows_.push_back(std::make_unique<Row>(std::move(text), traits, effects));
  return *rows_.back();
}

absl::StatusOr<const OpInfo*> OpRegistry::add(std::string_view schema, const OpOptions& options) {
  FX_ASSIGN_OR_RETURN(std::string text, row_text(schema));
  const std::string name = target_name(std::string_view(text).substr(0, text.find('(')));
  uint16_t traits = 0;
  for (const OpTrait trait : options.traits) traits |= static_cast<uint16_t>(trait);
  if (find_op(name)) {
    return absl::AlreadyExistsError(
        fmt::format("{} is in the built-in table; use add_effects to add effects to it", name));
  }
  const std::unique_lock lock(mutex_);
  if (added_.contains(std::string_view(name))) {
    return absl::AlreadyExistsError(fmt::format("{} has already been added", name));
  }
  Row& row = make_row(std::move(text), traits, options.effects);
  added_.emplace(row.op.name(), &row);
  order_.push_back(&row.op);
  has_added_.store(true, std::memory_order_release);
  return &row.op;
}

absl::StatusOr<const OpInfo*> OpRegistry::add_effects(std::string_view name, Effects effects) {
  const OpInfo* known = find(name);
  if (!known) {
    return absl::NotFoundError(
        fmt::format("'{}' is not a known operator, and therefore already has every effect", name));
  }
  const std::unique_lock lock(mutex_);
  Row& row = make_row(std::string(known->text()), known->traits_, effects);
  row.op.inherit_details(*known);
  if (added_.insert_or_assign(row.op.name(), &row).second) order_.push_back(&row.op);
  std::ranges::replace(order_, known, static_cast<const OpInfo*>(&row.op));
  derived_.clear();  // functions that call the operator also have the effects
  has_added_.store(true, std::memory_order_release);
  return &row.op;
}

const OpInfo* OpRegistry::find_added(std::string_view name) const {
  if (!has_added_.load(std::memory_order_acquire)) return nullptr;
  const bool is_qualified = name.find("::") != std::string_view::npos;
  const std::string target = is_qualified ? target_name(name) : std::string();
  const std::shared_lock lock(mutex_);
  const auto found = added_.find(is_qualified ? std::string_view(target) : name);
  return found == added_.end() ? nullptr : &found->second->op;
}

const OpInfo* OpRegistry::find(std::string_view name) const {
  if (const OpInfo* added = find_added(name)) return added;
  if (const OpInfo* built_in = find_op(name)) return built_in;
  return derive(name);
}

const OpInfo* OpRegistry::derive(std::string_view name) const {
  const std::string called = packet_of_function(name);
  if (called.empty()) return nullptr;
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = derived_.find(name); found != derived_.end()) return &found->second->op;
  }
  const std::vector<const OpInfo*> packet = overloads(called);
  if (packet.empty() || packet.front()->is_function()) return nullptr;
  DerivedRow derived = derive_row(name, packet);
  const std::unique_lock lock(mutex_);
  if (const auto found = derived_.find(name); found != derived_.end()) return &found->second->op;
  Row& row = make_row(std::move(derived.text), derived.traits, derived.effects);
  if (derived.base) row.op.inherit_details(*derived.base);
  derived_.emplace(row.op.name(), &row);
  return &row.op;
}

const OpInfo* OpRegistry::find_method(std::string_view method) const {
  return find(std::string("torch.Tensor.").append(method));
}

Effects OpRegistry::method_effects(std::string_view method) const {
  const OpInfo* op = find_method(method);
  return op ? op->effects() : Effects::all();
}

std::vector<const OpInfo*> OpRegistry::overloads(std::string_view packet) const {
  std::vector<const OpInfo*> found;
  for (const OpInfo& op : find_overloads(packet)) {
    const OpInfo* added = find_added(op.name());
    found.push_back(added ? added : &op);
  }
  if (!has_added_.load(std::memory_order_acquire)) return found;
  const std::shared_lock lock(mutex_);
  for (const OpInfo* op : order_) {
    if (is_in_packet(*op, packet) && std::ranges::find(found, op) == found.end()) {
      found.push_back(op);
    }
  }
  return found;
}

OpVariants OpRegistry::variants(const OpInfo& op) const {
  OpVariants variants;
  if (op.is_function()) return variants;
  for (const std::string& packet : variant_packets(op)) {
    for (const OpInfo* candidate : overloads(packet)) add_variant(op, *candidate, variants);
  }
  return variants;
}

std::vector<const OpInfo*> OpRegistry::added() const {
  const std::shared_lock lock(mutex_);
  return order_;
}

}  // namespace fx::ops
