// Implements the C interface to graphs: see fxcpp.h.
#include "fx/ir/files/graph_file.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/hash.h"
#include "fx/ir/verify/verifier.h"
#include "tools/c/handles_internal.h"

#include "fmt/format.h"

#include <filesystem>
#include <system_error>

namespace fx::c {
namespace {

/// Runs `body` with the data of a graph.
template <class Body>
fxc_status with_graph(fxc_graph graph, Body body) {
  return run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(graph), Kind::kGraph, "graph"));
    return body(access.graph());
  });
}

/// Runs `body`, which changes the graph, with the data of a graph.
template <class Body>
fxc_status change_graph(fxc_graph graph, Body body) {
  return run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(graph), Kind::kGraph, "graph"));
    FX_RETURN_IF_ERROR(access.may_change());
    return body(access.graph());
  });
}

/// Creates a graph in a context.
template <class Make>
fxc_status make_graph(fxc_context context, fxc_graph* graph, Make make) {
  return run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(context), Kind::kContext, "context"));
    FX_RETURN_IF_ERROR(check_pointer(graph, "graph"));
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> created, make(access.context().context));
    auto data = std::make_unique<GraphData>();
    data->graph = created.get();
    data->own = std::move(created);
    FX_ASSIGN_OR_RETURN(const GraphData* const added, add_graph(access.context(), std::move(data)));
    *graph = added->token.as<fxc_graph>();
    return absl::OkStatus();
  });
}

absl::StatusOr<std::string_view> given_text(const char* text, size_t size) {
  FX_RETURN_IF_ERROR(check_array(text, size, "text"));
  return std::string_view(text == nullptr ? "" : text, size);
}

absl::Status check_path(const char* path) {
  FX_RETURN_IF_ERROR(check_pointer(path, "path"));
  const std::string_view name(path);
  if (!name.empty() && name != "-") return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("path \"{}\" is not a valid file name", std::string(name)));
}

absl::Status subgraph_of(const GraphData& data, size_t index) {
  if (index < data.graph->num_subgraphs()) return absl::OkStatus();
  return failure(FXC_OUT_OF_RANGE,
                 fmt::format("the graph has {}; index {} is out of range",
                             pluralize(data.graph->num_subgraphs(), "nested graph"), index));
}

/// The arguments of fxc_graph_add.
struct NewNode {
  fxc_opcode op;
  const char* target;
  absl::Span<const fxc_value> args;
  const char* const* keywords;
  absl::Span<const fxc_value> keyword_args;
};

absl::StatusOr<Node*> add_node(GraphData& data, const NewNode& request) {
  if (static_cast<unsigned>(request.op) >= kNumOpcodes) {
    return failure(FXC_OUT_OF_RANGE,
                   fmt::format("{} is not an opcode", static_cast<int>(request.op)));
  }
  FX_RETURN_IF_ERROR(check_pointer(request.target, "target"));
  if (*request.target == '\0') return absl::InvalidArgumentError("the target is empty");
  std::vector<Argument> args;
  for (const fxc_value value : request.args) {
    FX_ASSIGN_OR_RETURN(args.emplace_back(), argument_of(*data.context, &data, value));
  }
  std::vector<Kwarg> kwargs;
  for (size_t i = 0; i < request.keyword_args.size(); ++i) {
    FX_RETURN_IF_ERROR(check_pointer(request.keywords[i], "a keyword"));
    FX_ASSIGN_OR_RETURN(Argument value, argument_of(*data.context, &data, request.keyword_args[i]));
    kwargs.emplace_back(request.keywords[i], std::move(value));
  }
  const auto op = static_cast<Opcode>(request.op);
  if (op == Opcode::kCallMethod && args.empty())
    return absl::InvalidArgumentError("a method must have a receiver as its first argument");
  // create_node accepts multiple outputs, because graphs in files may have multiple outputs.
  if (op == Opcode::kOutput && data.graph->output_node() != nullptr)
    return absl::FailedPreconditionError("the graph already has an output");
  return data.graph->create_node(op, request.target, args, kwargs);
}

absl::Status set_node(GraphData& data, Node* node, fxc_node* out) {
  if (out == nullptr) return absl::OkStatus();
  FX_ASSIGN_OR_RETURN(*out, handle_of(data, node));
  return absl::OkStatus();
}

}  // namespace
}  // namespace fx::c

using fx::c::Access;
using fx::c::GraphData;
using fx::c::Kind;
using fx::c::Token;

fxc_status fxc_graph_create(fxc_context context, fxc_graph* graph) {
  return fx::c::make_graph(context, graph,
                           [](fx::Context& of) -> absl::StatusOr<std::unique_ptr<fx::Graph>> {
                             return std::make_unique<fx::Graph>(of);
                           });
}

fxc_status fxc_graph_destroy(fxc_graph graph) {
  return fx::c::change_graph(graph, [](GraphData& data) -> absl::Status {
    if (data.parent != nullptr) {
      return absl::FailedPreconditionError(
          "a nested graph is destroyed with the graph that contains it");
    }
    fx::c::destroy_graph(data);
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_clone(fxc_graph graph, fxc_graph* copy) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(copy, "copy"));
    auto copy_data = std::make_unique<GraphData>();
    copy_data->own = data.graph->clone();
    copy_data->graph = copy_data->own.get();
    FX_ASSIGN_OR_RETURN(const GraphData* const added,
                        fx::c::add_graph(*data.context, std::move(copy_data)));
    *copy = added->token.as<fxc_graph>();
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_context(fxc_graph graph, fxc_context* context) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(context, "context"));
    *context = data.context->token.as<fxc_context>();
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_parse(fxc_context context, const char* text, size_t size, fxc_graph* graph) {
  return fx::c::make_graph(
      context, graph, [&](fx::Context& of) -> absl::StatusOr<std::unique_ptr<fx::Graph>> {
        FX_ASSIGN_OR_RETURN(const std::string_view given, fx::c::given_text(text, size));
        return fx::parse_graph(of, given);
      });
}

fxc_status fxc_graph_parse_json(fxc_context context, const char* text, size_t size,
                                fxc_graph* graph) {
  return fx::c::make_graph(
      context, graph, [&](fx::Context& of) -> absl::StatusOr<std::unique_ptr<fx::Graph>> {
        FX_ASSIGN_OR_RETURN(const std::string_view given, fx::c::given_text(text, size));
        return fx::read_json(of, given);
      });
}

fxc_status fxc_graph_read(fxc_context context, const char* path, fxc_graph* graph) {
  return fx::c::run_function([&]() -> absl::Status {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(context), Kind::kContext, "context"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(graph, "graph"));
    FX_RETURN_IF_ERROR(fx::c::check_path(path));
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      return absl::NotFoundError(fmt::format("the file {} does not exist", path));
    auto data = std::make_unique<GraphData>();
    FX_ASSIGN_OR_RETURN(data->document, fx::Document::read(access.context().context, path));
    data->graph = &data->document->graph();
    FX_ASSIGN_OR_RETURN(const GraphData* const added,
                        fx::c::add_graph(access.context(), std::move(data)));
    *graph = added->token.as<fxc_graph>();
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_write(fxc_graph graph, const char* path, const char** left_out) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_path(path));
    if (!data.document) {
      FX_RETURN_IF_ERROR(fx::write_graph_file(*data.graph, path));
      fx::c::return_text("", left_out);
      return absl::OkStatus();
    }
    FX_ASSIGN_OR_RETURN(std::string missing, data.document->write(path));
    fx::c::return_text(std::move(missing), left_out);
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_text(fxc_graph graph, const char* preset, const char** text, size_t* size) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(preset, "preset"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(text, "text"));
    const std::optional<fx::PrintPreset> found = fx::print_preset_from_name(preset);
    if (!found) {
      return absl::InvalidArgumentError(
          fmt::format("unknown preset \"{}\"; the presets are fx, canonical, numbered, torch and "
                      "tabular",
                      preset));
    }
    fx::c::return_text(fx::print(*data.graph, {.preset = *found}), text, size);
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_json(fxc_graph graph, const char** text, size_t* size) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(text, "text"));
    FX_ASSIGN_OR_RETURN(std::string json, fx::write_json(*data.graph));
    fx::c::return_text(std::move(json), text, size);
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_hash(fxc_graph graph, uint64_t hash[2]) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(hash, "hash"));
    const fx::GraphHash found = fx::structural_hash(*data.graph);
    hash[0] = found.high;
    hash[1] = found.low;
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_verify(fxc_graph graph) {
  return fx::c::with_graph(graph, [](GraphData& data) { return fx::verify_status(*data.graph); });
}

fxc_status fxc_graph_num_nodes(fxc_graph graph, size_t* count) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(count, "count"));
    *count = data.graph->size();
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_first(fxc_graph graph, fxc_node* node) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(node, "node"));
    return fx::c::set_node(data, data.graph->front(), node);
  });
}

fxc_status fxc_graph_find(fxc_graph graph, const char* name, fxc_node* node) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(name, "name"));
    FX_RETURN_IF_ERROR(fx::c::check_pointer(node, "node"));
    return fx::c::set_node(data, data.graph->find_node(name), node);
  });
}

fxc_status fxc_graph_output(fxc_graph graph, fxc_node* node) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(node, "node"));
    return fx::c::set_node(data, data.graph->output_node(), node);
  });
}

fxc_status fxc_graph_num_subgraphs(fxc_graph graph, size_t* count) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(count, "count"));
    *count = data.graph->num_subgraphs();
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_subgraph(fxc_graph graph, size_t index, fxc_graph* nested) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(nested, "nested"));
    FX_RETURN_IF_ERROR(fx::c::subgraph_of(data, index));
    FX_ASSIGN_OR_RETURN(const GraphData* const found,
                        fx::c::data_of(data, data.graph->subgraph(index)));
    *nested = found->token.as<fxc_graph>();
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_subgraph_name(fxc_graph graph, size_t index, const char** name) {
  return fx::c::with_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_pointer(name, "name"));
    FX_RETURN_IF_ERROR(fx::c::subgraph_of(data, index));
    fx::c::return_text(std::string(data.graph->subgraph_name(index)), name);
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_insert_before(fxc_graph graph, fxc_node node) {
  return fx::c::change_graph(graph, [&](GraphData& data) -> absl::Status {
    if (node == nullptr) {
      data.graph->set_insert_point_after(nullptr);
      return absl::OkStatus();
    }
    FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(node), Kind::kNode, "node"));
    FX_ASSIGN_OR_RETURN(fx::Node* const found, access.node());
    if (&found->graph() != data.graph)
      return fx::c::failure(FXC_WRONG_CONTEXT, "the node belongs to a different graph");
    data.graph->set_insert_point_before(found);
    return absl::OkStatus();
  });
}

fxc_status fxc_graph_add(fxc_graph graph, fxc_opcode op, const char* target, const fxc_value* args,
                         size_t num_args, const char* const* keywords,
                         const fxc_value* keyword_args, size_t num_keywords, fxc_node* node) {
  return fx::c::change_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_RETURN_IF_ERROR(fx::c::check_array(args, num_args, "args"));
    FX_RETURN_IF_ERROR(fx::c::check_array(keywords, num_keywords, "keywords"));
    FX_RETURN_IF_ERROR(fx::c::check_array(keyword_args, num_keywords, "keyword_args"));
    FX_ASSIGN_OR_RETURN(
        fx::Node* const added,
        fx::c::add_node(data,
                        {op, target, {args, num_args}, keywords, {keyword_args, num_keywords}}));
    return fx::c::set_node(data, added, node);
  });
}

fxc_status fxc_graph_add_input(fxc_graph graph, const char* name, fxc_type type, fxc_node* node) {
  return fx::c::change_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_ASSIGN_OR_RETURN(const fx::Type of, fx::c::type_of(*data.context, type));
    FX_ASSIGN_OR_RETURN(fx::Node* const added,
                        fx::c::add_node(data, {FXC_PLACEHOLDER, name, {}, nullptr, {}}));
    added->set_type(of);
    return fx::c::set_node(data, added, node);
  });
}

fxc_status fxc_graph_add_output(fxc_graph graph, fxc_value result, fxc_node* node) {
  return fx::c::change_graph(graph, [&](GraphData& data) -> absl::Status {
    FX_ASSIGN_OR_RETURN(fx::Node* const added,
                        fx::c::add_node(data, {FXC_OUTPUT, "output", {&result, 1}, nullptr, {}}));
    return fx::c::set_node(data, added, node);
  });
}
