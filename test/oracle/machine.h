// machine.h: the abstract machine of docs/formal.md. A state is one flat structure, without
// pointers: it is copied by assignment and compared by a hash. rules-*.c have one function for each
// rule, with the rule's name, in the order of the page; machine.c has what the rules share.
#ifndef MACHINE_H
#define MACHINE_H

#include "core.h"

#include <stdbool.h>
#include <stdint.h>

enum {
  MAX_ACTS = 24,
  MAX_NODES = 56,
  MAX_ENVS = 48,
  MAX_DEPTH = 40,
  MAX_SETS = 6,
  MAX_TRACE = 160,
  MAX_BUFFER = 4,
  MAX_AFTER = 6,
  TYPE_1 = 10,   // codes of errors below it are of type 0
  HOST = 0,      // the node above all roots
  NOBODY = -1,
};

// An error with the number of those that hang on it. code 0: none
typedef struct Error {
  int16_t code;
  uint8_t more;
  uint8_t in_cancel; // all of them were thrown by cleanups during a cancel
} Error;

// How a statement is left.
typedef enum { GOES, RETURNS, BREAKS, THROWS, CANCELS } How;

typedef struct Exit {
  uint8_t how;
  int16_t value; // of RETURNS
  Error error;   // of THROWS; carried by CANCELS
} Exit;

// What is to be done after the present statement: an activity is a stack of these.
typedef enum {
  K_SPAWNED, // the value of a spawn is assigned; x: the task, y: the activity
  K_INSIDE,  // a `spawn in` of a node that lived a moment ago
  K_SEQ,     // x: the next part of a block, or the one statement
  K_LOOP,    // x: turns that are left
  K_CALL,    // the end of a call; x: its variable, y: the environment of the caller; flag: the
             // caller returns its value
  K_SUM,     // x: calls that have been made, value: their sum
  K_TRY,     // the body of a try
  K_CATCH,   // a clause; out: what `throw;` throws again
  K_FINALLY, // a try whose finally is to run
  K_DEFER,
  K_CLEANUP, // a finally or defer runs; x: its shield, out: how the construct is left
  K_SCOPE,   // x: the node, y: the environment
  K_SHIELD,  // x: the node
  K_ATOMIC,  // x: the node, y: the set in which the owner was
  K_AWAITED, // a call in an atomic that runs as an activity; x: its variable, y: the activity;
             // flag: the caller returns its value, value: it has been awaited
  K_RACE,    // x: the node, y: the arms that take part, value: the next arm
  K_ARM,     // an arm of a race, which runs as an activity
  K_OP,      // an operation in a scope of an atomic, which runs as an activity
  K_LATER,   // an await in such a scope, until the task has ended; x: its variable, y: the activity
  K_GROUP,   // a function is left, and waits for the activities that share its variables
  K_WAITS,   // a scope is left, and waits for its children; x, y: as K_SCOPE
  K_EACH,    // the clause of a scope for a child; out: the error
  K_ROOT,    // the root: it awaits function 0, and prints how that ended
} Op;

typedef struct Frame {
  uint8_t op;
  uint8_t flag;
  int16_t node; // of the program
  int16_t x, y;
  int16_t value;
  Exit out;
} Frame;

typedef enum {
  FREE,
  READY,
  RUNS,
  STARTER, // it has started an activity by `spawn now`, which runs
  BLOCKED,
  ASIDE,  // it is ready, but paused
  BODY,   // its body has ended, its children have not
  ENDED,
} Life;

typedef enum {
  W_NONE,
  W_AWAIT,  // object: the activity
  W_JOIN,   // object: the node
  W_SCOPE,  // object: the node
  W_GROUP,  // object: the environment
  W_SLEEP,  // until
  W_SEND,   // object: the channel; value
  W_RECV,
  W_ACQUIRE,
  W_DIRECT,
  W_NEVER,
  W_ALONE, // object: the set of its atomic
} Wait;

typedef enum {
  R_START,  // it has not begun
  R_GO,     // what it waited for has come
  R_YIELD,  // it goes on after a yield, if it was not cancelled
  R_SLICE,  // it goes on after an automatic yield
  R_VALUE,
  R_ERROR,
  R_CANCEL, // its wait was withdrawn
} Resume;

typedef struct Act {
  uint8_t life;
  uint8_t wait, resume;
  uint8_t depth; // of the stack
  uint8_t set;
  uint8_t handles;
  uint8_t result; // how it has ended: RETURNS, THROWS, CANCELS
  bool delayed, arm, seen, run, clause, sliceable, sliced;
  bool waited; // outside of atomics it has passed something that may wait
  int8_t object;
  int8_t to, to_env; // the variable that gets the value of the wait
  int8_t env;
  int8_t group;      // the environment that it shares, for activate
  int8_t node, inner; // its node of the tree, and its innermost region
  int16_t value;      // of the wait, or its result
  int16_t until;
  uint16_t stamp;     // when it blocked, or was queued
  Error error;
  Exit out;
  Frame stack[MAX_DEPTH];
} Act;

typedef enum { N_FREE, N_HOST, N_ACT, N_SCOPE, N_RACE, N_SHIELD } NodeKind;
enum { TO_RESULT = -2, TO_NOTHING = -1, DEFAULT_WINS = -2 };

typedef struct Tree {
  uint8_t kind;
  bool aimed;   // a cancel was aimed at it, by the program or by a rule
  bool target;  // by the program
  bool stopped; // it is paused
  bool body;    // its body has ended
  bool ended;
  bool cut;     // its cancel has cut something short
  bool met;     // a cancel from above came while it waited for its children
  bool gone;
  int8_t parent;
  int8_t owner; // the activity
  int8_t winner;
  uint16_t place; // among its siblings
  Error errors;
} Tree;

typedef struct Env {
  int16_t var[VARS];
  int8_t task[LOCAL_TASKS]; // the activity; its handle is held if held[]
  bool held[LOCAL_TASKS];
  bool used;
  int8_t outer;  // of the body of an activate
  int8_t copied; // the variable that it has for itself
  int8_t members; // activities that share it
  int8_t ref_env, ref_var;
} Env;

typedef struct Chan {
  uint8_t cap, count;
  bool closed;
  int16_t buffer[MAX_BUFFER];
} Chan;

typedef struct Job {
  int8_t function;
  int16_t argument;
} Job;

typedef struct State {
  Act act[MAX_ACTS];
  Tree node[MAX_NODES];
  Env env[MAX_ENVS];
  Chan chan[CHANS];
  int16_t sem[SEMS];
  int16_t global[GLOBALS];
  int8_t task[TASKS];
  bool held[TASKS];
  int8_t identity[NODES];
  Job job[JOBS];
  struct {
    int8_t owner;
    int8_t shield; // its node
  } set[MAX_SETS];
  struct {
    int8_t act;
    uint8_t set;
  } starter[MAX_ACTS];
  struct {
    int8_t node;
    int16_t until;
    uint16_t stamp;
  } after[MAX_AFTER]; // deadlines
  uint8_t acts, nodes, sets, starters, afters;
  int8_t current;
  bool over;
  bool ending; // the root has ended
  uint16_t stamp;
  uint16_t places;
  int16_t time;
  int16_t traced;
  struct {
    int16_t place, value;
  } trace[MAX_TRACE];
} State;

// What a program may do that the machine has no room for, or that is no program.
typedef enum { FINE, TOO_LARGE, BROKEN } Trouble;

typedef struct Machine {
  const Program *program;
  Trouble trouble;
  const char *why;
  bool tick;          // automatic yields may switch
  const char *rule;   // the last one that was used
  bool log;           // the rules are noted, for machine_log_print
  int traced;         // how many tokens the trace has
  bool shares;        // the program has tasks with several handles
} Machine;

extern Machine machine; // the one that runs

// ---- rules ----
// A rule is applied by its name, which is counted. a: the activity; n: the statement.
#define RULE(name) void rule_##name(State *m, int a, const Node *n)
#define APPLY(name)                                     \
  do {                                                  \
    static int slot_;                                   \
    machine_applied(#name, &slot_);                     \
    rule_##name(m, a, n);                               \
  } while (0)
void machine_applied(const char *rule, int *slot);
void machine_log_print(int token); // the last rules before that token of the trace
int machine_rules(const char *const **names, const unsigned long **counts);

// ---- machine.c ----
void machine_start(State *m, const Program *p);
// Runs until there is a choice; returns how many there are. 0: it is over.
int machine_advance(State *m, bool all);
void machine_choose(State *m, int which);
uint64_t machine_hash(const State *m);
void fail_machine(Trouble t, const char *why);

// Shared by the rules.
const Node *node_at(int index);
int16_t value_of(State *m, int a, const Node *e);
bool calls(const Node *e); // the expression calls a function: an automatic yield may follow
int16_t *variable(State *m, int env, int i);
void assign(State *m, int env, int to, int16_t value);
bool *task_held(State *m, int a, int t, int8_t **act);
int16_t wrap(int v);
Frame *push(State *m, int a, Op op, const Node *n);
void push_statement(State *m, int a, const Node *n);
void pop(State *m, int a);
Frame *top(State *m, int a);
int env_new(State *m);
int tree_new(State *m, NodeKind kind, int parent, int owner);
int act_new(State *m, int parent);
int region_enter(State *m, int a, NodeKind kind);
void region_leave(State *m, int a, int node);
int next_child(const State *m, int node, int after);
bool below(const State *m, int node, int above);
bool node_cancelled(const State *m, int node);
// The time limit m->after[i] has something to end: its node, or a pause that holds the end of a
// scope.
bool deadline_counts(const State *m, int i);
bool cancelled(const State *m, int a);
bool node_held(const State *m, int node);
bool live_child(const State *m, int node);
bool in_atomic(const State *m, int a);
void make_ready(State *m, int a, Resume how);
void block(State *m, int a, Wait kind, int object, int to);
bool ends_here(State *m, int a);
void wake_value(State *m, int a, int16_t value);
void wake_error(State *m, int a, Error e);
int first_waiter(const State *m, Wait kind, int object, int not_of);
void release(State *m, const bool *which);
Error error_of(int code);
int codes(Error e);
Error join_errors(Error a, Error b);
void print(State *m, int place, int value);
void handler(State *m, Error e);
void throw_error(State *m, int a, Error e);
void throw_to_reader(State *m, int a, Error e);
bool last_of_function(const State *m, int a);   // ends.c: no wait after this operation
bool ends_with_its_wait(const State *m, int a); // the same for all functions that it is in
bool may_have_waited(const State *m, int a);
void check_state(const State *m);

// Rules that others use.
void execute(State *m, int a, const Node *n);     // machine.c: the rule for a statement
void leave_frame(State *m, int a);                // machine.c: the rule for the end of a frame
void start_call(State *m, int a, int f, int16_t argument, int to);
int call(State *m, int a, int f, int16_t argument, int to);
void called(State *m, int a, int16_t value, int to, bool returns);
bool runs_contained(const State *m, int a, int f);
bool in_own_scope(const State *m, int a);
void call_reached(State *m, int a, int child, int to);
int make(State *m, int parent, int f, int16_t argument);
void await_activity(State *m, int a, int child, int to);
void await_now(State *m, int a, int child, int to);
void join_node(State *m, int a, int node);
void start_direct(State *m, int a, int k, int to);
void enter_atomic(State *m, int a);
void set_member_ended(State *m, int set);
void leave_shield(State *m, int a, int node);
void cancel_detached(State *m);
Error take_kept(State *m, int node);
void drop_errors(State *m, int race);
void decide(State *m, int node, int winner);
void start_arm_await(State *m, int a, int t);
void start_arm_sleep(State *m, int a, int16_t time);
void send_value(State *m, int a, int c, int16_t value, int to);
void receive_value(State *m, int a, int c, int to);
void acquire_permit(State *m, int a, int s, int to);
void end_activity(State *m, int a);
void child_ended(State *m, int node);
void contain(State *m, int a);
void contain_children(State *m, int node, int env);
bool each_takes(State *m, int a);
bool each_revives(State *m, int node);
void each_goes_on(State *m, int a);
void cancel_node(State *m, int node, bool target);
void wake_waiters(State *m, int a);
void join_waiters(State *m, int node);
void arm_ended(State *m, int a);
void arm_wins(State *m, int a);
bool arm_leaves(State *m, int a);
void leave_group(State *m, int a);
bool start_now(State *m, int a, int child);
void spawned(State *m, int parent, int a, int how);
#endif
