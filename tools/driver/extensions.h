// Extensions: passes, sets of rewrite rules, operators with their type functions and other rules,
// and output and input formats that a program or a plugin (plugin.h) adds to fxcpp.
//
//   fx::Extensions extensions;
//   FX_RETURN_IF_ERROR(
//       extensions.add(fx::Pass{"multiply", "multiplies instead of adding", multiply}));
//   FX_RETURN_IF_ERROR(extensions.add(fx::OperatorExtension{
//       .schema = "mylib::pool(Tensor x, int size=2) -> Tensor", .type = pool_type}));
//   return fx::opt_main(argc, argv, extensions);
//
// If an extension's function throws, the call fails with an error that names the origin of the
// extension.
#pragma once

#include "fx/importers/program_file.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/registry.h"
#include "fx/passes/autodiff/derivative_table.h"
#include "fx/passes/decompose/decomposition_table.h"
#include "fx/passes/manager/pass.h"
#include "fx/passes/rewrite/rule_set.h"
#include "fx/passes/shape/type_rules.h"
#include "fx/passes/vmap/batching_table.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// An operator with all properties that fxcpp uses. Only the schema is required.
struct OperatorExtension {
  /// A schema, `mylib::pool(Tensor x, int size=2) -> Tensor`, or the name of an existing operator,
  /// `aten.histc.default`, to which rules are added.
  std::string schema;
  ops::OpOptions options = {};
  TypeFunction type = {};
  /// The rules' `op` field may be empty.
  std::optional<DerivativeRule> derivative = std::nullopt;
  std::optional<Decomposition> decomposition = std::nullopt;
  std::optional<BatchingRule> batching = std::nullopt;
  std::string origin = {};  ///< set by load_plugin; the following structs also have it
};

/// A named set of rewrite rules: `fxcpp rewrite --rules NAME`.
struct RuleExtension {
  std::string name, about;
  std::function<absl::StatusOr<RuleSet>(Context&)> make;
  std::string origin = {};
};

/// The input of an emitter.
struct EmitSource {
  const Graph& graph;
  const Module* module;  ///< null for a graph without modules
  /// Reads the tensors in the files given by `--data`, by default the data file next to the graph.
  std::function<absl::StatusOr<Safetensors>()> read_data;
};

/// An output format: `fxcpp emit --to NAME`.
struct Emitter {
  std::string name, about;
  std::function<absl::StatusOr<std::string>(const EmitSource&)> emit;
  std::string origin = {};
};

/// An input format, identified by the file name extension.
struct ImportFormat {
  std::string extension;  ///< ".toy"
  std::string about;
  std::function<absl::StatusOr<GraphDocument>(Context&, const std::string& path)> read;
  std::string origin = {};
};

/// A loaded plugin.
struct LoadedPlugin {
  std::string name, about;
  std::string file;  ///< the file name, which is the origin of its extensions
  void* handle = nullptr;
};

/// See the top of this file. Not thread-safe while extensions are added.
class Extensions {
 public:
  Extensions();

  // These return InvalidArgument for a missing name, schema or function, and for a file name
  // extension without a dot; and AlreadyExists for a name that an extension or fxcpp already uses.
  // Schemas and rules of operators are checked in set_up.
  absl::Status add(Pass pass);
  absl::Status add(OperatorExtension op);
  absl::Status add(RuleExtension rules);
  absl::Status add(Emitter emitter);
  absl::Status add(ImportFormat format);
  /// Adds all extensions that a plugin added to `other`. Returns the errors of add and set_up.
  /// On error, nothing is added.
  absl::Status add_all(const Extensions& other, LoadedPlugin plugin);
  /// Sets the origin of all extensions.
  void set_origin(const std::string& origin);

  /// Returns fxcpp's own passes and those added by extensions.
  const PassTable& passes() const { return passes_; }
  const std::vector<OperatorExtension>& operators() const { return operators_; }
  const std::vector<RuleExtension>& rules() const { return rules_; }
  const std::vector<Emitter>& emitters() const { return emitters_; }
  const std::vector<ImportFormat>& formats() const { return formats_; }
  const std::vector<LoadedPlugin>& plugins() const { return plugins_; }
  /// Return the entry with this name, or for the file name extension of `path`; null if there is
  /// none.
  const RuleExtension* find_rules(std::string_view name) const;
  const Emitter* find_emitter(std::string_view name) const;
  const ImportFormat* find_format(std::string_view path) const;

  /// Returns a description of all extensions except passes, or an empty string if there are none.
  std::string describe_others() const;

  /// Adds the operators and their rules to a new Context, whose graphs then use them. Call it
  /// before other threads use the Context. The Extensions must outlive the Context. Returns the
  /// errors of Context::add_operator and of the tables of rules, with the operator and its origin.
  absl::Status set_up(Context& context) const;
  /// Returns the extensions with which the Context was set up, or null.
  static const Extensions* find_in(const Context& context);

 private:
  absl::Status set_up(Context& context, const OperatorExtension& op) const;

  PassTable passes_;
  std::vector<Pass> own_passes_;
  std::vector<OperatorExtension> operators_;
  std::vector<RuleExtension> rules_;
  std::vector<Emitter> emitters_;
  std::vector<ImportFormat> formats_;
  std::vector<LoadedPlugin> plugins_;
};

/// Returns the extensions of the command `fxcpp` in this process, including those that
/// `--load-plugin` added.
Extensions& command_extensions();

/// Creates the set of rules for graphs of the Context.
absl::StatusOr<RuleSet> make_rules(const RuleExtension& rules, Context& context);
/// Returns the formats of `fxcpp emit`, without those of plugins. An Emitter must not use one of
/// these names.
absl::Span<const std::string_view> emit_formats();
/// Returns the output of an emitter.
absl::StatusOr<std::string> emit_with(const Emitter& emitter, const EmitSource& source);
/// Reads a program in an input format of the Context's extensions or, if none matches, in a format
/// that read_program_document supports.
absl::StatusOr<GraphDocument> read_extended_document(Context& context, const std::string& path,
                                                     const Pt2ReadOptions& options = {
                                                         .check_weights = false});
/// Like read_extended_document. Also prints the notes of the reader on standard error.
absl::StatusOr<GraphDocument> read_and_print_notes(Context& context, const std::string& path,
                                                   bool check_weights = false);

}  // namespace fx
