// importers/torch/capture/recorder.cpp - one node per operator, in the order in which they ran.
#include "fx/importers/torch/capture/recorder_internal.h"
#include "fx/importers/torch/capture/scope.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/status.h"

#include "absl/container/inlined_vector.h"
#include "absl/hash/hash.h"
#include <ATen/Functions.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/TensorImpl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fx {
namespace {

/// What names the nodes of an operator: "add_" of `aten.add_.Tensor`.
std::string packet_of(std::string_view target) {
  target.remove_prefix(target.find('.') + 1);
  return std::string(target.substr(0, target.rfind('.')));
}

/// Memory that is watched for what the program itself writes to it is at most so large.
constexpr size_t kMostWatched = size_t{16} << 20;
constexpr size_t kMostWatchedFake = size_t{64} << 10;  // there, watching takes memory
/// What the elements of empty() are set to, so that no earlier contents look like what the program
/// wrote.
constexpr int kGarbageByte = 0x5a;

size_t hash_of_bytes(const c10::Storage& storage) {
  return absl::HashOf(std::string_view(static_cast<const char*>(storage.data()), storage.nbytes()));
}

/// The tensor of a static type at the beginning of the memory.
at::Tensor tensor_on(const c10::Storage& storage, Type type) {
  std::vector<int64_t> sizes, strides;
  for (int i = 0; i < type.rank(); ++i) {
    sizes.push_back(type.size(i).value());
    strides.push_back(type.stride(i).value());
  }
  return at::empty({0}, at::TensorOptions().dtype(to_torch(type.dtype())))
      .set_(storage, 0, sizes, strides);
}

}  // namespace

Recorder::Recorder(Graph& graph, Execution execution)
    : fake_kernels_(execution == Execution::kFake
                        ? std::make_unique<FakeTensorKernels>(graph.context())
                        : nullptr),
      graph_(&graph),
      context_(&graph.context()),
      values_(graph.context().types()),
      first_sequence_(next_autograd_sequence()),
      getitem_(graph.context().function("operator.getitem")),
      forward_(graph.context().symbol("fw")),
      backward_(graph.context().symbol("bw")) {}

Node* Recorder::add_input(std::string_view name, const at::Tensor& tensor,
                          std::string_view module) {
  Node* node = graph_->placeholder(name, {.type = type_of(context_->types(), tensor)});
  const Symbol path = module.empty() ? Symbol() : context_->symbol(module);
  values_.bind(tensor, {.node = node, .module = path, .requires_grad = tensor.requires_grad()});
  return node;
}

const Recorder::Row& Recorder::row_of(const c10::OperatorHandle& op) {
  std::unique_ptr<Row>& entry = rows_[op];
  if (entry != nullptr) return *entry;
  entry = std::make_unique<Row>();
  Row& row = *entry;
  row.target = context_->function(target_name(op));
  row.name = name_candidate(packet_of(row.target.name()), /*is_function=*/true);
  const auto& arguments = op.schema().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const c10::Argument& argument = arguments[i];
    row.codes.push_back(argument_code(argument));
    row.names.push_back(context_->symbol(argument.name()));
    if (!argument.kwarg_only()) row.num_positional = i + 1;
    if (argument.alias_info() == nullptr) continue;
    if (argument.alias_info()->isWrite()) {
      row.written.push_back(i);
    } else if (!row.view_of) {
      row.view_of = i;
    }
  }
  if (const ops::OpInfo* info = row.target.op()) {
    const std::string_view name = row.target.name();
    const std::string packet = packet_of(name);
    row.asks_form_only = packet.ends_with("_like") || packet.starts_with("new_");
    const bool from_nothing =
        row.asks_form_only || std::ranges::none_of(row.codes, [](const ArgumentCode& code) {
          return code.base == ArgumentCode::kTensor;
        });
    if (from_nothing && row.written.empty() && op.schema().returns().size() == 1) {
      row.makes = packet.starts_with("empty") || packet.starts_with("new_empty") ? Makes::kGarbage
                  : packet.starts_with("zeros") || packet == "new_zeros"         ? Makes::kZeros
                  : info->has(ops::OpTrait::kRandom)                             ? Makes::kOther
                                                                                 : Makes::kNumbers;
    }
    // The table also knows writes that the schema hides.
    row.written.assign(info->written_arguments().begin(), info->written_arguments().end());
    for (const ops::ConditionalEffect& condition : info->conditional_effects()) {
      const bool* value = std::get_if<bool>(&condition.value.value);
      if (value != nullptr && condition.absent.has(ops::Effect::kWritesArguments)) {
        row.unwritten_if.emplace(condition.argument, *value);
      }
    }
  }
  return row;
}

void Recorder::on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const size_t num_arguments = op.schema().arguments().size();
  const size_t base = stack.size() - num_arguments;
  Labels labels{autograd_position(), {}};
  absl::InlinedVector<Argument, 12> arguments;
  const Row* row = nullptr;
  std::optional<Write> write;
  {
    const std::lock_guard lock(mutex_);
    number_write();
    row = &row_of(op);
    for (size_t i = 0; i < num_arguments && !row->asks_form_only; ++i) {
      if (row->view_of != i && row->codes[i].base == ArgumentCode::kTensor) {
        note_own_writes(stack[base + i]);
      }
    }
    for (size_t i = 0; i < num_arguments && status_.ok(); ++i) {
      absl::StatusOr<Argument> argument = encode(stack[base + i], row->codes[i], labels);
      if (argument.ok()) {
        arguments.push_back(*std::move(argument));
      } else {
        status_ = with_context(
            argument.status(),
            fmt::format("argument \"{}\" of {}", row->names[i].str(), row->target.name()));
      }
    }
    if (status_.ok()) note_writes(*row, Values(stack.data() + base, num_arguments));
    if (!row->written.empty() && !labels.position.backward) {
      const c10::IValue& written = stack[base + row->written.front()];
      if (written.isTensor()) {
        write.emplace(nullptr, Labels{}, written.toTensor(), history_sequence(written.toTensor()));
      }
    }
  }
  const Symbol view_module = row->view_of ? labels.module : Symbol();
  // A program may catch what this throws: then there is no node.
  if (fake_kernels_ == nullptr) {
    call_kernel(op, stack);
  } else {
    fake_kernels_->call(op, stack);
  }

  const std::lock_guard lock(mutex_);
  if (!status_.ok()) return;
  const Values results(stack.data() + base, stack.size() - base);
  Node* node = add_node(*row, arguments, result_type(results), labels);
  if (write) {
    write->node = node;
    write->labels = labels;
    write_ = std::move(write);
  }
  if (results.size() == 1) {
    bind_result(*node, results[0], labels, view_module);
    if (row->makes != Makes::kOther) watch(*row, *node, results[0]);
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
  complete_types();
  for (auto node = getitems_.rbegin(); node != getitems_.rend(); ++node) {
    if (!(*node)->has_uses()) FX_CHECK_OK(graph_->erase_node(*node));
  }
  getitems_.clear();
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
  if (!absl::IsUnimplemented(argument.status())) return argument;
  // A generator, a stream, an object of a class: what no graph can hold stands beside it.
  const Type type = context_->types().object(value.tagKind());
  return Argument(add_constant("_constant", value, type));
}

absl::StatusOr<Argument> Recorder::encode_tensor(const at::Tensor& tensor, Labels& labels) {
  if (!tensor.defined()) return Argument();
  bool exact = false;
  if (TracedValue* value = values_.find(tensor, &exact)) {
    // Autograd marks a result only after the operator has returned, so a reader sees it first.
    if (exact && !labels.position.backward && tensor.requires_grad()) value->requires_grad = true;
    if (!labels.module) labels.module = value->module;
    return Argument(value->node);
  }
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

/// A tensor that no operator made, on memory that one did: the program kept another view of it.
absl::StatusOr<Node*> Recorder::add_alias(const TracedStorage& storage, const at::Tensor& tensor) {
  if (storage.node->type().dtype() != from_torch(tensor.scalar_type())) {
    return absl::UnimplementedError(fmt::format(
        "a tensor of another element type shares the memory of node {}, but no operator "
        "made it from that",
        storage.node->name()));
  }
  const Argument arguments[] = {Argument(storage.node), Argument::ints(tensor.sizes()),
                                Argument::ints(tensor.strides()),
                                Argument(tensor.storage_offset())};
  return graph_->call_function(context_->function("aten.as_strided.default"), arguments, {},
                               {.name = "as_strided", .type = type_of(context_->types(), tensor)});
}

// ---- writes

/// The program may put numbers into a tensor that has just been made without an operator, as
/// at::tensor(std::vector) does: it is compared with what the graph has there when it is read.
void Recorder::watch(const Row& row, Node& node, const c10::IValue& result) {
  if (!result.isTensor() || !node.type().is_tensor() || !node.type().has_strides()) return;
  if (fake_kernels_ != nullptr && row.makes == Makes::kNumbers) return;  // they are not there
  const at::Tensor& tensor = result.toTensor();
  if (!tensor.is_cpu() || !tensor.has_storage() || tensor.storage_offset() != 0) return;
  const c10::Storage& storage = tensor.storage();
  const size_t most = fake_kernels_ == nullptr ? kMostWatched : kMostWatchedFake;
  if (storage.nbytes() == 0 || storage.nbytes() > most || storage.data() == nullptr) return;
  if (row.makes == Makes::kGarbage)
    std::memset(storage.mutable_data(), kGarbageByte, storage.nbytes());
  TracedStorage* known = values_.storage(tensor);
  known->made = &node;
  known->contents = hash_of_bytes(storage);
}

/// An operator is about to read the tensor: what the program has put there is a constant.
void Recorder::note_own_writes(const c10::IValue& value) {
  if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) note_own_writes(item);
    return;
  }
  if (!value.isTensor() || !value.toTensor().defined()) return;
  const at::Tensor& tensor = value.toTensor();
  TracedStorage* storage = values_.storage(tensor);
  if (storage == nullptr || storage->made == nullptr) return;
  const bool was_read = std::exchange(storage->read, true);
  const size_t contents = hash_of_bytes(tensor.storage());
  if (std::exchange(storage->contents, contents) == contents) return;

  Node& made = *storage->made;
  const KernelScope scope;
  const at::Tensor whole = tensor_on(tensor.storage(), made.type());
  // The calls that have read it keep what they read; else the constant takes the operator's place.
  std::optional<InsertPointGuard> place;
  if (!was_read) place.emplace(graph_->inserting_before(&made));
  Node* constant = add_constant("_tensor_constant", whole.clone(), made.type());
  // A copy, for what writes to it: each run begins with the constant.
  const std::string_view copying = whole.is_contiguous() ? "lift_fresh_copy" : "clone";
  Node* copy = graph_->call_function(context_->function(fmt::format("aten.{}.default", copying)),
                                     {constant}, {}, {.name = copying, .type = made.type()});
  copy->meta().copy_from(made);
  storage->made = copy;
  if (was_read) {
    values_.renew(whole, {.node = copy, .module = {}});
  } else {
    replace(made, *copy);
  }
}

void Recorder::note_writes(const Row& row, Values arguments) {
  if (row.unwritten_if) {
    const auto [index, value] = *row.unwritten_if;
    if (arguments[index].isBool() && arguments[index].toBool() == value) return;
  }
  const auto note = [this](const c10::IValue& value) {
    if (!value.isTensor() || !value.toTensor().defined()) return;
    TracedStorage* storage = values_.storage(value.toTensor());
    if (storage == nullptr) return;
    storage->written = true;
    storage->made = nullptr;
    for (const size_t index : storage->constants) constants_[index].written = true;
    if (!storage->constants.empty() && fake_kernels_ == nullptr) save_constants(*storage);
  };
  for (const size_t i : row.written) {
    if (arguments[i].isList()) {
      for (const c10::IValue& item : arguments[i].toListRef()) note(item);
    } else {
      note(arguments[i]);
    }
  }
}

void Recorder::number_write() {
  if (!write_) return;
  Write write = *std::exchange(write_, std::nullopt);
  const std::optional<uint64_t> sequence = history_sequence(write.tensor);
  if (!sequence || sequence == write.sequence_before) return;  // autograd had no part in it
  write.labels.position.sequence = sequence;
  label(*write.node, write.labels);
}

/// The graph starts from what its constants were before it wrote to them. All constants in one
/// piece of memory move together to a copy of it.
void Recorder::save_constants(TracedStorage& storage) {
  if (storage.original) return;
  const KernelScope scope;
  for (const size_t index : storage.constants) {
    c10::IValue& constant = constants_[index].value;
    const at::Tensor tensor = constant.toTensor().detach();
    if (!storage.original) {
      const auto items = static_cast<int64_t>(tensor.storage().nbytes() / tensor.itemsize());
      storage.original = at::empty({0}, tensor.options())
                             .set_(tensor.storage(), 0, {items}, {1})
                             .clone()
                             .storage();
    }
    constant =
        at::empty({0}, tensor.options())
            .set_(storage.original, tensor.storage_offset(), tensor.sizes(), tensor.strides());
  }
}

// ---- results

Type Recorder::result_type(const c10::IValue& value) {
  TypeTable& types = context_->types();
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (fake_kernels_ != nullptr && tensor.defined()) {
      if (const Type type = fake_kernels_->symbolic_type(tensor)) return type;
    }
    return tensor.defined() ? type_of(types, tensor, /*requires_grad=*/false) : types.none();
  }
  if (value.isNone()) return types.none();
  if (value.isInt() || value.isSymInt()) return types.integer();
  if (value.isDouble()) return types.floating();
  if (value.isBool()) return types.boolean();
  if (value.isComplexDouble()) return types.complex();
  if (value.isString()) return types.string();
  if (value.isList()) {
    std::vector<Type> items;
    for (const c10::IValue& item : value.toList().vec()) items.push_back(result_type(item));
    return types.list(items);
  }
  return types.object(value.tagKind());
}

Type Recorder::result_type(Values results) {
  if (results.size() == 1) return result_type(results[0]);
  if (results.empty()) return context_->types().none();
  std::vector<Type> types;
  for (const c10::IValue& result : results) types.push_back(result_type(result));
  return context_->types().tuple(types);
}

Node* Recorder::add_node(const Row& row, absl::Span<const Argument> arguments, Type type,
                         const Labels& labels) {
  absl::InlinedVector<Kwarg, 4> kwargs;
  for (size_t i = row.num_positional; i < arguments.size(); ++i) {
    kwargs.emplace_back(row.names[i], arguments[i]);
  }
  Node* node = graph_->call_function(row.target, arguments.subspan(0, row.num_positional), kwargs,
                                     {.name = row.name, .type = type});
  label(*node, labels);
  return node;
}

void Recorder::bind_result(Node& node, const c10::IValue& value, const Labels& labels,
                           Symbol module) {
  if (value.isTensor()) {
    if (value.toTensor().defined())
      values_.bind(value.toTensor(), {.node = &node, .module = module});
  } else if (value.isTensorList()) {
    const std::vector<at::Tensor> items = value.toTensorVector();
    for (size_t i = 0; i < items.size(); ++i) unpack(node, i, items[i], labels, module);
  } else if (value.isScalar()) {
    // The number goes back to the program, which may act on it: the graph holds for this value
    // only.
    absl::StatusOr<Argument> guard = from_ivalue(value, {.base = ArgumentCode::kNumber});
    if (guard.ok()) node.meta().set(kGuard, *guard);
  }
}

void Recorder::unpack(Node& node, size_t index, const c10::IValue& value, const Labels& labels,
                      Symbol module) {
  if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) return;
  const Argument arguments[] = {Argument(node), Argument(index)};
  Node* item = graph_->call_function(getitem_, arguments, {}, {.type = result_type(value)});
  label(*item, labels);
  getitems_.push_back(item);
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
  const std::optional<size_t> sequence = sequence_of(labels);
  if (!sequence) return;
  meta.set(meta::kSeq.name, Argument(*sequence));
  if (labels.position.backward) return;
  if (*sequence >= module_by_sequence_.size()) module_by_sequence_.resize(*sequence + 1);
  if (!module_by_sequence_[*sequence]) module_by_sequence_[*sequence] = module;
}

/// Forward: the module of the parameters that the operator reads, where that lies within the open
/// scopes; else the scopes' path. Backward: that of the forward operator with the same number.
Symbol Recorder::module_of(const Labels& labels) {
  if (labels.position.backward) {
    const std::optional<size_t> sequence = sequence_of(labels);
    return sequence && *sequence < module_by_sequence_.size() ? module_by_sequence_[*sequence]
                                                              : Symbol();
  }
  if (module_path_version() != scope_version_) {
    scope_version_ = module_path_version();
    const std::string_view path = current_module_path();
    scope_ = path.empty() ? Symbol() : context_->symbol(path);
  }
  if (!scope_) return labels.module;
  return labels.module.str().starts_with(scope_.str()) ? labels.module : scope_;
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
    // An operator with several results says the same of them.
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
