// TypeCache: see type_cache.h.
#include "fx/passes/shape/type_cache.h"

#include "fx/ir/graph.h"

#include <bit>
#include <cstring>
#include <limits>

namespace fx {
namespace {

constexpr size_t kMaxItems = 32;

uint64_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

/// Appends an argument: its kind (and size), then what it holds. Equal words are equal arguments.
bool append(const ArgumentRef& value, TypeCache::Key& key, int depth) {
  const ArgumentKind kind = value.kind();
  if (kind == ArgumentKind::kNode) {
    const Type type = value.node()->type();
    if (!type) return false;
    key.words.push_back(static_cast<uint64_t>(kind));
    key.words.push_back(address(type.data()));
    return true;
  }
  if (is_aggregate(kind)) {
    const size_t size = value.size();
    if (depth == 0 || size > kMaxItems || kind == ArgumentKind::kDict) return false;
    key.words.push_back(static_cast<uint64_t>(kind) | size << 8);
    for (size_t i = 0; i < size; ++i)
      if (!append(value[i], key, depth - 1)) return false;
    return true;
  }
  key.words.push_back(static_cast<uint64_t>(kind));
  switch (kind) {
    case ArgumentKind::kNone:
    case ArgumentKind::kEllipsis:
      return true;
    case ArgumentKind::kBool:
      key.words.push_back(value.as_bool());
      return true;
    case ArgumentKind::kInt:
      key.words.push_back(static_cast<uint64_t>(value.as_int()));
      return true;
    case ArgumentKind::kFloat:
      key.words.push_back(std::bit_cast<uint64_t>(value.as_float()));
      return true;
    case ArgumentKind::kString:  // interned by the Context
      key.words.push_back(address(value.as_string().data()));
      return true;
    case ArgumentKind::kDType:
      key.words.push_back(static_cast<uint64_t>(value.as_dtype()));
      return true;
    case ArgumentKind::kDevice:
      key.words.push_back(static_cast<uint64_t>(value.as_device().type) << 16 |
                          static_cast<uint16_t>(value.as_device().index));
      return true;
    case ArgumentKind::kLayout:
      key.words.push_back(static_cast<uint64_t>(value.as_layout()));
      return true;
    case ArgumentKind::kMemoryFormat:
      key.words.push_back(static_cast<uint64_t>(value.as_memory_format()));
      return true;
    case ArgumentKind::kSymbolic:
      key.words.push_back(address(value.as_symbolic().data()));
      return true;
    default:
      return false;
  }
}

}  // namespace

bool TypeCache::make_key(const BoundTypeRule& rule, const Node& node, Key& key) {
  key.words.clear();
  key.words.push_back(address(&rule));
  key.words.push_back(node.num_args());
  for (size_t i = 0; i < node.num_args(); ++i)
    if (!append(node.arg(i), key, 4)) return false;
  for (size_t i = 0; i < node.num_kwargs(); ++i) {
    key.words.push_back(address(node.kwarg_name(i).str().data()));
    if (!append(node.kwarg_value(i), key, 4)) return false;
  }
  uint64_t hash = 0;
  for (const uint64_t word : key.words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  key.hash = hash;
  return true;
}

bool TypeCache::equals(const Entry& entry, const Key& key) const {
  return entry.size == key.words.size() &&
         std::memcmp(words_.data() + entry.begin, key.words.data(),
                     entry.size * sizeof(uint64_t)) == 0;
}

void TypeCache::clear() {
  entries_.assign(256, Entry());
  mask_ = entries_.size() - 1;
  size_ = 0;
  words_.clear();
}

void TypeCache::grow() {
  std::vector<Entry> old(2 * entries_.size());
  old.swap(entries_);
  mask_ = entries_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.size == 0) continue;
    size_t i = entry.hash & mask_;
    while (entries_[i].size != 0) i = (i + 1) & mask_;
    entries_[i] = entry;
  }
}

void TypeCache::insert(const Key& key, Type type) {
  if (words_.size() + key.words.size() > std::numeric_limits<uint32_t>::max()) return;
  if (2 * (size_ + 1) > entries_.size()) grow();
  size_t i = key.hash & mask_;
  while (entries_[i].size != 0) i = (i + 1) & mask_;
  entries_[i] = {key.hash, type, static_cast<uint32_t>(words_.size()),
                 static_cast<uint32_t>(key.words.size())};
  words_.insert(words_.end(), key.words.begin(), key.words.end());
  ++size_;
}

}  // namespace fx
