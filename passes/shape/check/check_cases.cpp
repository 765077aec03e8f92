// Checks type functions against recorded calls: see check_cases.h.
#include "fx/passes/shape/check/check_cases.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/shape/check/case_reader_internal.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/shape_prop.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <set>

namespace fx {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the number of tensors in an argument or result.
size_t count_tensors(const Argument& value) {
  if (value.kind() == ArgumentKind::kType) return value.as_type().is_tensor();
  size_t count = 0;
  for (size_t i = 0; i < value.size(); ++i) count += count_tensors(value[i]);
  return count;
}
void flatten(Type type, std::vector<Type>& tensors) {
  if (type.is_tensor()) tensors.push_back(type);
  for (Type item : type.items()) flatten(item, tensors);
}

struct Call {
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
};

/// True if the strides are equal, including those of dimensions of size 1, which equal_types() does
/// not compare. Strides of empty tensors are not compared.
bool has_equal_strides(Type a, Type b) {  // NOLINT(misc-no-recursion): types nest
  if (a.items().size() != b.items().size()) return false;
  for (size_t i = 0; i < a.items().size(); ++i)
    if (!has_equal_strides(a.items()[i], b.items()[i])) return false;
  if (!a.is_tensor() || !b.is_tensor()) return true;
  if (std::ranges::any_of(a.sizes(), [](const Dim& size) { return size == Dim(0); })) return true;
  return std::ranges::equal(a.strides(), b.strides(),
                            [](const Dim& x, const Dim& y) { return same_value(x, y); });
}

/// Returns the inferred aliases in the recorded form: for each tensor of the result, its index
/// among the tensors of all arguments, or -1.
std::vector<int> alias_numbers(const ops::OpInfo& op, const Call& call, const InferredCall& got) {
  std::vector<Type> results;
  flatten(got.type, results);
  std::vector<int> numbers(results.size(), -1);
  std::vector<BoundParameter> bound;
  bind_arguments(op.schema(), CallArguments::of(call.args, call.kwargs), call_style(op), bound);
  for (const TypeAlias& alias : got.aliases) {
    size_t number = 0;
    const size_t source = bound[static_cast<size_t>(alias.argument)].first;
    for (size_t i = 0; i < source; ++i)
      number += count_tensors(argument_at(call.args, call.kwargs, i));
    for (size_t i = 0; i < numbers.size(); ++i)
      if (alias.output < 0 || static_cast<size_t>(alias.output) == i)
        numbers[i] = static_cast<int>(number) + alias.item;
  }
  return numbers;
}

std::string alias_text(const std::vector<int>& numbers) {
  std::string text = " alias [";
  for (size_t i = 0; i < numbers.size(); ++i)
    text +=
        fmt::format("{}{}", i ? ", " : "", numbers[i] < 0 ? "none" : std::to_string(numbers[i]));
  return text + "]";
}

class Checker {
 public:
  Checker(Context& context, const TypeRules* rules)
      : context_(context), rules_(rules ? rules : TypeRules::find_in(context)), reader_(context) {}

  absl::Status line(size_t number, std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return malformed_case("a JSON object");
    if (json.contains("overload")) {
      if (json["overload"].is_string()) add_operator(json["overload"].get<std::string>());
      return absl::OkStatus();
    }
    if (!json.contains("op") || !json["op"].is_string() || !json.contains("args") ||
        !json["args"].is_array() || !(json.contains("out") || json.contains("rejected")))
      return malformed_case("a case with op, args, and out or rejected");
    return check(number, json);
  }

  CaseReport take() {
    report_.without_type_function.assign(missing_.begin(), missing_.end());
    return std::move(report_);
  }

 private:
  const ops::OpInfo* add_operator(const std::string& name) {
    report_.operators[name];
    const ops::OpInfo* op = context_.function(name).op();
    if (!op || !(rules_ ? rules_->find(*op) : find_type_rule(*op))) missing_.insert(name);
    return op;
  }

  absl::Status check(size_t number, const Json& json) {
    const std::string name = json["op"].get<std::string>();
    const ops::OpInfo* op = add_operator(name);
    Call call;
    for (const Json& item : json["args"]) {
      FX_ASSIGN_OR_RETURN(Argument value, reader_.argument(item));
      call.args.push_back(std::move(value));
    }
    if (json.contains("kwargs") && json["kwargs"].is_object()) {
      for (const auto& [key, item] : json["kwargs"].items()) {
        FX_ASSIGN_OR_RETURN(Argument value, reader_.argument(item));
        call.kwargs.emplace_back(context_.symbol(key), std::move(value));
      }
    }
    ShapeEnv env(context_);
    const auto got = infer_call(context_, context_.function(name), call.args, call.kwargs,
                                {.env = &env, .rules = rules_});
    if (json.contains("mutation")) return check_derived(number, name, json, *op, call, got);
    FX_ASSIGN_OR_RETURN(const Type expected, reader_.value(json["out"]));
    std::string text;
    bool ok = false;
    if (!got.ok()) {
      text = std::string(got.status().message());
    } else if (!got->type) {
      text = "unknown";
    } else {
      text = to_string(got->type);
      FX_ASSIGN_OR_RETURN(ok, check_result(json, *op, call, expected, *got, text));
    }
    CaseCount& count = report_.operators[name];
    ++(ok ? count.passed : count.failed);
    if (ok) {
      ++report_.passed;
      return absl::OkStatus();
    }
    const auto word = [&](const char* key) {
      return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() + " " : "";
    };
    report_.failures.push_back({.line = number,
                                .op = name,
                                .variant = word("from") + word("variant"),
                                .expected = to_string(expected),
                                .got = text});
    return absl::OkStatus();
  }

  /// Checks that a derived call is rejected if and only if eager mode rejects it, and that the type
  /// of an accepted call is the recorded one.
  absl::Status check_derived(size_t number, const std::string& name, const Json& json,
                             const ops::OpInfo& op, const Call& call,
                             const absl::StatusOr<InferredCall>& got) {
    if (!json["mutation"].is_string()) return malformed_case("a kind of mutation");
    const std::string kind = json["mutation"].get<std::string>();
    MutationCount& mutation = report_.mutations[kind];
    const bool is_rejected = json.contains("rejected");
    if (is_rejected && !json["rejected"].is_string())
      return malformed_case("the error message of eager mode");
    if (is_rejected && json["rejected"] == "values") {
      ++mutation.by_values;
      return absl::OkStatus();
    }
    // Calls to an operator without a type function are not rejected.
    const bool is_rejected_by_rule = absl::IsInvalidArgument(got.status());
    ++(is_rejected ? mutation.rejected : mutation.accepted);
    bool ok = is_rejected == is_rejected_by_rule;
    if (ok) ++(is_rejected ? mutation.rejected_by_both : mutation.accepted_by_both);
    std::string wanted = is_rejected ? "error: " + json["rejected"].get<std::string>() : "no error";
    if (ok && !is_rejected && got.ok() && got->type && json.contains("out") &&
        !json["out"].is_null()) {
      FX_ASSIGN_OR_RETURN(const Type expected, reader_.value(json["out"]));
      wanted = to_string(expected);
      FX_ASSIGN_OR_RETURN(ok, agrees(json, op, call, expected, *got));
      if (!ok) ++mutation.other_types;
    }
    CaseCount& count = report_.operators[name];
    ++(ok ? count.passed : count.failed);
    if (ok) {
      ++report_.passed;
      return absl::OkStatus();
    }
    report_.failures.push_back({.line = number,
                                .op = name,
                                .variant = kind,
                                .expected = std::move(wanted),
                                .got = !got.ok()   ? std::string(got.status().message())
                                       : got->type ? to_string(got->type)
                                                   : "unknown"});
    return absl::OkStatus();
  }

  /// Like check_result, for a type that may be partly known: then only ranks and dtypes must agree.
  absl::StatusOr<bool> agrees(const Json& json, const ops::OpInfo& op, const Call& call,
                              Type expected, const InferredCall& got) {
    std::string text = to_string(got.type);
    const bool is_known = text.find_first_of("?*") == std::string::npos && !has_symbols(got.type);
    if (!is_known) return !have_different_ranks(expected, got.type);
    return check_result(json, op, call, expected, got, text);
  }

  absl::StatusOr<bool> check_result(const Json& json, const ops::OpInfo& op, const Call& call,
                                    Type expected, const InferredCall& got, std::string& text) {
    const Json meta = json.value("meta", Json("same"));
    if (meta == "error") return same_rank_and_dtype(expected, got.type);
    if (meta != "same") {
      FX_ASSIGN_OR_RETURN(const Type meta_type, reader_.value(meta));
      if (equal_types(meta_type, got.type)) return true;
    }
    if (!equal_types(expected, got.type) || !has_equal_strides(expected, got.type)) return false;
    if (!json.contains("alias") || !json["alias"].is_array()) return true;
    std::vector<int> recorded;
    for (const Json& item : json["alias"])
      recorded.push_back(item.is_number_integer() ? item.get<int>() : -1);
    const std::vector<int> inferred = alias_numbers(op, call, got);
    text += alias_text(inferred) + " for" + alias_text(recorded);
    // Recorders report an alias if a kernel returns its argument although the schema declares a new
    // tensor (dropout in eval mode). They report no alias for tensors without elements.
    bool declared = false;
    for (const ops::SchemaArgument& result : op.schema().returns())
      declared = declared || result.type.alias() != nullptr;
    if (!declared) return true;
    std::vector<Type> results;
    flatten(got.type, results);
    if (inferred.size() != recorded.size()) return false;
    for (size_t i = 0; i < inferred.size(); ++i)
      if (inferred[i] != recorded[i] && numel(results[i].sizes()) != Dim(0)) return false;
    return true;
  }

  Context& context_;
  const TypeRules* rules_;
  CaseReader reader_;
  CaseReport report_;
  std::set<std::string> missing_;
};

}  // namespace

absl::StatusOr<CaseReport> check_cases(Context& context, std::string_view json_lines,
                                       const TypeRules* rules) {
  Checker checker(context, rules);
  size_t number = 0;
  while (!json_lines.empty()) {
    const size_t end = json_lines.find('\n');
    const std::string_view line = json_lines.substr(0, end);
    ++number;
    if (!line.empty()) {
      if (absl::Status status = checker.line(number, line); !status.ok())
        return with_context(status, fmt::format("line {}", number));
    }
    if (end == std::string_view::npos) break;
    json_lines.remove_prefix(end + 1);
  }
  return checker.take();
}

}  // namespace fx
