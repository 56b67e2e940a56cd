#!/usr/bin/env bash
# comparison.sh: writes the table of docs/comparison.md from the files of docs/comparison/, or
# checks it.
#
#   tools/comparison.sh            rewrites the table in place
#   tools/comparison.sh --check    prints the difference and fails if the table is out of date
#
# A case stands between `case: NAME` and `end` in comments, in each language. Its lines are counted
# that are neither empty nor a comment.
set -eu
cd "$(dirname "$0")/../docs/comparison"
page=../comparison.md

table() {
  awk '
    FNR == 1 { column++ }
    /^(\/\/|#) case: / {
      name = substr($0, index($0, ":") + 2)
      if (column == 1) order[++n] = name
      lines[name, column] = 0
      next
    }
    /^(\/\/|#) end/ { name = ""; next }
    name != "" && NF && !/^ *(\/\/|#)/ { lines[name, column]++ }
    END {
      print "| case | Fermata | Go | Trio | Kotlin | RxJS |"
      print "| --- | --- | --- | --- | --- | --- |"
      for (i = 1; i <= n; i++) {
        row = "| " order[i]
        for (k = 1; k <= column; k++)
          row = row " | " ((order[i], k) in lines ? lines[order[i], k] : "")
        print row " |"
      }
    }' cases.c cases.go cases.py cases.kt cases.mjs
}

rewritten() {
  awk -v table="$(table)" '
    /^<!-- table -->/ { print; print table; skipping = 1; next }
    /^<!-- end -->/ { skipping = 0 }
    !skipping' "$page"
}

if [ "${1:-}" = --check ]; then
  diff -u "$page" <(rewritten) || { echo "docs/comparison.md: run tools/comparison.sh"; exit 1; }
else
  rewritten > "$page.new"
  mv "$page.new" "$page"
fi
