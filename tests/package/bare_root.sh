#!/usr/bin/env bash
# Tests the Debian packages in a minimal Debian 12: creates the packages (cpack) and a root with
# only Debian's required packages (debootstrap), installs the packages there, and builds and runs
# the examples and the programs in tests/package. Prints the installed sizes.
#
#   tests/package/bare_root.sh [BUILD] [ROOT]    default: build/release build/bare_root
#
# Requires root, debootstrap and Debian's archive (DEBIAN_MIRROR). BUILD must be up to date. The
# archive ROOT/base.tar and packages that apt downloaded are reused. FXCPP_TORCH_DIR is the folder
# of a libtorch outside the root; by default, the libtorch of python3 or .venv is used. The folder
# is mounted in the root only while the script runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source_dir=$PWD
build=$(realpath "${1:-build/release}")
mkdir -p "${2:-build/bare_root}"
work=$(realpath "${2:-build/bare_root}")
root=$work/root
abseil=abseil_20240722.0.orig.tar.gz
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# The mounts in the root disappear when this process ends.
if [ -z "${FXCPP_BARE_ROOT_MOUNTS:-}" ]; then
  FXCPP_BARE_ROOT_MOUNTS=1 exec unshare --mount --propagation private \
    "$source_dir/tests/package/bare_root.sh" "$build" "$work"
fi

say() { echo "== $* ($SECONDS s)"; }
fail() { echo "bare_root: $*" >&2; exit 1; }
in_root() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" "$@"; }
apt() { in_root apt-get install -y -qq --no-install-recommends "$@" >"$work/apt.log" 2>&1 || { tail -20 "$work/apt.log"; fail "apt-get install $*"; }; }
# expect PATTERN COMMAND...: the output must match; the exit status must be 0, or with ! before the
# pattern, nonzero.
expect() {
  local status=0 expected=0
  if [ "$1" = '!' ]; then expected=1; shift; fi
  local pattern=$1 out
  shift
  out=$(in_root "$@" 2>&1) || status=1
  if [ $status != $expected ] || ! grep -Eq -- "$pattern" <<<"$out"; then
    fail "$* does not print $pattern with status $expected:
$out"
  fi
  echo "$(basename "$1") ${*:2}: $(grep -E -m1 -- "$pattern" <<<"$out")"
}

say "packages"
rm -rf "$work/packages"
(cd "$build" && cpack -G DEB -B "$work/packages" >"$work/cpack.log" 2>&1) || { tail -20 "$work/cpack.log"; fail "cpack failed"; }
rm -rf "$work/packages/_CPack_Packages"
ls -l "$work/packages" | awk 'NR > 1 {print $9, $5, "bytes"}'

say "a bare root"
if [ ! -e "$work/base.tar" ]; then
  rm -rf "$root"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
    { tail -5 "$work/debootstrap.log"; fail "debootstrap failed"; }
  tar -C "$root" -cf "$work/base.tar" .
fi
rm -rf "$root"
mkdir -p "$root"
tar -C "$root" -xf "$work/base.tar"
mkdir -p "$root/packages" "$root/src" "$work/archives/partial"
mount --bind "$work/archives" "$root/var/cache/apt/archives"
mount -t proc proc "$root/proc"
rm -f "$root/etc/apt/apt.conf.d/docker-clean"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$work"/packages/*.deb "$root/packages"
cp -r examples docs tests "$root/src"
in_root apt-get update -qq
package() { (cd "$root" && ls packages/"$1"_*.deb); }

say "fxcpp alone"
before=$(du -sm "$root/usr" | cut -f1)
apt "/$(package fxcpp)"
expect '^fxcpp [0-9]' fxcpp --version
expect '^c1 : f32' fxcpp shape /src/examples/plugin/net.fx
expect '<svg' fxcpp emit /src/examples/plugin/net.fx --to svg
expect ! 'install the package libfxcpp-torch' fxcpp capture --list
echo "fxcpp and the Debian libraries that it requires: $(($(du -sm "$root/usr" | cut -f1) - before)) MB of /usr"

say "libfxcpp-dev and a compiler"
apt "/$(package libfxcpp-dev)" g++ cmake ninja-build pkg-config python3 libfmt-dev
expect 'fxcpp' pkg-config --cflags --libs fxcpp_c
expect ! 'install the package libfxcpp-torch' cmake -S /src/tests/package -B /tmp/without -G Ninja -DTorch_DIR=/nowhere -DFXCPP_PREFIX=/usr -DFXCPP_DOCS=/src/docs
build_project() { # SOURCE BUILD OPTION...
  local log=$work/build.log
  { in_root cmake -S "$1" -B "$2" -G Ninja "${@:3}" && in_root cmake --build "$2"; } >"$log" 2>&1 || { tail -30 "$log"; fail "$1 does not build"; }
}
say "examples"
build_project /src/examples /tmp/examples
for lesson in "$root"/src/examples/[0-9]*/; do
  name=$(basename "$lesson")
  if [ ! -x "$root/tmp/examples/example_$name" ]; then echo "$name: requires libtorch"; continue; fi
  in_root python3 /src/tests/run_example.py "/src/examples/$name" "/tmp/examples/example_$name" >"$work/example.log" 2>&1 ||
    { cat "$work/example.log"; fail "example $name"; }
  echo "$name: passed"
done
build_project /src/examples/plugin /tmp/plugin
expect 'add.Tensor\(%add, %y\)' fxcpp opt /src/examples/plugin/model.fx --passes toy_remove_identities --load-plugin /tmp/plugin/libtoy.so
expect 'b = affine a 2 0.5' fxcpp emit /src/examples/plugin/model.toy --to toy --load-plugin /tmp/plugin/libtoy.so
expect ' f32' python3 /src/examples/c/read_graph.py libfxcpp_c.so /src/examples/c/chain.fx eliminate_dead_code

say "the C interface without exceptions and run-time type information"
build_project /src/tests/package/c /tmp/c
expect 'return %x' /tmp/c/c_program

say "the C interface with a different Abseil in the program"
if [ ! -e "$work/$abseil" ]; then
  curl -sfo "$work/$abseil" "$mirror/pool/main/a/abseil/$abseil" || fail "cannot fetch $abseil"
fi
tar -C "$root/src" -xf "$work/$abseil"
build_project /src/tests/package/abseil /tmp/abseil "-DFXCPP_ABSEIL=/src/$(tar -tf "$work/$abseil" | head -1 | cut -d/ -f1)"
expect '^Abseil 20240722' /tmp/abseil/other_abseil

say "the C++ interface with a different LLVM in the program"
apt llvm-15-dev
build_project /src/tests/package/llvm /tmp/llvm -DLLVM_DIR=/usr/lib/llvm-15/lib/cmake/llvm
expect '^LLVM 15.* types of fxcpp: f32\[2, 3\]' /tmp/llvm/other_llvm
expect 'libLLVM-15' ldd /tmp/llvm/other_llvm

torch=${FXCPP_TORCH_DIR:-}
for python in python3 .venv/bin/python; do
  [ -n "$torch" ] || torch=$("$python" -c "import importlib.util as u, os; print(os.path.dirname(u.find_spec('torch').origin))" 2>/dev/null || true)
done
if compgen -G "$work/packages/libfxcpp-torch_*.deb" >/dev/null && [ -n "$torch" ]; then
  say "libfxcpp-torch"
  apt "/$(package libfxcpp-torch)"
  expect ! 'set FXCPP_TORCH_DIR' fxcpp capture --list
  mkdir -p "$root/opt/torch"
  mount --bind "$torch" "$root/opt/torch"
  expect '^mlp' env FXCPP_TORCH_DIR=/opt/torch fxcpp capture --list
  in_root env FXCPP_TORCH_DIR=/opt/torch fxcpp capture mlp -o /tmp/mlp.fx
  expect ' 0 different' env FXCPP_TORCH_DIR=/opt/torch fxcpp run /tmp/mlp.fx --check /tmp/mlp.safetensors
  expect '^mlp' env Torch_DIR=/opt/torch/share/cmake/Torch fxcpp capture --list
  build_project /src/examples /tmp/examples_torch -DFXCPP_TORCH_DIR=/opt/torch/share/cmake/Torch
  for name in 06_backward 10_end_to_end 14_cpp_to_python 16_derivatives 19_cpp_to_onnx; do
    # 77: the script of 19_cpp_to_onnx cannot run without onnxruntime.
    in_root python3 /src/tests/run_example.py "/src/examples/$name" "/tmp/examples_torch/example_$name" >"$work/example.log" 2>&1 ||
      [ $? = 77 ] || { cat "$work/example.log"; fail "example $name"; }
    echo "$name: passed"
  done
fi

say "headers"
in_root python3 /src/tests/package/headers.py /usr
if mountpoint -q "$root/opt/torch"; then
  in_root python3 /src/tests/package/headers.py /usr --torch /opt/torch --only-torch
fi

say "installed sizes"
in_root dpkg-query -W -f '${Package} ${Installed-Size} KiB\n' 'fxcpp' 'libfxcpp*'
in_root dpkg-query -W -f '${Installed-Size}\n' 'fxcpp' 'libfxcpp*' | awk '{sum += $1} END {print "all", sum, "KiB"}'
say "passed"
