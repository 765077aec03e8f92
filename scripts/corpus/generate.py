"""Generates the model corpus: one folder per model of zoo.py.

    generate.py --out FOLDER [--only REGEX] [--keep-going]

Requires torch 2.9 or later (the CPU build is enough) and NumPy; downloads nothing. The same
version of torch writes the same bytes, except for rounding in values.npz, which depends on the CPU.

Files of a model, where applicable:
  model.pt2      torch.export.save of the exported program
  trace.pt       torch.jit.trace of the same module (debug records removed)
  export.json    the graph in model.pt2
  forward.json   the same after run_decompositions({}): functional, no in-place operators
  joint.pt2      a joint graph saved as .pt2 (loss and gradient output specs); only for three models
  joint_pt2.json the graph in joint.pt2
  joint.json     forward and backward of a scalar loss, training mode (AOTAutograd)
  joint_dyn.json the same with symbolic sizes, if the model has dynamic sizes
  values.npz     inputs and results for numeric checks
index.json lists all models. README.md describes the layout.
"""

import argparse
import collections
import contextlib
import copy
import io
import json
import logging
import re
import sys
import warnings
import zipfile
import zlib
from pathlib import Path

import numpy as np
import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

sys.path.insert(0, str(Path(__file__).resolve().parent))
import fxdump  # noqa: E402

warnings.filterwarnings("ignore")
# torch 2.13 logs with a broken format string when sample inputs need a class
logging.getLogger("torch._export.serde.serialize").setLevel(logging.ERROR)


# --------------------------------------------------------------------------
# helpers
# --------------------------------------------------------------------------

def seed_for(name):
    return zlib.crc32(name.encode()) & 0xFFFF


def scrub(gm):
    """Drop machine paths and memory addresses from node metadata, in place."""
    def clean(m):
        path = m.group(1).replace("\\", "/")
        for mark in ("site-packages/", "dist-packages/"):
            if mark in path:
                return f'File "{path.split(mark)[-1]}"'
        return f'File "{path.rsplit("/", 1)[-1]}"'

    for m in gm.modules():
        if isinstance(m, torch.fx.GraphModule):
            for n in m.graph.nodes:
                if n.meta.get("stack_trace"):
                    n.meta["stack_trace"] = re.sub(r'File "(.*?)"', clean, n.meta["stack_trace"])
                for src in n.meta.get("from_node") or []:
                    forget_address(src)


def forget_address(source):
    """Removes the address of a graph, which NodeSource uses as its ID."""
    source.graph_id = 0
    for s in source.from_node or []:
        forget_address(s)


def save_pt2(ep, path):
    scrub(ep.graph_module)
    torch.export.save(ep, str(path))


def save_trace(module, args, kwargs, path):
    """torch.jit.trace, then rewrite the archive without its debug records
    (they contain source paths on the machine that traced the module)."""
    buf = io.BytesIO()
    traced = torch.jit.trace(module, args, example_kwarg_inputs=None, check_trace=False, strict=False)
    torch.jit.save(traced, buf)
    buf.seek(0)
    src = torch._C.PyTorchFileReader(buf)
    dst = torch._C.PyTorchFileWriter(str(path))
    version = "version" if "version" in src.get_all_records() else ".data/version"
    dst.set_min_version(int(src.get_record(version)))      # selects operator versions on load
    for rec in src.get_all_records():
        if rec.endswith(".debug_pkl") or rec in ("version", ".data/version", ".data/serialization_id"):
            continue
        if rec == "byteorder":
            continue
        data = src.get_record(rec)
        dst.write_record(rec, data, len(data))
    dst.write_end_of_file()


def to_numpy(t):
    t = t.detach().cpu()
    if t.dtype in (torch.bfloat16,) or "float8" in str(t.dtype):
        t = t.float()                      # NumPy has no such type; exact widening
    return t.resolve_conj().resolve_neg().contiguous().numpy()


def save_npz(path, arrays):
    """A .npz with fixed time stamps and stored (not compressed) members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as z:
        for name, a in arrays.items():
            b = io.BytesIO()
            np.lib.format.write_array(b, np.asanyarray(a), allow_pickle=False)
            z.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), b.getvalue())


def leaves(x):
    return pytree.tree_leaves(x)


# --------------------------------------------------------------------------
# exported program -> JSON
# --------------------------------------------------------------------------

def symbols_of(ep):
    out = {}
    for sym, r in ep.range_constraints.items():
        def bound(v):
            try:
                return int(v)
            except (TypeError, ValueError, OverflowError, AttributeError):
                return None
        lo, hi = bound(r.lower), bound(r.upper)
        if hi is not None and hi >= sys.maxsize - 1:
            hi = None
        out[str(sym)] = {"min": lo, "max": hi}
    return out


def as_loaded(path, ep):
    """The program as torch.export.load rebuilds it, which is the expected
    result of a reader.  PyTorch's loader drops storage offsets of graph values;
    they are in the file, so their metadata comes from the original program."""
    loaded = torch.export.load(str(path))
    vals = {n.name: n.meta["val"] for n in ep.graph.nodes if "val" in n.meta}
    for n in loaded.graph.nodes:
        if n.op != "output" and n.name in vals:
            n.meta["val"] = vals[n.name]
    return loaded


def signature_of(ep):
    sig = ep.graph_signature
    ins, outs = [], []
    for s in sig.input_specs:
        d = {"kind": s.kind.name.lower(), "name": getattr(s.arg, "name", None)}
        if s.target is not None:
            d["target"] = s.target
        if s.kind.name == "BUFFER":
            d["persistent"] = s.persistent
        if hasattr(s.arg, "value"):
            d["value"] = fxdump.enc_arg(s.arg.value)
        ins.append(d)
    for s in sig.output_specs:
        d = {"kind": s.kind.name.lower(), "name": getattr(s.arg, "name", None)}
        if s.target is not None:
            d["target"] = s.target
        if hasattr(s.arg, "value"):
            d["value"] = fxdump.enc_arg(s.arg.value)
        outs.append(d)
    return ins, outs


def program_doc(name, kind, ep):
    ins, outs = signature_of(ep)
    return {"format": fxdump.FORMAT_VERSION, "model": name, "kind": kind,
            "torch": torch.__version__.split("+")[0], "symbols": symbols_of(ep),
            "inputs": ins, "outputs": outs, "graph": fxdump.enc_graph(ep.graph_module)}


# --------------------------------------------------------------------------
# joint graph
# --------------------------------------------------------------------------

class WithLoss(torch.nn.Module):
    """module + scalar loss; inputs are flat: args, kwargs values, targets."""

    def __init__(self, module, loss, args, kwargs, n_targets):
        super().__init__()
        self.m, self.loss = module, loss
        self.spec = pytree.tree_structure((args, kwargs))
        self.n = n_targets

    def forward(self, *flat):
        k = len(flat) - self.n
        args, kwargs = pytree.tree_unflatten(list(flat[:k]), self.spec)
        return self.loss(self.m(*args, **kwargs), *flat[k:])


def describe(d):
    """Descriptor object of AOTAutograd -> JSON."""
    if d is None:
        return None
    kind = type(d).__name__
    names = {"ParamAOTInput": "parameter", "BufferAOTInput": "buffer", "PlainAOTInput": "user_input",
             "TangentAOTInput": "tangent", "PlainAOTOutput": "output", "InputMutationAOTOutput": "mutation",
             "GradAOTOutput": "gradient"}
    out = {"kind": names.get(kind, kind)}
    if hasattr(d, "target"):
        out["target"] = re.sub(r"^m\.", "", d.target)
    if hasattr(d, "idx"):
        out["index"] = d.idx
    for f in ("output", "grad_of", "mutated_input"):
        if hasattr(d, f):
            out["of"] = describe(getattr(d, f))
    return out


def joint_graph(module, args, real=None, dims=None):
    """AOTAutograd's joint graph.  A module whose Python code uses tensor values,
    except during export, is exported first.  If args are fake, `real` and
    `dims` are the arguments and dynamic dimensions for this export."""
    from torch._functorch.aot_autograd import aot_export_joint_with_descriptors

    def trace(m):
        with contextlib.ExitStack() as stack:
            return aot_export_joint_with_descriptors(stack, m, args).graph_module

    try:
        return trace(module)
    except Exception:
        shapes = None
        if dims is not None:
            shapes = {"flat": tuple({d: Dim.AUTO for d in dims.get(i, ())} or None for i in range(len(args)))}
        ep = torch.export.export(module, tuple(real or args), dynamic_shapes=shapes, strict=False)
        try:
            m = ep.module(check_guards=False)
        except TypeError:                      # torch 2.9 has no such option
            m = ep.module()
        return trace(m)


def joint_doc(name, gm, kind="joint", symbols=None):
    ins, outs = [], []
    for n in gm.graph.nodes:
        if n.op == "placeholder":
            ins.append({"name": n.name, **(describe(n.meta.get("desc")) or {"kind": "unknown"})})
        if n.op == "output":
            flat = list(n.args[0])
            descs = n.meta.get("desc") or [None] * len(flat)
            for a, d in zip(flat, descs):
                outs.append({"name": a.name if isinstance(a, torch.fx.Node) else None, **(describe(d) or {"kind": "none"})})
    return {"format": fxdump.FORMAT_VERSION, "model": name, "kind": kind,
            "torch": torch.__version__.split("+")[0], "symbols": symbols or {},
            "inputs": ins, "outputs": outs, "graph": fxdump.enc_graph(gm, joint=True)}


def fake_dynamic(args, dims):
    """Arguments as fake tensors; dims: {arg index: [symbolic dims]}."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext
    from torch._dynamo.source import ConstantSource
    mode = FakeTensorMode(shape_env=ShapeEnv(), allow_non_fake_inputs=True)
    out = []
    for i, a in enumerate(args):
        if not isinstance(a, torch.Tensor):
            out.append(a)
            continue
        ctx = StatelessSymbolicContext(
            dynamic_sizes=[DimDynamic.DYNAMIC if d in dims.get(i, ()) else DimDynamic.STATIC for d in range(a.dim())])
        out.append(mode.from_tensor(a, source=ConstantSource(f"in{i}"), symbolic_context=ctx))
    return mode, out


def joint_symbols(gm, mode):
    """Symbols used in a joint graph with their example values."""
    env = mode.shape_env
    names = set(re.findall(r"\bs\d+\b", json.dumps(fxdump.enc_graph(gm))))
    hints = getattr(env, "backed_var_to_val", None) or getattr(env, "var_to_val", {})
    out = {}
    for sym, val in hints.items():
        if str(sym) in names:
            r = env.var_to_range.get(sym)
            out[str(sym)] = {"hint": int(val), "min": int(r.lower) if r else 2}
    return out


# --------------------------------------------------------------------------
# one model
# --------------------------------------------------------------------------

def make(spec, out_dir):
    """Writes all files of one model; returns its line for index.json."""
    d = out_dir / spec.name
    d.mkdir(parents=True, exist_ok=True)
    for old in d.iterdir():
        old.unlink()
    info = {"model": spec.name, "about": spec.about, "files": {}, "nodes": {}, "notes": []}
    arrays = collections.OrderedDict()

    torch.manual_seed(seed_for(spec.name))
    module = spec.build().eval()
    args, kwargs = spec.inputs()

    # ---- forward
    with torch.no_grad():
        ep = torch.export.export(module, args, kwargs, dynamic_shapes=spec.dynamic, strict=False)
    save_pt2(ep, d / "model.pt2")
    info["files"]["model.pt2"] = None
    doc = program_doc(spec.name, "export", as_loaded(d / "model.pt2", ep))
    fxdump.write(d / "export.json", doc)
    info["nodes"]["export"] = sum(n["op"] == "call_function" for n in doc["graph"]["nodes"])
    info["symbols"] = doc["symbols"]
    try:
        dec = ep.run_decompositions({})
        doc = program_doc(spec.name, "forward", dec)
        fxdump.write(d / "forward.json", doc)
        info["nodes"]["forward"] = sum(n["op"] == "call_function" for n in doc["graph"]["nodes"])
    except Exception as e:
        info["notes"].append(f"no forward.json: {type(e).__name__}")

    # ---- values of the forward pass (on copies: the model may write to its inputs)
    flat_in = leaves((args, kwargs))
    for i, t in enumerate(flat_in):
        if isinstance(t, torch.Tensor):
            arrays[f"in.{i}"] = to_numpy(t)
    state = {k: v.clone() for k, v in module.state_dict().items()}
    run = torch.export.load(str(d / "model.pt2")).module()
    with torch.no_grad():
        a, k = pytree.tree_map_only(torch.Tensor, lambda t: t.clone(), (args, kwargs))
        res = run(*a, **k)
    for i, t in enumerate(leaves(res)):
        if isinstance(t, torch.Tensor):
            arrays[f"out.{i}"] = to_numpy(t)

    # ---- TorchScript
    if spec.trace and not kwargs:
        try:
            module.load_state_dict(state)
            a = pytree.tree_map_only(torch.Tensor, lambda t: t.clone(), args)
            # use a copy: some modules behave differently after tracing
            save_trace(copy.deepcopy(module), a, kwargs, d / "trace.pt")
        except Exception as e:
            info["notes"].append(f"no trace.pt: {type(e).__name__}")
        module.load_state_dict(state)

    # ---- joint
    if spec.loss is not None:
        torch.manual_seed(seed_for(spec.name) + 1)
        targets = spec.targets()
        module.train()
        wrapped = WithLoss(module, spec.loss, args, kwargs, len(targets)).train()
        flat = [*flat_in, *targets]
        gm = joint_graph(wrapped, tuple(flat))
        doc = joint_doc(spec.name, gm)
        doc["deterministic"] = spec.deterministic
        doc = {**{k: doc[k] for k in doc if k != "graph"}, "graph": doc["graph"]}
        fxdump.write(d / "joint.json", doc)
        info["nodes"]["joint"] = sum(n["op"] == "call_function" for n in doc["graph"]["nodes"])
        info["nodes"]["joint_bw"] = sum(n.get("region") == "bw" and n["op"] == "call_function" for n in doc["graph"]["nodes"])
        for i, t in enumerate(targets):
            arrays[f"joint_in.{len(flat_in) + i}"] = to_numpy(t)
        if spec.deterministic:
            by_name = {**dict(wrapped.named_parameters(remove_duplicate=False)),
                       **dict(wrapped.named_buffers(remove_duplicate=False))}
            vals = []
            for s in doc["inputs"]:
                if s["kind"] in ("parameter", "buffer"):
                    vals.append(by_name["m." + s["target"]].detach().clone())
                elif s["kind"] == "user_input":
                    vals.append(flat[s["index"]])
                else:
                    vals.append(torch.ones(()))
            with torch.no_grad():
                res = gm(*split_args(gm, vals))
            for i, t in enumerate(leaves_keep_none(res)):
                if isinstance(t, torch.Tensor):
                    arrays[f"joint_out.{i}"] = to_numpy(t)
        if spec.joint_pt2:
            from torch.export.experimental import _export_forward_backward
            j = _export_forward_backward(torch.export.export(wrapped, tuple(flat), strict=False))
            save_pt2(j, d / "joint.pt2")
            fxdump.write(d / "joint_pt2.json", program_doc(spec.name, "joint_pt2", as_loaded(d / "joint.pt2", j)))
        if spec.dynamic:
            dims = dynamic_dims(spec.dynamic, args)
            # targets have the sizes of the inputs, so the same dims are dynamic
            try:
                sizes = {(args[i].shape[x]) for i in dims for x in dims[i]}
                for i, t in enumerate(targets):
                    dims[len(flat_in) + i] = [x for x in range(t.dim()) if t.shape[x] in sizes]
                mode, fakes = fake_dynamic(flat, dims)
                gm = joint_graph(wrapped, tuple(fakes), flat, dims)
                doc = joint_doc(spec.name, gm, "joint", joint_symbols(gm, mode))
                graph = doc.pop("graph")
                doc["guards"] = sorted({str(g.expr) for g in mode.shape_env.guards})
                doc["graph"] = graph
                fxdump.write(d / "joint_dyn.json", doc)
                info["nodes"]["joint_dyn"] = sum(n["op"] == "call_function" for n in doc["graph"]["nodes"])
            except Exception as e:
                info["notes"].append(f"no joint_dyn.json: {type(e).__name__}: {str(e).splitlines()[0][:120]}")
        module.eval()

    save_npz(d / "values.npz", arrays)
    info["files"] = {p.name: p.stat().st_size for p in sorted(d.iterdir())}
    return info


def dynamic_dims(dynamic, args):
    """dynamic_shapes keyed by argument name -> {position: [dims]}."""
    out = {}
    for i, v in enumerate(dynamic.values()):
        if isinstance(v, dict):
            out[i] = sorted(v)
    return out


def split_args(gm, vals):
    """The joint module accepts (primals, tangents) or flat arguments."""
    names = [n.target for n in gm.graph.nodes if n.op == "placeholder"]
    k = sum(n.startswith("primals") for n in names)
    code = gm.graph._codegen
    if type(code).__name__ == "_PyTreeCodeGen":
        return vals[:k], vals[k:]
    return vals


def leaves_keep_none(x):
    out = []
    for t in (x if isinstance(x, (list, tuple)) else [x]):
        out += leaves_keep_none(t) if isinstance(t, (list, tuple)) else [t]
    return out


def coverage(out_dir, models):
    """target -> {kind: count} over the JSON files of a corpus folder."""
    table = collections.defaultdict(collections.Counter)
    for m in models:
        for kind in ("export", "forward", "joint"):
            p = out_dir / m / f"{kind}.json"
            if p.exists():
                for t, c in fxdump.count_targets(json.loads(p.read_text())["graph"], collections.Counter()).items():
                    table[t][kind] += c
    return table


def coverage_md(table, title, intro):
    rows = sorted(table.items(), key=lambda kv: (-sum(kv[1].values()), kv[0]))
    s = f"# {title}\n\n{intro}\n\n{len(rows)} targets.\n\n| target | export | forward | joint |\n|---|--:|--:|--:|\n"
    for t, c in rows:
        s += f"| {t} | {c['export'] or ''} | {c['forward'] or ''} | {c['joint'] or ''} |\n"
    return s


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--only", default="")
    ap.add_argument("--keep-going", action="store_true", help="report a failing model and continue")
    opt = ap.parse_args()
    import zoo
    torch.set_num_threads(1)
    infos = []
    for name, spec in zoo.SPECS.items():
        if opt.only and not re.search(opt.only, name):
            continue
        torch._dynamo.reset()
        try:
            info = make(spec, opt.out)
        except Exception as e:
            if opt.keep_going:
                print(name, "FAILED", type(e).__name__, str(e)[:600], flush=True)
                continue
            raise
        infos.append(info)
        print(name, sum(info["files"].values()), info["nodes"], *info["notes"], flush=True)
    if opt.only:
        return
    with open(opt.out / "index.json", "w") as f:
        json.dump({"torch": torch.__version__.split("+")[0], "models": infos}, f, indent=1)
        f.write("\n")
    table = coverage(opt.out, [i["model"] for i in infos])
    (opt.out / "op-coverage.md").write_text(coverage_md(
        table, "Targets in the public corpus",
        "How often each call_function target occurs, summed over all models: in the graph of model.pt2 "
        "(export), after run_decompositions({}) (forward), in joint.json (joint). Sub-graphs of "
        "higher-order ops count too."))


if __name__ == "__main__":
    main()
