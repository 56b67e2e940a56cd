// viewer.h: what serve.c and requests.c share: the server, and a viewer that is connected to it.
#ifndef FM_TOP_VIEWER_H
#define FM_TOP_VIEWER_H

#include "top/top.h"

enum { FM__MOST_VIEWERS = 8, FM__MOST_DOMAINS = 256 };
enum { FM__MOST_ROWS = 1000, FM__REQUEST = 4096 }; // in an answer; bytes

// What the server knows of a domain.
typedef struct fm__top_known {
  fm__top_outside outside;
  fm__top_ask *pending; // a question without an answer; NULL: none
  uint64_t asked;       // when
  fm__top_shot *last;   // NULL: none so far
  bool changed;         // by a viewer, since then
} fm__top_known;

typedef struct fm__top_viewer {
  int fd;
  char in[FM__REQUEST];
  size_t got;
  fm__top_text out;
  size_t sent;  // bytes of `out`
  bool leaving; // when `out` is sent
  // the shots that it looks at, and what it has folded
  fm__top_shot *shots[FM__MOST_DOMAINS];
  size_t count;
  fm__top_folds folds;
  fm__top_view view;
} fm__top_viewer;

typedef struct fm__top_server {
  struct fm__top_server *next; // see serve.c
  fm__top_viewer *viewers[FM__MOST_VIEWERS];
  fm__top_known known[FM__MOST_DOMAINS];
  size_t domains;
  uint64_t next_grant; // when
  uint64_t random;
} fm__top_server;

// ---- requests.c ----
void fm__top_hello(fm__top_viewer *v);
void fm__top_error(fm__top_viewer *v, const char *why);
// Answers one line.
void fm__top_request(fm__top_server *s, fm__top_viewer *v, char *line);
void fm__top_drop_shots(fm__top_viewer *v);

#endif
