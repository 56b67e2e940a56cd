// trace.h: names, dumps, the tree, traces: reports about a program's activities. (fermata.h has
// fm_set_name and fm_dump.)
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

// ---- the tree ----
// A program may look at its own tree, to show it: in a page, on a status page of a server. (From
// outside, `fermata top` does that.)

// What a node does at this moment.
typedef enum fm_state {
  FM_STATE_READY,  // it could go on
  FM_STATE_WAITS,  // for `wants`
  FM_STATE_PAUSED, // it could go on, but fm_pause holds it
  FM_STATE_ATOMIC, // it is in an atomic
  FM_STATE_ENDING, // its body has ended, its children have not
  FM_STATE_ENDED,  // its task is held
  FM_STATE_OPEN,   // a scope, race or shield
  FM_STATE_RUNNING // it has called fm_visit
} fm_state;
// A node of the tree. The texts are valid until the function returns that was given them.
typedef struct fm_info {
  fm_activity node;   // for fm_cancel, fm_pause and so on
  fm_activity parent; // of none: the node is a root
  uint64_t number;    // as in dumps; no other node of the domain ever has it
  unsigned depth;     // 0: the node that the visit began with, or a root
  const char *kind;   // "activity", "scope", "race", "shield"
  const char *name;   // of fm_set_name, or its function's
  fm_state state;
  bool cancelled; // a cancel has marked it
  bool paused;    // fm_pause has named this node
  bool held;      // this node or one above it is paused
  // where it has paused, in the program's own code; NULL and 0: not known
  const char *function, *file;
  int line;
  // what it waits for: "a timer", "#5 reader"; NULL: it does not wait
  const char *wants;
} fm_info;

// Calls fn for the node and each node below it, a parent before its children, until fn returns
// false. top of none, `(fm_activity){ 0 }`: for the roots of this thread's domain and all below.
// fn may cancel, pause and resume, but it spawns and ends nothing: cancelled activities unwind
// later. A node that has ended, or is another domain's, is left alone.
void fm_visit(fm_activity top,
              bool (*fn)(const fm_info *i, void *arg),
              void *arg);

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
