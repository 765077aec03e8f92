// Fuzzes sequences of edits: the input selects edits, which are applied to a Graph and to a simple
// model (a vector of nodes with their argument trees, searched linearly). After each edit, the two
// are compared, and the verifier runs.
#include "fx/ir/files/binary.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using fx::Argument;
using fx::Node;

/// Returns numbers from the bytes, and 0 after the last byte.
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}
  bool any() const { return at_ != end_; }
  size_t below(size_t bound) { return at_ == end_ || bound == 0 ? 0 : *at_++ % bound; }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

struct ModelNode {
  Node* node;
  std::vector<Argument> args;
  std::vector<std::pair<std::string, Argument>> kwargs;
  std::string name;
};

constexpr size_t kMaxNodes = 48;
constexpr const char* kFunctions[] = {"aten.relu.default", "user.f", "operator.getitem"};
constexpr const char* kKeys[] = {"a", "b", "c"};

class Editor {
 public:
  Editor(const uint8_t* data, size_t size)
      : choices_(data, size), graph_(std::make_unique<fx::Graph>(context_)) {
    add(graph_->placeholder("x"), {}, {});
  }

  void run() {
    while (choices_.any()) {
      edit();
      compare();
    }
  }

 private:
  Node* node(size_t i) { return model_[i].node; }
  size_t pick() { return choices_.below(model_.size()); }
  size_t place_of(const Node* node) const {
    for (size_t i = 0; i < model_.size(); ++i)
      if (model_[i].node == node) return i;
    FX_UNREACHABLE("the node is not in the model");
  }

  void add(Node* created, std::vector<Argument> args,
           std::vector<std::pair<std::string, Argument>> kwargs, size_t at = 0) {
    const std::string name = created->name();
    FX_CHECK(names_.insert(name).second, "names must be unique");
    model_.insert(model_.begin() + static_cast<std::ptrdiff_t>(at),
                  {created, std::move(args), std::move(kwargs), name});
  }

  /// Returns a value for an argument of a node at position `before`; its nodes precede that
  /// position.
  Argument value(size_t before, int depth = 0) {
    switch (choices_.below(depth < 3 ? 9 : 6)) {
      case 0:
        return static_cast<int64_t>(choices_.below(256));
      case 1:
        return "text";
      case 2:
        return std::complex<double>(1, 2);
      case 3:
      case 4:
      case 5:
        return before == 0 ? Argument::none() : Argument(node(choices_.below(before)));
      case 6:
        return Argument::list(values(before, depth + 1));
      case 7:
        return Argument::dict({{"k", value(before, depth + 1)}, {7, value(before, depth + 1)}});
      default:
        return Argument::slice(value(before, depth + 1), Argument::none(),
                               value(before, depth + 1));
    }
  }
  std::vector<Argument> values(size_t before, int depth = 0) {
    std::vector<Argument> result;
    for (size_t n = choices_.below(5); n > 0; --n) result.push_back(value(before, depth));
    return result;
  }

  static bool holds(const Argument& value, const Node* node) {
    if (value.node() == node) return true;
    for (size_t i = 0; i < value.size(); ++i)
      if (holds(value[i], node)) return true;
    return false;
  }
  static size_t count(const Argument& value, const Node* node) {
    size_t sum = value.node() == node ? 1 : 0;
    for (size_t i = 0; i < value.size(); ++i) sum += count(value[i], node);
    return sum;
  }
  static size_t count(const ModelNode& user, const Node* node) {
    size_t sum = 0;
    for (const Argument& arg : user.args) sum += count(arg, node);
    for (const auto& [key, arg] : user.kwargs) sum += count(arg, node);
    return sum;
  }
  static void replace(ModelNode& user, Node* from, const Argument& to) {
    const auto put = [&](Node* n) { return n == from ? to : Argument(n); };
    for (Argument& arg : user.args) arg = fx::map_nodes(arg, put);
    for (auto& [key, arg] : user.kwargs) arg = fx::map_nodes(arg, put);
  }
  size_t num_uses(const Node* node) const {
    size_t sum = 0;
    for (const ModelNode& user : model_) sum += count(user, node);
    return sum;
  }

  void edit() {
    switch (choices_.below(16)) {
      case 0:
      case 1:
      case 2:
        return create();
      case 3:
        return erase(pick());
      case 4: {  // replaces every use of a later node with an earlier one
        const size_t to = pick(), from = to + choices_.below(model_.size() - to);
        const size_t uses = from == to ? 0 : num_uses(node(from));
        FX_CHECK(node(from)->replace_all_uses_with(node(to)) == uses);
        if (from == to) return;
        for (ModelNode& user : model_) replace(user, node(from), node(to));
        return;
      }
      case 5: {
        const size_t i = pick();
        if (model_[i].args.empty() || i == 0) return;
        const size_t k = choices_.below(model_[i].args.size());
        const Argument v = value(i);
        FX_CHECK(node(i)->update_arg(k, v).ok());
        model_[i].args[k] = v;
        return;
      }
      case 6: {
        const size_t i = pick();
        if (i == 0) return;
        model_[i].args = values(i);
        FX_CHECK(node(i)->set_args(model_[i].args).ok());
        return;
      }
      case 7: {
        const size_t i = pick();
        if (i == 0) return;
        const size_t k = choices_.below(model_[i].args.size() + 1);
        const Argument v = value(i);
        FX_CHECK(node(i)->insert_arg(k, v).ok());
        model_[i].args.insert(model_[i].args.begin() + static_cast<std::ptrdiff_t>(k), v);
        return;
      }
      case 8: {
        const size_t i = pick();
        if (i == 0) return;
        const std::string key = kKeys[choices_.below(3)];
        const Argument v = value(i);
        FX_CHECK(node(i)->update_kwarg(key, v).ok());
        for (auto& [known, old] : model_[i].kwargs) {
          if (known != key) continue;
          old = v;
          return;
        }
        model_[i].kwargs.emplace_back(key, v);
        return;
      }
      case 9: {  // replaces an operand of one node
        const size_t i = pick();
        if (i == 0) return;
        const size_t from = choices_.below(i), to = choices_.below(i);
        const size_t uses = count(model_[i], node(from));
        FX_CHECK(node(i)->replace_input_with(node(from), node(to)) == uses);
        replace(model_[i], node(from), node(to));
        return;
      }
      case 10:
        return move();
      case 11: {
        const size_t i = pick();
        node(i)->rename("n");
        if (model_[i].name == "n") return;  // the node already has this name
        model_[i].name = node(i)->name();
        FX_CHECK(names_.insert(model_[i].name).second, "names must be unique");
        return;
      }
      case 12:
        return replace_by_value();
      case 13:
        return copy();
      case 14:
        return sweep();
      default: {
        const size_t a = pick(), b = pick();
        FX_CHECK(node(a)->comes_before(*node(b)) == (a < b));
        FX_CHECK(graph_->find_node(model_[a].name) == node(a));
        find(kFunctions[choices_.below(3)]);
        return;
      }
    }
  }

  void create() {
    if (model_.size() >= kMaxNodes) return erase(pick());
    const size_t at = 1 + choices_.below(model_.size());
    std::vector<Argument> args = values(at);
    std::vector<std::pair<std::string, Argument>> kwargs;
    std::vector<fx::Kwarg> graph_kwargs;
    for (size_t k = choices_.below(3); k > 0; --k) kwargs.emplace_back(kKeys[k], value(at));
    for (const auto& [key, v] : kwargs) graph_kwargs.emplace_back(key, v);
    if (at < model_.size())
      graph_->set_insert_point_before(node(at));
    else
      graph_->set_insert_point_after(node(at - 1));
    const fx::Target function = context_.function(kFunctions[choices_.below(3)]);
    Node* call = graph_->call_function(function, args, graph_kwargs);
    add(call, std::move(args), std::move(kwargs), at);
  }

  void erase(size_t i) {
    const size_t uses = num_uses(node(i));
    const bool erased = i != 0 && graph_->erase_node(node(i)).ok();
    FX_CHECK(erased == (i != 0 && uses == 0));
    if (erased) model_.erase(model_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  /// Moves a node to a position after its operands and before its users.
  void move() {
    const size_t i = pick(), to = pick();
    if (i == 0 || to == 0 || i == to) return;
    for (size_t k = std::min(i, to); k <= std::max(i, to); ++k)
      if (k != i && (count(model_[k], node(i)) || count(model_[i], node(k)))) return;
    FX_CHECK((to < i ? node(i)->move_before(*node(to)) : node(i)->move_after(*node(to))).ok());
    const ModelNode moved = model_[i];
    model_.erase(model_.begin() + static_cast<std::ptrdiff_t>(i));
    model_.insert(model_.begin() + static_cast<std::ptrdiff_t>(to), moved);
  }

  void replace_by_value() {
    const size_t i = pick();
    if (i == 0) return;
    const Argument v = Argument::tuple({1, node(choices_.below(i))});
    for (const ModelNode& user : model_)
      for (const Argument& arg : user.args)
        if (arg.depth() > 6) return;  // otherwise, trees would grow with each of these edits
    FX_CHECK(node(i)->replace_all_uses_with(v).ok());
    for (ModelNode& user : model_) replace(user, node(i), v);
  }

  /// Continues with a copy of the graph: a clone, or a graph that was parsed from its text or
  /// bytes.
  void copy() {
    std::unique_ptr<fx::Graph> copied;
    const size_t how = choices_.below(3);
    if (how == 0) {
      copied = graph_->clone();
    } else if (how == 1) {
      auto read = fx::parse_graph(context_, fx::print(*graph_));
      FX_CHECK(read.ok(), std::string(read.status().message()));
      copied = *std::move(read);
    } else {
      auto read = fx::read_binary(context_, *fx::write_binary(*graph_));
      FX_CHECK(read.ok(), std::string(read.status().message()));
      copied = *std::move(read);
    }
    FX_CHECK(!fx::first_difference(*graph_, *copied));
    std::vector<Node*> nodes;
    for (Node& n : copied->nodes()) nodes.push_back(&n);
    FX_CHECK(nodes.size() == model_.size());
    const std::vector<ModelNode> old = model_;
    const auto put = [&](Node* n) {
      size_t i = 0;
      while (old[i].node != n) ++i;
      return Argument(nodes[i]);
    };
    for (ModelNode& entry : model_) {
      for (Argument& arg : entry.args) arg = fx::map_nodes(arg, put);
      for (auto& [key, arg] : entry.kwargs) arg = fx::map_nodes(arg, put);
    }
    for (size_t i = 0; i < nodes.size(); ++i) model_[i].node = nodes[i];
    if (how != 0) {  // files do not contain names of erased nodes
      names_.clear();
      for (const ModelNode& entry : model_) names_.insert(entry.name);
    }
    graph_ = std::move(copied);
  }

  /// Erases nodes during iteration, as dead-code elimination does.
  void sweep() {
    for (Node& n : graph_->nodes().reversed()) {
      const size_t i = place_of(&n);
      if (i != 0 && num_uses(&n) == 0 && choices_.below(2)) erase(i);
    }
  }

  void find(std::string_view function) {
    std::vector<Node*> expected;
    for (const ModelNode& entry : model_)
      if (entry.node->op() == fx::Opcode::kCallFunction && entry.node->target() == function)
        expected.push_back(entry.node);
    FX_CHECK(graph_->find_nodes(context_.function(function)) == expected);
  }

  void compare() {
    FX_CHECK(graph_->size() == model_.size());
    size_t i = 0;
    for (const Node& n : graph_->nodes()) {
      const ModelNode& entry = model_[i++];
      FX_CHECK(&n == entry.node, "order");
      FX_CHECK(n.name() == entry.name, n.name());
      FX_CHECK(n.args() == entry.args, fx::print(n));
      FX_CHECK(n.num_kwargs() == entry.kwargs.size());
      for (size_t k = 0; k < entry.kwargs.size(); ++k) {
        FX_CHECK(n.kwarg_name(k).str() == entry.kwargs[k].first);
        FX_CHECK(Argument(n.kwarg_value(k)) == entry.kwargs[k].second, fx::print(n));
      }
      std::set<const Node*> users;
      for (const ModelNode& user : model_)
        if (count(user, &n)) users.insert(user.node);
      const std::vector<Node*> found = n.users();
      FX_CHECK(found.size() == users.size() &&
               std::set<const Node*>(found.begin(), found.end()) == users);
      FX_CHECK(n.num_uses() == num_uses(&n));
    }
    for (size_t a = 0; a < model_.size(); ++a) {
      for (size_t b = a + 1; b < model_.size(); ++b) {
        if (!node(a)->same_computation(*node(b))) continue;
        FX_CHECK(node(a)->computation_hash() == node(b)->computation_hash());
        FX_CHECK(node(a)->target() == node(b)->target() && node(a)->args() == node(b)->args());
      }
    }
    const fx::VerifierReport report = fx::verify(*graph_, {.warnings = false, .check_index = true});
    for (const fx::Finding& finding : report.findings)
      FX_CHECK(finding.invariant == fx::Invariant::kSchema, finding.str());
  }

  Choices choices_;
  fx::Context context_;
  std::unique_ptr<fx::Graph> graph_;
  std::vector<ModelNode> model_;
  std::set<std::string> names_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Editor(data, std::min<size_t>(size, 4096)).run();
  return 0;
}
