// A self-contained C++ project: torch.fx's GraphModule.to_folder, in C++.
//
//   cmake -S FOLDER -B FOLDER/build -DCMAKE_PREFIX_PATH=<libtorch> && cmake --build FOLDER/build
//   ctest --test-dir FOLDER/build
//
//   model.h               the class (cpp.h)
//   model.fx              the graph as text, in which debuggers and compilers show its nodes
//   main.cpp              runs the sample inputs and compares with the recorded outputs
//   safetensors.h         reads the files below; needs only libtorch
//   weights.safetensors   the class's members
//   samples.safetensors   inputs, and outputs out.0, out.1, ...
//   CMakeLists.txt, README.md
#pragma once

#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fx {

struct CppFolderOptions {
  std::string_view class_name = {};  ///< as in CppOptions
  bool overwrite = false;            ///< overwrite existing files
  /// Debuggers step through model.fx instead of model.h.
  bool lines_of_graph = true;
  bool modules = false;  ///< as in CppOptions
  uint64_t seed = 0;     ///< for random operators when main runs
};

/// Writes the folder, which is created if it does not exist. Writes nothing to a device such as
/// /dev/null. `data` has the tensors by data_name (interp/data_name.h) and the results as out.0, ...;
/// missing tangents are ones. AlreadyExists, naming the files, if some exist and `overwrite` is
/// false; NotFound, naming them, if tensors are missing; errors of cpp_code and of the file system.
absl::Status write_cpp_folder(const Graph& graph, const Safetensors& data,
                              const std::string& folder, const CppFolderOptions& options = {});

}  // namespace fx
