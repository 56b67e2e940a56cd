# A parallel make with forty files of the same names in two directories.
. "$SRC/test/driver/common.bash"
fake_root
mkdir tmp x y; export TMPDIR=$PWD/tmp
for i in $(seq 20); do dialect x/f$i.c x$i; echo "int y$i(void) { return $i; }" > y/f$i.c; done
dialect main.c
cat > Makefile <<'M'
OBJ = $(patsubst %.c,%.o,$(wildcard x/*.c y/*.c main.c))
prog: $(OBJ); $(CC) -o $@ $(OBJ)
%.o: %.c; $(CC) -MMD -g -c $< -o $@
M
make -s -j8 CC="$FMCC" || fail "make -j8 failed"
./prog || fail "the program made by make -j8 fails"
[ "$(ls x/*.d y/*.d | wc -l)" = 40 ] || fail "expected 40 dependency files"
[ -z "$(ls -A tmp)" ] || fail "temporary files stayed: $(ls -A tmp)"
