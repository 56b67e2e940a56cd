#!/bin/sh
# npm.sh: fetches what the pages take from others (tools/report/page/package.json) into build/npm of
# the current directory, once. Without npm, or its registry, it fails with one line that says why.
set -eu
from=$(dirname "$0")/report/page
npm=build/npm

without() {
  echo "$1"
  exit 1
}

command -v npm > /dev/null && command -v node > /dev/null ||
  without 'npm is not installed (tools/deps.sh page installs it)'

# The lock names versions and checksums, so what was fetched for it stays good.
if ! cmp -s "$from/package-lock.json" "$npm/fetched"; then
  mkdir -p "$npm"
  cp "$from/package.json" "$from/package-lock.json" "$npm"
  (cd "$npm" && timeout 120 npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=0 \
    --fetch-timeout=20000 --cache cache) > "$npm/log" 2>&1 ||
    without "npm could not fetch its packages ($npm/log)"
  cp "$from/package-lock.json" "$npm/fetched"
fi
