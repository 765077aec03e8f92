// Replays random edits of Python's torch.fx (make_edits.py) on fx::Graph, and compares the graphs:
// names, order, targets, arguments, users, listing, and the names of later nodes.
// Usage: replay_edits FILE.jsonl
//
// Users are compared as sets. When an argument of a node changes, torch.fx registers the node again
// as a user of all its inputs, while fxcpp registers it only as a user of the input that changed
// (docs/from_torch_fx.md).
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using nlohmann::ordered_json;
using namespace fx;

class Replay {
 public:
  explicit Replay(Context& context) : context_(context), graph_(std::make_unique<Graph>(context)) {
    graph_->set_allow_several_outputs(true);
  }

  /// Returns the first difference, or nullopt if there is none.
  std::optional<std::string> run(const ordered_json& sequence) {
    int number = 0;
    for (const ordered_json& edit : sequence["edits"]) {
      bool rejected = !apply(edit);
      if (rejected != edit.contains("error"))
        return fmt::format("edit {} {}: {}", number, edit.dump(),
                           rejected ? "rejected: " + message_ : "not rejected");
      ++number;
    }
    return compare(sequence["final"]);
  }

 private:
  Argument argument(const ordered_json& j) {
    if (j.is_null()) return Argument();
    if (j.is_boolean()) return j.get<bool>();
    if (j.is_number_integer()) return j.get<int64_t>();
    if (j.is_number_float()) return j.get<double>();
    if (j.is_string()) return j.get<std::string>();
    if (j.is_array()) return Argument::list(arguments(j));
    const std::string& tag = j.begin().key();
    const ordered_json& v = j.begin().value();
    if (tag == "n") return nodes_.at(v.get<int>());
    if (tag == "f") {
      std::string text = v.get<std::string>();
      return std::stod(text);
    }
    if (tag == "tuple") return Argument::tuple(arguments(v));
    if (tag == "slice") return Argument::slice(argument(v[0]), argument(v[1]), argument(v[2]));
    if (tag == "range")
      return Argument::range(v[0].get<int64_t>(), v[1].get<int64_t>(), v[2].get<int64_t>());
    if (tag == "ellipsis") return Argument::ellipsis();
    if (tag == "dtype") return *dtype_from_name(v.get<std::string>());
    if (tag == "device") return *device_from_name(v.get<std::string>());
    if (tag == "memory_format") return *memory_format_from_name(v.get<std::string>());
    if (tag == "op") return context_.function(v.get<std::string>());
    if (tag == "complex") {
      Argument re = argument(v[0]), im = argument(v[1]);
      return std::complex<double>(re.as_float(), im.as_float());
    }
    std::vector<std::pair<Argument, Argument>> items;
    if (tag == "map") {
      for (const auto& [key, value] : v.items()) items.emplace_back(key, argument(value));
      return Argument::dict(items);
    }
    if (tag == "dict") {
      for (const ordered_json& pair : v) items.emplace_back(argument(pair[0]), argument(pair[1]));
      return Argument::dict(items);
    }
    fmt::print(stderr, "unknown argument {}\n", j.dump());
    std::exit(1);
  }

  std::vector<Argument> arguments(const ordered_json& list) {
    std::vector<Argument> result;
    for (const ordered_json& item : list) result.push_back(argument(item));
    return result;
  }

  // The keys must remain in `keys_` while the keyword arguments are used.
  std::vector<Kwarg> kwargs(const ordered_json& map) {
    std::vector<Kwarg> result;
    for (const auto& [key, value] : map.items())
      result.emplace_back(context_.symbol(key), argument(value));
    return result;
  }

  Node* node(const ordered_json& edit, const char* key = "node") {
    return nodes_.at(edit[key].get<int>());
  }

  bool keep(const absl::Status& status) {
    message_ = std::string(status.message());
    return status.ok();
  }

  bool add(absl::StatusOr<Node*> created) {
    if (!created.ok()) return keep(created.status());
    nodes_[next_number_++] = *created;
    return true;
  }

  bool apply(const ordered_json& edit) {
    const std::string what = edit["do"].get<std::string>();
    if (what == "create") return create(edit);
    if (what == "copy") {
      std::optional<InsertPointGuard> guard;
      if (edit.contains("before")) guard.emplace(graph_->inserting_before(node(edit, "before")));
      return add(graph_->node_copy(*node(edit)));
    }
    if (what == "erase") return keep(graph_->erase_node(node(edit)));
    if (what == "replace_all_uses") {
      node(edit)->replace_all_uses_with(node(edit, "with"));
      return true;
    }
    if (what == "replace_uses") {
      std::vector<const Node*> users;
      for (const ordered_json& user : edit["users"]) users.push_back(nodes_.at(user.get<int>()));
      node(edit)->replace_uses_if(node(edit, "with"), [&](const Node& user) {
        return std::find(users.begin(), users.end(), &user) != users.end();
      });
      return true;
    }
    if (what == "replace_input") {
      node(edit)->replace_input_with(node(edit, "old"), node(edit, "new"));
      return true;
    }
    if (what == "set_args") return keep(node(edit)->set_args(arguments(edit["args"])));
    if (what == "set_kwargs") return keep(node(edit)->set_kwargs(kwargs(edit["kwargs"])));
    if (what == "update_arg")
      return keep(node(edit)->update_arg(edit["at"].get<size_t>(), argument(edit["value"])));
    if (what == "insert_arg")
      return keep(node(edit)->insert_arg(edit["at"].get<size_t>(), argument(edit["value"])));
    if (what == "update_kwarg")
      return keep(
          node(edit)->update_kwarg(edit["key"].get<std::string>(), argument(edit["value"])));
    if (what == "move_before") return keep(node(edit)->move_before(*node(edit, "anchor")));
    if (what == "move_after") return keep(node(edit)->move_after(*node(edit, "anchor")));
    if (what == "rename") {
      node(edit)->rename(edit["name"].get<std::string>());
      return true;
    }
    if (what == "graph_copy") return copy_graph(edit["output"].get<bool>());
    fmt::print(stderr, "unknown edit {}\n", what);
    std::exit(1);
  }

  bool create(const ordered_json& edit) {
    std::optional<InsertPointGuard> guard;
    if (edit.contains("before")) guard.emplace(graph_->inserting_before(node(edit, "before")));
    if (edit.contains("after")) guard.emplace(graph_->inserting_after(node(edit, "after")));
    std::string name = edit.value("name", "");
    std::string target = edit["target"].get<std::string>();
    std::vector<Argument> args = arguments(edit.value("args", ordered_json::array()));
    std::vector<Kwarg> keywords = kwargs(edit.value("kwargs", ordered_json::object()));
    return add(graph_->create_node(*opcode_from_name(edit["op"].get<std::string>()), target, args,
                                   keywords, {.name = name}));
  }

  bool copy_graph(bool with_output) {
    auto to = std::make_unique<Graph>(context_);
    to->set_allow_several_outputs(true);
    NodeMapping map;
    auto result = to->graph_copy(*graph_, map);
    if (!result.ok()) return keep(result.status());
    std::map<int, Node*> copies;
    for (auto& [number, old] : nodes_)
      if (auto it = map.find(old); it != map.end()) copies[number] = it->second.as_node();
    nodes_ = std::move(copies);
    graph_ = std::move(to);
    if (!with_output) return true;
    return add(graph_->create_node(Opcode::kOutput, "output", {result->value_or(Argument())}));
  }

  std::optional<std::string> compare(const ordered_json& expected) {
    // Checks the invariants that hold for every graph, including graphs that are not in order.
    for (const Finding& finding : verify(*graph_).findings) {
      switch (finding.invariant) {
        case Invariant::kNodeList:
        case Invariant::kOrderKeys:
        case Invariant::kIds:
        case Invariant::kUniqueNames:
        case Invariant::kOperands:
        case Invariant::kUseLists:
          return finding.str();
        default:
          break;
      }
    }
    std::string listing = print(*graph_, {.preset = PrintPreset::kTorch});
    if (!listing.empty() && listing.back() == '\n') listing.pop_back();
    if (listing != expected["listing"].get<std::string>()) {
      return fmt::format("listing:\n{}\nexpected:\n{}", listing,
                         expected["listing"].get<std::string>());
    }
    size_t i = 0;
    for (Node& n : graph_->nodes()) {
      const ordered_json& e = expected["nodes"][i++];
      if (n.name() != e["name"].get<std::string>() ||
          opcode_name(n.op()) != e["op"].get<std::string>() ||
          n.target() != e["target"].get<std::string>()) {
        return fmt::format("node {}: {}", n.name(), e.dump());
      }
      std::vector<std::string> users, expected_users = e["users"].get<std::vector<std::string>>();
      for (Node* user : n.users()) users.push_back(user->name());
      std::sort(users.begin(), users.end());
      std::sort(expected_users.begin(), expected_users.end());
      if (users != expected_users) return fmt::format("users of {}: {}", n.name(), e.dump());
    }
    for (const ordered_json& probe : expected["probes"]) {
      std::string name = probe[0].get<std::string>();
      std::string got = graph_->placeholder("probe", {.name = name})->name();
      if (got != probe[1].get<std::string>())
        return fmt::format("a new node {} has the name {}, expected {}", name, got,
                           probe[1].dump());
    }
    return std::nullopt;
  }

  Context& context_;
  std::unique_ptr<Graph> graph_;
  std::map<int, Node*> nodes_;
  int next_number_ = 0;
  std::string message_;
};

}  // namespace

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    fmt::print(stderr, "usage: replay_edits FILE.jsonl\n");
    return 2;
  }
  Context context;
  int passed = 0, failed = 0;
  for (std::string line; std::getline(file, line);) {
    ordered_json sequence = ordered_json::parse(line);
    if (auto difference = Replay(context).run(sequence)) {
      if (++failed <= 5) fmt::print("seed {}: {}\n", sequence["seed"].dump(), *difference);
    } else {
      ++passed;
    }
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
