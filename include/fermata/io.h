// io.h: descriptors, files, names, signals and processes, without blocking anyone but the activity
// that calls.
//
// A descriptor is an ordinary one, in any state; nobody has to make it non-blocking. A socket is
// tried first, and waited for only if the system call would block (or is known to: the last read
// took all, and nothing has come since). What no one can wait for (files, names) is done by other
// threads (pool.h).
//
// What fails throws a struct os_error with the errno. SIGPIPE is never raised. Each wait can be
// cancelled; after that the buffer is not touched any more, and what was not done will not be done.
// A call that was done gives its result even if a cancel came. Several activities may wait for one
// descriptor. Close one with fm_close: who still waits for it gets EBADF, at once.
//
// Names: `host` NULL is any address when listening and this machine when connecting; `service` is a
// name or a number. A name that is not found throws ENOENT, or EAGAIN when it may be found later.
#ifndef FERMATA_IO_H
#define FERMATA_IO_H

#include <fermata.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void fm_close(int fd); // also what is no socket

// ---- child processes: see fm_spawn_process ----
enum { FM_INHERIT = -1, FM_PIPE = -2, FM_NULL = -3 };
typedef struct fm_process_options { // all zero: as fm_spawn_process does
  // where it works, and argv[0] is looked for if that is a relative path; NULL: where we do
  const char *directory;
  // it leads a process group of its own: kill(-pid, …) is for it and all its children
  bool own_group;
  bool own_session; // and a session, without a terminal
} fm_process_options;

// ---- terminals ----
typedef struct fm_tty fm_tty;   // what the terminal was like
void fm_tty_restore(fm_tty *t); // NULL is allowed

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus

// ---- TCP ----
// service "0": any free port
int fm_listen(const char *host, const char *service, int backlog)
    throws(struct os_error);
// of a TCP or UDP socket
int fm_local_port(int fd) throws(struct os_error);
// When the process has no descriptor left, it waits until there is one, and says so once.
async int fm_accept(int fd) throws(struct os_error);
// one address after the other
async int fm_connect(const char *host, const char *service)
    throws(struct os_error);
// SHUT_RD, SHUT_WR, SHUT_RDWR
void fm_shutdown(int fd, int how) throws(struct os_error);

// ---- local sockets: `path` is a name in the file system; "@name" is an abstract one ----
int fm_listen_unix(const char *path, int backlog) throws(struct os_error);
async int fm_connect_unix(const char *path) throws(struct os_error);

// ---- UDP ----
// service "0": any free port
int fm_udp_bind(const char *host, const char *service) throws(struct os_error);
// from, length: may be NULL. *length is the room at *from, and then the length of the address.
async ssize_t fm_recvfrom(int fd,
                          void *buf,
                          size_t n,
                          struct sockaddr *from,
                          socklen_t *length) throws(struct os_error);
async ssize_t fm_sendto(int fd,
                        const void *buf,
                        size_t n,
                        const struct sockaddr *to,
                        socklen_t length) throws(struct os_error);

// ---- bytes: sockets, pipes, terminals; a regular file is read and written at its position ----
// 0: the end
async ssize_t fm_read(int fd, void *buf, size_t n) throws(struct os_error);
// perhaps not all
async ssize_t fm_write(int fd, const void *buf, size_t n)
    throws(struct os_error);
// a cancel may come in the middle
async void fm_write_all(int fd, const void *buf, size_t n)
    throws(struct os_error);
// less than n: that was the end
async size_t fm_read_exact(int fd, void *buf, size_t n) throws(struct os_error);
async void fm_wait_readable(int fd) throws(struct os_error);
async void fm_wait_writable(int fd) throws(struct os_error);
// For who calls recv and send himself, on a non-blocking descriptor; they cost no system call,
// where the two above ask the kernel first. more: until something may have come, after a read that
// gave EAGAIN, or less than it was asked for, or before the first one. room: until it may take
// more, after a write that gave EAGAIN, or took less than it was given. Otherwise they might wait
// for what has been there all the time. Both may return too early: then the next call says EAGAIN.
// The end of the peer and errors end them as well. A cancel that has come by the time they return
// is met in them: nothing is read or written that no one would know of. Closed by fm_close
// meanwhile: EBADF. What is always ready (a file): at once.
async void fm_wait_more(int fd) throws(struct os_error);
async void fm_wait_room(int fd) throws(struct os_error);
// [0]: to read from
void fm_pipe(int fds[2]) throws(struct os_error);

// Lines: a buffer over a descriptor, in the caller's memory; it holds nothing else.
typedef struct fm_lines {
  int fd;
  size_t at, end;
  char buf[4096];
} fm_lines;
void fm_lines_init(fm_lines *l, int fd);
// The next line, without its '\n' (a '\r' before that stays), in `line`, which has room for n > 1
// bytes; a longer one, or one of more than 4096, is cut off there, and the rest is the next line.
// Returns its length; -1: the end. A cancel loses nothing.
async ssize_t fm_readline(fm_lines *l, char *line, size_t n)
    throws(struct os_error);

// ---- files ----
async int fm_open(const char *path, int flags, mode_t mode)
    throws(struct os_error);
async ssize_t fm_pread(int fd, void *buf, size_t n, off_t at)
    throws(struct os_error);
async ssize_t fm_pwrite(int fd, const void *buf, size_t n, off_t at)
    throws(struct os_error);

// ---- names: as getaddrinfo(3): EAI_… or 0; freeaddrinfo(*res). A cancel does not wait for the name server ----
async int fm_getaddrinfo(const char *node,
                         const char *service,
                         const struct addrinfo *hints,
                         struct addrinfo **res);

// ---- signals ----
// From the first wait on, the signal is caught, for the rest of the process. All that wait for it
// get it; one that comes while no one waits is kept for the next who does. Returns signo.
async int fm_wait_signal(int signo) throws(struct os_error);

// ---- child processes ----
// the status, as waitpid gives it
async int fm_wait_process(pid_t pid) throws(struct os_error);
// Runs argv[0], looked up in PATH. envp NULL: our environment. fds: its standard input, output and
// error: a descriptor to give, FM_INHERIT ours, FM_NULL /dev/null, FM_PIPE a new pipe, whose other
// end then stands there. fds NULL: it inherits all three.
pid_t fm_spawn_process(char *const argv[], char *const envp[], int fds[3])
    throws(struct os_error);
pid_t fm_spawn_process_with(char *const argv[],
                            char *const envp[],
                            int fds[3],
                            const fm_process_options *o)
    throws(struct os_error);

// ---- terminals ----
// until fm_tty_restore
fm_tty *fm_tty_raw(int fd) throws(struct os_error);

#  endif
#endif
#endif
