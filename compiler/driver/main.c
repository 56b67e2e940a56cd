// main.c: fmcc, a C compiler command that understands Fermata. In: a command line as for cc. Out:
// what cc would make of it, the units in the dialect translated first.
#include "driver/driver.h"

static int print_help(void) {
  fputs(options_help, stdout);
  return stdout_written() ? 0 : 1;
}

static int print_passes(void) {
  Buf list = { 0 };
  list_passes(&list);
  printf("--dump=PASS prints the state of a unit after a pass:\n%s", list.data);
  buf_free(&list);
  return stdout_written() ? 0 : 1;
}

static bool is_bad_pass(const Options *o) {
  return o->dump && strcmp(o->dump, "help") != 0 && !pass_exists(o->dump);
}

static int bad_pass(const Options *o) {
  Buf list = { 0 };
  list_passes(&list);
  list.data[--list.len] = 0; // complain() ends the line
  complain("there is no pass '%s'; --dump=PASS takes one of these:\n%s",
           o->dump,
           list.data);
  buf_free(&list);
  return 1;
}

static int bad_usage(const Options *o) {
  if (is_bad_pass(o))
    return bad_pass(o);
  if (o->bad_yield) {
    complain("unknown value '%s'; use -fauto-yield=off, calls or loops",
             o->bad_yield);
    return 1;
  }
  if (o->bad_form) {
    complain("unknown value '%s'; use --emit-c or --emit-c=compiled",
             o->bad_form);
    return 1;
  }
  complain("unknown translation mode '%s'; use --translate=auto, verbatim, "
           "reprint or assert",
           o->bad_mode);
  return 1;
}

static int compile(Options *o, const char *argv0) {
  Toolchain t = { 0 };
  int status = 1;
  if (!toolchain_find(&t, o, argv0))
    status = 1;
  else if (o->version)
    status = print_version(&t);
  else if (o->print_libs)
    status = print_libs(&t, o);
  else
    status = drive(o, &t);
  vec_free(&t.cc);
  return status;
}

int main(int argc, char **argv) {
  Options o = { 0 };
  options_read(&o, argc, argv);
  bool bad = o.bad_mode || o.bad_yield || o.bad_form || is_bad_pass(&o);
  bool asks_passes = o.dump && strcmp(o.dump, "help") == 0;
  int status = o.help        ? print_help()
               : bad         ? bad_usage(&o)
               : asks_passes ? print_passes()
                             : compile(&o, argv[0]);
  remove_temps();
  options_free(&o);
  return status;
}
