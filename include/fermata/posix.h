// posix.h: the POSIX functions that block, with their own names, signatures and errno results.
//
// In async code a direct call of one of them that means the libc function becomes the asynchronous
// function declared here: the activity waits, the others go on. In atomic code the call waits, and
// all activities of the domain wait. So code that blocks is ported by this #include and by writing
// `async`. docs/posix.md describes what is redirected and what is left alone, and the warnings
// -Wblocking and -Wshared-state, which this header turns on.
//
// A descriptor that is set to O_NONBLOCK keeps its meaning: EAGAIN, and no wait. A cancel unwinds
// from these calls as from any wait; it is never seen as EINTR. A signal ends poll, select and
// pause, and accept if a handler without SA_RESTART is there.
#ifndef FERMATA_POSIX_H
#define FERMATA_POSIX_H

#include <fermata.h>
#include <netdb.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined __FERMATA__ && !defined FERMATA_TRANSLATED

// ---- functions ----

// Read and write. fm_posix_write writes everything, as a descriptor that blocks does; after an
// error it returns the number of bytes written before.
async ssize_t fm_posix_read(int fd, void *buf, size_t n);
async ssize_t fm_posix_write(int fd, const void *buf, size_t n);
async ssize_t fm_posix_readv(int fd, const struct iovec *v, int n);
async ssize_t fm_posix_writev(int fd, const struct iovec *v, int n);
// Receive and send.
async ssize_t fm_posix_recv(int fd, void *buf, size_t n, int flags);
async ssize_t fm_posix_send(int fd, const void *buf, size_t n, int flags);
async ssize_t fm_posix_recvfrom(int fd,
                                void *buf,
                                size_t n,
                                int flags,
                                struct sockaddr *from,
                                socklen_t *length);
async ssize_t fm_posix_sendto(int fd,
                              const void *buf,
                              size_t n,
                              int flags,
                              const struct sockaddr *to,
                              socklen_t length);
async ssize_t fm_posix_recvmsg(int fd, struct msghdr *m, int flags);
async ssize_t fm_posix_sendmsg(int fd, const struct msghdr *m, int flags);
// Accept and connect.
async int fm_posix_accept(int fd, struct sockaddr *address, socklen_t *length);
async int fm_posix_accept4(int fd,
                           struct sockaddr *address,
                           socklen_t *length,
                           int flags);
async int
fm_posix_connect(int fd, const struct sockaddr *address, socklen_t length);
// Looks a name up, by another thread.
async int fm_posix_getaddrinfo(const char *node,
                               const char *service,
                               const struct addrinfo *hints,
                               struct addrinfo **res);
// Sleep. fm_posix_usleep and fm_posix_nanosleep are rounded up to milliseconds.
async unsigned fm_posix_sleep(unsigned seconds);
async int fm_posix_usleep(useconds_t us);
async int fm_posix_nanosleep(const struct timespec *time,
                             struct timespec *left);
// Wait for several descriptors.
async int fm_posix_poll(struct pollfd *fds, nfds_t n, int ms);
async int
fm_posix_select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *time);
// Waits for a signal.
async int fm_posix_pause(void);
// Wait for child processes.
async pid_t fm_posix_waitpid(pid_t pid, int *status, int options);
async pid_t fm_posix_wait(int *status);
// Closes. It does not wait; the waits of others for the descriptor end with EBADF.
async int fm_posix_close(int fd);
// Read and write files; another thread does what would wait for a device.
async ssize_t fm_posix_pread(int fd, void *buf, size_t n, off_t at);
async ssize_t fm_posix_pwrite(int fd, const void *buf, size_t n, off_t at);
async int fm_posix_fsync(int fd);
async int fm_posix_fdatasync(int fd);
#endif
#endif
