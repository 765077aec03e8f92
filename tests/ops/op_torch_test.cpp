// Compares the operator table with PyTorch: fxcpp's parse of each schema with PyTorch's, and
// fxcpp's effects and aliases with the behavior of PyTorch's operators when they run. Requires a
// Python with PyTorch 2.13 ($FX_TORCH_PYTHON, else .venv/bin/python, else python3); skipped
// otherwise.
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/ops/op_corrections_internal.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/registry.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fx::ops {
namespace {

constexpr int kNotRun = 77;

struct ScriptRun {
  int status = -1;
  std::vector<std::string> lines;
};

std::string python() {
  if (const char* path = std::getenv("FX_TORCH_PYTHON")) return path;
  return std::filesystem::exists(".venv/bin/python") ? ".venv/bin/python" : "python3";
}

/// Runs a script of this repository. Tests run in the root folder of the repository.
ScriptRun run_script(const std::string& command) {
  ScriptRun run;
  FILE* pipe = popen((python() + " " + command).c_str(), "r");
  if (!pipe) return run;
  std::string text;
  char buffer[65536];
  for (size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) run.lines.push_back(line);
  return run;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string sorted_names(std::string_view set) {
  std::vector<std::string> names = split(std::string(set), '|');
  std::sort(names.begin(), names.end());
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ",") + name;
  return joined;
}

/// Returns aliases in the format of make_op_table.py --facts. PyTorch annotates the elements of a
/// list; for the list itself, it states only whether elements are written.
std::string alias_text(const SchemaType& type) {
  const SchemaType& outer = type.without_optional();
  const AliasInfo* alias = outer.own_alias() ? outer.own_alias() : type.own_alias();
  if (alias) {
    return sorted_names(alias->before) + ">" + sorted_names(alias->after) +
           (alias->is_write ? "!" : "");
  }
  return type.is_write() ? ">!" : "-";
}

std::string argument_text(const SchemaArgument& argument) {
  std::string text(argument.name);
  text += argument.kwarg_only ? " 1" : " 0";
  text += argument.default_value ? "1" : "0";
  text += argument.is_write() ? "1" : "0";
  text += argument.is_out() ? "1 " : "0 ";
  return text + alias_text(argument.type);
}

TEST(OpTableAgainstTorch, SchemasAreParsedAsInPyTorch) {
  const ScriptRun run = run_script("scripts/make_op_table.py --facts");
  if (run.status == kNotRun) GTEST_SKIP() << "no PyTorch 2.13";
  ASSERT_EQ(run.status, 0);
  ASSERT_GT(run.lines.size(), 4000U);
  size_t rows = 0;
  for (const OpFamily& family : op_families()) {
    for (const OpInfo& op : family.ops) rows += op.is_function() ? 0 : 1;
  }
  EXPECT_EQ(run.lines.size(), rows);
  for (const std::string& line : run.lines) {
    const std::vector<std::string> want = split(line, '\t');
    const OpInfo* op = find_op(want.at(0));
    ASSERT_NE(op, nullptr) << want[0];
    const OpSchema& schema = op->schema();
    EXPECT_EQ(op->text(), want.at(1));
    EXPECT_EQ(to_string(schema), want.at(1));
    EXPECT_EQ(schema.is_mutable(), want.at(2) == "1") << want[1];
    std::vector<std::string> got;
    for (const SchemaArgument& argument : schema.arguments())
      got.push_back(argument_text(argument));
    got.emplace_back("->");
    for (const SchemaArgument& result : schema.returns()) got.push_back(alias_text(result.type));
    EXPECT_EQ(got, std::vector<std::string>(want.begin() + 4, want.end())) << want[1];
  }
}

TEST(OpTableAgainstTorch, OtherFormsAreParsedAsInPyTorch) {
  const ScriptRun run = run_script("tests/ops/schema_oracle.py");
  if (run.status == kNotRun) GTEST_SKIP() << "no PyTorch 2.13";
  ASSERT_EQ(run.status, 0);
  ASSERT_GT(run.lines.size(), 500U);
  size_t compared = 0;
  for (const std::string& line : run.lines) {
    const std::vector<std::string> fields = split(line, '\t');
    ASSERT_EQ(fields.size(), 2U) << line;
    if (fields[1] == "rejected") continue;  // fxcpp may accept more than PyTorch
    const absl::StatusOr<OpSchema> schema = parse_schema(fields[0]);
    ASSERT_TRUE(schema.ok()) << fields[0] << ": " << schema.status();
    EXPECT_EQ(to_string(*schema), fields[1]) << fields[0];
    ++compared;
  }
  EXPECT_GT(compared, 300U);
}

/// True if the row intentionally has fewer effects than PyTorch's schema.
bool has_fewer_effects(const OpInfo& op) {
  return std::ranges::any_of(op_corrections(), [&op](const OpCorrection& correction) {
    return (correction.op == op.packet() || correction.op == op.name()) &&
           !correction.remove.is_pure();
  });
}

// parity: N14
TEST(OpTableAgainstTorch, FunctionsHaveRowsAndEffectsOfTorchFx) {
  const ScriptRun run = run_script("tests/ops/functions_oracle.py");
  if (run.status == kNotRun) GTEST_SKIP() << "no PyTorch 2.13";
  ASSERT_EQ(run.status, 0);
  ASSERT_GT(run.lines.size(), 4000U);
  const OpRegistry registry;
  for (const std::string& line : run.lines) {
    const std::vector<std::string> fields = split(line, '\t');
    ASSERT_EQ(fields.size(), 2U) << line;
    const OpInfo* op = registry.find(fields[0]);
    if (!op) {
      ADD_FAILURE() << "the table has no row for " << fields[0];
    } else if (fields[1] == "1" && !has_fewer_effects(*op)) {
      EXPECT_FALSE(op->effects().is_removable()) << fields[0] << " is " << to_string(op->effects());
    }
  }
}

TEST(OpTableAgainstTorch, MethodsWhoseReceiverIsNotTheFirstParameter) {
  const ScriptRun run = run_script("tests/ops/methods_oracle.py");
  if (run.status == kNotRun) GTEST_SKIP() << "no PyTorch 2.13";
  ASSERT_EQ(run.status, 0);
  ASSERT_GT(run.lines.size(), 500U);
  for (const std::string& line : run.lines) {
    const std::vector<std::string> fields = split(line, '\t');
    ASSERT_EQ(fields.size(), 2U) << line;
    EXPECT_EQ(parameter_before_self(fields[0]), fields[1]) << fields[0];
  }
}

/// Returns the line for an operator in the format of tests/ops/effects_oracle.py.
std::string table_line(const OpInfo& op) {
  const auto arguments = op.schema().arguments();
  std::string written;
  for (const uint8_t index : op.written_arguments()) {
    written.append(written.empty() ? "" : ",").append(arguments[index].name);
  }
  if (written.empty() && op.effects().has(Effect::kWritesArguments)) written = "?";
  std::string aliases;
  for (const OutputAlias& alias : op.output_aliases()) {
    constexpr std::string_view kKinds[] = {"same", "view", "maybe"};
    aliases.append(aliases.empty() ? "" : ",").append(std::to_string(alias.output)).append(":");
    aliases.append(arguments[alias.argument].name).append(":");
    aliases.append(kKinds[static_cast<size_t>(alias.kind)]);
  }
  if (op.aliases_unknown()) aliases = "?";
  const std::string name(op.qualified_name());
  return name + "\t" + to_string(op.effects()) + "\t" + written + "\t" + aliases;
}

TEST(OpTableAgainstTorch, OperatorsBehaveAsTheTableStates) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("fxcpp_ops_" + std::to_string(getpid()))).string();
  std::ofstream table(path);
  for (const OpFamily& family : op_families()) {
    for (const OpInfo& op : family.ops) {
      if (!op.is_function()) table << table_line(op) << '\n';
    }
  }
  table.close();
  const ScriptRun run = run_script("tests/ops/effects_oracle.py " + path);
  std::filesystem::remove(path);
  if (run.status == kNotRun) GTEST_SKIP() << "no PyTorch 2.13";
  std::string output;
  for (const std::string& line : run.lines) output += line + "\n";
  EXPECT_EQ(run.status, 0) << output;
}

}  // namespace
}  // namespace fx::ops
