// Tables that libraries based on `ir` attach to a Context, such as user-defined type functions
// (TypeRules::of). They are destroyed with the Context, before its members. ir/graph/context.cpp
// defines the functions.
#pragma once

#include <memory>

namespace fx {

class Context;

using Attachment = std::unique_ptr<void, void (*)(void*)>;

/// Returns the table that is attached to the Context for `key`, which is the address of a static
/// object; null before the first call to attachment() with this key. Thread-safe.
void* find_attachment(const Context& context, const void* key);
/// Returns the table for the key; `make` creates it on the first call. Thread-safe.
void* attachment(const Context& context, const void* key, Attachment (*make)());

/// The table of type T that attach_copy() created for the Context, if any; otherwise T::standard(),
/// the table of all other Contexts.
template <class T>
const T& attached_or_standard(const Context& context, const void* key) {
  const void* const attached = find_attachment(context, key);
  return attached != nullptr ? *static_cast<const T*>(attached) : T::standard();
}
/// The table of type T that belongs to this Context: on the first call, a copy of T::standard().
template <class T>
T& attach_copy(const Context& context, const void* key) {
  const auto make = [] {
    return Attachment(new T(T::standard()), [](void* table) { delete static_cast<T*>(table); });
  };
  return *static_cast<T*>(attachment(context, key, make));
}

}  // namespace fx
