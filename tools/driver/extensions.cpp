// Extensions that programs and plugins add to fxcpp: see extensions.h.
#include "fx/tools/driver/extensions.h"

#include "fx/ir/support/attachments.h"
#include "fx/ir/support/exceptions.h"
#include "fx/ir/support/status.h"

#include "absl/strings/match.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The address of this variable is the key of the extensions with which a Context was set up.
constexpr char kExtensionsOfContext = 0;

constexpr std::string_view kEmitFormats[] = {"dot", "svg",    "json", "networkx", "python",
                                             "cpp", "folder", "mlir", "onnx",     "pt2"};
/// The file name extensions that fxcpp reads.
constexpr std::string_view kFileExtensions[] = {".fx",  ".json", ".fxb", ".safetensors",
                                                ".pt2", ".onnx", ".pt"};

std::string threw_message(std::string_view origin, std::string_view what,
                          std::string_view exception) {
  return fmt::format("{}{}{} threw {}", origin, origin.empty() ? "" : ": ", what, exception);
}

template <class Result>
absl::StatusOr<Result> without_throwing(std::string_view origin, std::string_view what,
                                        const auto& function, auto&&... arguments) {
  return without_exceptions(
      [&] { return function(std::forward<decltype(arguments)>(arguments)...); },
      [&](std::string_view exception) -> absl::StatusOr<Result> {
        return absl::InternalError(threw_message(origin, what, exception));
      });
}

/// Returns a function for a rule that calls `function`, and rejects the call if `function` throws.
template <class Call>
std::function<AnyArg(Call&)> reject_if_throws(std::function<AnyArg(Call&)> function,
                                              std::string origin, std::string what) {
  if (!function) return function;
  return [function = std::move(function), origin = std::move(origin),
          what = std::move(what)](Call& call) {
    return without_exceptions([&] { return function(call); },
                              [&](std::string_view exception) {
                                return call.reject(threw_message(origin, what, exception));
                              });
  };
}

absl::Status check_has(bool has, std::string_view kind, std::string_view name,
                       std::string_view what) {
  if (has) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("{} \"{}\" has no {}", kind, name, what));
}

template <class Entry>
const Entry* find_named(const std::vector<Entry>& entries, std::string_view name) {
  const auto place =
      std::ranges::find_if(entries, [&](const Entry& entry) { return entry.name == name; });
  return place == entries.end() ? nullptr : &*place;
}

/// Returns the error for a name that is already used: by fxcpp if `origin` is null, otherwise by
/// the extension with this origin.
absl::Status name_error(std::string_view kind, std::string_view name, const std::string* origin) {
  return absl::AlreadyExistsError(fmt::format("{} already has {} named {}; choose a different name",
                                              origin == nullptr ? "fxcpp"
                                              : origin->empty() ? "this program"
                                                                : *origin,
                                              kind, name));
}

}  // namespace

absl::Span<const std::string_view> emit_formats() { return kEmitFormats; }

Extensions::Extensions() : passes_(standard_passes()) {}

absl::Status Extensions::add(Pass pass) {
  if (const Pass* other = passes_.find(pass.name))
    return name_error("a pass", pass.name,
                      standard_passes().find(pass.name) ? nullptr : &other->origin);
  FX_RETURN_IF_ERROR(passes_.add(pass));
  own_passes_.push_back(std::move(pass));
  return absl::OkStatus();
}

absl::Status Extensions::add(OperatorExtension op) {
  if (op.schema.empty()) return absl::InvalidArgumentError("an operator has no schema");
  operators_.push_back(std::move(op));
  return absl::OkStatus();
}

absl::Status Extensions::add(RuleExtension rules) {
  FX_RETURN_IF_ERROR(check_has(!rules.name.empty(), "a set of rules", rules.about, "name"));
  FX_RETURN_IF_ERROR(check_has(bool{rules.make}, "the set of rules", rules.name, "function"));
  if (const RuleExtension* other = find_rules(rules.name))
    return name_error("a set of rules", rules.name, &other->origin);
  rules_.push_back(std::move(rules));
  return absl::OkStatus();
}

absl::Status Extensions::add(Emitter emitter) {
  FX_RETURN_IF_ERROR(check_has(!emitter.name.empty(), "an emitter", emitter.about, "name"));
  FX_RETURN_IF_ERROR(check_has(bool{emitter.emit}, "the emitter", emitter.name, "function"));
  if (std::ranges::find(kEmitFormats, emitter.name) != std::end(kEmitFormats))
    return name_error("an emitter", emitter.name, nullptr);
  if (const Emitter* other = find_emitter(emitter.name))
    return name_error("an emitter", emitter.name, &other->origin);
  emitters_.push_back(std::move(emitter));
  return absl::OkStatus();
}

absl::Status Extensions::add(ImportFormat format) {
  if (format.extension.size() < 2 || format.extension[0] != '.') {
    return absl::InvalidArgumentError(
        fmt::format("the file name extension \"{}\" of an import format must be a dot and at least "
                    "one character",
                    format.extension));
  }
  FX_RETURN_IF_ERROR(
      check_has(bool{format.read}, "the import format", format.extension, "function"));
  if (std::ranges::find(kFileExtensions, format.extension) != std::end(kFileExtensions))
    return name_error("an import format", format.extension, nullptr);
  for (const ImportFormat& other : formats_)
    if (other.extension == format.extension)
      return name_error("an import format", format.extension, &other.origin);
  formats_.push_back(std::move(format));
  return absl::OkStatus();
}

absl::Status Extensions::add_all(const Extensions& other, LoadedPlugin plugin) {
  Extensions all = *this;
  const auto add_each = [&all](const auto& entries) {
    for (const auto& entry : entries) FX_RETURN_IF_ERROR(all.add(entry));
    return absl::OkStatus();
  };
  FX_RETURN_IF_ERROR(add_each(other.own_passes_));
  FX_RETURN_IF_ERROR(add_each(other.operators_));
  FX_RETURN_IF_ERROR(add_each(other.rules_));
  FX_RETURN_IF_ERROR(add_each(other.emitters_));
  FX_RETURN_IF_ERROR(add_each(other.formats_));
  // Check that all operators can be added.
  Context scratch;
  FX_RETURN_IF_ERROR(all.set_up(scratch));
  all.plugins_.push_back(std::move(plugin));
  *this = std::move(all);
  return absl::OkStatus();
}

void Extensions::set_origin(const std::string& origin) {
  const auto set = [&origin](auto& entries) {
    for (auto& entry : entries) entry.origin = origin;
  };
  set(own_passes_);
  set(operators_);
  set(rules_);
  set(emitters_);
  set(formats_);
  passes_ = standard_passes();
  for (const Pass& pass : own_passes_) FX_CHECK_OK(passes_.add(pass));
}

const RuleExtension* Extensions::find_rules(std::string_view name) const {
  return find_named(rules_, name);
}
const Emitter* Extensions::find_emitter(std::string_view name) const {
  return find_named(emitters_, name);
}
const ImportFormat* Extensions::find_format(std::string_view path) const {
  for (const ImportFormat& format : formats_)
    if (path.ends_with(format.extension)) return &format;
  return nullptr;
}

std::string Extensions::describe_others() const {
  std::string text;
  const auto section = [&text](std::string_view title, const auto& entries, auto name) {
    if (!entries.empty()) text += fmt::format("\n{}\n", title);
    for (const auto& entry : entries) {
      text += fmt::format("{}\n", name(entry));
      if (!entry.origin.empty()) text += fmt::format("    (from {})\n", entry.origin);
    }
  };
  const auto line = [](const auto& entry) {
    return fmt::format("{}\n    {}", entry.name, entry.about);
  };
  section("Rule sets of plugins (fxcpp rewrite --rules NAME):", rules_, line);
  section("Operators of plugins:", operators_,
          [](const OperatorExtension& op) { return op.schema; });
  section("Output formats of plugins (fxcpp emit --to NAME):", emitters_, line);
  section("Input formats of plugins:", formats_, [](const ImportFormat& format) {
    return fmt::format("*{}\n    {}", format.extension, format.about);
  });
  return text;
}

absl::Status Extensions::set_up(Context& context) const {
  for (const OperatorExtension& op : operators_) {
    const absl::Status status =
        with_context(set_up(context, op), fmt::format("operator {}", op.schema));
    FX_RETURN_IF_ERROR(op.origin.empty() ? status : with_context(status, op.origin));
  }
  const auto make = [] {
    return Attachment(static_cast<void*>(new const Extensions*(nullptr)),
                      [](void* place) { delete static_cast<const Extensions**>(place); });
  };
  *static_cast<const Extensions**>(attachment(context, &kExtensionsOfContext, make)) = this;
  return absl::OkStatus();
}

absl::Status Extensions::set_up(Context& context, const OperatorExtension& op) const {
  std::string name = op.schema;
  if (absl::StrContains(op.schema, "(")) {
    FX_ASSIGN_OR_RETURN(const ops::OpInfo* info, context.add_operator(op.schema, op.options));
    name = info->name();
  } else if (context.ops().find(name) == nullptr) {
    return absl::NotFoundError("it is neither the name of an operator nor a schema");
  }
  if (op.type) FX_RETURN_IF_ERROR(TypeRules::of(context).add(context, name, op.type, op.origin));
  if (op.derivative) {
    DerivativeRule rule = *op.derivative;
    if (rule.op.empty()) rule.op = name;
    for (ArgumentDerivative& argument : rule.arguments)
      argument.gradient = reject_if_throws(argument.gradient, op.origin, "the derivative");
    rule.tangent = reject_if_throws(rule.tangent, op.origin, "the tangent");
    FX_RETURN_IF_ERROR(DerivativeTable::own(context).replace(std::move(rule)));
  }
  if (op.decomposition) {
    Decomposition entry = *op.decomposition;
    if (entry.op.empty()) entry.op = name;
    entry.function = reject_if_throws(entry.function, op.origin, "the decomposition");
    FX_RETURN_IF_ERROR(DecompositionTable::own(context).replace(std::move(entry)));
  }
  if (op.batching) {
    BatchingRule rule = *op.batching;
    if (rule.op.empty()) rule.op = name;
    rule.function = reject_if_throws(rule.function, op.origin, "the batching rule");
    FX_RETURN_IF_ERROR(BatchingTable::own(context).replace(std::move(rule)));
  }
  return absl::OkStatus();
}

const Extensions* Extensions::find_in(const Context& context) {
  const void* const place = find_attachment(context, &kExtensionsOfContext);
  return place != nullptr ? *static_cast<const Extensions* const*>(place) : nullptr;
}

Extensions& command_extensions() {
  static auto* const kExtensions = new Extensions();
  return *kExtensions;
}

absl::StatusOr<GraphDocument> read_extended_document(Context& context, const std::string& path,
                                                     const Pt2ReadOptions& options) {
  const Extensions* const extensions = Extensions::find_in(context);
  const ImportFormat* const format = extensions ? extensions->find_format(path) : nullptr;
  if (format == nullptr) return read_program_document(context, path, options);
  absl::StatusOr<GraphDocument> document = without_throwing<GraphDocument>(
      format->origin, fmt::format("the reader for {} files", format->extension), format->read,
      context, path);
  if (!document.ok()) return with_context(document.status(), path);
  if (document->module == nullptr && document->standalone_graph == nullptr) {
    return absl::InternalError(fmt::format("{}: the reader for {} files in {} returned no graph",
                                           path, format->extension, format->origin));
  }
  return document;
}

absl::StatusOr<GraphDocument> read_and_print_notes(Context& context, const std::string& path,
                                                   bool check_weights) {
  std::vector<std::string> notes;
  absl::StatusOr<GraphDocument> document =
      read_extended_document(context, path, {.check_weights = check_weights, .notes = &notes});
  for (const std::string& note : notes) fmt::print(stderr, "{}: note: {}\n", path, note);
  return document;
}

absl::StatusOr<RuleSet> make_rules(const RuleExtension& rules, Context& context) {
  return without_throwing<RuleSet>(rules.origin, fmt::format("the rule set {}", rules.name),
                                   rules.make, context);
}

absl::StatusOr<std::string> emit_with(const Emitter& emitter, const EmitSource& source) {
  return without_throwing<std::string>(emitter.origin, fmt::format("the emitter {}", emitter.name),
                                       emitter.emit, source);
}

}  // namespace fx
