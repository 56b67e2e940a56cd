#!/usr/bin/env bash
# docs.sh: the programs of docs/api/web.md and web-*.c of this folder in Chromium, in the current,
# empty directory: each in a page with the elements of its `// page:` lines. They print their
# `// expect:` lines.
set -eu
command -v "${CHROMIUM:-chromium}" > /dev/null || { echo "no chromium"; exit 77; }

awk '/^```c$/ { on = 1; n++; next } /^```/ { on = 0 } on { print > ("web-" n ".c") }' \
  "$SRC/docs/api/web.md"
cp "$SRC"/test/wasm/web-*.c .
lines_of() { sed -n "s|.*// $1: \{0,1\}||p" "$2"; }
mkdir drive
cp "$SRC/test/wasm/pages/drive.js" drive
names=
for program in web-*.c; do
  name=${program%.c}
  names="$names $name"
  "$FMCC" --cc=emcc -O1 -Wall -Wextra -o "$name.js" "$program" > words 2>&1 || { cat words; exit 1; }
  [ ! -s words ] || { cat words; exit 1; }
  { echo '<!doctype html><meta charset="utf-8">'
    lines_of page "$program"
    echo '<script>var said = []; var Module = { print: t => said.push(t) };</script>'
    echo "<script src=\"$name.js\"></script>"; } > "$name.html"
  { echo 'const expected = ['
    lines_of expect "$program" | sed "s/[\\\\']/\\\\&/g; s/.*/'&',/"
    echo '];'
    echo 'play(async () => {'
    echo '  const all = () => said.length >= expected.length;'
    echo '  await until(all).catch(() => { throw new Error("only " + said.join("|")); });'
    echo '  await sleep(20);'
    echo '  same(said.join("|"), expected.join("|"));'
    echo '});'; } > "drive/$name.js"
done
# shellcheck disable=SC2086
DRIVE=$PWD/drive node "$SRC/test/wasm/browser.js" . $names
