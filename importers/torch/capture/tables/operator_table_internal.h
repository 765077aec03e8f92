// The properties of libtorch's operators that capture uses, computed once for each operator.
#pragma once

#include "fx/importers/torch/capture/tables/fake_memory_internal.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/target.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fx {

/// Calls to an operator and the inferred types of their results. Layers of a model often repeat
/// calls, and so do captures of a model.
class InferredCalls {
 public:
  /// Returns the types of an equal call, or null. `forms` contains the types of the tensors among
  /// the arguments. The pointer is valid until the next insertion.
  const InferredCall* find(absl::Span<const c10::IValue> arguments,
                           absl::Span<const Type> forms) const;
  /// Stores the types of a call, which may replace those of an earlier call. Does nothing for an
  /// argument that cannot be compared, such as a list of tensors.
  void insert(absl::Span<const c10::IValue> arguments, absl::Span<const Type> forms,
              InferredCall inferred);
  void clear() { *this = {}; }

 private:
  struct Entry {
    std::vector<Type> forms;
    std::vector<c10::IValue> constants;  // the arguments, without tensors
    InferredCall inferred;
  };
  static constexpr size_t kMaxEntries = 128;

  std::vector<size_t> hashes_;  // of the forms of the entries
  std::vector<Entry> entries_;
  size_t next_ = 0;  // the entry to replace next when there are kMaxEntries
};

struct OperatorRow {
  /// The initial contents of memory that an operator creates without using tensor elements.
  enum class InitialContents : uint8_t { kOther, kUninitialized, kZeros, kNumbers };

  Target target;
  NameHint name;  ///< of nodes
  std::vector<ArgumentCode> codes;
  std::vector<Symbol> names;
  size_t num_positional = 0;
  std::vector<size_t> written;                          ///< the arguments that it writes to,
  std::optional<std::pair<size_t, bool>> unwritten_if;  ///< unless this argument has this value
  std::optional<size_t> view_of;  ///< the argument whose memory the result shares
  bool uses_form_only = false;    ///< does not use the elements of tensors
  InitialContents initial_contents = InitialContents::kOther;
  bool computes_form_only = false;  ///< a view: its kernel does not access the elements of tensors
  /// For each result, the index of the written argument that it is, or -1.
  std::vector<int> written_results;
  /// The type of the result of the last call, which the next call may also have.
  Type last_result;
  InferredCalls inferred;  ///< of calls on fake tensors; for a view, the type of the view
  /// The operator's row in the table of PyTorch's operators; null for other operators, which the
  /// program may remove.
  const ops::OpInfo* built_in = nullptr;
};

/// The rows of the operators that were called, and the memory of fake tensors. The runs of one
/// capture share a table. Not thread-safe.
class OperatorTable {
 public:
  explicit OperatorTable(Context& context) : context_(&context) {}
  OperatorTable(const OperatorTable&) = delete;
  OperatorTable& operator=(const OperatorTable&) = delete;

  FakeTensorMemory& memory() { return memory_; }

  /// Prepares the table for another capture: removes the rows that may have become invalid, and the
  /// memory.
  void renew();

  /// Returns the row of an operator, which is valid as long as the table exists.
  OperatorRow& row_of(const c10::OperatorHandle& op) {
    std::unique_ptr<OperatorRow>& entry = rows_[op];
    if (entry == nullptr) entry = std::make_unique<OperatorRow>(make_row(op));
    return *entry;
  }

 private:
  struct Hash {
    size_t operator()(const c10::OperatorHandle& op) const {
      return std::hash<c10::OperatorHandle>()(op);
    }
  };
  OperatorRow make_row(const c10::OperatorHandle& op) const;

  Context* context_;
  FakeTensorMemory memory_;
  uint64_t rules_ = 0;  // the id of the type functions that the Context adds to the built-in ones
  absl::flat_hash_map<c10::OperatorHandle, std::unique_ptr<OperatorRow>, Hash> rows_;
};

/// The table that the Context keeps between captures, or a new table if another capture uses that
/// one. The Context must outlive it.
class KeptOperatorTable {
 public:
  explicit KeptOperatorTable(Context& context);
  KeptOperatorTable(const KeptOperatorTable&) = delete;
  KeptOperatorTable& operator=(const KeptOperatorTable&) = delete;
  /// Returns the table to the Context.
  ~KeptOperatorTable();

  OperatorTable& operator*() { return *table_; }

 private:
  Context& context_;
  std::unique_ptr<OperatorTable> table_;
};

}  // namespace fx
