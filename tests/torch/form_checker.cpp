// See form_checker.h.
#include "tests/torch/form_checker.h"

#include "fx/codegen/cpp/cpp.h"
#include "fx/codegen/cpp/torch/library.h"
#include "fx/codegen/python/python.h"
#include "fx/interp/data_name.h"
#include "fx/interp/shared_inputs.h"
#include "fx/interp/torch/graph_tables.h"
#include "fx/interp/torch/storage_copier.h"
#include "fx/ir/files/binary.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/check.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/hash.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/torch/checks.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_replace.h"
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

namespace fx {
namespace {

using nlohmann::json;

constexpr uint64_t kSeed = 7;

absl::StatusOr<testing::StorageRun> run_once(const Graph& graph, const Subject& subject) {
  return testing::run_for_storage(graph, subject.inputs, subject.constants, nullptr,
                                  /*from_module=*/false, kSeed);
}

/// Writes the graph in the form, and reads it into a separate Context.
absl::StatusOr<std::unique_ptr<Graph>> read_back(std::string_view form, const Graph& graph,
                                                 Context& context) {
  if (form == "text") return parse_graph(context, print(graph, {.version_line = true}));
  if (form == "JSON") {
    const absl::StatusOr<std::string> text = write_json(graph);
    if (!text.ok()) return text.status();
    return read_json(context, *text);
  }
  const absl::StatusOr<std::string> bytes = write_binary(graph);
  if (!bytes.ok()) return bytes.status();
  return read_binary(context, *bytes);
}

/// Returns the first line that differs, in both versions.
std::string first_difference(std::string_view a, std::string_view b) {
  const size_t at = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto line = [&](std::string_view text) {
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  return fmt::format("`{}` became `{}`", line(a), line(b));
}

/// Returns the state of a tensor for the comparison with Python: everything that a caller can
/// observe.
json state_of(const at::Tensor& tensor, std::vector<const void*>& storages) {
  if (!tensor.defined()) return nullptr;
  const void* storage = tensor.storage().unsafeGetStorageImpl();
  auto known = std::ranges::find(storages, storage);
  if (known == storages.end()) known = storages.insert(known, storage);
  const at::Tensor dense = tensor.resolve_conj().resolve_neg().contiguous();
  const auto* bytes = static_cast<const char*>(dense.const_data_ptr());
  const std::string data = absl::BytesToHexString({bytes, dense.nbytes()});
  return {{"dtype", dtype_name(from_torch(tensor.scalar_type()))},
          {"sizes", tensor.sizes().vec()},
          {"strides", tensor.strides().vec()},
          {"offset", tensor.storage_offset()},
          {"storage", known - storages.begin()},
          {"nbytes", tensor.storage().nbytes()},
          {"data", data}};
}

json states_of(const std::vector<at::Tensor>& tensors) {
  std::vector<const void*> storages;
  json states = json::array();
  for (const at::Tensor& tensor : tensors) states.push_back(state_of(tensor, storages));
  return states;
}

/// Names results by their order, because results of C++ functions are not nested.
void flatten_results(testing::StorageRun& run) {
  size_t count = 0;
  for (std::string& name : run.names)
    if (name.starts_with("result")) name = fmt::format("result {}", count++);
}

/// Returns the first tensor that differs in the runs, before or after writes to each tensor; "" if
/// none differs.
std::string compare_runs(testing::StorageRun& a, testing::StorageRun& b) {
  flatten_results(a);
  flatten_results(b);
  if (a.names != b.names) return fmt::format("{} and {} tensors", a.names.size(), b.names.size());
  for (size_t i = 0; i < a.tensors.size(); ++i) {
    if (a.tensors[i].defined() != b.tensors[i].defined()) return a.names[i] + " is undefined";
    if (!a.tensors[i].defined()) continue;
    const std::string what = compare_values(a.tensors[i], b.tensors[i], {});
    if (!what.empty()) return a.names[i] + ": " + what;
  }
  return testing::compare_storage(a, b, /*may_separate=*/false, {});
}

/// Returns one file with all programs, each in a separate namespace. The includes come first.
std::string joined(const std::vector<std::string>& sources) {
  std::set<std::string> includes;
  std::string body;
  for (size_t i = 0; i < sources.size(); ++i) {
    body += fmt::format("namespace program_{} {{\n", i);
    const std::string renamed =
        absl::StrReplaceAll(sources[i], {{"fxcpp_run(", fmt::format("fxcpp_run_{}(", i)}});
    std::string_view rest = renamed;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size() - 1);
      const std::string_view line = rest.substr(0, end + 1);
      rest.remove_prefix(end + 1);
      if (line.starts_with("#include"))
        includes.emplace(line);
      else if (!line.starts_with("#ifndef FXCPP_") && !line.starts_with("#define FXCPP_") &&
               !line.starts_with("#endif"))
        body += line;
    }
    body += fmt::format("}}  // namespace program_{}\n", i);
  }
  std::string all;
  for (const std::string& include : includes) all += include;
  return all + body;
}

}  // namespace

FormChecker::FormChecker(const FormCheckerOptions& options) : options_(options) {
  if (!options_.python.empty()) python_.open(options_.python);
}

void FormChecker::finding(std::string_view form, const Subject& subject, std::string_view what) {
  ++rows_[std::string(form)].findings;
  fmt::print("---- {} of {}\n{}\n", form, subject.name, what);
  if (subject.graph->size() < 60) fmt::print("{}", print(*subject.graph));
  std::fflush(stdout);
}

void FormChecker::rejected(Row& row, const absl::Status& status) {
  ++row.rejected;
  std::string reason(status.message());
  const size_t name_end = reason.find("): ");
  if (name_end != std::string::npos) reason.erase(0, name_end + 3);
  ++row.reasons[reason.substr(0, std::min(reason.find('\n'), size_t{120}))];
}

void FormChecker::check(const Subject& subject, const std::shared_ptr<Context>& context) {
  const absl::StatusOr<testing::StorageRun> run = run_once(*subject.graph, subject);
  if (!run.ok()) return;
  for (const std::string_view form : {"text", "JSON", "binary"}) check_file(form, subject);
  check_data(subject);
  if (python_.is_open()) write_python(subject, *run);
  if (cpp_programs_ < options_.cpp_programs) emit_cpp(subject, context);
}

void FormChecker::check_file(std::string_view form, const Subject& subject) {
  Row& row = rows_[std::string(form)];
  ++row.programs;
  Context context;
  const absl::StatusOr<std::unique_ptr<Graph>> read = read_back(form, *subject.graph, context);
  if (!read.ok()) return finding(form, subject, std::string(read.status().message()));
  const std::string before = print(*subject.graph), after = print(**read);
  if (before != after) return finding(form, subject, first_difference(before, after));
  // Graphs with the same hash, including names and metadata, are the same program, so most are
  // skipped. Some run anyway.
  const HashOptions everything{.ignore_names = false, .ignore_meta = false};
  if (subject.seed % 16 != 0 &&
      structural_hash(*subject.graph, everything) == structural_hash(**read, everything)) {
    ++row.same;
    return;
  }
  absl::StatusOr<testing::StorageRun> first = run_once(*subject.graph, subject);
  absl::StatusOr<testing::StorageRun> second = run_once(**read, subject);
  if (!first.ok()) return;  // its results depend on earlier runs
  if (!second.ok()) return finding(form, subject, std::string(second.status().message()));
  if (const std::string what = compare_runs(*first, *second); !what.empty())
    return finding(form, subject, what);
  ++row.same;
}

/// Loads the inputs from their values in row-major order.
void FormChecker::check_data(const Subject& subject) {
  TensorTable table{"data", {}};
  for (const auto& [path, value] : subject.constants)
    table.file.tensors.set(path, from_torch(value.toTensor().contiguous()));
  const std::vector<Node*> nodes = subject.graph->find_nodes(Opcode::kPlaceholder);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const c10::IValue& input = subject.inputs[i];
    if (!input.isTensor() || !input.toTensor().defined()) return;
    table.file.tensors.set(data_name(*nodes[i]), from_torch(input.toTensor().contiguous()));
  }
  Row& row = rows_["data file"];
  ++row.programs;
  const absl::StatusOr<GraphData> loaded = graph_data_of(*subject.graph, {&table, 1});
  // The types of inputs that share memory may not determine their positions.
  if (absl::IsFailedPrecondition(loaded.status())) return rejected(row, loaded.status());
  if (!loaded.ok()) return finding("data file", subject, std::string(loaded.status().message()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    const at::Tensor input = subject.inputs[i].toTensor(), found = loaded->inputs[i].toTensor();
    std::string what = compare_values(input, found, {});
    const bool has_layout = placement_of(nodes[i]->type()).ok();
    if (has_layout &&
        (input.strides() != found.strides() || input.storage_offset() != found.storage_offset()))
      what = "different strides or offset";
    if (!what.empty()) return finding("data file", subject, nodes[i]->name() + ": " + what);
  }
  for (const SharedPair& pair : required_sharing(*subject.graph)) {
    const auto storage = [&](size_t input) { return loaded->inputs[input].toTensor().storage(); };
    if (!storage(pair.first).is_alias_of(storage(pair.second)))
      return finding("data file", subject, pair.second_name + ": separate memory");
  }
  ++row.same;
}

void FormChecker::write_python(const Subject& subject, const testing::StorageRun& run) {
  Row& row = rows_["Python (written)"];
  ++row.programs;
  const absl::StatusOr<std::string> source = python_module(*subject.graph, "Program");
  if (!source.ok()) return rejected(row, source.status());
  std::vector<at::Tensor> before;
  for (const c10::IValue& input : subject.inputs) {
    if (!input.isTensor())
      return rejected(row, absl::UnimplementedError("only tensor inputs are supported"));
    before.push_back(input.toTensor());
  }
  std::vector<std::string> paths;
  for (const auto& [path, value] : subject.constants) paths.emplace_back(path);
  std::ranges::sort(paths);
  for (const std::string& path : paths) before.push_back(subject.constants.at(path).toTensor());
  const json record = {{"name", subject.name},
                       {"source", *source},
                       {"seed", kSeed},
                       {"num_inputs", subject.inputs.size()},
                       {"members", paths},
                       {"before", states_of(before)},
                       {"after", states_of(run.tensors)}};
  python_ << record.dump() << '\n';
  ++row.same;
}

// ---------------------------------------------------------------- C++

void FormChecker::emit_cpp(const Subject& subject, const std::shared_ptr<Context>& context) {
  Row& row = rows_["C++"];
  const std::unique_ptr<Graph> typed = subject.graph->clone();
  propagate_types(*typed, {.other_call = type_by_lowering});
  const std::string name = fmt::format("Program{}", emitted_.size());
  const absl::StatusOr<CppCode> code =
      cpp_code(*typed, {.class_name = name, .lift_parameters = false, .entry_point = true});
  if (!code.ok()) return rejected(row, code.status());
  ++cpp_programs_;
  ++row.programs;
  std::vector<std::string> members;
  for (const CppMember& member : code->members) members.push_back(member.path);
  Subject kept{subject.name, subject.graph->clone(), subject.inputs, subject.constants};
  emitted_.push_back({context, std::move(kept), std::move(members), code->parameters.size()});
  sources_.push_back(code->source);
  if (emitted_.size() >= options_.cpp_batch) run_cpp();
}

void FormChecker::run_cpp() {
  if (emitted_.empty()) return;
  const std::vector<Emitted> programs = std::exchange(emitted_, {});
  const std::string source = joined(std::exchange(sources_, {}));
  Row& row = rows_["C++"];
  const absl::StatusOr<cpp::Library> library =
      cpp::build_library({.source = source, .compiler = {}, .flags = {"-O0"}, .cache_folder = {}});
  if (!library.ok()) {
    return finding("C++", programs[0].subject,
                   "the batch that begins with it: " + std::string(library.status().message()));
  }
  using Function = void (*)(const std::vector<at::Tensor>&, std::vector<c10::IValue>&,
                            std::vector<c10::IValue>&);
  for (size_t i = 0; i < programs.size(); ++i) {
    const Subject& subject = programs[i].subject;
    const auto function =
        reinterpret_cast<Function>(dlsym(library->handle, fmt::format("fxcpp_run_{}", i).c_str()));
    FX_CHECK(function != nullptr, "the library has an entry point for each program");
    absl::StatusOr<testing::StorageRun> expected = run_once(*subject.graph, subject);
    if (!expected.ok()) continue;
    StorageCopier copier;
    testing::StorageRun run;
    std::vector<c10::IValue> inputs, results;
    for (const c10::IValue& input : subject.inputs) {
      inputs.push_back(input.isTensor() ? c10::IValue(copier(input.toTensor())) : input);
      run.add(fmt::format("input {}", inputs.size() - 1), inputs.back());
    }
    std::map<std::string, at::Tensor> constants;
    for (const auto& [path, value] : subject.constants)
      constants[std::string(path)] = copier(value.toTensor());
    std::vector<at::Tensor> members;
    for (const auto& [path, tensor] : constants) run.add("constant " + path, tensor);
    for (const std::string& path : programs[i].members) members.push_back(constants.at(path));
    try {
      at::manual_seed(kSeed);
      const at::NoGradGuard no_grad;
      function(members, inputs, results);
    } catch (const std::exception& error) {
      finding("C++", subject, error.what());
      continue;
    }
    for (const c10::IValue& result : results) run.add("result", result);
    if (const std::string what = compare_runs(*expected, run); !what.empty())
      finding("C++", subject, what);
    else
      ++row.same;
  }
}

bool FormChecker::report() {
  run_cpp();
  fmt::print("{:18} {:>8} {:>8} {:>8} {:>8}\n", "form", "programs", "same", "rejected", "findings");
  size_t findings = 0;
  for (const auto& [form, row] : rows_) {
    fmt::print("{:18} {:>8} {:>8} {:>8} {:>8}\n", form, row.programs, row.same, row.rejected,
               row.findings);
    for (const auto& [reason, count] : row.reasons)
      fmt::print("    rejected {}: {}\n", count, reason);
    findings += row.findings;
    if (!rejects_most(row.rejected, row.programs)) continue;
    fmt::print("---- {} rejects most programs\n", form);
    ++findings;
  }
  return findings == 0;
}

}  // namespace fx
