// Writes a self-contained C++ project, like torch.fx's GraphModule.to_folder.
//
//   cmake -S FOLDER -B FOLDER/build -DCMAKE_PREFIX_PATH=<libtorch> && cmake --build FOLDER/build
//   ctest --test-dir FOLDER/build
//
//   model.h               the class (cpp.h)
//   model.fx              the graph as text, in which debuggers and compilers show its nodes
//   main.cpp              runs the model on the sample inputs, and compares its outputs with the
//                         recorded ones
//   safetensors.h         reads the safetensors files; requires only libtorch
//   weights.safetensors   the members of the class
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
  uint64_t seed = 0;     ///< the seed for random operators in main.cpp
};

/// Writes the folder. Creates it if it does not exist. Writes nothing if it is a device such as
/// /dev/null. `data` contains the tensors by data_name (interp/data_name.h) and the results as
/// out.0, out.1, ...; missing tangents are ones. Returns AlreadyExists if files exist and
/// `overwrite` is false, NotFound if tensors are missing (both with their names), and the errors of
/// cpp_code and the file system.
absl::Status write_cpp_folder(const Graph& graph, const Safetensors& data,
                              const std::string& folder, const CppFolderOptions& options = {});

}  // namespace fx
