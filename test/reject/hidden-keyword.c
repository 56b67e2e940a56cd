// A word that is declared is a name; the note says where, and how to write the keyword.
#include <fermata.h>
static int await;              // note: 3:12: `await` is an ordinary identifier here, because it is declared; write `__fm_await` for the keyword
int f(int t) {
  return await t;              // error: 5:16: expected `;` after `return`, found `t`
}
int g(int yield) {             // note: 7:11: `yield` is an ordinary identifier here
  yield yield;                 // error: 8:9: expected `;` after this expression, found `yield`
  return yield;
}
