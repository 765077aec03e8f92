#include "fx/tracer/tracer.h"

#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/ordered_map.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>

namespace fx {

// ---------------------------------------------------------------- nn::Module

namespace internal {

std::string class_name_of(std::string_view function_name) {
  // "std::string fx::internal::class_name() [with T = Net; ...]", or clang's "[T = Net]".
  const size_t start = function_name.find("T = ");
  if (start == std::string_view::npos) return "Module";
  std::string_view rest = function_name.substr(start + 4);
  rest = rest.substr(0, rest.find_first_of(";]"));
  std::string name;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest.substr(i).starts_with("::")) {
      name += '.';
      ++i;
    } else {
      name += rest[i];
    }
  }
  // Unnamed namespaces and functions are not part of the name.
  if (const size_t close = name.find_last_of("})>"); close != std::string::npos) {
    if (const size_t dot = name.find('.', close); dot != std::string::npos)
      name = name.substr(dot + 1);
  }
  return name;
}

}  // namespace internal

namespace {

/// Returns the active tracers of this thread, innermost last. The forward function of another
/// module may use a module's parameters, for example `linear->weight`.
std::vector<Tracer*>& active_tracers() {
  static thread_local std::vector<Tracer*> tracers;
  return tracers;
}

TracerBase* tracer_of(const nn::Module* owner) {
  if (owner == nullptr || owner->tracer() != nullptr) return owner ? owner->tracer() : nullptr;
  for (auto tracer = active_tracers().rbegin(); tracer != active_tracers().rend(); ++tracer)
    if ((*tracer)->path_of_module(*owner).ok()) return *tracer;
  return nullptr;
}

}  // namespace

Parameter::operator Proxy() const {
  TracerBase* const found = tracer_of(owner_);
  FX_CHECK(found != nullptr, "a Parameter must be used while its module is being traced");
  TracerBase& base = *found;
  const Attribute* attribute = owner_->find_attribute(name_);
  if (attribute != nullptr && attribute->kind != AttributeKind::kConstant &&
      !attribute->tensor.defined()) {
    return Proxy();
  }
  auto* tracer = dynamic_cast<Tracer*>(&base);
  FX_CHECK(tracer != nullptr, "parameters can be used only with a Tracer");
  return tracer->read_attribute(*owner_, name_, Where::current());
}
Tensor Parameter::tensor() const { return owner_ ? owner_->find_tensor(name_) : Tensor(); }
Parameter::operator OptionalTensor() const { return OptionalTensor(static_cast<Proxy>(*this)); }

namespace nn {

void Module::put_module(std::string_view name, std::shared_ptr<fx::Module> module) {
  FX_CHECK_OK(add_submodule(name, std::move(module)));
}
Parameter Module::register_parameter(std::string_view name, fx::Tensor tensor, bool requires_grad) {
  FX_CHECK_OK(
      fx::Module::register_parameter(name, std::move(tensor), {.requires_grad = requires_grad}));
  return Parameter(*this, name);
}
Parameter Module::register_buffer(std::string_view name, fx::Tensor tensor, bool persistent) {
  FX_CHECK_OK(fx::Module::register_buffer(name, std::move(tensor), {.persistent = persistent}));
  return Parameter(*this, name);
}

void internal::no_tracer(std::string_view class_name) {
  FX_CHECK(false, fmt::format("a {} was called with Proxies that have no value", class_name));
  FX_UNREACHABLE("checked");
}

}  // namespace nn

// ---------------------------------------------------------------- Tracer

namespace {
/// Returns the graph of a tracer before the first trace.
std::unique_ptr<Graph> empty_graph(Context& context) { return std::make_unique<Graph>(context); }
}  // namespace

Tracer::Tracer(Context& context, const RecordOptions& options)
    : Tracer(empty_graph(context), options) {}
Tracer::Tracer(std::unique_ptr<Graph> graph, const RecordOptions& options)
    : TracerBase(*graph, options), own_graph_(std::move(graph)) {}
Tracer::~Tracer() { std::erase(active_tracers(), this); }

void Tracer::begin(std::shared_ptr<Module> root) {
  Context& ctx = context();
  std::erase(active_tracers(), this);
  active_tracers().push_back(this);
  own_graph_ = std::make_unique<Graph>(ctx);
  set_graph(*own_graph_);
  clear_status();
  root_ = std::move(root);
  scopes_.clear();
  members_.clear();
  attributes_.clear();
  constants_.clear();
  fresh_ = std::make_unique<UniqueAttributeNames>(*root_);
  Symbol class_name;  // often the same as the previous module's
  root_->for_each_module([&](std::string_view path, Module& module) {
    if (!class_name || class_name.str() != module.class_name())
      class_name = ctx.symbol(module.class_name());
    members_.try_emplace(&module, Member{ctx.symbol(path), class_name});
  });
}

absl::StatusOr<std::unique_ptr<Graph>> Tracer::finish_failed() {
  FX_CHECK(!status().ok(), "a failed trace must have an error");
  std::erase(active_tracers(), this);
  own_graph_ = std::make_unique<Graph>(context());
  set_graph(*own_graph_);
  return status();
}

absl::StatusOr<std::unique_ptr<Graph>> Tracer::finish(const AnyArg& result, Where where) {
  record({.op = Opcode::kOutput,
          .target = "output",
          .args = absl::MakeConstSpan(&result.value(), 1),
          .where = where});
  if (!status().ok()) return finish_failed();
  std::erase(active_tracers(), this);
  FX_RETURN_IF_ERROR(end_trace(graph()));
  std::unique_ptr<Graph> traced = std::move(own_graph_);
  own_graph_ = std::make_unique<Graph>(context());
  set_graph(*own_graph_);
  return traced;
}

absl::Status Tracer::end_trace(Graph&) { return absl::OkStatus(); }

// ---------------------------------------------------------------- inputs

std::string Tracer::input_name(size_t i) {
  return i < inputs_.names.size() ? inputs_.names[i] : fmt::format("arg{}", i);
}

namespace {

template <class T>
const T* find_named(const std::vector<std::pair<std::string, T>>& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [name](const auto& entry) { return entry.first == name; });
  return found == entries.end() ? nullptr : &found->second;
}

}  // namespace

void Tracer::check_inputs(size_t num_inputs) {
  if (inputs_.names.size() > num_inputs) {
    fail(absl::InvalidArgumentError(fmt::format("{} input names were passed for a function with {}",
                                                inputs_.names.size(),
                                                pluralize(num_inputs, "parameter"))));
  }
  std::vector<std::string> names;
  names.reserve(num_inputs);
  for (size_t i = 0; i < num_inputs; ++i) names.push_back(input_name(i));
  const auto check = [&](std::string_view what, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    fail(absl::InvalidArgumentError(
        fmt::format("a {} was passed for '{}', which is not an input; the inputs are {}", what,
                    name, fmt::join(names, ", "))));
  };
  for (const auto& [name, value] : inputs_.concrete_args) check("concrete value", name);
  for (const auto& [name, value] : inputs_.defaults) check("default", name);
}

Proxy Tracer::input(std::string_view name, std::string_view base) {
  const std::string input_name(name);
  if (find_named(inputs_.concrete_args, base) != nullptr) {
    fail(absl::InvalidArgumentError(
        fmt::format("a concrete value was passed for '{}', whose parameter is a Proxy; change its "
                    "type to bool, an integer type, double or std::string",
                    base)));
    return Proxy::failed(*this);
  }
  const Argument* default_value = find_named(inputs_.defaults, base);
  const Proxy result =
      default_value ? placeholder(input_name, *default_value) : placeholder(input_name);
  const Type* type = find_named(inputs_.types, input_name);
  if (type != nullptr && result.defined()) result.node()->set_type(*type);
  return result;
}

void Tracer::structured_input(std::string_view name,
                              absl::FunctionRef<void(absl::FunctionRef<void(Proxy&)>)> visit) {
  int number = 0;
  visit([&](Proxy& leaf) { leaf = input(fmt::format("{}_{}", name, ++number), name); });
}

std::optional<Argument> Tracer::concrete_input(std::string_view name, const Argument* example) {
  const Argument* value = find_named(inputs_.concrete_args, name);
  if (value == nullptr) value = example;
  if (value == nullptr) {
    fail(absl::InvalidArgumentError(fmt::format(
        "parameter '{}' is not a Proxy and requires a concrete value (TraceInputs::concrete_args)",
        name)));
    return std::nullopt;
  }
  const std::string input_name = fmt::format("{}_1", name);
  const Argument* default_value = find_named(inputs_.defaults, name);
  const Proxy result =
      default_value ? placeholder(input_name, *default_value) : placeholder(input_name);
  if (!result.defined()) return std::nullopt;
  std::string text;
  if (value->is_string()) {
    text = std::string(value->as_string());
  } else if (value->is_bool()) {
    text = value->as_bool() ? "True" : "False";
  } else if (value->is_int()) {
    text = std::to_string(value->as_int());
  } else {
    text = fmt::format("{}", value->as_float());
  }
  const std::string message =
      fmt::format("{} has been specialized to have value {} but got another value", name, text);
  const Argument compared[] = {Argument(result.node()), *value};
  const Proxy equal = call_function(context().function("operator.eq"), compared);
  if (!equal.defined()) return std::nullopt;
  const Argument asserted[] = {Argument(equal.node()), Argument(message)};
  call_function(context().function("torch._assert"), asserted);
  return *value;
}

// ---------------------------------------------------------------- state

Proxy Tracer::embed(const Tensor& tensor, Where where) {
  if (!status().ok()) return Proxy::failed(*this);
  auto [it, is_new] = constants_.try_emplace(tensor.identity());
  if (is_new) {
    it->second = get_fresh_qualname("_tensor_constant");
    const absl::Status added = root_->register_constant(it->second, tensor);
    if (!added.ok()) {
      fail(added, where);
      return Proxy::failed(*this);
    }
  }
  return get_attr(it->second, where);
}

std::string Tracer::get_fresh_qualname(std::string_view prefix) { return fresh_->next(prefix); }

Tracer::Member* Tracer::find_member(const Module& module) {
  const auto found = members_.find(&module);
  return found == members_.end() ? nullptr : &found->second;
}

absl::Status Tracer::not_registered(const Module& module) const {
  return absl::NotFoundError(
      fmt::format("the called {} must be a submodule of the traced {}; register it with "
                  "register_module",
                  module.class_name(), root_ ? root_->class_name() : "module"));
}

absl::StatusOr<std::string> Tracer::path_of_module(const Module& module) const {
  const auto found = members_.find(&module);
  if (found == members_.end()) return not_registered(module);
  return std::string(found->second.path.str());
}

Proxy Tracer::read_attribute(const nn::Module& module, std::string_view name, Where where) {
  if (!status().ok()) return Proxy::failed(*this);
  absl::StatusOr<std::string> path = path_of_module(module);
  if (!path.ok()) {
    fail(path.status(), where);
    return Proxy::failed(*this);
  }
  if (!path->empty()) *path += '.';
  path->append(name);
  const auto [it, is_new] = attributes_.try_emplace(*path, nullptr);
  if (is_new) {
    const Proxy value = get_attr(*path, where);
    if (!value.defined()) return value;
    attributes_[*path] = value.node();
    return value;
  }
  return it->second ? Proxy(*it->second, *this) : Proxy::failed(*this);
}

// ---------------------------------------------------------------- modules

bool Tracer::is_leaf_module(const Module& module, std::string_view) const {
  const std::string& name = module.class_name();
  return (name.starts_with("torch.nn.") || name.starts_with("torch.ao.nn.")) &&
         !name.starts_with("torch.nn.modules.container.") && name != kPlainModuleClass;
}

void Tracer::push_scope(Member& member) {
  const int call = member.calls++;
  const Argument key =
      call == 0 ? Argument(member.path) : Argument(fmt::format("{}@{}", member.path.str(), call));
  absl::InlinedVector<Argument, 8> entries;
  if (!scopes_.empty()) {
    const Argument& outer = scopes_.back().stack;
    for (size_t i = 0; i < outer.size(); ++i) entries.push_back(outer[i]);
  }
  entries.push_back(Argument::list({key, Argument(member.path), Argument(member.class_name)}));
  scopes_.push_back({member.path, Argument::list(entries)});
}

void Tracer::enter_module(const Module& module, Where where) {
  Member* member = find_member(module);
  if (member == nullptr) {
    fail(not_registered(module), where);
    member = find_member(*root_);
  }
  push_scope(*member);
}

void Tracer::leave_module() { scopes_.pop_back(); }

Proxy Tracer::call_module(const Module& module, absl::FunctionRef<Proxy()> forward,
                          absl::Span<const AnyArg> args, Where where) {
  if (!status().ok()) return Proxy::failed(*this);
  Member* const member = find_member(module);
  if (member == nullptr) {
    fail(not_registered(module), where);
    return Proxy::failed(*this);
  }
  const std::string_view path = member->path.str();
  if (!is_leaf_module(module, path)) return forward();
  size_t count = args.size();
  while (count > 0 && !args[count - 1].has_value()) --count;
  absl::InlinedVector<Argument, 8> values;
  for (const AnyArg& arg : args.first(count)) values.push_back(arg.value());
  push_scope(*member);
  const Proxy result =
      record({.op = Opcode::kCallModule, .target = path, .args = values, .where = where});
  leave_module();
  return result;
}

absl::StatusOr<Node*> Tracer::create_node(const NodeRequest& request) {
  FX_ASSIGN_OR_RETURN(Node* const node, TracerBase::create_node(request));
  if (!scopes_.empty() && !node->is_output()) {
    node->meta().set(meta::kModule.name, Argument(scopes_.back().path));
    node->meta().set(meta::kModuleStack.name, scopes_.back().stack);
  }
  return node;
}

}  // namespace fx
