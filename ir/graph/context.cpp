// Context: see context.h.
#include "fx/ir/graph/context.h"

#include <algorithm>

namespace fx {
namespace {

/// `__name__` of the Python function with this canonical name: an operator overload is called
/// "add.Tensor" (so its nodes `add_tensor`), everything else by its last component.
std::string_view base_name_of(std::string_view name) {
  if (is_operator_overload(name)) return name.substr(name.find('.') + 1);
  return name.substr(name.rfind('.') + 1);
}

}  // namespace

bool is_operator_overload(std::string_view name) {
  return std::count(name.begin(), name.end(), '.') == 2 && !name.starts_with("torch.");
}

Context::Context() : exprs_(symbols_), types_(symbols_, exprs_) {}
Context::~Context() = default;

Target Context::function(std::string_view name, const FunctionSpelling& spelling) {
  Symbol symbol = symbols_.intern(name);
  std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<TargetData>& data = functions_[symbol];
  if (!data) {
    data = std::make_unique<TargetData>();
    data->name = symbol;
    data->op = ops_.find(name);
    const std::string_view rule = base_name_of(name);
    const std::string_view base = spelling.base_name.empty() ? rule : spelling.base_name;
    data->base_name = symbols_.intern(base);
    data->has_own_base_name = base != rule;
    data->hint = make_name_hint(symbols_, name_candidate(base, /*is_function=*/true));
    if (!spelling.listing.empty()) data->listing = symbols_.intern(spelling.listing);
    if (!spelling.repr.empty()) data->repr = symbols_.intern(spelling.repr);
    if (!spelling.inner.empty()) data->inner = symbols_.intern(spelling.inner);
  }
  return Target(data.get());
}

absl::StatusOr<const ops::OpInfo*> Context::add_operator(std::string_view schema,
                                                         const ops::OpOptions& options) {
  auto added = ops_.add(schema, options);
  refresh_targets();
  return added;
}

absl::StatusOr<const ops::OpInfo*> Context::add_effects(std::string_view name,
                                                        ops::Effects effects) {
  auto row = ops_.add_effects(name, effects);
  refresh_targets();
  return row;
}

void Context::refresh_targets() {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto& [symbol, data] : functions_) data->op = ops_.find(symbol.str());
}

}  // namespace fx
