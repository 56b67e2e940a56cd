// site.c: the command line; pages in memory, found by a hash of their path; types of files.
#define _GNU_SOURCE
#include "site.h"

#include <ftw.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- the command line ----
static void usage(const char *program) {
  fprintf(stderr, "usage: %s [-m] [-p PORT] [-t MS] [-g MS] [DIRECTORY]\n"
                  "  -m  copy the directory into memory and serve that\n"
                  "  -p  the port on 127.0.0.1 (0: any; it is printed)\n"
                  "  -t  how long a request may take to arrive (10000)\n"
                  "  -g  how long connections may go on after SIGTERM (10000)\n", program);
  exit(2);
}

static unsigned milliseconds(const char *text, const char *program) {
  char *end;
  unsigned long n = strtoul(text, &end, 10);
  if (!*text || *end || !n || n > 86400000) usage(program);
  return (unsigned)n;
}

struct options options_read(int argc, char **argv) {
  struct options o = { .root = ".", .port = "0", .patience = 10000, .grace = 10000 };
  for (int c; (c = getopt(argc, argv, "mp:t:g:")) != -1;) switch (c) {
    case 'm': o.in_memory = true; break;
    case 'p': o.port = optarg; break;
    case 't': o.patience = milliseconds(optarg, argv[0]); break;
    case 'g': o.grace = milliseconds(optarg, argv[0]); break;
    default: usage(argv[0]);
  }
  if (optind < argc) o.root = argv[optind++];
  if (optind < argc) usage(argv[0]);
  return o;
}

// ---- the table of pages: open addressing, at most half full ----
static struct {
  struct page *slots;                             // a slot without path is free
  size_t room, used;                              // room: a power of two
  const char *root;                               // while it is read: what all paths begin with
  bool files;                                     // pages that are not here may be files
} site;

static size_t hash(const char *s, size_t n) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h;
}

static struct page *slot_of(struct page *slots, size_t room, const char *path, size_t n) {
  size_t i = hash(path, n) & (room - 1);
  while (slots[i].path && (slots[i].length != n || memcmp(slots[i].path, path, n))) i = (i + 1) & (room - 1);
  return &slots[i];
}

const struct page *site_page(const char *path, size_t length) {
  struct page *p = slot_of(site.slots, site.room, path, length);
  return p->path ? p : NULL;
}

static bool grow(void) {
  size_t room = site.room ? site.room * 2 : 16;
  struct page *slots = calloc(room, sizeof *slots);
  if (!slots) return false;
  for (size_t i = 0; i < site.room; i++) {
    struct page *p = &site.slots[i];
    if (p->path) *slot_of(slots, room, p->path, strlen(p->path)) = *p;
  }
  free(site.slots);
  site.slots = slots;
  site.room = room;
  return true;
}

static bool add(const char *path, char *body, size_t size) {
  if (2 * (site.used + 1) > site.room && !grow()) return false;
  struct page *p = slot_of(site.slots, site.room, path, strlen(path));
  if (!p->path) {
    if (!(p->path = strdup(path))) return false;
    p->length = strlen(path);
    site.used++;
  }
  free(p->body);
  p->body = body;
  p->size = size;
  p->type = site_type(path);
  return true;
}

// The kernel copies from the beginning of a memory page faster than from anywhere in it.
static char *allocate_body(size_t size) {
  void *body;
  return posix_memalign(&body, 4096, size + 1) == 0 ? body : NULL;
}

static char *read_file(const char *path, size_t size) {
  FILE *f = fopen(path, "rb");
  char *body = f ? allocate_body(size) : NULL;
  if (body && fread(body, 1, size, f) != size) {
    free(body);
    body = NULL;
  }
  if (f) fclose(f);
  return body;
}

static int visit(const char *path, const struct stat *st, int kind, struct FTW *where) {
  (void)where;
  if (kind != FTW_F || !S_ISREG(st->st_mode)) return 0;
  const char *below = path + strlen(site.root);
  while (*below == '/') below++;
  char *body = read_file(path, (size_t)st->st_size);
  if (body && add(below, body, (size_t)st->st_size)) return 0;
  free(body);
  perror(path);
  return -1;
}

void site_open(const struct options *o) {
  static const char hello[] = "Hello, world\n";
  char *body = strdup(hello);
  site.root = o->root;
  site.files = !o->in_memory;
  if (!body || !add("hello", body, sizeof hello - 1)) exit(1);
  if (o->in_memory && nftw(o->root, visit, 16, 0) != 0) {
    fprintf(stderr, "%s: cannot be read\n", o->root);
    exit(1);
  }
}

void site_close(void) {
  for (size_t i = 0; i < site.room; i++) {
    free(site.slots[i].path);
    free(site.slots[i].body);
  }
  free(site.slots);
}

bool site_has_files(void) { return site.files; }

char *site_file(const char *path) {
  char *name;
  return asprintf(&name, "%s/%s", site.root, path) < 0 ? NULL : name;
}

const char *site_below(const char *file) { return file + strlen(site.root) + 1; }

// ---- types ----
static const char *const types[][2] = {
  { "html", "text/html; charset=utf-8" }, { "htm", "text/html; charset=utf-8" }, { "css", "text/css; charset=utf-8" },
  { "js", "text/javascript; charset=utf-8" }, { "mjs", "text/javascript; charset=utf-8" }, { "json", "application/json" },
  { "txt", "text/plain; charset=utf-8" }, { "md", "text/markdown; charset=utf-8" }, { "xml", "application/xml" },
  { "svg", "image/svg+xml" }, { "png", "image/png" }, { "jpg", "image/jpeg" }, { "jpeg", "image/jpeg" },
  { "gif", "image/gif" }, { "webp", "image/webp" }, { "ico", "image/x-icon" }, { "pdf", "application/pdf" },
  { "wasm", "application/wasm" }, { "woff2", "font/woff2" }, { "mp4", "video/mp4" }, { "gz", "application/gzip" },
};

const char *site_type(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  if (!dot) return !strcmp(path, "hello") ? "text/plain; charset=utf-8" : "application/octet-stream";
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcasecmp(dot + 1, types[i][0])) return types[i][1];
  return "application/octet-stream";
}
