# shellcheck shell=bash
# Configures and builds one CMake preset in build/PRESET, for ./check and ./test.
#
# Sourced after cmake/setup.sh. Passes its TORCH_DIR, TORCH_1_13, Z3_DIR, OPENBLAS_DIR, PLUMBLINE_PYTHON and NVCC to CMake.

# default_jobs: one job per core, but at most one per 1.5 GB of memory: a file that includes PyTorch needs that much to compile.
default_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
  ((memory >= cores)) && memory=$cores
  ((memory > 0)) && echo "$memory" || echo 1
}

# configure PRESET TORCH: runs CMake only if the settings differ from the last configuration; Ninja sees all later changes.
# An empty TORCH configures without PyTorch and without Z3.
configure() {
  local preset=$1 settings=("-DPLUMBLINE_TORCH=$2" "-DPLUMBLINE_TORCH_1_13=${2:+$TORCH_1_13}" "-DPLUMBLINE_Z3=${2:+$Z3_DIR}"
    "-DPLUMBLINE_OPENBLAS=$OPENBLAS_DIR" "-DPLUMBLINE_PYTHON=$PLUMBLINE_PYTHON" "-DPLUMBLINE_NVCC=$NVCC")
  local build=$ROOT/build/$preset
  [[ $(cat "$build/configured" 2>/dev/null) == "$ROOT ${settings[*]}" ]] && return
  rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles" "$build/configured"
  need "Fix the CMake errors and run this again." "Configuring build/$preset" cmake -S "$ROOT" --preset "$preset" "${settings[@]}"
  echo "$ROOT ${settings[*]}" >"$build/configured"
}

# build PRESET JOBS [TARGET]
build() {
  NINJA_STATUS='[%f/%t] ' cmake --build "$ROOT/build/$1" -j "$2" ${3:+--target "$3"}
}

# check_jobs N
check_jobs() { [[ $1 =~ ^[1-9][0-9]{0,3}$ ]] || refuse "--jobs needs a positive number, not '$1'"; }
