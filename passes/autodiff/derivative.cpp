// Derivative: see derivative.h.
#include "fx/passes/autodiff/derivative.h"

#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/sym_nodes.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace fx {

Derivative::Derivative(Graph& graph, GradStyle style, IsActive is_active)
    : Decomposer(graph), style_(style), is_active_(std::move(is_active)) {}

void Derivative::start_reverse(const Node& call, std::vector<Proxy> grads) {
  start(call);
  grads_ = std::move(grads);
  tangent_of_ = nullptr;
}

void Derivative::start_forward(const Node& call,
                               const std::function<Node*(const Node&)>* tangent_of) {
  start(call);
  grads_.clear();
  tangent_of_ = tangent_of;
}

// ---------------------------------------------------------------- the call

Proxy Derivative::value(size_t i) {
  Node& call = const_cast<Node&>(this->call());  // NOLINT: in the graph that this records into
  if (!call.type().is_tuple() && !call.type().is_list()) return Proxy(call, *this);
  const auto index = static_cast<int64_t>(i);
  for (const Use use : call.uses()) {
    Node& user = *use.user();
    if (constant_item(user) == index && user.arg(0).node() == &call) return Proxy(user, *this);
  }
  const InsertPointGuard guard = graph().inserting_after(&call);
  const Proxy item = emit("operator.getitem", {Proxy(call, *this), index});
  if (item.defined()) inherit_provenance(*item.node(), call);
  return item;
}

bool Derivative::needs_grad(std::string_view name) const {
  const Argument value = argument(name);
  if (const Node* node = value.node()) return is_active_(*node);
  for (size_t i = 0; i < value.size(); ++i)
    if (const Node* node = value[i].node(); node != nullptr && is_active_(*node)) return true;
  return false;
}

AnyArg Derivative::mask(std::initializer_list<std::string_view> names) const {
  std::vector<AnyArg> flags;
  for (const std::string_view name : names) flags.emplace_back(Argument(needs_grad(name)));
  return AnyArg(flags);
}

// ---------------------------------------------------------------- gradients and tangents

Proxy Derivative::grad_or_zeros(size_t i) {
  return grad(i).defined() ? grad(i) : zeros_like(value(i));
}

Proxy Derivative::zero_grad(std::string_view name) {
  return is_readable() ? Proxy() : zeros_like(tensor(name));
}

Proxy Derivative::tangent(std::string_view name) const {
  const Node* node = argument(name).node();
  if (node == nullptr || tangent_of_ == nullptr) return {};
  Node* const tangent = (*tangent_of_)(*node);
  if (tangent == nullptr) return {};
  return Proxy(*tangent, const_cast<Derivative&>(*this));  // NOLINT: records later calls
}

Proxy Derivative::tangent_or_zeros(std::string_view name) {
  const Proxy given = tangent(name);
  return given.defined() ? given : zeros_like(tensor(name));
}

Proxy Derivative::sum_of(std::initializer_list<Proxy> terms) {
  if (!status().ok()) return Proxy::failed(*this);  // an undefined term may have failed
  Proxy sum;
  for (const Proxy& term : terms) {
    if (!term.defined()) continue;
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

// ---------------------------------------------------------------- mathematics

namespace {

bool is_view_of_conjugate(const Node& value) {
  for (const Node* node = &value; node != nullptr;) {
    if (node->target() == "aten._conj.default") return true;
    const ops::OpInfo* op = node->function().op();
    if (op == nullptr || op->output_aliases().empty() || node->num_args() == 0) return false;
    node = node->arg(0).node();
  }
  return false;
}

}  // namespace

Proxy Derivative::conj(const Proxy& x) {
  return is_complex(x) ? emit("aten._conj.default", {x}) : x;
}

Proxy Derivative::real(const Proxy& x) {
  if (!is_complex(x)) return x;
  // A conjugate, or a view of a conjugate, does not have its values in memory.
  const bool is_conj = x.defined() && is_view_of_conjugate(*x.node());
  const Proxy source = is_conj ? emit("aten.resolve_conj.default", {x}) : x;
  return emit("aten.select.int", {emit("aten.view_as_real.default", {source}), -1, 0});
}

ScalarArg Derivative::conj_scalar(std::string_view name) {
  const Argument value = argument(name);
  if (value.kind() == ArgumentKind::kComplex) return ScalarArg(std::conj(value.as_complex()));
  return scalar(name);
}

Proxy Derivative::scaled(const Proxy& x, std::string_view name) {
  const Argument factor = argument(name);
  const bool is_one =
      (factor.is_int() && factor.as_int() == 1) || (factor.is_float() && factor.as_float() == 1.0);
  return is_one ? x : x * conj_scalar(name);
}

std::vector<int64_t> Derivative::reduced_dims(std::string_view name, int64_t rank) {
  const Argument given = argument(name);
  std::vector<int64_t> dims = given.is_none() ? std::vector<int64_t>() : integers(name);
  if (dims.empty()) return range(0, rank);
  for (int64_t& dim : dims) dim = wrapped(dim, rank);
  std::ranges::sort(dims);
  return dims;
}

Proxy Derivative::restore_dims(const Proxy& x, std::vector<int64_t> dims, bool keepdim,
                               int64_t rank) {
  if (keepdim || rank == 0) return x;
  if (dims.empty()) dims = range(0, rank);
  for (int64_t& dim : dims) dim = wrapped(dim, rank);
  std::ranges::sort(dims);
  Proxy result = x;
  for (const int64_t dim : dims) result = unsqueeze(result, dim);
  return result;
}

bool Derivative::same_sizes(const Proxy& a, const Proxy& b) const {
  const auto x = type(a).sizes(), y = type(b).sizes();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const Dim& i, const Dim& j) { return i.canonical() == j.canonical(); });
}

void Derivative::share_sizes(const Proxy& x, const Proxy& like) const {
  const Type from = type(x), to = type(like);
  if (!from.is_tensor() || !to.is_tensor() || from.rank() != to.rank()) return;
  DimVector sizes(from.sizes().begin(), from.sizes().end());
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i].is_symbolic() && sizes[i].expr().is_symbol() &&
        is_unbacked(sizes[i].expr().name()))
      sizes[i] = to.sizes()[i];
  if (std::ranges::equal(sizes, from.sizes())) return;
  TensorSpec spec = from.spec();
  spec.sizes = sizes;
  spec.strides = is_contiguous(from) ? StrideSpec() : StrideSpec::unknown();
  x.node()->set_type(x.node()->graph().context().types().tensor(spec));
}

Proxy Derivative::sum_to(const Proxy& x, const Proxy& like) {
  if (!x.defined() || same_sizes(x, like)) return x;
  const int64_t leading = rank(x) - rank(like);
  if (leading < 0) {
    reject("a gradient must have at least the dimensions of its operand");
    return x;
  }
  if (rank(like) == 0) return sum_all(x);
  std::vector<int64_t> dims = range(0, leading);
  const auto from = type(x).sizes(), to = type(like).sizes();
  for (size_t i = static_cast<size_t>(leading); i < from.size(); ++i) {
    if (to[i - static_cast<size_t>(leading)] == Dim(1) && from[i] != Dim(1))
      dims.push_back(static_cast<int64_t>(i));
  }
  if (dims.empty()) return x;
  const Proxy result = sum(x, dims, true);
  return leading > 0 ? result.view(sizes(like)) : result;
}

Proxy Derivative::conform(const Proxy& x, const Proxy& like) {
  if (!x.defined()) return x;
  const Proxy part = is_complex(like) ? x : real(x);
  const Proxy result = cast(sum_to(part, like), dtype(like));
  share_sizes(result, like);
  return result;
}

Proxy Derivative::conform_tangent(const Proxy& x, const Proxy& like) {
  if (!x.defined()) return x;
  const Proxy part = cast(is_complex(like) ? x : real(x), dtype(like));
  share_sizes(part, like);
  return same_sizes(part, like) ? part : expand_like(part, like);
}

}  // namespace fx
