// Pipeline: which passes run, in order, with their options; as text, too.
//
//   functionalize{copy_back=false},eliminate_dead_code
//
//   pipeline = step ["," step]...
//   step     = name ["{" option ["," option]... "}"]
//   option   = name ["=" value]           without a value: true
//
// Blanks between words mean nothing. A value is written as it is (true, 3, 0.5, a word), or in
// double quotes, where a backslash stands before `"` and `\`.
#pragma once

#include "fx/passes/manager/pass.h"

#include "absl/status/statusor.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// One step: a pass, and its options with their values here.
struct PipelineStep {
  PipelineStep(Pass p)  // NOLINT(google-explicit-constructor): a pass is a step
      : options(p.options), pass(std::move(p)) {}

  /// `name{option=value}`, with the options that have not their default.
  std::string str() const;

  std::vector<PassOption> options;
  Pass pass;
};

using Pipeline = std::vector<PipelineStep>;

/// Reads a pipeline. InvalidArgument, saying what there is, for an unknown pass or option or a
/// value of the wrong kind; empty text is an empty pipeline.
absl::StatusOr<Pipeline> parse_pipeline(const PassTable& passes, std::string_view text);
/// Parses back to the same.
std::string to_string(const Pipeline& pipeline);

/// How an option's value is written.
std::string option_text(const Argument& value);

/// Meta data of a graph: the pipeline that `fxcpp opt` runs over it when none is given. Files that
/// show a failure (PassManagerOptions::reproducer) have it.
inline constexpr std::string_view kPipelineKey = "pipeline";

}  // namespace fx
