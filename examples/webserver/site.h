// site.h: what a server is told (options) and what it serves (a directory, or a copy of it in memory).
#ifndef SITE_H
#define SITE_H

#include <stdbool.h>
#include <stddef.h>

struct options {
  const char *root;                               // the directory that is served
  const char *port;                               // a number; "0": the kernel chooses
  bool in_memory;                                 // serve the files as they were at the start, and look at no file later
  unsigned patience;                              // ms that a request may take to arrive, and each piece of an answer to leave
  unsigned grace;                                 // ms after SIGTERM until connections that are still busy are cut
};

struct page {                                     // a file that is held in memory
  char *path;                                     // below the root, without a leading slash: "img/a.png"
  size_t length;                                  // of the path
  const char *type;                               // its Content-Type
  char *body;
  size_t size;
};

// Reads the command line; on a mistake says how it should be, and exits.
struct options options_read(int argc, char **argv);

// Makes the pages: "hello", which is always there, and with in_memory all files below the root. Exits when that fails.
void site_open(const struct options *o);
void site_close(void);

const struct page *site_page(const char *path, size_t length); // NULL: there is none
bool site_has_files(void);                        // what is no page may be a file
char *site_file(const char *path);                // malloc'd: where the file should be; NULL: there is no memory for that
const char *site_below(const char *file);         // of what site_file gave: the path below the root
const char *site_type(const char *path);          // a Content-Type, by the end of the name

#endif
