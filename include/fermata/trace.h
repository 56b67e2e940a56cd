// trace.h: names, dumps, traces: what a program of many activities tells about itself.
//
// A trace is a file for https://ui.perfetto.dev or chrome://tracing, written while the program
// runs: a group for each domain, a track for each activity; docs/debugging.md tells what is in it.
// FERMATA_TRACE=FILE in the environment writes one from the first moment on; these functions do so
// for a while. While none is written, nothing of this costs anything.
#ifndef FERMATA_TRACE_H
#define FERMATA_TRACE_H

#include <fermata.h> // fm_set_name, fm_dump

#ifdef __cplusplus
extern "C" {
#endif

// ---- names: in dumps, reports, traces and gdb they stand in place of the function's ----
// As fm_set_name, of what printf would print. An activity that has ended, or is another domain's,
// is left alone.
void fm_set_namef(fm_activity a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// The name that it was given, valid until it ends or gets another one; "": it has none, has ended,
// or is another domain's.
const char *fm_name_of(fm_activity a);

// ---- dumps ----
// as fm_dump, of an activity or scope and all below it; of others nothing
void fm_dump_of(FILE *to, fm_activity a);

// ---- traces ----
// Of all domains, from now on. %p in the path becomes the number of the process; what is in the
// file is lost. A child of fork goes on in a file of its own if the path has %p; else it writes
// none. False: errno tells why; EBUSY: a trace is written already; EWOULDBLOCK: another process
// writes into that file.
bool fm_trace_start(const char *path);
void fm_trace_stop(void); // ends it, if there is one; exit does so as well
// at this moment, for the activity that calls
void fm_trace_mark(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif

#endif
