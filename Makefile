# Fermata: builds fmcc, fermata and libfermata into build/, and runs everything else. `make help` lists the targets.
#
#   build/bin       fmcc, fermata            build/obj        objects, with the headers each one needs beside it (.d)
#   build/lib       libfermata.a and .so;    build/asan       the same tree under ASan+UBSan, for the tests
#                   variants for programs built with sanitizers: libfermata-asan.a, -tsan.a, -msan.a, fermata/*/libfermata.so
#   build/share     fermata-gdb.py           build/variants   objects of the libraries other than libfermata.a
#   build/include   the public headers       build/src        sources of other projects that the long tests fetch
#
# CC, CFLAGS, LDFLAGS and LDLIBS may be given; a change of any of them rebuilds what depends on it.

ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
DESTDIR ?=
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
DEPS    ?= yes
T       ?=
Q       ?=
FUZZ_SECONDS ?= 60

# What is given replaces our own: -fno-stack-protector, -D_FORTIFY_SOURCE=3 …
optimised := $(filter-out -O0 -Og,$(filter -O%,$(CFLAGS)))
HARDEN    := -fPIE -fstack-protector-strong $(if $(findstring FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,$(if $(optimised),-D_FORTIFY_SOURCE=2))
HARDEN_LD := -Wl,-z,relro,-z,now,-z,noexecstack

WARN  := -Wall -Wextra
# Two words stored as one vector, of which one is read soon after, are slow.
NOVECTOR := -fno-tree-slp-vectorize
BASE   = -std=gnu11 $(WARN) -MMD -MP -Iinclude -Icompiler -Iruntime $(CPPFLAGS)
FLAGS  = $(BASE) $(HARDEN) $(CFLAGS)
# For shared libraries. Thread-local variables stay as near as in a program; there are few.
PIC := -fPIC -ftls-model=initial-exec -fno-semantic-interposition
SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# AddressSanitizer need not see what the library does, but which frames have ended: so that library serves gcc and clang. ThreadSanitizer
# has to see how domains hand things over, MemorySanitizer (clang's) what the library writes; where there is no such sanitizer, there is no such library.
TSAN := -O1 -g -fsanitize=thread
MSAN := -O1 -g -fno-omit-frame-pointer -fsanitize=memory -DFM_MSAN
can  = $(shell echo 'int x;' | $(1) -x c -c -o /dev/null - 2>/dev/null && echo yes)

compiler := $(wildcard compiler/*.c compiler/*/*.c)
runtime  := $(wildcard runtime/*/*.c)
library  := $(wildcard library/*.c)
libs     := -luv
version  := $(shell sed -n 's/^#define FM_VERSION "\(.*\)"/\1/p' compiler/base/base.h)
headers  := $(patsubst include/%,%,$(wildcard include/*.h include/*/*.h))

fmcc_objects    := $(compiler:%.c=%.o)
clangd_objects := $(patsubst %,tools/editor/%.o,fermata-clangd plain-view)
fermata_objects := tools/fermata.o compiler/base/base.o $(patsubst %,compiler/driver/%.o,options process toolchain)
runtime_objects := $(runtime:%.c=%.o) $(library:%.c=%.o)
unit_objects    := $(filter-out compiler/driver/main.o,$(fmcc_objects))

# Targets that call make again do so in parallel, unless the caller has already said how.
submake = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: all asan variants check check-long demo bench fuzz stats install uninstall clean help FORCE

# The soname's number changes when a program that is linked with the old library could not go on with the new one.
soname    := libfermata.so.0
sanitizers := asan $(if $(call can,$(CC) $(TSAN)),tsan) $(if $(call can,clang $(MSAN)),msan)
libraries := libfermata.a libfermata.libs $(soname) pkgconfig/fermata.pc
variants  := $(sanitizers:%=libfermata-%.a) $(sanitizers:%=fermata/%/$(soname))
all: build/bin/fmcc build/bin/fermata build/bin/fermata-clangd build/share/fermata/fermata-gdb.py $(libraries:%=build/lib/%) $(headers:%=build/include/%)

# The libraries for programs built with sanitizers.
variants: $(variants:%=build/lib/%)

asan: build/asan/bin/fmcc build/asan/lib/libfmcc.a build/asan/lib/libfermata.a build/asan/lib/libfermata-asan.a \
      build/asan/lib/libfermata.libs $(headers:%=build/asan/include/%)

# ---- the plain build; a program is replaced in one step, so that one in use stays whole ----
build/obj/runtime/wait/chan.o: FLAGS += $(NOVECTOR)
build/bin/fmcc: $(fmcc_objects:%=build/obj/%)
build/bin/fermata: $(fermata_objects:%=build/obj/%)
build/bin/fermata-clangd: LDLIBS += -lpthread
build/bin/fermata-clangd: $(clangd_objects:%=build/obj/%)
build/lib/libfermata.a: $(runtime_objects:%=build/obj/%)
$(foreach v,asan tsan msan,$(eval build/lib/libfermata-$(v).a: $(runtime_objects:%=build/variants/$(v)/%)))

build/bin/%: build/config
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -pie $(HARDEN_LD) $(LDFLAGS) -o $@.new $(filter %.o,$^) $(LDLIBS)
	@mv $@.new $@

# Waits of several kinds begin alike, and one is looked at as another; sched.c and activity.c do not, and are faster for it.
build/obj/runtime/%.o build/asan/obj/runtime/%.o $(foreach v,pic asan tsan msan,build/variants/$(v)/runtime/%.o): CPPFLAGS += -fno-strict-aliasing
build/obj/runtime/core/sched.o build/obj/runtime/core/activity.o: CPPFLAGS += -fstrict-aliasing
build/obj/%.o: %.c build/config
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -c -o $@ $<

# The library is written in Fermata. FM_LIBRARY: it serves programs that are built with ASan as well as others.
build/obj/library/%.o: library/%.c build/config build/bin/fmcc | $(headers:%=build/include/%)
	@mkdir -p $(@D)
	build/bin/fmcc --cc='$(CC)' -DFM_LIBRARY $(FLAGS) -c -o $@ $<

build/include/%: include/%
	@mkdir -p $(@D)
	cp $< $@

build/share/fermata/%: tools/%
	@mkdir -p $(@D)
	cp $< $@

# ---- the build under sanitizers; libfmcc.a is the compiler without its main, for unit tests ----
build/asan/bin/fmcc: $(fmcc_objects:%=build/asan/obj/%)
build/asan/lib/libfmcc.a: $(unit_objects:%=build/asan/obj/%)
build/asan/lib/libfermata.a: $(runtime_objects:%=build/asan/obj/%)

# The compiler of this tree links programs under ASan with a library that is under it as well.
build/asan/lib/libfermata-asan.a: build/asan/lib/libfermata.a
	ln -sf libfermata.a $@

build/asan/bin/%: build/config
	@mkdir -p $(@D)
	$(CC) $(SANITIZE) $(LDFLAGS) -o $@.new $(filter %.o,$^) $(LDLIBS)
	@mv $@.new $@

# built DIRECTORY COMPILER FLAGS: how objects get there
define built
$(1)/%.o: %.c build/config
	@mkdir -p $$(@D)
	$(2) $(3) -c -o $$@ $$<

$(1)/library/%.o: library/%.c build/config build/bin/fmcc | $$(headers:%=build/include/%)
	@mkdir -p $$(@D)
	build/bin/fmcc --cc='$(2)' -DFM_LIBRARY $(3) -c -o $$@ $$<
endef
$(eval $(call built,build/asan/obj,$$(CC),$$(BASE) $$(CFLAGS) $(SANITIZE)))
$(eval $(call built,build/variants/pic,$$(CC),$$(FLAGS) $(PIC)))
$(eval $(call built,build/variants/asan,$$(CC),$$(FLAGS) $(PIC) -DFM_ASAN))
$(eval $(call built,build/variants/tsan,$$(CC),$$(BASE) $$(CFLAGS) $(PIC) $(TSAN)))
$(eval $(call built,build/variants/msan,clang,$$(BASE) $(PIC) $(MSAN)))
build/variants/pic/runtime/wait/chan.o: FLAGS += $(NOVECTOR)

# shared DIRECTORY NAME COMPILER FLAGS: the variant NAME as a shared library; the file without a number is for linking
define shared
$(1)/$(soname): $(runtime_objects:%=build/variants/$(2)/%)
	@mkdir -p $$(@D)
	$(3) -shared $(4) $(HARDEN_LD) -Wl,-soname,$(soname) $$(LDFLAGS) -o $$@.new $$(filter %.o,$$^) $(libs) -lpthread
	@mv $$@.new $$@
	@ln -sf $(soname) $(1)/libfermata.so
endef
$(eval $(call shared,build/lib,pic,$$(CC),$$(CFLAGS)))
$(eval $(call shared,build/lib/fermata/asan,asan,$$(CC),$$(CFLAGS)))
$(eval $(call shared,build/lib/fermata/tsan,tsan,$$(CC),$(TSAN)))
$(eval $(call shared,build/lib/fermata/msan,msan,clang,$(MSAN)))

build/asan/include/%: include/%
	@mkdir -p $(@D)
	cp $< $@

# ---- both ----
# What else programs are linked with; fmcc reads it.
%/libfermata.libs: build/config
	@mkdir -p $(@D)
	echo '$(libs)' > $@

# It moves with the tree. Libs.private is for static linking: Debian's archive of libuv has another name.
static_libs = $(foreach l,$(libs:-l%=%),$(if $(findstring /,$(shell $(CC) -print-file-name=lib$(l).a)),-l$(l),-l$(l)_a))
%/pkgconfig/fermata.pc: build/config compiler/base/base.h
	@mkdir -p $(@D)
	printf '%s\n' 'prefix=$${pcfiledir}/../..' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' 'Name: fermata' \
	  'Description: the runtime of Fermata, C plus asynchrony' 'Version: $(version)' \
	  'Libs: -L$${libdir} -lfermata' 'Libs.private: $(static_libs) -lpthread -ldl -lrt' 'Cflags: -I$${includedir}' > $@

%.a:
	@mkdir -p $(@D)
	@rm -f $@.new
	$(AR) rcs $@.new $(filter %.o,$^)
	@mv $@.new $@

# Names the compiler, its flags and the set of sources: an object is stale when any of them changes.
build/config: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) | $(HARDEN) $(PIC) | $(CPPFLAGS) | $(CFLAGS) | $(LDFLAGS) | $(LDLIBS)' '$(compiler) $(runtime) $(library) $(libs)' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.SECONDARY:
-include $(patsubst %.o,build/obj/%.d,$(fmcc_objects) $(runtime_objects) $(clangd_objects) tools/fermata.o)
-include $(patsubst %.o,build/asan/obj/%.d,$(fmcc_objects) $(runtime_objects))
-include $(foreach v,pic asan tsan msan,$(patsubst %.o,build/variants/$(v)/%.d,$(runtime_objects)))

# ---- use ----
# A make that finds built what this one has built, for tests.
again = make CC="$(CC)" CPPFLAGS="$(CPPFLAGS)" CFLAGS="$(CFLAGS)" LDFLAGS="$(LDFLAGS)" LDLIBS="$(LDLIBS)"

check:
	@DEPS=$(DEPS) tools/deps.sh build check
	@$(submake) all asan $(if $(T),build/lib/libfermata-asan.a,variants)
	@BUILD_CC='$(CC)' BUILD_MAKE='$(again)' T='$(T)' JOBS=$(JOBS) test/run.sh

check-long:
	@DEPS=$(DEPS) tools/deps.sh build check long
	@$(submake) all asan variants
	@BUILD_CC='$(CC)' BUILD_MAKE='$(again)' T='$(T)' JOBS=$(JOBS) test/long/run.sh

demo:
	@DEPS=$(DEPS) tools/deps.sh build
	@$(submake) all
	build/bin/fmcc -O2 -Wall -Wextra -o build/hello examples/hello.c
	build/hello examples/hello.c
	build/bin/fmcc -O2 -Wall -Wextra -o build/collatz examples/collatz.c
	build/collatz

bench:
	@DEPS=$(DEPS) tools/deps.sh build bench
	@$(submake) all
	@bench/run.sh $(Q)
	@[ -n '$(Q)' ] || JOBS=$(JOBS) bench/translate/cost.sh
	@[ -n '$(Q)' ] || [ ! -e /usr/share/llhttp/llhttp.c ] || bench/web/run.sh bars

fuzz:
	@DEPS=$(DEPS) tools/deps.sh build fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) JOBS=$(JOBS) fuzz/run.sh

stats:
	@tools/stats.sh

install: all variants
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/include/fermata' '$(DESTDIR)$(PREFIX)/share/fermata'
	install -m 755 build/bin/fmcc build/bin/fermata build/bin/fermata-clangd '$(DESTDIR)$(PREFIX)/bin'
	for l in $(libraries) $(variants); do install -D -m 644 build/lib/$$l '$(DESTDIR)$(PREFIX)/lib/'$$l || exit; done
	for d in . $(sanitizers:%=fermata/%); do ln -sf $(soname) '$(DESTDIR)$(PREFIX)/lib/'$$d/libfermata.so || exit; done
	install -m 644 build/share/fermata/fermata-gdb.py '$(DESTDIR)$(PREFIX)/share/fermata'
	for h in $(headers); do install -m 644 include/$$h '$(DESTDIR)$(PREFIX)/include/'$$h || exit; done

uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/fmcc' '$(DESTDIR)$(PREFIX)/bin/fermata' '$(DESTDIR)$(PREFIX)/bin/fermata-clangd' '$(DESTDIR)$(PREFIX)/share/fermata/fermata-gdb.py'
	for l in $(libraries) $(variants) libfermata.so; do rm -f '$(DESTDIR)$(PREFIX)/lib/'$$l; done
	rm -rf '$(DESTDIR)$(PREFIX)/lib/fermata'
	for h in $(headers); do rm -f '$(DESTDIR)$(PREFIX)/include/'$$h; done
	-rmdir '$(DESTDIR)$(PREFIX)/include/fermata' '$(DESTDIR)$(PREFIX)/share/fermata' 2>/dev/null

# Keeps build/src: what was fetched is not ours to throw away.
clean:
	rm -rf build/bin build/lib build/include build/share build/obj build/asan build/variants build/fuzz build/test build/bench build/work build/config build/hello

help:
	@echo 'make              build fmcc, fermata, libfermata and the headers into build/'
	@echo 'make variants     build the libraries for programs with -fsanitize=address, thread and memory, too'
	@echo 'make demo         build, then compile and run an example'
	@echo 'make check        all tests; T=PATTERN runs those whose name matches (an extended regular expression)'
	@echo 'make check-long   the tests that take an hour: real packages, csmith, the gcc torture tests'
	@echo 'make bench        ratios to plain C and to peers, and what translation costs; Q=QUESTION asks one (calls, spawn …)'
	@echo 'make fuzz         fuzz the lexer and parser for FUZZ_SECONDS (60)'
	@echo 'make stats        lines per file, lengths of functions'
	@echo 'make install      to DESTDIR and PREFIX (/usr/local); make uninstall removes it'
	@echo 'make clean        remove what was built, but not what was fetched'
	@echo 'Variables: CC CFLAGS LDFLAGS LDLIBS JOBS; DEPS=no never installs packages'
