#!/usr/bin/env bash
# run.sh [bars|counts|table1|small|cpu|idle ...]: the web server of examples/webserver beside
# others; see docs/webserver.md.
#
#   bars    one table with the bars that are to be met, in the form of ../run.sh; short: what `make bench` runs. LONG=1: all rows
#   counts  what does not depend on the machine's load: system calls (strace) and instructions in user mode (callgrind) for a request
#   table1  TaskJava's experiment (its Table 1): a file of 100 KB from memory, 1 … 400 clients, 25 requests each: latency, throughput
#   small   13 bytes, keep-alive, by wrk: throughput, latency
#   cpu     the same: requests per second of the server's processor time, against a bare epoll loop
#   idle    how many idle clients are held, and what each costs in the server's own memory
#
# Servers run on one processor, the client on another. They take turns, ROUNDS times; the median
# counts. For `bars` they are all started at once, and take turns in bursts of some ten milliseconds
# on connections that stay: shown is the better quartile of each, since load only takes away, and
# the median of the ratios of bursts that followed each other. A process keeps the luck that it was
# started with (where its memory lies: one in a hundred, and one in ten where a single client is
# served 100 KB), and the first one has a little more of it, so all are started anew STARTS times,
# each time another one first; behind the ratio is the range of the starts' own medians.
# Environment: ROUNDS (5; bars: 60), STARTS (3), SECONDS_EACH (2), IDLE (20000), FMCC, CLIENTS,
# LONG.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$root/build/bench/web
rounds=${ROUNDS:-5}
seconds=${SECONDS_EACH:-2}
have() { command -v "$1" > /dev/null; }

build() {
  local llhttp="$work/http.o $work/syntax.o $work/site.o $work/llhttp.o $work/llhttp-api.o $work/llhttp-http.o"
  mkdir -p "$work/www" "$work/go"
  make -s -C "$root/examples/webserver" OUT="$work" FMCC="${FMCC:-$root/build/bin/fmcc}"
  gcc -O2 -Wall -Wextra -o "$work/epoll" "$here/epoll.c"
  # shellcheck disable=SC2086
  gcc -O2 -Wall -Wextra -DPARSE -I"$root/examples/webserver" -isystem /usr/share/include -o "$work/parse" "$here/epoll.c" $llhttp
  "${FMCC:-$root/build/bin/fmcc}" -O2 -Wall -Wextra -o "$work/bare" "$here/bare.c"
  gcc -O2 -Wall -Wextra -o "$work/client" "$here/client.c"
  ! have go || (cd "$work" && GOCACHE=$work/go GO111MODULE=off go build -o "$work/goserver" "$here/server.go")
  head -c 102400 /dev/zero | tr '\0' x > "$work/www/100k.bin"
}

# One processor for the server, another for the client, if there are two.
first=() second=()
if [ "$(nproc)" -gt 1 ] && have taskset; then first=(taskset -c 0) second=(taskset -c 1); fi

nginx_configuration() {
  cat <<N
daemon off; worker_processes 1; pid $work/nginx.pid; error_log $work/nginx.log;
events { worker_connections 30000; }
http {
  access_log off; keepalive_requests 1000000000; keepalive_timeout 600; open_file_cache max=10; sendfile on;
  types { } default_type application/octet-stream;
  server { listen 127.0.0.1:$1 backlog=1024; root $work/www;
           location = /hello { default_type "text/plain; charset=utf-8"; return 200 "Hello, world\n"; } }
}
N
}

command_of() {
  case $1 in
    epoll|parse|bare) exec "$work/$1" ;;
    go) GOMAXPROCS=1 exec "$work/goserver" "$work/www" ;;
    node) exec node "$here/server.js" "$work/www" ;;
    nginx) nginx_configuration "$(cat "$work/free")" > "$work/nginx.conf"; exec nginx -c "$work/nginx.conf" ;;
    *) exec "$work/$1" -m -t 600000 "$work/www" ;;
  esac
}

# start NAME: sets pid and port
start() {
  local i
  : > "$work/port"
  "$work/client" free > "$work/free"
  "${first[@]}" bash -c "$(declare -f command_of nginx_configuration); work='$work' here='$here' command_of $1" > "$work/port" 2> "$work/$1.log" &
  pid=$!
  if [ "$1" = nginx ]; then                       # it cannot say when it is ready, nor where
    sleep 0.5
    port=$(cat "$work/free")
    return
  fi
  for i in $(seq 300); do [ ! -s "$work/port" ] || break; sleep 0.02; done
  port=$(cat "$work/port")
  [ -n "$port" ] || { cat "$work/$1.log" >&2; echo "run.sh: $1 does not start" >&2; exit 1; }
}

stop() {
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
}
trap 'kill ${pid:-} 2>/dev/null || true' EXIT

# Clock ticks of the server and its children (nginx has a master and a worker).
ticks() {
  local p all=0 n
  for p in "$pid" $(pgrep -P "$pid" || true); do
    n=$(sed 's/.*) //' "/proc/$p/stat" | awk '{ print $12 + $13 }')
    all=$((all + n))
  done
  echo "$all"
}

servers() { # those that are there, of the names given
  local name
  for name; do
    case $name in
      go|node|nginx) ! have "$name" || echo "$name" ;;
      *) echo "$name" ;;
    esac
  done
}

record() { echo "$@" >> "$work/results"; } # NAME FIGURE VALUE

# median NAME FIGURE
median() { awk -v a="$1" -v b="$2" '$1 == a && $2 == b { print $3 }' "$work/results" | sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a != "" && b > 0) printf "%.3f", a / b }'; }

# ---- TaskJava's Table 1 ----
table1() {
  local n name round
  : > "$work/results"
  for round in $(seq "$rounds"); do
    for n in ${CLIENTS:-1 25 50 100 200 300 400}; do
      for name in events fermata blocking; do
        start "$name"
        "${second[@]}" "$work/client" "$port" /100k.bin "$n" $((n < 5 ? 1000 : n < 160 ? 4000 / n : 25)) | sed "s/^/$name.$n /" >> "$work/results"
        stop
      done
    done
  done
  printf '\n100 KB from memory: latency in ms, throughput in 1/s (median of %s)\n' "$rounds"
  printf '%8s | %8s %8s %8s %7s | %8s %8s %8s %7s\n' clients event task thread t/e event task thread t/e
  for n in ${CLIENTS:-1 25 50 100 200 300 400}; do
    printf '%8s | %8.3f %8.3f %8.3f %7s | %8.0f %8.0f %8.0f %7s\n' "$n" \
      "$(median events.$n mean)" "$(median fermata.$n mean)" "$(median blocking.$n mean)" \
      "$(ratio "$(median fermata.$n mean)" "$(median events.$n mean)")" \
      "$(median events.$n throughput)" "$(median fermata.$n throughput)" "$(median blocking.$n throughput)" \
      "$(ratio "$(median fermata.$n throughput)" "$(median events.$n throughput)")"
  done
}

# ---- 13 bytes; one pass gives throughput, latency and processor time ----
wrk_figures() { # NAME TICKS
  awk -v name="$1" -v ticks="$2" -v hz="$(getconf CLK_TCK)" '
    function ms(t) { return t ~ /us$/ ? t / 1000 : t ~ /ms$/ ? t + 0 : t * 1000 }
    /50%/ { print name, "median", ms($2) }  /99%/ { print name, "p99", ms($2) }
    /requests in/ { if (ticks) print name, "cpu", $1 / (ticks / hz) }
    /Requests.sec/ { print name, "throughput", $2 }' "$work/wrk" >> "$work/results"
}

measure_small() { # CLIENTS
  local round name before
  : > "$work/results"
  for round in $(seq "$rounds"); do
    for name in $(servers epoll bare parse events fermata blocking nginx go node); do
      start "$name"
      "${second[@]}" wrk -t1 -c"$1" -d1 "http://127.0.0.1:$port/hello" > /dev/null
      before=$(ticks)
      "${second[@]}" wrk -t1 -c"$1" -d"$seconds" --latency "http://127.0.0.1:$port/hello" > "$work/wrk"
      wrk_figures "$name" $(($(ticks) - before))
      stop
    done
  done
}

small() {
  local n name
  have wrk || { echo "run.sh: wrk is not installed" >&2; return 1; }
  for n in ${CLIENTS:-1 50 400}; do
    measure_small "$n"
    printf '\n13 bytes, %s clients (median of %s)\n%10s %10s %9s %9s %12s %8s %8s %8s\n' "$n" "$rounds" \
      server '1/s' 'median ms' 'p99 ms' '1/cpu-s' '/epoll' '/parse' '/events'
    for name in $(servers epoll bare parse events fermata blocking nginx go node); do
      printf '%10s %10.0f %9.3f %9.3f %12.0f %8s %8s %8s\n' "$name" "$(median "$name" throughput)" "$(median "$name" median)" \
        "$(median "$name" p99)" "$(median "$name" cpu)" "$(ratio "$(median "$name" cpu)" "$(median epoll cpu)")" \
        "$(ratio "$(median "$name" cpu)" "$(median parse cpu)")" "$(ratio "$(median "$name" cpu)" "$(median events cpu)")"
    done
  done
}

# ---- idle clients ----
memory() { awk '/^RssAnon/ { print $2 * 1024 }' "/proc/$1/status"; }

hold() { # NAME
  local before held after client who
  start "$1"
  who=$pid
  [ "$1" != nginx ] || who=$(pgrep -P "$pid" | head -1)
  sleep 0.3
  before=$(memory "$who")
  rm -f "$work/fifo"
  : > "$work/held"
  mkfifo "$work/fifo"
  "$work/client" "$port" /hello idle "${IDLE:-20000}" < "$work/fifo" > "$work/held" & client=$!
  exec 9> "$work/fifo"
  while [ ! -s "$work/held" ] && kill -0 "$client" 2>/dev/null; do sleep 0.1; done
  held=$(cat "$work/held")
  after=$(memory "$who")
  exec 9>&-
  wait "$client" || true
  rm "$work/fifo"
  stop
  awk -v name="$1" -v n="$held" -v bytes="$((after - before))" 'BEGIN { printf "%10s %8d %8.0f\n", name, n, n ? bytes / n : 0 }'
}

idle() {
  local name
  ulimit -n "$(ulimit -Hn)"
  [ "$(ulimit -n)" -gt "${IDLE:-20000}" ] || ulimit -n $((${IDLE:-20000} + 1000)) 2>/dev/null ||
    echo "run.sh: only $(ulimit -n) descriptors may be open here" >&2
  printf '\nidle clients that have each been answered once (limit %s)\n%10s %8s %8s\n' "$(ulimit -n)" server clients 'B each'
  for name in $(servers events fermata blocking nginx go node); do hold "$name"; done
}

# ---- bars: all servers at once, in turns of short bursts ----
declare -A pid_of port_of

start_all() {
  local name
  for name; do
    start "$name"
    pid_of[$name]=$pid port_of[$name]=$port
  done
  trap 'kill "${pid_of[@]}" 2>/dev/null || true' EXIT
}

stop_all() {
  local name
  for name in "${!pid_of[@]}"; do
    pid=${pid_of[$name]}
    stop
    unset "pid_of[$name]"
  done
}

# in_turns FIGURES PATH CLIENTS EACH NAME...: bursts; each figure of the client gets FIGURES behind
# its name, if that is not -.
in_turns() {
  local figures=$1 path=$2 clients=$3 each=$4 name who=()
  shift 4
  for name; do who+=("$name:${port_of[$name]}:${pid_of[$name]}"); done
  "${second[@]}" "$work/client" turns "$path" "$clients" "$each" "${ROUNDS:-60}" "${who[@]}" |
    awk -v more="${figures#-}" -v start="$start" '{ if (more != "" && $1 ~ /[.]cpu$/) sub(/cpu$/, "file", $1); else $1 = $1 more; print "web." $1, $2, start }' \
    >> "$work/samples"
}

# The better quartile of each figure: the upper one of what should be large, the lower one of times.
quartiles() {
  sort -k1,1 -k2,2g "$work/samples" | awk '
    function tell() { if (n) print key, v[at()] }
    function at() { return key ~ /mean/ ? int((n + 3) / 4) : n + 1 - int((n + 3) / 4) }
    $1 != key { tell(); key = $1; n = 0 }
    { v[++n] = $2 }
    END { tell() }'
}

# What table.awk takes for the ratio of a row, and the lowest and highest median of a start.
paired() {
  awk -F ' *[|] *' '
    function median(list,   n, i, j, gap, t, v) {
      n = split(list, v, " ")
      for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
        for (i = gap + 1; i <= n; i++)
          for (j = i; j > gap && v[j] + 0 < v[j - gap] + 0; j -= gap) { t = v[j]; v[j] = v[j - gap]; v[j - gap] = t }
      return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
    }
    FILENAME ~ /samples$/ { split($0, w, " "); at[w[1], ++count[w[1]]] = w[2]; start[w[1], count[w[1]]] = w[3]; next }
    { sub(/^[^=]*=/, "", $4) }
    /^#/ || !($3 in count) || !($4 in count) || done[$3, $4]++ { next }
    {
      all = ""
      split("", of)
      for (i = 1; i <= count[$3] && i <= count[$4]; i++) {
        ratio = at[$3, i] / at[$4, i]
        all = all " " ratio
        of[start[$3, i]] = of[start[$3, i]] " " ratio
      }
      low = 1e9; high = 0
      for (i in of) { m = median(of[i]); if (m < low) low = m; if (m > high) high = m }
      print $3 "/" $4, median(all), low, high
    }' "$work/samples" "$here/bars"
}

# rotated N NAME...
rotated() {
  local n=$(($1 % ($# - 1)))
  shift
  echo "${@:n+1}" "${@:1:n}"
}

bars() {
  local start n clients="1 25 100 400"
  [ -z "${LONG:-}" ] || clients="1 25 50 100 200 300 400"
  : > "$work/samples"
  for start in $(seq "${STARTS:-3}"); do
    # shellcheck disable=SC2046
    start_all $(rotated "$start" $(servers epoll bare parse events fermata blocking nginx go node))
    # shellcheck disable=SC2046
    in_turns - /hello 50 20 $(rotated "$start" $(servers epoll bare parse events fermata nginx go node))
    # shellcheck disable=SC2046
    for n in $clients; do in_turns "$n" /100k.bin "$n" $((n < 5 ? 300 : 100 / n + 2)) $(rotated "$start" events fermata blocking); done
    stop_all
  done
  quartiles > "$work/figures"
  paired >> "$work/figures"
  [ -z "${LONG:-}" ] || counts >> "$work/figures"
  awk -v base="Load $(cut -d' ' -f1 /proc/loadavg), $(nproc) processors." -f "$here/../table.awk" "$work/figures" "$here/bars"
}

# ---- counts ----
# count TOOL NAME EACH: how many, while 50 clients ask so often. What one more request costs is the
# difference of two of these.
count() {
  local server=("$work/$2" -m -t 600000 "$work/www") under=(strace -f -qq -o "$work/trace")
  case $2 in epoll|parse|bare) server=("$work/$2") ;; esac
  [ "$1" = calls ] || under=(valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/trace")
  : > "$work/port"
  "${under[@]}" "${server[@]}" > "$work/port" & pid=$!
  until [ -s "$work/port" ]; do sleep 0.05; done
  "$work/client" "$(cat "$work/port")" /hello 50 "$3" > /dev/null
  kill -TERM "$([ "$1" = calls ] && pgrep -P "$pid" || echo "$pid")"
  wait "$pid" 2>/dev/null || true
  if [ "$1" = calls ]; then grep -vc resumed "$work/trace"; else awk '/Collected/ { print $NF }' "$work/trace"; fi
}

counts() {
  local tool name few many
  for tool in calls instructions; do
    have "$([ $tool = calls ] && echo strace || echo valgrind)" || continue
    for name in epoll bare parse events fermata; do
      few=$(count $tool "$name" 20) many=$(count $tool "$name" 120)
      awk -v a="$few" -v b="$many" -v at="web.$name.$tool" 'BEGIN { print at, (b - a) / 5000 }'
    done
  done
}

build
[ $# -gt 0 ] || set -- table1 small idle
for question; do
  case $question in
    bars|counts|table1|small|idle) "$question" ;;
    cpu) CLIENTS=${CLIENTS:-50} small ;;
    *) echo "run.sh: no such question: $question" >&2; exit 2 ;;
  esac
done
