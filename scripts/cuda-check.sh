#!/usr/bin/env bash
# cuda-check.sh: whether --provider cuda finds the matchings of the CPU, its states a second with 8, 64 and 512
# rollouts beside the CPU's, and its memory, as the table of docs/CUDA.md, which it writes. Without a GPU it says so
# and exits with 77. `rgm setup --cuda` comes first.
# RGM names the program (go run ./cmd/rgm, built once), PROVIDER another provider than cuda, to try the script, and
# PAGE another page than docs/CUDA.md.
set -euo pipefail
cd "$(dirname "$0")/.."
provider=${PROVIDER:-cuda}
page=${PAGE:-docs/CUDA.md}
work=$(mktemp -d)
poll=
trap '[ -z "$poll" ] || kill "$poll" 2>/dev/null; rm -rf "$work"' EXIT

if [ "$provider" = cuda ] && ! nvidia-smi -L >/dev/null 2>&1; then
  echo "no GPU here (nvidia-smi -L lists none): nothing was checked"
  exit 77
fi
rgm=${RGM:-$work/rgm}
[ -n "${RGM:-}" ] || go build -o "$rgm" ./cmd/rgm
[ "$provider" != cuda ] || "$rgm" setup --cuda --check

# solve PROVIDER ROLLOUTS STEPS INSTANCE…: the policy alone, a JSON line for each instance
solve() {
  local by=$1 rollouts=$2 steps=$3
  shift 3
  "$rgm" solve --method rgm --provider "$by" --workers 1 --rollouts "$rollouts" --max-steps "$steps" --format json "$@"
}

# field NAME: its numbers in JSON lines
field() { sed -n "s/.*\"$1\":\([0-9.e+-]*\).*/\1/p"; }

# matchings: instance and matching of each line
matchings() { sed -n 's/.*"instance":"\([^"]*\)".*"matching":\(\[[^]]*\]\).*/\1 \2/p'; }

gpu_mib() { nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits | sort -n | tail -1; }

instances=(nug12 nug20 nug30 tai30a sko42 sko64)
solve cpu 8 100 "${instances[@]}" | matchings >"$work/cpu"
solve "$provider" 8 100 "${instances[@]}" | matchings >"$work/gpu"
same=$(comm -12 <(sort "$work/cpu") <(sort "$work/gpu") | wc -l)

# states PROVIDER ROLLOUTS INSTANCE: states evaluated a second
states() {
  local line
  line=$(solve "$1" "$2" 60 "$3")
  awk -v steps="$(field steps <<<"$line")" -v seconds="$(field seconds <<<"$line")" 'BEGIN {printf "%.0f", steps / seconds}'
}

{
  name=$provider
  [ "$provider" != cuda ] || name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)
  echo "On $name, $(date -u +%Y-%m-%d): $same of ${#instances[@]} matchings (${instances[*]}, 8 rollouts of 100 steps) are those of the CPU."
  echo
  echo "| instance | rollouts | CPU states/s | $provider states/s | ratio | GPU memory MiB |"
  echo "|---|---:|---:|---:|---:|---:|"
  for instance in nug12 nug30 sko64; do
    for rollouts in 8 64 512; do
      memory=·
      if [ "$provider" = cuda ]; then
        before=$(gpu_mib)
        (while sleep 0.1; do gpu_mib; done >"$work/memory") &
        poll=$!
      fi
      cpu=$(states cpu "$rollouts" "$instance")
      gpu=$(states "$provider" "$rollouts" "$instance")
      if [ -n "$poll" ]; then
        kill "$poll"
        wait "$poll" 2>/dev/null || true
        poll=
        memory=$(($(sort -n "$work/memory" | tail -1) - before))
      fi
      ratio=$(awk -v g="$gpu" -v c="$cpu" 'BEGIN {printf "%.2f", g / c}')
      echo "| $instance | $rollouts | $cpu | $gpu | $ratio | $memory |"
    done
  done
} >"$work/table"

awk -v table="$work/table" '
  /<!-- cuda-check -->/ {print; while ((getline line <table) > 0) print line; inside = 1; next}
  /<!-- \/cuda-check -->/ {inside = 0}
  !inside' "$page" >"$work/page"
cat "$work/page" >"$page"
cat "$work/table"
[ "$same" -eq "${#instances[@]}" ] || {
  echo "matchings differ from those of the CPU:"
  diff "$work/cpu" "$work/gpu" || true
  exit 1
}
