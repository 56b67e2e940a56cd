// blocking.c: calls of libc functions that wait, or keep something of theirs between two calls, in async code.
//
// Where <fermata/posix.h> has declared an async function fm_posix_NAME, a direct call of libc's NAME means that one: code that
// blocks is ported by one #include and `async`. Pointers, members and functions of the program's own are left alone.
// -Wblocking tells of the others. Inside the functions fm_posix_… the names mean libc's own.
//
// -Wshared-state tells of functions whose result stands in memory of the C library: another activity may call them, too, before it has been
// used, since there are automatic yields around calls. In atomic code no one else runs.
#include "fmcc.h"

#include <stdlib.h>

static const char *const blocking[] = {           // sorted
  "accept", "accept4", "clock_nanosleep", "cnd_timedwait", "cnd_wait", "connect", "epoll_pwait", "epoll_pwait2", "epoll_wait",
  "fdatasync", "fgetc", "fgets", "fgetwc", "fgetws", "flock", "fread", "fscanf", "fsync", "getaddrinfo", "getc", "getchar",
  "getdelim", "gethostbyaddr", "gethostbyname", "getline", "getnameinfo", "getpass", "getwc", "getwchar", "lockf", "mq_receive",
  "mq_send", "mq_timedreceive", "mq_timedsend", "msgrcv", "msgsnd", "mtx_lock", "mtx_timedlock", "nanosleep", "pause", "pclose",
  "poll", "popen", "ppoll", "pselect", "pthread_barrier_wait", "pthread_cond_timedwait", "pthread_cond_wait", "pthread_join",
  "pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_rwlock_rdlock", "pthread_rwlock_timedrdlock",
  "pthread_rwlock_timedwrlock", "pthread_rwlock_wrlock", "read", "readv", "recv", "recvfrom", "recvmmsg", "recvmsg", "scanf",
  "select", "sem_clockwait", "sem_timedwait", "sem_wait", "semop", "semtimedop", "send", "sendfile", "sendmmsg", "sendmsg",
  "sendto", "sigsuspend", "sigtimedwait", "sigwait", "sigwaitinfo", "sleep", "splice", "system", "tcdrain", "thrd_join",
  "thrd_sleep", "usleep", "vfscanf", "vscanf", "wait", "wait3", "wait4", "waitid", "waitpid", "write", "writev",
};

static const char *const with_state[][2] = {      // sorted; what to call instead
  {"asctime", "asctime_r"}, {"crypt", "crypt_r"}, {"ctime", "ctime_r"}, {"ecvt", "snprintf"}, {"ether_aton", "ether_aton_r"},
  {"ether_ntoa", "ether_ntoa_r"}, {"fcvt", "snprintf"}, {"fgetgrent", "fgetgrent_r"}, {"fgetpwent", "fgetpwent_r"}, {"getgrent", "getgrent_r"},
  {"getgrgid", "getgrgid_r"}, {"getgrnam", "getgrnam_r"}, {"gethostbyaddr", "getnameinfo"}, {"gethostbyname", "fm_getaddrinfo"},
  {"getlogin", "getlogin_r"}, {"getmntent", "getmntent_r"}, {"getprotobyname", "getprotobyname_r"}, {"getpwent", "getpwent_r"}, {"getpwnam", "getpwnam_r"},
  {"getpwuid", "getpwuid_r"}, {"getservbyname", "getservbyname_r"}, {"getservbyport", "getservbyport_r"}, {"getspnam", "getspnam_r"},
  {"gmtime", "gmtime_r"}, {"inet_ntoa", "inet_ntop"}, {"localtime", "localtime_r"}, {"ptsname", "ptsname_r"}, {"strsignal", "sigdescr_np"},
  {"strtok", "strtok_r"}, {"tmpnam", "mkstemp"}, {"ttyname", "ttyname_r"},
};

static int by_name(const void *key, const void *entry) { return strcmp(key, *(const char *const *)entry); }

static bool is_libc(Unit *u, const Symbol *s) {   // declared by a system header alone
  return s && s->kind == S_FUNC && s->depth == 0 && !s->own && s->storage != ST_STATIC && (tok_at(u, s->tok)->flags & TF_SYSTEM);
}

void redirect_call(Unit *u, Node *f) {
  if (f->kind != N_IDENT || !u->async || !is_libc(u, f->sym) || strncmp(u->async->name, "fm_posix_", 9) == 0) return;
  const char *name = f->sym->name->name, *ours = arena_printf(&u->arena, "fm_posix_%s", name);
  Symbol *s = intern(u, ours, strlen(ours))->sym;
  if (s && s->kind == S_FUNC && canon(s->type)->kind == TY_FUNC && canon(s->type)->is_async) {
    f->sym = s;
    f->type = s->type;
    if (!(tok_at(u, s->tok)->flags & TF_SYSTEM)) witness_instead(u, f->tok, f->tok + 1, ours); // it is used
    return;
  }
  if (u->atomic_depth) return;
  const char *const *state = u->opt.shared_state ? bsearch(name, with_state, sizeof with_state / sizeof *with_state, sizeof *with_state, by_name) : NULL;
  if (state)
    warn_at(u, f->tok, "another activity may call `%s` before what it returns here has been used, and change it; call it in `atomic`, with the use, or `%s` [-Wshared-state]", name, state[1]);
  if (u->opt.blocking && bsearch(name, blocking, sizeof blocking / sizeof *blocking, sizeof *blocking, by_name))
    warn_at(u, f->tok, "`%s` may block, and with it every activity of this domain; <fermata/posix.h> or <fermata/io.h> may have what waits instead, fm_offload() runs it elsewhere [-Wblocking]", name);
}
