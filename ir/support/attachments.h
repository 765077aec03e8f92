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
/// Returns the table for the key; `make` makes it at the first call. Thread-safe.
void* attachment(const Context& context, const void* key, Attachment (*make)());

}  // namespace fx
