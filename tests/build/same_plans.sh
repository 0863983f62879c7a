#!/usr/bin/env bash
# same_plans.sh ONE OTHER CORPUS: two builds of the command plan each Module of the corpus, and random ones, to the same
# bytes, and place its tables alike. Says which differ; exit 1 where any does.
set -euo pipefail

one=$1 other=$2 corpus=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0 different=0

compare() { # what: $work/one and $work/other
  compared=$((compared + 1))
  cmp -s "$work/one" "$work/other" || {
    different=$((different + 1))
    printf '%s: the builds differ\n' "$1"
  }
}

for module in "$corpus"/modules/*.module; do
  "$one" plan "$module" -o "$work/one" && "$other" plan "$module" -o "$work/other"
  compare "$module"
done
for seed in $(seq 0 49); do
  "$one" random --seed "$seed" >"$work/module"
  # What has no functional form is refused by both.
  "$one" plan "$work/module" -o "$work/one" 2>/dev/null || : >"$work/one"
  "$other" plan "$work/module" -o "$work/other" 2>/dev/null || : >"$work/other"
  compare "random --seed $seed"
done
for table in "$corpus"/tables/*.csv; do
  "$one" place "$table" >"$work/one" 2>/dev/null && "$other" place "$table" >"$work/other" 2>/dev/null
  compare "$table"
done

printf '%d compared, %d differ\n' "$compared" "$different"
[ "$compared" -gt 100 ] && [ "$different" -eq 0 ]
