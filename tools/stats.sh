#!/usr/bin/env bash
# stats.sh: how large the code is: lines of every file, and how long functions are (from the line that names a function to
# its closing brace): median, 90th percentile and the ten longest. Reads C as this project lays it out: a function starts
# in the first column, its closing brace stands there too.
set -eu
cd "$(dirname "$0")/.."

sources() {
  find compiler runtime library tools include examples bench fuzz test -name '*.[ch]' 2>/dev/null | LC_ALL=C sort
}

lines_per_file() {
  sources | xargs wc -l | awk '
    $2 == "total" { next }
    { split($2, part, "/"); sum[part[1]] += $1; files[part[1]]++ }
    part[1] != "test" && part[1] != "fuzz" { printf "%7d  %s\n", $1, $2 }
    END { print ""; for (p in sum) printf "%7d  in %d files of %s/\n", sum[p], files[p], p }'
}

# Prints `LENGTH FILE:LINE NAME` for every function of the project's own code.
functions() {
  sources | grep -E '^(compiler|runtime|library|tools)/.*\.c$' | xargs awk '
    function name_of(text) { sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); return text }
    function found() { print FNR - start + 1, FILENAME ":" start, name_of(head) }
    FNR == 1 { head = ""; inside = 0 }
    inside { if (/^}/) { found(); inside = 0; head = "" }; next }
    /^[A-Za-z_]/ { head = $0; start = FNR }
    /^[}#\/]/ || /[;,]$/ && !/\(/ { head = "" }
    head ~ /;$/ { head = "" }
    head ~ /\(/ && head !~ /=/ && /[)] *{ .*}$/ { found(); head = ""; next }
    head ~ /\(/ && head !~ /=/ && /{$/ { inside = 1 }'
}

function_lengths() {
  functions | sort -rn | awk '
    { length_of[NR] = $1; line[NR] = $0 }
    END {
      if (NR == 0) exit
      printf "functions: %d, median %d lines, 90 %% within %d lines\n", NR, length_of[int((NR + 1) / 2)], length_of[int(NR / 10) + 1]
      print "longest:"
      for (i = 1; i <= NR && i <= 10; i++) { split(line[i], f, " "); printf "%7d  %s (%s)\n", f[1], f[3], f[2] }
    }'
}

lines_per_file
echo
function_lengths
