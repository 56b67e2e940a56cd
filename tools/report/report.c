// report.c: `fermata report`: a trace becomes a page, a text or an object in JSON.
//
// In: options, and a trace; or a program or file in C, which is recorded first. Out: the report.
// The exit status is 0, or 1 if the trace cannot be read or the report cannot be written.
#include "report.h"
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

// clang-format off
static const char help[] =
    "Usage: fermata report [options] TRACE\n"
    "       fermata report [options] [fmcc options] FILE|PROGRAM [arguments]\n"
    "\n"
    "Reports what the activities of a program did: from a trace that `fermata record`\n"
    "or FERMATA_TRACE=FILE has written, also while it is written; or of a program,\n"
    "which is run and recorded first.\n"
    "\n"
    "  -o FILE     the file to write (TRACE.html; standard output for the others)\n"
    "  --text      a report for the terminal\n"
    "  --json      all figures and tables, as docs/report.md lists them\n"
    "  --perfetto  a trace for https://ui.perfetto.dev and chrome://tracing\n"
    "  --last SECONDS, --ring MB, --sanitize   as of fermata record\n"
    "\n"
    "Without --text, --json and --perfetto the report is a page for a browser.\n";
// clang-format on

typedef struct Wanted {
  enum { PAGE, TEXT, JSON, PERFETTO } form;
  const char *to;    // NULL: not given
  const char *trace; // NULL: `rest` is a program
  Vec rest;
} Wanted;

// ---- options ----
static bool take_form(Wanted *o, const char *word) {
  static const char *const names[] = {
    "--page", "--text", "--json", "--perfetto"
  };
  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(word, names[i]) == 0) {
      o->form = (int)i;
      return true;
    }
  return false;
}

// The first word that is a file decides: a program, a file in C, or a trace.
static bool is_source(const char *path) {
  size_t n = strlen(path);
  char head[4] = "";
  FILE *f = fopen(path, "rb");
  size_t got = f ? fread(head, 1, sizeof head, f) : 0;
  if (f)
    fclose(f);
  return (n > 2 && path[n - 2] == '.' && strchr("ci", path[n - 1])) ||
         (got == 4 &&
          (memcmp(head, "\177ELF", 4) == 0 || memcmp(head, "#!", 2) == 0));
}

// "-" is standard input.
static bool is_option(const char *word) {
  return word[0] == '-' && word[1];
}

// How many words the option at `words` has; 0: it is none of ours; -1: an error was reported.
static int take_option(Wanted *o, char **words) {
  if (take_form(o, *words))
    return 1;
  if (strcmp(*words, "-o") != 0)
    return 0;
  if (!(o->to = words[1]))
    complain("report: -o: expected the name of a file");
  return o->to ? 2 : -1;
}

static bool take_trace(Wanted *o, char **words) {
  o->trace = *words++;
  for (int taken; *words; words += taken) {
    taken = take_option(o, words);
    if (!taken)
      complain("report: there is a word after the trace: %s", *words);
    if (taken <= 0)
      return false;
  }
  return true;
}

// Options of the recording are left for record_options.
static bool take_options(Wanted *o, char **words) {
  for (int taken; *words && (taken = take_option(o, words)); words += taken)
    if (taken < 0)
      return false;
  if (!*words) {
    complain(
        "report: no trace is given; for example: fermata report run.fmtrace");
    return false;
  }
  if (!is_option(*words) && !is_source(*words))
    return take_trace(o, words);
  for (; *words; words++)
    vec_push(&o->rest, *words);
  vec_push(&o->rest, NULL);
  return true;
}

// ---- the report ----
static bool write_out(const Wanted *o, const Buf *text) {
  FILE *to = o->to ? fopen(o->to, "wb") : stdout;
  if (to)
    fwrite(text->data, 1, text->len, to);
  if (to == stdout)
    return stdout_written();
  if (to && !ferror(to) && fclose(to) == 0)
    return true;
  complain("report: %s: %s", o->to, strerror(errno));
  return false;
}

static char *page_path(const char *trace) {
  const char *slash = strrchr(trace, '/');
  const char *dot = strrchr(slash ? slash : trace, '.');
  bool ours = dot && strcmp(dot, ".fmtrace") == 0;
  return xasprintf("%.*s.html",
                   (int)(ours ? (size_t)(dot - trace) : strlen(trace)),
                   trace);
}

static bool write_page(const Report *r, const Wanted *o, const char *argv0) {
  char *path = o->to ? xstrdup(o->to) : page_path(o->trace);
  bool ok = page_write(r, argv0, path);
  if (ok)
    fprintf(stderr, "fermata: the report is in %s\n", path);
  free(path);
  return ok;
}

static bool write_report(const Report *r, const Wanted *o, const char *argv0) {
  static void (*const print[])(const Report *, Buf *) = {
    [TEXT] = text_print,
    [JSON] = json_print,
    [PERFETTO] = perfetto_print,
  };
  Buf text = { 0 };
  if (o->form == PAGE)
    return write_page(r, o, argv0);
  print[o->form](r, &text);
  bool ok = write_out(o, &text);
  buf_free(&text);
  return ok;
}

static bool report_trace(const Wanted *o, const char *argv0) {
  Report r = { 0 };
  bool ok = model_read(&r.model, o->trace);
  if (ok) {
    figures_make(&r.figures, &r.model);
    tables_make(&r.tables, &r.model);
    summary_make(&r);
    ok = write_report(&r, o, argv0);
  }
  for (size_t i = 0; i < r.summary.count; i++)
    free(r.summary.at[i]);
  free(r.summary.at);
  tables_free(&r.tables);
  model_free(&r.model);
  return ok;
}

// The program's output is not part of the report: if that goes to standard output, the program's
// goes to standard error.
static int report_program(Wanted *o, const char *argv0) {
  Record rec = { 0 };
  int status = 1;
  bool to_stdout = o->form != PAGE && !o->to;
  if (record_options(&rec, (char **)o->rest.at)) {
    int out = to_stdout ? dup(1) : -1;
    if (out >= 0)
      dup2(2, 1);
    status = record_run(&rec, argv0);
    if (out >= 0) {
      dup2(out, 1);
      close(out);
    }
  }
  if (rec.written) {
    o->trace = rec.path;
    if (!report_trace(o, argv0))
      status = 1;
  }
  record_free(&rec);
  return status;
}

int report(const char *argv0, char **words) {
  Wanted o = { 0 };
  if (words[0] && strcmp(words[0], "--help") == 0) {
    fputs(help, stdout);
    return stdout_written() ? 0 : 1;
  }
  int status = 1;
  if (take_options(&o, words))
    status = o.trace ? !report_trace(&o, argv0) : report_program(&o, argv0);
  vec_free(&o.rest);
  return status;
}
