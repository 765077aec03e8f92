// Reads graphs for the command: see command.h.
#include "fx/ir/support/status.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"

namespace fx::tools {

absl::StatusOr<GraphDocument> load_document(Context& context, const std::string& path) {
  return read_and_print_notes(context, path);
}

absl::StatusOr<std::unique_ptr<Graph>> load_graph(Context& context, const std::string& path) {
  const Extensions* const extensions = Extensions::find_in(context);
  const bool is_extended = extensions != nullptr && extensions->find_format(path) != nullptr;
  if (!is_extended && (path == "-" || !is_program_file(path)))
    return read_graph_file(context, path);
  FX_ASSIGN_OR_RETURN(const GraphDocument document, load_document(context, path));
  return document.graph().clone();
}

}  // namespace fx::tools
