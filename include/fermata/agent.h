// agent.h: messages: mailboxes that any thread may post to, replies, and agents, which are
// activities that receive from a mailbox of their own.
//
//     typedef fm_reply(int) int_reply;
//     struct request { int n; int_reply *reply; };
//     typedef fm_agent(struct request) server;
//
//     static async void serve(void *self, void *arg) {
//       for (server *s = self;;) {
//         struct request r = fm_receive(s);
//         fm_answer(r.reply, r.n * r.n);
//       }
//     }
//     server s;
//     fm_agent_init(&s);
//     auto t = fm_agent_start(&s, serve, NULL, 0);
//     int nine = fm_ask(&s, ((struct request){ .n = 3 }), reply, 1000);
//
// Messages are copied. Messages of one sender arrive in the order in which they were sent. A
// message that was received is not lost when a cancel or another arm of a race comes later; a
// message that was not received stays for the next receiver.
#ifndef FERMATA_AGENT_H
#define FERMATA_AGENT_H

#include <fermata/sync.h>

#ifdef __cplusplus
extern "C" {
#endif

// A message from one domain to another; it has the layout of the runtime's fm__msg.
typedef struct fm__note {
  struct fm__note *next;
  void (*fn)(void);
} fm__note;

// ---- mailboxes ----
// `typedef fm_mailbox(T) name;` makes a type of mailbox. Any thread may post, in plain code as
// well; posting never waits. The domain of the first activity to receive is the only one that may
// receive. A message that is posted after that domain has ended stays in the mailbox and is lost. A
// wait for a message is never a deadlock, because another thread might post.

typedef struct fm__mailbox {
  // the messages that have arrived; only the owner's thread uses it
  fm__chan chan;
  // the domain that receives; NULL: none has; read by all
  void *owner;
  // the number of that domain, because another one may have its memory now; 0: none; atomic
  uint64_t life;
  struct fm__letter *letters; // of other threads, newest first; atomic
  int told;                   // the note is on its way to the owner; atomic
  int posting;                // threads that are in fm_post; atomic
  fm__note note;
  // of fm_ask and agents, see reply.c; NULL: there were none; atomic
  struct fm__desk *desk;
} fm__mailbox;
#define fm_mailbox(T)        \
  union {                    \
    fm__mailbox fm__mailbox; \
    __typeof__(T) *fm__type; \
  }
//: void fm_mailbox_init(fm_mailbox(T) *m)
// Makes the mailbox empty.
#define fm_mailbox_init(m) \
  fm__mailbox_init(&(m)->fm__mailbox, sizeof *(m)->fm__type)
//: void fm_mailbox_free(fm_mailbox(T) *m)
// Frees the messages that are left, and waits for threads that are about to leave fm_post. Call it
// in the domain that receives, when nobody will post any more. Without the call the memory is freed
// with the domain.
#define fm_mailbox_free(m) fm__mailbox_free(&(m)->fm__mailbox)
//: size_t fm_mailbox_count(fm_mailbox(T) *m)
// Returns how many messages have arrived. For the domain that receives.
#define fm_mailbox_count(m) fm__mailbox_count(&(m)->fm__mailbox)
//: void fm_post(fm_mailbox(T) *m, T v)
// Posts v, from any thread.
#define fm_post(m, ...)                               \
  ({                                                  \
    __auto_type fm__o = (m);                          \
    __typeof__(*fm__o->fm__type) fm__v = __VA_ARGS__; \
    fm__mailbox_post(&fm__o->fm__mailbox, &fm__v);    \
  })
//: bool fm_try_receive(fm_mailbox(T) *m, T *to)
// Receives without waiting. Returns false if there is no message.
#define fm_try_receive(m, to)                    \
  ({                                             \
    __auto_type fm__o = (m);                     \
    __typeof__(*fm__o->fm__type) *fm__v = (to);  \
    fm__mailbox_try(&fm__o->fm__mailbox, fm__v); \
  })
void fm__mailbox_init(fm__mailbox *m, size_t size);
void fm__mailbox_free(fm__mailbox *m);
size_t fm__mailbox_count(const fm__mailbox *m);
void fm__mailbox_post(fm__mailbox *m, const void *v);
bool fm__mailbox_try(fm__mailbox *m, void *to);

// ---- replies ----
// `typedef fm_reply(T) name;` makes a type for one value that is given once, from any thread.
// Activities of one domain wait for it. It has to live until it has been answered and no activity
// waits for it.

typedef struct fm__reply {
  fm__queue queue; // the activities that wait, in `domain`
  // the domain of the activities that wait; atomic, set before any of them is visible
  void *domain;
  int state; // FM__…; atomic
  // of fm_ask: it is the library's, and part of a question
  bool asked;
  // the note has arrived; only now the answering thread has finished with it
  bool arrived;
  bool left; // of fm_ask: no one waits for it any more
  fm__note note;
} fm__reply;
enum {
  FM__AWAITED = 1,
  FM__TAKEN = 2,
  FM__ANSWERED = 4,
  FM__ORPHAN = 8,
  FM__GONE = 16
};
#define fm_reply(T)          \
  struct {                   \
    fm__reply fm__reply;     \
    __typeof__(T) fm__value; \
  }
//: void fm_reply_init(fm_reply(T) *r)
// Makes the reply one that has not been answered.
#define fm_reply_init(r) fm__reply_init(&(r)->fm__reply)
//: bool fm_answer(fm_reply(T) *r, T v)
// Answers. Returns false, and changes nothing, if the reply has been answered or nobody may wait
// for it any more (see fm_ask).
#define fm_answer(r, ...)                             \
  ({                                                  \
    __auto_type fm__o = (r);                          \
    __typeof__(fm__o->fm__value) fm__v = __VA_ARGS__; \
    fm__reply_answer(&fm__o->fm__reply,               \
                     &fm__o->fm__value,               \
                     &fm__v,                          \
                     sizeof fm__v);                   \
  })
//: bool fm_answered(fm_reply(T) *r)
// Returns whether the reply has been answered.
#define fm_answered(r) fm__reply_answered(&(r)->fm__reply)
void fm__reply_init(fm__reply *r);
bool fm__reply_answer(fm__reply *r, void *to, const void *v, size_t size);
bool fm__reply_answered(const fm__reply *r);
void *fm__ask_new(size_t size); // of fm_ask, in the current domain
// or fails at once, if an agent has ended there
void fm__ask_post(fm__mailbox *m, const void *message, fm__reply *r);
// no one will answer it; why: see struct fm_gone
bool fm__ask_failed(const fm__reply *r, const char **error);
// the asker has left; freed when it has been answered
void fm__ask_over(fm__reply *r);

// ---- agents ----
// `typedef fm_agent(T) name;` makes a type of agent: a mailbox, and an activity that receives from
// it. Every function of mailboxes takes an agent as well.

typedef struct fm__agent {
  unsigned restarts;
} fm__agent;
#define fm_agent(T)            \
  union {                      \
    struct {                   \
      fm__mailbox fm__mailbox; \
      fm__agent fm__agent;     \
    };                         \
    __typeof__(T) *fm__type;   \
  }
//: void fm_agent_init(fm_agent(T) *a)
//: void fm_agent_free(fm_agent(T) *a)
// As fm_mailbox_init and fm_mailbox_free.
#define fm_agent_init(a) ((a)->fm__agent = (fm__agent){ 0 }, fm_mailbox_init(a))
#define fm_agent_free(a) fm_mailbox_free(a)
//: unsigned fm_agent_restarts(fm_agent(T) *a)
// Returns how often the agent has been started again.
#define fm_agent_restarts(a) ((unsigned)(a)->fm__agent.restarts)

// What becomes of an agent, or of the children of a supervisor, that fails.
struct fm_restart {
  int times; // how often it is started again; negative: any number of times
  // in a period of so many milliseconds; 0: in all its life
  uint64_t within_ms;
  // before it is started again: at first so many milliseconds, each time twice as long, up to
  // max_delay_ms (if that is less than delay_ms, always delay_ms); anew when it has lived for
  // within_ms without a failure
  uint64_t delay_ms, max_delay_ms;
  // sees every error, also the last one; NULL: as with fm_agent_run
  void (*on_error)(const fm_error *e, void *arg);
  void *arg;
};

// How often something has been started again, see library/restart.c.
typedef struct fm__restarts {
  struct fm_restart how;
  uint64_t *when; // a ring: the last ones within the period
  size_t first, n, room;
  uint64_t delay;          // the next one, in milliseconds
  uint64_t last;           // when it was last started
  const char *type, *file; // of the last failure
  int line;
  unsigned again; // how often the same one came before
} fm__restarts;

// A run of an agent, in the frame of fm_agent_run. What its activity, or one below that, receives
// it has to answer.
typedef struct fm__duty {
  struct fm__desk *desk;
  struct fm__duty *next, **back; // of the desk's
  fm_activity who;
  const char *error; // it has failed last with that; NULL: it has not
} fm__duty;
// An agent has been started, and will receive from m. Returns m.
fm__mailbox *fm__agent_comes(fm__mailbox *m);
void fm__duty_begins(fm__duty *a, fm__mailbox *m);
// The questions that it has received and not answered fail.
void fm__duty_fails(fm__duty *a, const char *error);
// The same; if it is the last agent, all questions in the mailbox fail.
void fm__duty_ends(fm__duty *a);
// Reports to the handler. again: how often the same error was reported before.
void fm__error_of_restarted(const fm_error *e,
                            const char *what,
                            unsigned again);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus

// ---- mailboxes ----

//: async T fm_receive(fm_mailbox(T) *m)
// Receives the next message; waits until there is one.
#    define fm_receive(m)                                         \
      ({                                                          \
        __auto_type fm__o = (m);                                  \
        __typeof__(*fm__o->fm__type) fm__v;                       \
        fm__waiter fm__w;                                         \
        fm__mailbox_receive(&fm__o->fm__mailbox, &fm__v, &fm__w); \
        fm__v;                                                    \
      })

// ---- replies ----

//: async T fm_reply_wait(fm_reply(T) *r)
// Waits for the answer and returns it.
#    define fm_reply_wait(r)                             \
      ({                                                 \
        __auto_type fm__o = (r);                         \
        fm__far_waiter fm__w;                            \
        fm__reply_wait(&fm__o->fm__reply, NULL, &fm__w); \
        fm__o->fm__value;                                \
      })

// no time limit, for fm_ask
#    define FM_NO_LIMIT UINT64_MAX

// ---- agents ----

//: async R fm_ask(fm_agent(T) *a, T message, member, uint64_t ms)
//:     throws(struct fm_timeout, struct fm_gone)
// Posts the message with its member `member`, a pointer to a reply, set to a new reply; waits for
// the answer and returns it. Throws struct fm_timeout after ms milliseconds; FM_NO_LIMIT: never. An
// answer that comes too late is refused and does no harm, even when the domain that asked has
// ended. fm_ask is a macro: a message that is a compound literal with a comma stands in
// parentheses, `fm_ask(&s, ((struct request){ .n = 3, .urgent = true }), reply, 1000)`.
//
// Throws struct fm_gone at once when no answer can come, whatever domain the agent is in:
// * The agent that has received the message throws before it answers: `error` is the name of that
//   error. Messages that have not been received wait for the restart.
// * The last agent of the mailbox ends, with the message received or not, or has ended before;
//   `error` is NULL if it returned or was cancelled. fm_ask waits for an agent that has not been
//   started yet, or is started again.
// * The mailbox is freed with the message in it, or the domain that receives has ended.
//
// A reply that is never answered takes some 200 bytes until fm_agent_free; after that none of its
// requests may be answered.
#    define fm_ask(m, message, member, ms)                \
      ({                                                  \
        __auto_type fm__o = (m);                          \
        __typeof__(*fm__o->fm__type) fm__v = (message);   \
        __typeof__(fm__v.member->fm__value) fm__got;      \
        fm__v.member = fm__ask_new(sizeof *fm__v.member); \
        fm__ask(&fm__o->fm__mailbox,                      \
                &fm__v,                                   \
                &fm__v.member->fm__reply,                 \
                &fm__v.member->fm__value,                 \
                &fm__got,                                 \
                sizeof fm__got,                           \
                (ms));                                    \
        fm__got;                                          \
      })

// any number of restarts
#    define FM_ALWAYS UINT32_MAX
//: async void fm_agent_run(fm_agent(T) *a, async void (*body)(void *self, void *arg)
//:     throws(fm_error), void *arg, unsigned n) throws(fm_error)
// Runs body(a, arg) until it returns and its children have ended. If it throws, its children are
// cancelled, its error goes to the handler of the domain (fm_on_error; without a handler it is
// reported), other activities run, and it is run again, up to n times (FM_ALWAYS: any number). The
// message that it was working on is gone; the others wait. After that its error is thrown.
#    define fm_agent_run(a, body, arg, n)               \
      fm__agent_run(fm__agent_comes(&(a)->fm__mailbox), \
                    &(a)->fm__agent,                    \
                    (body),                             \
                    (a),                                \
                    (arg),                              \
                    (n))
//: task(void) throws(fm_error) fm_agent_start(a, body, arg, n)
// The same in a child of the current activity or scope, like `spawn fm_agent_run(a, body, arg, n)`.
#    define fm_agent_start(a, body, arg, n) spawn fm_agent_run(a, body, arg, n)

//: async void fm_agent_run_with(fm_agent(T) *a, async void (*body)(void *self, void *arg)
//:     throws(fm_error), void *arg, struct fm_restart how) throws(fm_error)
// Runs body(a, arg) as fm_agent_run does, but `how` says how often it is started again, within what
// time, and after what delay. When it has failed more often, its last error is thrown. Messages and
// questions wait during the delay.
#    define fm_agent_run_with(a, body, arg, ...)             \
      fm__agent_run_with(fm__agent_comes(&(a)->fm__mailbox), \
                         &(a)->fm__agent,                    \
                         (body),                             \
                         (a),                                \
                         (arg),                              \
                         __VA_ARGS__)
//: task(void) throws(fm_error) fm_agent_start_with(a, body, arg, struct fm_restart how)
// The same in a child of the current activity or scope.
#    define fm_agent_start_with(a, body, arg, ...) \
      spawn fm_agent_run_with(a, body, arg, __VA_ARGS__)

async void fm__mailbox_receive(fm__mailbox *m, void *v, fm__waiter *w);
// see abi-chan.h
void fm__mailbox_receive__fm_last(fm_domain *c,
                                  fm__mailbox *m,
                                  void *v,
                                  fm__waiter *w);
async void fm__reply_wait(fm__reply *r, void *unused, fm__far_waiter *w);
async void fm__ask(fm__mailbox *m,
                   const void *message,
                   fm__reply *r,
                   const void *answer,
                   void *to,
                   size_t size,
                   uint64_t ms) throws(struct fm_timeout, struct fm_gone);
async void fm__agent_run(fm__mailbox *m,
                         fm__agent *a,
                         async void (*body)(void *self, void *arg)
                             throws(fm_error),
                         void *self,
                         void *arg,
                         unsigned restarts) throws(fm_error);
async void fm__agent_run_with(fm__mailbox *m,
                              fm__agent *a,
                              async void (*body)(void *self, void *arg)
                                  throws(fm_error),
                              void *self,
                              void *arg,
                              struct fm_restart how) throws(fm_error);
#  endif
#endif

#include <fermata/supervisor.h>

#endif
