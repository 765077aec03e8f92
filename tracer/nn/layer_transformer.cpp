// torch.nn's Transformer and its parts (torch/nn/modules/transformer.py of torch 2.13): their calls
// to layers are recorded as module calls. This is the path for training and for torch.export, as
// with MultiheadAttention (layer_attention.cpp). If is_causal is None, torch's forward inspects the
// elements of a mask to determine whether it is causal. Here, the mask is always added.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/layer_settings_internal.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace fx::internal {
namespace {

constexpr std::string_view kTransformers = "torch.nn.modules.transformer.";

/// The masks of one attention layer: parameters of forward, which may be None.
struct Masks {
  std::string_view attention, padding, is_causal;
};

/// Returns the level of a module. A module calls only modules of lower levels, because a file may
/// contain modules in a cycle.
int level_of(const Module& module) {
  std::string_view name = module.class_name();
  if (!name.starts_with(kTransformers)) return 0;
  name.remove_prefix(kTransformers.size());
  return name == "Transformer" ? 3 : name.ends_with("Layer") ? 1 : 2;
}

class Transformer {
 public:
  explicit Transformer(LayerCall& call) : c_(call) {}

  const Proxy& input(size_t i) const { return c_.inputs[i]; }
  bool flag(std::string_view name) const { return c_.settings.flag(name, false); }

  bool has(std::string_view path) const { return c_.layer.find_module(path) != nullptr; }
  Proxy layer(std::string_view path, const Proxy& x) const { return call(path, {x}, {}); }
  /// Returns the output of attention from `x` to `memory`, without the attention weights.
  Proxy attend(std::string_view path, const Proxy& x, const Proxy& memory,
               const Masks& masks) const {
    const Proxy both = call(path, {x, memory, memory},
                            {{"attn_mask", value(masks.attention)},
                             {"key_padding_mask", value(masks.padding)},
                             {"need_weights", false},
                             {"is_causal", is_causal(masks.is_causal)}});
    return c_.tracer.call_function("operator.getitem", {both, 0});
  }
  Proxy feed_forward(const Proxy& x, std::string_view last_dropout) const {
    const Proxy active = activation(layer("linear1", x));
    return layer(last_dropout, layer("linear2", layer("dropout", active)));
  }
  /// Calls the layers of a stack, then its norm, if it has one.
  template <class Call>
  Proxy stack(Call&& call) const {
    Proxy x = input(0);
    for (size_t i = 0; has(fmt::format("layers.{}", i)); ++i)
      x = call(fmt::format("layers.{}", i), x);
    return has("norm") ? layer("norm", x) : x;
  }
  Proxy call(std::string_view path, std::initializer_list<AnyArg> args,
             std::initializer_list<NamedArg> kwargs) const {
    const Module* child = c_.layer.find_module(path);
    if (child == nullptr || level_of(*child) >= level_of(c_.layer)) {
      c_.tracer.fail(absl::InvalidArgumentError(
          fmt::format("the {} of a {} is {}", path, c_.layer.class_name(),
                      child ? child->class_name() : std::string_view("missing"))));
    }
    return c_.tracer.call_module(path, args, kwargs);
  }
  AnyArg value(std::string_view name) const { return c_.values.at(name); }
  bool is_causal(std::string_view name) const {
    return !c_.values.at(name).is_none() && c_.flag(name);
  }

 private:
  /// Applies the activation, which is a module or a function.
  Proxy activation(const Proxy& x) const {
    if (has("activation")) return layer("activation", x);
    const Argument* given = c_.layer.hyperparameter("activation");
    if (given == nullptr) return relu(x);
    if (given->kind() != ArgumentKind::kFunction) {
      c_.settings.reject_setting("activation", "a function or a module");
      return x;
    }
    const Target function = given->as_function();
    const std::string_view name = function.name();
    if (name == "torch.nn.functional.relu" || name == "torch.relu") return relu(x);
    if (name == "torch.nn.functional.gelu" || name == "torch._C._nn.gelu") return gelu(x);
    const Argument argument = result_of(x);
    return c_.tracer.call_function(function, {&argument, 1});
  }

  LayerCall& c_;
};

}  // namespace

Proxy transformer_encoder_layer(LayerCall& c) {
  const Transformer t(c);
  const auto attended = [&](const Proxy& x) {
    return t.layer("dropout1",
                   t.attend("self_attn", x, x, {"src_mask", "src_key_padding_mask", "is_causal"}));
  };
  Proxy x = t.input(0);
  if (t.flag("norm_first")) {
    x = x + attended(t.layer("norm1", x));
    return x + t.feed_forward(t.layer("norm2", x), "dropout2");
  }
  x = t.layer("norm1", x + attended(x));
  return t.layer("norm2", x + t.feed_forward(x, "dropout2"));
}

Proxy transformer_decoder_layer(LayerCall& c) {
  const Transformer t(c);
  const auto attended = [&](const Proxy& x) {
    return t.layer("dropout1", t.attend("self_attn", x, x,
                                        {"tgt_mask", "tgt_key_padding_mask", "tgt_is_causal"}));
  };
  const auto crossed = [&](const Proxy& x) {
    return t.layer("dropout2",
                   t.attend("multihead_attn", x, t.input(1),
                            {"memory_mask", "memory_key_padding_mask", "memory_is_causal"}));
  };
  Proxy x = t.input(0);
  if (t.flag("norm_first")) {
    x = x + attended(t.layer("norm1", x));
    x = x + crossed(t.layer("norm2", x));
    return x + t.feed_forward(t.layer("norm3", x), "dropout3");
  }
  x = t.layer("norm1", x + attended(x));
  x = t.layer("norm2", x + crossed(x));
  return t.layer("norm3", x + t.feed_forward(x, "dropout3"));
}

Proxy transformer_encoder(LayerCall& c) {
  const Transformer t(c);
  return t.stack([&](std::string_view path, const Proxy& x) {
    return t.call(path, {x},
                  {{"src_mask", t.value("mask")},
                   {"src_key_padding_mask", t.value("src_key_padding_mask")},
                   {"is_causal", t.is_causal("is_causal")}});
  });
}

Proxy transformer_decoder(LayerCall& c) {
  const Transformer t(c);
  return t.stack([&](std::string_view path, const Proxy& x) {
    return t.call(path, {x, t.input(1)},
                  {{"tgt_mask", t.value("tgt_mask")},
                   {"memory_mask", t.value("memory_mask")},
                   {"tgt_key_padding_mask", t.value("tgt_key_padding_mask")},
                   {"memory_key_padding_mask", t.value("memory_key_padding_mask")},
                   {"tgt_is_causal", t.is_causal("tgt_is_causal")},
                   {"memory_is_causal", t.is_causal("memory_is_causal")}});
  });
}

Proxy transformer(LayerCall& c) {
  const Transformer t(c);
  const Proxy memory = t.call("encoder", {t.input(0)},
                              {{"mask", t.value("src_mask")},
                               {"src_key_padding_mask", t.value("src_key_padding_mask")},
                               {"is_causal", t.value("src_is_causal")}});
  return t.call("decoder", {t.input(1), memory},
                {{"tgt_mask", t.value("tgt_mask")},
                 {"memory_mask", t.value("memory_mask")},
                 {"tgt_key_padding_mask", t.value("tgt_key_padding_mask")},
                 {"memory_key_padding_mask", t.value("memory_key_padding_mask")},
                 {"tgt_is_causal", t.value("tgt_is_causal")},
                 {"memory_is_causal", t.value("memory_is_causal")}});
}

}  // namespace fx::internal
