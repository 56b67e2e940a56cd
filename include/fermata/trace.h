// trace.h: names, dumps, traces: reports about a program's activities. (fermata.h has fm_set_name
// and fm_dump.)
//
// A trace is a file that is written while the program runs: turns, waits, spawns, errors of all
// activities. A name that ends in `.json` gets a trace for https://ui.perfetto.dev or
// chrome://tracing; docs/debugging.md describes its content. Any other name gets the compact form
// for `fermata report` (docs/report.md), at 16 bytes an event. `FERMATA_TRACE=FILE` in the
// environment starts a trace before anything else; a file that cannot be written ends the program
// with a message. (If another process writes that file, for example one that started this one with
// the same environment, the program goes on after the message.) `FERMATA_TRACE_KEEP=10s`, `64M` or
// `10s,64M` makes traces of the compact form ring buffers, which keep the last events only. While
// no trace is written, these functions cost nothing.
#ifndef FERMATA_TRACE_H
#define FERMATA_TRACE_H

#include <fermata.h> // fm_set_name, fm_dump

#ifdef __cplusplus
extern "C" {
#endif

// ---- names ----
// A name stands in dumps, reports, traces and gdb in place of the function's. Names and dumps are
// for activities of this thread's domain; an activity that has ended, or is another domain's, is
// left alone. An activity without a name costs nothing; a name costs its text and some 40 bytes
// while the activity lives.

// Gives the activity the name that printf would print; otherwise like fm_set_name.
void fm_set_namef(fm_activity a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Returns the name that the activity was given, valid until the activity ends or gets another name;
// "" if it has none.
const char *fm_name_of(fm_activity a);

// ---- dumps ----

// Prints an activity or scope and everything below it, as fm_dump does.
void fm_dump_of(FILE *to, fm_activity a);

// ---- traces ----

// Starts a trace of all domains; an existing file is overwritten. `%p` in the path becomes the
// number of the process; a child of fork goes on in a file of its own if the path has `%p`,
// otherwise it writes none. Returns false with the reason in errno; EBUSY: a trace is being
// written; EWOULDBLOCK: another process writes into that file.
bool fm_trace_start(const char *path);
// Ends the trace, if there is one; exit does so as well. Turns of other domains that run at that
// moment have no end in the file.
void fm_trace_stop(void);
// Copies the trace as it is now to another file, for example when a server has noticed that
// something went wrong: the file of a ring buffer will be written over. `%p` in the path becomes
// the number of the process. Returns false with the reason in errno; ENOENT: no trace is written.
bool fm_trace_save(const char *path);
// Writes an event with this name into the trace, for the activity that runs or the plain code of
// this thread. Without a trace it does nothing.
void fm_trace_mark(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
