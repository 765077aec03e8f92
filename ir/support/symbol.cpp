// Interned strings: see symbol.h.
#include "fx/ir/support/symbol.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/ordered_map.h"

#include <algorithm>
#include <cstring>

namespace fx {

SymbolTable::SymbolTable() = default;

SymbolTable::~SymbolTable() {
  for (auto& page : pages_) delete[] page.load(std::memory_order_relaxed);
}

char* SymbolTable::copy_text(std::string_view text) {
  if (chunks_.empty() || text.size() > chunk_size_ - chunk_used_) {
    // A long string gets a chunk of its size; the rest of the old chunk stays unused.
    chunk_size_ = std::max<size_t>(text.size(), chunks_.empty() ? 1024 : 32768);
    chunks_.emplace_back(new char[chunk_size_]);
    chunk_used_ = 0;
  }
  char* out = chunks_.back().get() + chunk_used_;
  std::copy(text.begin(), text.end(), out);
  chunk_used_ += text.size();
  return out;
}

SymbolTable::Key::Key(std::string_view whole)
    : text(whole.data()),
      size(static_cast<uint32_t>(whole.size())),
      hash(static_cast<uint32_t>(TextHash()(whole))) {
  FX_CHECK(whole.size() < UINT32_MAX);
}

const Symbol::Data* SymbolTable::add(std::string_view text) {
  uint32_t id = ++size_;
  uint32_t page = page_of(id);
  FX_CHECK(page < kMaxPages);
  Symbol::Data* entries = pages_[page].load(std::memory_order_relaxed);
  if (!entries) {
    entries = new Symbol::Data[size_t{kFirstPageSize} << page];
    pages_[page].store(entries, std::memory_order_release);
  }
  Symbol::Data* data = &entries[slot_of(id)];
  *data = {.text = copy_text(text),
           .node_name = nullptr,
           .size = static_cast<uint32_t>(text.size()),
           .id = id,
           .form = fx::name_form(text)};
  return data;
}

Symbol SymbolTable::intern(std::string_view text) {
  Key key(text);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = by_text_.lazy_emplace(key, [&](const auto& make) {
    const Symbol::Data* data = add(text);
    key.text = data->text;
    make(key, data);
  });
  return Symbol(it->second);
}

Symbol SymbolTable::find(std::string_view text) const {
  const Key key(text);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto it = by_text_.find(key);
  return it == by_text_.end() ? Symbol() : Symbol(it->second);
}

Symbol SymbolTable::node_name(Symbol target) {
  FX_CHECK(target, "a node must have a target");
  const NameForm form = target.name_form();
  if (form.legal && form.lower) return target;
  const std::atomic_ref<const Symbol::Data*> known(
      const_cast<Symbol::Data*>(target.data_)->node_name);
  if (const Symbol::Data* name = known.load(std::memory_order_acquire)) return Symbol(name);
  const Symbol name = intern(legal_name(name_candidate(target.str(), /*is_function=*/false)));
  known.store(name.data_, std::memory_order_release);
  return name;
}

}  // namespace fx
