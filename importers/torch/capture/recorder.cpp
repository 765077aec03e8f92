// Creates a node for each operator, in the order in which the operators ran.
#include "fx/importers/torch/capture/recorder_internal.h"
#include "fx/importers/torch/capture/scope.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/module_tree.h"

#include "absl/container/inlined_vector.h"
#include <ATen/Functions.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/TensorImpl.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fx {
Type result_type(TypeTable& types, const FakeTensorKernels* fake_kernels, const c10::IValue& value,
                 Type likely) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (!tensor.defined()) return types.none();
    if (fake_kernels != nullptr) {
      if (const Type type = fake_kernels->symbolic_type(tensor)) return type;
    }
    return form_of(types, tensor, likely);
  }
  if (value.isNone()) return types.none();
  if (value.isInt() || value.isSymInt()) return types.integer();
  if (value.isDouble()) return types.floating();
  if (value.isBool()) return types.boolean();
  if (value.isComplexDouble()) return types.complex();
  if (value.isString()) return types.string();
  if (value.isList()) {
    std::vector<Type> items;
    for (const c10::IValue& item : value.toList().vec())
      items.push_back(result_type(types, fake_kernels, item));
    return types.list(items);
  }
  return types.object(value.tagKind());
}

Type result_type(TypeTable& types, const FakeTensorKernels* fake_kernels,
                 absl::Span<const c10::IValue> results, Type likely) {
  if (results.size() == 1) return result_type(types, fake_kernels, results[0], likely);
  if (results.empty()) return types.none();
  const absl::Span<const Type> likely_items =
      likely && likely.is_tuple() ? likely.items() : absl::Span<const Type>();
  absl::InlinedVector<Type, 4> items;
  for (size_t i = 0; i < results.size(); ++i) {
    items.push_back(result_type(types, fake_kernels, results[i],
                                i < likely_items.size() ? likely_items[i] : Type()));
  }
  return absl::MakeConstSpan(items) == likely_items ? likely : types.tuple(items);
}

Recorder::Recorder(Graph& graph, const CaptureOptions& options)
    : operators_(options.operators != nullptr ? options.operators
                                              : &*own_operators_.emplace(graph.context())),
      fake_kernels_(
          options.execution == Execution::kFake
              ? std::make_unique<FakeTensorKernels>(graph.context(), *operators_, options.numbers)
              : nullptr),
      graph_(&graph),
      context_(&graph.context()),
      values_(graph.context().types()),
      first_sequence_(next_autograd_sequence()),
      keep_backward_(options.keep_backward),
      getitem_(graph.context().function("operator.getitem")),
      forward_(graph.context().symbol("fw")),
      backward_(graph.context().symbol("bw")) {}

Node* Recorder::add_input(std::string_view name, const at::Tensor& tensor,
                          std::string_view module) {
  const Type type = type_of(context_->types(), tensor);
  Node* node = graph_->placeholder(name, {.type = type});
  const Symbol path = module.empty() ? Symbol() : context_->symbol(module);
  values_.bind(tensor, {.node = node, .module = path, .requires_grad = tensor.requires_grad()},
               type);
  return node;
}

/// Encodes the arguments of a call and records its writes. Sets `status_` if an argument cannot be
/// recorded. Adds the types of arguments that are tensors to `forms`, and null types for the other
/// arguments.
void Recorder::encode_call(const Row& row, Values values, Labels& labels, Arguments& arguments,
                           Forms* forms) {
  for (size_t i = 0; i < values.size() && !row.uses_form_only; ++i) {
    if (row.view_of != i && row.codes[i].base == ArgumentCode::kTensor) note_own_writes(values[i]);
  }
  for (size_t i = 0; i < values.size() && status_.ok(); ++i) {
    Type form;
    absl::StatusOr<Argument> argument = values[i].isTensor()
                                            ? encode_tensor(values[i].toTensor(), labels, &form)
                                            : encode(values[i], row.codes[i], labels);
    if (forms != nullptr) forms->push_back(form);
    if (argument.ok()) {
      arguments.push_back(*std::move(argument));
    } else {
      status_ = with_context(argument.status(), fmt::format("argument \"{}\" of {}",
                                                            row.names[i].str(), row.target.name()));
    }
  }
  if (status_.ok()) note_writes(row, values);
}

void Recorder::on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  Labels labels{autograd_position(), {}};
  Arguments arguments;
  Forms forms;
  Row* row = nullptr;
  size_t base = 0;
  std::optional<Write> write;
  {
    const std::lock_guard lock(mutex_);
    number_write();
    row = &row_of(op);
    base = stack.size() - row->codes.size();
    encode_call(*row, Values(stack.data() + base, row->codes.size()), labels, arguments, &forms);
    if (!row->written.empty() && !labels.position.backward) {
      const c10::IValue& written = stack[base + row->written.front()];
      if (written.isTensor()) {
        write.emplace(nullptr, Labels{}, written.toTensor(), history_sequence(written.toTensor()));
      }
    }
  }
  const Symbol view_module = row->view_of ? labels.module : Symbol();
  Type likely;
  // If this throws and the program catches the exception, the graph has no node for the call.
  if (fake_kernels_ == nullptr) {
    call_kernel(op, stack);
  } else {
    likely = fake_kernels_->call(op, *row, stack, forms);
  }

  const std::lock_guard lock(mutex_);
  if (!status_.ok()) return;
  const Values results(stack.data() + base, stack.size() - base);
  const Type type = result_type(context_->types(), fake_kernels_.get(), results,
                                likely ? likely : row->last_result);
  row->last_result = type;
  Node* node = add_node(*row, arguments, type, labels);
  if (write) {
    write->node = node;
    write->labels = labels;
    write_ = std::move(write);
  }
  if (results.size() == 1) {
    bind_result(*node, results[0], labels, view_module);
    if (row->initial_contents != Row::InitialContents::kOther) watch(*row, *node, results[0]);
  } else {
    for (size_t i = 0; i < results.size(); ++i) unpack(*node, i, results[i], labels, view_module);
  }
}

at::Tensor Recorder::make_tangent(const at::Tensor& result) {
  if (fake_kernels_ != nullptr) return fake_kernels_->empty_like(result);
  const HookPause pause;
  return at::ones_like(result.detach());
}

absl::StatusOr<Argument> Recorder::result(const at::Tensor& tensor) {
  const std::lock_guard lock(mutex_);
  Labels labels;
  note_own_writes(tensor);
  return encode_tensor(tensor, labels);
}

bool Recorder::was_written(const at::Tensor& tensor) {
  const std::lock_guard lock(mutex_);
  const TracedStorage* storage = values_.storage(tensor);
  return storage != nullptr && storage->written;
}

void Recorder::finish() {
  const std::lock_guard lock(mutex_);
  number_write();
  erase_parts();
  if (keep_backward_) mark_backward_calls();
  kept_calls_.clear();
  complete_types();
}

std::vector<RecordedConstant> Recorder::take_written_constants() {
  std::vector<RecordedConstant> written;
  std::erase_if(constants_, [&](RecordedConstant& constant) {
    if (constant.written) written.push_back(std::move(constant));
    return constant.written;
  });
  return written;
}

void Recorder::replace(Node& node, Node& by) {
  node.replace_all_uses_with(&by);
  values_.replace(node, by);
  for (KeptCall& call : kept_calls_) {
    if (call.before == &node) call.before = node.prev();
    for (KeptCall::Result& result : call.results)
      if (result.part == &node) result.part = &by;
  }
  FX_CHECK_OK(graph_->erase_node(&node));
}

// ---- arguments

absl::StatusOr<Argument> Recorder::encode(const c10::IValue& value, ArgumentCode code,
                                          Labels& labels) {
  if (value.isTensor()) return encode_tensor(value.toTensor(), labels);
  if (code.base == ArgumentCode::kTensor && value.isList()) {
    std::vector<Argument> items;
    for (const c10::IValue& item : value.toListRef()) {
      FX_ASSIGN_OR_RETURN(Argument argument, encode(item, code, labels));
      items.push_back(std::move(argument));
    }
    return Argument::list(items);
  }
  absl::StatusOr<Argument> argument = from_ivalue(value, code);
  if (argument.ok() || !absl::IsUnimplemented(argument.status())) return argument;
  // A graph cannot contain generators, streams and objects, so they become constants.
  const Type type = context_->types().object(value.tagKind());
  return Argument(add_constant("_constant", value, type));
}

absl::StatusOr<Argument> Recorder::encode_tensor(const at::Tensor& tensor, Labels& labels,
                                                 Type* form) {
  if (!tensor.defined()) return Argument();
  bool exact = false;
  if (TracedValue* value = values_.find(tensor, &exact, form)) {
    // Autograd sets requires_grad of a result after the operator has returned, so read it on
    // first use.
    if (exact && !labels.position.backward && tensor.requires_grad()) value->requires_grad = true;
    if (!labels.module) labels.module = value->module;
    return Argument(value->node);
  }
  if (form != nullptr) *form = Type();
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
    const KernelScope scope;
    return from_ivalue(c10::IValue(tensor.item()), {.base = ArgumentCode::kNumber});
  }
  Node* node = nullptr;
  if (const TracedStorage* storage = values_.storage(tensor)) {
    FX_ASSIGN_OR_RETURN(node, add_alias(*storage, tensor));
  } else {
    node = add_constant("_tensor_constant", tensor, type_of(context_->types(), tensor));
  }
  values_.bind(tensor, {.node = node, .module = {}, .requires_grad = tensor.requires_grad()});
  if (tensor.has_storage() && node->op() == Opcode::kGetAttr) {
    values_.storage(tensor)->constants.push_back(constants_.size() - 1);
  }
  return Argument(node);
}

Node* Recorder::add_constant(std::string_view prefix, c10::IValue value, Type type) {
  Node* node = graph_->get_attr(fmt::format("{}{}", prefix, constants_.size()), {.type = type});
  at::Tensor live = value.isTensor() ? value.toTensor() : at::Tensor();
  constants_.push_back({node, std::move(value), std::move(live)});
  return node;
}

/// Adds an as_strided node for a tensor that was not created by an operator, but that uses the
/// memory of an operator's result.
absl::StatusOr<Node*> Recorder::add_alias(const TracedStorage& storage, const at::Tensor& tensor) {
  if (storage.node->type().dtype() != from_torch(tensor.scalar_type())) {
    return absl::UnimplementedError(
        fmt::format("a tensor of a different element type shares the memory of node {}, but was "
                    "not created from it by an operator",
                    storage.node->name()));
  }
  const Argument arguments[] = {Argument(storage.node), Argument::ints(tensor.sizes()),
                                Argument::ints(tensor.strides()),
                                Argument(tensor.storage_offset())};
  return graph_->call_function(context_->function("aten.as_strided.default"), arguments, {},
                               {.name = "as_strided", .type = type_of(context_->types(), tensor)});
}

// ---- results

Node* Recorder::add_node(const Row& row, absl::Span<const Argument> arguments, Type type,
                         const Labels& labels) {
  absl::InlinedVector<Kwarg, 4> kwargs;
  for (size_t i = row.num_positional; i < arguments.size(); ++i) {
    kwargs.emplace_back(row.names[i], arguments[i]);
  }
  Node* node = Graph::Editor::make_node(*graph_, Opcode::kCallFunction, row.target.data(), row.name,
                                        arguments.subspan(0, row.num_positional), kwargs, type);
  FX_CHECK(node != nullptr, "the nodes of arguments must be in the graph");
  label(*node, labels);
  return node;
}

void Recorder::bind_result(Node& node, const c10::IValue& value, const Labels& labels,
                           Symbol module) {
  if (value.isTensor()) {
    if (!value.toTensor().defined()) return;
    const TracedValue traced{.node = &node, .module = module};
    if (fake_kernels_ == nullptr)  // the type is the result of form_of
      values_.bind_as(value.toTensor(), traced, node.type());
    else
      values_.bind(value.toTensor(), traced, node.type());
  } else if (value.isTensorList()) {
    const std::vector<at::Tensor> items = value.toTensorVector();
    for (size_t i = 0; i < items.size(); ++i) unpack(node, i, items[i], labels, module);
  } else if (value.isScalar()) {
    // The program receives the number and may branch on it, so the graph is valid only for this
    // value.
    absl::StatusOr<Argument> guard = from_ivalue(value, {.base = ArgumentCode::kNumber});
    if (guard.ok()) node.meta().set(kGuard, *guard);
  }
}

void Recorder::unpack(Node& node, size_t index, const c10::IValue& value, const Labels& labels,
                      Symbol module) {
  if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) return;
  const Argument arguments[] = {Argument(node), Argument(index)};
  // If the type of the call is a sequence, it contains the type of the item.
  const Type whole = node.type();
  const Type likely = index < whole.items().size() ? whole.items()[index] : Type();
  const Type type = result_type(context_->types(), fake_kernels_.get(), value, likely);
  Node* item = graph_->call_function(getitem_, arguments, {}, {.type = type});
  label(*item, labels);
  bind_result(*item, value, labels, module);
}

// ---- labels

std::optional<size_t> Recorder::sequence_of(const Labels& labels) const {
  const std::optional<uint64_t>& sequence = labels.position.sequence;
  if (!sequence || *sequence < first_sequence_) return std::nullopt;
  return *sequence - first_sequence_;
}

void Recorder::label(Node& node, const Labels& labels) {
  NodeMeta meta = node.meta();
  meta.set(meta::kRegion.name, Argument(labels.position.backward ? backward_ : forward_));
  const Symbol module = module_of(labels);
  if (module) meta.set(meta::kModule.name, Argument(module));
  if (keep_backward_ && labels.position.backward)
    meta.set(kEngineRun, labels.position.has_hooks ? -1 : labels.position.run);
  set_sequence(node, labels, module);
}

void Recorder::set_sequence(Node& node, const Labels& labels, Symbol module) {
  const std::optional<size_t> sequence = sequence_of(labels);
  if (!sequence) return;
  node.meta().set(meta::kSeq.name, Argument(*sequence));
  if (labels.position.backward) return;
  if (*sequence >= module_by_sequence_.size()) module_by_sequence_.resize(*sequence + 1);
  // Later calls with this sequence number have no autograd node.
  if (!module_by_sequence_[*sequence]) module_by_sequence_[*sequence] = module;
}

/// Returns the module of an operator. In the forward pass, it is the module of the operator's
/// parameters if that is within the open scopes, and otherwise the path of the scopes. In the
/// backward pass, it is the module of the forward operator with the same sequence number.
Symbol Recorder::module_of(const Labels& labels) {
  if (labels.position.backward) {
    const std::optional<size_t> sequence = sequence_of(labels);
    return sequence && *sequence < module_by_sequence_.size()
               ? module_by_sequence_[*sequence].value_or(Symbol())
               : Symbol();
  }
  if (module_path_version() != scope_version_) {
    scope_version_ = module_path_version();
    const std::string_view path = current_module_path();
    scope_ = path.empty() ? Symbol() : context_->symbol(path);
  }
  if (!scope_) return labels.module;
  return labels.module && is_in_module(labels.module.str(), scope_.str()) ? labels.module : scope_;
}

void Recorder::complete_types() {
  TypeTable& types = context_->types();
  values_.for_each_alive([](const at::Tensor& tensor, TracedValue& value) {
    if (tensor.requires_grad()) value.requires_grad = true;
  });
  for (const TracedValue& value : values_.values()) {
    if (!value.requires_grad) continue;
    TensorSpec spec = value.node->type().spec();
    spec.requires_grad = true;
    value.node->set_type(types.tensor(spec));
    // Also set the type of the item in the type of an operator with multiple results.
    for (Node* item = value.node; item->is(getitem_);) {
      Node* producer = item->arg(0).as_node();
      const Type type = producer->type();
      std::vector<Type> items(type.items().begin(), type.items().end());
      items[static_cast<size_t>(item->arg(1).as_int())] = item->type();
      producer->set_type(types.with_items(type, items));
      item = producer;
    }
  }
}

}  // namespace fx
