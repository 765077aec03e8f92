#include "fx/importers/pt2/pickle/torch_save_internal.h"
#include "fx/importers/pt2/sample_inputs_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <utility>

namespace fx::pt2 {
namespace {

/// The maximum number of visits. A tree may contain a value many times, and a value may contain
/// itself.
constexpr size_t kMaxVisits = 100'000;

/// Collects the leaves of a tree, as defined by PyTorch's pytree.
class Flattener {
 public:
  explicit Flattener(TorchSave& file) : file_(file) {}

  absl::StatusOr<std::vector<Pt2SampleInput>> flatten() {
    todo_.push_back(file_.pickle().root);
    for (size_t visits = 0; !todo_.empty(); ++visits) {
      if (visits == kMaxVisits)
        return absl::InvalidArgumentError("the tree of inputs is too large");
      const PickleId id = todo_.back();
      todo_.pop_back();
      FX_RETURN_IF_ERROR(visit(id));
    }
    return std::move(leaves_);
  }

 private:
  void add_items(const std::vector<PickleId>& items) {
    todo_.insert(todo_.end(), items.rbegin(), items.rend());
  }
  void add_entries(const PickleValue& dict) {
    for (size_t i = dict.entries.size(); i-- > 0;) todo_.push_back(dict.entries[i].second);
  }

  absl::Status visit(PickleId id) {
    const Pickle& pickle = file_.pickle();
    const PickleValue& value = pickle[id];
    if (todo_.size() > kMaxVisits)
      return absl::InvalidArgumentError("the tree of inputs is too large");
    switch (value.kind) {
      case PickleKind::kNone:
        leaves_.push_back({});
        return absl::OkStatus();
      case PickleKind::kBool:
        leaves_.push_back({.tensor = {}, .value = Argument(value.integer != 0)});
        return absl::OkStatus();
      case PickleKind::kInt:
        leaves_.push_back({.tensor = {}, .value = Argument(value.integer)});
        return absl::OkStatus();
      case PickleKind::kFloat:
        leaves_.push_back({.tensor = {}, .value = Argument(value.number)});
        return absl::OkStatus();
      case PickleKind::kString:
        leaves_.push_back({.tensor = {}, .value = Argument(value.text)});
        return absl::OkStatus();
      case PickleKind::kTuple:
      case PickleKind::kList:
        add_items(value.items);
        return absl::OkStatus();
      case PickleKind::kDict:
        add_entries(value);
        return absl::OkStatus();
      case PickleKind::kCall:
        return visit_call(id, value);
      default:
        return absl::UnimplementedError("they contain a value that only Python can create");
    }
  }

  absl::Status visit_call(PickleId id, const PickleValue& call) {
    const Pickle& pickle = file_.pickle();
    if (file_.is_tensor(id)) {
      FX_ASSIGN_OR_RETURN(Tensor tensor, file_.tensor(id));
      leaves_.push_back({.tensor = std::move(tensor), .value = {}});
      return absl::OkStatus();
    }
    if (pickle.is_global(call.items[0], "collections", "OrderedDict")) {
      add_entries(call);
      return absl::OkStatus();
    }
    // A named tuple is a call to its class with the fields as arguments.
    const PickleValue& arguments = pickle[call.items[1]];
    const bool is_plain = call.items.size() == 2 && call.entries.empty();
    const PickleValue& function = pickle[call.items[0]];
    if (is_plain && arguments.kind == PickleKind::kTuple && function.kind == PickleKind::kGlobal &&
        !function.text.starts_with("torch")) {
      add_items(arguments.items);
      return absl::OkStatus();
    }
    return absl::UnimplementedError(
        fmt::format("they contain an object of class {}.{}, which only Python can create",
                    function.text.substr(0, 100), function.name.substr(0, 100)));
  }

  TorchSave& file_;
  std::vector<PickleId> todo_;  // the last value is visited next
  std::vector<Pt2SampleInput> leaves_;
};

}  // namespace

absl::StatusOr<std::vector<Pt2SampleInput>> read_sample_inputs(std::shared_ptr<Storage> bytes,
                                                               size_t count) {
  FX_ASSIGN_OR_RETURN(TorchSave file, TorchSave::open(std::move(bytes)));
  FX_ASSIGN_OR_RETURN(std::vector<Pt2SampleInput> leaves, Flattener(file).flatten());
  if (leaves.size() != count) {
    return absl::UnimplementedError(fmt::format("they have {}, but the program has {}",
                                                pluralize(leaves.size(), "value"),
                                                pluralize(count, "input")));
  }
  return leaves;
}

}  // namespace fx::pt2
