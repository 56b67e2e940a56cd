// measure.c: what a command costs. `measure N COMMAND...` runs it N times with its output thrown
// away and prints the smallest user+system time, in seconds, and the largest peak memory, in
// kilobytes, its children included. Fails with the command's status as soon as it fails.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(const struct rusage *use) {
  return (double)(use->ru_utime.tv_sec + use->ru_stime.tv_sec) +
         (double)(use->ru_utime.tv_usec + use->ru_stime.tv_usec) / 1e6;
}

static void become(char **command) {
  int null = open("/dev/null", O_WRONLY);
  if (null >= 0)
    dup2(null, 1);
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

// Runs the command once; returns what it and its children used.
static struct rusage run_once(char **command) {
  struct rusage use;
  int status;
  pid_t child = fork();
  if (child == 0)
    become(command);
  if (child < 0 || wait4(child, &status, 0, &use) != child) {
    perror("measure");
    exit(125);
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 126);
  return use;
}

int main(int argc, char **argv) {
  double best = 1e30;
  long peak = 0;
  if (argc < 3) {
    fprintf(stderr, "usage: measure N COMMAND...\n");
    return 125;
  }
  for (int i = atoi(argv[1]); i > 0; i--) {
    struct rusage use = run_once(argv + 2);
    if (seconds(&use) < best)
      best = seconds(&use);
    if (use.ru_maxrss > peak)
      peak = use.ru_maxrss;
  }
  printf("%.6f %ld\n", best, peak);
  return 0;
}
