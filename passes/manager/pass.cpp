// Rows of passes: see pass.h.
#include "fx/passes/manager/pass.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

absl::Status check_row(const Pass& pass) {
  if (!is_word(pass.name)) {
    return absl::InvalidArgumentError(fmt::format(
        "\"{}\" is not a valid pass name; use letters, digits and underscores", pass.name));
  }
  if (!pass.run)
    return absl::InvalidArgumentError(fmt::format("pass {} must have a function", pass.name));
  for (size_t i = 0; i < pass.options.size(); ++i) {
    const PassOption& option = pass.options[i];
    const Argument& value = option.default_value;
    const bool is_plain =
        value.is_bool() || value.is_int() || value.is_float() || value.is_string();
    if (!is_word(option.name) || !is_plain) {
      return absl::InvalidArgumentError(fmt::format(
          "option \"{}\" of pass {} must have a name of letters, digits and underscores, and a "
          "bool, an integer, a float or a string as its default",
          option.name, pass.name));
    }
    for (size_t j = 0; j < i; ++j) {
      if (pass.options[j].name == option.name) {
        return absl::InvalidArgumentError(
            fmt::format("duplicate option \"{}\" of pass {}", option.name, pass.name));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

void PassRun::count(std::string_view what, size_t n) {
  if (n == 0) return;
  const auto counter = std::ranges::find(counts_, what, &PassCount::what);
  if (counter != counts_.end())
    counter->count += n;
  else
    counts_.push_back({std::string(what), n});
}

std::string missing_guarantees(const Pass& pass) {
  std::vector<std::string_view> parts;
  switch (pass.values) {
    case PassValues::kSameBits:
      break;
    case PassValues::kSameNumbers:
      parts.push_back("signs of zeros may change");
      break;
    case PassValues::kRounded:
      parts.push_back("values are rounded differently");
      break;
    case PassValues::kOther:
      parts.push_back("values change");
      break;
  }
  if (!pass.idempotent) parts.push_back("a second run may change more");
  if (pass.may_change_sharing) parts.push_back("values may stop sharing memory");
  return fmt::to_string(fmt::join(parts, "; "));
}

std::string_view pass_values_name(PassValues values) {
  switch (values) {
    case PassValues::kSameBits:
      return "bits";
    case PassValues::kSameNumbers:
      return "numbers";
    case PassValues::kRounded:
      return "rounded";
    case PassValues::kOther:
      return "other";
  }
  return "";
}

std::vector<std::string> PassRun::words(std::string_view name) const {
  const std::string_view all_words = text(name);
  std::vector<std::string> list;
  for (const absl::string_view word : absl::StrSplit(
           absl::string_view(all_words.data(), all_words.size()), ' ', absl::SkipEmpty()))
    list.emplace_back(word);
  return list;
}

const Argument& PassRun::value(std::string_view name) const {
  const auto* option = std::ranges::find(options_, name, &PassOption::name);
  FX_CHECK(option != options_.end(), "the row of the pass must have the option");
  return option->default_value;
}

PassTable::PassTable(absl::Span<const Pass> passes) {
  for (const Pass& pass : passes) FX_CHECK_OK(add(pass));
}

absl::Status PassTable::add(Pass pass) {
  FX_RETURN_IF_ERROR(check_row(pass));
  const auto position = std::ranges::lower_bound(passes_, pass.name, {}, &Pass::name);
  if (position != passes_.end() && position->name == pass.name)
    return absl::AlreadyExistsError(fmt::format("the pass name {} is already used", pass.name));
  passes_.insert(position, std::move(pass));
  return absl::OkStatus();
}

const Pass* PassTable::find(std::string_view name) const {
  const auto position = std::ranges::lower_bound(passes_, name, {}, &Pass::name);
  return position != passes_.end() && position->name == name ? &*position : nullptr;
}

}  // namespace fx
