// main.c: async main, where a thread may wait. In a page it is web/turn.c.
#include "fm.h"

#include <unistd.h>

int fm__main(const fm_fn *f, int argc, char **argv, char **envp, int params) {
  int status = 0;
  pid_t process = getpid();
  fm_frame *root = fm__main_start(f, argc, argv, envp, params);
  fm__run(root, root->code->result_size ? &status : NULL);
  status = fm__main_end(status);
  if (getpid() != process) // a child of fork: the threads are its parent's
    return status;
  fm__services_end();
  // No thread of the library is left when the process ends.
  fm__tick_free(fm__runtime_of(fm__here()));
  return status;
}
