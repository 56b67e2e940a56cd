// tree.c: the live tree, by fm_visit. Plain functions: nothing changes while they look.
#include "tree.h"

#include <fermata/trace.h>
#include <string.h>

struct writing {
  FILE *to;
  uint64_t free;  // the number of the node
  unsigned depth; // of that node
  bool inside;    // at or below it
  bool first;
};

void json_string(FILE *to, const char *text) {
  fputc('"', to);
  for (const unsigned char *s = (const unsigned char *)text; *s; s++)
    if (*s == '"' || *s == '\\')
      fprintf(to, "\\%c", *s);
    else if (*s < ' ')
      fprintf(to, "\\u%04x", *s);
    else
      fputc(*s, to);
  fputc('"', to);
}

static const char *state_of(const fm_info *i) {
  static const char *const names[] = { "ready",  "waits", "paused", "atomic",
                                       "ending", "ended", "open",   "running" };
  return i->held ? "paused" : names[i->state];
}

static void write_place(FILE *to, const fm_info *i) {
  if (!i->file)
    return;
  const char *slash = strrchr(i->file, '/');
  fputs(",\"function\":", to);
  json_string(to, i->function);
  fputs(",\"file\":", to);
  json_string(to, slash ? slash + 1 : i->file);
  fprintf(to, ",\"line\":%d", i->line);
}

static bool write_node(const fm_info *i, void *arg) {
  struct writing *w = arg;
  if (i->number == w->free) {
    w->inside = true;
    w->depth = i->depth;
  } else if (i->depth <= w->depth) {
    w->inside = false;
  }
  fprintf(w->to, "%s{\"number\":%llu,\"depth\":%u,\"kind\":\"%s\",\"name\":", w->first ? "" : ",",
          (unsigned long long)i->number, i->depth, i->kind);
  json_string(w->to, i->name);
  fprintf(w->to, ",\"state\":\"%s\",\"paused\":%d,\"held\":%d,\"cancelled\":%d,\"free\":%d",
          state_of(i), i->paused, i->held, i->cancelled, w->inside);
  write_place(w->to, i);
  if (i->wants) {
    fputs(",\"wants\":", w->to);
    json_string(w->to, i->wants);
  }
  fputc('}', w->to);
  w->first = false;
  return true;
}

void tree_write(FILE *to, fm_activity free) {
  struct writing w = { .to = to, .free = free.generation, .first = true };
  fputc('[', to);
  fm_visit((fm_activity){ 0 }, write_node, &w);
  fputc(']', to);
}

// ---- looking for a node ----
struct search {
  uint64_t number;
  fm_activity found;
};

static bool compare(const fm_info *i, void *arg) {
  struct search *s = arg;
  if (i->number == s->number)
    s->found = i->node;
  return i->number != s->number;
}

fm_activity tree_find(fm_activity free, uint64_t number) {
  struct search s = { .number = number };
  fm_visit(free, compare, &s);
  return s.found;
}
