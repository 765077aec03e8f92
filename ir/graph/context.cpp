// Context: see context.h.
#include "fx/ir/graph/context.h"

#include "fx/ir/support/attachments.h"

#include <algorithm>
#include <atomic>

namespace fx {
namespace {

/// `__name__` of the Python function with this canonical name: "add.Tensor" for an operator
/// overload (whose nodes are therefore named `add_tensor`), and the last component for everything
/// else.
std::string_view base_name_of(std::string_view name) {
  if (is_operator_overload(name)) return name.substr(name.find('.') + 1);
  return name.substr(name.rfind('.') + 1);
}

/// The tables of attachments.h. Few Contexts have any, so Contexts have no member for them.
struct AttachmentTable {
  std::mutex mutex;
  absl::flat_hash_map<const Context*, absl::flat_hash_map<const void*, Attachment>> contexts;
  std::atomic<size_t> size = 0;  // of `contexts`, to be read without the lock
};

AttachmentTable& attachment_table() {
  static auto* const kTable = new AttachmentTable();
  return *kTable;
}

}  // namespace

void* find_attachment(const Context& context, const void* key) {
  AttachmentTable& table = attachment_table();
  if (table.size.load(std::memory_order_acquire) == 0) return nullptr;
  const std::lock_guard<std::mutex> lock(table.mutex);
  const auto tables = table.contexts.find(&context);
  if (tables == table.contexts.end()) return nullptr;
  const auto found = tables->second.find(key);
  return found == tables->second.end() ? nullptr : found->second.get();
}

void* attachment(const Context& context, const void* key, Attachment (*make)()) {
  AttachmentTable& table = attachment_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  auto& tables = table.contexts[&context];
  auto found = tables.find(key);
  if (found == tables.end()) found = tables.emplace(key, make()).first;
  table.size.store(table.contexts.size(), std::memory_order_release);
  return found->second.get();
}

bool is_operator_overload(std::string_view name) {
  return std::count(name.begin(), name.end(), '.') == 2 && !name.starts_with("torch.");
}

Context::Context() : exprs_(symbols_), types_(symbols_, exprs_) {}
Context::~Context() {
  AttachmentTable& table = attachment_table();
  if (table.size.load(std::memory_order_acquire) == 0) return;
  absl::flat_hash_map<const void*, Attachment> attachments;  // destroyed without the lock
  {
    const std::lock_guard<std::mutex> lock(table.mutex);
    const auto tables = table.contexts.find(this);
    if (tables == table.contexts.end()) return;
    attachments = std::move(tables->second);
    table.contexts.erase(tables);
    table.size.store(table.contexts.size(), std::memory_order_release);
  }
}

Target Context::function(std::string_view name, const FunctionSpelling& spelling) {
  Symbol symbol = symbols_.intern(name);
  std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<TargetData>& data = functions_[symbol];
  if (!data) {
    data = std::make_unique<TargetData>();
    data->name = symbol;
    set_op(*data);
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
  for (auto& [symbol, data] : functions_) set_op(*data);
}

void Context::set_op(TargetData& data) {
  data.op = ops_.find(data.name.str());
  if (data.op == nullptr || !data.op->has(ops::OpTrait::kDtypeMode)) return;
  if (std::ranges::find(dtype_modes_, Target(&data)) == dtype_modes_.end())
    dtype_modes_.push_back(Target(&data));
  has_dtype_modes_.store(true, std::memory_order_relaxed);
}

std::vector<Target> Context::dtype_modes() {
  std::lock_guard<std::mutex> lock(mutex_);
  return dtype_modes_;
}

}  // namespace fx
