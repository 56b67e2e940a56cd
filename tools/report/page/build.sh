#!/bin/sh
# build.sh OUTPUT: puts the page of `fermata report` together, with the charts from npm, in one
# file. Packages are fetched once, into build/npm. Without npm or its registry one line says so,
# and nothing is made: the rest of the build goes on.
set -eu
output=$1
here=$(dirname "$0")
npm=build/npm

without() {
  echo "  PAGE     not built: $1; \`fermata report\` will have no HTML page"
  exit 0
}

command -v npm > /dev/null && command -v node > /dev/null ||
  without 'npm is not installed (tools/deps.sh page installs it)'

# The lock names versions and checksums, so what was fetched for it stays good.
if ! cmp -s "$here/package-lock.json" "$npm/fetched"; then
  mkdir -p "$npm"
  cp "$here/package.json" "$here/package-lock.json" "$npm"
  (cd "$npm" && timeout 120 npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=0 \
    --fetch-timeout=20000 --cache cache) > "$npm/log" 2>&1 ||
    without "npm could not fetch its packages ($npm/log)"
  cp "$here/package-lock.json" "$npm/fetched"
fi

echo "  PAGE     $output"
node "$here/bundle.js" "$npm/node_modules" "$output.new"
mv "$output.new" "$output"
