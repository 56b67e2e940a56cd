// core.h: the core language: programs as trees, and their text. A node has a kind, a few numbers
// and parts; its text is `(kind number... part...)`. docs/formal.md says what each kind means.
#ifndef CORE_H
#define CORE_H

#include <stdbool.h>
#include <stdio.h>

// kind, numbers, parts (LIST: any number of parts)
#define LIST (-1)
#define CORE_KINDS(X)       \
  /* expressions */         \
  X(INT, int, 1, 0)         \
  X(VAR, var, 1, 0)         \
  X(GLOBAL, global, 1, 0)   \
  X(REF, ref, 0, 0)         \
  X(ADD, add, 0, 2)         \
  X(SUB, sub, 0, 2)         \
  X(LESS, less, 0, 2)       \
  X(NOW, now, 0, 0)         \
  X(ALIVE, alive, 1, 0)     \
  /* plain statements */    \
  X(NONE, none, 0, 0)       \
  X(BLOCK, block, 0, LIST)  \
  X(PRINT, print, 1, 1)     \
  X(SET, set, 1, 1)         \
  X(SETG, setg, 1, 1)       \
  X(SETREF, setref, 0, 1)   \
  X(IF, if, 0, 3)           \
  X(LOOP, loop, 1, 1)       \
  X(BREAK, break, 0, 0)     \
  X(RETURN, return, 0, 1)   \
  X(CALL, call, 2, 1)       \
  X(CALLREF, callref, 3, 1) \
  X(SUM, sum, 3, 3)         \
  X(TAIL, tail, 1, 1)       \
  X(TAILREF, tailref, 2, 1) \
  /* activities */          \
  X(SPAWN, spawn, 4, 1)     \
  X(DROP, drop, 3, 1)       \
  X(AWAIT, await, 2, 0)     \
  X(SHARE, share, 2, 0)     \
  X(GIVEUP, giveup, 1, 0)   \
  X(ACTIVATE, activate, 2, 1) \
  X(YIELD, yield, 0, 0)     \
  X(CHECKPOINT, checkpoint, 0, 0) \
  X(SLEEP, sleep, 0, 1)     \
  X(JOB, job, 2, 1)         \
  X(AWAITJOB, awaitjob, 3, 0) \
  X(SPAWNJOB, spawnjob, 3, 0) \
  /* atomic */              \
  X(ATOMIC, atomic, 0, 1)   \
  X(ATOMICX, atomicx, 2, 1) \
  /* errors */              \
  X(THROW, throw, 1, 1)     \
  X(RETHROW, rethrow, 0, 0) \
  X(TRY, try, 1, 4)         \
  X(DEFER, defer, 0, 1)     \
  /* the tree */            \
  X(SCOPE, scope, 3, 3)     \
  X(SHIELD, shield, 0, 1)   \
  X(ID, id, 2, 0)           \
  X(SELF, self, 1, 0)       \
  X(CANCEL, cancel, 1, 0)   \
  X(AFTER, after, 1, 1)     \
  X(PAUSE, pause, 1, 0)     \
  X(RESUME, resume, 1, 0)   \
  X(JOIN, join, 1, 0)       \
  X(RACE, race, 0, LIST)    \
  X(ARM, arm, 3, 3)         \
  X(DEFAULT, default, 0, 1) \
  /* objects */             \
  X(SEND, send, 1, 1)       \
  X(RECV, recv, 2, 0)       \
  X(CLOSE, close, 1, 0)     \
  X(ACQUIRE, acquire, 1, 0) \
  X(POST, post, 1, 0)       \
  X(DIRECT, direct, 2, 0)   \
  X(COMPLETE, complete, 1, 1) \
  X(FAIL, fail, 1, 1)       \
  /* the whole */           \
  X(FUN, fun, 3, 1)         \
  X(PROGRAM, program, 5, LIST)

#define CORE_ENUM(K, text, numbers, parts) K,
typedef enum { CORE_KINDS(CORE_ENUM) KINDS } Kind;

enum {
  VARS = 4,    // int variables of a function; variable 0 is its parameter
  GLOBALS = 3, // int variables of the program
  LOCAL_TASKS = 2,
  TASKS = 4, // those from LOCAL_TASKS on are the program's
  NODES = 4, // variables for identities of activities and scopes; the program's
  JOBS = 2,  // the program's
  CHANS = 3, // their capacities are the first numbers of the program
  SEMS = 2,  // their permits are the others
  DIRECTS = 2,
};

// How a function is spawned.
enum { PLAIN, AT_ONCE, DETACHED, CONTAINED, INSIDE };
// What an arm waits for. Its numbers: this, the variable that is assigned, the object.
enum { ARM_CALL, ARM_RECV, ARM_SEND, ARM_SLEEP, ARM_AWAIT, ARM_ACQUIRE };
// Codes of errors that the program has not thrown itself.
enum { CODE_CLOSED = 97, CODE_CANCELLED = 98, CODE_DEADLOCK = 99 };

// Places of the trace that are no statement's. prelude.h has the same numbers.
enum { PLACE_VALUE = 900, PLACE_ERROR, PLACE_FATAL, PLACE_UNWANTED, PLACE_WAITS };

typedef struct Node Node;
struct Node {
  Kind kind;
  int at[5];
  int parts;
  Node **part;
  int index; // of all nodes of the program, in the order of the text
};

typedef struct Program {
  Node *tree;
  Node **nodes; // by index
  int count;
} Program;

extern const char *const core_name[KINDS];
extern const int core_numbers[KINDS];
extern const int core_parts[KINDS];

Node *core_node(Kind kind, ...); // its numbers, then its parts if their number is fixed
void core_add(Node *list, Node *part);
Node *core_copy(const Node *n);
void core_free(Node *n);
int core_size(const Node *n);
bool core_has(const Node *n, Kind k);
bool core_uses(const Node *n, int v); // it names variable v of its function
void core_write(FILE *to, const Node *n);
Node *core_read(FILE *from); // NULL at the end
Program *core_program(Node *tree);
void core_program_free(Program *p);
Node *core_function(const Program *p, int f);

// source.c
void source_write(FILE *to, const Node *tree, int number);
// gen.c
Node *gen_program(unsigned long long seed);
#endif
