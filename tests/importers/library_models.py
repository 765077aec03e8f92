#!/usr/bin/env python3
"""Tests that fxcpp reads and runs models from torchvision, timm and transformers. ctest does not run
it.

    library_models.py [--fxcpp FILE] [--results FILE] [--seconds 900] [--gigabytes 8] [NAME...]

Each model is created with random weights, exported with torch.export, saved as .pt2, and run with
`fxcpp run`. Every result must be bit-equal to PyTorch's. Each model runs in a separate process with
limits on memory and time. The script appends a JSON object for each model to the results file, and
skips models that the file already contains, unless NAME selects them. At the end it prints the table in
docs/importing.md.

The required packages differ from those of the tests. To install them in a separate environment:

    python3 -m venv /tmp/models && . /tmp/models/bin/activate
    pip install torch==2.13.0 --index-url URL-of-PyTorch's-CPU-packages   # or a .pth file with .venv's path
    pip install --no-deps torchvision==0.28.0 timm
    pip install transformers

Exit status: 0, 1 if a model failed, or 77 if a package is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import limited_process

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
try:
    import numpy as np
    import torch
    import torch.utils._pytree as pytree

    # PyPI's packages are built for CUDA. Without it, torchvision's own operators are missing, and
    # the library cannot be imported unless they are declared. The models below do not call them.
    OPERATORS = torch.library.Library("torchvision", "DEF")
    for operator in ("nms", "qnms"):
        if not hasattr(torch.ops.torchvision, operator):
            OPERATORS.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import timm
    import torchvision
    import transformers
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

# A function that returns a model and its arguments.
Factory = Callable[[], tuple[torch.nn.Module, tuple[Any, ...], dict[str, Any]]]

# torchvision model names by image size.
TORCHVISION = {
    64: ["alexnet", "resnet18", "resnet50", "resnext50_32x4d", "densenet121", "squeezenet1_0",
         "squeezenet1_1", "mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "mnasnet0_5",
         "shufflenet_v2_x0_5", "shufflenet_v2_x1_0", "efficientnet_b0", "efficientnet_v2_s",
         "regnet_y_400mf", "regnet_x_400mf", "googlenet", "convnext_tiny", "swin_t", "swin_v2_t"],
    96: ["inception_v3", "deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large", "fcn_resnet50"],
    224: ["vit_b_16", "maxvit_t"],
}
VIDEO = ["r3d_18", "mc3_18", "r2plus1d_18"]
# timm model names; the models' configurations contain the image sizes.
TIMM = ["mobilenetv3_small_050", "efficientnet_lite0", "ghostnet_050", "hrnet_w18_small", "res2net50_14w_8s",
        "dla34", "vit_tiny_patch16_224", "deit_tiny_patch16_224", "cait_xxs24_224", "mixer_s32_224",
        "gmlp_ti16_224", "resmlp_12_224", "poolformer_s12", "edgenext_xx_small", "mobilevit_xxs",
        "levit_128s", "coat_lite_tiny", "pvt_v2_b0", "twins_svt_small", "xcit_nano_12_p16_224",
        "convnextv2_atto", "repvgg_a0", "regnetx_002", "fastvit_t8", "efficientformer_l1", "mobileone_s0",
        "rexnet_100", "tinynet_e", "lcnet_050", "visformer_tiny", "crossvit_tiny_240"]

SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128,
         "vocab_size": 200}
DECODER = {**SMALL, "num_key_value_heads": 2, "use_cache": False, "pad_token_id": 0}
GPT = {"n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 200, "use_cache": False}
BART = {"d_model": 64, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
        "decoder_attention_heads": 4, "encoder_ffn_dim": 128, "decoder_ffn_dim": 128, "vocab_size": 200,
        "use_cache": False}
T5 = {"d_model": 64, "d_ff": 128, "d_kv": 16, "num_layers": 2, "num_heads": 4, "vocab_size": 200,
      "use_cache": False}
IMAGE = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128,
         "image_size": 32, "patch_size": 8}
# The class of each model, its configuration, and the kind of its inputs.
TRANSFORMERS: dict[str, tuple[dict[str, Any], str]] = {
    "BertForSequenceClassification": (SMALL, "text"),
    "BertForMaskedLM": (SMALL, "text"),
    "RobertaModel": (SMALL, "text"),
    "ElectraModel": (SMALL, "text"),
    "AlbertModel": ({**SMALL, "embedding_size": 32}, "text"),
    "DistilBertModel": ({"dim": 64, "n_layers": 2, "n_heads": 4, "hidden_dim": 128, "vocab_size": 200},
                        "text"),
    "MobileBertModel": ({**SMALL, "embedding_size": 64, "intra_bottleneck_size": 32}, "text"),
    "MPNetModel": (SMALL, "text"),
    "DebertaV2Model": (SMALL, "text"),
    "SqueezeBertModel": ({**SMALL, "embedding_size": 64}, "text"),
    "LayoutLMModel": (SMALL, "text"),
    "GPT2LMHeadModel": (GPT, "text"),
    "GPTNeoXForCausalLM": ({**SMALL, "use_cache": False}, "text"),
    "OPTForCausalLM": ({"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 128,
                        "word_embed_proj_dim": 64, "vocab_size": 200, "use_cache": False}, "text"),
    "LlamaForCausalLM": (DECODER, "text"),
    "MistralForCausalLM": (DECODER, "text"),
    "Qwen2ForCausalLM": (DECODER, "text"),
    "Qwen3ForCausalLM": ({**DECODER, "head_dim": 16}, "text"),
    "GemmaForCausalLM": ({**DECODER, "head_dim": 16}, "text"),
    "Gemma2ForCausalLM": ({**DECODER, "head_dim": 16}, "text"),
    "PhiForCausalLM": (DECODER, "text"),
    "StableLmForCausalLM": (DECODER, "text"),
    "FalconForCausalLM": ({**SMALL, "use_cache": False}, "text"),
    "BloomForCausalLM": ({"hidden_size": 64, "n_layer": 2, "n_head": 4, "vocab_size": 200,
                          "use_cache": False}, "text"),
    "T5EncoderModel": (T5, "text"),
    "T5ForConditionalGeneration": (T5, "texts"),
    "BartForConditionalGeneration": (BART, "texts"),
    "PegasusForConditionalGeneration": (BART, "texts"),
    "ViTForImageClassification": (IMAGE, "image"),
    "DeiTModel": (IMAGE, "image"),
    "Dinov2Model": (IMAGE, "image"),
    "SwinModel": ({"embed_dim": 16, "depths": [1, 1], "num_heads": [2, 2], "window_size": 4,
                   "image_size": 32, "patch_size": 4}, "image"),
    "ConvNextModel": ({"hidden_sizes": [16, 32], "depths": [1, 1], "num_stages": 2, "image_size": 32},
                      "image"),
    "ResNetModel": ({"embedding_size": 16, "hidden_sizes": [16, 32], "depths": [1, 1],
                     "layer_type": "basic"}, "image"),
    "SegformerModel": ({"hidden_sizes": [16, 32, 32, 64], "depths": [1, 1, 1, 1],
                        "num_attention_heads": [1, 2, 2, 4]}, "image"),
}


def image(*shape: int) -> tuple[Any, ...]:
    return (torch.randn(1, 3, *shape),)


def factories() -> dict[str, Factory]:
    result: dict[str, Factory] = {}
    for name, (config, kind) in TRANSFORMERS.items():
        def hugging(name: str = name, config: Any = config, kind: str = kind) -> Any:
            model = getattr(transformers, name)
            ids = torch.randint(3, 200, (2, 16))
            inputs = {"text": {"input_ids": ids, "attention_mask": torch.ones_like(ids)},
                      "texts": {"input_ids": ids, "decoder_input_ids": ids[:, :8]},
                      "image": {"pixel_values": torch.randn(2, 3, 32, 32)}}[kind]
            return model(model.config_class(**config)), (), inputs
        result[f"transformers/{name}"] = hugging
    for size, names in TORCHVISION.items():
        for name in names:
            def vision(name: str = name, size: int = size) -> Any:
                options = {} if "v3_large" not in name and "fcn" not in name else {"weights_backbone": None}
                if name == "mobilenet_v3_large":
                    options = {}
                return torchvision.models.get_model(name, weights=None, **options), image(size, size), {}
            result[f"torchvision/{name}"] = vision
    for name in VIDEO:
        result[f"torchvision/{name}"] = lambda name=name: (
            torchvision.models.get_model(name, weights=None), image(8, 32, 32), {})
    for name in TIMM:
        def timm_model(name: str = name) -> Any:
            model = timm.create_model(name, pretrained=False)
            return model, (torch.randn(1, *model.default_cfg["input_size"]),), {}
        result[f"timm/{name}"] = timm_model
    return result


def check(factory: Factory, fxcpp: str, folder: Path) -> dict[str, Any]:
    """Exports, reads, runs and compares a model. Returns facts about it; "error" is set after a
    failure."""
    torch.manual_seed(0)
    model, args, kwargs = factory()
    model = model.eval()
    begin = time.perf_counter()
    with torch.no_grad():
        program = torch.export.export(model, args, kwargs)
    facts: dict[str, Any] = {"export_seconds": round(time.perf_counter() - begin, 2),
                             "parameters": sum(p.numel() for p in model.parameters()),
                             "nodes": len(program.graph.nodes)}
    with torch.no_grad():
        want = [x for x in pytree.tree_leaves(program.module()(*args, **kwargs))
                if isinstance(x, torch.Tensor)]
    facts["results"] = len(want)
    archive, values = folder / "model.pt2", folder / "values.npz"
    torch.export.save(program, archive)
    inputs = [x for x in pytree.tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
    np.savez(values, **{f"in.{i}": x.numpy() for i, x in enumerate(inputs)},
             **{f"out.{i}": x.numpy() for i, x in enumerate(want)})
    begin = time.perf_counter()
    done = subprocess.run([fxcpp, "run", archive, "--inputs", values, "--check", values, "--threads", "1"],
                          capture_output=True, text=True)
    facts["run_seconds"] = round(time.perf_counter() - begin, 2)
    if done.returncode != 0:
        facts["error"] = (done.stderr + done.stdout)[:1500]
    return facts


def check_in_process(name: str, factory: Factory, options: argparse.Namespace) -> dict[str, Any]:
    facts = limited_process.run(lambda folder: check(factory, options.fxcpp, folder), options.seconds,
                                options.gigabytes)
    return {"name": name, **facts}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--fxcpp", default="build/release/bin/fxcpp")
    parser.add_argument("--results", type=Path, default=Path("build/library_models.jsonl"))
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--gigabytes", type=float, default=8)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    known = factories()
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"unknown models {unknown}; known: {', '.join(known)}")
    results: dict[str, dict[str, Any]] = {}
    if options.results.exists():
        for line in options.results.read_text().splitlines():
            results[json.loads(line)["name"]] = json.loads(line)
    for name in options.names or [name for name in known if name not in results]:
        result = check_in_process(name, known[name], options)
        results[name] = result
        with options.results.open("a") as file:
            print(json.dumps(result), file=file)
        print(f"{name}: {result.get('error', 'equal')}", flush=True)
    equal = [r for r in results.values() if "error" not in r]
    print("\n| model | nodes | parameters | results |\n|---|---|---|---|")
    for result in equal:
        print(f"| {result['name']} | {result['nodes']} | {result['parameters']:,} | {result['results']} |")
    for result in results.values():
        if "error" in result:
            print(f"{result['name']}: {result['error']}")
    versions = f"torchvision {torchvision.__version__}, timm {timm.__version__}, " \
               f"transformers {transformers.__version__}, torch {torch.__version__}"
    print(f"{len(equal)} of {len(results)} models equal ({versions})")
    return 0 if len(equal) == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
