#include "fx/codegen/cpp/structs_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include <algorithm>
#include <utility>

namespace fx::cpp {
namespace {

constexpr size_t kMaxParts = 32;

bool is_number(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the member name for a part of a path: `layer1`, or `m0` for the number 0.
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
  uint32_t current_struct = 0;
  if (!nested_) return current_struct;
  for (const std::string_view part : path_parts(path)) {
    const auto [entry, is_new] = children_.try_emplace({current_struct, std::string(part)},
                                                       static_cast<uint32_t>(structs_.size()));
    if (is_new) {
      Struct& outer = structs_[current_struct];
      Struct inner;
      inner.parent = current_struct;
      inner.depth = outer.depth + 1;
      inner.member_name = outer.unique(member_name_of(part));
      inner.type_name = outer.unique(type_name_of(part));
      inner.taken.insert(inner.type_name);
      outer.children.push_back(entry->second);
      structs_.push_back(std::move(inner));
    }
    current_struct = entry->second;
  }
  return current_struct;
}

size_t Structs::member(std::string_view path, Type type) {
  const size_t index = members.size();
  const auto [entry, is_new] = by_path_.try_emplace(std::string(path), index);
  if (!is_new) return entry->second;
  CppMember member{.name = {}, .path = std::string(path), .type = type};
  for (const std::string& tied : ties_.paths(path)) {
    if (tied == path) continue;
    by_path_.emplace(tied, index);
    member.tied_paths.push_back(tied);
  }
  const std::string_view last = nested_ ? path.substr(path.rfind('.') + 1) : path;
  const uint32_t owner = nested_ ? at(parent_path(path)) : 0;
  Struct& holder = structs_[owner];
  const std::string name = holder.unique(plain_name(last));
  holder.members.push_back(members.size());
  owners_.push_back(owner);
  names_.push_back(name);
  member.name = access(owner, 0).substr(std::string_view("this->").size()) + name;
  members.push_back(std::move(member));
  return index;
}

bool Structs::contains(uint32_t outer, uint32_t inner) const {
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
  if (!contains(from, owners_[member])) return {};
  return access(owners_[member], from) + names_[member];
}

// ---------------------------------------------------------------- regions

/// Adds a call to the innermost region of its module. Opens the region if it is not open.
void Regions::enter(const Node& node) {
  const bool backward = is_backward(node);
  uint32_t inner = node.is_output() ? 0 : structs_->at(module_path(node));
  std::vector<uint32_t> chain;  // the structs from the class to the module of the node
  for (; inner != 0; inner = (*structs_)[inner].parent) chain.push_back(inner);
  std::ranges::reverse(chain);
  const auto matches = [&](int32_t region) {
    const Region& open = at(region);
    return static_cast<size_t>(open.depth) < chain.size() &&
           chain[static_cast<size_t>(open.depth)] == open.module && open.is_backward == backward;
  };
  while (open_ >= 0 && !matches(open_)) open_ = at(open_).parent;
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

/// Returns the region that defines a value that the region `user` uses.
int32_t Regions::definition_region(const Node& value, int32_t user) const {
  const int32_t owner = owners_[value];
  if (owner < 0) return of_[value];
  while (user >= 0 &&
         !structs_->contains(all_[static_cast<size_t>(user)].module, static_cast<uint32_t>(owner)))
    user = all_[static_cast<size_t>(user)].parent;
  return user;
}

/// Records the use of a value by a node: the regions that the value leaves and enters, and its last
/// uses. Must be called in the order of the nodes.
void Regions::add_use(const Node& node, const Node* value, PassedValues& passed) {
  const int32_t defining_region = definition_region(*value, of_[node]);
  if (owners_[*value] >= 0) {
    if (defining_region < 0) of_[*value] = -1;
    if (defining_region >= 0 && passed.emplace(defining_region, value).second)
      at(defining_region).tensors.push_back(value);
  }
  const int32_t common_region = common(of_[node], defining_region);
  // The value is an output of the regions that enclose its definition, and an input of the regions
  // that enclose its use.
  for (int32_t r = defining_region; r != common_region; r = at(r).parent) {
    last_[{r, value}].is_output = true;
    if (passed.emplace(r, value).second) at(r).outputs.push_back(value);
  }
  for (int32_t r = of_[node]; r != common_region; r = at(r).parent)
    if (passed.emplace(r, value).second) at(r).inputs.push_back(value);
  last_[{of_[node], value}].user = &node;
  for (int32_t r = of_[node]; r != common_region; r = at(r).parent) {
    LastUse& use = last_[{at(r).parent, value}];
    use.user = nullptr;
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

bool Regions::is_last_use(int32_t region, const Node& value, const Node& user) const {
  const auto found = last_.find({region, &value});
  return found != last_.end() && found->second.user == &user && !found->second.is_output;
}

bool Regions::is_last_use_in(int32_t region, const Node& value, int32_t called) const {
  const auto found = last_.find({region, &value});
  return found != last_.end() && found->second.user == nullptr && found->second.called == called &&
         !found->second.is_output;
}

}  // namespace fx::cpp
