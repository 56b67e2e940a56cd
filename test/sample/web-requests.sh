#!/usr/bin/env bash
# The three web servers of examples/webserver answer the same requests in the same way: good ones, and a hundred bad ones (under ASan
# and UBSan: what is wrong with memory is an error even where nothing is seen of it).
. "$SRC/test/web/server.bash"
sanitize="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
build_servers "$sanitize"
make_site
link_with() { # PROGRAM OPTIONS...
  local name=$1; shift
  # shellcheck disable=SC2086
  $CC -std=gnu11 -D_GNU_SOURCE -Wall -Wextra $sanitize -I"$SRC/examples/webserver" -isystem /usr/share/include -o "$name" "$SRC/test/web/$name.c" \
    bin/http.o bin/syntax.o bin/site.o bin/llhttp.o bin/llhttp-api.o bin/llhttp-http.o "$@" || fail "$name.c"
}
link_with whole
link_with memory -Wl,--wrap=malloc,--wrap=realloc,--wrap=asprintf
timeout 60 ./memory || fail "without memory"
timeout 60 ./whole 100000 1 || fail "a request in one piece means something else than in two"
grep -v '/fifo' "$SRC/test/web/cases" > cases
mkfifo www/fifo
cp "$SRC/test/web/cases" all
for version in $versions; do
  start "$version" -t 400 www
  timeout 100 ./probe "$port" cases all || fail "$version"
  for file in big.bin 100k.bin index.html empty; do
    [ "$(timeout 20 ./probe "$port" get "/$file" got 0)" = 200 ] || fail "$version: $file"
    cmp got "www/$file" || fail "$version: $file"
  done
  stop
done
# From memory: only the files differ (a fifo cannot be read into it).
rm www/fifo
sed 's/^301\(.*\)/404\1/' cases > memory
for version in $versions; do
  start "$version" -m -t 400 www
  rm www/index.html
  timeout 100 ./probe "$port" cases memory || fail "$version -m"
  echo '<p>index' > www/index.html
  [ "$(timeout 20 ./probe "$port" get /big.bin got 0)" = 200 ] && cmp got www/big.bin || fail "$version -m: big.bin"
  stop
done
