// io.h: descriptors, files, names, signals and processes. A call blocks no activity but the caller.
//
// A descriptor is an ordinary one, in any state; nobody has to make it non-blocking. The functions
// first try a system call that cannot block, and wait only if that is not enough (or is known not
// to be: the last read took all, and nothing has come since). No event reports that a file is
// ready: what the kernel has in its cache is read in place, and other threads do the rest (pool.h).
//
// * A failing call throws a `struct os_error` with the errno. SIGPIPE is never raised.
// * Each wait can be cancelled. The cancelled call has had no effect (a call in several parts, such
//   as `fm_write_all`, may have done some of them), and does not touch the buffer any more. A call
//   that was done returns its result even if a cancel came.
// * A time limit is a scope with a deadline, or a sleep as an arm of `race`.
// * Several activities may wait for one descriptor. Close it with `fm_close`: activities that still
//   wait for it get EBADF at once.
// * `host` NULL is any address when listening (TCP: IPv6 and IPv4, UDP: IPv4), and this machine
// when
//   connecting; `service` is a name or a number. A name that is not found throws ENOENT, or EAGAIN
//   when it may be found later.
#ifndef FERMATA_IO_H
#define FERMATA_IO_H

#include <fermata.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- TCP ----

// Closes any descriptor. Activities that still wait for it get EBADF at once; a plain close does
// not reach them.
void fm_close(int fd);

// ---- child processes ----

enum { FM_INHERIT = -1, FM_PIPE = -2, FM_NULL = -3 };
// Options of fm_spawn_process_with; all zero: as fm_spawn_process does.
typedef struct fm_process_options {
  // where it works, and argv[0] is looked for if that is a relative path; NULL: where we do
  const char *directory;
  // it leads a process group of its own: kill(-pid, …) is for it and all its children
  bool own_group;
  bool own_session; // and a session, without a terminal
} fm_process_options;

// ---- terminals ----

typedef struct fm_tty fm_tty; // what the terminal was like
// Gives the terminal its former mode back. NULL is allowed.
void fm_tty_restore(fm_tty *t);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus

// ---- TCP ----

// Returns a listening socket. Service "0": any free port. The call does not wait; a name (not a
// number) is looked up and blocks.
int fm_listen(const char *host, const char *service, int backlog)
    throws(struct os_error);
// Returns the port of a TCP or UDP socket.
int fm_local_port(int fd) throws(struct os_error);
// Returns the next connection. If the process has no descriptor left, the call waits until there is
// one, and reports that once.
async int fm_accept(int fd) throws(struct os_error);
// Connects to the name's addresses, one after the other, in the order of getaddrinfo.
async int fm_connect(const char *host, const char *service)
    throws(struct os_error);
// As shutdown(2): SHUT_RD, SHUT_WR, SHUT_RDWR.
void fm_shutdown(int fd, int how) throws(struct os_error);

// ---- local sockets ----
// `path` is a name in the file system; "@name" is an abstract one.

// Returns a listening socket.
int fm_listen_unix(const char *path, int backlog) throws(struct os_error);
// Returns a connected socket.
async int fm_connect_unix(const char *path) throws(struct os_error);

// ---- UDP ----

// Returns a bound socket. Service "0": any free port.
int fm_udp_bind(const char *host, const char *service) throws(struct os_error);
// Receives one datagram. from and length may be NULL; `*length` is the room at `from`, and then the
// length of the address.
async ssize_t fm_recvfrom(int fd,
                          void *buf,
                          size_t n,
                          struct sockaddr *from,
                          socklen_t *length) throws(struct os_error);
// Sends one datagram.
async ssize_t fm_sendto(int fd,
                        const void *buf,
                        size_t n,
                        const struct sockaddr *to,
                        socklen_t length) throws(struct os_error);

// ---- bytes ----
// These work on descriptors of all kinds. A regular file is read and written at its position. If a
// file is only partly in the kernel's cache, another thread reads the rest; a cancel then waits for
// it, so that nothing is lost.

// Reads what is there; waits until there is something. Returns 0 at the end.
async ssize_t fm_read(int fd, void *buf, size_t n) throws(struct os_error);
// Writes; waits until there is room. May write less than n.
async ssize_t fm_write(int fd, const void *buf, size_t n)
    throws(struct os_error);
// Writes all n bytes. A cancel may come in the middle.
async void fm_write_all(int fd, const void *buf, size_t n)
    throws(struct os_error);
// Reads n bytes; returns less than n only at the end.
async size_t fm_read_exact(int fd, void *buf, size_t n) throws(struct os_error);
// Wait until a read or a write would not block, for code that calls read and write itself.
async void fm_wait_readable(int fd) throws(struct os_error);
async void fm_wait_writable(int fd) throws(struct os_error);
// Wait as the two above do, for code that calls recv and send itself on a non-blocking descriptor;
// they cost no system call, where the two above ask the kernel first. fm_wait_more: call it after a
// read that gave EAGAIN or less than it was asked for, or before the first read. fm_wait_room: call
// it after a write that gave EAGAIN or took less than it was given. (Called at another time, they
// might wait for an event that has already come.) Both may return too early: the next system call
// then gives EAGAIN. The end of the peer and errors end them as well; fm_close ends them with
// EBADF; a file is always ready. A cancel that has come by the time they return is met in them, so
// that no bytes are read that nobody knows of.
async void fm_wait_more(int fd) throws(struct os_error);
async void fm_wait_room(int fd) throws(struct os_error);
// Makes a pipe; fds[0] is the end to read from.
void fm_pipe(int fds[2]) throws(struct os_error);

// ---- lines ----

typedef struct fm_lines {
  int fd;
  size_t at, end;
  char buf[4096];
} fm_lines;
// Makes a line reader over the descriptor: a buffer of 4096 bytes in the caller's memory. It holds
// nothing else.
void fm_lines_init(fm_lines *l, int fd);
// Reads the next line into `line`, which has room for n > 1 bytes, without its '\n' (a '\r' before
// it stays). Returns its length; -1 at the end. A line longer than that, or than 4096 bytes, is cut
// there, and the rest is the next line. A cancel loses nothing.
async ssize_t fm_readline(fm_lines *l, char *line, size_t n)
    throws(struct os_error);

// ---- files ----
// No event reports that a file is ready. The kernel is asked for what it can do without waiting:
// reading what is in its cache, opening a file whose name it knows, writing where the file system
// can say whether that would wait (XFS and Btrfs can, ext4 cannot), all use of files in memory
// (tmpfs). Other threads do the rest, and whatever is larger than 256 KB.

// As open(2). A FIFO is opened for reading at once, and the first fm_read waits for a writer; for
// writing, as soon as there is a reader.
async int fm_open(const char *path, int flags, mode_t mode)
    throws(struct os_error);
// As pread(2) and pwrite(2).
async ssize_t fm_pread(int fd, void *buf, size_t n, off_t at)
    throws(struct os_error);
async ssize_t fm_pwrite(int fd, const void *buf, size_t n, off_t at)
    throws(struct os_error);

// ---- names ----

// As getaddrinfo(3), by another thread: returns 0, and freeaddrinfo(*res) is due later, or EAI_…;
// throws nothing. A cancel does not wait for the name server.
async int fm_getaddrinfo(const char *node,
                         const char *service,
                         const struct addrinfo *hints,
                         struct addrinfo **res);

// ---- signals ----

// Waits for the signal and returns signo. From the first wait on, the signal is caught, for the
// rest of the process. All activities that wait for it get it; a signal that comes while nobody
// waits is kept for the next wait.
async int fm_wait_signal(int signo) throws(struct os_error);

// ---- child processes ----
// Waits until the process has ended; returns its status, as waitpid does.
async int fm_wait_process(pid_t pid) throws(struct os_error);
// Runs argv[0], looked up in PATH. envp NULL: this process's environment. fds are the standard
// input, output and error: a descriptor to hand on, FM_INHERIT (this process's own), FM_NULL
// (/dev/null), or FM_PIPE: a new pipe, whose other end is then stored there. fds NULL: the process
// inherits all three.
pid_t fm_spawn_process(char *const argv[], char *const envp[], int fds[3])
    throws(struct os_error);
// Likewise, with options. `directory`: the working directory, from which a relative argv[0] is
// looked up too. `own_group`: the process leads a process group, so that kill(-pid, …) reaches it
// and all its children. `own_session`: and a session, without a terminal.
pid_t fm_spawn_process_with(char *const argv[],
                            char *const envp[],
                            int fds[3],
                            const fm_process_options *o)
    throws(struct os_error);

// ---- terminals ----
// Makes the terminal give each key at once, until fm_tty_restore.
fm_tty *fm_tty_raw(int fd) throws(struct os_error);

#  endif
#endif
#endif
