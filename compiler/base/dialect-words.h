// dialect-words.h: the keywords of the dialect, once, for fmcc (ident.h) and for the editor support
// (tools/editor). DIALECT_WORDS(X) is a list of X(NAME, "name").
#ifndef FMCC_BASE_DIALECT_WORDS_H
#define FMCC_BASE_DIALECT_WORDS_H

// clang-format off
#define DIALECT_WORDS(X)      \
  X(ASYNC, "async")           \
  X(AWAIT, "await")           \
  X(SPAWN, "spawn")           \
  X(ACTIVATE, "activate")     \
  X(ATOMIC, "atomic")         \
  X(YIELD, "yield")           \
  X(RUN, "run")               \
  X(JOB, "job")               \
  X(TASK, "task")             \
  X(SCOPE, "scope")           \
  X(RACE, "race")             \
  X(SHIELD, "shield")         \
  X(DEFER, "defer")           \
  X(THROW, "throw")           \
  X(THROWS, "throws")         \
  X(TRY, "try")               \
  X(CATCH, "catch")           \
  X(FINALLY, "finally")       \
  X(ASYNCDIRECT, "asyncdirect")
// clang-format on

#endif
