# server.bash: what the tests of the web servers share. OUT: where they are built; www: what they serve.
set -eu
need() { command -v "$1" > /dev/null || { echo "SKIP: $1 is not installed"; exit 77; }; }
fail() { echo "FAIL: $*" >&2; exit 1; }
versions='blocking fermata events'

build_servers() { # [CFLAGS]
  [ -e /usr/share/llhttp/llhttp.c ] && [ -e /usr/include/uv.h ] || { echo "SKIP: needs node-llhttp and libuv1-dev"; exit 77; }
  make -s -C "$SRC/examples/webserver" CC="$CC" FMCC="$FMCC" OUT="$PWD/bin" ${1:+CFLAGS="$1"} > log 2>&1 || { cat log; fail "make"; }
  [ ! -s log ] || { cat log; fail "the compiler has something to say"; }
  $CC -std=gnu11 -O1 -Wall -Wextra -o probe "$SRC/test/web/probe.c" || fail "probe.c"
}

make_site() {
  mkdir -p www/sub
  echo '<p>index' > www/index.html
  echo sub > www/sub/index.html
  echo blank > "www/a b.txt"
  : > www/empty
  head -c 102400 /dev/urandom > www/100k.bin
  head -c 8000000 /dev/urandom > www/big.bin
  echo secret > secret
}

# start VERSION OPTIONS...: sets pid and port. LIMIT: how many descriptors it may have.
start() {
  local version=$1; shift
  : > port
  (ulimit -n "${LIMIT:-$(ulimit -n)}" && exec "bin/$version" "$@") > port 2> "$version.err" &
  pid=$!
  trap 'kill -9 $pid 2>/dev/null || true' EXIT
  until_line port
  port=$(cat port)
}

# ended: it ends in good time, with status 0 and without a word.
ended() {
  local status=0 i
  for i in $(seq 500); do kill -0 "$pid" 2>/dev/null || break; sleep 0.02; done
  ! kill -0 "$pid" 2>/dev/null || fail "it does not end"
  wait "$pid" || status=$?
  cat ./*.err
  [ "$status" = 0 ] || fail "exit status $status"
  [ -z "$(cat ./*.err)" ] || fail "it has something to say"
}

stop() {
  kill -TERM "$pid"
  ended
}

# until_line FILE: something has been written to it.
until_line() {
  local i
  for i in $(seq 500); do [ ! -s "$1" ] || return 0; sleep 0.02; done
  fail "$1 stays empty"
}

# In bytes: what the server has for itself.
memory() { awk '/^RssAnon/ { print $2 * 1024 }' "/proc/$pid/status"; }

descriptors() { ls "/proc/$pid/fd" | wc -l; }

# settles N: soon no more than N descriptors are open.
settles() {
  local i
  for i in $(seq 300); do [ "$(descriptors)" -gt "$1" ] || return 0; sleep 0.02; done
  ls -l "/proc/$pid/fd" | head -20
  fail "$(descriptors) descriptors are open, $1 were"
}
