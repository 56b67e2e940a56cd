#!/usr/bin/env bash
# cost.sh [PACKAGE...]: what translation costs beside the C compiler's own run. For every C file of
# the packages, as their builds compile it, preprocessed once: `fmcc --emit-c=compiled` (reading,
# translating, printing) against `cc -O2 -c` on the same text; user+system time, best of RUNS (3).
# Then the same for the largest file alone (the sqlite amalgamation), with memory. Prints the ratios
# of each package and of all. The bar: verbatim at most 10 %, the amalgamation under a second.
# Environment: FMCC, CC (gcc), MODES ("verbatim reprint"), RUNS.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/test/lib/records.sh"
FMCC=${FMCC:-$root/build/bin/fmcc}
cc=${CC:-gcc}
modes=${MODES:-verbatim reprint}
work=$root/build/bench/$$
unset CC
export CCACHE_DISABLE=1

build_measure() {
  mkdir -p "$work"
  "$cc" -O2 -Wall -Wextra -o "$work/measure" "$root/bench/measure.c"
}

measure() { "$work/measure" "${RUNS:-3}" "$@"; }

# Prints `PACKAGE FILE LINES CC MODE TIME…` for one compilation; times in seconds.
measure_file() {
  local package=$1 record=$2 args input mode
  (
    records_load "$package" "$record"
    "$cc" "${args[@]}" -E -o "$work/text.i" "$input"
    printf '%s %s %s' "$package" "${input##*/}" "$(wc -l < "$work/text.i")"
    printf ' %s' "$(measure "$cc" "${args[@]}" -O2 -c -o "$work/text.o" "$work/text.i" | cut -d' ' -f1)"
    for mode in $modes; do
      printf ' %s' "$(measure "$FMCC" --cc="$cc" --emit-c=compiled --translate="$mode" "${args[@]}" "$work/text.i" | cut -d' ' -f1)"
    done
    echo
  )
}

# The same source compiled twice (for a shared library, say) counts once.
measure_all() {
  local package record file
  records_list "$@" | awk '!seen[$1 " " $3]++' | while read -r package record file; do measure_file "$package" "$record"; done
}

table() {
  awk -v modes="$modes" '
    function row(name, n, lines, base, sums,   i, text) {
      text = sprintf("%-10s %5d files %8d lines   cc -O2 %8.3f s", name, n, lines, base)
      for (i = 1; i <= count; i++) text = text sprintf("   %s %7.3f s %5.1f %%", mode[i], sums[i], 100 * sums[i] / base)
      print text
    }
    BEGIN { count = split(modes, mode, " ") }
    !($1 in n) { order[++packages] = $1 }
    { n[$1]++; lines[$1] += $3; base[$1] += $4; all_n++; all_lines += $3; all_base += $4 }
    { for (i = 1; i <= count; i++) { time[$1, i] += $(4 + i); all[i] += $(4 + i) } }
    END {
      for (p = 1; p <= packages; p++) {
        for (i = 1; i <= count; i++) one[i] = time[order[p], i]
        row(order[p], n[order[p]], lines[order[p]], base[order[p]], one)
      }
      row("all", all_n, all_lines, all_base, all)
      print "\n| what | ours | beside it | ratio | bar | |\n| --- | --- | --- | --- | --- | --- |"
      for (i = 1; i <= count; i++) {
        share = 100 * all[i] / all_base
        printf "| translating a file (%d packages), %s | %.2f s | cc -O2 %.2f | %.1f %% | %s | %s |\n", packages, mode[i], all[i],
          all_base, share, mode[i] == "verbatim" ? "10 %" : "", mode[i] != "verbatim" ? "" : share <= 10 ? "met" : "NOT MET"
      }
    }'
}

# The largest file alone, with the memory it takes.
amalgamation() {
  local args input mode time peak record
  record=$(records_list sqlite3 | awk '$3 == "sqlite3.c" { print $2; exit }')
  [ -n "$record" ] || return 0
  (
    records_load sqlite3 "$record"
    "$cc" "${args[@]}" -E -o "$work/text.i" "$input"
    for mode in $modes; do
      read -r time peak < <(measure "$FMCC" --cc="$cc" --emit-c=compiled --translate="$mode" "${args[@]}" "$work/text.i")
      echo "sqlite3.c ($(wc -l < "$input") lines, preprocessed $(wc -c < "$work/text.i") bytes) $mode: $time s, peak memory $peak kB"
    done
  )
}

main() {
  [ $# -gt 0 ] || set -- $RECIPE_PACKAGES
  records_make "$@"
  build_measure
  trap 'rm -rf "$work"' EXIT
  echo "translation against $("$cc" --version | head -n 1)"
  measure_all "$@" > "$work/times"
  table < "$work/times"
  case " $* " in *" sqlite3 "*) amalgamation ;; esac
}

main "$@"
