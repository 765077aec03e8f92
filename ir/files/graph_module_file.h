// A GraphModule with its tensors as one file, for keeps.
//
//   FX_RETURN_IF_ERROR(fx::save_graph_module(*gm, "net.safetensors"));
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::GraphModule> gm,
//                       fx::load_graph_module(context, "net.safetensors"));
//
// It is a safetensors file, which any reader of that format accepts: each tensor by its path, and
// one more, kDocumentTensor, the bytes of the interchange JSON (docs/json.md) of graph and module
// tree. The metadata entry `fxcpp` is the version of this, "1". Names, order, types, meta data and
// ties are kept, nothing is traced again; torch.fx's pickle loses the graph.
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

/// Writes the file, in place of an older one only when it is complete. Tensors without data are in
/// the document alone. Errors of write_json and write_safetensors.
absl::Status save_graph_module(const GraphModule& module, const std::string& path);

/// Maps and reads the file: tensors lie in it until they are written to. Those that were not
/// contiguous are copied, to have their strides again, unless they would be mostly gaps. Views of
/// one memory become tensors of their own. InvalidArgument for another file, or one of a later
/// version.
absl::StatusOr<std::unique_ptr<GraphModule>> load_graph_module(Context& context,
                                                               const std::string& path);

}  // namespace fx
