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
// * An arm of `race` that another one beats while it computes transfers nothing more: it unwinds
//   where it would read, write, receive, send or accept.
// * `host` NULL is any address when listening (TCP: IPv6 and IPv4, UDP: IPv4), and this machine
//   when connecting; `service` is a name or a number. A name that is not found throws ENOENT, or
//   EAGAIN when it may be found later.
#ifndef FERMATA_IO_H
#define FERMATA_IO_H

#include <fermata.h>
#include <netdb.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- TCP ----

// Closes any descriptor. Activities that still wait for it get EBADF at once; a plain close does
// not reach them.
void fm_close(int fd);

// ---- readers ----
// A reader takes lines, pieces up to a delimiter, counted bytes and the rest from one buffer, in
// any order; no byte is lost between them. One activity uses it at a time: a call while another
// one waits throws EBUSY. The buffer begins with 4096 bytes of the structure, and is enlarged
// when more is needed, or a stream has more: then memory that is not there throws ENOMEM. What
// was read ahead of a descriptor is in the reader alone: whoever goes on with the descriptor has
// to go on with the reader.

typedef struct fm_reader {
  int fd;           // -1: it reads from memory
  size_t at, end;   // the bytes that came and are not taken yet
  size_t length;    // fm_reader_length
  size_t limit;     // fm_reader_limit
  char *heap;       // the buffer once `first` was too small; else NULL
  size_t heap_size; // without the byte for a '\0'
  const char *
      memory; // what is left of the memory that it reads from; NULL: a descriptor
  size_t memory_left;
  bool busy;   // an activity waits in it
  bool plenty; // the last read filled the buffer
  char first[4096 + 1];
} fm_reader;
typedef fm_reader fm_lines;
// Makes a reader over the descriptor, which stays the caller's. The call allocates nothing.
void fm_reader_init(fm_reader *r, int fd);
// Likewise, over n bytes of memory, which have to stay as long as the reader is used.
void fm_reader_init_memory(fm_reader *r, const void *buf, size_t n);
// Frees the buffer, with the bytes in it. The descriptor stays open.
void fm_reader_free(fm_reader *r);
// Sets how long a line, or a piece up to a delimiter, may be; at first 1 MB. SIZE_MAX: without
// limit. A longer one throws EMSGSIZE, each time; it can still be read in another way, or skipped.
void fm_reader_limit(fm_reader *r, size_t most);
// Returns the length of the string that was returned last, or the bytes that fm_reader_peek found.
size_t fm_reader_length(const fm_reader *r);
// Returns how many bytes have been read ahead and are not taken yet.
size_t fm_reader_buffered(const fm_reader *r);

// ---- writers ----
// A writer collects text in a buffer, and writes it when the buffer is full and when it is told
// to. Activities of one domain or several may share a writer: each call holds the output lock of
// the descriptor (see fm_printf), and takes effect whole. Only a call that is cancelled while it
// writes may leave a part of a text in the buffer; until the next flush of this writer, texts that
// others write to the same descriptor come between.

typedef struct fm_writer {
  int fd;
  size_t at, end;   // the bytes that are not written yet
  char *heap;       // the buffer once `first` was too small; else NULL
  size_t heap_size; // its size
  int failed;       // the errno of the last attempt to write; 0: it succeeded
  char first[4096];
} fm_writer;
// Makes a writer over the descriptor, which stays the caller's. The call allocates nothing.
void fm_writer_init(fm_writer *w, int fd);
// Returns how many bytes are not written yet.
size_t fm_writer_buffered(const fm_writer *w);

// ---- walks ----
// A walk gives the entries of a directory, and of all directories below it, as they come: first the
// root itself, then each directory before what is in it. What was found before a directory could
// not be read, or entered, is given all the same: an error is an entry, with the path that it is
// about, and the walk goes on. Paths are those of the root with names added.

enum { FM_WALK_ROOT_LINK, FM_WALK_NO_LINKS, FM_WALK_ALL_LINKS };
// All zero: everything, in the order of the directories, links as links.
typedef struct fm_walk_options {
  // Which links are followed: that of the root; none; all. A link that leads to a directory
  // around it is an entry with the error ELOOP. A link that is not followed, or leads nowhere,
  // has the type S_IFLNK.
  int links;
  unsigned depth; // entries up to this depth; the root has 0; 0: all
  bool sorted; // the entries of each directory by their names, as strcmp has it
  bool
      after; // a directory that was entered is given a second time after its entries
  bool one_device; // directories of another file system are not entered
} fm_walk_options;
typedef struct fm_entry {
  const char *path;
  const char *name; // the last part of the path; of the root: all of it
  unsigned depth;
  mode_t type;  // S_IFREG, S_IFDIR, …, as in st_mode; 0: not known
  int error;    // the errno of reading or entering this directory; 0: none
  bool leaving; // the second time
} fm_entry;
typedef struct fm_walk fm_walk;
// Does not enter the directory that was given last.
void fm_walk_skip(fm_walk *w);
// Ends the walk, at any time. NULL is allowed.
void fm_walk_end(fm_walk *w);

// ---- watchers ----
// A watcher reports changes of files and directories, by the kernel's inotify. Events are kept
// from the moment when fm_watcher_add returns; none is lost between two calls of fm_watcher_next.
// If more came than the kernel keeps, FM_OVERFLOW says so. What is in directories below a
// directory is watched only if these are added, too.

enum {
  FM_CREATED =
      1, // it is new in the directory, or has moved there from elsewhere
  FM_CHANGED = 2, // a write, or a truncation
  FM_WRITTEN = 4, // a file that was open for writing has been closed
  FM_REMOVED = 8, // it is gone, or has moved to where nothing is watched
  FM_RENAMED =
      16, // it has another name, or is in another directory that is watched
  FM_ATTRIBUTES = 32, // mode, owner, times, number of links
  FM_OVERFLOW = 64,   // events were lost: look at everything
};
typedef struct fm_file_event {
  unsigned what;    // one of these
  bool directory;   // what it happened to
  const char *path; // what is watched, as fm_watcher_add was given it
  const char *
      name; // the entry of that directory; "": the watched file or directory itself
  const char *
      new_path; // FM_RENAMED: the same two of the new place; NULL: that is not known
  const char *new_name;
} fm_file_event;
typedef struct fm_watcher fm_watcher;
// Ends all watching. NULL is allowed. No activity may wait in it.
void fm_watcher_free(fm_watcher *w);
// Does not watch this path any more; events that are kept for it are dropped.
void fm_watcher_remove(fm_watcher *w, const char *path);

// ---- child processes ----

enum { FM_INHERIT = -1, FM_PIPE = -2, FM_NULL = -3 };
// Options of fm_spawn_process_with; all zero: as fm_spawn_process does.
typedef struct fm_process_options {
  // where it works, and argv[0] is looked for if that is a relative path; NULL: where we do
  const char *directory;
  // it leads a process group of its own: kill(-pid, …) is for it and all its children
  bool own_group;
  bool own_session; // and a session, without a terminal
  pid_t group;      // it joins this process group; 0: ours, or own_group
} fm_process_options;

// ---- commands ----
// A command is a child process, or a pipeline of several, whose input is fed and whose output is
// collected at the same time, however much there is of both. It is always waited for, and nothing
// is left of it when the call is cancelled, throws or takes too long: then all processes get
// SIGTERM (and SIGCONT, in case they are stopped), and SIGKILL if they, or others that have their
// output open, are still there after a grace period. Signals go to a process group that the
// processes of the command share with their own children.

enum { FM_WITH_OUT = -4 };
// All zero: the input is empty, and the output is collected, or inherited if no result is asked
// for.
typedef struct fm_run_options {
  const char *directory;    // where it works; NULL: where this process does
  char *const *environment; // NULL: this process's
  const void *input;        // what it reads; NULL: nothing, or `in`
  size_t input_size;        // 0: the input is a string
  // Where it reads and writes instead: 0: as said above; FM_INHERIT, FM_NULL, or a descriptor,
  // which should be a blocking one. err may be FM_WITH_OUT: where the output goes.
  int in, out, err;
  size_t
      most; // what is kept of its output, and of its errors; 0: all; the rest is dropped
  uint64_t
      time_limit;  // in ms; then it is ended, and the result is `late`; 0: none
  uint64_t grace;  // in ms; 0: two seconds
  int stop_signal; // 0: SIGTERM
  bool
      no_group; // it stays in this process's group, for Ctrl-C and the terminal: only the
                // processes themselves get signals, not their children
} fm_run_options;
typedef struct fm_run_result {
  char *out, *err; // strings; NULL: not collected
  size_t out_size, err_size;
  bool out_cut, err_cut; // there was more than `most`
  bool late;             // it was ended because of the time limit
  int *statuses;         // of each process, as waitpid has them
  size_t count;          // how many these are
} fm_run_result;
// Frees what fm_run has stored there, and makes it all zero. A result that is all zero is allowed.
void fm_run_free(fm_run_result *r);

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

// ---- readers ----
// All of these wait until what they return is there, and can be cancelled, lose a race or throw at
// any time: a call that returns nothing has taken nothing.

// Returns the next line, as a string without its '\n' (a '\r' before it stays); NULL at the end.
// The last line may have no '\n'. The string is in the buffer, and valid until the next call with
// this reader. It may hold zero bytes: fm_reader_length counts them. A line that is longer than
// the limit throws EMSGSIZE.
async char *fm_reader_line(fm_reader *r) throws(struct os_error);
// Likewise: the bytes up to the delimiter, a string that is not empty, or up to a byte, which may
// be 0. The delimiter is dropped.
async char *fm_reader_until(fm_reader *r, const char *delimiter)
    throws(struct os_error);
async char *fm_reader_until_byte(fm_reader *r, int byte)
    throws(struct os_error);
// Returns all that comes until the end, as a string, "" if there is nothing. More than `most` bytes
// throw EMSGSIZE.
async char *fm_reader_rest(fm_reader *r, size_t most) throws(struct os_error);
// Takes at most n bytes, as fm_read does: waits only until there is something. Returns 0 at the
// end.
async size_t fm_reader_read(fm_reader *r, void *buf, size_t n)
    throws(struct os_error);
// Takes n bytes; less than n only at the end. Until all are there they are kept in the buffer.
async size_t fm_reader_exactly(fm_reader *r, void *buf, size_t n)
    throws(struct os_error);
// Waits until n bytes are there, and takes none of them; NULL at the end. fm_reader_length is the
// number of bytes that can be looked at; less than n only at the end.
async const char *fm_reader_peek(fm_reader *r, size_t n)
    throws(struct os_error);
// Drops at most n bytes; waits only until there is something. Returns how many; 0 at the end.
async size_t fm_reader_skip(fm_reader *r, size_t n) throws(struct os_error);

// ---- writers ----
// Adds n bytes, all or none. The call waits only if the buffer has no room for them: it is written
// first then. A call that is cancelled or throws has added nothing; what was added before stays in
// the buffer, and the next call goes on with it, without a byte lost or repeated.
async void fm_writer_write(fm_writer *w, const void *buf, size_t n)
    throws(struct os_error);
// Likewise, for text as printf makes it. Returns its length.
async int fm_writer_printf(fm_writer *w, const char *fmt, ...)
    throws(struct os_error) __attribute__((format(printf, 2, 3)));
// Writes what is in the buffer.
async void fm_writer_flush(fm_writer *w) throws(struct os_error);
// Writes what is in the buffer, and frees it: for a defer. Returns how many bytes were dropped: 0,
// or if the last attempt to write has failed, and thrown, all of them. While the activity is being
// cancelled, the call does not wait for a reader: what cannot be written at once is dropped.
async size_t fm_writer_free(fm_writer *w) throws(struct os_error);
// Writes text as printf makes it, and returns its length. The call holds the output lock of the
// descriptor, first come, first served among all activities of all domains: the text of one call
// is never torn by the texts of other calls of fm_printf and writers, however slowly the
// descriptor takes it. (The lock is that of a descriptor's number, within this process. Other
// processes that write to the same pipe do not tear texts up to PIPE_BUF bytes; fm_write and stdio
// take no lock.) A cancel ends the wait for the lock and for the first byte; a text that has begun
// is written to its end, unless fm_close ends that.
async int fm_printf(int fd, const char *fmt, ...) throws(struct os_error)
    __attribute__((format(printf, 2, 3)));
// Likewise, for functions that take `...` themselves: the list is read before the call waits.
async int fm_vprintf(int fd, const char *fmt, va_list ap)
    throws(struct os_error) __attribute__((format(printf, 2, 0)));

// ---- lines ----
// fm_lines is another name of fm_reader. fm_readline needs no memory but the structure: a reader
// that is used for nothing else need not be freed.

// As fm_reader_init.
void fm_lines_init(fm_lines *l, int fd);
// Reads the next line into `line`, which has room for n > 1 bytes, without its '\n' (a '\r' before
// it stays). Returns its length; -1 at the end. A line longer than that, or than the buffer (4096
// bytes at first), is cut there, and the rest is the next line. A cancel loses nothing.
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

// ---- temporary files ----
// Threads for files do all of these.

// Returns a file without a name, for reading and writing, which is gone when it is closed. The
// directory may be NULL: $TMPDIR, or /tmp.
async int fm_temp_file(const char *directory) throws(struct os_error);
// Makes a file whose name nothing else has: the last XXXXXX in the pattern is replaced in place;
// more may follow it. Returns the file, open for reading and writing. The caller removes it.
async int fm_temp_named(char *pattern) throws(struct os_error);
// Likewise, a directory; the pattern ends with XXXXXX.
async void fm_temp_directory(char *pattern) throws(struct os_error);
// Removes a file, or a directory with all that is in it; links are removed, not followed. What
// cannot be removed does not keep the rest; the first error is thrown. What is not there is no
// error. The depth of directories is limited by the number of descriptors.
async void fm_remove_tree(const char *path) throws(struct os_error);

// ---- walks ----
// Begins a walk. o NULL: no options. A root that is not there throws.
async fm_walk *fm_walk_begin(const char *root, const fm_walk_options *o)
    throws(struct os_error);
// Returns the next entry, which is valid until the next call; NULL at the end. Threads for files
// read the directories, up to 1000 entries at a time. A cancel loses no entry. The call throws
// only for lack of memory or threads, or if another activity waits in it (EBUSY), and can be
// repeated.
async const fm_entry *fm_walk_next(fm_walk *w) throws(struct os_error);

// ---- watchers ----
// Makes a watcher.
fm_watcher *fm_watcher_new(void) throws(struct os_error);
// Watches a file, or a directory and its entries, for these changes, combined by |; 0: for all of
// them. A file that is watched already is from now on watched so, by this path.
async void fm_watcher_add(fm_watcher *w, const char *path, unsigned what)
    throws(struct os_error);
// Waits for the next event, which is valid until the next call with this watcher. One activity
// waits at a time; EBUSY otherwise. A cancel loses no event.
async const fm_file_event *fm_watcher_next(fm_watcher *w)
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
// Waits until the process has ended; returns its status, as waitpid does. A cancel ends the wait,
// not the process: fm_run ends both.
async int fm_wait_process(pid_t pid) throws(struct os_error);
// Runs argv[0], looked up in PATH. envp NULL: this process's environment. fds are the standard
// input, output and error: a descriptor to hand on, FM_INHERIT (this process's own), FM_NULL
// (/dev/null), or FM_PIPE: a new pipe, whose other end is then stored there. fds NULL: the process
// inherits all three.
pid_t fm_spawn_process(char *const argv[], char *const envp[], int fds[3])
    throws(struct os_error);
// Likewise, with options. `directory`: the working directory, from which a relative argv[0] is
// looked up too. `own_group`: the process leads a process group, so that kill(-pid, …) reaches it
// and all its children. `own_session`: and a session, without a terminal. `group`: the process
// joins that group.
pid_t fm_spawn_process_with(char *const argv[],
                            char *const envp[],
                            int fds[3],
                            const fm_process_options *o)
    throws(struct os_error);

// ---- commands ----
// Runs argv[0], looked up in PATH, and waits for its end and the end of its output. Returns its
// status, as waitpid does; what it has written is in the result, which fm_run_free frees, also
// after an error. o NULL: no options; r NULL: no result. A command that does not read all its input
// is no error.
async int fm_run(char *const argv[], const fm_run_options *o, fm_run_result *r)
    throws(struct os_error);
// Likewise, for several processes, each of which writes into the next one; argvs ends with NULL.
// Returns the status of the last one; the result has those of all. A process whose reader has ended
// gets SIGPIPE. The errors of all processes are collected together.
async int fm_run_pipeline(char *const *const argvs[],
                          const fm_run_options *o,
                          fm_run_result *r) throws(struct os_error);

// ---- terminals ----
// Makes the terminal give each key at once, until fm_tty_restore.
fm_tty *fm_tty_raw(int fd) throws(struct os_error);

#  endif
#endif
#endif
