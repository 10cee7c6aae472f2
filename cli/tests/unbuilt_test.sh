#!/usr/bin/env bash
# The script ./plumbline where nothing is built: it shows the help texts, and says what to run first.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
ALONE=$(mktemp -d)
trap 'rm -rf "$ALONE"' EXIT
mkdir "$ALONE/docs"
cp "$ROOT/plumbline" "$ALONE"
cp "$ROOT/docs/COMMANDS.md" "$ALONE/docs"
failed=0

# says CODE PART ARGUMENT...: the exit code and a part of what `./plumbline ARGUMENT...` prints.
says() {
  local code=$1 part=$2 text status=0
  shift 2
  text=$(cd "$ALONE" && ./plumbline "$@" 2>&1) || status=$?
  [[ $status == "$code" && $text == *"$part"* ]] && return
  echo "./plumbline $*: exit code $status, expected $code and '$part':" "$text"
  failed=1
}

says 0 'usage: plumbline COMMAND' --help
says 2 'usage: plumbline COMMAND'
says 0 'usage: plumbline run [OPTIONS] FILE...' run --help
says 0 'usage: plumbline prove [OPTIONS]' prove -h
says 0 'usage: plumbline prove --mutants [OPTIONS]' prove --mutants --help
says 0 'usage: plumbline try RULE' try --help
says 2 "unknown command 'rnu'" rnu --help
says 3 'Run ./check first' run x.py
says 3 'Run ./check first' check
((failed == 0)) && echo 'every command has its help text'
