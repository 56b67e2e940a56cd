// top-path.h: where the socket of a program is that `fermata top` watches. The program and the tool
// share this file.
//
//     $XDG_RUNTIME_DIR/fermata/PID   if that directory is the user's alone
//     /tmp/fermata-UID/PID           otherwise
//
// The directory of the sockets has mode 0700 and belongs to the user; a directory that does not is
// not used. So no other user can connect, or put a socket of his own there: in /tmp, which is
// sticky, nobody can rename or remove the directory of another user.
#ifndef FM_TOP_PATH_H
#define FM_TOP_PATH_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

// The version of the protocol, docs/top.md.
#define FM__TOP_VERSION 1

enum { FM__TOP_PATH = 108 }; // bytes of a socket's path, as in sockaddr_un
enum { FM__TOP_PID = 12 };   // bytes of "/PID"

// It exists, belongs to the user, and is for nobody else.
static inline bool fm__top_is_private(const char *dir, uid_t user) {
  struct stat s;
  if (lstat(dir, &s) != 0)
    return false;
  errno = EPERM;
  return S_ISDIR(s.st_mode) && s.st_uid == user && !(s.st_mode & 077);
}

// Nobody can rename what others have in it.
static inline bool fm__top_is_safe(const char *dir) {
  struct stat s;
  return stat(dir, &s) == 0 && S_ISDIR(s.st_mode) &&
         (s.st_mode & S_ISVTX || !(s.st_mode & 022));
}

// The directory of sockets below `runtime`, the user's runtime directory. false: that is not one.
static inline bool
fm__top_dir_in(char dir[FM__TOP_PATH], const char *runtime, uid_t user) {
  if (!runtime || *runtime != '/' || !fm__top_is_private(runtime, user))
    return false;
  int n = snprintf(dir, FM__TOP_PATH, "%s/fermata", runtime);
  return n > 0 && n < FM__TOP_PATH - FM__TOP_PID;
}

static inline bool fm__top_dir_in_tmp(char dir[FM__TOP_PATH], uid_t user) {
  snprintf(dir, FM__TOP_PATH, "/tmp/fermata-%lu", (unsigned long)user);
  return fm__top_is_safe("/tmp");
}

#endif
