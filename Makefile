# Fermata: builds fmcc, fermata and libfermata into build/, and runs everything else.
# `make help` lists the targets. V=1 shows the commands; one that fails is always shown.
#
#   build/bin       fmcc, fermata           build/obj       objects, and the headers of each (.d)
#   build/lib       libfermata.a and .so;   build/asan      the same tree with ASan+UBSan, for tests
#                   the variants for programs with sanitizers: libfermata-asan.a, -tsan.a,
#                   -msan.a, fermata/*/libfermata.so; libfermata-atomicity.a
#   build/share     fermata-gdb.py,         build/variants  objects of all but libfermata.a
#                   report.html             build/npm       packages of the pages
#   build/include   the public headers      build/src       sources that the long tests fetch
#
# CC, CFLAGS, LDFLAGS and LDLIBS may be given; a change of any of them rebuilds what depends on it.

ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
DESTDIR ?=
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
# Some tests wait for something most of their time: one more at once keeps the processors busy.
TEST_JOBS ?= $(shell expr $(JOBS) + 1)
DEPS    ?= yes
T       ?=
Q       ?=
V       ?=
FUZZ_SECONDS ?= 60

# What is given replaces our own: -fno-stack-protector, -D_FORTIFY_SOURCE=3 …
optimised := $(filter-out -O0 -Og,$(filter -O%,$(CFLAGS)))
fortified := $(findstring FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS))
FORTIFY   := $(if $(fortified),,$(if $(optimised),-D_FORTIFY_SOURCE=2))
HARDEN    := -fPIE -fstack-protector-strong $(FORTIFY)
HARDEN_LD := -Wl,-z,relro,-z,now,-z,noexecstack

WARN  := -Wall -Wextra
# Two words stored as one vector, of which one is read soon after, are slow.
NOVECTOR := -fno-tree-slp-vectorize
BASE   = -std=gnu11 $(WARN) -MMD -MP -Iinclude -Icompiler -Iruntime $(CPPFLAGS)
FLAGS  = $(BASE) $(HARDEN) $(CFLAGS)
# For shared libraries. Thread-local variables stay as near as in a program; there are few.
PIC := -fPIC -ftls-model=initial-exec -fno-semantic-interposition
SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# AddressSanitizer needs to know only which frames have ended: one library serves gcc and clang.
# ThreadSanitizer has to see how domains hand things over, MemorySanitizer (clang's) what the
# library writes. A compiler without such a sanitizer gets no such library.
TSAN := -O1 -g -fsanitize=thread
# The library calls directly what --wrap replaces in the program: its accesses are its own.
ATOMICITY := -DFM_ATOMICITY -U_FORTIFY_SOURCE \
  $(foreach f,memcpy memmove memset memcmp strlen strcmp strncmp strcpy,-D$(f)=__real_$(f))
MSAN := -O1 -g -fno-omit-frame-pointer -fsanitize=memory -DFM_MSAN
can  = $(shell echo 'int x;' | $(1) -x c -c -o /dev/null - 2>/dev/null && echo yes)

# step WHAT NAME, before a command: prints these two instead of the command.
step = $(if $(filter 1,$(V)),,@tools/step.sh $(1) $(2) )
# quietly, before a command that deserves no line.
quietly := $(if $(filter 1,$(V)),,@)

compiler := $(wildcard compiler/*.c compiler/*/*.c)
atomicity := $(wildcard runtime/atomicity/*.c)
web      := $(wildcard runtime/web/*.c library/web*.c) runtime/drivers/web.c
runtime  := $(filter-out $(atomicity) $(web),$(wildcard runtime/*/*.c))
library  := $(filter-out $(web),$(wildcard library/*.c))
libs     := -luv
version  := $(shell sed -n 's/^#define FM_VERSION "\(.*\)"/\1/p' compiler/base/base.h)
headers  := $(patsubst include/%,%,$(wildcard include/*.h include/*/*.h))

# Headers that were built once and have been renamed or removed since would still be found.
built_headers := $(foreach d,build/include build/asan/include,$(wildcard $(d)/*.h $(d)/*/*.h))
stale := $(filter-out $(headers:%=build/include/%) $(headers:%=build/asan/include/%),\
  $(built_headers))
$(if $(stale),$(shell rm -f $(stale)))

fmcc_objects    := $(compiler:%.c=%.o)
clangd_objects  := $(patsubst %,tools/editor/%.o,fermata-clangd plain-view)
# ncurses draws the live view of `fermata top`; without it the tool has all but that.
curses := $(foreach l,-lncursesw -lncurses,$(shell printf \
  '#include <ncurses.h>\nint main(void) { return newterm(0, 0, 0) == 0; }\n' | \
  $(CC) -x c -o /dev/null - $(l) 2>/dev/null && echo $(l)))
curses := $(firstword $(curses))
top_parts := top client json rows $(if $(curses),live screen,no-screen)
fermata_objects := tools/fermata.o \
                   $(patsubst %.c,%.o,$(wildcard tools/explore/*.c tools/report/*.c)) \
                   $(top_parts:%=tools/top/%.o) \
                   compiler/base/base.o \
                   $(patsubst %,compiler/driver/%.o,options option-table process toolchain \
                     emscripten)
runtime_objects := $(runtime:%.c=%.o) $(library:%.c=%.o)
unit_objects    := $(filter-out compiler/driver/main.o,$(fmcc_objects))

# Targets that call make again do so in parallel, unless the caller has already said how.
submake = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: all asan variants wasm check check-long demo streaming bench fuzz stats install uninstall clean
.PHONY: help FORCE

# The soname's number changes when a program that is linked with the old library could not go on
# with the new one.
soname    := libfermata.so.0
sanitizers := asan $(if $(call can,$(CC) $(TSAN)),tsan) $(if $(call can,clang $(MSAN)),msan)
libraries := libfermata.a libfermata.libs $(soname) pkgconfig/fermata.pc
variants  := $(sanitizers:%=libfermata-%.a) libfermata-atomicity.a \
             $(sanitizers:%=fermata/%/$(soname))
all: build/bin/fmcc build/bin/fermata build/bin/fermata-clangd build/share/fermata/fermata-gdb.py \
     build/share/fermata/report.html \
     $(libraries:%=build/lib/%) $(headers:%=build/include/%)

# The libraries for programs built with sanitizers: `make install` and some tests want them.
variants: $(variants:%=build/lib/%)

asan: build/asan/bin/fmcc $(patsubst %,build/asan/lib/%,libfmcc.a libfermata.a libfermata-asan.a) \
      build/asan/lib/libfermata.libs $(headers:%=build/asan/include/%)

# ---- the plain build; a program is replaced in one step, so that one in use stays whole ----
build/obj/runtime/wait/chan.o: FLAGS += $(NOVECTOR)
# Not LDLIBS of these targets: build/config would have it too, and be another one each time.
libs_fermata := $(curses)
libs_fermata-clangd := -lpthread
build/bin/fmcc: $(fmcc_objects:%=build/obj/%)
build/bin/fermata: $(fermata_objects:%=build/obj/%)
build/bin/fermata-clangd: $(clangd_objects:%=build/obj/%)
build/lib/libfermata.a: $(runtime_objects:%=build/obj/%)
$(foreach v,asan tsan msan,\
  $(eval build/lib/libfermata-$(v).a: $(runtime_objects:%=build/variants/$(v)/%)))
build/lib/libfermata-atomicity.a: \
  $(patsubst %,build/variants/atomicity/%,$(runtime_objects) $(atomicity:%.c=%.o))

build/bin/%: build/config build/sources
	@mkdir -p $(@D)
	$(call step,LD,$@)$(CC) $(CFLAGS) -pie $(HARDEN_LD) $(LDFLAGS) -o $@.new \
	  $(filter %.o,$^) $(LDLIBS) $(libs_$(@F))
	@mv $@.new $@

# Waits of several kinds begin alike, and one is looked at as another. sched.c, end.c and activity.c
# do not do so, and are faster without this option.
aliased := build/obj build/asan/obj $(patsubst %,build/variants/%,pic asan tsan msan atomicity)
$(aliased:%=%/runtime/%.o): CPPFLAGS += -fno-strict-aliasing
build/obj/runtime/core/sched.o build/obj/runtime/core/end.o build/obj/runtime/core/activity.o: \
  CPPFLAGS += -fstrict-aliasing
build/obj/%.o: %.c build/config
	@mkdir -p $(@D)
	$(call step,CC,$<)$(CC) $(FLAGS) -c -o $@ $<

# The library is written in Fermata. FM_LIBRARY: it serves programs with and without ASan.
build/obj/library/%.o: library/%.c build/config build/bin/fmcc | $(headers:%=build/include/%)
	@mkdir -p $(@D)
	$(call step,FMCC,$<)build/bin/fmcc --cc='$(CC)' -DFM_LIBRARY $(FLAGS) -c -o $@ $<

build/include/%: include/%
	@mkdir -p $(@D)
	$(quietly)cp $< $@

build/share/fermata/%: tools/%
	@mkdir -p $(@D)
	$(quietly)cp $< $@

# The page of `fermata report`. It needs npm; without it build.sh says so, and all else is built.
build/share/fermata/report.html: $(wildcard tools/report/page/*)
	@mkdir -p $(@D)
	@tools/report/page/build.sh $@

# ---- the build under sanitizers; libfmcc.a is the compiler without its main, for unit tests ----
build/asan/bin/fmcc: $(fmcc_objects:%=build/asan/obj/%)
build/asan/lib/libfmcc.a: $(unit_objects:%=build/asan/obj/%)
build/asan/lib/libfermata.a: $(runtime_objects:%=build/asan/obj/%)

# The compiler of this tree links programs under ASan with a library that is under it as well.
build/asan/lib/libfermata-asan.a: build/asan/lib/libfermata.a
	$(quietly)ln -sf libfermata.a $@

build/asan/bin/%: build/config build/sources
	@mkdir -p $(@D)
	$(call step,LD,$@)$(CC) $(SANITIZE) $(LDFLAGS) -o $@.new $(filter %.o,$^) $(LDLIBS)
	@mv $@.new $@

# built DIRECTORY COMPILER FLAGS NAME: how objects get there; NAME tells the user of which variant
define built
$(1)/%.o: %.c build/config
	@mkdir -p $$(@D)
	$$(call step,CC,"$$< ($(4))")$(2) $(3) -c -o $$@ $$<

$(1)/library/%.o: library/%.c build/config build/bin/fmcc | $$(headers:%=build/include/%)
	@mkdir -p $$(@D)
	$$(call step,FMCC,"$$< ($(4))")build/bin/fmcc --cc='$(2)' -DFM_LIBRARY $(3) -c -o $$@ $$<
endef
$(eval $(call built,build/asan/obj,$$(CC),$$(BASE) $$(CFLAGS) $(SANITIZE),sanitized))
$(eval $(call built,build/variants/pic,$$(CC),$$(FLAGS) $(PIC),shared))
$(eval $(call built,build/variants/asan,$$(CC),$$(FLAGS) $(PIC) -DFM_ASAN,for ASan))
$(eval $(call built,build/variants/tsan,$$(CC),$$(BASE) $$(CFLAGS) $(PIC) $(TSAN),for TSan))
$(eval $(call built,build/variants/atomicity,$$(CC),$$(BASE) $$(CFLAGS) $$(ATOMICITY),atomicity))
$(eval $(call built,build/variants/msan,clang,$$(BASE) $(PIC) $(MSAN),for MSan))
build/variants/pic/runtime/wait/chan.o: FLAGS += $(NOVECTOR)
build/variants/atomicity/runtime/atomicity/access.o: ATOMICITY += $(NOVECTOR)

# shared DIRECTORY NAME COMPILER FLAGS: the variant NAME as a shared library; the file without a
# number is for linking
define shared
$(1)/$(soname): $(runtime_objects:%=build/variants/$(2)/%) build/sources
	@mkdir -p $$(@D)
	$$(call step,LD,$$@)$(3) -shared $(4) $(HARDEN_LD) -Wl,-soname,$(soname) $$(LDFLAGS) \
	  -o $$@.new $$(filter %.o,$$^) $(libs) -lpthread
	@mv $$@.new $$@
	@ln -sf $(soname) $(1)/libfermata.so
endef
$(eval $(call shared,build/lib,pic,$$(CC),$$(CFLAGS)))
$(eval $(call shared,build/lib/fermata/asan,asan,$$(CC),$$(CFLAGS)))
$(eval $(call shared,build/lib/fermata/tsan,tsan,$$(CC),$(TSAN)))
$(eval $(call shared,build/lib/fermata/msan,msan,clang,$(MSAN)))

build/asan/include/%: include/%
	@mkdir -p $(@D)
	$(quietly)cp $< $@

# ---- WebAssembly: runtime/web takes the place of what a page has not (docs/browser.md) ----
EMCC ?= emcc
EMAR ?= emar
WASM_CFLAGS ?= -g0
# Small, because pages are loaded; what each turn passes through is fast.
wasm_opt := -Os
wasm_fast := $(patsubst %,build/variants/wasm/runtime/%.o,core/activity core/frame \
  core/guard core/node-memory core/sched wait/chan wait/park wait/sync web/fuel)
$(wasm_fast): wasm_opt := -O2
no_page := $(patsubst %,runtime/%.c,core/main core/stack-limit core/tick core/once core/forked \
  drivers/bare drivers/epoll drivers/poll drivers/uv explore/explore \
  $(addprefix domains/,claim deadlock-across host pool remote remote-await remote-control \
  remote-sync starts) \
  report/overflow report/watchdog report/symbols report/lines report/stack) \
  $(patsubst %,library/%.c,temporary walk watcher net names signal process run posix \
  posix-poll)
wasm_sources := $(filter-out $(no_page) runtime/top/%,$(runtime) $(library)) $(web)
wasm_dir := build/lib/wasm32-emscripten
wasm_objects := $(patsubst %.c,build/variants/wasm/%.o,$(wasm_sources))
WASM_FLAGS = -std=gnu11 $(WARN) -MMD -MP -Iinclude -Iruntime -fno-strict-aliasing \
  $(wasm_opt) $(WASM_CFLAGS)
wasm: build/bin/fmcc $(headers:%=build/include/%) $(wasm_dir)/libfermata.a \
      $(wasm_dir)/libfermata.libs
$(wasm_dir)/libfermata.a: $(wasm_objects) build/sources
	@mkdir -p $(@D)
	@rm -f $@.new
	$(call step,AR,$@)$(EMAR) rcs $@.new $(filter %.o,$^)
	@mv $@.new $@
$(wasm_dir)/libfermata.libs: build/config
	@mkdir -p $(@D)
	$(quietly)echo '-sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=5MB' > $@
build/variants/wasm/%.o: %.c build/config
	@mkdir -p $(@D)
	$(call step,EMCC,$<)$(EMCC) $(WASM_FLAGS) -c -o $@ $<
build/variants/wasm/library/%.o: library/%.c build/config build/bin/fmcc \
    | $(headers:%=build/include/%)
	@mkdir -p $(@D)
	$(call step,FMCC,"$< (wasm)")build/bin/fmcc --cc='$(EMCC)' -DFM_LIBRARY \
	  $(WASM_FLAGS) -c -o $@ $<
-include $(wasm_objects:.o=.d)

# ---- both ----
# What else programs are linked with; fmcc reads it.
%/libfermata.libs: build/config
	@mkdir -p $(@D)
	$(quietly)echo '$(libs)' > $@

# It moves with the tree. Libs.private is for static linking: Debian's archive of libuv has
# another name.
has_archive = $(findstring /,$(shell $(CC) -print-file-name=lib$(1).a))
static_libs = $(foreach l,$(libs:-l%=%),-l$(l)$(if $(call has_archive,$(l)),,_a))
%/pkgconfig/fermata.pc: build/config compiler/base/base.h
	@mkdir -p $(@D)
	$(quietly)printf '%s\n' 'prefix=$${pcfiledir}/../..' 'libdir=$${prefix}/lib' \
	  'includedir=$${prefix}/include' '' 'Name: fermata' \
	  'Description: the runtime of Fermata, C plus asynchrony' 'Version: $(version)' \
	  'Libs: -L$${libdir} -lfermata' 'Libs.private: $(static_libs) -lpthread -ldl -lrt' \
	  'Cflags: -I$${includedir}' > $@

%.a: build/sources
	@mkdir -p $(@D)
	@rm -f $@.new
	$(call step,AR,$@)$(AR) rcs $@.new $(filter %.o,$^)
	@mv $@.new $@

# Names the compiler and its flags: an object is stale when any of them changes. Before anything is
# built with them, needs.sh says in words what is missing.
flags_used = $(HARDEN) $(PIC) | $(CPPFLAGS) | $(CFLAGS) | $(LDFLAGS) | $(LDLIBS)
build/config: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) | $(flags_used) | $(libs)' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else \
	  tools/needs.sh '$(CC)' $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) && mv $@.new $@; fi

# Names the sources: a program or library is stale when one of them is added or removed.
build/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(compiler) $(runtime) $(atomicity) $(library) $(web) $(fermata_objects)' > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.SECONDARY:
plain_objects := $(fmcc_objects) $(runtime_objects) $(clangd_objects) $(fermata_objects)
-include $(patsubst %.o,build/obj/%.d,$(plain_objects))
-include $(patsubst %.o,build/asan/obj/%.d,$(fmcc_objects) $(runtime_objects))
-include $(foreach v,pic asan tsan msan atomicity,\
  $(patsubst %.o,build/variants/$(v)/%.d,$(runtime_objects) $(atomicity:%.c=%.o)))

# ---- use ----
# A make that finds built what this one has built, for tests.
again = make CC="$(CC)" CPPFLAGS="$(CPPFLAGS)" CFLAGS="$(CFLAGS)" LDFLAGS="$(LDFLAGS)" \
        LDLIBS="$(LDLIBS)"

# Builds what the chosen tests need: run.sh --needs names it.
check:
	@DEPS=$(DEPS) tools/deps.sh build check
	@DEPS=$(DEPS) tools/deps.sh wasm || echo 'make check: WebAssembly is left out'
	@$(submake) all $$(T='$(T)' test/run.sh --needs)
	@BUILD_CC='$(CC)' BUILD_MAKE='$(again)' T='$(T)' JOBS=$(TEST_JOBS) test/run.sh

check-long:
	@DEPS=$(DEPS) tools/deps.sh build check long
	@DEPS=$(DEPS) tools/deps.sh wasm || echo 'make check-long: WebAssembly is left out'
	@$(submake) all asan variants
	@BUILD_CC='$(CC)' BUILD_MAKE='$(again)' T='$(T)' JOBS=$(JOBS) test/long/run.sh

demo:
	@DEPS=$(DEPS) tools/deps.sh build
	@$(submake) all
	@build/bin/fmcc -O2 -Wall -Wextra -o build/demo examples/demo/*.c
	@build/demo

streaming:
	@DEPS=$(DEPS) tools/deps.sh build page wasm
	@$(submake) all wasm
	$(call step,MAKE,examples/streaming)$(submake) $(if $(V),,-s) -C examples/streaming CC='$(CC)'
	@echo 'build/streaming/server serves the page; build/streaming/site/index.html works alone'

bench:
	@DEPS=$(DEPS) tools/deps.sh build bench >&2
	@$(submake) all >&2
	@bench/run.sh $(Q)
	@[ -n '$(Q)' ] || JOBS=$(JOBS) bench/translate/cost.sh
	@[ -n '$(Q)' ] || [ ! -e /usr/share/llhttp/llhttp.c ] || bench/web/run.sh bars

fuzz:
	@DEPS=$(DEPS) tools/deps.sh build fuzz
	@FUZZ_SECONDS=$(FUZZ_SECONDS) JOBS=$(JOBS) fuzz/run.sh

stats: build/tools/stats
	@build/tools/stats compiler runtime library tools include

build/tools/stats: $(wildcard tools/stats/*.[ch])
	@mkdir -p $(@D)
	$(call step,CC,$@)$(CC) -std=gnu11 $(WARN) -O2 -o $@ $(filter %.c,$^)

to := $(DESTDIR)$(PREFIX)
install: all variants
	$(quietly)install -d '$(to)/bin' '$(to)/include/fermata' '$(to)/share/fermata'
	$(quietly)install -m 755 build/bin/fmcc build/bin/fermata build/bin/fermata-clangd '$(to)/bin'
	$(quietly)for l in $(libraries) $(variants); do \
	  install -D -m 644 build/lib/$$l '$(to)/lib/'$$l || exit; done
	$(quietly)for d in . $(sanitizers:%=fermata/%); do \
	  ln -sf $(soname) '$(to)/lib/'$$d/libfermata.so || exit; done
	$(quietly)for f in fermata-gdb.py report.html; do [ ! -e build/share/fermata/$$f ] || \
	  install -m 644 build/share/fermata/$$f '$(to)/share/fermata' || exit; done
	$(quietly)for l in $(notdir $(wildcard $(wasm_dir)/*)); do \
	  install -D -m 644 $(wasm_dir)/$$l '$(to)/lib/wasm32-emscripten/'$$l || exit; done
	$(quietly)for h in $(headers); do \
	  install -m 644 include/$$h '$(to)/include/'$$h || exit; done
	@echo '  INSTALL  $(to)'

programs := fmcc fermata fermata-clangd
uninstall:
	$(quietly)rm -f $(programs:%='$(to)/bin/%') '$(to)/share/fermata/fermata-gdb.py' \
	  '$(to)/share/fermata/report.html'
	$(quietly)for l in $(libraries) $(variants) libfermata.so; do rm -f '$(to)/lib/'$$l; done
	$(quietly)rm -rf '$(to)/lib/fermata' '$(to)/lib/wasm32-emscripten/'libfermata.*
	$(quietly)for h in $(headers); do rm -f '$(to)/include/'$$h; done
	$(quietly)rmdir '$(to)/include/fermata' '$(to)/share/fermata' \
	  '$(to)/lib/wasm32-emscripten' 2>/dev/null || true

# Keeps build/src and build/npm: what was fetched is not ours to throw away.
made := bin lib include share obj asan variants fuzz test bench work tools config sources demo \
        streaming
clean:
	$(quietly)rm -rf $(made:%=build/%)

help:
	@echo 'make              build fmcc, fermata, libfermata and the headers into build/'
	@echo 'make demo         build, then show in a minute what Fermata is for'
	@echo 'make check        all tests; T=quick runs a selection of two minutes, T=PATTERN'
	@echo '                  those whose name matches (an extended regular expression)'
	@echo 'make check-long   the tests that take hours: real packages, csmith, torture tests'
	@echo 'make bench        ratios to plain C and to peers, and what translation costs;'
	@echo '                  Q=QUESTION asks one (calls, spawn, field …)'
	@echo 'make fuzz         fuzz the lexer and parser for FUZZ_SECONDS (60)'
	@echo 'make stats        how the code reads: lengths, complexity, widths, repetitions'
	@echo 'make variants     the libraries for programs with -fsanitize=address, thread, memory,'
	@echo '                  atomicity'
	@echo 'make wasm         the library for WebAssembly, with emcc: fmcc --cc=emcc (docs/browser.md)'
	@echo 'make streaming    the application of docs/streaming.md: a page, and its server'
	@echo 'make install      to DESTDIR and PREFIX (/usr/local), with the variants;'
	@echo '                  make uninstall removes it'
	@echo 'make clean        remove what was built, but not what was fetched'
	@echo 'Variables: CC CFLAGS LDFLAGS LDLIBS JOBS TEST_JOBS; V=1 shows the commands;'
	@echo '           DEPS=no never installs packages'
