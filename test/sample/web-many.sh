#!/usr/bin/env bash
# Many idle clients: all are held, the server's memory for each stays small, and what an active one costs does not depend on them: it is
# counted in system calls, by strace, and so are the descriptors. MANY: how many (1500, or what the limit allows).
. "$SRC/test/web/server.bash"
need strace
build_servers
make_site
$CC -std=gnu11 -O1 -Wall -Wextra -o client "$SRC/bench/web/client.c" || fail "client.c"
ulimit -n "$(ulimit -Hn)"
most=$(($(ulimit -n) - 100)) many=${MANY:-1500}
[ "$many" -le "$most" ] || many=$most

# hold N: N clients that have each been answered once stay, until exec 9>&-.
hold() {
  rm -f fifo
  : > held
  mkfifo fifo
  timeout 300 ./client "$port" /hello idle "$1" < fifo > held & holder=$!
  exec 9> fifo
  local i
  for i in $(seq 3000); do [ ! -s held ] || break; sleep 0.1; done
  [ "$(cat held)" = "$1" ] || fail "$(cat held) of $1 clients are held"
}

release() {
  exec 9>&-
  wait "$holder" || fail "who holds the clients failed"
}

# calls: how many system calls 1000 requests of 10 clients take. How many events one wait reports
# depends on how busy the machine is, so waits are counted apart, in the file waits.
calls() {
  local tracer
  : > said
  strace -f -o trace -p "$pid" 2> said & tracer=$!
  until_line said
  ! grep -q 'not permitted' said || { echo "SKIP: strace is not allowed to"; exit 77; }
  grep -q attached said || fail "strace"
  ./client "$port" /hello 10 100 > /dev/null || fail "active clients"
  kill -INT "$tracer"
  wait "$tracer" 2>/dev/null || true
  grep -cE '^[0-9]+ +(epoll_p?wait|poll|ppoll)' trace > waits || true
  grep -cE '^[0-9]+ +(recv|send|read|write|epoll_ctl|accept|close|fcntl|setsock|getsock|clock|time)' trace
}

try() { # SERVER
  local few after before opened
  start "$1" -t 600000 www
  opened=$(descriptors)
  hold 10
  few=$(calls)
  release
  settles "$opened"
  before=$(memory)
  hold "$many"
  [ "$(descriptors)" -ge "$many" ] || fail "$(descriptors) descriptors for $many clients"
  sleep 0.2                                       # the library looks at each idle one once more
  after=$(calls)
  echo "$1: $many idle clients, $((($(memory) - before) / many)) bytes each; " \
    "1000 requests: $few system calls with 10 idle ones, $after and $(cat waits) waits with $many"
  [ "$few" -ge 2000 ] && [ "$after" -ge 2000 ] || fail "not all system calls were counted"
  [ "$after" -le $((few + few / 4 + 100)) ] || fail "$1: an active client costs more, the more are idle"
  [ "$(cat waits)" -le 1500 ] || fail "$1: $(cat waits) waits for 1000 requests, while many are idle"
  [ $((($(memory) - before) / many)) -lt 4096 ] || fail "$1: an idle client costs more than 4 KB"
  release
  settles "$opened"
  stop
}

for version in fermata events; do try "$version"; done
