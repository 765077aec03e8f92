// Rows are in static arrays; the compiler computes the hashes of their names. The first lookup in
// a process builds the index of all rows, in about 100 microseconds.
#include "fx/ir/ops/op_rows_internal.h"
#include "fx/ir/ops/op_table_internal.h"
#include "fx/ir/support/check.h"

namespace fx::ops {
namespace {

struct NameParts {
  std::string_view name_space;
  std::string_view base;
  std::string_view overload;  // empty: no overload
};

/// Splits PyTorch's spelling, `aten::add.Tensor`.
NameParts split(std::string_view name) {
  const size_t colons = name.find("::");
  NameParts parts{name.substr(0, colons), name.substr(colons + 2), {}};
  const size_t dot = parts.base.find('.');
  if (dot != std::string_view::npos) {
    parts.overload = parts.base.substr(dot + 1);
    parts.base = parts.base.substr(0, dot);
  }
  return parts;
}

bool is_qualified(std::string_view name) { return name.find("::") != std::string_view::npos; }

std::vector<OpFamily> list_families() {
  std::vector<OpFamily> families;
  for (const FamilyRow& row : kGeneratedFamilies) families.push_back({row.name, *row.ops});
  families.push_back({"python_functions", kPythonFunctionOps});
  families.push_back({"torch_functions", kTorchFunctionOps});
  families.push_back({"tensor_methods", kTensorMethodOps});
  families.push_back({"higher_order", kHigherOrderOps});
  return families;
}

}  // namespace

bool is_named(const OpInfo& op, std::string_view name) {
  const std::string_view full = op.qualified_name();
  if (op.is_function()) return full == name;
  if (is_qualified(name)) {
    if (full == name) return true;
    const NameParts parts = split(name);  // `aten::relu.default` is `aten::relu`
    return parts.overload == "default" && full == name.substr(0, name.size() - sizeof("default"));
  }
  const size_t colons = full.find(':');
  if (name.size() <= colons || name[colons] != '.' || !name.starts_with(full.substr(0, colons))) {
    return false;
  }
  const std::string_view requested = name.substr(colons + 1);
  const std::string_view local = full.substr(colons + 2);
  const size_t dot = local.find('.');
  if (dot != std::string_view::npos) return requested == local;
  return requested.starts_with(local) && requested.substr(local.size()) == ".default";
}

bool is_in_packet(const OpInfo& op, std::string_view packet) {
  const std::string_view full = op.qualified_name();
  if (op.is_function()) return full == packet;
  const NameParts parts = split(full);
  const size_t colons = parts.name_space.size();
  const std::string_view separator = is_qualified(packet) ? "::" : ".";
  return packet.starts_with(parts.name_space) && packet.substr(colons).starts_with(separator) &&
         packet.substr(colons + separator.size()) == parts.base;
}

uint32_t hash_of_name(std::string_view name) {
  if (!is_qualified(name)) return internal::hash_name(name);
  const NameParts parts = split(name);
  uint32_t hash = internal::hash_name(parts.name_space);
  hash = internal::hash_name(parts.base, internal::hash_name(".", hash));
  hash = internal::hash_name(".", hash);
  return internal::hash_name(parts.overload.empty() ? "default" : parts.overload, hash);
}

uint32_t hash_of_packet(std::string_view packet) {
  if (!is_qualified(packet)) return internal::hash_name(packet);
  const NameParts parts = split(packet);
  const uint32_t hash = internal::hash_name(".", internal::hash_name(parts.name_space));
  return internal::hash_name(parts.base, hash);
}

OpTable::OpTable() : families_(list_families()), by_name_(kSlots), by_packet_(kSlots) {
  size_t count = 0;
  for (const OpFamily& family : families_) count += family.ops.size();
  FX_CHECK(count < kSlots / 2, "the index of the operator table is too small");
  rows_.reserve(count);
  for (const OpFamily& family : families_) {
    const OpInfo* previous = nullptr;
    for (const OpInfo& op : family.ops) {
      insert(by_name_, op.hash_, rows_.size());
      // Overloads of a packet are adjacent: the index contains the first one.
      if (!previous || previous->packet_hash_ != op.packet_hash_) {
        insert(by_packet_, op.packet_hash_, rows_.size());
      }
      previous = &op;
      rows_.push_back(&op);
    }
  }
}

void OpTable::insert(Slots& slots, uint32_t hash, size_t number) {
  size_t at = hash % kSlots;
  while (slots[at] != 0) at = (at + 1) % kSlots;
  slots[at] = static_cast<uint16_t>(number + 1);
}

const OpTable& OpTable::get() {
  static const OpTable* const kTable = new OpTable;  // never destroyed: destructors may use it
  return *kTable;
}

const OpInfo* OpTable::find(std::string_view name) const {
  if (name.ends_with('.')) return nullptr;  // `aten.relu.` names no overload
  const uint32_t hash = hash_of_name(name);
  for (size_t at = hash % kSlots; by_name_[at] != 0; at = (at + 1) % kSlots) {
    const OpInfo* op = rows_[by_name_[at] - 1U];
    if (op->hash_ == hash && is_named(*op, name)) return op;
  }
  return nullptr;
}

std::span<const OpInfo> OpTable::overloads(std::string_view packet) const {
  const uint32_t hash = hash_of_packet(packet);
  for (size_t at = hash % kSlots; by_packet_[at] != 0; at = (at + 1) % kSlots) {
    const size_t first = by_packet_[at] - 1U;
    if (rows_[first]->packet_hash_ != hash || !is_in_packet(*rows_[first], packet)) continue;
    size_t end = first + 1;
    while (end < rows_.size() && rows_[end]->packet_hash_ == hash) ++end;
    return {rows_[first], end - first};
  }
  return {};
}

const OpInfo* find_op(std::string_view name) { return OpTable::get().find(name); }
std::span<const OpInfo> find_overloads(std::string_view packet) {
  return OpTable::get().overloads(packet);
}
std::span<const OpFamily> op_families() { return OpTable::get().families(); }

}  // namespace fx::ops
