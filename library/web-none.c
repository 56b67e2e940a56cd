// web-none.c: in a page, the functions of net.c that the runtime itself names. A page has no
// sockets that programs could read: it has <fermata/web.h>.
#include "library.h"

#include <errno.h>

async ssize_t fm__recvfrom_on(int fd,
                              void *buf,
                              size_t n,
                              struct sockaddr *from,
                              socklen_t *length,
                              int err) throws(struct os_error) {
  (void)fd;
  (void)buf;
  (void)n;
  (void)from;
  (void)length;
  fm__fail_os(err ? err : ENOTSOCK);
  return -1;
}
