#!/usr/bin/env bash
# ARCHITECTURE.md is complete and true: its map names every source file of the compiler, the runtime,
# the library, the headers and the tools, in the folder where it lives, and no file that does not
# exist; and each "file: function" of its walks can be found in that file.
set -eu
cd "$SRC"

# "    folder/ …" begins a folder, "      a.c, b.h  text" names files of it.
awk '/^    [a-z]+\/[a-z\/]*( |$)/ { folder = $1 }
     /^      [a-z]/ {
       for (i = 1; i <= NF; i++) {
         name = $i
         more = sub(/,$/, "", name)
         if (name ~ /\.[a-z]+$/) print folder name
         if (!more) break
       }
     }' ARCHITECTURE.md | sort > "$OLDPWD/named"
find compiler runtime library include tools -name '*.[ch]' -o -path 'tools/*.sh' -o -path 'tools/*.py' \
  -o -path 'tools/*.js' -o -path 'tools/*.css' -o -path 'tools/*.html' |
  sort > "$OLDPWD/there"
[ -s "$OLDPWD/named" ]
diff "$OLDPWD/named" "$OLDPWD/there" || { echo "< on the map alone, > missing on the map"; exit 1; }

# Each hop is `folder/file.c: function`, perhaps broken across lines; in the walks a bare `function`
# after it is one of the same file. (f and g are functions of the user's.)
walks() { sed -n '/^### An async call/,/^## /p' ARCHITECTURE.md; }
hops() { tr -s ' \n' ' ' | grep -oE '`[a-z]+/[a-z/-]+\.[ch]: [a-z_0-9]+`|`[a-z_0-9]+`' | tr -d '`:'; }
hops < ARCHITECTURE.md | grep / > "$OLDPWD/hops"
walks | hops | awk 'NF == 2 { file = $1; next } !/^[fg]__|^[a-z]$/ { print file, $1 }' >> "$OLDPWD/hops"
[ "$(wc -l < "$OLDPWD/hops")" -gt 40 ]
while read -r file name; do
  grep -qE "\b$name(__fm_call)?\(" "$file" ||
    { echo "ARCHITECTURE.md: $file has no function $name"; exit 1; }
done < "$OLDPWD/hops"
