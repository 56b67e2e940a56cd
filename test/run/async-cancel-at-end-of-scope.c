// Who waits for the end of a scope, or of a block whose variables are shared, and is cancelled from above unwinds from there: what
// stands behind may rely on what the children have done.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int code; };

async static void child(void) {
  defer printf(" child");
  fm_sleep(10);
}

async static void fails(void) throws(struct bad) {
  try { fm_sleep(10); } finally { printf(" fails"); }
}

async static void at_scope(void) {
  scope (s) spawn child(); else printf(" else");
  printf(" behind");
}

async static int at_return(void) {
  scope (s) {
    defer printf(" defer");
    spawn child();
    return 1;
  }
  return 0;
}

async static void at_block(void) {
  {
    int n = 0;
    activate { n++; child(); }
  }
  printf(" behind");
}

async static void at_block_by_error(void) throws(struct bad) { // the error goes on
  int n = 0;
  activate { n++; shield fm_sleep(10); }
  yield;
  throw (struct bad){ 1 };
}

async static void in_inner_scope(void) {
  scope (outer) {
    fm_cancel_after(outer, 1);
    scope (inner) spawn child(); else printf(" inner");
    printf(" behind");
  } else {
    printf(" else");
  }
  printf(" on");
  fm_sleep(10);
}

async static void with_error(void) throws(struct bad) { // what is behind the scope that failed is never reached
  scope (outer) {
    spawn fails();
    scope (inner) spawn child();
    printf(" behind");
  }
}

async static void shielded(void) {
  shield { scope (s) spawn child(); printf(" behind"); }
  scope (s) printf(" no wait");
  fm_checkpoint();
  printf(" never");
}

async static void in_atomic(void) {
  fm_cancel(fm_self());
  atomic { scope (s) spawn child(); printf(" behind"); }
  yield;
  printf(" never");
}

async static void ends_first(void) {              // the children have ended before the cancel comes
  scope (s) spawn child();
  printf(" behind");
  yield;
  printf(" never");
}

async static void again(void) {                   // it was cancelled before: the wait meets it again
  try {
    fm_sleep(5);
  } finally {
    scope (s) spawn child();
    printf(" behind");
  }
  printf(" never");
}

#define TRY(f, ms)                                                                                  \
  {                                                                                                 \
    auto t = spawn f();                                                                             \
    printf(#f ":");                                                                                 \
    yield; yield;                                                                                   \
    if (ms) fm_sleep(ms);                                                                           \
    fm_cancel(fm_id(t));                                                                            \
    try { (void)await t; printf(" ended\n"); } catch (fm_error *e) { printf(" %s\n", fm_error_name(e)); } \
  }

async int main(void) {
  TRY(at_scope, 2);          // expect: at_scope: child fm_cancelled
  TRY(at_return, 2);         // expect: at_return: defer child fm_cancelled
  TRY(at_block, 2);          // expect: at_block: child fm_cancelled
  TRY(at_block_by_error, 2); // expect: at_block_by_error: bad
  TRY(in_inner_scope, 3);    // expect: in_inner_scope: child else on fm_cancelled
  TRY(with_error, 2);        // expect: with_error: fails child fm_cancelled
  TRY(shielded, 2);          // expect: shielded: child behind no wait fm_cancelled
  TRY(in_atomic, 2);         // expect: in_atomic: child behind fm_cancelled
  TRY(ends_first, 10);       // expect: ends_first: child behind fm_cancelled
  TRY(again, 0);             // expect: again: child behind fm_cancelled
  return 0;
}
