#!/usr/bin/env bash
# run.sh [QUESTION...]: builds our programs and the peers' of the questions (calls yields size spawn
# switch skynet memory timers cancel channels sync streams pool field), runs them in rotation, takes
# the smallest of each figure and prints Markdown tables, laid out by `bars`: ours, what is beside
# it, the ratio, the bar and whether it is met. Standard output has nothing but these tables;
# `make bench > file`.
#
# What is judged runs ROUNDS (9) times, since some programs differ by a quarter from one process to
# the next (C++20 switch: 2.9 or 3.7 ns); other peers run once. A peer not installed is left out.
#
# Every program prints lines `FIGURE VALUE`, checks its own result, and takes the best of many
# chunks itself. What is compared with plain C takes turns with it inside one program; the others
# take turns as programs. Fails when a program fails or gives a wrong result; a bar that is not met
# fails nothing. docs/performance.md says how each row is measured. Environment: FMCC, ROUNDS,
# CFLAGS (-O2), CCS ("gcc clang"), WORK (build/bench/core), PEERS (no: C and C++20 alone),
# BENCH_MOMENT (set: one chunk of each program, which shows that it works and no more).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bench=$root/bench
FMCC=${FMCC:-$root/build/bin/fmcc}
rounds=${ROUNDS:-9}
work=${WORK:-$root/build/bench/core}
cflags="${CFLAGS:--O2} -Wall -Wextra"
# Where a function begins relative to a line of the cache is worth 10 % of a call: the same for all.
aligned="$cflags -falign-functions=64"
export CCACHE_DISABLE=1 # a compiler that is found in a cache takes no time
ccs=$(for cc in ${CCS:-gcc clang}; do ! command -v "$cc" >/dev/null || echo "$cc"; done)
. "$bench/field/build.sh"

have() { command -v "$1" >/dev/null; }
with_gcc() { grep -qx gcc <<< "$ccs"; } # for what is measured with one compiler alone
wanted() { [ "${PEERS:-}" != no ]; }

# ---- building: each leaves programs WORK/QUESTION/NAME ----
# lang CC OUTPUT ARGS...: Fermata.
lang() { local cc=$1 out=$2; shift 2; "$FMCC" --cc="$cc" $aligned -o "$out" "$@"; }
c() { local out=$1; shift; gcc $aligned -o "$out" "$@"; }
cpp() {
  local cc=$1 out=$2
  shift 2
  "$cc" -std=c++20 $aligned -Wno-deprecated-enum-float-conversion -o "$out" "$@"
}
go_build() {
  ! wanted || ! have go ||
    (cd "$work" && GOCACHE=$work/go GOFLAGS=-mod=mod GO111MODULE=off go build -o "$1" "$2")
}
erlang() { # OUTPUT SOURCE [SCHEDULERS]: a script that runs the module on one scheduler
  local module=${2##*/}
  wanted && have erlc || return 0
  erlc -o "${1%/*}" "$2"
  printf '#!/bin/sh\nexec erl +S %s +P 2000000 -noshell -pa %q -s %s main\n' \
    "${3:-1}" "${1%/*}" "${module%.erl}" > "$1"
  chmod +x "$1"
}
fiber() {
  ! wanted || [ ! -e /usr/include/boost/fiber/all.hpp ] ||
    cpp g++ "$1" "$2" -lboost_fiber -lboost_context -lpthread
}
st() { ! wanted || [ ! -e /usr/include/st.h ] || c "$1" "$2" -lst; }

script() { # OUTPUT COMMAND...
  local out=$1
  shift
  { printf '#!/bin/sh\nexec'; printf ' %q' "$@"; echo; } > "$out"
  chmod +x "$out"
}

# both QUESTION PART OURS THEIRS: programs [PART-]gcc and clang of a source of ours, [PART-]cpp20
# and cpp20clang of the same in C++20, by the C++ compiler of the same family. PART may be ''.
both() {
  local to=$work/$1/${2:+$2-} from=$bench/$1 cc
  for cc in $ccs; do
    lang "$cc" "$to$cc" "$from/$3"
    case $cc in
      gcc) cpp g++ "${to}cpp20" "$from/$4" ;;
      clang) ! have clang++ || cpp clang++ "${to}cpp20clang" "$from/$4" ;;
    esac
  done
}

build_calls_with() {
  local cc=$1 side=$2 from=$bench/calls part; shift 2
  "$@" $aligned -DPREFIX="${side}_" -c -o "$o-$side-leaf.o" "$from/leaf.c"
  "$@" $aligned -DPREFIX="${side}_" -c -o "$o-$side-self.o" "$from/self.c"
  for part in ab ba; do
    "$@" $aligned -DPREFIX="${side}_" -DME="${part%?}" -DTWIN="${part#?}" \
      -c -o "$o-$side-$part.o" "$from/twin.c"
  done
}
build_calls() {
  local cc o
  for cc in $ccs; do
    o=$work/obj/calls-$cc
    build_calls_with "$cc" plain "$cc" -DPLAIN
    build_calls_with "$cc" on "$FMCC" --cc="$cc"
    build_calls_with "$cc" off "$FMCC" --cc="$cc" -fauto-yield=off
    lang "$cc" "$work/calls/$cc" "$bench/calls/main.c" "$o"-*.o
  done
  ! with_gcc || cpp g++ "$work/calls/cpp20" "$bench/calls/cpp20.cc"
  go_build "$work/calls/go" "$bench/calls/calls.go"
}

build_yields() {
  local cc o
  for cc in $ccs; do
    o=$work/obj/yields-$cc
    "$cc" $aligned -DPLAIN -DPREFIX=plain_ -c -o "$o-plain.o" "$bench/yields/loops.c"
    "$FMCC" --cc="$cc" $aligned -DPREFIX=fm_ -c -o "$o-fm.o" "$bench/yields/loops.c"
    lang "$cc" "$work/yields/$cc" "$bench/yields/main.c" "$bench/yields/tally.c" "$o"-*.o
  done
}

build_spawn() {
  both spawn '' language.c cpp20.cc
  both spawn real real.c real.cc
  ! wanted || c "$work/spawn/pthread" "$bench/spawn/pthread.c" -lpthread
  fiber "$work/spawn/fiber" "$bench/spawn/fiber.cc"
  st "$work/spawn/st" "$bench/spawn/st.c"
  go_build "$work/spawn/go" "$bench/spawn/spawn.go"
  erlang "$work/spawn/erlang" "$bench/spawn/spawning.erl"
}

build_switch() {
  both switch '' language.c cpp20.cc
  both switch real real.c real.cc
  ! wanted || c "$work/switch/pthread" "$bench/switch/pthread.c" -lpthread
  fiber "$work/switch/fiber" "$bench/switch/fiber.cc"
  st "$work/switch/st" "$bench/switch/st.c"
  go_build "$work/switch/go" "$bench/switch/switch.go"
  erlang "$work/switch/erlang" "$bench/switch/switching.erl"
}

build_memory() {
  both memory '' language.c cpp20.cc
  both memory chan chan.c chan.cc
  go_build "$work/memory/go" "$bench/memory/memory.go"
  erlang "$work/memory/erlang" "$bench/memory/memory.erl"
}

build_skynet() {
  both skynet '' language.c cpp20.cc
  both skynet real real.c real.cc
  go_build "$work/skynet/go" "$bench/skynet/skynet.go"
  erlang "$work/skynet/erlang" "$bench/skynet/skynet.erl"
}

build_timers() { both timers '' language.c cpp20.cc; }

build_cancel() { # in virtual time
  local cc
  for cc in $ccs; do
    lang "$cc" "$work/obj/cancel-$cc" "$bench/cancel/language.c"
    script "$work/cancel/$cc" env FERMATA_DRIVER=virtual "$work/obj/cancel-$cc"
  done
}

build_channels() {
  both channels '' language.c cpp20.cc
  both channels real real.c real.cc
  both channels room room.c room.cc
  ! with_gcc || lang gcc "$work/channels/cross" "$bench/channels/cross.c"
  go_build "$work/channels/go" "$bench/channels/channels.go"
  erlang "$work/channels/erlang" "$bench/channels/messages.erl"
  fiber "$work/channels/fiber" "$bench/channels/fiber.cc"
  go_build "$work/channels/gocross" "$bench/channels/crossing.go"
  erlang "$work/channels/erlangcross" "$bench/channels/crossing.erl" 2
  go_build "$work/channels/goroom" "$bench/channels/room.go"
  erlang "$work/channels/erlangroom" "$bench/channels/room.erl"
  fiber "$work/channels/fiberroom" "$bench/channels/room-fiber.cc"
}

build_pool() { # two processors for all
  if with_gcc; then
    lang gcc "$work/pool/gcc" "$bench/pool/language.c"
    lang gcc "$work/pool/accept-gcc" "$bench/pool/accept.c" -lpthread
    cpp g++ "$work/pool/threads-cpp20" "$bench/pool/threads.cc" -lpthread
  fi
  go_build "$work/pool/go" "$bench/pool/pool.go"
  go_build "$work/pool/accept-go" "$bench/pool/accept.go"
  erlang "$work/pool/erlang" "$bench/pool/pools.erl" 2
}

build_sync() { # what one needs every day
  local cc
  for cc in $ccs; do
    lang "$cc" "$work/sync/$cc" "$bench/sync/language.c"
    lang "$cc" "$work/obj/waiters-$cc" "$bench/sync/waiters.c"
    ! have valgrind ||
      script "$work/sync/once-waiters-$cc" "$bench/sync/waiters.sh" "$work/obj/waiters-$cc" \
        "$work/obj"
  done
  go_build "$work/sync/go" "$bench/sync/sync.go"
}

build_streams() { # RxJS comes from npm, into the work directory
  local cc
  for cc in $ccs; do lang "$cc" "$work/streams/$cc" "$bench/streams/language.c"; done
  wanted && have npm || return 0
  npm install --silent --no-audit --no-fund --prefix "$work/npm" rxjs@7 >/dev/null 2>&1 || return 0
  script "$work/streams/rxjs" env NODE_PATH="$work/npm/node_modules" \
    node "$bench/streams/rxjs.js"
}

# Not programs to run but compilations to measure: a script that prints text (bytes) and compile
# (ms) of both sides.
build_size() {
  local cc
  c "$work/obj/measure" "$bench/measure.c"
  awk -v functions=40 -f "$bench/size/heavy.awk" > "$work/obj/heavy.c"
  for cc in $ccs; do
    script "$work/size/$cc" "$bench/size/cost.sh" "$cc" "$FMCC" "$work/obj"
  done
}

# ---- running ----
# Appends `QUESTION.PROGRAM.FIGURE VALUE` to the results.
run_one() {
  local question=$1 program=$2
  if ! (cd "$work/tmp" && "$work/$question/$program") > "$work/out"; then
    echo "run.sh: $question: $program failed" >&2
    exit 1
  fi
  awk -v at="$question.$program" 'NF == 2 { print at "." $1, $2 }' "$work/out" >> "$work/results"
}

# Sizes do not change, and what is far away need not be exact.
is_judged() {
  case $1.$2 in
    memory.* | size.* | timers.* | cancel.* | yields.* | *.room-* | *.once-*) return 1 ;;
    field.* | *.gcc | *.clang | *-gcc | *-clang | *cpp20 | *cpp20clang | *.rxjs) return 0 ;;
    *) return 1 ;;
  esac
}

run_question() {
  local question=$1 round program
  for round in $(seq "$rounds"); do
    for program in "$work/$question"/*; do
      [ -f "$program" ] && [ -x "$program" ] || continue
      [ "$round" = 1 ] || is_judged "$question" "${program##*/}" || continue
      run_one "$question" "${program##*/}"
    done
  done
}

version_of() {
  ! have "$1" || "$@" 2>&1 | grep -oE '[0-9]+\.[0-9.]+' | head -n 1 | sed "s/^/$1 /"
}

machine() {
  local model
  model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
  echo "$(nproc) processors ($model); $(version_of gcc --version), $(version_of clang --version)" \
    "${CFLAGS:--O2}; $(version_of g++ --version); $(version_of go version);" \
    "load $(cut -d' ' -f1 /proc/loadavg);" \
    "$(date '+%-d %B %Y')."
}

main() {
  local question
  [ $# -gt 0 ] || set -- calls yields size switch spawn skynet memory timers cancel channels \
    sync streams pool field
  rm -rf "$work"
  mkdir -p "$work/obj" "$work/go" "$work/tmp"
  : > "$work/results"
  for question in "$@"; do
    mkdir -p "$work/$question"
    echo "bench: $question" >&2
    "build_$question"
    run_question "$question"
  done
  cat "$bench/bars" "$bench/field/bars" > "$work/bars"
  awk -v base="$(machine)" -f "$bench/table.awk" "$work/results" "$work/bars"
}

main "$@"
