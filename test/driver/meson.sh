# A meson project with ninja.
. "$SRC/test/driver/common.bash"
need meson; need ninja
cat > meson.build <<'A'
project('demo', 'c', version: '1.0', default_options: ['c_std=gnu11', 'warning_level=2'])
cc = meson.get_compiler('c')
assert(cc.has_header('stdint.h') and not cc.has_header('nosuch.h'))
assert(cc.has_function('memcpy') and not cc.has_function('no_such_function'))
assert(cc.sizeof('int') == 4 and cc.has_argument('-Wall') and not cc.has_argument('-Wno-such-thing=9'))
message('ID ' + cc.get_id())
one = static_library('one', 'one.c')
two = shared_library('two', 'two.c')
executable('demo', 'main.c', link_with: [one, two], dependencies: [cc.find_library('m'), dependency('threads')])
A
echo 'int one(void) { return 1; }' > one.c; echo 'int two(void) { return 2; }' > two.c; echo 'int one(void), two(void);' > h.h
printf '#include "h.h"\nint main(void) { return one() + two() - 3; }\n' > main.c
CC=$FMCC meson setup b > log 2>&1 || { cat log; tail -40 b/meson-logs/meson-log.txt; fail "meson setup"; }
id=gcc; is_clang && id=clang
has log "ID $id"
ninja -C b > log 2>&1 || { cat log; fail "ninja"; }
b/demo || fail "the program made by meson"
ninja -C b > log; has log 'no work to do'
touch -d '1 minute' h.h; ninja -C b -n > log; has log 'main.c'
