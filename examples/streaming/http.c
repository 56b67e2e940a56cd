// http.c: requests line by line, answers in one piece.
#include "http.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { LINES_MOST = 100 };

// ---- requests ----
static void copy(char *to, size_t room, const char *text) {
  snprintf(to, room, "%s", text);
}

static async char *line_of(fm_reader *in) throws(struct os_error) {
  char *line = fm_reader_line(in);
  size_t n = line ? strlen(line) : 0;
  if (n && line[n - 1] == '\r')
    line[n - 1] = '\0';
  return line;
}

// "GET /path?query HTTP/1.1". Returns 0, or a status.
static int read_first(struct request *r, char *line) {
  char *target = strchr(line, ' ');
  char *version = target ? strchr(target + 1, ' ') : NULL;
  if (!version)
    return 400;
  *target++ = *version++ = '\0';
  if (strlen(line) >= sizeof r->method || strncmp(version, "HTTP/1.", 7) || version[8])
    return strncmp(version, "HTTP/", 5) ? 400 : strlen(line) >= sizeof r->method ? 501 : 505;
  if (strlen(target) + 1 >= sizeof r->path)
    return 414;
  if (*target != '/')
    return 400;
  copy(r->method, sizeof r->method, line);
  copy(r->path, sizeof r->path, target);
  r->query = strchr(r->path, '?');
  if (r->query)
    *r->query++ = '\0';
  else
    r->query = r->path + strlen(r->path);
  r->keep = version[7] != '0';
  return strcmp(line, "GET") && strcmp(line, "HEAD") ? 405 : 0;
}

static bool has_word(const char *list, const char *word) {
  size_t n = strlen(word);
  for (; *list; list += strcspn(list, ","), list += *list == ',') {
    list += strspn(list, " \t");
    if (!strncasecmp(list, word, n) && !list[n + strspn(list + n, " \t")])
      return true;
    if (!strncasecmp(list, word, n) && list[n + strspn(list + n, " \t")] == ',')
      return true;
  }
  return false;
}

static int read_header(struct request *r, char *line) {
  char *value = strchr(line, ':');
  if (!value || value == line || strpbrk(line, " \t") < value)
    if (!value || strcspn(line, " \t") < (size_t)(value - line))
      return 400;
  *value++ = '\0';
  value += strspn(value, " \t");
  for (size_t n = strlen(value); n && strchr(" \t", value[n - 1]); n--)
    value[n - 1] = '\0';
  if (!strcasecmp(line, "host"))
    copy(r->host, sizeof r->host, value);
  else if (!strcasecmp(line, "origin"))
    copy(r->origin, sizeof r->origin, value);
  else if (!strcasecmp(line, "upgrade"))
    r->upgrade = has_word(value, "websocket");
  else if (!strcasecmp(line, "sec-websocket-key"))
    copy(r->key, sizeof r->key, value);
  else if (!strcasecmp(line, "sec-websocket-version"))
    copy(r->version, sizeof r->version, value);
  else if (!strcasecmp(line, "sec-websocket-protocol"))
    copy(r->protocols, sizeof r->protocols, value);
  else if (!strcasecmp(line, "transfer-encoding") ||
           (!strcasecmp(line, "content-length") && strcmp(value, "0")))
    return 413; // nothing here takes a body
  else if (!strcasecmp(line, "connection")) {
    r->connection_upgrade = has_word(value, "upgrade");
    r->keep = has_word(value, "keep-alive") || (r->keep && !has_word(value, "close"));
  }
  return 0;
}

static async int take_lines(fm_reader *in, struct request *r) throws(struct os_error) {
  char *line = line_of(in);
  if (line && !*line) // an empty line before a request is allowed
    line = line_of(in);
  if (!line)
    return -1;
  int status = read_first(r, line);
  for (int n = 0; (line = line_of(in)) && *line; n++) {
    if (n == LINES_MOST)
      return 431;
    int wrong = read_header(r, line);
    if (!status)
      status = wrong;
  }
  if (!line)
    return -1;
  return status || *r->host ? status : 400;
}

async int http_take(fm_reader *in, struct request *r) throws(struct os_error) {
  *r = (struct request){ 0 };
  r->query = r->path;
  try {
    return take_lines(in, r);
  } catch (struct os_error e) {
    if (e.code != EMSGSIZE)
      throw;
  }
  return 431;
}

int64_t http_number(const struct request *r, const char *name, int64_t fallback) {
  size_t n = strlen(name);
  for (const char *at = r->query; *at; at += strcspn(at, "&"), at += *at == '&')
    if (!strncmp(at, name, n) && at[n] == '=')
      return strtoll(at + n + 1, NULL, 10);
  return fallback;
}

// ---- answers ----
static const char *words_of(int status) {
  static const struct {
    int status;
    const char *words;
  } known[] = { { 101, "Switching Protocols" },
                { 200, "OK" },
                { 400, "Bad Request" },
                { 403, "Forbidden" },
                { 404, "Not Found" },
                { 405, "Method Not Allowed" },
                { 408, "Request Timeout" },
                { 413, "Content Too Large" },
                { 414, "URI Too Long" },
                { 426, "Upgrade Required" },
                { 431, "Request Header Fields Too Large" },
                { 501, "Not Implemented" },
                { 503, "Service Unavailable" },
                { 505, "HTTP Version Not Supported" } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].status == status)
      return known[i].words;
  return "?";
}

async void http_send(int fd, const struct request *r, const struct answer *a)
    throws(struct os_error) {
  char head[1024];
  const char *more = a->headers ? a->headers : "";
  int n = snprintf(head, sizeof head, "HTTP/1.1 %d %s\r\n%s", a->status, words_of(a->status), more);
  if (a->type)
    n += snprintf(head + n, sizeof head - (size_t)n,
                  "Content-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-cache\r\n"
                  "X-Content-Type-Options: nosniff\r\nConnection: %s\r\n",
                  a->type, a->size, r->keep ? "keep-alive" : "close");
  n += snprintf(head + n, sizeof head - (size_t)n, "\r\n");
  fm_write_all(fd, head, (size_t)n);
  if (a->type && strcmp(r->method, "HEAD"))
    fm_write_all(fd, a->body, a->size);
}

// ---- files ----
static const char *type_of(const char *name) {
  static const char *const types[][2] = {
    { ".html", "text/html; charset=utf-8" },
    { ".js", "text/javascript; charset=utf-8" },
    { ".css", "text/css; charset=utf-8" },
    { ".wasm", "application/wasm" },
    { ".svg", "image/svg+xml" },
    { ".png", "image/png" },
    { ".webmanifest", "application/manifest+json" },
  };
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
    if (!strcmp(dot, types[i][0]))
      return types[i][1];
  return "application/octet-stream";
}

static struct file *load_file(const char *directory, const char *name) {
  char path[4096];
  struct stat st;
  snprintf(path, sizeof path, "%s/%s", directory, name);
  if (stat(path, &st) || !S_ISREG(st.st_mode))
    return NULL;
  FILE *from = fopen(path, "rb");
  struct file *f = calloc(1, sizeof *f);
  if (f && from) {
    *f = (struct file){ .name = strdup(name), .type = type_of(name), .size = (size_t)st.st_size };
    f->data = malloc(f->size + 1);
    if (f->name && f->data && fread(f->data, 1, f->size, from) == f->size) {
      fclose(from);
      return f;
    }
  }
  if (from)
    fclose(from);
  http_free(f);
  return NULL;
}

struct file *http_load(const char *directory) {
  struct file *files = NULL;
  DIR *d = opendir(directory);
  if (!d)
    return NULL;
  for (struct dirent *e; (e = readdir(d));) {
    struct file *f = *e->d_name == '.' ? NULL : load_file(directory, e->d_name);
    if (f) {
      f->next = files;
      files = f;
    }
  }
  closedir(d);
  if (!files)
    errno = ENOENT;
  return files;
}

void http_free(struct file *files) {
  for (struct file *f = files, *next; f; f = next) {
    next = f->next;
    free(f->name);
    free(f->data);
    free(f);
  }
}

const struct file *http_find(const struct file *files, const char *path) {
  const char *name = strcmp(path, "/") ? path + 1 : "index.html";
  for (const struct file *f = files; f; f = f->next)
    if (!strcmp(f->name, name))
      return f;
  return NULL;
}
