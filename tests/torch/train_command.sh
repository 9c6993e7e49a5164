#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sweepback train as a command: its exit codes, its error documents, its way of being interrupted.
source "$(dirname "${BASH_SOURCE[0]}")/train.bash"

prisms 400
small=(--text text --hidden 16 --batch 2 --length 50 --iterations 2)

expect 0 'gradient .*equal +bit for bit' "${small[@]}" --budget 30%
expect 0 '"schema": "sweepback.train/1"' "${small[@]}" --budget 30% --json
expect 0 '--budget' --help
expect 2 '"error": "usage"' --json
expect 2 'unknown; give one of rnn, gru, lstm' "${small[@]}" --cell elman
expect 2 'budgte' "${small[@]}" --budgte 5%
expect 2 '--budget' "${small[@]}" --budget 5apples
expect 2 '"error": "bad_file"' --text none --json
expect 2 'too few' --text text --length 100000
expect 3 '"smallest": [0-9]+' "${small[@]}" --budget 100 --json
expect 3 'smallest' "${small[@]}" --budget 100
expect 5 'could not be written' "${small[@]}" --budget 30% --save none/model.pt
expect 0 'bits per character' "${small[@]}" --budget 30% --save model.pt --sample 20
[[ -s model.pt && ! -e model.pt.part ]] || { echo "no model"; failures=$((failures + 1)); }

# Nothing on stderr where it is no terminal; the document alone on stdout.
"$SWEEPBACK" train "${small[@]}" --budget 30% --json > out 2> err
[[ ! -s err ]] || { echo "words on stderr:"; cat err; failures=$((failures + 1)); }

# Signals end it within moments, and say so.
for signal in INT:130 TERM:143; do
  # A shell starts background jobs deaf to SIGINT; env makes it heard again where it can.
  env --default-signal=INT "$SWEEPBACK" train --text text --hidden 64 --length 500 \
    --iterations 100000 --budget 30% --save never.pt > out 2>&1 &
  child=$!
  sleep 4
  kill -s "${signal%:*}" "$child"
  wait "$child"
  status=$?
  if [[ $status -ne ${signal#*:} || -e never.pt ]]; then
    echo "SIG${signal%:*}: exit $status"
    cat out
    failures=$((failures + 1))
  fi
done

exit $((failures > 0))
