// Implements the C interface to passes, type inference and interpretation: see fxcpp.h.
#include "fx/interp/interpreter.h"
#include "fx/ir/support/pluralize.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tools/driver/opt_main.h"
#include "tools/c/handles_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <memory>

namespace fx::c {
namespace {

absl::Status run_passes(GraphData& data, const char* text, const fxc_pass_options* given,
                        int* changed) {
  FX_RETURN_IF_ERROR(check_pointer(text, "pipeline"));
  fxc_pass_options options = {};
  FX_RETURN_IF_ERROR(copy_options(given, &options, sizeof(options)));
  FX_ASSIGN_OR_RETURN(Pipeline pipeline, parse_pipeline(data.context->extensions.passes(), text));
  // Passes may destroy nested graphs.
  destroy_nested(data);
  const Running running(data);
  const absl::StatusOr<PassReport> report =
      PassManager(std::move(pipeline), {.max_rounds = std::max(options.max_rounds, 1),
                                        .check_changed = options.check_changed != 0})
          .run(*data.graph, &data.root());
  data.index->rebuild();
  FX_RETURN_IF_ERROR(report.status());
  if (changed != nullptr) *changed = report->changed ? 1 : 0;
  return absl::OkStatus();
}

/// A value that a callback created, or an input, which is not released.
struct HeldValue {
  HeldValue(void* of, void (*with)(void*, void*), void* data)
      : value(of), release(with), user(data) {}
  ~HeldValue() {
    if (release != nullptr) release(user, value);
  }
  HeldValue(const HeldValue&) = delete;
  HeldValue& operator=(const HeldValue&) = delete;

  void* value;
  void (*release)(void*, void*);
  void* user;
};

/// A value in an interpreter: the caller's value, a constant, or a list of values.
struct CallerValue {
  std::shared_ptr<HeldValue> held;  // null for a constant or list
  std::vector<CallerValue> items;
};

class CallbackInterpreter final : public Interpreter<CallerValue> {
 public:
  CallbackInterpreter(GraphData& data, const fxc_interpreter& callbacks)
      : Interpreter(*data.graph, data.document ? &data.document->root() : nullptr),
        data_(data),
        callbacks_(callbacks) {}

  absl::StatusOr<CallerValue> get_attr(Call& call) override { return evaluate(call); }
  absl::StatusOr<CallerValue> call_function(Call& call) override { return evaluate(call); }
  absl::StatusOr<CallerValue> call_method(Call& call) override { return evaluate(call); }
  absl::StatusOr<CallerValue> call_module(Call& call) override { return evaluate(call); }
  absl::StatusOr<CallerValue> constant(const Argument& /*value*/) override { return CallerValue(); }
  absl::StatusOr<CallerValue> aggregate(const Argument& /*shape*/,
                                        std::vector<CallerValue> items) override {
    return CallerValue{.held = nullptr, .items = std::move(items)};
  }

  /// Returns the error of a run, with the code of the callback if a callback failed.
  absl::Status error_of(const absl::Status& status) const {
    return code_ == FXC_OK ? status : failure(code_, std::string(status.message()));
  }

 private:
  /// The call that a callback receives.
  struct CurrentCall final : CallData {
    explicit CurrentCall(Call& of) : call(of) {}
    absl::StatusOr<void*> argument(size_t index, int64_t item) const override {
      if (index >= call.args.size()) {
        return failure(FXC_OUT_OF_RANGE,
                       fmt::format("the call has {}; index {} is out of range",
                                   pluralize(call.args.size(), "argument"), index));
      }
      return pointer_of(call.args[index], item);
    }
    absl::StatusOr<void*> keyword(std::string_view name, int64_t item) const override {
      const CallerValue* const value = call.kwarg(name);
      if (value == nullptr) {
        return failure(FXC_NOT_FOUND,
                       fmt::format("the call has no keyword argument {}", std::string(name)));
      }
      return pointer_of(*value, item);
    }
    static absl::StatusOr<void*> pointer_of(const CallerValue& value, int64_t item) {
      const CallerValue* found = &value;
      if (item >= 0) {
        if (static_cast<size_t>(item) >= value.items.size()) {
          return failure(FXC_OUT_OF_RANGE,
                         fmt::format("the argument has {}; index {} is out of range",
                                     pluralize(value.items.size(), "item"), item));
        }
        found = &value.items[static_cast<size_t>(item)];
      }
      if (found->held) return found->held->value;
      return failure(FXC_FAILED_PRECONDITION,
                     "the argument is a constant or a list, not one of the caller's values");
    }
    Call& call;
  };

  absl::StatusOr<CallerValue> evaluate(Call& call) {
    CurrentCall current(call);
    FX_ASSIGN_OR_RETURN(const fxc_node node, handle_of(data_, call.node));
    FX_ASSIGN_OR_RETURN(const Token token,
                        add_slot(Kind::kCall, static_cast<CallData*>(&current), data_.context));
    void* result = nullptr;
    const char* reason = nullptr;
    const fxc_status status =
        callbacks_.evaluate(callbacks_.user, token.as<fxc_call>(), node, &result, &reason);
    remove_slot(token);
    if (status != FXC_OK) {
      code_ = status > FXC_INTERNAL ? FXC_INTERNAL : status;
      return absl::InternalError(reason != nullptr ? reason : "the callback returned an error");
    }
    return CallerValue{
        .held = std::make_shared<HeldValue>(result, callbacks_.release, callbacks_.user),
        .items = {}};
  }

  GraphData& data_;
  const fxc_interpreter& callbacks_;
  fxc_status code_ = FXC_OK;  // the error code of a callback
};

/// Appends the values of a result from left to right. Constants become null.
void append_results(const CallerValue& value, std::vector<HeldValue*>& results) {
  if (value.items.empty()) results.push_back(value.held.get());
  for (const CallerValue& item : value.items) append_results(item, results);
}

absl::Status interpret(GraphData& data, absl::Span<void* const> inputs,
                       const fxc_interpreter* given, void** results, size_t capacity,
                       size_t* num_results) {
  FX_RETURN_IF_ERROR(check_pointer(given, "interpreter"));
  FX_RETURN_IF_ERROR(check_pointer(num_results, "num_results"));
  FX_RETURN_IF_ERROR(check_array(results, capacity, "results"));
  fxc_interpreter callbacks = {};
  FX_RETURN_IF_ERROR(copy_options(given, &callbacks, sizeof(callbacks)));
  FX_RETURN_IF_ERROR(check_pointer(reinterpret_cast<const void*>(callbacks.evaluate), "evaluate"));
  std::vector<CallerValue> values;
  for (void* const input : inputs) {
    values.push_back({.held = std::make_shared<HeldValue>(input, nullptr, nullptr), .items = {}});
  }
  const Running running(data);
  CallbackInterpreter interpreter(data, callbacks);
  const absl::StatusOr<CallerValue> result = interpreter.run(std::move(values));
  if (!result.ok()) return interpreter.error_of(result.status());
  std::vector<HeldValue*> found;
  append_results(*result, found);
  *num_results = found.size();
  if (found.size() > capacity) {
    return failure(FXC_OUT_OF_RANGE, fmt::format("the graph has {}, but the capacity is {}",
                                                 pluralize(found.size(), "result"), capacity));
  }
  for (size_t i = 0; i < found.size(); ++i) {
    results[i] = found[i] != nullptr ? found[i]->value : nullptr;
    if (found[i] != nullptr) found[i]->release = nullptr;  // the caller now owns the value
  }
  return absl::OkStatus();
}

/// Sets `*value` to the caller's value for an argument of a call.
template <class Find>
fxc_status return_argument(fxc_call call, void** value, Find find) {
  return run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(call), Kind::kCall, "call"));
    FX_RETURN_IF_ERROR(check_pointer(value, "value"));
    const absl::StatusOr<void*> found = find(access.call());
    FX_RETURN_IF_ERROR(found.status());
    *value = *found;
    return absl::OkStatus();
  });
}

}  // namespace
}  // namespace fx::c

using fx::c::Access;
using fx::c::Kind;
using fx::c::Token;

fxc_status fxc_run_passes(fxc_graph graph, const char* pipeline, const fxc_pass_options* options,
                          int* changed) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(graph), Kind::kGraph, "graph"));
    FX_RETURN_IF_ERROR(access.may_change());
    return fx::c::run_passes(access.graph(), pipeline, options, changed);
  });
}

fxc_status fxc_describe_passes(fxc_context context, const char** text) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(context), Kind::kContext, "context"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(text, "text"));
    fx::c::return_text(fx::describe_passes(access.context().extensions.passes()), text);
    return absl::OkStatus();
  });
}

fxc_status fxc_propagate_types(fxc_graph graph, size_t* num_findings, const char** findings) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(graph), Kind::kGraph, "graph"));
    FX_RETURN_IF_ERROR(access.may_change());
    const fx::c::Running running(access.graph());
    const fx::ShapeReport report =
        fx::propagate_types(*access.graph().graph, {.other_call = fx::type_by_lowering});
    if (num_findings != nullptr) *num_findings = report.findings.size();
    fx::c::return_text(report.str(), findings);
    return absl::OkStatus();
  });
}

fxc_status fxc_interpret(fxc_graph graph, void* const* inputs, size_t num_inputs,
                         const fxc_interpreter* interpreter, void** results, size_t capacity,
                         size_t* num_results) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(graph), Kind::kGraph, "graph"));
    FX_RETURN_IF_ERROR(fx::c::check_array(inputs, num_inputs, "inputs"));
    return fx::c::interpret(access.graph(), {inputs, num_inputs}, interpreter, results, capacity,
                            num_results);
  });
}

fxc_status fxc_call_arg(fxc_call call, size_t index, int64_t item, void** value) {
  return fx::c::return_argument(
      call, value, [&](const fx::c::CallData& data) { return data.argument(index, item); });
}

fxc_status fxc_call_keyword(fxc_call call, const char* name, int64_t item, void** value) {
  return fx::c::return_argument(call, value,
                                [&](const fx::c::CallData& data) -> absl::StatusOr<void*> {
                                  FX_RETURN_IF_ERROR(fx::c::check_pointer(name, "name"));
                                  return data.keyword(name, item);
                                });
}
