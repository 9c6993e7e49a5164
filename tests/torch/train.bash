# SPDX-License-Identifier: Apache-2.0
# What the tests of `sweepback train` as a command share: a folder of their own, and what is expected of it.
set -u
: "${SWEEPBACK:?names the command sweepback}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() {
  echo "$1"
  [[ -e out ]] && cat out
  failures=$((failures + 1))
}

# prisms N: a text of so many lines.
prisms() {
  for i in $(seq "$1"); do echo "The $i light bends as it passes the prism."; done > text
}

# expect CODE PATTERN ARGUMENTS…: the exit code, and a regular expression that the output matches.
expect() {
  local code=$1 pattern=$2 status
  shift 2
  "$SWEEPBACK" train "$@" > out 2>&1
  status=$?
  [[ $status -eq $code ]] && grep -Eq -- "$pattern" out ||
    fail "sweepback train $*: exit $status instead of $code, or no match for: $pattern"
}
