"""Recreates the values of recorded operator calls, and runs the calls in child processes.

Shared by record_illegal_calls.py and generate_call_rules.py.
"""

import ctypes
import gzip
import json
import mmap
import os
import re
import resource
import signal

import torch

# Matches the messages of rejections that depend on tensor values.
BY_VALUE = re.compile(
    r"singular|positive.definite|ill-conditioned|converge|(?<!^Dimension )out of range|"
    r"out of bounds|probabilit|"
    r"[Tt]arget \S+ is|[Cc]lass values|inf or nan|NaN|should be non-negative for|"
    r"can't allocate|not enough memory|sum of prob|must be (non-)?(negative|positive) (integer|num)|"
    r"all elements of|[Dd]uplicate|ascending|descending|sorted|monoton|"
    r"lengths? (should|must)|allocat|overflow|storage size|negative counts|offsets\[|"
    r"value cannot be converted|ZeroDivision|negative integer powers|out of memory|"
    r"bounds for storage|number of ones in mask|pivots passed to")
FILLINGS = 3
MAX_CRASHES = 40


def dtype_of(name):
    return getattr(torch, name)


def is_tensor(x):
    return isinstance(x, dict) and "t" in x


def before_guard_page(base):
    """A copy that ends at an unmapped guard page, so that a kernel that reads past it crashes."""
    size = max(base.numel(), 1) * base.element_size()
    whole = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, whole + mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    no_access = 0
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + whole), mmap.PAGESIZE, no_access)
    out = torch.frombuffer(memory, dtype=base.dtype, offset=whole - size,
                           count=max(base.numel(), 1))
    return out.copy_(base) if base.numel() else out[1:]


def guarded(t, filling):
    """Like filled(), but directly before a guard page."""
    return filled(t, filling, before_guard_page)


def filled(t, filling, allocate=lambda base: base):
    """A tensor as it was recorded, with values that most operators accept; `allocate` may move its memory."""
    dtype, shape, stride = dtype_of(t["t"]), t["shape"], t["stride"]
    offset = t.get("offset", 0)
    device = t.get("device", "cpu")
    size = offset + max([0] + [1 + sum((n - 1) * s for n, s in zip(shape, stride))]) \
        if 0 not in shape else offset
    if device == "meta":
        return torch.empty(size, dtype=dtype, device="meta").as_strided(shape, stride, offset)
    if dtype == torch.bool:
        base = torch.ones(size, dtype=dtype) if filling != 1 else torch.arange(size) % 2 == 0
    elif dtype.is_floating_point or dtype.is_complex:
        base = torch.rand(size) * 0.8 + 0.1 if filling != 2 else torch.ones(size)
        base = base.to(dtype)
    else:
        base = torch.zeros(size) if filling == 0 else torch.ones(size) if filling == 1 \
            else torch.arange(size)
        base = base.to(dtype)
    placed = allocate(base)
    out = placed.as_strided(shape, stride, offset + placed.storage_offset())
    if filling == 0 and len(shape) >= 2 and shape[-1] == shape[-2] and 0 not in stride and \
            (dtype.is_floating_point or dtype.is_complex):
        out.copy_(torch.eye(shape[-1], dtype=torch.float32).to(dtype).expand(shape))
    return out


def decode(x, filling, tensor=filled):
    """A value of a recorded call; `tensor` creates its tensors."""
    if is_tensor(x):
        return tensor(x, filling)
    if isinstance(x, list):
        return [decode(i, filling, tensor) for i in x]
    if not isinstance(x, dict):
        return x
    if "f" in x:
        return float(x["f"])
    if "complex" in x:
        return complex(*x["complex"])
    if "device" in x:
        return torch.device(x["device"])
    (value,) = x.values()
    return getattr(torch, value)


def find(name):
    packet, overload = name.rsplit(".", 1)
    namespace, operator = packet.split(".", 1)
    return getattr(getattr(getattr(torch.ops, namespace), operator), overload)


def run_calls(function, calls, timeout, memory, attempt):
    """Yields the outcome of each call: the result of `attempt` as JSON, {} if `attempt` raises an
    exception, or None if memory is exhausted or the child process crashes.

    After MAX_CRASHES crashed children, the remaining calls count as crashed."""
    done, crashes = 0, 0
    while done < len(calls) and crashes < MAX_CRASHES:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
            limit = used + memory * 2**30
            resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(write, "w") as pipe:
                for call in calls[done:]:
                    signal.setitimer(signal.ITIMER_PROF, timeout)
                    try:
                        outcome = attempt(function, *call)
                    except MemoryError:
                        outcome = None
                    except Exception:  # a result that the format cannot represent
                        outcome = {}
                    signal.setitimer(signal.ITIMER_PROF, 0)
                    pipe.write(json.dumps(outcome) + "\n")
                    pipe.flush()
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            outcomes = [json.loads(line) for line in pipe if line.endswith("\n")]
        os.waitpid(child, 0)
        done += len(outcomes)
        yield from outcomes
        if done < len(calls):
            done, crashes = done + 1, crashes + 1
            yield None
    for _ in range(done, len(calls)):
        yield None


def opened(path, mode):
    return gzip.open(path, mode + "t") if path.endswith(".gz") else open(path, mode)
