# Fermata: builds fmcc, fermata and libfermata into build/, and runs everything else. `make help` lists the targets.
#
#   build/bin       fmcc, fermata            build/obj        objects, with the headers each one needs beside it (.d)
#   build/lib       libfermata.a, and        build/asan       the same tree under ASan+UBSan, for the tests
#                   -tsan and -msan.a, for programs built with these sanitizers
#   build/share     fermata-gdb.py
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

WARN  := -Wall -Wextra
# Two words stored as one vector, of which one is read soon after, are slow.
NOVECTOR := -fno-tree-slp-vectorize
BASE   = -std=gnu11 $(WARN) -MMD -MP -Iinclude $(CPPFLAGS)
FLAGS  = $(BASE) $(CFLAGS)
SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# ThreadSanitizer has to see how domains hand things over, MemorySanitizer (clang's) what the library writes; where there is no such
# sanitizer, there is no such library.
TSAN := -O1 -g -fsanitize=thread
MSAN := -O1 -g -fno-omit-frame-pointer -fsanitize=memory -DFM_MSAN
can  = $(shell echo 'int x;' | $(1) -x c -c -o /dev/null - 2>/dev/null && echo yes)

compiler := $(wildcard compiler/*.c)
runtime  := $(wildcard runtime/*.c runtime/*/*.c)
library  := $(wildcard library/*.c)
libs     := -luv
headers  := $(patsubst include/%,%,$(wildcard include/*.h include/*/*.h))

fmcc_objects    := $(compiler:%.c=%.o)
clangd_objects := $(patsubst %,tools/editor/%.o,fermata-clangd plain-view)
fermata_objects := tools/fermata.o $(patsubst %,compiler/%.o,base options process toolchain)
runtime_objects := $(runtime:%.c=%.o) $(library:%.c=%.o)
unit_objects    := $(filter-out compiler/main.o,$(fmcc_objects))

# Targets that call make again do so in parallel, unless the caller has already said how.
submake = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: all asan check check-long demo bench fuzz stats install uninstall clean help FORCE

libraries := build/lib/libfermata.a build/lib/libfermata.libs \
             $(if $(call can,$(CC) $(TSAN)),build/lib/libfermata-tsan.a) $(if $(call can,clang $(MSAN)),build/lib/libfermata-msan.a)
all: build/bin/fmcc build/bin/fermata build/bin/fermata-clangd build/share/fermata/fermata-gdb.py $(libraries) $(headers:%=build/include/%)

asan: build/asan/bin/fmcc build/asan/lib/libfmcc.a build/asan/lib/libfermata.a build/asan/lib/libfermata.libs $(headers:%=build/asan/include/%)

# ---- the plain build; a program is replaced in one step, so that one in use stays whole ----
build/obj/runtime/chan.o: FLAGS += $(NOVECTOR)
build/bin/fmcc: $(fmcc_objects:%=build/obj/%)
build/bin/fermata: $(fermata_objects:%=build/obj/%)
build/bin/fermata-clangd: LDLIBS += -lpthread
build/bin/fermata-clangd: $(clangd_objects:%=build/obj/%)
build/lib/libfermata.a: $(runtime_objects:%=build/obj/%)
build/lib/libfermata-tsan.a: $(runtime_objects:%=build/tsan/obj/%)
build/lib/libfermata-msan.a: $(runtime_objects:%=build/msan/obj/%)

build/bin/%: build/config
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@.new $(filter %.o,$^) $(LDLIBS)
	@mv $@.new $@

build/obj/tools/%.o: CPPFLAGS += -Icompiler
# Waits of several kinds begin alike, and one is looked at as another; sched.c and activity.c do not, and are faster for it.
build/obj/runtime/%.o build/asan/obj/runtime/%.o build/tsan/obj/runtime/%.o build/msan/obj/runtime/%.o: CPPFLAGS += -fno-strict-aliasing
build/obj/runtime/sched.o build/obj/runtime/activity.o: CPPFLAGS += -fstrict-aliasing
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

build/asan/bin/%: build/config
	@mkdir -p $(@D)
	$(CC) $(SANITIZE) $(LDFLAGS) -o $@.new $(filter %.o,$^) $(LDLIBS)
	@mv $@.new $@

# sanitized NAME COMPILER FLAGS
define sanitized
build/$(1)/obj/%.o: %.c build/config
	@mkdir -p $$(@D)
	$(2) $(3) -c -o $$@ $$<

build/$(1)/obj/library/%.o: library/%.c build/config build/bin/fmcc | $$(headers:%=build/include/%)
	@mkdir -p $$(@D)
	build/bin/fmcc --cc='$(2)' -DFM_LIBRARY $(3) -c -o $$@ $$<
endef
$(eval $(call sanitized,asan,$$(CC),$$(FLAGS) $(SANITIZE)))
$(eval $(call sanitized,tsan,$$(CC),$$(FLAGS) $(TSAN)))
$(eval $(call sanitized,msan,clang,$$(BASE) $(MSAN)))

build/asan/include/%: include/%
	@mkdir -p $(@D)
	cp $< $@

# ---- both ----
# What else programs are linked with; fmcc reads it.
%/libfermata.libs: build/config
	@mkdir -p $(@D)
	echo '$(libs)' > $@

%.a:
	@mkdir -p $(@D)
	@rm -f $@.new
	$(AR) rcs $@.new $(filter %.o,$^)
	@mv $@.new $@

# Names the compiler, its flags and the set of sources: an object is stale when any of them changes.
build/config: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) | $(CPPFLAGS) | $(CFLAGS) | $(LDFLAGS) | $(LDLIBS)' '$(compiler) $(runtime) $(library) $(libs)' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.SECONDARY:
-include $(patsubst %.o,build/obj/%.d,$(fmcc_objects) $(runtime_objects) $(clangd_objects) tools/fermata.o)
-include $(patsubst %.o,build/asan/obj/%.d,$(fmcc_objects) $(runtime_objects))
-include $(foreach s,tsan msan,$(patsubst %.o,build/$(s)/obj/%.d,$(runtime_objects)))

# ---- use ----
check:
	@DEPS=$(DEPS) tools/deps.sh build check
	@$(submake) all asan
	@BUILD_CC='$(CC)' T='$(T)' JOBS=$(JOBS) test/run.sh

check-long:
	@DEPS=$(DEPS) tools/deps.sh build check long
	@$(submake) all asan
	@BUILD_CC='$(CC)' T='$(T)' JOBS=$(JOBS) test/long/run.sh

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

install: all
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib' '$(DESTDIR)$(PREFIX)/include/fermata' '$(DESTDIR)$(PREFIX)/share/fermata'
	install -m 755 build/bin/fmcc build/bin/fermata build/bin/fermata-clangd '$(DESTDIR)$(PREFIX)/bin'
	install -m 644 $(libraries) '$(DESTDIR)$(PREFIX)/lib'
	install -m 644 build/share/fermata/fermata-gdb.py '$(DESTDIR)$(PREFIX)/share/fermata'
	for h in $(headers); do install -m 644 include/$$h '$(DESTDIR)$(PREFIX)/include/'$$h; done

uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/fmcc' '$(DESTDIR)$(PREFIX)/bin/fermata' '$(DESTDIR)$(PREFIX)/bin/fermata-clangd' $(foreach l,libfermata.a libfermata.libs libfermata-tsan.a libfermata-msan.a,'$(DESTDIR)$(PREFIX)/lib/$(l)') '$(DESTDIR)$(PREFIX)/share/fermata/fermata-gdb.py'
	for h in $(headers); do rm -f '$(DESTDIR)$(PREFIX)/include/'$$h; done
	-rmdir '$(DESTDIR)$(PREFIX)/include/fermata' '$(DESTDIR)$(PREFIX)/share/fermata' 2>/dev/null

# Keeps build/src: what was fetched is not ours to throw away.
clean:
	rm -rf build/bin build/lib build/include build/share build/obj build/asan build/tsan build/msan build/fuzz build/test build/bench build/work build/config build/hello

help:
	@echo 'make              build fmcc, fermata, libfermata and the headers into build/'
	@echo 'make demo         build, then compile and run an example'
	@echo 'make check        all tests; T=PATTERN runs those whose name matches (an extended regular expression)'
	@echo 'make check-long   the tests that take an hour: real packages, csmith, the gcc torture tests'
	@echo 'make bench        ratios to plain C and to peers, and what translation costs; Q=QUESTION asks one (calls, spawn …)'
	@echo 'make fuzz         fuzz the lexer and parser for FUZZ_SECONDS (60)'
	@echo 'make stats        lines per file, lengths of functions'
	@echo 'make install      to DESTDIR and PREFIX (/usr/local); make uninstall removes it'
	@echo 'make clean        remove what was built, but not what was fetched'
	@echo 'Variables: CC CFLAGS LDFLAGS LDLIBS JOBS; DEPS=no never installs packages'
