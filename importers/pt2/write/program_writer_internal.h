// Writes one program into an archive.
#pragma once

#include "fx/importers/pt2/archive/zip_writer_internal.h"
#include "fx/importers/pt2/schema/value_writer_internal.h"
#include "fx/importers/pt2/write/graph_writer_internal.h"
#include "fx/importers/pt2/write/member_writer_internal.h"
#include "fx/importers/pt2/write/plan_internal.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

/// Returns true if the program is written with the calling convention in the metadata of the graph.
bool keeps_calling_convention(const Graph& graph);

class ProgramWriter {
 public:
  /// All arguments must outlive write().
  ProgramWriter(const Graph& graph, const Module& members, const Pt2WriteOptions& options)
      : graph_(graph), members_(members), options_(options), values_(graph) {}

  /// Creates the strings of all entries. Returns the errors of write_pt2.
  absl::Status prepare();
  /// Writes the entries to `root`, a folder of the archive. prepare() must have succeeded.
  void write(ZipWriter& zip, std::string_view root) const;

 private:
  // program_writer.cpp
  absl::StatusOr<std::string> model();
  absl::Status write_samples();
  absl::Status write_signature(JsonWriter& json, GraphWriter& graph);
  absl::Status write_input_spec(JsonWriter& json, GraphWriter& graph, const PlannedInput& input);
  absl::Status write_output_spec(JsonWriter& json, GraphWriter& graph, const PlannedOutput& output);
  // calling_convention.cpp
  absl::Status find_convention();
  absl::Status write_calls(JsonWriter& json, const GraphWriter& graph) const;
  // program_members.cpp
  absl::Status plan_members();
  absl::Status add_input_member(const PlannedInput& input);
  /// Returns an entry of the graph's metadata `pt2`, or None if it is missing.
  Argument stored_entry(std::string_view key) const;

  const Graph& graph_;
  const Module& members_;
  const Pt2WriteOptions& options_;
  ValueWriter values_;
  ProgramPlan plan_;
  std::string in_spec_, out_spec_;
  std::vector<std::string> argument_names_;
  bool keeps_convention_ = false;  // true if the metadata of the graph contains the convention
  std::vector<WrittenMember> weights_, constants_;
  MemberWriter weight_entries_{"weight_"}, constant_entries_{"tensor_"};
  std::string weights_config_, constants_config_, model_, sample_inputs_;
};

}  // namespace fx::pt2
