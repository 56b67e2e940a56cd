#!/usr/bin/env bash
# run.sh [DIRECTORY]: what docs/study.md reports. Records six programs under load, each as it is
# and with -fsanitize=atomicity, in DIRECTORY (build/bench/study): traces, pages, reports as text;
# prints a table of what the paper's figures show.
#
#     web    examples/webserver, 50 connections of wrk for 2 seconds
#     chat   examples/chat.c, 200 guests (crowd.c) for 6 seconds
#     streaming   examples/streaming, 50 subscribers (subscribers.c) for 4 seconds
#     jobs   queue.c: 8 workers, 400 jobs
#     json, xml   cJSON and expat with every function async, read by several activities at a time
#
# Programs with the sanitizer are recorded for the gaps that were written; all other figures are of
# the programs as they are. Environment: FMCC, FERMATA.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
FMCC=${FMCC:-$root/build/bin/fmcc}
FERMATA=${FERMATA:-$root/build/bin/fermata}
work=${1:-$root/build/bench/study}
from=$root/bench/study
mkdir -p "$work/obj" "$work/site"
echo 'hello' > "$work/site/index.html"
. "$root/bench/field/libraries.sh"

# ---- building: WORK/NAME-off and WORK/NAME-on ----
flags() { [ "$1" = off ] || echo -fsanitize=atomicity; }
compile() { # NAME WITH FILES...
  local out=$work/$1-$2 how
  how=$(flags "$2")
  shift 2
  # shellcheck disable=SC2086
  "$FMCC" -O2 -g -w $how -o "$out" "$@"
}

build_web() { # WITH
  local web=$root/examples/webserver parser=/usr/share/llhttp include=/usr/share/include
  [ -e $parser/llhttp.c ] || return 0
  compile web "$1" "$web"/{fermata,http,syntax,site}.c $parser/{llhttp,api,http}.c \
    -DLLHTTP_STRICT_MODE=1 -isystem $include -I$include/llhttp
}

build_library() { # LIBRARY KIND WITH
  local file objects=() how
  how=$(flags "$3")
  MACROS=${how:+-DFM_ATOMICITY=1} library_text gcc "$1"
  for file in $(library_sources "$1"); do
    objects+=("$work/obj/$2-$3-${file##*/}.o")
    # shellcheck disable=SC2086
    "$FMCC" -O2 -g -w $how -c "$work/obj/text-gcc-$1-ours-${file##*/}.i" -o "${objects[-1]}"
  done
  compile "$2" "$3" "$from/$2.c" "${objects[@]}" -lm
}

build() {
  local with kind
  "$root/test/long/fetch.sh" cjson expat
  gcc -O2 -w -std=gnu11 -o "$work/obj/asyncify" "$here/asyncify.c"
  for kind in json xml; do
    awk -v kind=$kind -v records=1500 -f "$root/bench/field/documents.awk" > "$work/document.$kind"
  done
  library_names gcc cjson "$root/bench/field/json.c"
  library_names gcc expat "$root/bench/field/xml.c"
  compile crowd off "$from/crowd.c"
  compile subscribers off "$from/subscribers.c"
  for with in off on; do
    build_web $with
    compile chat $with "$root/examples/chat.c"
    compile streaming $with "$root"/examples/streaming/{server,http,websocket,handshake,market}.c -lm
    compile jobs $with "$from/queue.c"
    build_library cjson json $with
    build_library expat xml $with
  done
}

# ---- running ----
# serve NAME WITH ARGUMENTS COMMAND...: the server with its trace, and the command that puts load on
# it, which gets the port.
serve() {
  local name=$1-$2 arguments=$3 port=
  shift 3
  [ -e "$work/$name" ] || return 0
  rm -f "$work/$name.out"
  # shellcheck disable=SC2086
  FERMATA_ATOMICITY=exit=0,log=$work/$name.log FERMATA_TRACE=$work/$name.fmtrace \
    "$work/$name" $arguments > "$work/$name.out" 2> "$work/$name.err" &
  server=$!
  for _ in $(seq 200); do
    port=$(head -n 1 "$work/$name.out" 2> /dev/null | grep -o '[0-9][0-9]*' | tail -n 1)
    [ -z "$port" ] || break
    sleep 0.05
  done
  "$@" "$port" > "$work/$name.load" 2>&1 || :
  kill -TERM $server
  wait $server || :
}
web_load() { wrk -t1 -c50 -d2s "http://127.0.0.1:$1/"; }
chat_load() { "$work/crowd-off" "$1" 200 6; }
streaming_load() { "$work/subscribers-off" "$1" 50 4; }

trace_of() { # NAME WITH ARGUMENTS...
  local name=$1-$2
  shift 2
  FERMATA_ATOMICITY=exit=0,log=$work/$name.log FERMATA_TRACE=$work/$name.fmtrace \
    "$work/$name" "$@" > "$work/$name.out"
}

record() {
  local with
  for with in off on; do
    ! command -v wrk > /dev/null || serve web $with "-m $work/site" web_load
    serve chat $with '' chat_load
    serve streaming $with "-p 0 -d $work/site" streaming_load
    trace_of jobs $with 400
    trace_of json $with "$work/document.json"
    trace_of xml $with "$work/document.xml"
  done
}

[ "${BUILT:-}" = yes ] || build
record
for trace in "$work"/*.fmtrace; do
  "$FERMATA" report -o "${trace%.fmtrace}.html" "$trace" 2> /dev/null
  "$FERMATA" report --text "$trace" > "${trace%.fmtrace}.txt"
  "$FERMATA" report --json "$trace" > "${trace%.fmtrace}.json"
done
python3 "$from/table.py" "$work" web chat streaming jobs json xml
