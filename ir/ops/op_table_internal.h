// OpTable: the index of the built-in table, from names to rows.
#pragma once

#include "fx/ir/ops/op_info.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fx::ops {

/// True if `name` is the name of the operator in either spelling: `aten.add.Tensor`,
/// `aten::add.Tensor`.
bool is_named(const OpInfo& op, std::string_view name);
/// True if `packet` is the packet of the operator in either spelling: `aten.add`, `aten::add`.
bool is_in_packet(const OpInfo& op, std::string_view packet);
/// The hash of a name or a packet; the same for both spellings.
uint32_t hash_of_name(std::string_view name);
uint32_t hash_of_packet(std::string_view packet);

class OpTable {
 public:
  /// The table, built by the first call.
  static const OpTable& get();

  const OpInfo* find(std::string_view name) const;
  std::span<const OpInfo> overloads(std::string_view packet) const;
  std::span<const OpFamily> families() const { return families_; }

 private:
  /// Open addressing with linear probing; a slot contains the index of a row plus one, or 0.
  using Slots = std::vector<uint16_t>;
  static constexpr size_t kSlots = 16384;

  OpTable();
  static void insert(Slots& slots, uint32_t hash, size_t number);

  std::vector<OpFamily> families_;
  std::vector<const OpInfo*> rows_;
  Slots by_name_;
  Slots by_packet_;  // the first row of each packet
};

}  // namespace fx::ops
