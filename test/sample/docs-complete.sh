#!/usr/bin/env bash
# docs/api is what tools/api.sh makes of the headers. Each public function (fm_…) of fermata.h and
# fermata/*.h is described on exactly one of its pages, by its signature; an example on one of the
# pages calls it. (The functions of posix.h are called by their POSIX names.) And nothing is described
# there that does not exist. No line of the documentation, except in tables, is wider than 100 columns.
set -eu

if (cd "$SRC" && LC_ALL=C.UTF-8 grep -nE '^[^|].{100,}' docs/*.md docs/api/*.md ./*.md); then
  echo "these lines are wider than 100 columns"
  exit 1
fi

"$SRC/tools/api.sh" --check

# Names followed by a parenthesis, outside of comments.
public() {
  sed 's|//.*||' "$SRC"/include/fermata.h "$SRC"/include/fermata/*.h |
    grep -oE '\bfm_[a-z0-9_]+ *\(' | tr -d ' (' | grep -v -e '^fm__' -e '__fm_' | sort -u
}

# text FILE, examples FILE: what stands outside of, and inside of, the blocks of code.
text() { awk '/^```/ { on = !on; next } !on' "$1"; }
examples() { awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' "$1"; }

public > names
for page in "$SRC"/docs/api/*.md; do
  # the function of each signature, and the types that a typedef makes
  { text "$page" |
      awk '/^(\* |  )`/ && match($0, /fm_[a-z0-9_]+\(/) { print substr($0, RSTART, RLENGTH - 1) }'
    text "$page" | { grep -oE '(typedef|asyncdirect.*) fm_[a-z]+' || true; } | sed 's/.* //'; } | sort -u
done | sort > described
for page in "$SRC"/docs/api/*.md; do examples "$page"; done > code
[ -s names ] && [ -s described ] || { echo "nothing found"; exit 1; }

bad=0
complain() { echo "$*"; bad=1; }
while read -r name; do
  n=$(grep -c -x -e "$name" described || true)
  [ "$n" = 1 ] || complain "$name is described on $n pages of docs/api"
  grep -qE "\b${name#fm_posix_} *\(" code || complain "no example of docs/api calls $name"
done < names
while read -r name; do
  grep -qx -e "$name" names || complain "docs/api describes $name, which no header declares"
done < <(uniq described)
exit $bad
