// option-table.c: the options of fmcc, gcc and clang. The table has the options that matter here:
// how the argument is written, and which command gets the option. An option that is not in the
// table takes no separate argument and goes to every command, so that new options of
// compilers need no change here.
#include "driver/driver.h"

// clang-format off
const char options_help[] =
    "Usage: fmcc [options] file...\n"
    "A C compiler for Fermata (C plus asynchrony). It translates units that include\n"
    "<fermata.h>, and passes them and all other files to the C compiler underneath.\n"
    "\n"
    "Output:\n"
    "  --emit-c               print the translation to C, for people, or write it to\n"
    "                         the file given with -o; any C compiler takes it\n"
    "  --emit-c=compiled      the text that the compiler underneath gets\n"
    "  --emit-witness         the same: the plain C from which the compiler's\n"
    "                         warnings and errors come\n"
    "  --list-yields          instead of C, print every place where an async\n"
    "                         function can be interrupted, and why\n"
    "  --frame-report         instead of C, print each async function's frame: its\n"
    "                         size and its variables\n"
    "  --dump=PASS            instead of C, print the unit as it is after a pass of the\n"
    "                         translator; --dump=help lists the passes\n"
    "  -save-temps            keep file.i (preprocessed) and file.fm.i (translated)\n"
    "\n"
    "Language:\n"
    "  -fauto-yield=WHERE     off, calls (default) or loops: where async functions\n"
    "                         yield by themselves\n"
    "\n"
    "Warnings (-Wno-NAME, -Werror, -Werror=NAME, -Wno-error=NAME work for each):\n"
    "  -Wblocking             libc functions that block, called in async code\n"
    "  -Wshared-state         libc functions whose result the next call changes, and\n"
    "                         variables of the thread, used in async code; this and\n"
    "                         -Wblocking are on where <fermata/posix.h> is included\n"
    "  -Wimplicit-await       calls of async functions without await\n"
    "  -Wunawaited-task       tasks that may throw and are never awaited (on)\n"
    "  -Wtail-call            `return f(x);` that keeps the frame, and why\n"
    "\n"
    "Compiler and linker:\n"
    "  --cc=COMMAND           the C compiler underneath, for example 'clang' or\n"
    "                         'ccache gcc -m32' (default: $FMCC_CC, or $CC unless\n"
    "                         that is fmcc, or cc)\n"
    "  -shared-libfermata     link the program with libfermata.so: for a program that\n"
    "                         loads shared libraries with async code\n"
    "  --no-rpath             do not store the place of libfermata.so in the output\n"
    "  --print-libs           print the libraries that another linker needs; with\n"
    "                         -shared, -static or -fsanitize=: for such a link\n"
    "  -fsanitize=atomicity   report at run time what activities change between the\n"
    "                         read and the write of another; atomicity-more: with\n"
    "                         more rules (docs/atomicity.md)\n"
    "\n"
    "Other:\n"
    "  --translate=MODE       auto: translate units that use the dialect (default, or\n"
    "                         $FMCC_TRANSLATE); verbatim, reprint, assert: put every\n"
    "                         unit through the translator, for tests\n"
    "  --part-size=N          cut async functions with more than N pauses into parts\n"
    "                         of about so many, for tests (default: only large ones)\n"
    "  -v, -###               show the commands; -### only shows them\n"
    "  --help, --version      this text; the versions of Fermata and the compiler\n"
    "\n"
    "All other options go to the C compiler underneath and mean what they mean there.\n"
    "Linking adds libfermata when an object needs it.\n";
// clang-format on

// How an option's argument may be written.
enum {
  NONE = 1,
  JOINED = 2,
  APART = 4,
  EITHER = JOINED | APART,
};

typedef struct Spec {
  const char *name;
  unsigned char form;
  unsigned char role;
  unsigned char id;
} Spec;

static const Spec specs[] = {
  // fmcc's own
  { "--list-yields", NONE, ROLE_OWN, OPT_LIST_YIELDS },
  { "--frame-report", NONE, ROLE_OWN, OPT_FRAME_REPORT },
  { "--dump=", JOINED, ROLE_OWN, OPT_DUMP },
  { "--part-size=", JOINED, ROLE_OWN, OPT_PART_SIZE },
  { "-fauto-yield=", JOINED, ROLE_OWN, OPT_AUTO_YIELD },
  { "-fno-auto-yield", NONE, ROLE_OWN, OPT_NO_AUTO_YIELD },
  { "-Wblocking", NONE, ROLE_OWN, OPT_WARN_OF },
  { "-Wno-blocking", NONE, ROLE_OWN, OPT_NO_WARN_OF },
  { "-Wshared-state", NONE, ROLE_OWN, OPT_WARN_OF },
  { "-Wno-shared-state", NONE, ROLE_OWN, OPT_NO_WARN_OF },
  { "-Wimplicit-await", NONE, ROLE_OWN, OPT_WARN_OF },
  { "-Wno-implicit-await", NONE, ROLE_OWN, OPT_NO_WARN_OF },
  { "-Wunawaited-task", NONE, ROLE_OWN, OPT_WARN_OF },
  { "-Wno-unawaited-task", NONE, ROLE_OWN, OPT_NO_WARN_OF },
  { "-Wtail-call", NONE, ROLE_OWN, OPT_WARN_OF },
  { "-Wno-tail-call", NONE, ROLE_OWN, OPT_NO_WARN_OF },
  { "-Werror=blocking", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=blocking", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "-Werror=shared-state", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=shared-state", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "-Werror=implicit-await", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=implicit-await", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "-Werror=unawaited-task", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=unawaited-task", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "-Werror=tail-call", NONE, ROLE_OWN, OPT_ERROR_OF },
  { "-Wno-error=tail-call", NONE, ROLE_OWN, OPT_NO_ERROR_OF },
  { "--emit-c", NONE, ROLE_OWN, OPT_EMIT_C },
  { "--emit-c=", JOINED, ROLE_OWN, OPT_EMIT_FORM },
  { "--emit-witness", NONE, ROLE_OWN, OPT_EMIT_WITNESS },
  { "--translate=", JOINED, ROLE_OWN, OPT_TRANSLATE },
  { "-shared-libfermata", NONE, ROLE_OWN, OPT_SHARED_RUNTIME },
  { "--no-rpath", NONE, ROLE_OWN, OPT_NO_RPATH },
  { "--print-libs", NONE, ROLE_OWN, OPT_PRINT_LIBS },
  { "--cc=", JOINED, ROLE_OWN, OPT_CC },
  { "--help", NONE, ROLE_OWN, OPT_HELP },
  { "--version", NONE, ROLE_OWN, OPT_VERSION },
  // the last stage, and the output
  { "-c", NONE, ROLE_STEER, OPT_C },
  { "--compile", NONE, ROLE_STEER, OPT_C },
  { "-S", NONE, ROLE_STEER, OPT_S },
  { "--assemble", NONE, ROLE_STEER, OPT_S },
  { "-E", NONE, ROLE_STEER, OPT_E },
  { "--preprocess", NONE, ROLE_STEER, OPT_E },
  { "-fsyntax-only", NONE, ROLE_STEER, OPT_SYNTAX },
  { "-o", EITHER, ROLE_STEER, OPT_OUTPUT },
  { "--output", APART, ROLE_STEER, OPT_OUTPUT },
  { "--output=", JOINED, ROLE_STEER, OPT_OUTPUT },
  { "-x", EITHER, ROLE_STEER, OPT_LANG },
  { "--language", APART, ROLE_STEER, OPT_LANG },
  { "--language=", JOINED, ROLE_STEER, OPT_LANG },
  { "-v", NONE, ROLE_BOTH, OPT_VERBOSE },
  { "--verbose", NONE, ROLE_BOTH, OPT_VERBOSE },
  { "-###", NONE, ROLE_STEER, OPT_DRY },
  { "-save-temps", NONE, ROLE_SAVE, OPT_SAVE },
  { "--save-temps", NONE, ROLE_SAVE, OPT_SAVE },
  { "-save-temps=", JOINED, ROLE_SAVE, OPT_SAVE },
  { "--save-temps=", JOINED, ROLE_SAVE, OPT_SAVE },
  // dependency files
  { "-M", NONE, ROLE_DEPEND, OPT_M },
  { "-MM", NONE, ROLE_DEPEND, OPT_M },
  { "--dependencies", NONE, ROLE_DEPEND, OPT_M },
  { "--user-dependencies", NONE, ROLE_DEPEND, OPT_M },
  { "-MD", NONE, ROLE_DEPEND, OPT_MD },
  { "--write-dependencies", NONE, ROLE_DEPEND, OPT_MD },
  { "-MMD", NONE, ROLE_DEPEND, OPT_MMD },
  { "--write-user-dependencies", NONE, ROLE_DEPEND, OPT_MMD },
  { "-MF", EITHER, ROLE_DEPEND, OPT_MF },
  { "-MT", EITHER, ROLE_DEPEND, OPT_MT },
  { "-MQ", EITHER, ROLE_DEPEND, OPT_MQ },
  { "-MP", NONE, ROLE_DEPEND, OPT_MP },
  { "-MG", NONE, ROLE_DEPEND, OPT_OTHER },
  { "-MV", NONE, ROLE_DEPEND, OPT_OTHER },
  { "-MJ", EITHER, ROLE_DEPEND, OPT_OTHER },
  // preprocessing
  { "-D", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-U", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-I", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-A", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-H", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "--define-macro", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--define-macro=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "--undefine-macro", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--undefine-macro=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "--include-directory", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--include-directory=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "-include", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "--include", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--include=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "-imacros", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "--imacros", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "--imacros=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "-include-pch", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "-isystem", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-iquote", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-idirafter", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-isystem-after", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-iprefix", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-iwithprefix", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-iwithprefixbefore", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-isysroot", EITHER, ROLE_PREPROCESS, OPT_OTHER },
  { "-imultilib", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "-imultiarch", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "-nostdinc", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-nostdinc++", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-undef", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-trigraphs", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-remap", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-traditional-cpp", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-finput-charset=", JOINED, ROLE_PREPROCESS, OPT_OTHER },
  { "-fworking-directory", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-fno-working-directory", NONE, ROLE_PREPROCESS, OPT_OTHER },
  { "-Wp,", JOINED, ROLE_PREPROCESS, OPT_WP },
  { "-Xpreprocessor", APART, ROLE_PREPROCESS, OPT_OTHER },
  { "-P", NONE, ROLE_PRINT, OPT_OTHER },
  { "-C", NONE, ROLE_PRINT, OPT_OTHER },
  { "-CC", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dM", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dD", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dN", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dI", NONE, ROLE_PRINT, OPT_OTHER },
  { "-dU", NONE, ROLE_PRINT, OPT_OTHER },
  { "-fdirectives-only", NONE, ROLE_PRINT, OPT_DIRECTIVES },
  { "-fpreprocessed", NONE, ROLE_STEER, OPT_PREPROCESSED },
  // both steps, with an argument that may stand apart
  { "--param", APART, ROLE_BOTH, OPT_OTHER },
  { "-Xclang", APART, ROLE_BOTH, OPT_OTHER },
  { "-mllvm", APART, ROLE_BOTH, OPT_OTHER },
  { "-Xarch_", JOINED | APART, ROLE_BOTH, OPT_OTHER },
  { "-Xanalyzer", APART, ROLE_BOTH, OPT_OTHER },
  { "-Xopenmp-target", APART, ROLE_BOTH, OPT_OTHER },
  { "-B", EITHER, ROLE_BOTH, OPT_OTHER },
  { "--sysroot", APART, ROLE_BOTH, OPT_OTHER },
  { "--sysroot=", JOINED, ROLE_BOTH, OPT_OTHER },
  { "-gcc-toolchain", APART, ROLE_BOTH, OPT_OTHER },
  { "-resource-dir", APART, ROLE_BOTH, OPT_OTHER },
  { "-wrapper", APART, ROLE_BOTH, OPT_OTHER },
  { "-arch", APART, ROLE_BOTH, OPT_OTHER },
  { "-target", APART, ROLE_BOTH, OPT_TARGET },
  { "--target=", JOINED, ROLE_BOTH, OPT_TARGET },
  { "-specs", APART, ROLE_BOTH, OPT_OTHER },
  { "--specs", APART, ROLE_BOTH, OPT_OTHER },
  // compiling
  { "-Wa,", JOINED, ROLE_COMPILE, OPT_OTHER },
  { "-Xassembler", APART, ROLE_COMPILE, OPT_OTHER },
  { "--for-assembler", APART, ROLE_COMPILE, OPT_OTHER },
  { "--for-assembler=", JOINED, ROLE_COMPILE, OPT_OTHER },
  { "-aux-info", APART, ROLE_COMPILE, OPT_OTHER },
  { "-aux-info=", JOINED, ROLE_COMPILE, OPT_OTHER },
  { "-emit-llvm", NONE, ROLE_COMPILE, OPT_EMIT_LLVM },
  { "-dumpbase", APART, ROLE_COMPILE, OPT_DUMP_NAME },
  { "-dumpdir", APART, ROLE_COMPILE, OPT_DUMP_NAME },
  { "-dumpbase-ext", APART, ROLE_COMPILE, OPT_DUMP_NAME },
  { "-gsplit-dwarf", NONE, ROLE_BOTH, OPT_SPLIT_DWARF },
  { "-gsplit-dwarf=", JOINED, ROLE_BOTH, OPT_SPLIT_DWARF },
  { "--coverage", NONE, ROLE_BOTH, OPT_COVERAGE },
  { "-coverage", NONE, ROLE_BOTH, OPT_COVERAGE },
  { "-ftest-coverage", NONE, ROLE_BOTH, OPT_COVERAGE },
  { "-fprofile-arcs", NONE, ROLE_BOTH, OPT_COVERAGE },
  // linking
  { "-l", EITHER, ROLE_LINK, OPT_LIB },
  { "-L", EITHER, ROLE_LINK, OPT_LIBDIR },
  { "--library-directory", APART, ROLE_LINK, OPT_LIBDIR },
  { "--library-directory=", JOINED, ROLE_LINK, OPT_LIBDIR },
  { "-Wl,", JOINED, ROLE_LINK, OPT_OTHER },
  { "-Xlinker", APART, ROLE_LINK, OPT_OTHER },
  { "--for-linker", APART, ROLE_LINK, OPT_OTHER },
  { "--for-linker=", JOINED, ROLE_LINK, OPT_OTHER },
  { "-T", EITHER, ROLE_LINK, OPT_OTHER },
  { "-Ttext", APART, ROLE_LINK, OPT_OTHER },
  { "-Tdata", APART, ROLE_LINK, OPT_OTHER },
  { "-Tbss", APART, ROLE_LINK, OPT_OTHER },
  { "-u", EITHER, ROLE_LINK, OPT_OTHER },
  { "-z", EITHER, ROLE_LINK, OPT_OTHER },
  { "-e", APART, ROLE_LINK, OPT_OTHER },
  { "--entry", APART, ROLE_LINK, OPT_OTHER },
  { "-framework", APART, ROLE_LINK, OPT_OTHER },
  { "-s", NONE, ROLE_LINK, OPT_OTHER },
  { "-r", NONE, ROLE_LINK, OPT_NO_LIBS },
  { "-t", NONE, ROLE_LINK, OPT_OTHER },
  { "-shared", NONE, ROLE_LINK, OPT_SHARED },
  { "--shared", NONE, ROLE_LINK, OPT_SHARED },
  { "-static", NONE, ROLE_LINK, OPT_STATIC },
  { "--static", NONE, ROLE_LINK, OPT_STATIC },
  { "-static-pie", NONE, ROLE_LINK, OPT_STATIC },
  { "-pie", NONE, ROLE_LINK, OPT_OTHER },
  { "--pie", NONE, ROLE_LINK, OPT_OTHER },
  { "-no-pie", NONE, ROLE_LINK, OPT_OTHER },
  { "-nopie", NONE, ROLE_LINK, OPT_OTHER },
  { "-static-lib", JOINED, ROLE_LINK, OPT_OTHER },
  { "-shared-libgcc", NONE, ROLE_LINK, OPT_OTHER },
  { "-rdynamic", NONE, ROLE_LINK, OPT_OTHER },
  { "-symbolic", NONE, ROLE_LINK, OPT_OTHER },
  { "-fuse-ld=", JOINED, ROLE_LINK, OPT_OTHER },
  { "-rpath", APART, ROLE_LINK, OPT_OTHER },
  { "-nostdlib", NONE, ROLE_LINK, OPT_NO_LIBS },
  { "-nodefaultlibs", NONE, ROLE_LINK, OPT_NO_LIBS },
  { "-nostartfiles", NONE, ROLE_LINK, OPT_OTHER },
  { "-nolibc", NONE, ROLE_LINK, OPT_OTHER },
  { "-rtlib=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--rtlib=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--unwindlib=", JOINED, ROLE_LINK, OPT_OTHER },
  // emcc: linking
  { "--pre-js", APART, ROLE_LINK, OPT_OTHER },
  { "--pre-js=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--post-js", APART, ROLE_LINK, OPT_OTHER },
  { "--post-js=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--extern-pre-js", APART, ROLE_LINK, OPT_OTHER },
  { "--extern-pre-js=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--extern-post-js", APART, ROLE_LINK, OPT_OTHER },
  { "--extern-post-js=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--js-library", APART, ROLE_LINK, OPT_OTHER },
  { "--js-library=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--shell-file", APART, ROLE_LINK, OPT_OTHER },
  { "--shell-file=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--preload-file", APART, ROLE_LINK, OPT_OTHER },
  { "--preload-file=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--embed-file", APART, ROLE_LINK, OPT_OTHER },
  { "--embed-file=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--exclude-file", APART, ROLE_LINK, OPT_OTHER },
  { "--exclude-file=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--closure", APART, ROLE_LINK, OPT_OTHER },
  { "--closure=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--closure-args", APART, ROLE_LINK, OPT_OTHER },
  { "--closure-args=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--oformat", APART, ROLE_LINK, OPT_OTHER },
  { "--oformat=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--source-map-base", APART, ROLE_LINK, OPT_OTHER },
  { "--source-map-base=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--memory-init-file", APART, ROLE_LINK, OPT_OTHER },
  { "--memory-init-file=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--minify", APART, ROLE_LINK, OPT_OTHER },
  { "--minify=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--js-transform", APART, ROLE_LINK, OPT_OTHER },
  { "--js-transform=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--output_eol", APART, ROLE_LINK, OPT_OTHER },
  { "--output_eol=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--output-eol", APART, ROLE_LINK, OPT_OTHER },
  { "--output-eol=", JOINED, ROLE_LINK, OPT_OTHER },
  { "--bind", NONE, ROLE_LINK, OPT_OTHER },
  { "--emrun", NONE, ROLE_LINK, OPT_OTHER },
  { "--cpuprofiler", NONE, ROLE_LINK, OPT_OTHER },
  { "--threadprofiler", NONE, ROLE_LINK, OPT_OTHER },
  { "--proxy-to-worker", NONE, ROLE_LINK, OPT_OTHER },
  { "--no-entry", NONE, ROLE_LINK, OPT_OTHER },
  { "--emit-symbol-map", NONE, ROLE_LINK, OPT_OTHER },
  { "--use-preload-cache", NONE, ROLE_LINK, OPT_OTHER },
  { "--use-preload-plugins", NONE, ROLE_LINK, OPT_OTHER },
  { "--profiling", NONE, ROLE_LINK, OPT_OTHER },
  { "--profiling-funcs", NONE, ROLE_LINK, OPT_OTHER },
  { "--ignore-dynamic-linking", NONE, ROLE_LINK, OPT_OTHER },
  { "--tracing", NONE, ROLE_LINK, OPT_OTHER },
  { "--memoryprofiler", NONE, ROLE_LINK, OPT_OTHER },
  { "--post-link", NONE, ROLE_LINK, OPT_OTHER },
  { "--emit-tsd", NONE, ROLE_LINK, OPT_OTHER },
  // emcc: all steps; questions
  { "--valid-abspath", APART, ROLE_BOTH, OPT_OTHER },
  { "--valid-abspath=", JOINED, ROLE_BOTH, OPT_OTHER },
  { "--cache", APART, ROLE_BOTH, OPT_OTHER },
  { "--cache=", JOINED, ROLE_BOTH, OPT_OTHER },
  { "--compiler-wrapper", APART, ROLE_BOTH, OPT_OTHER },
  { "--compiler-wrapper=", JOINED, ROLE_BOTH, OPT_OTHER },
  { "--default-obj-ext", APART, ROLE_BOTH, OPT_OTHER },
  { "--default-obj-ext=", JOINED, ROLE_BOTH, OPT_OTHER },
  { "--em-config", APART, ROLE_BOTH, OPT_OTHER },
  { "--em-config=", JOINED, ROLE_BOTH, OPT_OTHER },
  { "--clear-cache", NONE, ROLE_QUERY, OPT_OTHER },
  { "--clear-ports", NONE, ROLE_QUERY, OPT_OTHER },
  { "--check", NONE, ROLE_QUERY, OPT_OTHER },
  { "--show-ports", NONE, ROLE_QUERY, OPT_OTHER },
  { "--generate-config", NONE, ROLE_QUERY, OPT_OTHER },
  // options that the translator has to know
  { "-m32", NONE, ROLE_BOTH, OPT_M32 },
  { "-mx32", NONE, ROLE_BOTH, OPT_M32 },
  { "-m64", NONE, ROLE_BOTH, OPT_M64 },
  { "-std=", JOINED, ROLE_BOTH, OPT_STD },
  { "--std=", JOINED, ROLE_BOTH, OPT_STD },
  { "-ansi", NONE, ROLE_BOTH, OPT_ANSI },
  { "--std", APART, ROLE_BOTH, OPT_STD },
  { "-Werror", NONE, ROLE_BOTH, OPT_ERROR },
  { "-Wno-error", NONE, ROLE_BOTH, OPT_NO_ERROR },
  { "-w", NONE, ROLE_BOTH, OPT_NO_WARNINGS },
  { "--no-warnings", NONE, ROLE_BOTH, OPT_NO_WARNINGS },
  { "-g", NONE | JOINED, ROLE_BOTH, OPT_DEBUG },
  { "--debug", NONE, ROLE_BOTH, OPT_DEBUG },
  { "-O", NONE | JOINED, ROLE_BOTH, OPT_LEVEL },
  { "-funsigned-char", NONE, ROLE_BOTH, OPT_UCHAR },
  { "-fno-signed-char", NONE, ROLE_BOTH, OPT_UCHAR },
  { "-fsigned-char", NONE, ROLE_BOTH, OPT_SCHAR },
  { "-fno-unsigned-char", NONE, ROLE_BOTH, OPT_SCHAR },
  { "-fPIC", NONE, ROLE_BOTH, OPT_PIC },
  { "-fpic", NONE, ROLE_BOTH, OPT_PIC },
  { "-fPIE", NONE, ROLE_BOTH, OPT_NO_PIC },
  { "-fpie", NONE, ROLE_BOTH, OPT_NO_PIC },
  { "-fno-pic", NONE, ROLE_BOTH, OPT_NO_PIC },
  { "-fno-PIC", NONE, ROLE_BOTH, OPT_NO_PIC },
  { "-fshort-enums", NONE, ROLE_BOTH, OPT_SHORT_ENUMS },
  { "-fno-short-enums", NONE, ROLE_BOTH, OPT_LONG_ENUMS },
  { "-fshort-wchar", NONE, ROLE_BOTH, OPT_SHORT_WCHAR },
  { "-fno-short-wchar", NONE, ROLE_BOTH, OPT_LONG_WCHAR },
  { "-fdiagnostics-color", NONE, ROLE_BOTH, OPT_COLOR_ON },
  { "-fcolor-diagnostics", NONE, ROLE_BOTH, OPT_COLOR_ON },
  { "-fno-diagnostics-color", NONE, ROLE_BOTH, OPT_COLOR_OFF },
  { "-fno-color-diagnostics", NONE, ROLE_BOTH, OPT_COLOR_OFF },
  { "-fdiagnostics-color=", JOINED, ROLE_BOTH, OPT_COLOR },
  { "-fdiagnostics-format=", JOINED, ROLE_BOTH, OPT_FORMAT },
  { "-fmax-errors=", JOINED, ROLE_BOTH, OPT_MAX_ERRORS },
  { "-ferror-limit=", JOINED, ROLE_BOTH, OPT_MAX_ERRORS },
  { "-Wfatal-errors", NONE, ROLE_BOTH, OPT_FATAL_ERRORS },
  { "-fsanitize=", JOINED, ROLE_BOTH, OPT_SANITIZE },
  { "-fno-sanitize=", JOINED, ROLE_BOTH, OPT_NO_SANITIZE },
  // questions that need no input
  { "-dump", JOINED, ROLE_QUERY, OPT_OTHER },
  { "-print-", JOINED, ROLE_QUERY, OPT_OTHER },
  { "--print-", JOINED, ROLE_QUERY, OPT_OTHER },
  { "--target-help", NONE, ROLE_QUERY, OPT_OTHER },
  { "--help=", JOINED, ROLE_QUERY, OPT_OTHER },
  { "-cc1", NONE | JOINED, ROLE_QUERY, OPT_OTHER },
};

// ---- one word ----
static bool fits(const Spec *s, const char *word, size_t len) {
  if (strncmp(word, s->name, len) != 0)
    return false;
  if (word[len] == 0)
    return s->form & (NONE | APART);
  return s->form & JOINED;
}

// The longest name that fits wins: -MMD is not -M with MD.
static const Spec *find_spec(const char *word) {
  const Spec *best = NULL;
  size_t best_len = 0;
  for (size_t i = 0; i < COUNT(specs); i++) {
    size_t len = strlen(specs[i].name);
    if (len > best_len && fits(&specs[i], word, len)) {
      best = &specs[i];
      best_len = len;
    }
  }
  return best;
}

static bool takes_next(const Spec *s, const char *word) {
  if (!(s->form & APART))
    return false;
  bool joined = word[strlen(s->name)] != 0;
  // -Xarch_arm64 ARG has both
  return !joined || strcmp(s->name, "-Xarch_") == 0;
}

Item *classify(Arena *a, char *word, char *next) {
  Item *it = NEW(a, Item);
  it->word[0] = word;
  if (word[0] != '-' || word[1] == 0) {
    it->id = OPT_INPUT;
    it->value = word;
    return it;
  }
  if (classify_setting(it, next))
    return it;
  const Spec *s = find_spec(word);
  if (!s)
    return it;
  it->id = (OptionId)s->id;
  it->role = (Role)s->role;
  it->value = word + strlen(s->name);
  if (takes_next(s, word))
    it->value = it->word[1] = next;
  return it;
}
