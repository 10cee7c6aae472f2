# shellcheck shell=bash
# Fuzzes the parser and the protocol with libFuzzer, for ./test --libfuzzer. Sourced after cmake/setup.sh and cmake/build.sh.
ENTRIES=(parser protocol)

links_libfuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -std=c++20 -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null 2>/dev/null
}

# ensure_clang: clang++ with libFuzzer, which Debian packages under clang's version.
ensure_clang() {
  command -v clang++ >/dev/null || install_packages clang
  links_libfuzzer || install_packages "libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev"
  links_libfuzzer || die "clang++ ($(command -v clang++)) does not link with -fsanitize=fuzzer" \
    "Install the compiler-rt of that clang, or put Debian's /usr/bin/clang++ first on PATH."
}

# run_entry NAME SECONDS: continues with the inputs that earlier runs found.
run_entry() {
  local build=$ROOT/build/libfuzzer
  mkdir -p "$build/inputs/$1"
  "$build/bin/$1-entry" "-max_total_time=$2" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    "-artifact_prefix=$build/$1-" "$build/inputs/$1" "$build/seeds/$1"
}

# fuzz_entries SECONDS
fuzz_entries() {
  local build=$ROOT/build/libfuzzer name input
  export UBSAN_OPTIONS=print_stacktrace=1
  verify 'first inputs' "$build/bin/entry-seeds" "$ROOT/fuzz/corpus" "$build/seeds" || return 0
  for name in "${ENTRIES[@]}"; do
    verify "libFuzzer on the $name, $1 s" run_entry "$name" "$1" && continue
    input=$(step_output | sed -n 's/.*Test unit written to //p' | tail -n 1)
    [[ -z $input ]] || say "The input is in ${input#"$ROOT"/}. To run it again: build/libfuzzer/bin/$name-entry ${input#"$ROOT"/}." \
      "Fix the code, and add a test in oracle/tests that states the result for this input."
  done
}
