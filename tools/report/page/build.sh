#!/bin/sh
# build.sh OUTPUT: puts the page of `fermata report` together, with the charts from npm
# (tools/npm.sh), in one file. Without them one line says so, and nothing is made: the rest of the
# build goes on.
set -eu
output=$1
here=$(dirname "$0")

why=$("$here/../../npm.sh") || {
  echo "  PAGE     not built: $why; \`fermata report\` will have no HTML page"
  exit 0
}
echo "  PAGE     $output"
node "$here/bundle.js" build/npm/node_modules "$output.new"
mv "$output.new" "$output"
