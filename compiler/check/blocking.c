// blocking.c: calls, in async code, of libc functions that block, or that keep state between two
// calls.
//
// Where <fermata/posix.h> has declared an async function fm_posix_NAME, a direct call of libc's
// NAME calls that function: blocking code is ported by one #include and `async`. Pointers, members
// and functions of the program's own stay as they are. -Wblocking reports the other calls. Inside
// the functions fm_posix_… the names mean libc's own.
//
// -Wshared-state reports functions whose result stands in memory of the C library: because of
// automatic yields around calls, another activity may call the function before the result has been
// used. It also reports variables of the thread, which all activities of the thread share. In
// atomic code no other activity runs, and waits are intended: both warnings are silent there.
//
// Both are on where <fermata/posix.h> is included, unless the command line says otherwise: such
// code was written for threads.
#include "fmcc.h"

#include <stdlib.h>

#define LISTED(names) " " names " "

typedef struct Blocking {
  const char *names;
  const char *instead;
  const char *worse; // a harm besides the wait of all activities; or NULL
} Blocking;

// Functions that write. Output to stdout and stderr draws no warning, because every program prints.
static const char writes[] =
    LISTED("dprintf fclose fcloseall fflush fflush_unlocked fprintf fputc "
           "fputc_unlocked fputs "
           "fputs_unlocked fputwc fputwc_unlocked fputws fputws_unlocked "
           "fwprintf fwrite "
           "fwrite_unlocked putc putc_unlocked putw putwc putwc_unlocked "
           "vdprintf vfprintf "
           "vfwprintf");

static const Blocking blocking[] = {
  { LISTED("mtx_lock mtx_timedlock pthread_mutex_clocklock pthread_mutex_lock "
           "pthread_mutex_timedlock pthread_rwlock_clockrdlock "
           "pthread_rwlock_clockwrlock "
           "pthread_rwlock_rdlock pthread_rwlock_timedrdlock "
           "pthread_rwlock_timedwrlock "
           "pthread_rwlock_wrlock pthread_spin_lock"),
    "use fm_lock() of <fermata/sync.h>, or lock and unlock in `atomic` or in a "
    "plain "
    "function, where nothing pauses in between",
    ", forever if the holder of the lock has paused" },
  { LISTED(
        "cnd_timedwait cnd_wait pthread_cond_clockwait pthread_cond_timedwait "
        "pthread_cond_wait"),
    "use fm_cond_wait() of <fermata/sync.h>",
    ", forever if one of them is to signal" },
  { LISTED("pthread_barrier_wait"),
    "use fm_wait_group_wait() of <fermata/sync.h>",
    ", forever if one of them is to come" },
  { LISTED("sem_clockwait sem_timedwait sem_wait"),
    "use fm_sem_wait() of <fermata/sync.h>",
    ", forever if one of them is to post" },
  { LISTED("pthread_clockjoin_np pthread_join pthread_timedjoin_np thrd_join"),
    "start an activity by `spawn` in place of the thread and `await` it, or "
    "join by "
    "fm_offload()",
    NULL },
  { LISTED("fgetc fgetc_unlocked fgets fgets_unlocked fgetwc fgetwc_unlocked "
           "fgetws "
           "fgetws_unlocked fread fread_unlocked fscanf fwscanf getc "
           "getc_unlocked getchar "
           "getchar_unlocked getdelim getline gets getw getwc getwc_unlocked "
           "getwchar "
           "getwchar_unlocked scanf vfscanf vfwscanf vscanf vwscanf wscanf"),
    "use fm_reader_line() or fm_read() of <fermata/io.h>, or fm_offload()",
    NULL },
  { writes, "use fm_write_all() of <fermata/io.h>, or fm_offload()", NULL },
  { LISTED("creat creat64 fopen fopen64 freopen freopen64 open open64 openat "
           "openat64"),
    "use fm_open() of <fermata/io.h>, or fm_offload()",
    NULL },
  { LISTED("clock_nanosleep thrd_sleep"),
    "use fm_sleep() of <fermata/time.h>",
    NULL },
  { LISTED("epoll_pwait epoll_pwait2 epoll_wait ppoll pselect"),
    "use poll() with <fermata/posix.h>, or fm_wait_readable() of "
    "<fermata/io.h>",
    NULL },
  { LISTED("sigsuspend sigtimedwait sigwait sigwaitinfo"),
    "use fm_wait_signal() of <fermata/io.h>",
    NULL },
  { LISTED("pclose popen system"),
    "use fm_run() of <fermata/io.h>, or fm_offload()",
    NULL },
  { LISTED("wait3 wait4 waitid"),
    "use fm_wait_process() of <fermata/io.h> or waitpid() with "
    "<fermata/posix.h>, or "
    "fm_offload()",
    NULL },
  { LISTED("gethostbyaddr gethostbyaddr_r gethostbyname gethostbyname2 "
           "gethostbyname2_r "
           "gethostbyname_r"),
    "use fm_getaddrinfo() of <fermata/io.h>, or fm_offload()",
    NULL },
  { LISTED("pread64 preadv preadv2 preadv64 preadv64v2 pwrite64 pwritev "
           "pwritev2 pwritev64 "
           "pwritev64v2"),
    "use pread() and pwrite() with <fermata/posix.h>",
    NULL },
  { LISTED("recvmmsg sendmmsg"),
    "use recvmsg() and sendmsg() with <fermata/posix.h>",
    NULL },
  { LISTED("accept accept4 connect fdatasync fsync getaddrinfo nanosleep pause "
           "poll pread "
           "pwrite read readv recv recvfrom recvmsg select send sendmsg sendto "
           "sleep usleep wait waitpid write writev"),
    "include <fermata/posix.h>, which redirects it, or use a function of "
    "<fermata/io.h>",
    NULL },
  { LISTED("aio_suspend copy_file_range fcntl fcntl64 flock getgrent "
           "getgrent_r getgrgid "
           "getgrgid_r getgrnam getgrnam_r getgrouplist getnameinfo getpass "
           "getprotobyname "
           "getprotobyname_r getpwent getpwent_r getpwnam getpwnam_r getpwuid "
           "getpwuid_r "
           "getservbyname getservbyname_r getservbyport getservbyport_r "
           "getspnam getspnam_r "
           "initgroups lockf lockf64 mq_receive mq_send mq_timedreceive "
           "mq_timedsend msgrcv "
           "msgsnd msync semop semtimedop sendfile sendfile64 splice sync "
           "syncfs syslog tcdrain "
           "tee vmsplice vsyslog"),
    "call it by fm_offload() of <fermata/pool.h>, in another thread",
    NULL },
};

// Functions that do not wait if a constant argument has one of these bits.
typedef struct Unless {
  const char *names;
  int arg;
  int64_t any; // one of these bits: it does not wait
} Unless;

static const Unless unless[] = {
  // the numbers are those of Linux
  { LISTED("flock"), 1, 4 | 8 }, // LOCK_NB, LOCK_UN
  { LISTED("wait3"), 1, 1 },     // WNOHANG
  { LISTED("wait4 waitpid"), 2, 1 },
  { LISTED("waitid"), 3, 1 },
  { LISTED("recv recvfrom recvmmsg send sendmmsg sendto"),
    3,
    0x40 }, // MSG_DONTWAIT
  { LISTED("recvmsg sendmsg"), 2, 0x40 },
  { LISTED("msgsnd"), 3, 04000 },
  { LISTED("msgrcv"), 4, 04000 }, // IPC_NOWAIT
  { LISTED("open open64"), 1, 04000 },
  { LISTED("openat openat64"), 2, 04000 }, // O_NONBLOCK
};

static const char *const with_state[][2] = {
  // sorted by name; the second name is the function to call instead
  { "asctime", "asctime_r" },
  { "crypt", "crypt_r" },
  { "ctime", "ctime_r" },
  { "ecvt", "snprintf" },
  { "ether_aton", "ether_aton_r" },
  { "ether_ntoa", "ether_ntoa_r" },
  { "fcvt", "snprintf" },
  { "fgetgrent", "fgetgrent_r" },
  { "fgetpwent", "fgetpwent_r" },
  { "getgrent", "getgrent_r" },
  { "getgrgid", "getgrgid_r" },
  { "getgrnam", "getgrnam_r" },
  { "gethostbyaddr", "getnameinfo" },
  { "gethostbyname", "fm_getaddrinfo" },
  { "getlogin", "getlogin_r" },
  { "getmntent", "getmntent_r" },
  { "getprotobyname", "getprotobyname_r" },
  { "getpwent", "getpwent_r" },
  { "getpwnam", "getpwnam_r" },
  { "getpwuid", "getpwuid_r" },
  { "getservbyname", "getservbyname_r" },
  { "getservbyport", "getservbyport_r" },
  { "getspnam", "getspnam_r" },
  { "gmtime", "gmtime_r" },
  { "inet_ntoa", "inet_ntop" },
  { "localtime", "localtime_r" },
  { "ptsname", "ptsname_r" },
  { "strsignal", "sigdescr_np" },
  { "strtok", "strtok_r" },
  { "tmpnam", "mkstemp" },
  { "ttyname", "ttyname_r" },
};

static int by_name(const void *key, const void *entry) {
  return strcmp(key, *(const char *const *)entry);
}

// Whether only a system header declares the function.
static bool is_libc(Unit *u, const Symbol *s) {
  return s && s->kind == S_FUNC && s->depth == 0 && !s->own &&
         s->storage != ST_STATIC && (tok_at(u, s->tok)->flags & TF_SYSTEM);
}

// Whether `names` has the name, between two blanks.
static bool listed(const char *names, const char *name) {
  size_t n = strlen(name);
  for (const char *p = strstr(names, name); p; p = strstr(p + 1, name))
    if (p[-1] == ' ' && p[n] == ' ')
      return true;
  return false;
}

static bool constant_arg(const Node *call, int i, int64_t *value) {
  const Node *a = call->b;
  while (a && i-- > 0)
    a = a->next;
  if (!a || !(a->flags & NF_CONST))
    return false;
  *value = a->val;
  return true;
}

static bool is_standard_stream(const Node *a) {
  while (a->kind == N_PAREN || a->kind == N_CAST)
    a = a->a;
  const char *name = a->kind == N_IDENT && a->sym ? a->sym->name->name : "";
  return strcmp(name, "stdout") == 0 || strcmp(name, "stderr") == 0;
}

// Whether the call writes to standard output or standard error.
static bool prints(const Node *call, const char *name) {
  int64_t fd;
  if (!listed(writes, name))
    return false;
  if (strstr(name, "dprintf"))
    return constant_arg(call, 0, &fd) && (fd == 1 || fd == 2);
  for (const Node *a = call->b; a; a = a->next)
    if (is_standard_stream(a))
      return true;
  return false;
}

// Whether the arguments of the call exclude a wait.
static bool never_waits(const Node *call, const char *name) {
  int64_t v;
  for (size_t i = 0; i < COUNT(unless); i++)
    if (listed(unless[i].names, name) &&
        constant_arg(call, unless[i].arg, &v) && (v & unless[i].any))
      return true;
  // only F_SETLKW, F_SETLKW64 and F_OFD_SETLKW wait
  if (strncmp(name, "fcntl", 5) == 0)
    return !constant_arg(call, 1, &v) || (v != 7 && v != 14 && v != 38);
  // F_LOCK
  if (strncmp(name, "lockf", 5) == 0)
    return constant_arg(call, 1, &v) && v != 1;
  return prints(call, name);
}

bool includes_posix(Unit *u) {
  Symbol *s = intern(u, "fm_posix_read", 13)->sym;
  return s && s->kind == S_FUNC && canon(s->type)->kind == TY_FUNC &&
         canon(s->type)->is_async;
}

static void tell_blocking(Unit *u, const Node *call, const char *name) {
  for (size_t i = 0; i < COUNT(blocking); i++) {
    const Blocking *b = &blocking[i];
    if (!listed(b->names, name))
      continue;
    if (!never_waits(call, name))
      warn_at(u,
              OWN_BLOCKING,
              call->a->tok,
              "`%s` may block all activities of this domain%s; %s",
              name,
              b->worse ? b->worse : "",
              b->instead);
    return;
  }
}

#define OF_THE_THREAD                                                        \
  "belongs to the thread: all its activities share it, and another one may " \
  "change it at any pause; pass the value as a parameter, keep it in a "     \
  "local variable, or set and use it in one `atomic`"

static void tell_state(Unit *u, const Node *call, const char *name) {
  if (listed(LISTED("pthread_getspecific pthread_setspecific tss_get tss_set"),
             name)) {
    warn_at(u,
            OWN_SHARED_STATE,
            call->a->tok,
            "the value that `%s` %s " OF_THE_THREAD,
            name,
            strstr(name, "get") ? "gets" : "sets");
    return;
  }
  const char *const *state =
      bsearch(name, with_state, COUNT(with_state), sizeof *with_state, by_name);
  if (state)
    warn_at(
        u,
        OWN_SHARED_STATE,
        call->a->tok,
        "another activity may call `%s`, and change the result, before it is "
        "used here; use it in the same `atomic`, or call `%s`",
        name,
        state[1]);
}

// Warns once for each function.
void note_thread_local(Unit *u, Node *e) {
  Symbol *s = e->sym;
  if (!u->body->async || u->body->atomic_depth || u->only_type ||
      s->told == u->body->async)
    return;
  if ((tok_at(u, s->tok)->flags & TF_SYSTEM) ||
      !is_wanted(u, OWN_SHARED_STATE, e->tok))
    return;
  s->told = u->body->async;
  warn_at(u, OWN_SHARED_STATE, e->tok, "`%s` " OF_THE_THREAD, s->name->name);
}

// With _FORTIFY_SOURCE and clang, fprintf is a macro: __fprintf_chk.
static const char *as_written(Unit *u, const char *name) {
  size_t n = strlen(name);
  bool checked =
      n > 6 && strncmp(name, "__", 2) == 0 && strcmp(name + n - 4, "_chk") == 0;
  return checked ? arena_printf(&u->arena, "%.*s", (int)(n - 6), name + 2)
                 : name;
}

void redirect_call(Unit *u, Node *call) {
  Node *f = call->a;
  if (f->kind != N_IDENT || !u->body->async || !is_libc(u, f->sym))
    return;
  if (strncmp(u->body->async->name, "fm_posix_", 9) == 0)
    return;
  const char *name = f->sym->name->name;
  const char *ours = arena_printf(&u->arena, "fm_posix_%s", name);
  Symbol *s = intern(u, ours, strlen(ours))->sym;
  if (s && s->kind == S_FUNC && canon(s->type)->kind == TY_FUNC &&
      canon(s->type)->is_async) {
    f->sym = s;
    f->type = s->type;
    // the witness has to use fm_posix_NAME, or it would be reported as unused
    if (!(tok_at(u, s->tok)->flags & TF_SYSTEM))
      witness_instead(u, f->tok, f->tok + 1, ours);
    return;
  }
  if (u->body->atomic_depth || u->only_type)
    return;
  name = as_written(u, name);
  if (is_wanted(u, OWN_SHARED_STATE, f->tok))
    tell_state(u, call, name);
  if (is_wanted(u, OWN_BLOCKING, f->tok))
    tell_blocking(u, call, name);
}
