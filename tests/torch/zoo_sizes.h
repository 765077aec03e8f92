// Zoo models with symbolic sizes: the sizes of the capture, and the sizes of replays.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/types/type.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fx::testing {

using Sizes = std::vector<std::pair<std::string, int64_t>>;

struct SizeCase {
  const char* name;   // the name of the test
  const char* model;  // the name of the zoo model
  Settings settings;
  DynamicSizes dynamic;
  std::vector<Sizes> replays;
};

inline std::vector<Sizes> batch_sizes() {
  return {{{"batch", 2}}, {{"batch", 3}}, {{"batch", 6}}, {{"batch", 9}}, {{"batch", 17}}};
}

/// Returns sizes for both symbols that are smaller and greater than those of the capture.
inline std::vector<Sizes> sequence_sizes() {
  return {{{"batch", 2}, {"seq", 4}},
          {{"batch", 6}, {"seq", 15}},
          {{"batch", 3}, {"seq", 16}},
          {{"batch", 8}, {"seq", 2}},
          {{"batch", 5}, {"seq", 11}}};
}

inline std::vector<SizeCase> size_cases() {
  const auto image = [](const char* text) { return DynamicSizes{.inputs = {text, "i64[batch]"}}; };
  return {
      {"Mlp", "mlp", {}, image("f32[batch, 16]"), batch_sizes()},
      {"Lenet", "lenet", {}, image("f32[batch, 1, 28, 28]"), batch_sizes()},
      {"Resnet18",
       "resnet18",
       {{"size", 32}, {"width", 8}},
       image("f32[batch, 3, 32, 32]"),
       batch_sizes()},
      {"Resnet50",
       "resnet50",
       {{"size", 32}, {"width", 4}},
       image("f32[batch, 3, 32, 32]"),
       batch_sizes()},
      {"MobilenetV2",
       "mobilenet_v2",
       {{"size", 32}, {"width", 25}},
       image("f32[batch, 3, 32, 32]"),
       batch_sizes()},
      {"Unet",
       "unet",
       {{"batch", 2}, {"size", 16}, {"width", 4}},
       {.inputs = {"f32[batch, 3, 16, 16]", "i64[batch, 16, 16]"}},
       batch_sizes()},
      {"UnetOfAnySize",
       "unet",
       {{"batch", 2}, {"size", 32}, {"width", 4}},
       {.inputs = {"f32[batch, 3, 16*h, 16*w]", "i64[batch, 16*h, 16*w]"}},
       {{{"batch", 3}, {"h", 1}, {"w", 4}}, {{"batch", 2}, {"h", 3}, {"w", 2}}}},
      {"ResnetOfAnySize",
       "resnet18",
       {{"size", 64}, {"width", 8}},
       {.inputs = {"f32[batch, 3, 32*h, 32*w]", "i64[batch]"}},
       {{{"batch", 3}, {"h", 3}, {"w", 4}}, {{"batch", 2}, {"h", 5}, {"w", 2}}}},
      {"Vae", "vae", {{"hidden", 32}}, {.inputs = {"f32[batch, 1, 28, 28]"}}, batch_sizes()},
      {"LstmTagger",
       "lstm_tagger",
       {},
       {.inputs = {"i64[batch, seq]", "i64[batch, seq]"}},
       sequence_sizes()},
      {"TransformerEncoder",
       "transformer_encoder",
       {},
       {.inputs = {"i64[seq, batch]", "i64[seq, batch]"}},
       sequence_sizes()},
      {"Gpt",
       "gpt",
       {},
       {.inputs = {"i64[batch, seq]", "i64[batch, seq]"}, .ranges = {{"seq", 2, 16}}},
       sequence_sizes()},
      {"Vit", "vit", {}, image("f32[batch, 3, 32, 32]"), batch_sizes()},
  };
}

/// Returns a tensor with the sizes of a symbolic type, filled with repeated rows of `tensor`.
inline at::Tensor resized(Context& context, const at::Tensor& tensor, const std::string& type_text,
                          const Sizes& sizes) {
  const Type type = *context.types().parse(type_text);
  SymBindings values;
  for (const auto& [name, value] : sizes)
    values.insert_or_assign(context.symbol(name), SymValue(value));
  at::Tensor result = tensor;
  for (int d = 0; d < type.rank(); ++d) {
    const int64_t size = *eval_int(type.size(d), values);
    result = result.index_select(d, at::arange(size).remainder(tensor.size(d)));
  }
  return result;
}

}  // namespace fx::testing
