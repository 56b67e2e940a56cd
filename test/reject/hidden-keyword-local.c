#include <fermata.h>
int f(void) {
  int defer = 1;               // note: 3:7: `defer` is an ordinary identifier here, because it is declared; write `__fm_defer` for the keyword
  {
    int unrelated = defer;
    defer free(0);             // error: 6:11: expected `;` after this expression, found `free`
  }
  return 0;
}
