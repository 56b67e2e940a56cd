# recipes.sh (sourced): how each package is built and tested, by its own means wherever it has some.
#
#   recipe_copy PACKAGE DIR             a fresh copy of the fetched source
#   recipe_do PACKAGE build|test...     configure and compile; run the tests: in the current directory, such a copy, with
#                                       CC (command and options) as the compiler; stops at the first command that fails
#
# lua5.4    the source package has no tests: the scripts in test/long/lua
# zlib      make check: static, shared and 64-bit test programs
# bzip2     make test: compress and decompress the reference files
# jansson   make check: its unit tests and its suite of documents
# sqlite3   make fuzztest (tens of thousands of recorded statements and databases through the amalgamation) and the
#           `extraquick` part of the Tcl suite through testfixture; the whole suite takes hours. A few of its tests depend on
#           the machine (file system, permissions): it has to fail exactly those that it fails when built with gcc alone
RECIPES_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
RECIPE_PACKAGES="lua5.4 zlib bzip2 jansson sqlite3"
RECIPE_FLAGS="-O2 -g"

recipe_copy() {
  mkdir -p "$2"
  cp -a "$RECIPES_ROOT/build/src/$1/." "$2/"
}

# In a shell of its own: `set -e` counts for nothing in a function that is called as a condition.
recipe_do() {
  local package=${1//[.]/_}
  shift
  bash -eu -c '. "$0"; package=$1; shift; for step; do "${step}_$package"; done' "$RECIPES_ROOT/test/long/recipes.sh" "$package" "$@"
}

# Debian's makefile builds through libtool and again as C++; this is what upstream's does. The header is one that Debian
# generates, to name the directory of libraries.
build_lua5_4() {
  cd src
  echo '#define DEB_HOST_MULTIARCH "lib"' > lua5.4-deb-multiarch.h
  cat > Makefile.recipe <<'END'
LIB := $(filter-out lua.o luac.o,$(patsubst %.c,%.o,$(wildcard *.c)))
all: lua luac
%.o: %.c ; $(CC) $(CFLAGS) -c -o $@ $<
lua: lua.o $(LIB) ; $(CC) -o $@ $^ -Wl,-E -lm -ldl
luac: luac.o $(LIB) ; $(CC) -o $@ $^ -lm -ldl
END
  make -f Makefile.recipe CC="$CC" CFLAGS="-std=gnu99 $RECIPE_FLAGS -Wall -Wextra -DLUA_COMPAT_5_3 -DLUA_USE_LINUX"
}

test_lua5_4() {
  local script
  for script in "$RECIPES_ROOT"/test/long/lua/*.lua; do
    echo "lua ${script##*/}"
    ./lua "$script"
    ./luac -o compiled.out "$script"
    ./lua compiled.out
  done
}

build_zlib() {
  CC=$CC CFLAGS=$RECIPE_FLAGS ./configure
  make CC="$CC"
}

test_zlib() { make check CC="$CC"; }

build_bzip2() { make CC="$CC" CFLAGS="-Wall -Winline $RECIPE_FLAGS -D_FILE_OFFSET_BITS=64" libbz2.a bzip2 bzip2recover; }

# The target says "Doing 6 tests" and compares; a difference fails in cmp.
test_bzip2() { make CC="$CC" CFLAGS="-Wall -Winline $RECIPE_FLAGS -D_FILE_OFFSET_BITS=64" test; }

build_jansson() {
  autoreconf -fi
  ./configure CC="$CC" CFLAGS="$RECIPE_FLAGS"
  make
}

test_jansson() { make check; }

build_sqlite3() {
  ./configure CC="$CC" CFLAGS="$RECIPE_FLAGS" --disable-readline
  make sqlite3.c
  make sqlite3 fuzzcheck sessionfuzz
}

# Root may write to any file, which tests of permissions do not expect: takes that right away.
unprivileged() {
  local rights=-dac_override,-dac_read_search,-fowner
  if [ "$(id -u)" = 0 ]; then setpriv --bounding-set $rights --inh-caps $rights "$@"; else "$@"; fi
}

# Builds testfixture, runs the suite and writes the names of the tests that fail to the file $1.
sqlite3_suite() {
  make testfixture
  mkdir -p suite
  (cd suite && unprivileged ../testfixture ../test/extraquick.test) > suite.log 2>&1 || true
  grep -E '^[0-9]+ errors out of [0-9]+ tests' suite.log || { tail -n 20 suite.log; return 1; }
  sed -n 's/^! \([^ ]*\) expected:.*/\1/p' suite.log | LC_ALL=C sort -u > "$1"
}

# What fails with gcc alone, found out once.
sqlite3_expected() {
  local dir=$RECIPES_ROOT/build/work/sqlite3.gcc
  mkdir -p "$RECIPES_ROOT/build/work"
  (
    flock 7
    [ ! -e "$dir.failures" ] || exit 0
    rm -rf "$dir"
    recipe_copy sqlite3 "$dir"
    cd "$dir"
    CC=gcc
    build_sqlite3
    sqlite3_suite "$dir.new"
    mv "$dir.new" "$dir.failures"
  ) 7> "$dir.lock"
  cp "$dir.failures" expected.failures
}

test_sqlite3() {
  make fuzztest
  sqlite3_expected
  sqlite3_suite actual.failures
  diff expected.failures actual.failures
}

# ---- packages whose files are only compiled, by long/all-async.sh; -O0 and without what has to be installed first ----
build_git() {
  make -j"${JOBS:-2}" CC="$CC" CFLAGS=-O0 NO_OPENSSL=1 NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 \
    NO_INSTALL_HARDLINKS=1 all
}

build_curl() {
  cmake -S . -B build -DCMAKE_C_COMPILER="$CC" -DCURL_USE_OPENSSL=OFF -DCURL_ENABLE_SSL=OFF -DCURL_ZLIB=OFF -DUSE_LIBIDN2=OFF \
    -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBPSL=OFF -DCURL_DISABLE_LDAP=ON -DBUILD_TESTING=OFF -DENABLE_MANUAL=OFF
  make -C build -j"${JOBS:-2}"
}

build_libuv1() {
  cmake -S . -B build -DCMAKE_C_COMPILER="$CC" -DLIBUV_BUILD_TESTS=OFF -DLIBUV_BUILD_SHARED=OFF
  make -C build -j"${JOBS:-2}"
}

# hdr_histogram and hiredis are built first, by makefiles that do not pass CC on.
build_redis() { make -j"${JOBS:-2}" CC="$CC" MALLOC=libc OPTIMIZATION=-O0 BUILD_TLS=no USE_SYSTEMD=no; }

build_busybox() {
  make defconfig
  make -j"${JOBS:-2}" CC="$CC" HOSTCC=gcc SKIP_STRIP=y busybox_unstripped
}
