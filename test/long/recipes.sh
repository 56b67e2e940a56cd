# recipes.sh (sourced): how each package is built and tested, by its own means wherever it has some. Both functions work in
# the current directory, a copy of the package's source; CC (command and options) is the compiler.
#
#   recipe_copy PACKAGE DIR    a fresh copy of the fetched source
#   recipe_build PACKAGE       configure and compile
#   recipe_test PACKAGE        run the tests; status 0 when all pass
#
# lua5.4    the source package has no tests: the scripts in test/long/lua
# zlib      make check: static, shared and 64-bit test programs
# bzip2     make test: compress and decompress the reference files
# jansson   make check: its unit tests and its suite of documents
# sqlite3   make fuzztest (tens of thousands of recorded statements and databases through the amalgamation) and the `quick`
#           part of the Tcl suite through testfixture; the rest of that suite takes hours and tests no other code
RECIPES_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
RECIPE_PACKAGES="lua5.4 zlib bzip2 jansson sqlite3"
RECIPE_FLAGS="-O2 -g"

recipe_copy() {
  mkdir -p "$2"
  cp -a "$RECIPES_ROOT/build/src/$1/." "$2/"
}

recipe_build() { "build_${1//[.]/_}"; }
recipe_test() { "test_${1//[.]/_}"; }

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

test_sqlite3() {
  make fuzztest
  make testfixture
  ./testfixture test/extraquick.test
}
