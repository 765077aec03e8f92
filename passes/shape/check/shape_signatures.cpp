// shape_prop: see shape_signatures.h. Each thread types a separate clone.
#include "fx/passes/shape/check/shape_signatures.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/propagation_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

namespace fx {
namespace {

double thread_nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Removes the types of call_function nodes, including those in nested graphs.
void clear_call_types(Graph& graph) {
  for (Graph& g : all_graphs(graph))
    for (Node& node : g.nodes())
      if (node.op() == Opcode::kCallFunction) node.set_type(Type());
}

/// The type of the attribute that a get_attr node reads; none if it is not a tensor of `owner`.
Type attribute_type(const Node& node, const Module& owner) {
  const Attribute* attribute = owner.find_attribute(node.target());
  if (!attribute || !attribute->tensor.defined()) return Type();
  return attribute->tensor.type(node.graph().context().types(), attribute->requires_grad);
}

/// A clone of the graph that is typed for one signature at a time.
class Worker {
 public:
  Worker(const Graph& graph, const SignatureOptions& options)
      : clone_(graph.clone()),
        guards_(graph.meta("guards").value_or(Argument::list({}))),
        rules_(options.rules),
        other_call_(options.other_call),
        cache_(graph.context()) {
    const Module* owner = graph.owning_module();
    clone_->set_owning_module(owner);
    // One walk. find_nodes() would index all nodes of the clone.
    for (Node& node : clone_->nodes()) {
      if (node.op() == Opcode::kPlaceholder) inputs_.emplace_back(&node, node.type());
      if (node.op() == Opcode::kGetAttr && owner && !node.type())
        node.set_type(attribute_type(node, *owner));
    }
  }

  void run(const Signature& signature, SignatureTypes& result) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const bool is_given = i < signature.size() && signature[i];
      inputs_[i].first->set_type(is_given ? signature[i] : inputs_[i].second);
    }
    clear_call_types(*clone_);  // so that propagation keeps no recorded type
    clone_->set_meta("guards", guards_);
    const double start = thread_nanoseconds();
    result.report =
        propagate_types(*clone_, {.rules = rules_, .cache = &cache_, .other_call = other_call_});
    result.nanoseconds = thread_nanoseconds() - start;
    result.types.assign(clone_->id_bound(), Type());
    for (const Node& node : clone_->nodes()) result.types[node.id()] = node.type();
  }
  const Graph& clone() const { return *clone_; }

 private:
  std::unique_ptr<Graph> clone_;
  Argument guards_;  // guards of the graph; each propagation adds more
  const TypeRules* rules_;
  decltype(PropagateOptions::other_call) other_call_;
  TypeCache cache_;
  std::vector<std::pair<Node*, Type>> inputs_;  // placeholders with their types in the graph
};

}  // namespace

absl::StatusOr<std::vector<SignatureTypes>> shape_prop_each(const Graph& graph,
                                                            absl::Span<const Signature> signatures,
                                                            const SignatureOptions& options) {
  const size_t num_inputs = graph.find_nodes(Opcode::kPlaceholder).size();
  for (size_t i = 0; i < signatures.size(); ++i) {
    if (signatures[i].size() <= num_inputs) continue;
    return absl::InvalidArgumentError(fmt::format("signature {} has {} for {}", i,
                                                  pluralize(signatures[i].size(), "type"),
                                                  pluralize(num_inputs, "placeholder")));
  }
  std::vector<SignatureTypes> results(signatures.size());
  size_t threads = options.threads > 0 ? static_cast<size_t>(options.threads)
                                       : std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, signatures.size());
  std::vector<std::unique_ptr<Worker>> workers;  // cloned here, by one thread
  workers.reserve(threads);
  for (size_t i = 0; i < threads; ++i) workers.push_back(std::make_unique<Worker>(graph, options));
  std::vector<const Graph*> clones(signatures.size());
  std::atomic<size_t> next = 0;
  const auto work = [&](Worker& worker) {
    for (size_t i = next++; i < signatures.size(); i = next++) {
      worker.run(signatures[i], results[i]);
      clones[i] = &worker.clone();
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads);
  for (size_t i = 1; i < threads; ++i) others.emplace_back(work, std::ref(*workers[i]));
  if (threads > 0) work(*workers[0]);
  for (std::thread& thread : others) thread.join();
  for (size_t i = 0; i < results.size(); ++i) name_originals(results[i].report, *clones[i], graph);
  return results;
}

absl::StatusOr<std::vector<SignatureTypes>> shape_prop_each(const GraphModule& module,
                                                            absl::Span<const Signature> signatures,
                                                            const SignatureOptions& options) {
  return shape_prop_each(module.graph(), signatures, options);
}

absl::StatusOr<SignatureTypes> shape_prop(const Graph& graph, const Signature& signature,
                                          const SignatureOptions& options) {
  FX_ASSIGN_OR_RETURN(std::vector<SignatureTypes> results,
                      shape_prop_each(graph, absl::MakeConstSpan(&signature, 1), options));
  return std::move(results.front());
}

absl::StatusOr<SignatureTypes> shape_prop(const GraphModule& module, const Signature& signature,
                                          const SignatureOptions& options) {
  return shape_prop(module.graph(), signature, options);
}

}  // namespace fx
