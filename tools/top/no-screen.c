// no-screen.c: stands in for screen.c and live.c where the tool was built without ncurses: the live
// view says what is missing, everything else works.
#include "top.h"

int live(Client *c, const View *wish, double delay, const char *program) {
  (void)wish, (void)delay, (void)program;
  complain("top: this `fermata` was built without ncurses, which draws the "
           "live view: install libncurses-dev (Debian, Ubuntu) or "
           "ncurses-devel and build it again; `fermata top --once %ld` and "
           "`--json` work without it",
           c->pid);
  return 1;
}
