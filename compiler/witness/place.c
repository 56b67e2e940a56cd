// place.c: text at the user's own lines and columns. In: tokens of the preprocessed text, in order,
// and text of ours between them. Out: text in which each token stands at the line and column where
// the user wrote it. Newlines, line markers and blanks achieve that.
//
// The preprocessor keeps lines, but it closes gaps and expands macros. So the column of a token is
// searched in the user's own line. A token from a macro has the column of the macro's name. Line
// markers that enter or leave a file, and pragmas, stay where they are.
#include "base/words.h"
#include "fmcc.h"

#include <ctype.h>
#include <stdlib.h>

// ---- the tokens of a line, and their columns there ----
typedef struct Line {
  Unit *u;
  TokIndex from;
  size_t n, m; // tokens; words
  Word *words;
  uint32_t *columns; // of the tokens
  bool *ours;        // of the tokens: from a macro of the library
} Line;

// Whether token i is word k of the user's line.
static bool same(const Line *l, size_t i, size_t k) {
  size_t len;
  const char *text = tok_text(l->u, l->from + (TokIndex)i, &len);
  return len == l->words[k].len && memcmp(text, l->words[k].at, len) == 0;
}

static bool same_all(const Line *l) {
  if (l->n > l->m)
    return false;
  for (size_t i = 0; i < l->n; i++)
    if (!same(l, i, i))
      return false;
  return true;
}

// Tokens and words are aligned so that most of them fit, and neighbours stay neighbours. best: how
// well the first i tokens and k words can be aligned; pair: the same, if the last two are a pair.
typedef struct Alignment {
  uint32_t *best;
  uint32_t *pair;
  size_t width;
} Alignment;

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static void fill(const Line *l, Alignment *a) {
  for (size_t i = 1; i <= l->n; i++)
    for (size_t k = 1; k <= l->m; k++) {
      size_t at = i * a->width + k;
      size_t before = (i - 1) * a->width + k - 1;
      if (same(l, i - 1, k - 1))
        a->pair[at] = larger(a->best[before] + 1,
                             a->pair[before] ? a->pair[before] + 2 : 0);
      a->best[at] =
          larger(a->pair[at], larger(a->best[at - a->width], a->best[at - 1]));
    }
}

// Reads the columns of the tokens that have a partner.
static void read_off(Line *l, const Alignment *a) {
  bool neighbours = false;
  for (size_t i = l->n, k = l->m; i && k;) {
    size_t at = i * a->width + k;
    size_t before = (i - 1) * a->width + k - 1;
    if (neighbours || (a->pair[at] && a->pair[at] == a->best[at])) {
      l->columns[i - 1] = l->words[k - 1].column;
      neighbours = a->pair[before] && a->pair[at] == a->pair[before] + 2;
      i--;
      k--;
    } else if (a->best[at] == a->best[at - a->width]) {
      i--;
    } else {
      k--;
    }
  }
}

static bool is_our_word(const char *name, size_t len) {
  return len > 3 &&
         (memcmp(name, "fm_", 3) == 0 || memcmp(name, "FM_", 3) == 0);
}

// A token without a partner comes from a macro. Its column is that of the last word before it that
// has no partner either, or else of the word before it.
static void give_rest(Line *l) {
  uint32_t last = l->m ? l->words[0].column : 1;
  size_t k = 0;
  bool ours = false; // the last macro is one of the library
  for (size_t i = 0; i < l->n; i++) {
    if (l->columns[i]) {
      last = l->columns[i];
      continue;
    }
    size_t next = i;
    while (next < l->n && !l->columns[next])
      next++;
    while (k < l->m && l->words[k].column <= last && l->words[k].column != last)
      k++;
    for (; k < l->m && (next == l->n || l->words[k].column < l->columns[next]);
         k++) {
      bool taken = false;
      for (size_t j = 0; j < l->n && !taken; j++)
        taken = l->columns[j] == l->words[k].column;
      if (!taken && l->words[k].name) {
        last = l->words[k].column;
        ours = is_our_word(l->words[k].at, l->words[k].len);
        break;
      }
    }
    for (; i < next; i++) {
      l->columns[i] = last;
      l->ours[i] = ours;
    }
    i--;
  }
}

static void align(Line *l) {
  enum { MOST = 4000000 };
  Alignment a = { .width = l->m + 1 };
  size_t cells = (l->n + 1) * (l->m + 1);
  memset(l->columns, 0, l->n * sizeof *l->columns);
  if (cells <= MOST) {
    a.best = xmalloc(2 * cells * sizeof *a.best);
    memset(a.best, 0, 2 * cells * sizeof *a.best);
    a.pair = a.best + cells;
    fill(l, &a);
    read_off(l, &a);
    free(a.best);
  }
  give_rest(l);
}

static uint32_t preprocessed_column(Unit *u, TokIndex t) {
  uint32_t pos = tok_at(u, t)->pos;
  uint32_t from = pos;
  while (from > 0 && u->text[from - 1] != '\n')
    from--;
  return pos - from + 1;
}

// The columns of all tokens on t's line, from t on.
static void find_columns(Place *p, TokIndex t) {
  Unit *u = p->u;
  Token *first = tok_at(u, t);
  size_t len = 0;
  Line l = { .u = u, .from = t };
  const char *text = source_line(u, first->file, first->line, &len);
  while (kind_at(u, t + (TokIndex)l.n) != T_EOF &&
         tok_at(u, t + (TokIndex)l.n)->line == first->line &&
         tok_at(u, t + (TokIndex)l.n)->file == first->file)
    l.n++;
  if (l.n > p->cap) {
    p->cap = l.n * 2;
    p->columns = xrealloc(p->columns, p->cap * sizeof *p->columns);
    p->ours = xrealloc(p->ours, p->cap * sizeof *p->ours);
  }
  l.columns = p->columns;
  l.ours = p->ours;
  memset(l.ours, 0, l.n * sizeof *l.ours);
  p->from = t;
  p->to = t + (TokIndex)l.n;
  if (text)
    l.m = split_line(text, len, &l.words);
  bool all = text && same_all(&l);
  for (size_t i = 0; i < l.n; i++)
    l.columns[i] =
        all ? l.words[i].column : preprocessed_column(u, t + (TokIndex)i);
  if (text && !all)
    align(&l);
  free(l.words);
}

// A macro of a system header where the user wrote it: gcc warns of a wrong second argument there.
static bool is_va_start_token(const Token *k) {
  return k->id && strcmp(k->id->name, "__builtin_va_start") == 0;
}

static uint32_t column_of(Place *p, TokIndex t) {
  const Token *k = tok_at(p->u, t);
  if (k->flags & TF_SYSTEM && !(t >= p->from && t < p->to) &&
      !is_va_start_token(k))
    return preprocessed_column(p->u, t);
  if (t < p->from || t >= p->to)
    find_columns(p, t);
  return p->columns[t - p->from];
}

uint32_t place_column(Place *p, TokIndex t) {
  const Token *k = tok_at(p->u, t);
  TokIndex first = t;
  while (first > 0 && tok_at(p->u, first - 1)->line == k->line &&
         tok_at(p->u, first - 1)->file == k->file)
    first--;
  if (t < p->from || t >= p->to || first != p->from)
    find_columns(p, first);
  return p->columns[t - p->from];
}

// clang's preprocessor does not say what comes from a macro of a system header, of which nothing is
// to be said.
static bool is_quiet(Place *p, TokIndex t) {
  Token *k = tok_at(p->u, t);
  if (is_va_start_token(k))
    return false;
  if (k->flags & TF_SYSTEM)
    return true;
  if (k->id && is_ours(k->id))
    return true;
  column_of(p, t);
  return p->ours[t - p->from];
}

// ---- moving there ----
static void put_marker(Place *p, uint16_t file, uint32_t line, bool system) {
  put_line_marker(p->u, p->out, line, file, system);
  p->file = file;
  p->line = line;
  p->column = 1;
  p->system = system;
  p->known = true;
}

static void go(Place *p,
               uint16_t file,
               uint32_t line,
               uint32_t column,
               bool system,
               bool joined) {
  enum { FEW = 8 }; // so many newlines are shorter than a marker
  bool near = p->known && file == p->file && system == p->system &&
              line >= p->line && line - p->line < FEW;
  if (near && line == p->line &&
      column < p->column + !(joined || p->column == 1))
    near = false;
  if (!near)
    put_marker(p, file, line, system);
  for (; p->line < line; p->line++, p->column = 1)
    buf_putc(p->out, '\n');
  for (; p->column < column; p->column++)
    buf_putc(p->out, ' ');
}

static void put(Place *p, const char *s, size_t len) {
  buf_add(p->out, s, len);
  p->column += (uint32_t)len;
}

// ---- what stands between tokens ----
// Whether the marker enters or leaves a file: # 1 "file" 1 3
static bool enters_or_leaves(const char *s, const char *end) {
  const char *quote = memchr(s, '"', (size_t)(end - s));
  const char *close = NULL;
  for (const char *q = quote ? quote + 1 : end; q < end && !close; q++) {
    if (*q == '\\')
      q++;
    else if (*q == '"')
      close = q;
  }
  return close && close + 2 < end && (close[2] == '1' || close[2] == '2');
}

static bool is_pragma(const char *s, const char *end) {
  while (s < end && (*s == ' ' || *s == '\t'))
    s++;
  return end - s > 6 && memcmp(s, "pragma", 6) == 0 &&
         !has_own_pragma(s - 1, (size_t)(end - s) + 1);
}

static void put_line(Place *p, const char *s, const char *end) {
  if (p->out->len && p->out->data[p->out->len - 1] != '\n')
    buf_putc(p->out, '\n');
  buf_add(p->out, s, (size_t)(end - s));
  buf_putc(p->out, '\n');
  p->known = false;
}

// Puts the markers and pragmas that stand before t.
static void put_between(Place *p, TokIndex t) {
  Unit *u = p->u;
  Token *k = tok_at(u, t);
  const char *s = u->text + p->done;
  const char *to = u->text + k->pos;
  bool first = p->done == 0;
  p->done = k->pos + k->len;
  for (const char *end; s < to; s = end + 1) {
    end = memchr(s, '\n', (size_t)(to - s));
    if (!end)
      end = to;
    while (s < end && (*s == ' ' || *s == '\t'))
      s++;
    if (s == end || *s != '#')
      continue;
    bool marker = s + 2 < end && s[1] == ' ' && isdigit((unsigned char)s[2]);
    if (marker ? first || enters_or_leaves(s, end) : is_pragma(s + 1, end)) {
      if (!marker)
        put_marker(p, k->file, k->line ? k->line - 1 : 0, k->flags & TF_SYSTEM);
      put_line(p, s, end);
    }
  }
}

// ---- for witness.c ----
void place_token(Place *p, TokIndex t) {
  Unit *u = p->u;
  Token *k = tok_at(u, t);
  bool joined = t && t == p->last + 1 &&
                tok_at(u, t - 1)->pos + tok_at(u, t - 1)->len == k->pos;
  put_between(p, t);
  go(p, k->file, k->line, column_of(p, t), is_quiet(p, t), joined);
  put(p, u->text + k->pos, k->len);
  p->last = t;
}

void place_ours(Place *p, TokIndex t, const char *text, bool loud) {
  Token *k = tok_at(p->u, t);
  if (p->done < k->pos)
    put_between(p, t);
  if (!*text)
    return;
  const bool joined = false;
  go(p, k->file, k->line, column_of(p, t), !loud || is_quiet(p, t), joined);
  put(p, text, strlen(text));
  p->last = 0;
  if (strchr(text, '\n'))
    p->known = false;
}

void place_back(Place *p, TokIndex t, const char *text, bool loud) {
  Token *k = tok_at(p->u, t);
  // the columns of the line that is being put stay known
  Place there = { .u = p->u };
  uint32_t column = place_column(&there, t);
  go(p, k->file, k->line, column, !loud || is_quiet(&there, t), false);
  place_free(&there);
  put(p, text, strlen(text));
  p->last = 0;
}

void place_header(Place *p, const char *text) {
  if (p->out->len && p->out->data[p->out->len - 1] != '\n')
    buf_putc(p->out, '\n');
  buf_puts(p->out, "# 1 \"<fermata>\" 3\n");
  buf_puts(p->out, text);
  p->known = false;
}

TokIndex place_system(Place *p, TokIndex t, TokIndex before) {
  Unit *u = p->u;
  TokIndex end = t;
  while (end < before && (tok_at(u, end)->flags & TF_SYSTEM) &&
         kind_at(u, end) != T_EOF)
    end++;
  // a marker would cost more than it saves
  if (end < t + 8)
    return t;
  Token *k = tok_at(u, t);
  Token *last = tok_at(u, end - 1);
  put_between(p, t);
  const bool system = true;
  put_marker(p, k->file, k->line, system);
  buf_add(p->out, u->text + k->pos, last->pos + last->len - k->pos);
  p->done = last->pos + last->len;
  p->known = false;
  return end;
}

void place_free(Place *p) {
  free(p->columns);
  free(p->ours);
}
