// Tables that folders above `ir` keep with a Context, such as your own type functions
// (TypeRules::of). They are destroyed with the Context, before its members. ir/graph/context.cpp
// defines the functions.
#pragma once

#include <memory>

namespace fx {

class Context;

using Attachment = std::unique_ptr<void, void (*)(void*)>;

/// Returns the table that is kept with the Context for this key, the address of a static object;
/// null before the first call of attachment() with this key. Thread-safe.
void* find_attachment(const Context& context, const void* key);
/// Returns the table for the key; `make` creates it at the first call. Thread-safe.
void* attachment(const Context& context, const void* key, Attachment (*make)());

/// The Context's own table of type T, if attach_copy() created it; otherwise T::standard(), the
/// table of all Contexts without their own.
template <class T>
const T& attached_or_standard(const Context& context, const void* key) {
  const void* const own = find_attachment(context, key);
  return own != nullptr ? *static_cast<const T*>(own) : T::standard();
}
/// The Context's own table of type T: at the first call, a copy of T::standard().
template <class T>
T& attach_copy(const Context& context, const void* key) {
  const auto make = [] {
    return Attachment(new T(T::standard()), [](void* table) { delete static_cast<T*>(table); });
  };
  return *static_cast<T*>(attachment(context, key, make));
}

}  // namespace fx
