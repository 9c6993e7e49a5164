#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sweepback train as a command: its exit codes, its error documents, its way of being interrupted.
set -u
: "${SWEEPBACK:?names the command sweepback}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

for i in $(seq 400); do echo "The $i light bends as it passes the prism."; done > "$folder/text"
small=(--text "$folder/text" --hidden 16 --batch 2 --length 50 --iterations 2)

# expect CODE PATTERN ARGUMENTS…: the exit code, and a regular expression that the output matches.
expect() {
  local code=$1 pattern=$2 status
  shift 2
  "$SWEEPBACK" train "$@" > "$folder/out" 2>&1
  status=$?
  if [[ $status -ne $code ]] || ! grep -Eq -- "$pattern" "$folder/out"; then
    echo "sweepback train $*: exit $status instead of $code, or no match for: $pattern"
    cat "$folder/out"
    failures=$((failures + 1))
  fi
}

expect 0 'gradient .*equal +bit for bit' "${small[@]}" --budget 30%
expect 0 '"schema": "sweepback.train/1"' "${small[@]}" --budget 30% --json
expect 0 '--budget' --help
expect 2 '"error": "usage"' --json
expect 2 'unknown; give one of rnn, gru, lstm' "${small[@]}" --cell elman
expect 2 'budgte' "${small[@]}" --budgte 5%
expect 2 '--budget' "${small[@]}" --budget 5apples
expect 2 '"error": "bad_file"' --text "$folder/none" --json
expect 2 'too few' --text "$folder/text" --length 100000
expect 3 '"smallest": [0-9]+' "${small[@]}" --budget 100 --json
expect 3 'smallest' "${small[@]}" --budget 100
expect 5 'could not be written' "${small[@]}" --budget 30% --save "$folder/none/model.pt"
expect 0 'bits per character' "${small[@]}" --budget 30% --save "$folder/model.pt" --sample 20
[[ -s $folder/model.pt && ! -e $folder/model.pt.part ]] || { echo "no model"; failures=$((failures + 1)); }

# Nothing on stderr where it is no terminal; the document alone on stdout.
"$SWEEPBACK" train "${small[@]}" --budget 30% --json > "$folder/out" 2> "$folder/err"
[[ ! -s $folder/err ]] || { echo "words on stderr:"; cat "$folder/err"; failures=$((failures + 1)); }

# Signals end it within moments, and say so.
for signal in INT:130 TERM:143; do
  # A shell starts background jobs deaf to SIGINT; env makes it heard again where it can.
  env --default-signal=INT "$SWEEPBACK" train --text "$folder/text" --hidden 64 --length 500 \
    --iterations 100000 --budget 30% --save "$folder/never.pt" > "$folder/out" 2>&1 &
  child=$!
  sleep 4
  kill -s "${signal%:*}" "$child"
  wait "$child"
  status=$?
  if [[ $status -ne ${signal#*:} || -e $folder/never.pt ]]; then
    echo "SIG${signal%:*}: exit $status"
    cat "$folder/out"
    failures=$((failures + 1))
  fi
done

exit $((failures > 0))
