// Class names of named tuples and their fields: see python_objects.h.
#include "fx/ir/python/python_objects.h"

#include "fx/ir/support/text_tokens.h"

#include "absl/container/flat_hash_set.h"

#include <algorithm>

namespace fx {
namespace {

/// The position of the `(` before the fields; npos if the name has none.
size_t find_fields(std::string_view type_name, size_t num_items) {
  const size_t open = type_name.find('(');
  if (num_items == 0 || open == std::string_view::npos || !type_name.ends_with(')'))
    return std::string_view::npos;
  std::string_view fields = type_name.substr(open + 1, type_name.size() - open - 2);
  if (fields.ends_with(", ")) return std::string_view::npos;
  absl::flat_hash_set<std::string_view> seen;
  while (!fields.empty()) {
    const std::string_view field = next_struct_field(fields);
    if (!text::is_key(field) || !seen.insert(field).second) return std::string_view::npos;
  }
  return seen.size() == num_items ? open : std::string_view::npos;
}

}  // namespace

std::string_view struct_class(std::string_view type_name, size_t num_items) {
  return type_name.substr(0, find_fields(type_name, num_items));
}

std::string_view struct_fields(std::string_view type_name, size_t num_items) {
  const size_t open = find_fields(type_name, num_items);
  if (open == std::string_view::npos) return {};
  return type_name.substr(open + 1, type_name.size() - open - 2);
}

std::string_view next_struct_field(std::string_view& fields) {
  const size_t end = std::min(fields.size(), fields.find(", "));
  const std::string_view field = fields.substr(0, end);
  fields.remove_prefix(std::min(fields.size(), end + 2));
  return field;
}

}  // namespace fx
