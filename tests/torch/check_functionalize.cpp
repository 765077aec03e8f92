// check_graphs functionalize: runs random programs with views and writes in libtorch, before and
// after functionalize. Results and inputs must be bit-equal, unless functionalize rejects the
// program.
//
//   check_graphs functionalize [--programs N] [--seed S] [--verbose]
//
// Programs are typed, partially typed or untyped; some have inputs that share memory, some use
// Python operators that write (lower_to_aten runs on these before functionalize). If a fully typed
// program fails in libtorch, functionalize must reject it, or its output must fail. Prints a table
// with a row for each kind of program. The exit status is 1 if there are findings; each finding is
// printed with its program.
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/aten/lower_to_aten.h"
#include "fx/passes/functionalize/functionalize.h"
#include "tests/torch/checks.h"
#include "tests/torch/functionalize_programs.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <map>
#include <string>

#include "CLI/CLI.hpp"

namespace fx::functionalize_check {
namespace {

struct Options {
  size_t programs = 3000;
  uint64_t seed = 1;
  bool verbose = false;
};

struct Row {
  size_t programs = 0, same = 0, rejected = 0, illegal = 0, findings = 0;
  std::map<std::string, size_t> reasons;
};

enum class Types { kAll, kSome, kNone };

void drop_types(Graph& graph, Types types, testing::Random& random) {
  if (types == Types::kAll) return;
  for (Node& node : graph.nodes())
    if (types == Types::kNone || random.chance(50)) node.set_type(Type());
}

/// Replaces calls to ATen with Python's operators that write: `x += y`, `x *= y`, `x[...] = y`.
void use_python_operators(Graph& graph) {
  constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
      {"aten.add_.Tensor", "operator.iadd"},
      {"aten.mul_.Tensor", "operator.imul"},
      {"aten.copy_.default", "operator.setitem"},
      {"aten.fill_.Scalar", "operator.setitem"},
  };
  for (Node& node : graph.nodes()) {
    if (node.op() != Opcode::kCallFunction) continue;
    for (const auto& [op, python] : kSpellings) {
      if (node.target() != op || node.has_uses() || node.num_args() != 2) continue;
      // Assigning a 0-dimensional tensor to an item is a fill_, even if it shares the written
      // memory. A tensor of different sizes is expanded first: copy_ then accepts it, although it
      // may reject the tensor itself as a partial overlap.
      const Node *const target = node.arg(0).node(), *const source = node.arg(1).node();
      const Type type = source ? source->type() : Type(),
                 written = target ? target->type() : Type();
      const bool is_item = type.is_tensor() && type.has_rank() && type.rank() > 0 &&
                           written.is_tensor() && written.has_rank() &&
                           type.sizes() == written.sizes();
      if (op == "aten.copy_.default" && !is_item) continue;
      std::vector<Argument> args = node.args();
      if (python == "operator.setitem") args.insert(args.begin() + 1, Argument::ellipsis());
      node.set_function(graph.context().function(python));
      FX_CHECK_OK(node.set_args(args));
      node.set_type(Type());
      break;
    }
  }
}

/// Returns copies of the inputs that share memory as the originals do.
std::vector<c10::IValue> copies(const std::vector<c10::IValue>& inputs) {
  std::map<const void*, at::Storage> storages;
  std::vector<c10::IValue> result;
  for (const c10::IValue& input : inputs) {
    const at::Tensor tensor = input.toTensor();
    const at::Storage storage = tensor.storage();
    const auto [known, is_new] = storages.try_emplace(storage.unsafeGetStorageImpl());
    if (is_new) {
      const at::Tensor bytes = at::empty({0}, tensor.options()).set_(storage);
      known->second = bytes.clone().storage();
    }
    result.emplace_back(
        at::empty({0}, tensor.options())
            .set_(known->second, tensor.storage_offset(), tensor.sizes(), tensor.strides()));
  }
  return result;
}

absl::StatusOr<std::vector<c10::IValue>> run(const Graph& graph, std::vector<c10::IValue> inputs) {
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph, {});
  if (!evaluator.ok()) return evaluator.status();
  at::manual_seed(11);
  return evaluator->run(std::move(inputs));
}

/// Returns the first value that differs; "" if all are bit-equal.
std::string difference(const std::vector<c10::IValue>& a, const std::vector<c10::IValue>& b,
                       std::string_view what) {
  if (a.size() != b.size()) return fmt::format("{} and {} {}s", a.size(), b.size(), what);
  for (size_t i = 0; i < a.size(); ++i) {
    if (!a[i].isTensor() || !b[i].isTensor()) continue;
    const at::Tensor x = a[i].toTensor(), y = b[i].toTensor();
    const bool is_same = x.scalar_type() == y.scalar_type() && x.sizes() == y.sizes() &&
                         x.eq(y).logical_or(x.ne(x).logical_and(y.ne(y))).all().item<bool>();
    if (!is_same) return fmt::format("{} {} differs", what, i);
  }
  return "";
}

class Checker {
 public:
  explicit Checker(Options options) : options_(options) {}

  void check(uint64_t seed) {
    testing::Random random(seed);
    const auto types = static_cast<Types>(random.below(3));
    const bool shared = types == Types::kAll && random.chance(30), python = random.chance(20);
    constexpr std::string_view kNames[] = {"typed", "partially typed", "untyped"};
    Row& row = rows_[fmt::format("{}{}{}", kNames[static_cast<size_t>(types)],
                                 shared ? ", shared inputs" : "", python ? ", Python" : "")];
    ++row.programs;
    Context context;
    const testing::FunctionalizeProgram program =
        testing::functionalize_program(context, seed, {.shared_inputs = shared});
    const std::unique_ptr<Graph> pure = program.graph->clone();
    if (python) use_python_operators(*pure);
    drop_types(*pure, types, random);
    const auto finding = [&](const std::string& what) {
      ++row.findings;
      fmt::print("---- seed {}: {}\n{}{}", seed, what, print(*program.graph), print(*pure));
      std::fflush(stdout);
    };
    absl::Status status = python ? lower_to_aten(*pure).status() : absl::OkStatus();
    if (status.ok()) status = functionalize(*pure).status();
    const std::vector<c10::IValue> before = copies(program.inputs), after = copies(program.inputs);
    const auto expected = run(*program.graph, before);
    if (!expected.ok()) {
      ++row.illegal;
      // Without types, functionalize cannot detect all errors of eager mode.
      if (status.ok() && types == Types::kAll && run(*pure, after).ok())
        finding("eager mode rejects the program: " + std::string(expected.status().message()));
      return;
    }
    if (!status.ok()) {
      ++row.rejected;
      const std::string message(status.message());
      ++row.reasons[message.substr(std::min(message.find(')'), message.size()), 100)];
      return;
    }
    if (const std::string wrong = verify(*pure, {.warnings = false}).str(); !wrong.empty())
      return finding(wrong);
    const auto got = run(*pure, after);
    if (!got.ok()) return finding(std::string(got.status().message()));
    std::string wrong = difference(*expected, *got, "result");
    if (wrong.empty()) wrong = difference(before, after, "input");
    if (!wrong.empty()) return finding(wrong);
    ++row.same;
  }

  int report() const {
    size_t findings = 0, same = 0;
    fmt::print("{:36} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "programs", "all", "same", "rejected",
               "illegal", "findings");
    for (const auto& [name, row] : rows_) {
      fmt::print("{:36} {:>8} {:>8} {:>8} {:>8} {:>8}\n", name, row.programs, row.same,
                 row.rejected, row.illegal, row.findings);
      if (options_.verbose)
        for (const auto& [reason, count] : row.reasons) fmt::print("    {:>6} {}\n", count, reason);
      findings += row.findings;
      same += row.same;
      if (!rejects_most(row.rejected, row.programs)) continue;
      fmt::print("---- functionalize rejects most programs: {}\n", name);
      ++findings;
    }
    return findings == 0 && same > 0 ? 0 : 1;
  }

 private:
  const Options options_;
  std::map<std::string, Row> rows_;
};

int run(int argc, char** argv) {
  Options options;
  CLI::App app{"Compares random programs with views and writes before and after functionalize."};
  app.add_option("--programs", options.programs, "number of programs")->capture_default_str();
  app.add_option("--seed", options.seed, "seed of the first program")->capture_default_str();
  app.add_flag("--verbose", options.verbose, "print why programs are rejected");
  CLI11_PARSE(app, argc, argv);
  at::set_num_threads(1);
  Checker checker(options);
  for (size_t i = 0; i < options.programs; ++i) checker.check(options.seed + i);
  return checker.report();
}

}  // namespace
}  // namespace fx::functionalize_check

int fx::check_functionalize(int argc, char** argv) { return functionalize_check::run(argc, argv); }
