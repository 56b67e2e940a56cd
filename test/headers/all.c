// all.c: includes the system's headers, for what real headers contain: attributes, asm labels, builtins, vectors, inline
// functions. Used by test/sample/headers.sh, which compares the object code of fmcc with the C compiler's own; with
// -O2 -D_FORTIFY_SOURCE=2 the checking inline functions come in, with -DVECTORS the compiler's vector intrinsics.
#define _GNU_SOURCE 1
// ---- ISO C ----
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <tgmath.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>
// ---- POSIX ----
#include <aio.h>
#include <arpa/inet.h>
#include <cpio.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmtmsg.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <langinfo.h>
#include <libgen.h>
#include <monetary.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nl_types.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <spawn.h>
#include <strings.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <tar.h>
#include <termios.h>
#include <ulimit.h>
#include <unistd.h>
#include <utime.h>
#include <utmpx.h>
#include <wordexp.h>
// ---- GNU and Linux ----
#include <alloca.h>
#include <argp.h>
#include <argz.h>
#include <byteswap.h>
#include <elf.h>
#include <endian.h>
#include <envz.h>
#include <err.h>
#include <error.h>
#include <execinfo.h>
#include <getopt.h>
#include <gnu/libc-version.h>
#include <ifaddrs.h>
#include <libintl.h>
#include <link.h>
#include <malloc.h>
#include <mntent.h>
#include <netinet/ether.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <obstack.h>
#include <printf.h>
#include <pty.h>
#include <resolv.h>
#include <rpc/netdb.h>
#include <shadow.h>
#include <stdio_ext.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/queue.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/ucontext.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <ucontext.h>
#include <utmp.h>
#include <values.h>
#include <linux/bpf.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <linux/rtnetlink.h>
// ---- the compiler's own ----
#include <cpuid.h>
#include <unwind.h>
#ifdef VECTORS
#include <immintrin.h>
#include <x86intrin.h>
#endif

// A little code that uses them, so that there is something to compare.
static _Atomic long counter;

static double distance(double complex a, double complex b) {
  return cabs(a - b);
}

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void *bump(void *arg) {
  atomic_fetch_add(&counter, (long)(intptr_t)arg);
  return NULL;
}

#ifdef VECTORS
__attribute__((target("avx2"))) static int sum8(const int *p) {
  __m256i v = _mm256_loadu_si256((const __m256i *)p);
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_hadd_epi32(s, s);
  return _mm_cvtsi128_si32(_mm_hadd_epi32(s, s));
}
#else
static int sum8(const int *p) {
  return p[0] + p[1] + p[2] + p[3] + p[4] + p[5] + p[6] + p[7];
}
#endif

int main(int argc, char **argv) {
  char line[64] = "", copy[64];
  int numbers[8] = { 3, 1, 2 };
  struct stat st;
  fd_set set;
  sigset_t signals;
  FD_ZERO(&set);
  sigemptyset(&signals);
  qsort(numbers, 8, sizeof numbers[0], compare);
  snprintf(line, sizeof line, "%d:%s", argc, argv[0]);
  strcpy(copy, line);
  memset(&st, 0, sizeof st);
  bump((void *)2);
  printf("%ld %d %.1f %" PRIu32 " %d\n", counter, sum8(numbers), distance(1.0, I), htonl(1), isatty(0) + WEXITSTATUS(0));
  return sqrt(2.0) > sqrtf(2.0f) || offsetof(struct stat, st_size) > strlen(copy) || fabs(-1.0L) < 0 || isnan(0.0);
}
