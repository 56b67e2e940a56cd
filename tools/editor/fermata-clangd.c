// fermata-clangd.c: clangd for Fermata files. Editors start it instead of clangd.
//   fermata-clangd [clangd's options]       a language server on standard input and output
//   fermata-clangd --check=FILE… [clangd's options] [-- compiler's options]
//                                           prints the messages of an editor; status 1 if any
//   fermata-clangd --show=FILE              prints the text that clangd gets
// It starts clangd (or $FERMATA_CLANGD), and passes messages on in both directions. The text of a
// file that an editor sends is replaced by its plain view (plain-view.h), which keeps all
// positions. Two abilities of clangd are hidden from the editor: incremental changes, so that it
// sends whole texts, and formatting, so that no edit of the view reaches the file. The directory of
// <fermata.h> is added to CPATH, so that no flags are needed for it.
#define _GNU_SOURCE
#include "plain-view.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Text {
  char *at;
  size_t size;
} Text; // malloc'd, with a NUL after it

static void die(const char *what) {
  fprintf(stderr, "fermata-clangd: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void *allocate(size_t n) {
  void *p = malloc(n);
  if (!p)
    die("memory");
  return p;
}

// ---- messages: header lines, an empty line, JSON ----
static bool read_message(FILE *from, Text *m) {
  char line[256];
  long size = -1;
  while (fgets(line, sizeof line, from) && line[0] != '\r' && line[0] != '\n')
    if (!strncasecmp(line, "Content-Length:", 15))
      size = strtol(line + 15, NULL, 10);
  if (size < 0 || feof(from))
    return false;
  *m = (Text){ allocate((size_t)size + 1), (size_t)size };
  m->at[size] = 0;
  return fread(m->at, 1, m->size, from) == m->size;
}

static void write_message(FILE *to, const char *json, size_t n) {
  fprintf(to, "Content-Length: %zu\r\n\r\n", n);
  fwrite(json, 1, n, to);
  fflush(to);
}

// ---- JSON, as far as it matters here ----
// The end of the string that begins at s: after its closing quote.
static const char *string_end(const char *s) {
  for (s++; *s && *s != '"'; s++)
    if (*s == '\\' && s[1])
      s++;
  return *s ? s + 1 : s;
}

// The value of the next member called `name`, at any depth, between s and `end`. NULL: there is
// none.
static const char *member(const char *s, const char *end, const char *name) {
  size_t n = strlen(name);
  while (s < end) {
    if (*s != '"') {
      s++;
      continue;
    }
    const char *next = string_end(s);
    bool same = (size_t)(next - s) == n + 2 && !memcmp(s + 1, name, n);
    while (*next == ' ')
      next++;
    if (same && *next == ':')
      return next + 1 + strspn(next + 1, " ");
    s = next;
  }
  return NULL;
}

// The end of the object or array that begins at s.
static const char *value_end(const char *s) {
  int depth = 0;
  for (;;) {
    if (*s == '"') {
      s = string_end(s);
      continue;
    }
    depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
    if (!*s || !depth)
      return *s ? s + 1 : s;
    s++;
  }
}

static bool is_method(const Text *m, const char *begin) {
  const char *method = member(m->at, m->at + m->size, "method");
  return method && *method == '"' && !strncmp(method + 1, begin, strlen(begin));
}

// The code of \uXXXX.
static unsigned code_at(const char *s) {
  char digits[5] = "";
  strncpy(digits, s, 4);
  return (unsigned)strtoul(digits, NULL, 16);
}

// The character of an escape, if it is ASCII. Other characters never belong to the dialect.
static char unescaped(const char *s) {
  switch (s[1]) {
  case 'n':
    return '\n';
  case 't':
    return '\t';
  case 'r':
    return '\r';
  case 'u':
    return (char)(code_at(s + 2) < 128 ? code_at(s + 2) : 0x80);
  default:
    return s[1];
  }
}

// Replaces a JSON string by its plain view. Only characters that are not escaped change.
static void view_string(char *s) {
  size_t room = (size_t)(string_end(s) - s);
  size_t n = 0;
  char *text = allocate(room);
  size_t *where = allocate(room * sizeof *where);
  for (char *p = s + 1; p < s + room - 1; n++) {
    where[n] = (size_t)(p - s);
    text[n] = *p == '\\' ? unescaped(p) : *p;
    p += *p != '\\' ? 1 : p[1] == 'u' ? 6 : 2;
  }
  plain_view(text, n);
  for (size_t i = 0; i < n; i++)
    if (s[where[i]] != '\\')
      s[where[i]] = text[i];
  free(text);
  free(where);
}

// ---- from the editor to clangd ----
static void view_texts(Text *m) {
  const char *end = m->at + m->size;
  for (const char *s = m->at; (s = member(s, end, "text"));)
    if (*s == '"')
      view_string((char *)s);
}

typedef struct Ends {
  FILE *from;
  FILE *to;
} Ends;

static void *pass_requests(void *arg) {
  Ends *e = arg;
  for (Text m; read_message(e->from, &m); free(m.at)) {
    if (is_method(&m, "textDocument/did"))
      view_texts(&m);
    write_message(e->to, m.at, m.size);
  }
  fclose(e->to);
  return NULL;
}

// ---- from clangd to the editor ----
static void conceal(Text *m) {
  static const char *const able[] = { "documentFormattingProvider",
                                      "documentRangeFormattingProvider",
                                      "documentOnTypeFormattingProvider" };
  const char *end = m->at + m->size;
  const char *sync = member(m->at, end, "textDocumentSync");
  if (!sync)
    return;
  const char *change =
      *sync == '{' ? member(sync, value_end(sync), "change") : sync;
  if (change && *change == '2')
    *(char *)change = '1';
  for (size_t i = 0; i < sizeof able / sizeof *able; i++) {
    char *name = strstr(m->at, able[i]);
    if (name)
      name[strlen(able[i]) - 1] = '_';
  }
}

static void pass_answers(FILE *from, FILE *to) {
  for (Text m; read_message(from, &m); free(m.at)) {
    const char *result = member(m.at, m.at + m.size, "capabilities");
    if (result && !is_method(&m, ""))
      conceal(&m);
    write_message(to, m.at, m.size);
  }
}

// ---- clangd ----
typedef struct Server {
  pid_t pid;
  FILE *to;
  FILE *from;
} Server;

static void find_headers(void) {
  char path[PATH_MAX];
  char *now = getenv("CPATH");
  char *all;
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n < 0)
    return;
  path[n] = 0;
  for (int i = 0; i < 2; i++)
    if (strrchr(path, '/'))
      *strrchr(path, '/') = 0;
  if (asprintf(&all, "%s/include%s%s", path, now ? ":" : "", now ? now : "") <
      0)
    die("memory");
  setenv("CPATH", all, 1);
  free(all);
}

static Server start(char **args) {
  int in[2];
  int out[2];
  const char *program = getenv("FERMATA_CLANGD");
  find_headers();
  args[0] = program ? (char *)program : "clangd";
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
    die("pipe");
  pid_t pid = fork();
  if (pid < 0)
    die("fork");
  if (!pid) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    execvp(args[0], args);
    die(args[0]);
  }
  close(in[0]);
  close(out[1]);
  return (Server){ pid, fdopen(in[1], "w"), fdopen(out[0], "r") };
}

static int ended(const Server *s) {
  int status = 0;
  while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int serve(char **args) {
  Server s = start(args);
  static Ends ends;
  pthread_t thread;
  ends = (Ends){ stdin, s.to };
  if ((errno = pthread_create(&thread, NULL, pass_requests, &ends)))
    die("thread");
  pass_answers(s.from, stdout);
  return ended(&s);
}

// ---- by hand ----
static Text read_file(const char *name) {
  FILE *f = fopen(name, "rb");
  struct stat st;
  if (!f || fstat(fileno(f), &st))
    die(name);
  Text t = { allocate((size_t)st.st_size + 1), 0 };
  t.size = fread(t.at, 1, (size_t)st.st_size, f);
  t.at[t.size] = 0;
  fclose(f);
  return t;
}

static int show(const char *name) {
  Text t = read_file(name);
  plain_view(t.at, t.size);
  fwrite(t.at, 1, t.size, stdout);
  free(t.at);
  return 0;
}

static void put_string(FILE *to, const char *s, size_t n) {
  putc('"', to);
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '"' || s[i] == '\\')
      fprintf(to, "\\%c", s[i]);
    else if ((unsigned char)s[i] < ' ')
      fprintf(to, "\\u%04x", s[i]);
    else
      putc(s[i], to);
  }
  putc('"', to);
}

static void put_uri(FILE *to, const char *path) {
  fputs("\"file://", to);
  for (; *path; path++) {
    if (strchr("/-_.~+", *path) || (*path >= '0' && *path <= '9') ||
        ((*path | 0x20) >= 'a' && (*path | 0x20) <= 'z'))
      putc(*path, to);
    else
      fprintf(to, "%%%02X", (unsigned char)*path);
  }
  putc('"', to);
}

// Sends the text that was written to an open_memstream.
static void send_stream(FILE *to, FILE *stream, Text *t) {
  fclose(stream);
  write_message(to, t->at, t->size);
  free(t->at);
}

static void send_begin(FILE *to, char **flags) {
  Text t;
  FILE *m = open_memstream(&t.at, &t.size);
  if (!m)
    die("memory");
  fputs("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
        "\"processId\":null,"
        "\"rootUri\":null,"
        "\"capabilities\":{},\"initializationOptions\":{\"fallbackFlags\":[\"-"
        "xc\"",
        m);
  for (; *flags; flags++) {
    putc(',', m);
    put_string(m, *flags, strlen(*flags));
  }
  fputs("]}}}", m);
  send_stream(to, m, &t);
  static const char begun[] =
      "{\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}";
  write_message(to, begun, sizeof begun - 1);
}

static void send_open(FILE *to, const char *path) {
  Text file = read_file(path);
  Text t;
  FILE *m = open_memstream(&t.at, &t.size);
  if (!m)
    die("memory");
  plain_view(file.at, file.size);
  fputs("{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/"
        "didOpen\",\"params\":{\"textDocument\":{\"uri\":",
        m);
  put_uri(m, path);
  fputs(",\"languageId\":\"c\",\"version\":1,\"text\":", m);
  put_string(m, file.at, file.size);
  fputs("}}}", m);
  send_stream(to, m, &t);
  free(file.at);
}

static void print_message(const char *s) {
  for (const char *end = string_end(s++) - 1; s < end; s++) {
    if (*s != '\\') {
      putchar(*s);
      continue;
    }
    // notes follow
    if (s[1] == 'n')
      break;
    putchar(unescaped(s));
    s += s[1] == 'u' ? 5 : 1;
  }
  putchar('\n');
}

// Prints FILE:LINE: message for each diagnostic. Returns their number.
static int print_diagnostics(const char *list, const char *file) {
  int n = 0;
  const char *end = value_end(list);
  for (const char *s = list + 1; s < end && *s == '{';
       s = value_end(s) + 1, n++) {
    const char *message = member(s, end, "message");
    const char *begin = member(s, end, "start");
    const char *line = begin ? member(begin, end, "line") : NULL;
    printf("%s:%ld: ", file, line ? strtol(line, NULL, 10) + 1 : 0);
    if (message)
      print_message(message);
  }
  return n;
}

// Waits for clangd's diagnostics of the file, and prints them.
static int check(const Server *s, const char *name) {
  int n = -1;
  char *path = realpath(name, NULL);
  if (!path)
    die(name);
  send_open(s->to, path);
  for (Text m; n < 0 && read_message(s->from, &m); free(m.at)) {
    const char *list = member(m.at, m.at + m.size, "diagnostics");
    if (list && *list == '[' &&
        is_method(&m, "textDocument/publishDiagnostics"))
      n = print_diagnostics(list, name);
  }
  free(path);
  if (n < 0)
    fprintf(stderr, "fermata-clangd: %s: clangd gave no answer\n", name);
  return n;
}

static int check_all(char **args, char **files, int n, char **flags) {
  Server s = start(args);
  int status = 0;
  send_begin(s.to, flags);
  for (int i = 0; i < n; i++)
    status |= check(&s, files[i]) != 0;
  static const char stop[] =
      "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"shutdown\"}";
  static const char leave[] = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";
  write_message(s.to, stop, sizeof stop - 1);
  write_message(s.to, leave, sizeof leave - 1);
  for (Text m; read_message(s.from, &m);)
    free(m.at);
  fclose(s.to);
  fclose(s.from);
  ended(&s);
  return status;
}

int main(int argc, char **argv) {
  char **args = allocate(((size_t)argc + 2) * sizeof *args);
  char **files = allocate((size_t)argc * sizeof *files);
  int n = 1;
  int checked = 0;
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--"); i++) {
    if (!strncmp(argv[i], "--show=", 7))
      return show(argv[i] + 7);
    if (!strncmp(argv[i], "--check=", 8))
      files[checked++] = argv[i] + 8;
    else
      args[n++] = argv[i];
  }
  if (checked)
    args[n++] = "--log=error";
  args[n] = NULL;
  int status = checked ? check_all(args, files, checked, argv + i + (i < argc))
                       : serve(args);
  free(args);
  free(files);
  return status;
}
