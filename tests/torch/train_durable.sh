#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sweepback train --durable and --resume: a training that is killed has, in the end, the weights of an
# undisturbed one, bit for bit; what does not go together is refused, and nothing is left.
source "$(dirname "${BASH_SOURCE[0]}")/train.bash"
child=
trap '[[ -n $child ]] && kill -9 "$child" 2> /dev/null; rm -rf "$folder"' EXIT

prisms 60  # read again and again
mkdir run empty plain killed
echo mine > run/notes
readers=(--text text --hidden 16 --batch 2)
model=("${readers[@]}" --length 50)
long=("${model[@]}" --iterations 120)
small=("${long[@]}" --budget 30%)
to=(--save killed/model.pt)  # the name is part of a model file
done_there() { "$SWEEPBACK" status run --json | sed -n 's/.*"iteration": \([0-9]*\).*/\1/p'; }
# begin DONE ARGUMENTS…: in the background, until a mark says that more than so many iterations are done.
begin() {
  local from=$1 now
  shift
  # A shell starts background jobs deaf to SIGINT; env makes it heard again where it can.
  env --default-signal=INT "$SWEEPBACK" train "$@" > out 2>&1 &
  child=$!
  for _ in $(seq 1000); do
    now=$(done_there)
    [[ ${now:--1} -gt $from ]] && return
    sleep 0.01
  done
  fail "no mark after ten seconds: $*"
}
end() {
  kill -s "$1" "$child"
  wait "$child" 2> /dev/null
  status=$?
  child=
}
same() {
  cmp plain/model.pt "$1" || fail "$1: other weights than those of the undisturbed training"
  [[ $(ls -A run) == notes ]] || fail "left behind: $(ls -A run)"
}

expect 0 '"gradient_equal": true' "${small[@]}" --save plain/model.pt --sample 30 --json
grep '"sample"' out > sample  # its random numbers are those that follow the training's

# Killed again and again, with memory for more or less.
last=0
begin 0 "${small[@]}" "${to[@]}" --durable run --durable-interval 0
for budget in 50% 100% none; do
  sleep "0.0$((RANDOM % 9))"
  end KILL
  [[ $status -eq 137 ]] || fail "a kill came too late: exit $status"
  now=$(done_there)
  [[ $now -gt $last ]] || fail "$now iterations are done, and $last were"
  last=$now
  [[ $budget == none ]] || begin "$last" "${long[@]}" "${to[@]}" --budget "$budget" --resume run --durable-interval 0
done
"$SWEEPBACK" status run > out
grep -q "$last of 120 iterations are done; $((120 - last)) are left" out || fail "status says otherwise"
grep -q 'a training: not running' out || fail "who is killed does not run"

# What does not go together.
expect 2 'lies in run already; go on with it by --resume run' "${small[@]}" --durable run
expect 2 'no training lies in empty; begin one by --durable empty' "${small[@]}" --resume empty
expect 5 'none' "${small[@]}" --durable none
expect 4 'is with --lr 0.01, and this one with --lr 0.02; give the options that began it' "${small[@]}" --resume run --lr 0.02
expect 4 'this one with --block 8' "${small[@]}" --resume run --block 8
expect 2 "has done $last iterations, and --iterations is 1; give --iterations $((last + 1)) or more" "${model[@]}" --resume run --iterations 1
cp text text.mine && echo more >> text
expect 4 "is with --text of $(stat -c %s text.mine) bytes" "${small[@]}" --resume run
mv text.mine text
[[ $(done_there) -eq $last ]] || fail "a refusal has changed the run"

# A damaged mark costs the work since the one before; without any there is an error.
newest=$(ls -t run/sweepback.training.? | head -1)
cp -r run spare
printf x | dd of="$newest" bs=1 seek=60000 conv=notrunc status=none
[[ $(done_there) -lt $last ]] || fail "the damaged mark is used"
for file in spare/sweepback.training.?; do truncate -s -1 "$file"; done
expect 5 'bytes long instead of' "${small[@]}" --resume spare
[[ $("$SWEEPBACK" status spare > out 2>&1; echo $?) -eq 5 ]] || fail "status of damaged marks"
expect 0 "\"resumed_at\": $(done_there)," "${small[@]}" "${to[@]}" --sample 30 --json --resume run
grep '"sample"' out | cmp - sample || fail "another sample than that of the undisturbed training"
same killed/model.pt

# Asked to stop it makes a mark, however far apart they are.
begin -1 "${small[@]}" "${to[@]}" --durable run --durable-interval 1000
sleep 0.2
end TERM
[[ $status -eq 143 ]] && grep -Eq "interrupted; $(done_there) iterations are kept in run; go on .* --resume run" out || fail "SIGTERM: exit $status"
[[ $(done_there) -gt 0 ]] || fail "the mark is the first one"
expect 0 'states run to again +[1-9].* equal, bit for bit' "${small[@]}" "${to[@]}" --resume run --verify
grep -q 'gone on with after [1-9]' out || fail "it began again"
same killed/model.pt

# Another budget on the way: that holds from then on, and one that cannot be is refused.
begin 0 "${small[@]}" "${to[@]}" --durable run --durable-interval 0 --budget-file budget --json
echo 1 > budget
kill -s USR1 "$child"
wait_for() { for _ in $(seq 1000); do grep -q "$1" out && return; sleep 0.01; done; fail "not said: $1"; }
wait_for 'a budget of .* the budget stays at'
echo 200% > budget
kill -s USR1 "$child"
wait "$child" && child=
grep -q '"budget_changes": 1' out && grep -q '"gradient_equal": true' out || fail "the budget is not changed"
grep -q '"repetition": 1,' out || fail "the plan is not that of the second budget"
same killed/model.pt

# Steps run in blocks, as many as the first time.
# Long windows, because what a fused kernel needs beside counts in the budget.
blocks=("${readers[@]}" --length 300 --iterations 40 --budget 60%)
expect 0 'blocks' "${blocks[@]}" --block 10 --save plain/model.pt
begin 0 "${blocks[@]}" "${to[@]}" --block 10 --durable run --durable-interval 0
end INT
[[ $status -eq 130 ]] || fail "SIGINT: exit $status"
expect 4 'is with --block 10, and this one with --block auto' "${blocks[@]}" --block auto --resume run
expect 0 'gone on with after' "${blocks[@]}" "${to[@]}" --block 10 --resume run
same killed/model.pt

# What was chosen stays chosen: other blocks round otherwise.
begin 0 "${blocks[@]}" --block auto --durable run --durable-interval 0
end KILL
chosen=$("$SWEEPBACK" status run --json | grep -o '"block": [0-9]*')
expect 0 "$chosen,\$" "${blocks[@]}" --block auto --resume run --json

exit $((failures > 0))
