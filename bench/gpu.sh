#!/usr/bin/env bash
# Checks and measures Plumbline on this machine's GPU, and leaves everything in one folder.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

usage() {
  cat <<'TEXT'
usage: bench/gpu.sh [--out DIR] [--seconds N] [--python PYTHON] [--skip-sanitizer]
       bench/gpu.sh --bundle FILE.tar.gz

Runs the curated programs and the fuzzer on `optimized-cuda` and `optimized-cuda-graph`, both under compute-sanitizer,
and the benchmarks beside PyTorch on the same GPU. Everything that they print is in one folder.

  --out DIR          the folder of results (default: build/gpu)
  --seconds N        how long to fuzz each of the two (default: 300)
  --python PYTHON    a Python whose PyTorch sees the GPU (default: python3); without one, only our times are measured
  --skip-sanitizer   leave out compute-sanitizer, which takes minutes
  --bundle FILE      run nothing; write a file with all that this script needs, for a machine without a network: unpack it
                     there and run its bench/gpu.sh

It needs build/release/bin/plumbline-optimized-cuda: ./test builds it, or: cmake --build build/release --target plumbline-cuda

examples:
  bench/gpu.sh --python ~/torch/bin/python3
  bench/gpu.sh --bundle plumbline-gpu.tar.gz

Exit codes: 0 nothing differs and every target is met, 1 otherwise, 2 wrong usage, 4 there is no GPU that can be used.
TEXT
}

die() { printf 'bench/gpu.sh: %s\n' "$@" >&2 && exit "${CODE:-2}"; }

out=$ROOT/build/gpu
seconds=300
python=python3
sanitizer=yes
bundle=
while (($#)); do
  case $1 in
    -h | --help) usage && exit ;;
    --skip-sanitizer) sanitizer= && shift ;;
    --out | --seconds | --python | --bundle)
      [[ -n ${2:-} ]] || die "$1 needs a value"
      case $1 in
        --out) out=$2 ;;
        --seconds) [[ $2 =~ ^[1-9][0-9]{0,5}$ ]] && seconds=$2 || die "--seconds needs a positive number, not '$2'" ;;
        --python) python=$2 ;;
        --bundle) bundle=$2 ;;
      esac
      shift 2
      ;;
    *) die "unknown argument '$1'; bench/gpu.sh --help shows all" ;;
  esac
done

BIN=$ROOT/build/release/bin
[[ ! -d $ROOT/lib ]] || export LD_LIBRARY_PATH=$ROOT/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} # of a bundle
for needed in plumbline plumbline-run plumbline-fuzz plumbline-optimized-cuda plumbline-bench-gpu; do
  [[ -x $BIN/$needed ]] || die "$needed is not built; build it with nvcc: ./check, then cmake --build build/release --target plumbline-cuda"
done

# make_bundle FILE: the executables, the libraries that they load (but not the C library's), the programs and the scripts.
make_bundle() {
  local file=$1
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  mkdir -p "$folder/plumbline-gpu/build/release/bin" "$folder/plumbline-gpu/lib" "$folder/plumbline-gpu/fuzz" "$folder/plumbline-gpu/adapters"
  cp -P "$BIN"/plumbline "$BIN"/plumbline-{run,fuzz,optimized,optimized-cuda,bench-gpu} "$folder/plumbline-gpu/build/release/bin"
  cp -r "$ROOT/fuzz/corpus" "$folder/plumbline-gpu/fuzz/"
  cp "$ROOT/adapters/implementations.json" "$folder/plumbline-gpu/adapters/"
  cp -r "$ROOT/bench" "$folder/plumbline-gpu/"
  ldd "$folder"/plumbline-gpu/build/release/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -Ev '/(libc|libm|libdl|librt|libpthread)\.so' | xargs -I{} cp -L {} "$folder/plumbline-gpu/lib"
  tar -C "$folder" -czf "$file" plumbline-gpu
  printf '%s\n' "wrote $file; on the machine with a GPU: tar xzf ${file##*/} && plumbline-gpu/bench/gpu.sh"
}
if [[ -n $bundle ]]; then make_bundle "$bundle" && exit; fi

why=$("$BIN/plumbline-optimized-cuda" --device cuda --probe) || CODE=4 die "there is no GPU that can be used: $why"
mkdir -p "$out"
failed=()

# run NAME COMMAND...: a step, whose output is in NAME.txt.
run() {
  local name=$1 status=0
  shift
  printf '%s\n' "$name: $*" >&2
  "$@" >"$out/$name.txt" 2>&1 || status=$?
  tail -n 1 "$out/$name.txt" >&2
  ((status == 0)) || failed+=("$name (exit code $status; $out/$name.txt)")
}

{
  "$BIN/plumbline-optimized-cuda" --version
  printf '%s\n' "$why"
  nvidia-smi || true
} >"$out/machine.txt" 2>&1

for device in optimized-cuda optimized-cuda-graph; do
  run "corpus-$device" "$BIN/plumbline" run "$ROOT/fuzz/corpus" --on "$device" --json "$out/corpus-$device.json"
  run "fuzz-$device" "$BIN/plumbline" fuzz --on "$device" --functionalize --seconds "$seconds" --seed 31 --out "$out/found-$device"
done
run fuzz-plain "$BIN/plumbline" fuzz --on optimized-cuda --seconds "$seconds" --seed 31 --out "$out/found-plain"

# The adapter itself under a tool: an error ends it with exit code 9, which is a verdict about the program.
check_by() {
  local tool=$1
  run "sanitizer-$tool" "$BIN/plumbline" fuzz --programs 300 --seed 31 -j1 --timeout 120 \
    --on "process:$compute_sanitizer --tool $tool --error-exitcode 9 --log-file $out/$tool-%p.log $BIN/plumbline-optimized-cuda --device cuda"
}
if [[ -n $sanitizer ]]; then
  compute_sanitizer=$(command -v compute-sanitizer || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" || true)
  if [[ -n $compute_sanitizer ]]; then
    for tool in memcheck racecheck synccheck initcheck; do check_by "$tool"; done
  else
    printf '%s\n' "skipped: there is no compute-sanitizer in PATH or CUDA_HOME" | tee "$out/sanitizer.txt" >&2
  fi
fi

# The benchmarks, ours and PyTorch's by turns, so that both see the same clocks.
run bench-ours bash -c "\"$BIN/plumbline-bench-gpu\" >\"$out/ours.json\""
if "$python" "$ROOT/bench/gpu/torch_rows.py" >"$out/torch.json" 2>"$out/bench-torch.txt"; then
  run table "$python" "$ROOT/bench/gpu/table.py" "$out/ours.json" "$out/torch.json" --json "$out/table.json"
else
  tail -n 1 "$out/bench-torch.txt" >&2
  run table "$python" "$ROOT/bench/gpu/table.py" "$out/ours.json" --json "$out/table.json"
fi
cat "$out/table.txt"
if ((${#failed[@]} > 0)); then
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi
printf '%s\n' "Nothing differs. Everything is in $out"
