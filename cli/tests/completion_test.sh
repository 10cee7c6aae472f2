#!/usr/bin/env bash
# Completion in bash itself: what the script of `plumbline completion bash` offers. The argument is the folder of executables.
set -euo pipefail
PLUMBLINE=$1/plumbline
source /dev/stdin <<<"$("$PLUMBLINE" completion bash)"
failed=0

# offers LINE CANDIDATE...: completes the last word of `plumbline LINE`; each candidate must be offered. `nothing`: none may be.
offers() {
  local line=$1 candidate offered
  shift
  # The words as bash splits them: `=` is a word of its own.
  read -r -a COMP_WORDS <<<"plumbline ${line//=/ = }"
  [[ $line != *' ' ]] || COMP_WORDS+=('')
  COMP_WORDS[0]=$PLUMBLINE COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _plumbline
  offered=" ${COMPREPLY[*]-} "
  for candidate; do
    [[ $candidate != nothing || -n ${offered// /} ]] || continue
    [[ $offered != *" $candidate "* ]] || continue
    echo "plumbline $line: '$candidate' is not offered, but:$offered"
    failed=1
  done
}

offers 'che' check
offers '' check run list explain table try completion --help
offers 'run --f' --flip
offers 'run --' --on --json --jobs --verbose --quiet
offers 'run x.py --flip INF-0' INF-01 INF-09
offers 'run x.py --flip=' INF-01 VIEW-08
offers 'run --profile s' sound
offers 'run --on reference,opt' reference,optimized
offers 'run some_fi' nothing
offers 'run --json some_fi' nothing
offers 'list ru' rules
offers 'list --json - ru' rules
offers 'list rules VIEW-0' VIEW-01 VIEW-08
offers 'list rules OP-0' OP-01 OP-09
offers 'try VIEW-0' VIEW-08
offers 'env a' add
offers 'env add to' torch_xla torchax
offers 'table c' coverage
offers 'completion z' zsh
offers 'no-such-command x' nothing
[[ $(complete -p plumbline) == *'-o default'* ]] || { echo 'files are not completed' && failed=1; }
if command -v zsh >/dev/null; then "$PLUMBLINE" completion zsh | zsh -n /dev/stdin || failed=1; fi
((failed == 0)) && echo 'every completion is offered'
