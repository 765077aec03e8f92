// Implements the C interface to contexts, operators and types: see fxcpp.h.
#include "fx/passes/shape/type_rules.h"
#include "fx/tools/driver/plugin.h"
#include "fx/tools/driver/release.h"
#include "tools/c/handles_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::c {

namespace {

/// Deletes the context and all of its graphs.
void destroy(ContextData* data) {
  for (const auto& graph : data->graphs) {
    remove_slot(graph->token);
    graph->index.reset();
  }
  remove_slot(data->token);
  delete data;
}

absl::Status create(const fxc_context_options* given, fxc_context* out) {
  FX_RETURN_IF_ERROR(check_pointer(out, "context"));
  fxc_context_options options = {};
  FX_RETURN_IF_ERROR(copy_options(given, &options, sizeof(options)));
  FX_RETURN_IF_ERROR(check_array(options.plugins, options.num_plugins, "plugins"));
  auto data = std::make_unique<ContextData>();
  data->owner = std::this_thread::get_id();
  for (size_t i = 0; i < options.num_plugins; ++i) {
    FX_RETURN_IF_ERROR(check_pointer(options.plugins[i], "a plugin"));
    FX_RETURN_IF_ERROR(load_plugin(options.plugins[i], data->extensions));
  }
  FX_RETURN_IF_ERROR(data->extensions.set_up(data->context));
  FX_ASSIGN_OR_RETURN(data->token, add_slot(Kind::kContext, data.get(), data.get()));
  *out = data.release()->token.as<fxc_context>();
  return absl::OkStatus();
}

/// The type function of operators whose types are computed by a callback. Returns the type of a
/// call.
Type call_back(ContextData& data, fxc_type_function function, void* user, TypeCall& call) {
  std::vector<fxc_type> arguments;
  arguments.reserve(static_cast<size_t>(call.size()));
  for (int i = 0; i < call.size(); ++i)
    arguments.push_back(handle_of(data, call.argument(i).type()));
  fxc_type result = nullptr;
  const char* reason = nullptr;
  ++data.callbacks;
  const fxc_status status = function(user, arguments.data(), arguments.size(), &result, &reason);
  --data.callbacks;
  if (status != FXC_OK)
    return call.fail(reason != nullptr ? reason : "the type function rejected the call");
  const absl::StatusOr<Type> type = type_of(data, result);
  return type.ok() ? *type
                   : call.fail("the type function: " + std::string(type.status().message()));
}

absl::Status may_add(const ContextData& data) {
  if (data.callbacks == 0) return absl::OkStatus();
  return failure(FXC_IN_USE, "a callback must not change the context that the library is using");
}

absl::StatusOr<Type> tensor_of(const Access& access) {
  FX_ASSIGN_OR_RETURN(const Type type, access.type());
  if (type.is_tensor()) return type;
  return failure(FXC_FAILED_PRECONDITION,
                 fmt::format("the type {} is not a tensor type", to_string(type)));
}

}  // namespace
}  // namespace fx::c

using fx::c::Access;
using fx::c::ContextData;
using fx::c::Kind;
using fx::c::Token;

uint32_t fxc_abi_version(void) { return FXC_ABI_VERSION; }
const char* fxc_release(void) { return FXCPP_RELEASE; }
const char* fxc_message(void) { return fx::c::last_message(); }

const char* fxc_status_name(fxc_status status) {
  constexpr const char* kNames[] = {"FXC_OK",
                                    "FXC_NULL_ARGUMENT",
                                    "FXC_BAD_HANDLE",
                                    "FXC_DESTROYED",
                                    "FXC_WRONG_CONTEXT",
                                    "FXC_WRONG_THREAD",
                                    "FXC_IN_USE",
                                    "FXC_OUT_OF_RANGE",
                                    "FXC_BAD_STRUCT",
                                    "FXC_INVALID_ARGUMENT",
                                    "FXC_NOT_FOUND",
                                    "FXC_ALREADY_EXISTS",
                                    "FXC_FAILED_PRECONDITION",
                                    "FXC_UNIMPLEMENTED",
                                    "FXC_RESOURCE_EXHAUSTED",
                                    "FXC_INTERNAL"};
  const auto i = static_cast<size_t>(status);
  return i < std::size(kNames) ? kNames[i] : "unknown";
}

fxc_status fxc_context_create(const fxc_context_options* options, fxc_context* context) {
  return fx::c::run_function([&] { return fx::c::create(options, context); });
}

fxc_status fxc_context_destroy(fxc_context context) {
  return fx::c::run_function([&]() -> absl::Status {
    ContextData* data = nullptr;
    {
      FX_ASSIGN_OR_RETURN(const Access access,
                          Access::enter(Token::of(context), Kind::kContext, "context"));
      data = &access.context();
      if (data->busy > 1) return fx::c::failure(FXC_IN_USE, "a function is running on the context");
    }
    fx::c::destroy(data);
    return absl::OkStatus();
  });
}

fxc_status fxc_context_take(fxc_context context) {
  return fx::c::run_function([&] { return fx::c::take(Token::of(context)); });
}

fxc_status fxc_add_operator(fxc_context context, const char* schema) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(context), Kind::kContext, "context"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(schema, "schema"));
    FX_RETURN_IF_ERROR(fx::c::may_add(access.context()));
    return access.context().context.add_operator(schema).status();
  });
}

fxc_status fxc_add_type_function(fxc_context context, const char* op, fxc_type_function function,
                                 void* user) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(context), Kind::kContext, "context"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(op, "op"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(reinterpret_cast<const void*>(function), "function"));
    ContextData& data = access.context();
    FX_RETURN_IF_ERROR(fx::c::may_add(data));
    return fx::TypeRules::of(data.context)
        .add(data.context, op, [&data, function, user](fx::TypeCall& call) {
          return fx::c::call_back(data, function, user, call);
        });
  });
}

fxc_status fxc_type_parse(fxc_context context, const char* text, fxc_type* type) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(context), Kind::kContext, "context"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(text, "text"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(type, "type"));
    FX_ASSIGN_OR_RETURN(const fx::Type parsed, access.context().context.types().parse(text));
    *type = fx::c::handle_of(access.context(), parsed);
    return absl::OkStatus();
  });
}

fxc_status fxc_type_text(fxc_type type, const char** text) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(type), Kind::kType, "type"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(text, "text"));
    FX_ASSIGN_OR_RETURN(const fx::Type found, access.type());
    fx::c::return_text(to_string(found), text);
    return absl::OkStatus();
  });
}

fxc_status fxc_type_is_tensor(fxc_type type, int* is_tensor) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(type), Kind::kType, "type"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(is_tensor, "is_tensor"));
    FX_ASSIGN_OR_RETURN(const fx::Type found, access.type());
    *is_tensor = found.is_tensor() ? 1 : 0;
    return absl::OkStatus();
  });
}

fxc_status fxc_type_dtype(fxc_type type, const char** dtype) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(type), Kind::kType, "type"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(dtype, "dtype"));
    FX_ASSIGN_OR_RETURN(const fx::Type tensor, fx::c::tensor_of(access));
    fx::c::return_text(std::string(dtype_name(tensor.dtype())), dtype);
    return absl::OkStatus();
  });
}

fxc_status fxc_type_rank(fxc_type type, int64_t* rank) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(type), Kind::kType, "type"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(rank, "rank"));
    FX_ASSIGN_OR_RETURN(const fx::Type tensor, fx::c::tensor_of(access));
    *rank = tensor.has_rank() ? tensor.rank() : -1;
    return absl::OkStatus();
  });
}

fxc_status fxc_type_size(fxc_type type, int64_t dim, int64_t* size, const char** text) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(type), Kind::kType, "type"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(size, "size"));
    FX_ASSIGN_OR_RETURN(const fx::Type tensor, fx::c::tensor_of(access));
    if (dim < 0 || dim >= tensor.rank()) {
      return fx::c::failure(FXC_OUT_OF_RANGE,
                            fmt::format("the type {} has no dimension {}", to_string(tensor), dim));
    }
    const fx::Dim& found = tensor.sizes()[static_cast<size_t>(dim)];
    *size = found.is_int() ? found.value() : -1;
    if (text != nullptr) fx::c::return_text(to_string(found), text);
    return absl::OkStatus();
  });
}

fxc_status fxc_type_equal(fxc_type a, fxc_type b, int* equal) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(a), Kind::kType, "a"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(b, "b"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(equal, "equal"));
    FX_ASSIGN_OR_RETURN(const fx::Type left, access.type());
    FX_ASSIGN_OR_RETURN(const fx::Type right, fx::c::type_of(access.context(), b));
    fx::TypeTable& types = access.context().context.types();
    *equal = types.canonical(left) == types.canonical(right) ? 1 : 0;
    return absl::OkStatus();
  });
}
