// Files: what is in the kernel's cache takes no thread; what is only partly there is read whole; the position, O_APPEND, O_DIRECT, limits,
// full devices, signals and cancels mean what they mean to read(2) and write(2).
#define _GNU_SOURCE
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/time.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
// env: FERMATA_TICK=off

enum { SIZE = 1 << 20, PAGE = 4096 };
static char expected[SIZE], got[SIZE];
static char name[] = "files-XXXXXX";

static int threads(void) {
  char line[100];
  int n = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "Threads: %d", &n) == 1) break;
  if (f) fclose(f);
  return n;
}

static int make_file(void) {
  for (size_t i = 0; i < SIZE; i++) expected[i] = (char)(i * 7 + (i >> 9));
  int fd = mkstemp(name);
  if (fd < 0 || write(fd, expected, SIZE) != SIZE || lseek(fd, 0, SEEK_SET)) exit(1);
  return fd;
}

static bool system_can(int fd) {
  char c;
  struct iovec v = { &c, 1 };
  return preadv2(fd, &v, 1, 0, RWF_NOWAIT) == 1;
}

// Takes every second piece out of the cache, if the system does so at all.
static void forget_some(int fd) {
  fdatasync(fd);
  for (off_t at = 0; at < SIZE; at += 8 * PAGE) posix_fadvise(fd, at, 4 * PAGE, POSIX_FADV_DONTNEED);
}

// ---- reading ----
static async void cached(int fd) throws(struct os_error) {
  bool right = true;
  for (size_t at = 0; at < SIZE; at += PAGE) right &= fm_read(fd, got + at, PAGE) == PAGE;
  right &= fm_read(fd, got, PAGE) == 0 && !memcmp(expected, got, SIZE);
  for (size_t at = 0; at < SIZE; at += PAGE) right &= fm_pread(fd, got, PAGE, (off_t)at) == PAGE && !memcmp(expected + at, got, PAGE);
  right &= fm_pread(fd, got, PAGE, SIZE - 10) == 10 && fm_pread(fd, got, PAGE, SIZE + 10) == 0;
  int copy = fm_open(name, O_RDONLY | O_CLOEXEC, 0);
  right &= !(fcntl(copy, F_GETFL) & O_NONBLOCK) && fm_read(copy, got, SIZE / 8) == SIZE / 8 && !memcmp(expected, got, SIZE / 8);
  fm_close(copy);
  printf("cached: %d %d\n", right, !system_can(fd) || threads() == 1);
}

static async void partly(int fd) throws(struct os_error) {
  bool right = true;
  for (size_t piece = PAGE; piece <= SIZE; piece *= 4) {
    lseek(fd, 0, SEEK_SET);
    forget_some(fd);
    memset(got, 0, sizeof got);
    for (size_t at = 0; at < SIZE; at += piece) right &= fm_read(fd, got + at, piece) == (ssize_t)piece;
    right &= !memcmp(expected, got, SIZE);
    forget_some(fd);
    memset(got, 0, sizeof got);
    right &= fm_pread(fd, got, SIZE, 0) == SIZE && !memcmp(expected, got, SIZE);
  }
  printf("partly cached: %d\n", right);
}

// Reads until it is cancelled. What has been read is what the position says.
static async void reads(int fd, size_t *at) throws(struct os_error) {
  while (*at < SIZE) {
    ssize_t n = fm_read(fd, got + *at, 16 * PAGE);
    if (!n) break;
    *at += (size_t)n;
    yield;
  }
}

static async void cancels(int fd) throws(struct os_error) {
  bool right = true;
  for (int turns = 0; turns < 40; turns++) {
    size_t at = 0;
    lseek(fd, 0, SEEK_SET);
    forget_some(fd);
    scope (s) {
      spawn reads(fd, &at);
      for (int i = 0; i < turns; i++) yield;
      fm_cancel(s);
    }
    right &= lseek(fd, 0, SEEK_CUR) == (off_t)at && !memcmp(expected, got, at);
  }
  printf("cancelled: %d\n", right);
}

// Many read one file: each byte goes to one of them.
static async void at_once(int fd) throws(struct os_error) {
  size_t of[8] = { 0 }, all = 0;
  lseek(fd, 0, SEEK_SET);
  forget_some(fd);
  scope
    for (int i = 0; i < 8; i++) spawn reads(fd, &of[i]);
  for (int i = 0; i < 8; i++) all += of[i];
  printf("at once: %d\n", all == SIZE);
}

// ---- what fails ----
static async int code_of_write(int fd, const char *text, off_t at) {
  try {
    if (at == -2) fm_write_all(fd, text, strlen(text));
    else fm_pwrite(fd, text, strlen(text), at);
  } catch (struct os_error e) {
    return e.code;
  }
  return 0;
}

static async int code_of_read(int fd, off_t at) {
  char c[8];
  try {
    if (at == -2) fm_read(fd, c, sizeof c);
    else fm_pread(fd, c, sizeof c, at);
  } catch (struct os_error e) {
    return e.code;
  }
  return 0;
}

static async void limits(int fd) {
  struct rlimit was, small;
  getrlimit(RLIMIT_FSIZE, &was);
  small = (struct rlimit){ SIZE, was.rlim_max };
  setrlimit(RLIMIT_FSIZE, &small);                // SIGXFSZ would end the process
  printf("too large: %d", code_of_write(fd, "more", SIZE) == EFBIG);
  int memory = memfd_create("files", MFD_CLOEXEC);
  for (int i = 0; i < 3; i++) printf(" %d", code_of_write(memory, "more", SIZE) == EFBIG && code_of_write(memory, "x", 0) == 0);
  printf("\n");
  close(memory);
  setrlimit(RLIMIT_FSIZE, &was);
}

static async void errors(int fd) {
  int full = open("/dev/full", O_WRONLY | O_CLOEXEC), dir = open(".", O_RDONLY | O_CLOEXEC), zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
  int reader = open(name, O_RDONLY | O_CLOEXEC), writer = open(name, O_WRONLY | O_CLOEXEC), fds[2];
  if (pipe(fds)) return;
  for (int i = 0; i < 2; i++)                     // once unknown, once known
    printf("errors: %d %d %d %d %d %d %d %d %d\n", code_of_write(full, "x", -2) == ENOSPC, code_of_read(dir, -2) == EISDIR,
           code_of_read(-1, -2) == EBADF, code_of_read(writer, -2) == EBADF, code_of_write(reader, "x", -2) == EBADF,
           code_of_read(fd, -1) == EINVAL && code_of_write(fd, "x", -1) == EINVAL, code_of_read(fds[0], 0) == ESPIPE,
           code_of_write(fds[1], "x", 0) == ESPIPE, code_of_read(zero, -2) == 0 && code_of_write(zero, "x", -2) == 0);
  for (int *p = (int[]){ full, dir, zero, reader, writer, fds[0], fds[1], -1 }; *p >= 0; p++) close(*p);
}

// ---- writing ----
static async void appends(void) throws(struct os_error) {
  char end[8] = "";
  int fd = open(name, O_RDWR | O_APPEND | O_CLOEXEC);
  fm_write_all(fd, "end", 3);
  fm_write_all(fd, "ing", 3);
  printf("appended: %d %s\n", fm_pread(fd, end, 8, SIZE) == 6, end);
  if (ftruncate(fd, SIZE)) exit(1);
  fm_close(fd);
}

static async void direct(void) throws(struct os_error) {
  char *page = aligned_alloc(PAGE, PAGE);
  bool right = true;
  int fd = open(name, O_RDWR | O_DIRECT | O_CLOEXEC);
  defer free(page);
  if (fd >= 0) {                                  // some systems have none
    right = fm_read(fd, page, PAGE) == PAGE && !memcmp(page, expected, PAGE);
    right &= fm_pwrite(fd, page, PAGE, PAGE) == PAGE && fm_pread(fd, page, PAGE, PAGE) == PAGE && !memcmp(page, expected, PAGE);
    right &= fm_pwrite(fd, expected + PAGE, 0, 0) == 0;
    fm_close(fd);
  }
  int back = open(name, O_WRONLY | O_CLOEXEC);
  fm_pwrite(back, expected + PAGE, PAGE, PAGE);
  fm_close(back);
  printf("direct: %d\n", right);
}

static async void in_memory(void) throws(struct os_error) { // the first call takes a thread, the others do not
  int fd = memfd_create("files", MFD_CLOEXEC);
  bool right = true;
  for (size_t at = 0; at < SIZE; at += PAGE) right &= fm_write(fd, expected + at, PAGE) == PAGE;
  lseek(fd, 0, SEEK_SET);
  memset(got, 0, sizeof got);
  for (size_t at = 0; at < SIZE; at += PAGE) right &= fm_read(fd, got + at, PAGE) == PAGE;
  right &= fm_read(fd, got, 1) == 0 && !memcmp(expected + 1, got + 1, SIZE - 1);
  right &= fm_pread(fd, got, SIZE, 0) == SIZE && !memcmp(expected, got, SIZE);
  printf("memory: %d\n", right);
  fm_close(fd);
}

static async void proc(void) throws(struct os_error) {
  char text[3][200] = { "" };
  for (int i = 0; i < 3; i++) {
    int fd = fm_open("/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
    fm_read(fd, text[i], 10);
    fm_close(fd);
  }
  printf("proc: %d\n", atoi(text[0]) == getpid() && !memcmp(text[0], text[1], 5) && !memcmp(text[0], text[2], 5));
}

// A child reads from the same position.
static async void shared_position(int fd) throws(struct os_error) {
  char c[4] = "";
  lseek(fd, 100, SEEK_SET);
  fm_read(fd, c, 1);
  pid_t pid = fork();
  if (pid == 0) _exit(read(fd, c, 3) == 3 ? 0 : 1);
  int status = fm_wait_process(pid);
  bool right = status == 0 && fm_read(fd, c, 1) == 1 && c[0] == expected[104];
  printf("shared: %d\n", right && lseek(fd, 0, SEEK_CUR) == 105);
}

static void nothing(int signo) { (void)signo; }

async int main(void) {
  int fd = make_file();
  defer unlink(name);
  sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = nothing }, NULL);
  try {
    cached(fd);                                   // expect: cached: 1 1
    partly(fd);                                   // expect: partly cached: 1
    cancels(fd);                                  // expect: cancelled: 1
    at_once(fd);                                  // expect: at once: 1
    limits(fd);                                   // expect: too large: 1 1 1 1
    errors(fd);                                   // expect: errors: 1 1 1 1 1 1 1 1 1
                                                  // expect: errors: 1 1 1 1 1 1 1 1 1
    appends();                                    // expect: appended: 1 ending
    direct();                                     // expect: direct: 1
    in_memory();                                  // expect: memory: 1
    proc();                                       // expect: proc: 1
    shared_position(fd);                          // expect: shared: 1
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  fm_close(fd);
  return 0;
}
