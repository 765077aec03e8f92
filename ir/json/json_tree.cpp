// Parses JSON: see json_tree_internal.h. nlohmann's SAX parser reads the text and calls
// TreeBuilder for each value; it builds no tree and does not recurse.
#include "fx/ir/json/json_tree_internal.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <exception>

namespace fx::json {

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "a bool";
    case Kind::kInt:
      return "an integer";
    case Kind::kBigInt:
      return "an integer that does not fit in 64 bits";
    case Kind::kFloat:
      return "a float";
    case Kind::kString:
      return "a string";
    case Kind::kArray:
      return "a list";
    case Kind::kObject:
      return "an object";
  }
  return "?";
}

// The callbacks of nlohmann's parser. A function that returns false stops it.
class TreeBuilder {
 public:
  TreeBuilder(Tree& tree, std::string_view text) : tree_(tree), source_(text) {}

  absl::Status status() const { return status_; }

  bool null() { return add({.kind = Kind::kNull, .size = 0, .end = 0, .integer = 0}); }
  bool boolean(bool value) {
    return add({.kind = Kind::kBool, .size = 0, .end = 0, .boolean = value});
  }
  bool number_integer(int64_t value) {
    return add({.kind = Kind::kInt, .size = 0, .end = 0, .integer = value});
  }
  bool number_unsigned(uint64_t value) {
    if (value <= INT64_MAX) return number_integer(static_cast<int64_t>(value));
    return add_text(Kind::kBigInt, fmt::to_string(value));
  }
  bool number_float(double value, const std::string& text) {
    // The parser reports integers that do not fit in 64 bits as floats.
    if (text.find_first_of(".eE") == std::string::npos) return add_text(Kind::kBigInt, text);
    return add({.kind = Kind::kFloat, .size = 0, .end = 0, .number = value});
  }
  bool string(const std::string& text) { return add_text(Kind::kString, text); }
  bool binary(const std::vector<uint8_t>&) { return false; }
  bool key(const std::string& text) {
    return push({.kind = Kind::kString,
                 .size = static_cast<uint32_t>(text.size()),
                 .end = 0,
                 .text = keep(text)});
  }
  bool start_object(size_t) { return open(Kind::kObject); }
  bool start_array(size_t) { return open(Kind::kArray); }
  bool end_object() {
    const uint32_t index = close();
    return check_keys(index);
  }
  bool end_array() {
    close();
    return true;
  }
  bool parse_error(size_t position, const std::string&, const std::exception& error);

 private:
  bool push(Tree::Entry entry) {
    entry.end = static_cast<uint32_t>(tree_.entries_.size() + 1);
    tree_.entries_.push_back(entry);
    return true;
  }
  bool add(const Tree::Entry& entry) {
    if (!open_.empty()) ++tree_.entries_[open_.back()].size;
    return push(entry);
  }
  uint64_t keep(const std::string& text) {
    const uint64_t offset = tree_.texts_.size();
    tree_.texts_ += text;
    return offset;
  }
  bool add_text(Kind kind, const std::string& text) {
    return add(
        {.kind = kind, .size = static_cast<uint32_t>(text.size()), .end = 0, .text = keep(text)});
  }
  bool open(Kind kind) {
    const auto index = static_cast<uint32_t>(tree_.entries_.size());
    add({.kind = kind, .size = 0, .end = 0, .integer = 0});
    tree_.entries_.back().end = UINT32_MAX;  // until it is closed
    open_.push_back(index);
    if (open_.size() <= kMaxDepth) return true;
    status_ = tree_.error_at(
        index, fmt::format("lists and objects are nested more than {} levels deep", kMaxDepth));
    return false;
  }
  uint32_t close() {
    const uint32_t index = open_.back();
    tree_.entries_[index].end = static_cast<uint32_t>(tree_.entries_.size());
    open_.pop_back();
    return index;
  }
  bool check_keys(uint32_t object);

  Tree& tree_;
  std::string_view source_;
  std::vector<uint32_t> open_;
  absl::Status status_;
};

bool TreeBuilder::check_keys(uint32_t object) {
  const uint32_t size = tree_.entries_[object].size;
  if (size < 2) return true;
  std::string_view few[16];
  absl::flat_hash_set<std::string_view> many;
  size_t count = 0;
  for (auto [key, value] : Value(&tree_, object).members()) {
    bool is_new = false;
    if (size <= std::size(few)) {
      is_new = std::find(few, few + count, key) == few + count;
      few[count++] = key;
    } else {
      is_new = many.insert(key).second;
    }
    if (is_new) continue;
    status_ = value.error(fmt::format("duplicate key \"{}\" in one object", key));
    return false;
  }
  return true;
}

bool TreeBuilder::parse_error(size_t position, const std::string&, const std::exception& error) {
  // "[json.exception...] parse error at line 1, column 2: syntax error while ..."
  std::string_view message = error.what();
  if (const size_t column = message.find(", column "); column != std::string_view::npos) {
    const size_t colon = message.find(": ", column);
    if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
  } else if (const size_t bracket = message.find("] "); bracket != std::string_view::npos) {
    message.remove_prefix(bracket + 2);
  }
  constexpr size_t kLongest = 200;
  const std::string_view before = source_.substr(0, position > 0 ? position - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  status_ = absl::InvalidArgumentError(
      fmt::format("not valid JSON at line {}, column {}: {}{}", line, before.size() - start + 1,
                  message.substr(0, kLongest), message.size() > kLongest ? " ..." : ""));
  return false;
}

absl::StatusOr<Tree> Tree::parse(std::string_view text) {
  if (text.size() >= UINT32_MAX)
    return absl::InvalidArgumentError("the JSON text must be smaller than 4 GiB");
  Tree tree;
  TreeBuilder builder(tree, text);
  const bool parsed = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  if (!parsed) return builder.status();
  return tree;
}

Value Value::find(std::string_view key) const {
  for (auto [name, value] : members())
    if (name == key) return value;
  return Value();
}

std::string_view Tree::name_of(uint32_t object) const {
  if (entries_[object].kind != Kind::kObject) return {};
  // The object may not be closed yet.
  const size_t end = std::min<size_t>(entries_[object].end, entries_.size());
  for (size_t key = object + 1; key + 1 < end; key = entries_[key + 1].end)
    if (entries_[key + 1].kind == Kind::kString && text_of(entries_[key]) == "name")
      return text_of(entries_[key + 1]);
  return {};
}

absl::Status Tree::error_at(uint32_t index, std::string_view message) const {
  // The path to the entry: at each level, the child that contains it.
  std::string pointer, node;
  bool in_nodes = false;
  for (uint32_t at = 0; at != index;) {
    const Entry& container = entries_[at];
    size_t number = 0;
    uint32_t child = at + 1;
    std::string_view key;
    if (container.kind == Kind::kObject) {
      while (entries_[child + 1].end <= index) child = entries_[child + 1].end;
      if (child == index) break;  // a key
      key = text_of(entries_[child++]);
      pointer += '/';
      for (char c : key) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    } else {
      for (; entries_[child].end <= index; child = entries_[child].end) ++number;
      pointer += fmt::format("/{}", number);
      if (in_nodes) node = name_of(child);
    }
    in_nodes = key == "nodes";
    at = child;
  }
  std::string location = pointer.empty() ? "at the top" : "at " + pointer;
  if (!node.empty()) location += fmt::format(" (node {})", node);
  return absl::InvalidArgumentError(fmt::format("{}: {}", location, message));
}

}  // namespace fx::json
