// source-text.c: reads the user's own file, for the readable form (readable.c). Preprocessing has
// removed comments and directives and expanded macros. In: a file of the unit. Out: its comments,
// each with the token that it belongs to; its directives; the place of each token in the file.
#include "emit/source-text.h"

#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>

// ---- the text ----
static void find_lines(SourceText *s) {
  size_t cap = 0;
  for (const char *p = s->text, *end = p + s->len; p;) {
    if (s->nlines == cap)
      s->lines = xrealloc(s->lines, (cap = cap * 2 + 64) * sizeof *s->lines);
    s->lines[s->nlines++] = (uint32_t)(p - s->text);
    p = memchr(p, '\n', (size_t)(end - p));
    p = p && p + 1 < end ? p + 1 : NULL;
  }
}

// Returns the line of the offset, counted from 1.
static uint32_t line_at(const SourceText *s, uint32_t offset) {
  size_t lo = 0;
  size_t hi = s->nlines;
  while (hi - lo > 1) {
    size_t mid = (lo + hi) / 2;
    if (s->lines[mid] <= offset)
      lo = mid;
    else
      hi = mid;
  }
  return (uint32_t)lo + 1;
}

// Finds the tokens of the file. If it was included several times, those of the first time count.
static void find_tokens(SourceText *s) {
  Unit *u = s->u;
  uint32_t line = 0;
  s->toks = xmalloc((u->ntoks + 1) * sizeof *s->toks);
  for (TokIndex t = 0; t + 1 < u->ntoks; t++) {
    const Token *k = tok_at(u, t);
    if (k->file != s->file || k->line < line)
      continue;
    line = k->line;
    s->toks[s->ntoks++] = t;
  }
}

// ---- the places of tokens ----
uint32_t source_offset(SourceText *s, TokIndex t) {
  uint32_t line = tok_at(s->u, t)->line;
  if (line < 1 || line > s->nlines)
    return s->len;
  uint32_t at = s->lines[line - 1] + place_column(&s->place, t) - 1;
  return at < s->len ? at : s->len;
}

bool source_exact(SourceText *s, TokIndex t) {
  size_t n;
  const char *text = tok_text(s->u, t, &n);
  uint32_t at = source_offset(s, t);
  return at + n <= s->len && memcmp(s->text + at, text, n) == 0;
}

static const char *skip_parentheses(const char *p, const char *end) {
  int depth = 0;
  while ((p = skip_gap(p, end)) < end) {
    depth += (*p == '(') - (*p == ')');
    p += word_length(p, end);
    if (!depth)
      break;
  }
  return p;
}

uint32_t source_end(SourceText *s, TokIndex t) {
  uint32_t at = source_offset(s, t);
  const char *p = s->text + at;
  const char *end = s->text + s->len;
  if (p >= end)
    return s->len;
  p += word_length(p, end);
  if (!source_exact(s, t)) {
    const char *next = p;
    while (next < end && isspace((unsigned char)*next))
      next++;
    if (next < end && *next == '(')
      p = skip_parentheses(next, end);
  }
  return (uint32_t)(p - s->text);
}

// ---- comments ----
static size_t first_token_of_line(const SourceText *s, uint32_t line) {
  size_t lo = 0;
  size_t hi = s->ntoks;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (tok_at(s->u, s->toks[mid])->line < line)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

// Sets the token that the comment belongs to: the one before it, if the comment ends the line;
// otherwise the next one.
static void anchor(SourceText *s, Comment *c) {
  uint32_t offset = (uint32_t)(c->at - s->text);
  size_t i = first_token_of_line(s, c->line);
  size_t before = s->ntoks;
  for (; i < s->ntoks && tok_at(s->u, s->toks[i])->line == c->line &&
         source_offset(s, s->toks[i]) < offset;
       i++)
    before = i;
  bool last = i == s->ntoks || tok_at(s->u, s->toks[i])->line != c->line;
  c->after = before < s->ntoks && last;
  c->anchor = c->after ? s->toks[before] : i < s->ntoks ? s->toks[i] : 0;
}

static void add_comment(SourceText *s, const char *from, const char *to) {
  Comments *all = &s->comments;
  if (all->len == all->cap)
    all->at =
        xrealloc(all->at, (all->cap = all->cap * 2 + 32) * sizeof *all->at);
  uint32_t offset = (uint32_t)(from - s->text);
  uint32_t line = line_at(s, offset);
  while (to > from && isspace((unsigned char)to[-1]))
    to--;
  Comment *c = &all->at[all->len++];
  *c = (Comment){
    .at = from,
    .len = (uint32_t)(to - from),
    .line = line,
    .column = offset - s->lines[line - 1] + 1,
  };
  anchor(s, c);
}

// Returns the end of the line, which backslashes may continue.
static const char *logical_end(const char *p, const char *end) {
  const char *nl = p;
  while ((nl = memchr(nl, '\n', (size_t)(end - nl)))) {
    if (nl == p || nl[-1] != '\\')
      return nl;
    nl++;
  }
  return end;
}

static const char *comment_end(const char *p, const char *end) {
  if (p[1] == '/')
    return logical_end(p, end);
  const char *close = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
  return close ? close + 2 : end;
}

static bool begins_comment(const char *p, const char *end) {
  return p + 1 < end && *p == '/' && (p[1] == '/' || p[1] == '*');
}

// ---- directives ----
static const char *directive_end(const char *p, const char *end) {
  const char *nl = logical_end(p, end);
  for (; p < nl; p++) { // a comment in the directive may go on in the next line
    if (*p == '"' || *p == '\'')
      p += word_length(p, nl) - 1;
    else if (begins_comment(p, nl) && p[1] == '*')
      p = comment_end(p, end) - 1;
    if (p >= nl)
      nl = logical_end(p, end);
  }
  return nl;
}

static void add_directive(SourceText *s, const char *from, const char *to) {
  const char *word = skip_gap(from + 1, to);
  size_t n = 0;
  while (word + n < to && in_name(word[n]))
    n++;
  if (s->ndirectives == s->directives_cap)
    s->directives = xrealloc(s->directives,
                             (s->directives_cap = s->directives_cap * 2 + 32) *
                                 sizeof *s->directives);
  uint32_t offset = (uint32_t)(from - s->text);
  s->directives[s->ndirectives++] =
      (Directive){ offset,
                   (uint32_t)(to - s->text),
                   line_at(s, offset),
                   arena_text(&s->u->arena, word, n) };
}

// ---- the whole ----
static void scan(SourceText *s) {
  const char *p = s->text;
  const char *end = p + s->len;
  const char *to;
  bool bol = true;
  while (p < end) {
    if (begins_comment(p, end)) {
      to = comment_end(p, end);
      add_comment(s, p, to);
      p = to;
    } else if (bol && *p == '#') {
      to = directive_end(p, end);
      add_directive(s, p, to);
      p = to;
    } else if (isspace((unsigned char)*p) || *p == '\\') {
      bol |= *p++ == '\n';
    } else {
      bol = false;
      p += word_length(p, end);
    }
  }
}

bool source_open(SourceText *s, Unit *u, uint16_t file) {
  size_t n;
  *s = (SourceText){ .u = u, .file = file, .place = { .u = u } };
  if (!source_line(u, file, 1, &n))
    return false;
  s->text = u->files[file].text.data;
  s->len = (uint32_t)u->files[file].text.len;
  find_lines(s);
  find_tokens(s);
  scan(s);
  return true;
}

void source_close(SourceText *s) {
  place_free(&s->place);
  free(s->comments.at);
  free(s->directives);
  free(s->lines);
  free(s->toks);
}
