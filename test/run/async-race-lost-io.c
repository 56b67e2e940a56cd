// An arm that another one beats while it computes takes nothing from a descriptor and puts nothing
// there, although it need not wait: the bytes, the connection and the message are still there.
// env: FERMATA_TICK=always
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/posix.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int lost;

static void work(void) {
}

static async void computes(void) {
  defer lost++;
  for (int i = 0; i < 20; i++)
    work();
}

static async void wins(void) {
  yield;
}

static int pipe_fds[2];
static int pair[2];
static int listening;
static int file;
static char text[8];

static async ssize_t reads(int fd) throws(struct os_error) {
  computes();
  return fm_read(fd, text, 1);
}

static async ssize_t writes(int fd) throws(struct os_error) {
  computes();
  return fm_write(fd, "x", 1);
}

static async ssize_t writes_all(int fd) throws(struct os_error) {
  computes();
  fm_write_all(fd, "x", 1);
  return 1;
}

static async ssize_t accepts(int fd) throws(struct os_error) {
  computes();
  return fm_accept(fd);
}

static async ssize_t receives(int fd) throws(struct os_error) {
  computes();
  return fm_recvfrom(fd, text, 1, NULL, NULL);
}

static async ssize_t sends(int fd) throws(struct os_error) {
  computes();
  return fm_sendto(fd, "x", 1, NULL, 0);
}

static async ssize_t writes_at(int fd) throws(struct os_error) {
  computes();
  return fm_pwrite(fd, "x", 1, 0);
}

static async ssize_t posix_reads(int fd) throws(struct os_error) {
  computes();
  return read(fd, text, 1);
}

static async ssize_t posix_writes(int fd) throws(struct os_error) {
  computes();
  return write(fd, "x", 1);
}

static async ssize_t posix_receives(int fd) throws(struct os_error) {
  struct iovec v = { text, 1 };
  struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
  computes();
  return recvmsg(fd, &m, 0);
}

static async ssize_t posix_sends(int fd) throws(struct os_error) {
  struct iovec v = { (char *)"x", 1 };
  struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
  computes();
  return sendmsg(fd, &m, 0);
}

static async ssize_t posix_accepts(int fd) throws(struct os_error) {
  computes();
  return accept(fd, NULL, NULL);
}

// What is held back by a shield goes on.
static async ssize_t reads_in_shield(int fd) throws(struct os_error) {
  shield {
    computes();
    return fm_read(fd, text, 1);
  }
}

// Its arm has lost when it comes to its transfer.
static async void late(async ssize_t (*transfers)(int fd) throws(struct os_error), int fd)
    throws(struct os_error) {
  race {
  case transfers(fd):
    printf("the late arm has won\n");
  case wins():
    break;
  }
}

async int main(void) {
  try {
    fm_pipe(pipe_fds);
    fm_write_all(pipe_fds[1], "ab", 2);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    fm_write_all(pair[1], "cd", 2);
    listening = fm_listen("127.0.0.1", "0", 4);
    char port[8];
    snprintf(port, sizeof port, "%d", fm_local_port(listening));
    int client = fm_connect("127.0.0.1", port);
    file = fm_temp_file(NULL);

    late(reads, pipe_fds[0]);
    late(reads, pair[0]);
    late(writes, pair[0]);
    late(writes, pipe_fds[1]);
    late(writes_all, pair[0]);
    late(writes_all, pipe_fds[1]);
    late(accepts, listening);
    late(receives, pair[0]);
    late(sends, pair[0]);
    late(writes_at, file);
    late(posix_reads, pipe_fds[0]);
    late(posix_reads, pair[0]);
    late(posix_writes, pipe_fds[1]);
    late(posix_writes, pair[0]);
    late(posix_receives, pair[0]);
    late(posix_sends, pair[0]);
    late(posix_accepts, listening);
    printf("%d have lost\n", lost);  // expect: 17 have lost

    memset(text, 0, sizeof text);
    printf("%zd %s\n", fm_read(pipe_fds[0], text, 7), text);  // expect: 2 ab
    printf("%zd %s\n", fm_read(pair[0], text, 7), text);      // expect: 2 cd
    printf("%zd\n", recv(pair[1], text, 7, MSG_DONTWAIT));    // expect: -1
    printf("%zd\n", fm_pread(file, text, 7, 0));              // expect: 0
    int server = fm_accept(listening);
    printf("%s\n", server >= 0 ? "accepted" : "lost");  // expect: accepted

    fm_write_all(pipe_fds[1], "e", 1);
    late(reads_in_shield, pipe_fds[0]);
    printf("%c\n", text[0]);  // expect: e
    close(server);
    close(client);
    close(listening);
    close(file);
  } catch (struct os_error e) {
    printf("error %d\n", e.code);
  }
  return 0;
}
