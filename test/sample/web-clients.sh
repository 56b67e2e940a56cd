#!/usr/bin/env bash
# Clients that are killed, and clients by the thousand, leave no descriptor behind. The end comes as it should: what is under way
# is finished, what is idle is closed, no one new is let in, and then the server exits with 0.
. "$SRC/test/web/server.bash"
build_servers
make_site

killed() {
  local n client _
  : > held
  n=$(descriptors)
  for _ in 1 2 3; do
    ./probe "$port" hold 40 > held & client=$!
    until_line held
    kill -9 "$client"
    wait "$client" 2>/dev/null || true
    : > held
  done
  settles "$n"
}

many() {
  local n
  n=$(descriptors)
  timeout 60 ./probe "$port" loop 2000 || fail "$1: loop"
  settles "$n"
}

graceful() {
  local slow idle
  : > idle
  timeout 30 ./probe "$port" idle 50 > idle & idle=$!
  timeout 30 ./probe "$port" get /big.bin slow 1000 > status & slow=$!
  until_line idle
  sleep 0.3
  kill -TERM "$pid"
  sleep 0.3
  kill -0 "$pid" 2>/dev/null || fail "$1 did not wait for what was under way"
  ! timeout 5 ./probe "$port" get /hello got 0 > /dev/null 2>&1 || fail "$1 still lets clients in"
  wait "$idle" || fail "$1: idle connections were not closed"
  wait "$slow" && cmp slow www/big.bin && [ "$(cat status)" = 200 ] || fail "$1: what was under way was not finished"
  ended
}

# A client that never reads cannot hold the server up for longer than the grace.
cut() {
  local client
  : > held
  start "$1" -t 60000 -g 300 www
  ./probe "$port" hold 4 > held & client=$!
  until_line held
  sleep 0.1
  stop
  kill -9 "$client"
  wait "$client" 2>/dev/null || true
  : > held
}

for version in $versions; do
  start "$version" -t 2000 www
  killed "$version"
  many "$version"
  graceful "$version"
  cut "$version"
done
