// supervisor.h: supervisors: activities that start others, and start them again when they fail.
// Part of agent.h.
#ifndef FERMATA_SUPERVISOR_H
#define FERMATA_SUPERVISOR_H

#include <fermata/agent.h>

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus

// ---- supervisors ----
// A supervisor runs children, each in an activity of its own. It starts them in their order, each
// when the start of the one before has succeeded. It stops them in the reverse order, each when the
// one after it has unwound: when the supervisor is cancelled, gives up or returns. A supervisor and
// its children belong to one domain; a child may use others. A supervisor can be the child of
// another one: `fm_supervisor_run` is called in its body.

// Which children are started again when one of them has failed.
typedef enum fm_strategy {
  FM_ONE_FOR_ONE, // that one
  FM_ONE_FOR_ALL, // all that run: the others are stopped first
  FM_REST_FOR_ONE // that one and those that stand after it, which are stopped first
} fm_strategy;
// When a child is started again.
typedef enum fm_keep {
  FM_PERMANENT, // always: also when it has returned, or was cancelled by others
  FM_TRANSIENT, // when it has failed with an error
  FM_TEMPORARY  // never
} fm_keep;
typedef struct fm_child {
  const char *name; // not copied; NULL: it has none
  // The child has started when this returns; if it throws, it could not be started. NULL: nothing.
  async void (*start)(void *arg) throws(fm_error);
  // What it then does.
  async void (*body)(void *arg) throws(fm_error);
  void *arg;
  fm_keep keep;
  bool
      significant; // when it has ended for good, the supervisor stops the others and returns
  // of fm_agent_child
  fm__mailbox *fm__mailbox;
  async void (*fm__agent_body)(void *self, void *arg) throws(fm_error);
  void *fm__self;
} fm_child;
// The supervisor has given up. All children have been stopped.
struct fm_gave_up {
  const char *child; // the name of the last child that failed
  const char
      *error; // the name of its error; NULL: it returned or was cancelled
  bool
      starting; // it failed when the supervisor began, in `start` or before that
};

typedef struct fm_supervisor {
  fm_strategy fm__strategy;
  fm__restarts fm__restarts;
  struct fm__child *fm__first, *fm__last; // in the order of their starts
  struct fm__child *fm__ended,
      *fm__last_ended; // those whose end is to be looked at
  fm_sem fm__events, fm__stop, fm__never;
  fm_activity fm__scope; // the parent of the children, while it runs
  bool fm__runs, fm__stops, fm__stays;
} fm_supervisor;
// Makes a supervisor without children. `how` says how often children are started again before the
// supervisor gives up, all together, after what delay, and what sees their errors (NULL: they go to
// the handler of the domain, or are reported).
void fm_supervisor_init(fm_supervisor *s,
                        fm_strategy strategy,
                        struct fm_restart how);
// Frees what is known of the children. The supervisor does not run.
void fm_supervisor_free(fm_supervisor *s);
// Sets whether fm_supervisor_run goes on when no child is left, for children to come. At first it
// does not.
void fm_supervisor_stays(fm_supervisor *s, bool stays);
// Returns how many children run.
size_t fm_supervisor_count(const fm_supervisor *s);
// Returns the activity of a child; that of none if it does not run.
fm_activity fm_supervisor_child(const fm_supervisor *s, const char *name);
// Adds a child after the others. If the supervisor runs, the child is started, and the call waits
// until it has started; throws as fm_supervisor_start.
async void fm_supervisor_add(fm_supervisor *s, fm_child child)
    throws(struct fm_gave_up);
//: fm_child fm_agent_child(fm_agent(T) *a, async void (*body)(void *self, void *arg)
//:     throws(fm_error), void *arg)
// Makes a child that is an agent. Messages that it has not received wait for its restart.
#    define fm_agent_child(a, fn, argument) \
      ((fm_child){                          \
          .fm__mailbox = &(a)->fm__mailbox, \
          .fm__agent_body = (fn),           \
          .fm__self = (a),                  \
          .arg = (argument),                \
      })
// Starts the children, and runs until all have ended for good. Throws when a child could not be
// started, or had to be started again more often than the supervisor's init allows. (A child whose
// `start` fails when it is started again has failed once more.)
async void fm_supervisor_run(fm_supervisor *s) throws(struct fm_gave_up);
// Stops a child; it is not started again. Returns whether it ran.
async bool fm_supervisor_stop(fm_supervisor *s, const char *name);
// Starts a child that was stopped or has ended for good, and waits until it has started. Returns
// false if there is none, it runs, the supervisor is about to start it again, or does not run.
// Throws if the child could not be started, or was stopped before that; it is not started again
// then.
async bool fm_supervisor_start(fm_supervisor *s, const char *name)
    throws(struct fm_gave_up);
#  endif
#endif
#endif
