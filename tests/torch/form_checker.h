// Writes graphs in every form, and reads back or runs the output: text, JSON, binary, Python, C++.
#pragma once

#include "fx/ir/graph/graph.h"
#include "tests/torch/pass_checker.h"
#include "tests/torch/storage_relation.h"

#include <cstddef>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct FormCheckerOptions {
  /// An output file with a line of JSON for each program: its Python source, its inputs, and the
  /// values of inputs and results after the run. check_emitted_python.py runs the programs. If
  /// empty, no file is written.
  std::string python = {};
  /// The number of programs to compile as C++.
  size_t cpp_programs = 0;
  /// The number of programs in one translation unit.
  size_t cpp_batch = 100;
};

class FormChecker {
 public:
  explicit FormChecker(const FormCheckerOptions& options);

  /// Checks that text, JSON and the binary format preserve the graph, that loaded data has the
  /// layout of the inputs, and that the graph has the same values and memory sharing when run as
  /// Python and C++. Prints each finding. Skips graphs that
  /// do not run. `context` is that of the graph: programs run as C++ later, in batches.
  void check(const Subject& subject, const std::shared_ptr<Context>& context);
  /// Compiles the remaining programs, and prints the table. Returns true if there are no findings.
  bool report();

 private:
  struct Row {
    size_t programs = 0, same = 0, rejected = 0, findings = 0;
    std::map<std::string, size_t> reasons = {};
  };
  struct Emitted {
    std::shared_ptr<Context> context;  ///< of the subject, which is destroyed first
    Subject subject;
    std::vector<std::string> members;  ///< their paths
    size_t num_inputs = 0;
  };

  void check_file(std::string_view form, const Subject& subject);
  void check_data(const Subject& subject);
  void write_python(const Subject& subject, const testing::StorageRun& run);
  void emit_cpp(const Subject& subject, const std::shared_ptr<Context>& context);
  void run_cpp();
  void finding(std::string_view form, const Subject& subject, std::string_view what);
  void rejected(Row& row, const absl::Status& status);

  FormCheckerOptions options_;
  std::map<std::string, Row, std::less<>> rows_;
  std::ofstream python_;
  std::vector<Emitted> emitted_;
  std::vector<std::string> sources_;
  size_t cpp_programs_ = 0;
};

}  // namespace fx
