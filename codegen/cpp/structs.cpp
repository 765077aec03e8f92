#include "fx/codegen/cpp/structs_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include <algorithm>

namespace fx::cpp {
namespace {

constexpr size_t kMaxParts = 32;

bool is_number(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the name of a module's member: `layer1`; `m0` for the number 0.
std::string member_name_of(std::string_view part) {
  return is_number(part) ? absl::StrCat("m", std::string(part)) : plain_name(part);
}
std::string type_name_of(std::string_view part) {
  if (is_number(part)) return absl::StrCat("Module", std::string(part));
  std::string name = plain_name(part);
  name[0] = absl::ascii_toupper(static_cast<unsigned char>(name[0]));
  return is_plain_name(name) ? name : absl::StrCat("Module_", name);
}

}  // namespace

std::vector<std::string_view> path_parts(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t dot = parts.size() + 1 < kMaxParts ? path.find('.') : std::string_view::npos;
    parts.push_back(path.substr(0, dot));
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return parts;
}

// ---------------------------------------------------------------- structs

std::string Struct::unique(const std::string& name) {
  std::string candidate = name;
  for (int i = 1; !taken.insert(candidate).second; ++i) candidate = absl::StrCat(name, "_", i);
  return candidate;
}

uint32_t Structs::at(std::string_view path) {
  uint32_t place = 0;
  if (!nested_) return place;
  for (const std::string_view part : path_parts(path)) {
    const auto [entry, is_new] =
        children_.try_emplace({place, std::string(part)}, static_cast<uint32_t>(structs_.size()));
    if (is_new) {
      Struct& outer = structs_[place];
      Struct made;
      made.parent = place;
      made.depth = outer.depth + 1;
      made.member_name = outer.unique(member_name_of(part));
      made.type_name = outer.unique(type_name_of(part));
      made.taken.insert(made.type_name);
      outer.children.push_back(entry->second);
      structs_.push_back(std::move(made));
    }
    place = entry->second;
  }
  return place;
}

size_t Structs::member(std::string_view path, Type type) {
  const auto [entry, is_new] = by_path_.try_emplace(std::string(path), members.size());
  if (!is_new) return entry->second;
  const std::string_view last = nested_ ? path.substr(path.rfind('.') + 1) : path;
  const uint32_t owner = nested_ ? at(parent_path(path)) : 0;
  Struct& holder = structs_[owner];
  const std::string name = holder.unique(plain_name(last));
  holder.members.push_back(members.size());
  owners_.push_back(owner);
  names_.push_back(name);
  members.push_back(
      {access(owner, 0).substr(std::string_view("this->").size()) + name, std::string(path), type});
  return entry->second;
}

bool Structs::holds(uint32_t outer, uint32_t inner) const {
  while (structs_[inner].depth > structs_[outer].depth) inner = structs_[inner].parent;
  return inner == outer;
}

std::string Structs::access(uint32_t to, uint32_t from) const {
  std::vector<uint32_t> chain;
  for (; to != from; to = structs_[to].parent) chain.push_back(to);
  std::string text = "this->";
  for (auto link = chain.rbegin(); link != chain.rend(); ++link)
    absl::StrAppend(&text, structs_[*link].member_name, ".");
  return text;
}

std::string Structs::expression(size_t member, uint32_t from) const {
  if (!holds(from, owners_[member])) return {};
  return access(owners_[member], from) + names_[member];
}

// ---------------------------------------------------------------- regions

/// Adds a call to the innermost region of its module, which is opened if it is not open.
void Regions::enter(const Node& node) {
  const bool backward = is_backward(node);
  uint32_t place = node.is_output() ? 0 : structs_->at(module_path(node));
  std::vector<uint32_t> chain;  // the structs from the class down to its module
  for (; place != 0; place = (*structs_)[place].parent) chain.push_back(place);
  std::ranges::reverse(chain);
  const auto fits = [&](int32_t region) {
    const Region& open = at(region);
    return static_cast<size_t>(open.depth) < chain.size() &&
           chain[static_cast<size_t>(open.depth)] == open.module && open.is_backward == backward;
  };
  while (open_ >= 0 && !fits(open_)) open_ = at(open_).parent;
  for (size_t i = static_cast<size_t>(depth(open_)) + 1; i < chain.size(); ++i) {
    Region region;
    region.module = chain[i];
    region.parent = open_;
    region.depth = static_cast<int>(i);
    region.is_backward = backward;
    region.first = &node;
    open_ = static_cast<int32_t>(all_.size());
    all_.push_back(std::move(region));
  }
  of_[node] = open_;
  for (int32_t r = open_; r >= 0; r = at(r).parent) at(r).last = &node;
}

int32_t Regions::common(int32_t a, int32_t b) const {
  while (a != b) {
    if (depth(a) >= depth(b)) {
      a = all_[static_cast<size_t>(a)].parent;
    } else {
      b = all_[static_cast<size_t>(b)].parent;
    }
  }
  return a;
}

/// Returns the region that provides a value that the region `reader` uses.
int32_t Regions::home(const Node& value, int32_t reader) const {
  const int32_t owner = owners_[value];
  if (owner < 0) return of_[value];
  while (reader >= 0 &&
         !structs_->holds(all_[static_cast<size_t>(reader)].module, static_cast<uint32_t>(owner)))
    reader = all_[static_cast<size_t>(reader)].parent;
  return reader;
}

/// Records the use of a value by a node: the regions that the value leaves and enters, and its last
/// uses. Nodes must be passed in order.
void Regions::add_use(const Node& node, const Node* value, PassedValues& passed) {
  const int32_t made = home(*value, of_[node]);
  if (owners_[*value] >= 0) {
    if (made < 0) of_[*value] = -1;
    if (made >= 0 && passed.emplace(made, value).second) at(made).tensors.push_back(value);
  }
  const int32_t top = common(of_[node], made);
  // The value is an output of the regions around its definition, and an input of those around its
  // use.
  for (int32_t r = made; r != top; r = at(r).parent) {
    last_[{r, value}].is_output = true;
    if (passed.emplace(r, value).second) at(r).outputs.push_back(value);
  }
  for (int32_t r = of_[node]; r != top; r = at(r).parent)
    if (passed.emplace(r, value).second) at(r).inputs.push_back(value);
  last_[{of_[node], value}].reader = &node;
  for (int32_t r = of_[node]; r != top; r = at(r).parent) {
    LastUse& use = last_[{at(r).parent, value}];
    use.reader = nullptr;
    use.called = r;
  }
}

void Regions::find_uses(const Graph& graph) {
  PassedValues passed;
  for (const Node& node : graph.nodes())
    node.for_each_input([&](const Node* value) { add_use(node, value, passed); });
  for (Region& region : all_)
    std::ranges::sort(region.outputs,
                      [](const Node* a, const Node* b) { return a->comes_before(*b); });
}

bool Regions::dies(int32_t frame, const Node& value, const Node& reader) const {
  const auto found = last_.find({frame, &value});
  return found != last_.end() && found->second.reader == &reader && !found->second.is_output;
}

bool Regions::dies_in(int32_t frame, const Node& value, int32_t called) const {
  const auto found = last_.find({frame, &value});
  return found != last_.end() && found->second.reader == nullptr &&
         found->second.called == called && !found->second.is_output;
}

}  // namespace fx::cpp
