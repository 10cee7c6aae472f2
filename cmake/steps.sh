# shellcheck shell=bash
# Runs the steps of ./check and ./test: prints one line per step with its time, logs all output, and ends clearly if one fails.
: "${ROOT:?the project folder}"
LOG=$ROOT/build/setup.log
STEP_PID=
BACKGROUND_PID=
BACKGROUND_TITLE=
BACKGROUND_LOG=
STEP_OFFSET=0
STEP_SECONDS=0

say() { printf '%s\n' "$*" >&2; }

# die WHAT [ADVICE...]: ends a failed set-up. 3 is the exit code for a failure of the harness.
die() {
  say "error: $1"
  shift
  local line
  for line; do say "  $line"; done
  exit 3
}

# refuse WHAT: ends after a wrong command line.
refuse() {
  say "error: $1"
  say "  $0 --help lists the options."
  exit 2
}

# start_log FILE: sends the output of the steps that follow to FILE, emptied.
start_log() {
  LOG=$1
  { mkdir -p "$(dirname "$LOG")" && : >"$LOG"; } 2>/dev/null ||
    die "cannot write $LOG" "Make the project folder writable, and check with 'df -h $ROOT' that its disk is not full."
}

stop_step() {
  local pid
  for pid in $STEP_PID $BACKGROUND_PID; do kill -TERM -- "-$pid" 2>/dev/null || true; done
}
trap stop_step EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

newest_line() { tail -c 2000 "$LOG" | tr '\r' '\n' | tr -cd '[:print:]\n' | awk 'NF { line = $0 } END { print line }'; }

# watch_step TITLE: until the step ends, shows its newest line of output: always on a terminal; elsewhere after 30 s, 90 s, 270 s, and so on.
watch_step() {
  local title=$1 start=$SECONDS next=30 width
  while kill -0 "$STEP_PID" 2>/dev/null; do
    if [[ -t 2 ]]; then
      width=$(tput cols 2>/dev/null || echo 80)
      printf '\r\033[K%.*s' "$((width - 1))" "[$((SECONDS - start)) s] $title: $(newest_line)" >&2
    elif ((SECONDS - start >= next)); then
      next=$((3 * next))
      printf '%.150s\n' "$title: $((SECONDS - start)) s so far: $(newest_line)" >&2
    fi
    if ((SECONDS - start < 2)); then sleep 0.05; else sleep 0.5; fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# step TITLE COMMAND...: runs COMMAND, which may be a function, and returns its status. It runs in its own process group, so
# that an interrupt ends all of it.
step() {
  local title=$1 start=$SECONDS status=0
  shift
  printf '\n== %s\n$ %s\n' "$title" "$*" >>"$LOG"
  STEP_OFFSET=$(wc -c <"$LOG")
  set -m
  "$@" >>"$LOG" 2>&1 </dev/null &
  STEP_PID=$!
  set +m
  watch_step "$title"
  wait "$STEP_PID" || status=$?
  STEP_PID=
  STEP_SECONDS=$((SECONDS - start))
  if ((status == 0)); then say "$title: done in $STEP_SECONDS s"; else say "$title: FAILED after $STEP_SECONDS s"; fi
  return "$status"
}

# step_output: what the last step printed.
step_output() { tail -c "+$((STEP_OFFSET + 1))" "$LOG"; }

# show_step_end N: the last N lines of what the last step printed.
show_step_end() {
  say "--- the end of its output (the whole output is in ${LOG#"$ROOT"/}):"
  step_output | tail -n "$1" >&2
  say "---"
}

# advice DEFAULT: what to do about the failure of the last step, if its output shows the cause; else DEFAULT.
advice() {
  local output
  output=$(step_output | tail -n 200)
  if grep -qiE 'no space left|disk quota exceeded|not enough free space' <<<"$output"; then
    say "The disk is full; free some space (PyTorch from the default index needs about 6 GB, CPU-only PyTorch about 1 GB)."
  elif grep -qiE 'failure (in name resolution|resolving)|could not (resolve|connect)|unreachable|connection (refused|timed out|reset)|failed to establish|read timed out|connecttimeout|proxyerror' <<<"$output"; then
    say "The network cannot be reached. Connect, or set http_proxy and https_proxy, and run this again; finished steps are kept."
  elif grep -qiE 'could not find a version|no matching distribution|unable to locate package' <<<"$output"; then
    say "The package index does not have it. 'pip config list' and /etc/apt/sources.list show which indexes are used."
  else
    say "$1"
  fi
}

# need ADVICE TITLE COMMAND...: a step of the set-up. If it fails, the run ends and says what was tried (TRIED if that is
# set, else COMMAND), what to do, and how to go on without it (WITHOUT, if set).
need() {
  local hint=$1 title=$2
  shift 2
  step "$title" "$@" && return
  show_step_end 40
  say "error: set-up failed at the step '$title'"
  say "  The command was: ${TRIED:-$*}"
  say "  $(advice "$hint" 2>&1)"
  [[ -z ${WITHOUT:-} ]] || say "  $WITHOUT"
  exit 3
}

# start_background TITLE COMMAND...: runs COMMAND beside the steps that follow, with a log of its own, until finish_background.
start_background() {
  BACKGROUND_TITLE=$1 BACKGROUND_LOG=${LOG%.log}-background.log
  shift
  say "$BACKGROUND_TITLE: started beside the next steps"
  rm -f "$BACKGROUND_LOG.status"
  set -m
  { "$@" && echo 0 >"$BACKGROUND_LOG.status" || echo "$?" >"$BACKGROUND_LOG.status"; } >"$BACKGROUND_LOG" 2>&1 </dev/null &
  BACKGROUND_PID=$!
  set +m
}

follow_background() {
  tail --pid="$BACKGROUND_PID" -n +1 -f "$BACKGROUND_LOG"
  return "$(cat "$BACKGROUND_LOG.status" 2>/dev/null || echo 1)"
}

# finish_background ADVICE: waits for it, as a step, unless it has ended well; there may be none.
finish_background() {
  [[ -n $BACKGROUND_PID ]] || return 0
  if [[ $(cat "$BACKGROUND_LOG.status" 2>/dev/null) == 0 ]]; then cat "$BACKGROUND_LOG" >>"$LOG"; else
    need "$1" "$BACKGROUND_TITLE" follow_background
  fi
  BACKGROUND_PID=
}
