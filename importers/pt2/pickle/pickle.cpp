// Reads pickles: see pickle_internal.h. Python's Lib/pickletools.py documents the opcodes.
#include "fx/importers/pt2/pickle/pickle_internal.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <bit>
#include <cstddef>
#include <optional>

namespace fx::pt2 {
namespace {

class PickleReader {
 public:
  explicit PickleReader(std::string_view bytes) : bytes_(bytes) {}

  absl::StatusOr<Pickle> read() {
    while (!stopped_) {
      start_ = at_;
      if (at_ == bytes_.size()) return error("it must end with STOP");
      const auto opcode = static_cast<uint8_t>(bytes_[at_++]);
      FX_RETURN_IF_ERROR(step(opcode));
      if (failed_) return error("it is truncated, or a number in it is out of range");
    }
    pickle_.num_bytes = at_;
    return std::move(pickle_);
  }

 private:
  static constexpr PickleId kMark = UINT32_MAX;

  absl::Status error(std::string_view what) const {
    return absl::InvalidArgumentError(fmt::format("pickle, at byte {}: {}", start_, what));
  }

  // Operands of opcodes. After a failure they are zero or empty.
  uint64_t number(size_t bytes) {
    if (bytes > bytes_.size() - at_) {
      failed_ = true;
      return 0;
    }
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes_[at_ + i]);
    at_ += bytes;
    return value;
  }
  std::string_view text(uint64_t size) {
    if (failed_ || size > bytes_.size() - at_) {
      failed_ = true;
      return {};
    }
    const std::string_view result = bytes_.substr(at_, size);
    at_ += size;
    return result;
  }
  std::string_view line() {
    const size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) {
      failed_ = true;
      return {};
    }
    const std::string_view result = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }

  void push(PickleValue value) {
    stack_.push_back(static_cast<PickleId>(pickle_.values.size()));
    pickle_.values.push_back(std::move(value));
  }
  PickleValue& push_kind(PickleKind kind) {
    push(PickleValue());
    pickle_.values.back().kind = kind;
    return pickle_.values.back();
  }
  void push_int(int64_t value) { push_kind(PickleKind::kInt).integer = value; }
  /// Pushes the integer of a LONG1, which consists of a size and that number of bytes.
  void push_long() {
    const uint64_t size = number(1);
    if (size > 8) {
      push_text(PickleKind::kBigInt, text(size));
    } else if (size == 0) {
      push_int(0);
    } else {
      const int shift = 64 - 8 * static_cast<int>(size);
      push_int(std::bit_cast<int64_t>(number(size) << shift) >> shift);
    }
  }
  void push_bool(bool value) { push_kind(PickleKind::kBool).integer = value ? 1 : 0; }
  void push_text(PickleKind kind, std::string_view value) { push_kind(kind).text = value; }
  void push_items(PickleKind kind, std::vector<PickleId> items) {
    push_kind(kind).items = std::move(items);
  }
  void push_global(std::string_view module, std::string_view name) {
    PickleValue& value = push_kind(PickleKind::kGlobal);
    value.text = module;
    value.name = name;
  }

  /// Pops the top value. Fails and returns kMark if there is no value after the last mark.
  PickleId pop() {
    if (stack_.empty() || stack_.back() == kMark) {
      failed_ = true;
      return kMark;
    }
    const PickleId id = stack_.back();
    stack_.pop_back();
    return id;
  }
  std::vector<PickleId> pop_many(size_t count) {
    std::vector<PickleId> items(count);
    for (size_t i = count; i-- > 0;) items[i] = pop();
    if (failed_) items.clear();
    return items;
  }
  /// Pops the last mark and the values after it, and returns these values.
  std::vector<PickleId> pop_to_mark() {
    size_t begin = stack_.size();
    while (begin > 0 && stack_[begin - 1] != kMark) --begin;
    if (begin == 0) {
      failed_ = true;
      return {};
    }
    std::vector<PickleId> items(stack_.begin() + static_cast<std::ptrdiff_t>(begin), stack_.end());
    stack_.resize(begin - 1);
    return items;
  }
  void push_tuple(std::vector<PickleId> items) { push_items(PickleKind::kTuple, std::move(items)); }

  absl::Status append(const std::vector<PickleId>& items) {
    if (failed_ || stack_.empty() || stack_.back() == kMark)
      return error("it appends to a missing list");
    PickleValue& list = pickle_.values[stack_.back()];
    if (list.kind != PickleKind::kList) return error("it appends to a value that is not a list");
    list.items.insert(list.items.end(), items.begin(), items.end());
    return absl::OkStatus();
  }
  absl::Status set_items(const std::vector<PickleId>& items) {
    if (failed_ || stack_.empty() || stack_.back() == kMark || items.size() % 2 != 0)
      return error("it sets items of a missing dict");
    PickleValue& dict = pickle_.values[stack_.back()];
    if (dict.kind != PickleKind::kDict && dict.kind != PickleKind::kCall)
      return error("it sets items of a value that is not a dict");
    for (size_t i = 0; i < items.size(); i += 2) dict.entries.emplace_back(items[i], items[i + 1]);
    return absl::OkStatus();
  }
  absl::Status put(uint64_t key) {
    if (failed_ || stack_.empty() || stack_.back() == kMark)
      return error("it stores a missing value in the memo");
    memo_[key] = stack_.back();
    return absl::OkStatus();
  }
  absl::Status get(uint64_t key) {
    const auto it = memo_.find(key);
    if (it == memo_.end()) return error("it loads a memo entry that was not stored");
    stack_.push_back(it->second);
    return absl::OkStatus();
  }
  absl::Status call() {
    std::vector<PickleId> parts = pop_many(2);
    if (failed_) return error("it calls a missing function");
    push_items(PickleKind::kCall, std::move(parts));
    return absl::OkStatus();
  }
  absl::Status build() {
    const PickleId state = pop();
    if (failed_ || stack_.empty() || stack_.back() == kMark)
      return error("it sets the state of a missing object");
    PickleValue& object = pickle_.values[stack_.back()];
    if (object.kind != PickleKind::kCall)
      return error("it sets the state of a value that is not an object");
    object.items.push_back(state);
    return absl::OkStatus();
  }
  absl::Status stack_global() {
    const std::vector<PickleId> parts = pop_many(2);
    if (failed_ || pickle_[parts[0]].kind != PickleKind::kString ||
        pickle_[parts[1]].kind != PickleKind::kString)
      return error("it uses a global that has no name");
    push_global(pickle_[parts[0]].text, pickle_[parts[1]].text);
    return absl::OkStatus();
  }
  void global() {
    const std::string_view module = line();
    push_global(module, line());
  }
  absl::Status stop() {
    const PickleId root = pop();
    if (failed_ || !stack_.empty())
      return error("the stack must contain exactly one value at the end");
    pickle_.root = root;
    stopped_ = true;
    return absl::OkStatus();
  }
  double big_endian_double() {
    uint64_t bits = 0;
    for (const char c : text(8)) bits = bits << 8 | static_cast<uint8_t>(c);
    return std::bit_cast<double>(bits);
  }

  absl::Status step(uint8_t opcode) {
    if (push_constant(opcode) || push_aggregate(opcode)) return absl::OkStatus();
    switch (opcode) {
      case 0x80:  // PROTO
        if (const uint64_t version = number(1); version < 2 || version > 5)
          return error(fmt::format("protocol {} is not supported; protocols 2 to 5 are", version));
        return absl::OkStatus();
      case 0x95:  // FRAME
        number(8);
        return absl::OkStatus();
      case '(':  // MARK
        stack_.push_back(kMark);
        return absl::OkStatus();
      case '0':  // POP
        pop();
        return absl::OkStatus();
      case 'q':  // BINPUT
        return put(number(1));
      case 'r':  // LONG_BINPUT
        return put(number(4));
      case 0x94:  // MEMOIZE
        return put(memo_.size());
      case 'h':  // BINGET
        return get(number(1));
      case 'j':  // LONG_BINGET
        return get(number(4));
      case 'a':  // APPEND
        return append(pop_many(1));
      case 'e':  // APPENDS
        return append(pop_to_mark());
      case 's':  // SETITEM
        return set_items(pop_many(2));
      case 'u':  // SETITEMS
        return set_items(pop_to_mark());
      case 'R':   // REDUCE
      case 0x81:  // NEWOBJ
        return call();
      case 'b':  // BUILD
        return build();
      case 0x93:  // STACK_GLOBAL
        return stack_global();
      case '.':  // STOP
        return stop();
      default:
        return absl::UnimplementedError(
            fmt::format("pickle, at byte {}: the opcode {:#04x} is not supported", start_, opcode));
    }
  }

  bool push_constant(uint8_t opcode) {
    switch (opcode) {
      case 'N':
        push_kind(PickleKind::kNone);
        return true;
      case 0x88:
        push_bool(true);
        return true;
      case 0x89:
        push_bool(false);
        return true;
      case 'K':
        push_int(static_cast<int64_t>(number(1)));
        return true;
      case 'M':
        push_int(static_cast<int64_t>(number(2)));
        return true;
      case 'J':
        push_int(static_cast<int32_t>(number(4)));
        return true;
      case 0x8a:
        push_long();
        return true;
      case 'G':
        push_kind(PickleKind::kFloat).number = big_endian_double();
        return true;
      case 'X':
        push_text(PickleKind::kString, text(number(4)));
        return true;
      case 0x8c:
        push_text(PickleKind::kString, text(number(1)));
        return true;
      case 0x8d:
        push_text(PickleKind::kString, text(number(8)));
        return true;
      case 'C':
        push_text(PickleKind::kBytes, text(number(1)));
        return true;
      case 'B':
        push_text(PickleKind::kBytes, text(number(4)));
        return true;
      case 'c':
        global();
        return true;
      default:
        return false;
    }
  }

  bool push_aggregate(uint8_t opcode) {
    switch (opcode) {
      case ')':
        push_tuple({});
        return true;
      case 't':
        push_tuple(pop_to_mark());
        return true;
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(pop_many(opcode - 0x84U));
        return true;
      case ']':
        push_kind(PickleKind::kList);
        return true;
      case '}':
        push_kind(PickleKind::kDict);
        return true;
      case 'Q':  // BINPERSID
        push_items(PickleKind::kPersistent, pop_many(1));
        return true;
      default:
        return false;
    }
  }

  std::string_view bytes_;
  size_t at_ = 0;
  size_t start_ = 0;  // the position of the current opcode, for messages
  bool failed_ = false;
  bool stopped_ = false;
  Pickle pickle_;
  std::vector<PickleId> stack_;
  absl::flat_hash_map<uint64_t, PickleId> memo_;
};

}  // namespace

absl::StatusOr<Pickle> parse_pickle(std::string_view bytes) {
  if (bytes.size() >= UINT32_MAX) return absl::InvalidArgumentError("the pickle is too long");
  return PickleReader(bytes).read();
}

}  // namespace fx::pt2
