// Pipelines as text: see pipeline.h.
#include "fx/passes/manager/pipeline.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/nearest.h"
#include "fx/ir/support/status.h"

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

std::string_view kind_of(const Argument& value) {
  return value.is_bool()    ? "true or false"
         : value.is_int()   ? "an integer"
         : value.is_float() ? "a number"
                            : "a string";
}

template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  names.reserve(rows.size());
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

class PipelineParser {
 public:
  PipelineParser(const PassTable& passes, std::string_view text) : passes_(passes), text_(text) {}

  absl::StatusOr<Pipeline> parse() {
    Pipeline pipeline;
    skip_whitespace();
    if (text_.empty()) return pipeline;
    do {
      FX_RETURN_IF_ERROR(parse_step(pipeline));
    } while (take(','));
    if (!text_.empty()) {
      return usage_error(fmt::format("expected a comma before \"{}\" in the pipeline", text_));
    }
    return pipeline;
  }

 private:
  absl::Status parse_step(Pipeline& pipeline) {
    const std::string name = take_word(",{");
    const Pass* pass = passes_.find(name);
    if (pass == nullptr && name.empty()) {
      return usage_error(fmt::format(
          "expected passes separated by commas; a name is missing {}",
          text_.empty() ? "after the last comma" : fmt::format("before \"{}\"", text_)));
    }
    if (pass == nullptr) {
      const std::vector<std::string_view> known = names_of(passes_.passes());
      return usage_error(fmt::format("unknown pass \"{}\"{}; the passes are {}", name,
                                     did_you_mean(name, known), fmt::join(known, ", ")));
    }
    PipelineStep& step = pipeline.emplace_back(*pass);
    if (!take('{')) return absl::OkStatus();
    if (!take('}')) {
      do {
        FX_RETURN_IF_ERROR(parse_option(step));
      } while (take(','));
      if (!take('}')) {
        return usage_error(fmt::format("the options of pass {} have no closing brace", name));
      }
    }
    return absl::OkStatus();
  }

  absl::Status parse_option(PipelineStep& step) {
    const std::string name = take_word("=,}");
    const auto option = std::ranges::find(step.options, name, &PassOption::name);
    if (option == step.options.end()) {
      const std::vector<std::string_view> known = names_of(step.options);
      return usage_error(
          fmt::format("unknown option \"{1}\" of pass {0}{2}; {3}", step.pass.name, name,
                      did_you_mean(name, known),
                      known.empty() ? "it has no options"
                                    : fmt::format("its options are {}", fmt::join(known, ", "))));
    }
    std::string text = "true";
    if (take('=')) {
      FX_ASSIGN_OR_RETURN(text, take_value());
    }
    Argument& value = option->default_value;
    bool is_valid = true, flag = false;
    int64_t integer = 0;
    double number = 0;
    if (value.is_bool()) {
      flag = text == "true";
      is_valid = flag || text == "false";
      if (is_valid) value = Argument(flag);
    } else if (value.is_int()) {
      is_valid = absl::SimpleAtoi(text, &integer);
      if (is_valid && integer < option->minimum)
        return usage_error(fmt::format("option {} of pass {} must be at least {}, not {}", name,
                                       step.pass.name, option->minimum, text));
      if (is_valid) value = Argument(integer);
    } else if (value.is_float()) {
      is_valid = absl::SimpleAtod(text, &number);
      if (is_valid) value = Argument(number);
    } else {
      value = Argument(text);
    }
    if (is_valid) return absl::OkStatus();
    return usage_error(fmt::format("option {} of pass {} must be {}, not \"{}\"", name,
                                   step.pass.name, kind_of(value), text));
  }

  void skip_whitespace() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t'))
      text_.remove_prefix(1);
  }
  /// Returns the text up to one of the characters in `ends`, without surrounding whitespace.
  std::string take_word(std::string_view ends) {
    skip_whitespace();
    const size_t size = std::min(text_.find_first_of(ends), text_.size());
    std::string word(text_.substr(0, size));
    text_.remove_prefix(size);
    word.resize(word.find_last_not_of(" \n\t") + 1);
    return word;
  }
  absl::StatusOr<std::string> take_value() {
    skip_whitespace();
    if (!text_.starts_with('"')) return take_word(",}");
    std::string value;
    for (size_t i = 1; i < text_.size(); ++i) {
      if (text_[i] == '"') {
        text_.remove_prefix(i + 1);
        skip_whitespace();
        return value;
      }
      if (text_[i] == '\\' && i + 1 < text_.size()) ++i;
      value += text_[i];
    }
    return usage_error(fmt::format("expected a closing quote in the pipeline: {}", text_));
  }
  bool take(char c) {
    skip_whitespace();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  const PassTable& passes_;
  std::string_view text_;
};

}  // namespace

std::string option_text(const Argument& value) {
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_int()) return fmt::format("{}", value.as_int());
  if (value.is_float()) return fmt::format("{}", value.as_float());
  const std::string_view text = value.as_string();
  if (!text.empty() && text.find_first_of("{},=\"\\ \n\t") == std::string_view::npos)
    return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string PipelineStep::str() const {
  FX_CHECK(options.size() == pass.options.size(), "a step must have the options of its pass");
  std::string text;
  for (size_t i = 0; i < options.size(); ++i) {
    if (options[i].default_value == pass.options[i].default_value) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", options[i].name,
                        option_text(options[i].default_value));
  }
  return text.empty() ? pass.name : fmt::format("{}{{{}}}", pass.name, text);
}

absl::StatusOr<Pipeline> parse_pipeline(const PassTable& passes, std::string_view text) {
  return PipelineParser(passes, text).parse();
}

std::string to_string(const Pipeline& pipeline) {
  std::string text;
  for (const PipelineStep& step : pipeline) {
    if (!text.empty()) text += ',';
    text += step.str();
  }
  return text;
}

}  // namespace fx
