#!/usr/bin/env bash
# run.sh [QUESTION...]: builds ours and the peers' programs of the questions (calls yields spawn switch memory skynet timers cancel channels
# pool size),
# runs them in rotation, takes the smallest of each figure and prints one table: ours, what it is measured against, the
# ratio, ARCHITECTURE.md's bar and whether it is met; then the peers. Ours and what it is measured against run ROUNDS (9)
# times, since some differ by a quarter from one process to the next (C++20 switch: 2.9 or 3.7 ns); peers once. A peer not
# installed is left out.
#
# Every program prints lines `FIGURE VALUE`, checks its own result, and takes the best of many chunks itself. What is
# compared with plain C takes turns with it inside one program; the others take turns as programs.
# Fails when a program fails or gives a wrong result; a bar that is not met fails nothing.
# Environment: FMCC, ROUNDS, CFLAGS (-O2).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bench=$root/bench
FMCC=${FMCC:-$root/build/bin/fmcc}
rounds=${ROUNDS:-9}
work=$root/build/bench/core
cflags="${CFLAGS:--O2} -Wall -Wextra"
# Where a function begins relative to a line of the cache is worth 10 % of a call: the same place for all.
aligned="$cflags -falign-functions=64"

have() { command -v "$1" >/dev/null; }

# ---- building: each leaves programs build/bench/core/QUESTION/NAME ----
# lang CC OUTPUT ARGS...: Fermata.
lang() { local cc=$1 out=$2; shift 2; "$FMCC" --cc="$cc" $aligned -o "$out" "$@"; }
c() { local out=$1; shift; gcc $aligned -o "$out" "$@"; }
cpp() { local cc=$1 out=$2; shift 2; "$cc" -std=c++20 $aligned -Wno-deprecated-enum-float-conversion -o "$out" "$@"; }
go_build() { ! have go || (cd "$work" && GOCACHE=$work/go GOFLAGS=-mod=mod GO111MODULE=off go build -o "$1" "$2"); }
erlang() { # OUTPUT SOURCE [SCHEDULERS]: a script that runs the module on one scheduler
  local module=${2##*/}
  have erlc || return 0
  erlc -o "${1%/*}" "$2"
  printf '#!/bin/sh\nexec erl +S %s +P 2000000 -noshell -pa %q -s %s main\n' "${3:-1}" "${1%/*}" "${module%.erl}" > "$1"
  chmod +x "$1"
}
fiber() { [ ! -e /usr/include/boost/fiber/all.hpp ] || cpp g++ "$1" "$2" -lboost_fiber -lboost_context -lpthread; }
st() { [ ! -e /usr/include/st.h ] || c "$1" "$2" -lst; }

build_calls_with() {
  local cc=$1 side=$2 from=$bench/calls part; shift 2
  "$@" $aligned -DPREFIX="${side}_" -c -o "$o-$side-leaf.o" "$from/leaf.c"
  "$@" $aligned -DPREFIX="${side}_" -c -o "$o-$side-self.o" "$from/self.c"
  for part in ab ba; do
    "$@" $aligned -DPREFIX="${side}_" -DME="${part%?}" -DTWIN="${part#?}" -c -o "$o-$side-$part.o" "$from/twin.c"
  done
}
build_calls() {
  local cc o
  for cc in gcc clang; do
    have "$cc" || continue
    o=$work/obj/calls-$cc
    build_calls_with "$cc" plain "$cc" -DPLAIN
    build_calls_with "$cc" on "$FMCC" --cc="$cc"
    build_calls_with "$cc" off "$FMCC" --cc="$cc" -fauto-yield=off
    lang "$cc" "$work/calls/$cc" "$bench/calls/main.c" "$o"-*.o
  done
  cpp g++ "$work/calls/cpp20" "$bench/calls/cpp20.cc"
  ! have clang++ || cpp clang++ "$work/calls/cpp20clang" "$bench/calls/cpp20.cc"
  go_build "$work/calls/go" "$bench/calls/calls.go"
}

build_yields() {
  local cc o
  for cc in gcc clang; do
    have "$cc" || continue
    o=$work/obj/yields-$cc
    "$cc" $aligned -DPLAIN -DPREFIX=plain_ -c -o "$o-plain.o" "$bench/yields/loops.c"
    "$FMCC" --cc="$cc" $aligned -DPREFIX=fm_ -c -o "$o-fm.o" "$bench/yields/loops.c"
    lang "$cc" "$work/yields/$cc" "$bench/yields/main.c" "$bench/yields/tally.c" "$o"-*.o
  done
}

build_spawn() {
  lang gcc "$work/spawn/ours" "$bench/spawn/language.c"
  lang gcc "$work/spawn/hand" "$bench/spawn/fermata.c"
  cpp g++ "$work/spawn/cpp20" "$bench/spawn/cpp20.cc"
  c "$work/spawn/pthread" "$bench/spawn/pthread.c" -lpthread
  fiber "$work/spawn/fiber" "$bench/spawn/fiber.cc"
  st "$work/spawn/st" "$bench/spawn/st.c"
  go_build "$work/spawn/go" "$bench/spawn/spawn.go"
  erlang "$work/spawn/erlang" "$bench/spawn/spawning.erl"
}

build_switch() {
  lang gcc "$work/switch/ours" "$bench/switch/language.c"
  lang gcc "$work/switch/hand" "$bench/switch/fermata.c"
  cpp g++ "$work/switch/cpp20" "$bench/switch/cpp20.cc"
  c "$work/switch/pthread" "$bench/switch/pthread.c" -lpthread
  fiber "$work/switch/fiber" "$bench/switch/fiber.cc"
  st "$work/switch/st" "$bench/switch/st.c"
  go_build "$work/switch/go" "$bench/switch/switch.go"
  erlang "$work/switch/erlang" "$bench/switch/switching.erl"
}

build_memory() {
  lang gcc "$work/memory/ours" "$bench/memory/language.c"
  cpp g++ "$work/memory/cpp20" "$bench/memory/cpp20.cc"
  go_build "$work/memory/go" "$bench/memory/memory.go"
  erlang "$work/memory/erlang" "$bench/memory/memory.erl"
}

build_skynet() {
  lang gcc "$work/skynet/ours" "$bench/skynet/language.c"
  cpp g++ "$work/skynet/cpp20" "$bench/skynet/cpp20.cc"
  go_build "$work/skynet/go" "$bench/skynet/skynet.go"
  erlang "$work/skynet/erlang" "$bench/skynet/skynet.erl"
}

build_timers() {
  lang gcc "$work/timers/ours" "$bench/timers/language.c"
}

build_cancel() { # in virtual time
  lang gcc "$work/obj/cancel" "$bench/cancel/language.c"
  printf '#!/bin/sh\nFERMATA_DRIVER=virtual exec %q\n' "$work/obj/cancel" > "$work/cancel/ours"
  chmod +x "$work/cancel/ours"
}

build_channels() {
  lang gcc "$work/channels/ours" "$bench/channels/language.c"
  cpp g++ "$work/channels/cpp20" "$bench/channels/cpp20.cc"
  go_build "$work/channels/go" "$bench/channels/channels.go"
  erlang "$work/channels/erlang" "$bench/channels/messages.erl"
  fiber "$work/channels/fiber" "$bench/channels/fiber.cc"
  lang gcc "$work/channels/cross" "$bench/channels/cross.c"
  go_build "$work/channels/gocross" "$bench/channels/crossing.go"
  erlang "$work/channels/erlangcross" "$bench/channels/crossing.erl" 2
  lang gcc "$work/channels/room" "$bench/channels/room.c"
  cpp g++ "$work/channels/cpp20room" "$bench/channels/room.cc"
  go_build "$work/channels/goroom" "$bench/channels/room.go"
  erlang "$work/channels/erlangroom" "$bench/channels/room.erl"
  fiber "$work/channels/fiberroom" "$bench/channels/room-fiber.cc"
}

build_pool() { # two processors for all
  lang gcc "$work/pool/ours" "$bench/pool/language.c"
  go_build "$work/pool/go" "$bench/pool/pool.go"
  erlang "$work/pool/erlang" "$bench/pool/pools.erl" 2
}

# Not programs to run but compilations to measure: a script that prints text (bytes) and compile (ms) of both sides.
build_size() {
  local cc
  c "$work/obj/measure" "$bench/measure.c"
  awk -v functions=40 -f "$bench/size/heavy.awk" > "$work/obj/heavy.c"
  for cc in gcc clang; do
    have "$cc" || continue
    printf '#!/bin/sh\nexec %q %q %q %q\n' "$bench/size/cost.sh" "$cc" "$FMCC" "$work/obj" > "$work/size/$cc"
    chmod +x "$work/size/$cc"
  done
}

# ---- running ----
# Appends `QUESTION.PROGRAM.FIGURE VALUE` to the results.
run_one() {
  local question=$1 program=$2
  if ! "$work/$question/$program" > "$work/out"; then
    echo "run.sh: $question: $program failed" >&2
    exit 1
  fi
  awk -v at="$question.$program" 'NF == 2 { print at "." $1, $2 }' "$work/out" >> "$work/results"
}

# Sizes do not change, and what is far away need not be exact.
is_judged() {
  case $1.$2 in
    memory.*|size.*|timers.*|cancel.*|yields.*) return 1 ;;
    *.gcc|*.clang|*.ours|*.hand|*.cpp20) return 0 ;;
    *) return 1 ;;
  esac
}

run_question() {
  local question=$1 round program
  for round in $(seq "$rounds"); do
    for program in "$work/$question"/*; do
      [ -x "$program" ] || continue
      [ "$round" = 1 ] || is_judged "$question" "${program##*/}" || continue
      run_one "$question" "${program##*/}"
    done
  done
}

main() {
  local question
  [ $# -gt 0 ] || set -- calls yields spawn switch memory skynet timers cancel channels pool size
  rm -rf "$work"
  mkdir -p "$work/obj" "$work/go"
  : > "$work/results"
  for question in "$@"; do
    mkdir -p "$work/$question"
    echo "bench: $question" >&2
    "build_$question"
    run_question "$question"
  done
  awk -f "$bench/table.awk" "$work/results" "$bench/bars"
}

main "$@"
