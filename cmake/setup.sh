# shellcheck shell=bash
# Installs what is missing on Debian 12 (packages, a Python environment, PyTorch) and skips what is already there.
#
# Sourced by ./check and ./test after cmake/steps.sh. `set_up` sets TORCH_DIR (the folder site-packages/torch),
# PLUMBLINE_PYTHON (a Python that imports that PyTorch and pytest), Z3_DIR (the folder site-packages/z3), OPENBLAS_DIR (the folder
# site-packages/scipy_openblas32) and TORCH_1_13 (where Debian's LibTorch 1.13 is installed, also for /usr/bin/python3; empty if
# it is not installed).
TORCH_VERSION=2.13.0
TORCH_SERIES=2.13
EARLY_SERIES=1.13
PYTEST='pytest==9.2.0'
Z3_SOLVER='z3-solver==5.4.0.0'
OPENBLAS='scipy-openblas32==0.3.34.481.3'
CLANG_TOOLS=(clang-format==19.1.7 clang-tidy==23.1.4)

PACKAGES=(g++ cmake ninja-build libfmt-dev nlohmann-json3-dev libcli11-dev libyaml-cpp-dev libgtest-dev librapidcheck-dev
  libbenchmark-dev libhwy-dev)
EARLY_PACKAGES=(libtorch-dev python3-torch python3-pytest)
SECOND_SOLVER=cvc5  # package and command; checks the proofs a second time if it is installed
FASTER_PACKAGES=(ccache mold valgrind)  # optional; without valgrind, benchmarks count no instructions
declare -A COMMAND_OF=([g++]=g++ [cmake]=cmake [ninja-build]=ninja [ccache]=ccache [mold]=mold [valgrind]=valgrind)

TORCH_GIVEN=${PLUMBLINE_TORCH:-}
TORCH_INDEX=${PLUMBLINE_TORCH_INDEX:-}
Z3_GIVEN=${PLUMBLINE_Z3:-}
OPENBLAS_GIVEN=${PLUMBLINE_OPENBLAS:-}
EARLY_WANTED=
TORCH_DIR=
TORCH_1_13=
Z3_DIR=
OPENBLAS_DIR=
PLUMBLINE_PYTHON=
BASE_PYTHON=
VENV=$ROOT/.venv

# --- Debian packages

# installed_packages NAME...: those of them that are installed.
installed_packages() {
  # shellcheck disable=SC2016  # the format is dpkg-query's
  { dpkg-query -W -f='${Package} ${Status}\n' "$@" 2>/dev/null || true; } | awk '/ install ok installed$/ { print $1 }'
}

# missing_packages NAME...: those of them that are not installed and whose command is not there by other means either.
missing_packages() {
  local installed package
  installed=" $(installed_packages "$@" | tr '\n' ' ') "
  for package; do
    [[ $installed == *" $package "* ]] && continue
    [[ -n ${COMMAND_OF[$package]:-} ]] && command -v "${COMMAND_OF[$package]}" >/dev/null && continue
    echo "$package"
  done
}

# as_root COMMAND...
as_root() { if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi; }

can_be_root() {
  ((EUID == 0)) && return
  command -v sudo >/dev/null || return
  if [[ -t 0 && -t 2 ]]; then sudo -v; else sudo -n true 2>/dev/null; fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"; }

# apt_install NAME...: first with the package lists that are there; if that fails, repairs an interrupted dpkg and updates the lists.
apt_install() {
  if compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then
    apt install -y --no-install-recommends "$@" && return
    as_root dpkg --configure -a
  fi
  apt update && apt install -y --no-install-recommends "$@"
}

refuse_system() {
  die "this system has no apt-get; the set-up supports Debian 12 and later, and Ubuntu 24.04 and later" \
    "Missing: $*" "Install these yourself (the names are Debian's) and run this again."
}

# ensure_python: sets BASE_PYTHON, and installs it if it is missing.
ensure_python() {
  find_base_python && return
  install_packages python3 python3-venv
  find_base_python || die "python3 is older than 3.10, or lacks the module venv or ensurepip" \
    "Put a complete Python 3.10 or later first on PATH; Debian's own is /usr/bin/python3."
}

# start_packages: begins to install what the build needs and is missing; finish_packages waits for it.
start_packages() {
  local missing
  mapfile -t missing < <(missing_packages "${PACKAGES[@]}")
  ((${#missing[@]} == 0)) && return
  mapfile -t -O "${#missing[@]}" missing < <(missing_packages "${FASTER_PACKAGES[@]}")
  check_can_install "${missing[@]}"
  TRIED="apt-get install -y --no-install-recommends ${missing[*]}"
  start_background "Installing Debian packages: ${missing[*]}" apt_install "${missing[@]}"
}
finish_packages() {
  finish_background "Run the command by hand, fix what it reports, and start again."
  unset TRIED
  hash -r
  check_versions
}

# check_can_install NAME...: ends the set-up if this system or this user cannot install them.
check_can_install() {
  command -v apt-get >/dev/null || refuse_system "$@"
  can_be_root || die "packages are missing, and installing them needs root (sudo is missing or not allowed)" \
    "Ask an administrator to run this, then run ${0##*/} again:" \
    "  apt-get update && apt-get install -y --no-install-recommends $*"
}

# install_packages NAME...
install_packages() {
  check_can_install "$@"
  TRIED="apt-get install -y --no-install-recommends $*" \
    need "Run the command by hand, fix what it reports, and start again." "Installing Debian packages: $*" apt_install "$@"
  hash -r
}

# --- LibTorch 1.13, beside the other

# candidate PACKAGE: the version that is installed or that apt would install; empty if there is no such package.
candidate() { apt-cache policy "$1" 2>/dev/null | awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'; }
early_version() { candidate libtorch-dev; }

# ensure_early_torch: sets TORCH_1_13, or says in one line why it cannot; everything else works without it. It is installed only
# if EARLY_WANTED.
ensure_early_torch() {
  local missing version
  mapfile -t missing < <(missing_packages "${EARLY_PACKAGES[@]}")
  if ((${#missing[@]} > 0)) && [[ -z $EARLY_WANTED ]]; then
    say "LibTorch $EARLY_SERIES is not installed, so it is not checked. $0 --all-versions installs it (Debian 12)."
  elif ((${#missing[@]} > 0)); then
    version=$(early_version)
    if [[ $version != "$EARLY_SERIES".* ]]; then
      say "LibTorch $EARLY_SERIES is not checked: libtorch-dev is ${version:-unknown} here (Debian 12 has 1.13.1)."
    elif ! can_be_root; then
      say "LibTorch $EARLY_SERIES is not checked: installing it needs root (apt-get install ${missing[*]})."
    elif ! step "Installing Debian packages: ${missing[*]}" apt_install "${missing[@]}"; then
      say "LibTorch $EARLY_SERIES is not checked: ${missing[*]} could not be installed (${LOG#"$ROOT"/} says why)."
    else
      TORCH_1_13=/usr
    fi
  elif [[ $(early_version) == "$EARLY_SERIES".* ]]; then
    TORCH_1_13=/usr
  else
    say "LibTorch $EARLY_SERIES is not checked: libtorch-dev is $(early_version) here (Debian 12 has 1.13.1)."
  fi
}

check_versions() {
  local cmake
  cmake=$(cmake --version | awk 'NR == 1 { print $3 }')
  printf '3.25\n%s\n' "$cmake" | sort -V -C || die "cmake $cmake is too old; 3.25 or later is needed" "Install a newer CMake and put it first on PATH."
  echo '#include <compare>' | g++ -std=c++20 -fsyntax-only -x c++ - 2>/dev/null ||
    die "$(g++ --version | head -n 1) cannot compile C++20" "Install g++ 12 or later."
}

# --- Python environments

usable_python() { "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

find_base_python() {
  local python
  for python in python3 /usr/bin/python3; do
    usable_python "$python" && BASE_PYTHON=$(command -v "$python") && return
  done
  return 1
}

# whole_environment DIR: whether it works, was not moved since it was created, and pip was never interrupted in it.
whole_environment() {
  [[ ! -e $1/incomplete ]] && [[ ! -e $1/made-in || $(<"$1/made-in") == "$1" ]] && "$1/bin/python3" -c 'import pip' 2>/dev/null
}

# ensure_environment DIR PYTHON: a virtual environment of PYTHON. A broken one is created again if this script created it.
ensure_environment() {
  whole_environment "$1" && return
  [[ ! -e $1 || -e $1/made-in ]] || die "$1 exists, but it is not a working Python environment, and this script did not create it" \
    "Move it away and run this again."
  TRIED="$2 -m venv $1" need "Run the command by hand, fix what it reports, and start again." "Creating the Python environment ${1#"$ROOT"/}" make_environment "$1" "$2"
}

make_environment() {
  rm -rf "$1" && mkdir -p "$1" && echo "$1" >"$1/made-in" && touch "$1/incomplete" && "$2" -m venv "$1" && rm "$1/incomplete"
}

# pip_install DIR WHAT ARGUMENTS...: pip in the environment DIR, unless a stamp there says that it installed WHAT.
pip_install() {
  local dir=$1 what=$2 stamps=$1/installed
  shift 2
  grep -qxF "$what" "$stamps" 2>/dev/null && return
  TRIED="$dir/bin/python3 -m pip install $*" \
    need "Run the command by hand, fix what it reports, and start again." "Installing Python packages: $what" pip_run "$dir" "$@"
  echo "$what" >>"$stamps"
}

pip_run() {
  local dir=$1
  shift
  touch "$dir/incomplete" && "$dir/bin/python3" -m pip install --disable-pip-version-check --progress-bar off "$@" && rm "$dir/incomplete"
}

# --- PyTorch

torch_version() { sed -n "s/^__version__ *= *['\"]\(.*\)['\"].*/\1/p" "$1/version.py" 2>/dev/null; }

# torch_problem DIR: why the PyTorch in DIR cannot be used; empty if it can.
torch_problem() {
  local version
  version=$(torch_version "$1")
  if [[ -z $version ]]; then
    echo "it has no version.py"
  elif [[ $version != "$TORCH_SERIES".* ]]; then
    echo "it is version $version; $TORCH_SERIES is needed"
  elif [[ ! -f $1/include/ATen/ATen.h ]]; then
    echo "it has no C++ headers (include/ATen)"
  elif [[ ! -f $1/lib/libtorch_cpu.so ]]; then
    echo "it has no lib/libtorch_cpu.so"
  fi
}

# torch_folder DIR: DIR itself, or the folder torch in it, in its site-packages, or in the site-packages of an environment.
torch_folder() {
  local dir
  for dir in "$1" "$1"/torch "$1"/site-packages/torch "$1"/lib/python3*/site-packages/torch; do
    [[ -f $dir/version.py ]] && realpath "$dir" && return
  done
  return 1
}

# importable_torch: the folder of the torch that python3 would import, unless it is in the project's own environment.
importable_torch() {
  python3 - "$VENV" 2>/dev/null <<'PYTHON' || true
import importlib.util, os, sys
found = importlib.util.find_spec("torch")
folder = os.path.realpath(os.path.dirname(found.origin)) if found and found.origin else ""
if folder and not folder.startswith(os.path.realpath(sys.argv[1]) + os.sep):
    print(folder)
PYTHON
}

# choose_torch: sets TORCH_DIR to the given PyTorch, or else to an importable one; empty if the project installs its own.
choose_torch() {
  local dir problem
  if [[ -n $TORCH_GIVEN ]]; then
    dir=$(torch_folder "$TORCH_GIVEN") || die "there is no PyTorch in $TORCH_GIVEN" \
      "Give a folder site-packages/torch, or a folder that contains one: --torch VENV/lib/python3.11/site-packages/torch"
    problem=$(torch_problem "$dir")
    [[ -z $problem ]] || die "the PyTorch in $dir cannot be used: $problem" \
      "Give another PyTorch. Without --torch, torch==$TORCH_VERSION is installed into ${VENV#"$ROOT"/}."
    TORCH_DIR=$dir
    return
  fi
  dir=$(importable_torch)
  [[ -n $dir ]] || return 0
  problem=$(torch_problem "$dir")
  if [[ -z $problem ]]; then TORCH_DIR=$dir; elif [[ $(torch_version "$dir") != "$EARLY_SERIES".* ]]; then say "The PyTorch that python3 imports, $dir, is not used: $problem."; fi
}

# own_torch: PyTorch in the project's environment. NumPy is installed only so that PyTorch does not warn that it is missing.
own_torch() {
  ensure_environment "$VENV" "$BASE_PYTHON"
  local index=()
  [[ -z $TORCH_INDEX ]] || index=(--index-url "$TORCH_INDEX")
  pip_install "$VENV" "torch==$TORCH_VERSION" "${index[@]}" "torch==$TORCH_VERSION"
  pip_install "$VENV" "$PYTEST numpy" "$PYTEST" numpy
  PLUMBLINE_PYTHON=$VENV/bin/python3
  TORCH_DIR=$(torch_folder "$VENV") || die "pip installed PyTorch, but it is not in $VENV" "Remove $VENV and run this again."
}

# python_for TORCH: a complete Python of the version that this PyTorch was built for.
python_for() {
  local tag python
  tag=$(find "$1" -maxdepth 1 -name '_C.cpython-*.so' | sed -n 's/.*_C\.\(cpython-[0-9]*\)-.*/\1/p' | head -n 1)
  local digits=${tag#cpython-3}
  for python in "$(dirname "$1")/../../../bin/python3" python3 "python3.$digits" /usr/bin/python3; do
    [[ $("$python" -c 'import sys; print(sys.implementation.cache_tag)' 2>/dev/null) == "$tag" ]] || continue
    usable_python "$python" && command -v "$python" && return
  done
  die "the PyTorch in $1 is for Python 3.$digits, but there is no Python 3.$digits with the module venv" \
    "Install Python 3.$digits and its venv, give another PyTorch, or leave out --torch."
}

# overlay_torch: a new environment with pytest that sees the given PyTorch; the given PyTorch is not changed.
overlay_torch() {
  local dir=$ROOT/build/python python
  if ! whole_environment "$dir" || [[ $(cat "$dir/torch" 2>/dev/null) != "$TORCH_DIR" ]]; then
    rm -rf "$dir"
    python=$(python_for "$TORCH_DIR")
    ensure_environment "$dir" "$python"
    need "Give another PyTorch, or leave out --torch." "Linking the PyTorch in $TORCH_DIR" link_torch "$dir" "$python"
    "$dir/bin/python3" -c 'import pytest' 2>/dev/null || pip_install "$dir" "$PYTEST" "$PYTEST"
    echo "$TORCH_DIR" >"$dir/torch"
  fi
  PLUMBLINE_PYTHON=$dir/bin/python3
}

# link_torch ENVIRONMENT PYTHON: adds the folder with PyTorch to its path, and PYTHON's package folders for PyTorch's dependencies.
link_torch() {
  local path
  path=$("$1/bin/python3" -c 'import sysconfig; print(sysconfig.get_path("purelib"))') || return
  { dirname "$TORCH_DIR" && "$2" -c 'import sys; print(*[p for p in sys.path if p.endswith("-packages")], sep="\n")'; } \
    >"$path/plumbline-torch.pth" || return
  "$1/bin/python3" -c 'import sys, torch; sys.exit(torch.__path__[0] != sys.argv[1] and f"imports {torch.__path__[0]} instead")' "$TORCH_DIR"
}

# --- the solvers of the proofs

whole_z3() { [[ -f $1/include/z3++.h && -f $1/lib/libz3.so ]]; }

# ensure_z3: sets Z3_DIR to the given Z3, or else to one in the project's own environment, for any PyTorch. It takes only a
# wheel, because building Z3 takes half an hour.
ensure_z3() {
  if [[ -n $Z3_GIVEN ]]; then
    Z3_DIR=$(realpath -- "$Z3_GIVEN" 2>/dev/null) && whole_z3 "$Z3_DIR" || die "there is no Z3 in PLUMBLINE_Z3: $Z3_GIVEN" \
      "The folder must contain include/z3++.h and lib/libz3.so, like site-packages/z3 after pip has installed $Z3_SOLVER." \
      "Without PLUMBLINE_Z3, $Z3_SOLVER is installed into ${VENV#"$ROOT"/}."
    return
  fi
  ensure_environment "$VENV" "$BASE_PYTHON"
  WITHOUT="The proofs need Z3. If pip cannot get $Z3_SOLVER, unpack its wheel elsewhere and set PLUMBLINE_Z3 to its folder z3." \
    pip_install "$VENV" "$Z3_SOLVER" --only-binary z3-solver "$Z3_SOLVER"
  for Z3_DIR in "$VENV"/lib/python3*/site-packages/z3; do whole_z3 "$Z3_DIR" && return; done
  die "pip installed $Z3_SOLVER, but files are missing in $Z3_DIR" "Remove $VENV and run this again."
}

# --- matrix products

whole_openblas() { [[ -f $1/include/cblas.h && -f $1/lib/libscipy_openblas.so ]]; }

# ensure_openblas: sets OPENBLAS_DIR as ensure_z3 sets Z3_DIR. Debian's OpenBLAS is older, and installing it would change
# the BLAS that Debian's LibTorch uses.
ensure_openblas() {
  if [[ -n $OPENBLAS_GIVEN ]]; then
    OPENBLAS_DIR=$(realpath -- "$OPENBLAS_GIVEN" 2>/dev/null) && whole_openblas "$OPENBLAS_DIR" ||
      die "there is no OpenBLAS in PLUMBLINE_OPENBLAS: $OPENBLAS_GIVEN" \
        "The folder must contain include/cblas.h and lib/libscipy_openblas.so, like site-packages/scipy_openblas32 after pip has installed $OPENBLAS."
    return
  fi
  ensure_environment "$VENV" "$BASE_PYTHON"
  pip_install "$VENV" "$OPENBLAS" --only-binary scipy-openblas32 "$OPENBLAS"
  for OPENBLAS_DIR in "$VENV"/lib/python3*/site-packages/scipy_openblas32; do whole_openblas "$OPENBLAS_DIR" && return; done
  die "pip installed $OPENBLAS, but files are missing in $OPENBLAS_DIR" "Remove $VENV and run this again."
}

# ensure_second_solver: installs it, or says in one line why not; the tests that need it are then skipped by name.
ensure_second_solver() {
  local lacks="$SECOND_SOLVER, the second solver of the proofs, is not installed:"
  hash -r
  command -v "$SECOND_SOLVER" >/dev/null && return
  if ! command -v apt-get >/dev/null; then
    say "$lacks this system has no apt-get; install it yourself and put it on PATH."
  elif compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null && [[ -z $(candidate "$SECOND_SOLVER") ]]; then
    say "$lacks this system has no such package (Debian 12 does); install it yourself and put it on PATH."
  elif ! can_be_root; then
    say "$lacks installing it needs root (apt-get install $SECOND_SOLVER)."
  elif ! step "Installing Debian packages: $SECOND_SOLVER" apt_install "$SECOND_SOLVER"; then
    say "$lacks the installation failed (${LOG#"$ROOT"/} says why)."
  fi
  hash -r
}

# set_up [COMMAND...]: all of it. COMMAND runs as soon as PLUMBLINE_PYTHON imports PyTorch and pytest, while packages may still
# be on their way.
set_up() {
  start_log "$ROOT/build/setup.log"
  ensure_python
  start_packages
  choose_torch
  if [[ -n $TORCH_DIR ]]; then overlay_torch; else own_torch; fi
  "$@"
  ensure_z3
  ensure_openblas
  finish_packages
  ensure_early_torch
  find_nvcc
  export PLUMBLINE_PYTHON PLUMBLINE_TORCH=$TORCH_DIR PLUMBLINE_Z3=$Z3_DIR PLUMBLINE_OPENBLAS=$OPENBLAS_DIR
}

# set_up_compiler: everything that the build needs, without PyTorch.
set_up_compiler() {
  start_log "$ROOT/build/setup.log"
  ensure_python
  start_packages
  finish_packages
  PLUMBLINE_PYTHON=$BASE_PYTHON
}

# set_up_tools: the formatter, the linter, the second solver and nvcc, for ./test alone.
set_up_tools() {
  ensure_second_solver
  ensure_environment "$VENV" "$BASE_PYTHON"
  pip_install "$VENV" "${CLANG_TOOLS[*]}" "${CLANG_TOOLS[@]}"
  ensure_nvcc
}
