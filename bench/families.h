// The graphs for fxcpp and its peers. One generator creates them through each project's own
// builder, so that all projects have the same graph.
//
//   chain        v[i] = add(v[i-1], v[i-2])
//   wide         w = relu(x), then relu(w) n - 1 times: one value with n - 1 users
//   transformer  blocks of 12 operations: two parameter loads, layer_norm, linear, matmul,
//                transpose, matmul, softmax, matmul, view, dropout, add; a block has 18 operands
//                and 13 literals: two strings, two lists of ints, five ints, two floats, two bools
//   dup          two identical chains of operations, joined at the end: half is redundant
//   sep          h = relu(add(mul(h, c), y)): matches of add(mul(.)) that are not adjacent
//   back2back    h = add(mul(h, c), y): each match's result is the next match's input
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx::bench {

enum class Family : uint8_t { kChain, kWide, kTransformer, kDup, kSep, kBackToBack };

inline constexpr std::string_view kFamilyNames[] = {"chain", "wide", "transformer",
                                                    "dup",   "sep",  "back2back"};
inline std::string_view family_name(Family family) {
  return kFamilyNames[static_cast<size_t>(family)];
}

/// Paths of parameters, created before the measurement.
struct Paths {
  explicit Paths(size_t nodes) {
    for (size_t i = 0; i < nodes / 12 + 1; ++i) {
      names.push_back("layers." + std::to_string(i) + ".weight");
      names.push_back("layers." + std::to_string(i) + ".bias");
    }
  }
  std::vector<std::string> names;
};

/// Returns the number of operations in a graph of the family with `nodes` nodes, excluding inputs
/// and the return.
inline size_t family_size(Family family, size_t nodes) {
  switch (family) {
    case Family::kTransformer:
      return nodes / 12 * 12;
    case Family::kDup:
      return nodes / 2 * 2 + 1;
    case Family::kSep:
      return nodes / 3 * 3;
    case Family::kBackToBack:
      return nodes / 2 * 2;
    default:
      return nodes;
  }
}

/// One block of the transformer family; returns its result.
template <class B>
typename B::Value build_block(B& b, typename B::Value x, const std::string* paths) {
  auto weight = b.parameter(paths[0]);
  auto bias = b.parameter(paths[1]);
  auto norm = b.layer_norm(x, {64, 64}, weight, bias, 1e-5, false);
  auto linear = b.linear(norm, weight, bias);
  auto key = b.matmul(linear, weight);
  auto turned = b.transpose(key, -2, -1);
  auto scores = b.matmul(linear, turned);
  auto soft = b.softmax(scores, -1, 6);  // 6 is float32
  auto mixed = b.matmul(soft, linear);
  auto viewed = b.view(mixed, {64, 64});
  auto dropped = b.dropout(viewed, 0.1, false);
  return b.add_scaled(dropped, x, 1);
}

/// Builds the family with `b`, a builder with a type Value, functions for the operations, input()
/// and finish(result). If `is_returned` is false, the graph returns the first input, and all
/// operations are dead.
template <class B>
void build_family(B& b, Family family, size_t nodes, const Paths& paths, bool is_returned = true) {
  using Value = typename B::Value;
  Value x = b.input();
  Value result = x;
  switch (family) {
    case Family::kChain: {
      Value before = x;
      for (size_t i = 0; i < nodes; ++i) {
        Value next = b.add(result, before);
        before = result;
        result = next;
      }
      break;
    }
    case Family::kWide: {
      Value w = b.relu(x);
      for (size_t i = 1; i < nodes; ++i) result = b.relu(w);
      break;
    }
    case Family::kTransformer:
      for (size_t i = 0; i < nodes / 12; ++i) result = build_block(b, result, &paths.names[2 * i]);
      break;
    case Family::kDup: {
      Value left = x, right = x;
      for (size_t i = 0; i < nodes / 2; ++i) {
        left = b.add(left, x);
        right = b.add(right, x);
      }
      result = b.add(left, right);
      break;
    }
    case Family::kSep:
    case Family::kBackToBack: {
      Value c = b.input(), y = b.input();
      const size_t matches = nodes / (family == Family::kSep ? 3 : 2);
      for (size_t i = 0; i < matches; ++i) {
        result = b.add(b.mul(result, c), y);
        if (family == Family::kSep) result = b.relu(result);
      }
      break;
    }
  }
  b.finish(is_returned ? result : x);
}

/// Random numbers that are the same for every C++ subject.
class Random {
 public:
  size_t below(size_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<size_t>((state_ >> 32) * bound >> 32);
  }

 private:
  uint64_t state_ = 0x9e3779b97f4a7c15;
};

}  // namespace fx::bench
