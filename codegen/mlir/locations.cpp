#include "fx/codegen/mlir/locations_internal.h"
#include "fx/codegen/mlir/text_internal.h"
#include "fx/ir/graph/provenance/stack_trace.h"

namespace fx::mlir {

void Locations::append_use(std::string& out, uint32_t location) {
  if (location != 0) append(out, " loc(#loc", location, ")");
}

uint32_t Locations::define(std::string_view text) {
  if (const auto found = by_text_.find(text); found != by_text_.end()) return found->second;
  by_text_.emplace(std::string(text), ++last_);
  append(definitions_, "#loc", last_, " = loc(", text, ")\n");
  return last_;
}

uint32_t Locations::of_trace(std::string_view trace) {
  if (const auto found = traces_.find(trace); found != traces_.end()) return found->second;
  std::vector<uint32_t> frames;  // innermost first
  last_frame(trace, [&](const StackFrame& frame) {
    std::string text;
    append_string(text, frame.file);
    append(text, ":", frame.line, ":0");
    frames.push_back(define(text));
    return false;
  });
  uint32_t location = 0;
  for (size_t i = frames.size(); i-- > 0;) {
    location = location == 0
                   ? frames[i]
                   : define(text_of("callsite(#loc", frames[i], " at #loc", location, ")"));
  }
  traces_.emplace(std::string(trace), location);
  return location;
}

uint32_t Locations::of_module(std::string_view module, uint32_t inside) {
  if (inside >= modules_.size()) modules_.resize(inside + 1);
  if (const auto found = modules_[inside].find(module); found != modules_[inside].end())
    return found->second;
  std::string text;
  append_string(text, module);
  if (inside != 0) append(text, "(#loc", inside, ")");
  const uint32_t location = define(text);
  modules_[inside].emplace(std::string(module), location);
  return location;
}

uint32_t Locations::of(const Node& node) {
  uint32_t location = 0;
  if (const auto trace = node.meta().get(meta::kStackTrace)) location = of_trace(*trace);
  if (const auto module = node.meta().get(meta::kModule); module && !module->empty())
    location = of_module(*module, location);
  return location;
}

uint32_t Locations::of_name(std::string_view name) { return of_module(name, 0); }

}  // namespace fx::mlir
