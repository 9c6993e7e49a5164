#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sweepback train --save, --load and --sample: what becomes of files, and of a run that is interrupted.
source "$(dirname "${BASH_SOURCE[0]}")/train.bash"

prisms 400
seen=(--text text --batch 2 --length 50 --iterations 3 --budget 30%)
small=("${seen[@]}" --hidden 16)

# A model goes on with its own shape, and is refused another.
expect 0 'bit for bit' "${small[@]}" --save model.pt
expect 0 'LSTM of 1 layer of 16' "${seen[@]}" --load model.pt
expect 0 '"hidden": 16' "${seen[@]}" --load model.pt --json
expect 2 '"message": "--hidden is 32, but the model in .* has 16"' "${seen[@]}" --load model.pt --hidden 32 --json
expect 0 'bit for bit' "${small[@]}" --load model.pt --save model.pt
expect 0 '"sample": ".{20,}"' "${small[@]}" --sample 20 --json

# What is no model.
expect 2 '"nowhere.pt" cannot be read; give --load a file' "${seen[@]}" --load nowhere.pt
expect 2 '"text" is no model' "${seen[@]}" --load text
head -c 20000 model.pt > half.pt
expect 2 '"half.pt" is no model' "${seen[@]}" --load half.pt
echo 'Zzz!' >> text
expect 2 'holds "Z" \(byte 90\), which the model never saw' "${seen[@]}" --load model.pt

# Where a model cannot go is said before the work; what is no file stays what it is.
mkdir place
mkfifo pipe
expect 5 '"none/m.pt"; give --save a file in a folder that exists' "${small[@]}" --save none/m.pt
expect 5 '"place" is there and is no file' "${small[@]}" --save place
expect 5 '"pipe" is there and is no file' "${small[@]}" --save pipe
[[ -p pipe ]] || fail "the pipe is gone"
echo old > old.pt
ln -s old.pt link.pt
expect 0 'bit for bit' "${small[@]}" --save link.pt
[[ -L link.pt && $(stat -c %s old.pt) -gt 1000 ]] || fail "the link was replaced, not what it leads to"

# Interrupted while it trains: the older model stays. While it writes its sample: the new one is there.
# interrupted SIGNAL CODE PATTERN ARGUMENTS…: waits for started, which the caller defines.
interrupted() {
  local signal=$1 code=$2 pattern=$3 child status
  shift 3
  # A shell starts background jobs deaf to SIGINT; env makes it heard again where it can.
  env --default-signal=INT "$SWEEPBACK" train "$@" > out 2>&1 &
  child=$!
  for _ in $(seq 300); do started && break; sleep 0.1; done
  sleep 1
  kill -s "$signal" "$child"
  wait "$child"
  status=$?
  [[ $status -eq $code ]] && grep -q "$pattern" out || fail "SIG$signal: exit $status"
}
long=(--text text --hidden 16 --batch 2 --length 50 --budget 30%)
echo old > old.pt
started() { sleep 3; }
interrupted INT 130 'nothing was saved' "${long[@]}" --iterations 1000000 --save old.pt
interrupted TERM 143 '"error": "interrupted"' "${long[@]}" --iterations 1000000 --save old.pt --json
[[ $(cat old.pt) == old ]] || fail "the older model is gone"
started() { [[ -s $new ]]; }
new=int.pt
interrupted INT 130 'the model was saved' "${long[@]}" --iterations 1 --save $new --sample 1000000000
new=term.pt
interrupted TERM 143 'the model was saved' "${long[@]}" --iterations 1 --save $new --sample 1000000000
expect 0 'bit for bit' "${seen[@]}" --load term.pt

# Standard output that cannot be written to, and a reader that has seen enough.
"$SWEEPBACK" train "${small[@]}" > /dev/full 2> out
[[ $? -eq 5 ]] && grep -q 'writing to standard output failed' out || fail "a full disk is not named"
"$SWEEPBACK" train "${small[@]}" --sample 200000 2> out | head -1 > /dev/null
[[ ${PIPESTATUS[0]} -eq 0 && ! -s out ]] || fail "a closed pipe is an error"

[[ -z $(find . -name '*.part') ]] || fail "left behind: $(find . -name '*.part')"
exit $((failures > 0))
