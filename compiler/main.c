// main.c: fmcc, a C compiler command that understands Fermata.
// In: a command line as for cc. Out: what cc would make of it, the units in the dialect translated first.
#include "driver.h"

static int bad_usage(const Options *o) {
  complain("unknown translation mode '%s'; use --translate=auto, verbatim, reprint or assert", o->bad_mode);
  return 1;
}

int main(int argc, char **argv) {
  Options o = {0};
  Toolchain t = {.clang = -1};
  options_read(&o, argc, argv);
  if (o.help) {
    fputs(options_help, stdout);
    return fflush(stdout) ? 1 : 0;
  }
  if (o.bad_mode) return bad_usage(&o);
  if (!toolchain_find(&t, &o, argv[0])) return 1;
  int status = o.version ? print_version(&t, &o) : drive(&o, &t);
  remove_temps();
  return status;
}
