// os_error is declared by the header and told in words.
#include "parts/async.h"
#include <errno.h>

static async int open_it(void) throws(struct os_error) { yield; throw (struct os_error){ENOENT}; }
async int main(void) {
  try { open_it(); } catch (fm_error *e) { fm_error_print(e, stdout); }
  // expect: os_error (No such file or directory), thrown at async-error-os-error.c:5
  // expect:     at async-error-os-error.c:5 in open_it
}
