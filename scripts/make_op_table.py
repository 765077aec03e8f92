#!/usr/bin/env python3
"""Writes the operator table: ir/ops/generated/{aten_<family>,other_<family>,op_families}.cpp.

The table is checked in. It is generated from an installed PyTorch 2.13.

    scripts/make_op_table.py            writes the files
    scripts/make_op_table.py --check    compares the output with the files; exits with 1 if they differ
    scripts/make_op_table.py --facts    prints what PyTorch's parser reports about each operator

The exit status is 77 if PyTorch 2.13 is not installed. Every row is one operator overload: its schema as
PyTorch prints it, and the traits that a schema does not express. Rows of one operator are adjacent,
in the order in which PyTorch tries its overloads. To add an operator of a later release, install
that release, update TORCH_VERSION and run the script.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from pathlib import Path

TORCH_VERSION = "2.13"
FOLDER = Path(__file__).resolve().parent.parent / "ir" / "ops" / "generated"
WIDTH = 100

# Namespaces that PyTorch registers for its own tests, for debugging, and for one executor.
SKIPPED_NAMESPACES = {"_test", "debugprims", "debug_mode_ops", "static_runtime", "_native", "export"}

# Family by namespace, for all except aten.
NAMESPACE_FAMILIES = {
    "prim": "prim",
    "prims": "prims",
    "inductor_prims": "prims",
    "rngprims": "prims",
    "quantized": "quantized",
    "_quantized": "quantized",
    "quantized_decomposed": "quantized_decomposed",
    "_c10d_functional": "distributed",
    "_c10d_functional_autograd": "distributed",
    "_dtensor": "distributed",
    "c10d": "distributed",
    "symm_mem": "distributed",
}
OTHER_NAMESPACES = "backend"

# Family of an aten operator: the first pattern found in its name. `^name$` patterns match the name
# without leading underscores, without the `_` of in-place forms and without `_backward`, `_copy`,
# `_functional`.
ATEN_FAMILIES = [
    ("testing", r"^_test_|^_foobar$"),
    ("query", r"^_?is_|^get_"),
    ("foreach_binary", r"^_foreach_(add|sub|mul|div|pow|clamp|max|min|lerp|copy|norm|mm)"),
    ("foreach_unary", r"^_foreach_"),
    ("optimizer", r"^_fused_(ada|sgd)|^_amp_"),
    ("special", r"^special_"),
    ("fft", r"fft|stft"),
    ("nested", r"nested|jagged|padded_tensor"),
    ("attention", r"attention|_sdp_|transformer_|multi_head|transform_bias_rescale|mem_eff_drop"),
    ("rnn", r"lstm|gru|rnn|pack_padded|pad_packed|pad_sequence|pack_sequence|cudnn_init_dropout"),
    ("sparse", r"sparse|coalesce|_nnz|csr|csc|bsr|ccol_|crow_|col_ind|row_ind|hspmm|sspaddmm|smm"),
    ("sparse", r"^(indices|values|_indices|_values|_?dimI|_?dimV|dense_dim|_spdiags|_spsolve)"),
    ("sparse", r"^is_coalesced|_cslt_|^to_dense|^_to_dense|^_rowwise_prune"),
    ("quantize", r"quant(?!ile)|fbgemm|_q_|^q_|qscheme|qparams|int_repr|_weight_int|_dyn_|fp16"),
    ("quantize", r"int4pack|_wrapped_|_obs_"),
    ("conv", r"conv(?!ert)|col2im|im2col"),
    ("pool", r"pool"),
    ("norm", r"batch_norm|layer_norm|group_norm|instance_norm|rms_norm|weight_norm"),
    ("resize", r"upsample|grid_sampler|affine_grid|pixel_(un)?shuffle|channel_shuffle|interpolate"),
    ("resize", r"reflection_pad|replication_pad|constant_pad|_pad_|^pad$"),
    ("loss", r"loss|cross_entropy|kl_div|pairwise_dist|cosine_sim|[cp]dist|_euclidean"),
    ("embedding", r"embedding|one_hot"),
    ("random", r"rand|bernoulli|normal|uniform|exponential|geometric|cauchy|poisson|multinomial"),
    ("random", r"binomial|philox|standard_gamma|dirichlet|sobol|dropout"),
    ("linalg", r"linalg|cholesky|svd|^(qr|geqrf|orgqr|ormqr|det|logdet|slogdet|inverse|pinverse)$"),
    ("linalg", r"^(lu_|triangular_solve|matrix_|_?cross$|vander|householder)|_lu_|linear_comb"),
    ("linalg", r"^(trace|block_diag|kron|renorm|norm_except_dim)$"),
    ("linalg", r"^(nuclear|frobenius|native)_norm$|^(norm|dist|cov|corrcoef)$"),
    ("matmul", r"(^|_)(mm|bmm|addmm|baddbmm|addbmm|addmv|addr|matmul|mv|dot|vdot|inner|outer|ger)$"),
    ("matmul", r"linear(?!_)|linear_backward|einsum|tensordot|_mm_|_mm$|chain_matmul|trilinear"),
    ("matmul", r"^addmm|_addmm|grouped_mm|mixed_dtypes"),
    ("activation", r"relu|elu$|gelu|silu|mish|hard(tanh|sigmoid|swish|shrink)|softshrink|softplus"),
    ("activation", r"threshold|sigmoid|softmax|^glu|prelu|selu|celu|tanh_backward|logit|glu_"),
    ("window", r"_window$"),
    ("factory", r"^(new_)?(empty|zeros|ones|full)(_|$)|_like$|^(arange|range|linspace|logspace|eye)$"),
    ("factory", r"_indices$|scalar_tensor|from_file|efficientzero|^(complex|polar|lift|tensor)$|^lift_"),
    ("factory", r"^(as_tensor|meshgrid|cartesian_prod|combinations)$"),
    ("index", r"index|gather|scatter|^(take|put|where|nonzero|argwhere|isin$|masked_|take_along)"),
    ("index", r"masked_|^(fill_diagonal|select_backward|slice_backward|diagonal_backward)"),
    ("sort", r"sort|topk|kthvalue|unique|search|bucketize|histo|histc|bincount|mode$|segment_red"),
    ("scan", r"cum(sum|prod|max|min|mu|_)|logcum|trapezoid|trapz|^diff$|gradient"),
    ("reduction", r"^(sum|nansum|mean|nanmean|prod|any|all|amax|amin|aminmax|argmax|argmin|max|min)$"),
    ("reduction", r"^(var|std|var_mean|std_mean|median|nanmedian|quantile|nanquantile)$|count_nonzero"),
    ("reduction", r"logsumexp|sum_to_size|value_selecting|is_all_true|is_any_true|^hash_tensor"),
    ("compare", r"^(eq|ne|lt|le|gt|ge|equal|not_equal|less|greater|(less|greater)_equal)$"),
    ("compare", r"^(isclose|allclose)$|^maximum$|^minimum$|^f(max|min)$|heaviside"),
    ("bitwise", r"bitwise|logical|^__(i?)(and|or|xor|lshift|rshift)__$|gcd|lcm"),
    ("arithmetic", r"^(add|sub|mul|div|divide|multiply|subtract|true_divide|floor_divide|rsub|pow)$"),
    ("arithmetic", r"^(remainder|fmod|float_power|addcdiv|addcmul|lerp|atan2|arctan2|copysign|hypot)$"),
    ("arithmetic", r"^(xlogy|nextafter|ldexp|logaddexp2?|igammac?|clamp|clip|clamp_m)"),
    ("arithmetic", r"^(floordiv|mathremainder|divmod|round_to_zero)"),
    ("join", r"^(cat|concat|concatenate|stack|[hvd]stack|row_stack|column_stack|chunk_cat|_stack)$"),
    ("join", r"split|chunk|unbind|atleast|flatten_dense|unflatten_dense|block"),
    ("view", r"view|reshape|permut|transpos|squeeze|expand|^(t|alias|detach|diagonal|unfold|real|imag)$"),
    ("view", r"slice|select|narrow|as_strided|movedim|moveaxis|swap|flatten|ravel|adjoint|^m?[HT]$"),
    ("view", r"_neg_view|numpy_T|broadcast|resolve|conj|^diag|^(positive|matrix_H|data)$|fw_primal|dual"),
    ("shape", r"^(flip|fliplr|flipud|roll|rot90|tile|repeat|repeat_interleave|tril|triu|pin_memory)$"),
    ("shape", r"^(clone|contiguous|copy|to|type_as|resize|resize_as|set|set_data|fill|zero|chalf)$"),
    ("shape", r"copy|^_?to_|cast_|autocast|^(cpu|cuda|resize_output|lazy_clone|batch_dim)|_batch_dim"),
    ("shape", r"unfold|mkldnn|pin_memory"),
    ("query", r"^sym_|^is_|^_is_|^_has_|^(size|stride|dim|numel|storage_offset|item|equal|can_cast)$"),
    ("query", r"result_type|promote|_version|output_nr|requires_grad|retain|get_device|_available"),
    ("query", r"assert|constrain|_print|record_stream|_token|backward$|local_scalar|cudnn|cufft|debug"),
    ("query", r"_dim_arange|shape_as|propagate|linalg_check|_use_|gradients|element_size|is_leaf"),
    ("unary", r""),
]

# PyTorch's tags that become traits. Other tags follow from the schema or are not used.
TAG_TRAITS = {
    "core": "kCore",
    "pointwise": "kPointwise",
    "reduction": "kReduction",
    "nondeterministic_seeded": "kRandom",
    "data_dependent_output": "kDataDependent",
    "dynamic_output_shape": "kDynamicShape",
    "inplace_view": "kWritesMetadata",
    "view_copy": "kViewCopy",
    "maybe_aliasing_or_mutating": "kMayAlias",
    "needs_exact_strides": "kExactStrides",
    "needs_fixed_stride_order": "kExactStrides",
}
# Tags that PyTorch lacks: the result sizes depend on lengths, which are data; the call changes the sizes
# or the storage of its argument.
UNTAGGED = {
    "aten::_copy_from_and_resize": "kWritesMetadata",
    "aten::_resize_output_": "kWritesMetadata",
    "aten::resize_as_sparse_": "kWritesMetadata",
    "aten::set_data": "kWritesMetadata",
    "aten::sparse_resize_": "kWritesMetadata",
    "aten::sparse_resize_and_clear_": "kWritesMetadata",
    "prims::resize": "kWritesMetadata",
    "aten::_pack_padded_sequence": "kDynamicShape",
    "aten::_pad_packed_sequence": "kDynamicShape",
}
# Operators with a tag for results that may share memory with arguments, although they only write to
# arguments: batch norm updates the running statistics, and returns new memory.
NOT_ALIASING = {"aten::batch_norm", "aten::_batch_norm_impl_index"}
TRAIT_ORDER = [
    "kCore", "kPointwise", "kReduction", "kComposite", "kRandom", "kDataDependent", "kDynamicShape",
    "kWritesMetadata", "kViewCopy", "kMayAlias", "kExactStrides", "kTorchScript", "kPython",
]  # fmt: skip

# Namespaces of operators that the Python package registers with the dispatcher. libtorch does not
# have these operators.
PYTHON_NAMESPACES = {"prims", "inductor_prims", "rngprims", "quantized_decomposed"}

HEADER = """\
// The operators of PyTorch {version}: {title}.
//
// Generated by scripts/generate (make_op_table.py). Do not edit: change the script, or correct
// what a schema gets wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {{

constinit const OpInfo {array}[] = {{
"""
FOOTER = """\
}};

extern const std::span<const OpInfo> {span};
constinit const std::span<const OpInfo> {span}({array});

}}  // namespace fx::ops
"""


def qualified_name(schema) -> str:
    return schema.name + (f".{schema.overload_name}" if schema.overload_name else "")


def stem(base: str) -> str:
    """The name that `^name$` patterns match."""
    if base.startswith("__"):
        return base
    name = base.lstrip("_")
    for suffix in ("_", "_backward", "_copy", "_functional", "_helper", "_forward"):
        name = name.removesuffix(suffix)
    return name


def family_of(packet: str, torchscript_only: bool) -> str:
    namespace, base = packet.split("::")
    if namespace != "aten":
        return NAMESPACE_FAMILIES.get(namespace, OTHER_NAMESPACES)
    if torchscript_only:
        return "torchscript"
    for family, pattern in ATEN_FAMILIES:
        if re.search(pattern, base) or re.search(pattern, stem(base)):
            return family
    raise AssertionError(base)


def traits_of(torch, schema, dispatched: set[str]) -> list[str]:
    name = qualified_name(schema)
    namespace, base = schema.name.split("::")
    if name not in dispatched:
        return ["kTorchScript"]
    overload = getattr(getattr(torch.ops, namespace), base)
    overload = getattr(overload, schema.overload_name or "default")
    traits = {TAG_TRAITS[tag.name] for tag in overload.tags if tag.name in TAG_TRAITS}
    if torch._C._dispatch_has_kernel_for_dispatch_key(name, "CompositeImplicitAutograd"):
        traits.add("kComposite")
    if schema.name in UNTAGGED:
        traits.add(UNTAGGED[schema.name])
    if schema.name in NOT_ALIASING:
        traits.discard("kMayAlias")
    if namespace in PYTHON_NAMESPACES:
        traits.add("kPython")
    return [trait for trait in TRAIT_ORDER if trait in traits]


def all_schemas(torch) -> dict[str, list]:
    """Operator name -> schemas of its overloads, in PyTorch's order."""
    import torch.ao.quantization.fx._decomposed  # noqa: F401 (registers quantized_decomposed)

    names = {schema.name for schema in torch._C._jit_get_all_schemas()}
    kept = sorted(name for name in names if name.split("::")[0] not in SKIPPED_NAMESPACES)
    return {name: list(torch._C._jit_get_schemas_for_operator(name)) for name in kept}


def quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def row(schema: str, traits: list[str]) -> str:
    """One row of the array, its text broken at spaces to fit the line."""
    tail = (", " + " | ".join(traits) if traits else "") + "},"
    escapes = len(quote(schema)) - len(schema) - 2
    lines = textwrap.wrap(
        schema,
        WIDTH - len('    {"",') - escapes,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=False,
    )
    assert "".join(lines) == schema
    pieces = [quote(line) for line in lines]
    text = "    {" + "\n     ".join(pieces)
    if len(text.rpartition("\n")[2]) + len(tail) > WIDTH:
        tail = ",\n     " + tail[2:] if traits else "\n    },"
    return text + tail


def camel(family: str) -> str:
    return "".join(part.capitalize() for part in family.split("_"))


def family_file(family: str, rows: list[str], version: str) -> str:
    names = {"array": f"k{camel(family)}Rows", "span": f"k{camel(family)}Ops"}
    title = family.replace("_", " ")
    return (
        HEADER.format(version=version, title=title, **names)
        + "\n".join(rows)
        + "\n"
        + FOOTER.format(**names)
    )


def families_file(families: list[str], version: str) -> str:
    spans = "\n".join(f"extern const std::span<const OpInfo> k{camel(f)}Ops;" for f in families)
    rows = "\n".join(f'    {{"{f}", &k{camel(f)}Ops}},' for f in families)
    return f"""\
// The families of the operator table of PyTorch {version}, one per file.
//
// Generated by scripts/generate (make_op_table.py). Do not edit.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {{

{spans}

constinit const FamilyRow kGeneratedFamilyRows[] = {{
{rows}
}};
constinit const std::span<const FamilyRow> kGeneratedFamilies(kGeneratedFamilyRows);

}}  // namespace fx::ops
"""


def make_files(torch) -> dict[Path, str]:
    dispatched = set(torch._C._dispatch_get_all_op_names())
    rows: dict[str, list[str]] = {}
    for packet, schemas in sorted(all_schemas(torch).items()):
        script_only = not any(qualified_name(schema) in dispatched for schema in schemas)
        family = family_of(packet, script_only)
        for schema in schemas:
            rows.setdefault(family, []).append(
                row(str(schema), traits_of(torch, schema, dispatched))
            )
    version = torch.__version__.split("+")[0]
    others = {*NAMESPACE_FAMILIES.values(), OTHER_NAMESPACES}
    files = {
        FOLDER / f"{'other' if family in others else 'aten'}_{family}.cpp": family_file(
            family, rows[family], version
        )
        for family in sorted(rows)
    }
    files[FOLDER / "op_families.cpp"] = families_file(sorted(rows), version)
    return files


def write(files: dict[Path, str]) -> None:
    for path, text in files.items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    for path in stale(files):
        path.unlink()


def stale(files: dict[Path, str]) -> list[Path]:
    existing = [*FOLDER.glob("aten_*.cpp"), *FOLDER.glob("other_*.cpp")]
    return sorted(path for path in existing if path not in files)


def check(files: dict[Path, str]) -> int:
    wrong = stale(files)
    for path, text in files.items():
        have = path.read_text().splitlines() if path.exists() else []
        want = text.splitlines()
        if have == want:
            continue
        wrong.append(path)
        first = next(
            (i for i, (a, b) in enumerate(zip(have, want)) if a != b), min(len(have), len(want))
        )
        print(f"{path.name}:{first + 1} differs", file=sys.stderr)
    if wrong:
        names = ", ".join(path.name for path in wrong)
        print(f"differs from PyTorch: {names}; run scripts/generate", file=sys.stderr)
        return 1
    print(f"{len(files)} files match PyTorch")
    return 0


def alias_text(info) -> str:
    """`before>after!` with sorted names, or `-`."""
    if info is None or not (info.before_set or info.after_set or info.is_write):
        return "-"
    names = [",".join(sorted(names)) for names in (info.before_set, info.after_set)]
    return names[0] + ">" + names[1] + ("!" if info.is_write else "")


def facts(torch) -> None:
    """One line per operator: its name, then the arguments after tabs, and the results after `->`."""
    dispatched = set(torch._C._dispatch_get_all_op_names())
    for schemas in all_schemas(torch).values():
        for schema in schemas:
            fields = [qualified_name(schema), str(schema), str(int(schema.is_mutable))]
            fields.append(",".join(traits_of(torch, schema, dispatched)))
            for argument in schema.arguments:
                fields.append(
                    f"{argument.name} {int(argument.kwarg_only)}"
                    f"{int(argument.has_default_value())}{int(argument.is_write)}"
                    f"{int(argument.is_out)} {alias_text(argument.alias_info)}"
                )
            fields.append("->")
            fields += [alias_text(result.alias_info) for result in schema.returns]
            print("\t".join(fields))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare only")
    parser.add_argument("--facts", action="store_true", help="print what PyTorch's parser reports about each operator")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        torch = None
    if torch is None or not torch.__version__.startswith(TORCH_VERSION + "."):
        found = torch.__version__ if torch else "none"
        print(f"not run: needs PyTorch {TORCH_VERSION}, found {found}", file=sys.stderr)
        return 77
    if options.facts:
        facts(torch)
        return 0
    files = make_files(torch)
    if options.check:
        return check(files)
    write(files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
