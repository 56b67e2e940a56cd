# The page of `fermata report` in Chromium: figures are drawn, the numbers shown are those of the
# data, a run of 10^6 events opens, light, dark and narrow, no complaint and no request.
. "$SRC/test/driver/common.bash"
[ "$CC" = gcc ] || exit 77

# Without npm, or where its registry does not answer, one line says so and the build goes on.
build=$SRC/tools/report/page/build.sh
mkdir bin
ln -s "$(command -v dirname)" bin/dirname
PATH=$PWD/bin /bin/sh "$build" page.html > said
has said 'not built: npm is not installed'
if command -v npm > /dev/null; then
  npm_config_registry=http://127.0.0.1:9 "$build" page.html > said
  has said 'not built: npm could not fetch'
fi
[ "$(wc -l < said)" = 1 ] || fail "more than one line"
absent page.html page.html.new

template=$SRC/build/share/fermata/report.html
command -v node > /dev/null || { echo "no node"; exit 77; }
[ -e "$template" ] || { echo "the page was not built: no npm, or no registry"; exit 77; }

# One file: nothing in it may be fetched from elsewhere, and the marker is there once.
[ "$(grep -o '@FERMATA_DATA@' "$template" | wc -l)" = 1 ] || fail "the marker of the data"
! grep -nE '<(script|link|img|iframe)[^>]*(src|href)="[a-z]+:?//' "$template" || fail "a reference"
! grep -nE 'resolved|://' "$SRC/tools/report/page/package-lock.json" || fail "a host in the lock"

# Real runs: their numbers are computed once more from their turns, and the page shows them.
fermata=${FMCC%fmcc}fermata
if "$fermata" report --help > help 2> err; then
  for program in atomic pipeline race; do
    FERMATA_DRIVER=virtual "$fermata" record -o $program.fmtrace "$SRC/examples/$program.c" > out 2>&1 < /dev/null ||
      { cat out; fail "record $program"; }
    "$fermata" report --json -o $program.json $program.fmtrace
  done
  node "$SRC/test/report/check-data.js" ./*.json > out || { cat out; fail "the numbers of a run"; }
  "$fermata" report -o race.html race.fmtrace
  grep -q 'id="data">{"version":1' race.html || fail "the page of a run"
fi

shopt -s nullglob
TMPDIR=$PWD node "$SRC/test/report/page-test.js" "$template" ./*.json > out 2> err || {
  status=$?
  cat out err
  exit "$status"
}
has out 'events were open after'
