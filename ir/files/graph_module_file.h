// A GraphModule with its tensors as one file.
//
//   FX_RETURN_IF_ERROR(fx::save_graph_module(*gm, "net.safetensors"));
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::GraphModule> gm,
//                       fx::load_graph_module(context, "net.safetensors"));
//
// The file is a safetensors file, which any reader of that format accepts. It contains each tensor
// under its path, and the tensor kDocumentTensor with the bytes of the interchange JSON
// (docs/json.md) of the graph and the module tree. The metadata entry `fxcpp` is the version of
// this layout, "1". Names, order, types, metadata and ties are kept, and loading does not trace.
// (torch.fx's pickle does not contain the graph, and is traced again.)
#pragma once

#include "fx/ir/module/graph_module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <string_view>

namespace fx {

class Context;

inline constexpr std::string_view kDocumentTensor = "fxcpp.document";

/// Writes the file; an existing file is replaced only after the new one is complete. Tensors
/// without data are only in the document. Returns the errors of write_json and write_safetensors.
absl::Status save_graph_module(const GraphModule& module, const std::string& path);

/// Maps and reads the file: the tensors are views of the mapping, copied on write. Tensors that
/// were not contiguous are copied to restore their strides, unless the copies would consist mostly
/// of gaps. Views of one storage become separate tensors. InvalidArgument for a file of a different
/// format or a later version.
absl::StatusOr<std::unique_ptr<GraphModule>> load_graph_module(Context& context,
                                                               const std::string& path);

}  // namespace fx
