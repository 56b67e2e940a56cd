// client.c: the socket of a process that `fermata top` watches. It is looked for where the program
// may have put it (top-path.h): in the runtime directory of this session, in that of the user who
// owns the process, in /tmp. A directory that others could change is not trusted. If there is no
// socket, the message says why, and what to do.
#include "top.h"
#include "../../runtime/top/top-path.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE = 3000 }; // milliseconds for an answer

// ---- where sockets are ----
// The which-th directory in which sockets of the user may be; false: there is no such directory.
static bool socket_dir(char dir[FM__TOP_PATH], int which, uid_t user) {
  char runtime[64];
  if (which == 0)
    return user == geteuid() &&
           fm__top_dir_in(dir, getenv("XDG_RUNTIME_DIR"), user) &&
           fm__top_is_private(dir, user);
  snprintf(runtime, sizeof runtime, "/run/user/%lu", (unsigned long)user);
  if (which == 1)
    return fm__top_dir_in(dir, runtime, user) && fm__top_is_private(dir, user);
  return fm__top_dir_in_tmp(dir, user) && fm__top_is_private(dir, user);
}
enum { DIRS = 3 };

// -1: errno says why.
static int connect_to(const char *path) {
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return -1;
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
    return fd;
  int err = errno;
  close(fd);
  errno = err;
  return -1;
}

static bool socket_path(char path[FM__TOP_PATH], const char *dir, long pid) {
  int n = snprintf(path, FM__TOP_PATH, "%s/%ld", dir, pid);
  return n > 0 && n < FM__TOP_PATH;
}

// The server is of the user whose process it is.
static bool is_of(int fd, uid_t user) {
  struct ucred peer;
  socklen_t n = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 &&
         peer.uid == user;
}

// -1: errno is ENOENT if there is no socket.
static int find_socket(long pid, uid_t user) {
  char dir[FM__TOP_PATH];
  char path[FM__TOP_PATH];
  int err = ENOENT;
  for (int i = 0; i < DIRS; i++) {
    if (!socket_dir(dir, i, user) || !socket_path(path, dir, pid))
      continue;
    int fd = connect_to(path);
    if (fd >= 0 && is_of(fd, user))
      return fd;
    if (fd >= 0)
      close(fd);
    err = fd >= 0 ? EACCES : errno == ENOENT ? err : errno;
  }
  errno = err;
  return -1;
}

// ---- why there is none ----
// Whether the process handles SIGUSR2.
static bool handles_signal(long pid) {
  char path[64];
  char line[256];
  unsigned long long caught = 0;
  snprintf(path, sizeof path, "/proc/%ld/status", pid);
  FILE *f = fopen(path, "re");
  while (f && fgets(line, sizeof line, f))
    if (strncmp(line, "SigCgt:", 7) == 0)
      caught = strtoull(line + 7, NULL, 16);
  if (f)
    fclose(f);
  return caught >> (SIGUSR2 - 1) & 1;
}

static void report_none(long pid) {
  if (handles_signal(pid))
    complain("top: process %ld has no socket for `fermata top`: start the "
             "program with FERMATA_TOP=1, or, if it does not use SIGUSR2 "
             "itself: kill -USR2 %ld",
             pid,
             pid);
  else
    complain("top: process %ld has no socket for `fermata top`, and does not "
             "open one: it is no Fermata program, has not begun, or has "
             "FERMATA_TOP=0 (do not send it SIGUSR2, which would end it); "
             "start the program with FERMATA_TOP=1",
             pid);
}

static void complain_of(long pid, int err) {
  if (err == ENOENT)
    report_none(pid);
  else if (err == ECONNREFUSED)
    complain("top: the socket of process %ld is not served any more: the "
             "program ends, or has replaced itself by another one; "
             "kill -USR2 %ld opens it again",
             pid,
             pid);
  else
    complain("top: process %ld: %s", pid, strerror(err));
}

// false: reported.
static bool find_owner(long pid, uid_t *user) {
  char path[64];
  struct stat s;
  snprintf(path, sizeof path, "/proc/%ld", pid);
  if (stat(path, &s) != 0) {
    complain("top: no process %ld is running; `fermata top` lists the programs "
             "that can be watched",
             pid);
    return false;
  }
  *user = s.st_uid;
  if (s.st_uid == geteuid() || geteuid() == 0)
    return true;
  const struct passwd *who = getpwuid(s.st_uid);
  complain("top: process %ld belongs to %s: only that user and root can watch "
           "it",
           pid,
           who ? who->pw_name : "another user");
  return false;
}

// ---- lines ----
bool client_send(Client *c, const char *request) {
  size_t n = strlen(request);
  while (n > 0) {
    ssize_t k = send(c->fd, request, n, MSG_NOSIGNAL);
    if (k < 0 && errno != EINTR)
      return false;
    request += k > 0 ? k : 0;
    n -= k > 0 ? (size_t)k : 0;
  }
  return true;
}

static char *take_line(Client *c, Arena *a) {
  char *end = c->used ? memchr(c->in, '\n', c->used) : NULL;
  if (!end)
    return NULL;
  size_t n = (size_t)(end - c->in);
  char *line = arena_text(a, c->in, n);
  memmove(c->in, end + 1, c->used - n - 1);
  c->used -= n + 1;
  return line;
}

static bool receive_some(Client *c) {
  enum { SOME = 64 << 10 };
  if (c->room - c->used < SOME) {
    c->room = c->room * 2 + SOME;
    c->in = xrealloc(c->in, c->room);
  }
  ssize_t n = recv(c->fd, c->in + c->used, c->room - c->used, 0);
  if (n <= 0)
    return n < 0 && errno == EINTR;
  c->used += (size_t)n;
  return true;
}

Got client_receive(Client *c, Arena *a, int ms, char **line) {
  struct pollfd p = { .fd = c->fd, .events = POLLIN };
  while (!(*line = take_line(c, a))) {
    int n = poll(&p, 1, ms);
    if (n <= 0)
      return GOT_NOTHING;
    if (!receive_some(c))
      return GOT_END;
  }
  return GOT_LINE;
}

// NULL: reported.
static char *receive_answer(Client *c, Arena *a) {
  char *line;
  Got got = client_receive(c, a, PATIENCE, &line);
  if (got == GOT_NOTHING)
    complain("top: process %ld does not answer: is it stopped, by a debugger "
             "or by Ctrl-Z?",
             c->pid);
  if (got == GOT_END)
    complain("top: process %ld has ended, or has closed the connection",
             c->pid);
  return got == GOT_LINE ? line : NULL;
}

char *client_ask(Client *c, Arena *a, const char *request) {
  if (!client_send(c, request)) {
    complain("top: process %ld has ended", c->pid);
    return NULL;
  }
  char *line = receive_answer(c, a);
  const Json *answer = line ? json_read(a, line) : NULL;
  if (line && !answer)
    complain("top: process %ld answers in a way that is not understood",
             c->pid);
  if (answer && strcmp(value_text(answer, "type"), "error") == 0) {
    complain("top: %s", value_text(answer, "why"));
    return NULL;
  }
  return answer ? line : NULL;
}

// ---- opening and closing ----
static bool is_understood(Client *c, const char *line) {
  Arena a = { 0 };
  const Json *hello = json_read(&a, line);
  int version = (int)json_number(hello, "version");
  bool ok = version == FM__TOP_VERSION;
  if (strcmp(value_text(hello, "type"), "error") == 0)
    complain("top: process %ld: %s", c->pid, value_text(hello, "why"));
  else if (!ok)
    complain("top: process %ld speaks version %d of the protocol, and this "
             "tool version %d: use the `fermata` of the library that the "
             "program was linked with (%s)",
             c->pid,
             version,
             FM__TOP_VERSION,
             value_text(hello, "runtime"));
  arena_free(&a);
  return ok;
}

bool client_open(Client *c, long pid) {
  uid_t user;
  *c = (Client){ .fd = -1, .pid = pid };
  if (!find_owner(pid, &user))
    return false;
  c->fd = find_socket(pid, user);
  if (c->fd < 0) {
    complain_of(pid, errno);
    return false;
  }
  Arena a = { 0 };
  char *line = receive_answer(c, &a);
  bool ok = line && is_understood(c, line);
  arena_free(&a);
  if (!ok)
    client_close(c);
  return ok;
}

void client_close(Client *c) {
  if (c->fd >= 0)
    close(c->fd);
  free(c->in);
  *c = (Client){ .fd = -1 };
}

// ---- all programs ----
static void print_program(long pid) {
  char path[64];
  char program[512];
  snprintf(path, sizeof path, "/proc/%ld/exe", pid);
  ssize_t n = readlink(path, program, sizeof program - 1);
  program[n > 0 ? n : 0] = '\0';
  char shown[1024];
  fit(shown, sizeof shown, program, 500);
  printf("%7ld  %s\n", pid, shown);
}

// Files of programs that were killed are removed.
static size_t list_dir(const char *dir) {
  size_t n = 0;
  DIR *all = opendir(dir);
  for (struct dirent *e; all && (e = readdir(all));) {
    char path[FM__TOP_PATH];
    char *end;
    long pid = strtol(e->d_name, &end, 10);
    if (pid <= 0 || *end || !socket_path(path, dir, pid))
      continue;
    int fd = connect_to(path);
    if (fd < 0 && errno == ECONNREFUSED && kill((pid_t)pid, 0) != 0 &&
        errno == ESRCH)
      unlink(path);
    if (fd < 0)
      continue;
    close(fd);
    print_program(pid);
    n++;
  }
  if (all)
    closedir(all);
  return n;
}

size_t list_programs(void) {
  char dirs[DIRS][FM__TOP_PATH];
  size_t n = 0;
  for (int i = 0; i < DIRS; i++) {
    bool seen = !socket_dir(dirs[i], i, geteuid());
    if (seen)
      dirs[i][0] = '\0';
    for (int k = 0; k < i; k++)
      seen |= strcmp(dirs[i], dirs[k]) == 0;
    if (!seen)
      n += list_dir(dirs[i]);
  }
  return n;
}
