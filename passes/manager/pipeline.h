// Pipeline: a list of passes with their options, which can be written as text:
//
//   functionalize{copy_back=false},eliminate_dead_code
//
//   pipeline = step ["," step]...
//   step     = name ["{" option ["," option]... "}"]
//   option   = name ["=" value]           the default value is true
//
// Whitespace around names and values is ignored. A value is written without quotes (true, 3, 0.5, a
// word), or in double quotes with `"` and `\` escaped by a backslash.
#pragma once

#include "fx/passes/manager/pass.h"

#include "absl/status/statusor.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// One step: a pass with the values of its options.
struct PipelineStep {
  PipelineStep(Pass p)  // NOLINT(google-explicit-constructor): a pass is a step
      : options(p.options), pass(std::move(p)) {}

  /// Returns `name{option=value}`, without options that have their defaults.
  std::string str() const;

  std::vector<PassOption> options;
  Pass pass;
};

using Pipeline = std::vector<PipelineStep>;

/// Parses a pipeline. Returns InvalidArgument for an unknown pass or option, with the alternatives,
/// and for a value of the wrong kind. An empty string is an empty pipeline.
absl::StatusOr<Pipeline> parse_pipeline(const PassTable& passes, std::string_view text);
/// Returns the text of a pipeline, for parse_pipeline.
std::string to_string(const Pipeline& pipeline);

/// Returns the text of an option's value.
std::string option_text(const Argument& value);

/// Metadata of a graph: the default pipeline of `fxcpp opt`. Reproducers of failures
/// (PassManagerOptions::reproducer) contain it.
inline constexpr std::string_view kPipelineKey = "pipeline";

}  // namespace fx
