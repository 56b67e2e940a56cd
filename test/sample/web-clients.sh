#!/usr/bin/env bash
# Clients that are killed, and clients by the thousand, leave no descriptor and no memory behind. A server without descriptors says so,
# and goes on when it has some. The end comes as it should: what is under way is finished, what is idle is closed, no one new
# is let in, and then the server exits with 0. KILLS (3), LOOP (2000): how often, how many.
. "$SRC/test/web/server.bash"
build_servers
make_site

killed() {
  local n client _
  : > held
  n=$(descriptors)
  for _ in $(seq "${KILLS:-3}"); do
    ./probe "$port" hold 40 > held & client=$!
    until_line held
    kill -9 "$client"
    wait "$client" 2>/dev/null || true
    : > held
  done
  settles "$n"
}

# A thread's memory is the C library's to keep. What more clients at once than ever before have needed, it may keep as well; a leak grows each time.
many() {
  local n before more try
  n=$(descriptors)
  timeout 60 ./probe "$port" loop 500 || fail "$1: loop"
  settles "$n"
  for try in 1 2 3; do
    before=$(memory)
    timeout 1200 ./probe "$port" loop "${LOOP:-2000}" || fail "$1: loop"
    settles "$n"
    more=$(($(memory) - before))
    [ "$1" != blocking ] && [ "$more" -ge 300000 ] || break
    [ "$try" != 3 ] || fail "$1: $more bytes more than before, again and again"
  done
}

# While what the clients left behind is cleared away, it says that it cannot serve, and never that there is no such file.
recovers() {
  local i status
  for i in $(seq 100); do
    status=$(timeout 20 ./probe "$port" get /big.bin got 0)
    [ "$status" = 503 ] || break
    sleep 0.05
  done
  [ "$status" = 200 ] && cmp got www/big.bin || fail "it does not recover from a lack of descriptors: $status"
}

# 60 clients for a server that has room for some 30.
crowded() {
  local client
  : > held
  LIMIT=40 start fermata -t 60000 www
  ./probe "$port" hold 60 > held & client=$!
  until_line held
  until_line fermata.err
  kill -9 "$client"
  wait "$client" 2>/dev/null || true
  recovers
  grep -q 'Too many open files' fermata.err && [ "$(wc -l < fermata.err)" = 1 ] || fail "it does not say once that descriptors lack"
  : > fermata.err
  : > held
  stop
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
crowded
