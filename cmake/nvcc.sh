# shellcheck shell=bash
# Finds or installs the compiler of CUDA sources. Sourced by ./check and ./test before cmake/setup.sh, whose VENV and steps it uses.
NVCC_WHEELS=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85)
NVCC=

# find_nvcc: sets NVCC to the compiler of the CUDA Toolkit, or of its wheels in the project's own environment; empty if there
# is none.
find_nvcc() {
  local nvcc
  for nvcc in "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" nvcc "$VENV"/lib/python3*/site-packages/nvidia/cu13/bin/nvcc; do
    NVCC=$(command -v "$nvcc") && return
  done
  NVCC=
}

# ensure_nvcc: installs the wheels if there is no nvcc, or says in one line why not; CUDA sources are then not compiled.
ensure_nvcc() {
  find_nvcc
  [[ -z $NVCC ]] || return 0
  if step "Installing Python packages: ${NVCC_WHEELS[*]}" pip_run "$VENV" "${NVCC_WHEELS[@]}"; then find_nvcc; else
    rm -f "$VENV/incomplete"
    say "CUDA sources are not compiled: there is no nvcc, and its wheels could not be installed (${LOG#"$ROOT"/} says why)."
  fi
}
