// lex.c: preprocessed text → tokens. Line markers (`# 12 "file" 3`) set the file and line of what
// follows and leave no token. Other # lines (pragmas, and the #define lines that -g3 leaves in) are
// kept in Unit.pragmas with the token they stand before. `#pragma fermata` turns the dialect on for
// the tokens after it. The text itself is never changed: a token is a position and a length.
#include "fmcc.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct Lexer {
  Unit *u;
  const char *at, *end; // *end is NUL
  uint32_t line;
  uint16_t file;
  uint8_t flags; // TF_* for the next token
  bool system;
} Lexer;

enum {
  C_ID = 1,
  C_DIGIT = 2,
  C_BLANK = 4,
}; // the classes of bytes
static const uint8_t class_of[256] = {
  ['\t'] = C_BLANK,     ['\v'] = C_BLANK,       ['\f'] = C_BLANK,
  ['\r'] = C_BLANK,     [' '] = C_BLANK,        ['0' ... '9'] = C_ID | C_DIGIT,
  ['A' ... 'Z'] = C_ID, ['a' ... 'z'] = C_ID,   ['_'] = C_ID,
  ['$'] = C_ID,         [0x80 ... 0xff] = C_ID,
};
static bool is(char c, int what) {
  return (class_of[(unsigned char)c] & what) != 0;
}

// ---- tables that grow ----
static Token *new_token(Unit *u) {
  if (u->ntoks == u->toks_cap) {
    u->toks_cap = u->toks_cap ? u->toks_cap * 2 : u->len / 6 + 64;
    u->toks = xrealloc(u->toks, u->toks_cap * sizeof *u->toks);
  }
  return &u->toks[u->ntoks++];
}

static void add_token(Lexer *x, TokenKind k, const char *from, Ident *id) {
  Token *t = new_token(x->u);
  *t = (Token){
    .pos = (uint32_t)(from - x->u->text),
    .len = (uint32_t)(x->at - from),
    .line = x->line,
    .file = x->file,
    .kind = (uint8_t)k,
    .flags = (uint8_t)(x->flags | (x->system ? TF_SYSTEM : 0)),
    .id = id,
  };
  x->flags = 0;
}

static uint16_t file_named(Unit *u, const char *name, size_t n) {
  for (size_t i = u->nfiles; i-- > 0;)
    if (strlen(u->files[i].name) == n && memcmp(u->files[i].name, name, n) == 0)
      return (uint16_t)i;
  if (u->nfiles == UINT16_MAX)
    return 0;
  if ((u->nfiles & (u->nfiles - 1)) == 0)
    u->files = xrealloc(u->files, (u->nfiles * 2 + 1) * sizeof *u->files);
  u->files[u->nfiles] = (SourceFile){ .name = arena_text(&u->arena, name, n) };
  return (uint16_t)u->nfiles++;
}

static void lex_error(Lexer *x, const char *from, const char *message) {
  error_pos(
      x->u, (uint32_t)(from - x->u->text), 1, x->line, x->file, "%s", message);
}

// ---- # lines ----
static const char *skip_blanks(const char *s) {
  while (is(*s, C_BLANK))
    s++;
  return s;
}

// Reads `"file" 1 3` of a marker, and unescapes the name. The flag 3 marks a system header.
static void marked_file(Lexer *x, const char *s) {
  Buf name = { 0 };
  for (s++; *s && *s != '"' && *s != '\n'; s++) {
    if (*s == '\\' && s[1] && s[1] != '\n')
      s++;
    buf_putc(&name, *s);
  }
  x->file = file_named(x->u, name.data ? name.data : "", name.len);
  buf_free(&name);
  if (*s == '"')
    s++;
  x->system = memchr(s, '3', strcspn(s, "\n")) != NULL;
}

// Reads a line marker `12 "file" 1 3`; false: the line is another one.
static bool line_marker(Lexer *x, const char *s) {
  if (strncmp(s, "line", 4) == 0 && is(s[4], C_BLANK))
    s = skip_blanks(s + 4);
  if (!isdigit((unsigned char)*s))
    return false;
  char *after;
  unsigned long line = strtoul(s, &after, 10);
  s = skip_blanks(after);
  if (*s == '"')
    marked_file(x, s);
  // the newline at the end of the marker adds one
  x->line = (uint32_t)line - 1;
  return true;
}

static bool is_fermata_pragma(const char *s) {
  s = skip_blanks(s);
  if (strncmp(s, "pragma", 6) != 0)
    return false;
  s = skip_blanks(s + 6);
  return strncmp(s, "fermata", 7) == 0 && !is(s[7], C_ID);
}

static void add_pragma(Unit *u, Pragma p) {
  if (u->npragmas == u->pragmas_cap) {
    u->pragmas_cap = u->pragmas_cap ? u->pragmas_cap * 2 : 64;
    u->pragmas = xrealloc(u->pragmas, u->pragmas_cap * sizeof *u->pragmas);
  }
  u->pragmas[u->npragmas++] = p;
  note_diagnostic_pragma(u, &p);
}

static void hash_line(Lexer *x) {
  Unit *u = x->u;
  const char *from = x->at;
  const char *s = skip_blanks(x->at + 1);
  const char *nl = memchr(from, '\n', (size_t)(x->end - from));
  x->at = nl ? nl : x->end;
  if (line_marker(x, s))
    return;
  if (is_fermata_pragma(s) && !u->dialect) {
    u->dialect = true;
    u->dialect_from = (TokIndex)u->ntoks;
  }
  add_pragma(u,
             (Pragma){
                 .pos = (uint32_t)(from - u->text),
                 .len = (uint32_t)(x->at - from),
                 .before = (TokIndex)u->ntoks,
                 .line = x->line,
                 .file = x->file,
             });
}

// Whether a line contains `word` and is accepted by the function.
static bool has_line(const char *text,
                     size_t len,
                     const char *word,
                     bool (*ours)(const char *, size_t)) {
  const char *end = text + len;
  const char *s = text;
  while ((s = memmem(s, (size_t)(end - s), word, strlen(word)))) {
    const char *bol = s;
    while (bol > text && bol[-1] != '\n')
      bol--;
    const char *hash = skip_blanks(bol);
    const char *nl = memchr(s, '\n', (size_t)(end - s));
    if (*hash == '#' && ours(hash, (size_t)((nl ? nl : end) - hash)))
      return true;
    s += strlen(word);
  }
  return false;
}

static bool is_fermata_line(const char *hash, size_t len) {
  (void)len;
  return is_fermata_pragma(hash + 1);
}

bool uses_dialect(const char *text, size_t len) {
  return has_line(text, len, "fermata", is_fermata_line);
}

void pragma_text(const Unit *u, const Pragma *g, char *line, size_t size) {
  snprintf(line, size, "%.*s", (int)g->len, u->text + g->pos);
}

bool has_own_pragma(const char *text, size_t len) {
  return uses_dialect(text, len) ||
         has_line(text, len, "diagnostic", names_own_warning);
}

// Whether the line consists of these words only. In `words` a blank follows each word.
static bool is_line_of(const char *s, const char *end, const char *words) {
  while (s < end) {
    const char *blank = memchr(s, ' ', (size_t)(end - s));
    char *word = blank ? xstrndup(s, (size_t)(blank - s) + 1) : NULL;
    bool known = word && strstr(words, word);
    free(word);
    if (!known)
      return false;
    s = blank + 1;
  }
  return true;
}

bool might_be_dialect(const char *text, size_t len) {
  const char *end = text + len;
  const char *s = text;
  while ((s = memmem(s, (size_t)(end - s), "async ", 6))) {
    const char *bol = s;
    while (bol > text && bol[-1] != '\n')
      bol--;
    s += 6;
    if (s < end && (isalpha((unsigned char)*s) || *s == '_') &&
        is_line_of(bol, s - 6, " static extern inline "))
      return true;
  }
  return false;
}

// ---- blanks and comments ----
static void block_comment(Lexer *x) {
  const char *from = x->at;
  uint32_t line = x->line;
  for (x->at += 2; x->at < x->end; x->at++) {
    if (x->at[0] == '*' && x->at[1] == '/') {
      x->at += 2;
      return;
    }
    if (*x->at == '\n')
      x->line++;
  }
  x->line = line;
  lex_error(x, from, "this comment is never closed");
}

// Returns false if there was nothing to skip.
static bool skip_space(Lexer *x) {
  char c = *x->at;
  if (c == '\n') {
    x->line++;
    x->at++;
    x->flags = TF_BOL | TF_SPACE;
  } else if (is(c, C_BLANK)) {
    x->at++;
    x->flags |= TF_SPACE;
  } else if (c == '/' && x->at[1] == '*') {
    block_comment(x);
    x->flags |= TF_SPACE;
  } else if (c == '/' && x->at[1] == '/') {
    while (x->at < x->end && *x->at != '\n')
      x->at++;
  } else if (c == '\\' && x->at[1] == '\n') {
    x->at += 2;
    x->line++;
    x->flags |= TF_SPACE;
  } else if (c == '\\' && x->at[1] == '\r' && x->at[2] == '\n') {
    x->at += 3;
    x->line++;
  } else {
    return false;
  }
  return true;
}

// ---- words, numbers, literals ----
// \u1234 or \U12345678
static bool universal_name(const char *s) {
  if (s[0] != '\\' || (s[1] != 'u' && s[1] != 'U'))
    return false;
  return isxdigit((unsigned char)s[2]) != 0;
}

static void word(Lexer *x) {
  const char *from = x->at;
  while (is(*x->at, C_ID) || universal_name(x->at))
    x->at += *x->at == '\\' ? 2 : 1;
  Ident *id = intern(x->u, from, (size_t)(x->at - from));
  add_token(x, id->keyword ? (TokenKind)id->keyword : T_IDENT, from, id);
}

static void number(Lexer *x) {
  const char *from = x->at;
  for (;; x->at++) {
    char c = *x->at;
    char before = x->at[-(x->at > from)];
    if ((c == '+' || c == '-') && x->at > from && strchr("eEpP", before))
      continue;
    if (c == '\'' && is(x->at[1], C_ID))
      continue;
    if (!is(c, C_ID) && c != '.' && !universal_name(x->at))
      break;
  }
  add_token(x, T_NUMBER, from, NULL);
}

// x->at: the quote; from: the beginning of its prefix.
static void quoted(Lexer *x, const char *from) {
  char quote = *x->at;
  uint32_t line = x->line;
  for (x->at++; x->at < x->end && *x->at != quote; x->at++) {
    if (*x->at == '\n')
      break;
    if (*x->at != '\\' || x->at + 1 >= x->end)
      continue;
    x->at++;
    if (*x->at == '\n')
      x->line++;
  }
  if (x->at < x->end && *x->at == quote) {
    x->at++;
  } else {
    lex_error(x,
              from,
              quote == '"'
                  ? "this string has no closing quote on its line"
                  : "this character constant has no closing quote on its line");
  }
  uint32_t now = x->line;
  x->line = line;
  add_token(x, quote == '"' ? T_STRING : T_CHAR, from, NULL);
  x->line = now;
}

// R"tag(…)tag", which gcc knows in its GNU modes.
static bool raw_string(Lexer *x, const char *from) {
  const char *tag = x->at + 1;
  const char *open = tag;
  while (*open && !strchr("( )\\\t\v\f\n\"", *open))
    open++;
  if (*open != '(' || open - tag > 16)
    return false;
  size_t n = (size_t)(open - tag);
  uint32_t line = x->line;
  uint32_t lines = 0;
  for (const char *s = open; s < x->end; s++) {
    if (*s == '\n')
      lines++;
    if (*s != ')' || (size_t)(x->end - s) < n + 2 ||
        memcmp(s + 1, tag, n) != 0 || s[n + 1] != '"')
      continue;
    x->at = s + n + 2;
    add_token(x, T_STRING, from, NULL);
    x->line = line + lines;
    return true;
  }
  lex_error(x, from, "this raw string is never closed");
  x->at = x->end;
  add_token(x, T_STRING, from, NULL);
  return true;
}

// A literal with the prefix L, u, U, u8, R or a combination of them.
static bool prefixed_literal(Lexer *x) {
  const char *s = x->at;
  const char *from = x->at;
  if (*s == 'L' || *s == 'U')
    s++;
  else if (*s == 'u')
    s += s[1] == '8' ? 2 : 1;
  bool raw = *s == 'R' && s[1] == '"' && !x->u->opt.clang &&
             !x->u->opt.no_gnu_keywords;
  if (raw)
    s++;
  if ((*s != '"' && *s != '\'') || s == from)
    return false;
  x->at = s;
  if (raw && raw_string(x, from))
    return true;
  if (raw) {
    x->at = from;
    return false;
  }
  quoted(x, from);
  return true;
}

// ---- punctuators ----
// Of punctuators that begin alike, the longest comes first.
static const struct {
  char text[4];
  uint8_t kind;
  // clang-format off
} puncts[] = {
  { "...", P_ELLIPSIS },
  { "<<=", P_SHL_A },
  { ">>=", P_SHR_A },
  { "->", P_ARROW },
  { "++", P_INC },
  { "--", P_DEC },
  { "<<", P_SHL },
  { ">>", P_SHR },
  { "<=", P_LE },
  { ">=", P_GE },
  { "==", P_EQ },
  { "!=", P_NE },
  { "&&", P_ANDAND },
  { "||", P_OROR },
  { "*=", P_MUL_A },
  { "/=", P_DIV_A },
  { "%=", P_MOD_A },
  { "+=", P_ADD_A },
  { "-=", P_SUB_A },
  { "&=", P_AND_A },
  { "^=", P_XOR_A },
  { "|=", P_OR_A },
  { "##", P_HASHHASH },
  { "<:", P_LBRACKET },
  { ":>", P_RBRACKET },
  { "<%", P_LBRACE },
  { "%>", P_RBRACE },
  { "%:", P_HASH },
  { "::", P_COLONCOLON },
  { "(", P_LPAREN },
  { ")", P_RPAREN },
  { "{", P_LBRACE },
  { "}", P_RBRACE },
  { "[", P_LBRACKET },
  { "]", P_RBRACKET },
  { ";", P_SEMI },
  { ",", P_COMMA },
  { ".", P_DOT },
  { ":", P_COLON },
  { "?", P_QUESTION },
  { "&", P_AMP },
  { "*", P_STAR },
  { "+", P_PLUS },
  { "-", P_MINUS },
  { "~", P_TILDE },
  { "!", P_BANG },
  { "/", P_SLASH },
  { "%", P_PERCENT },
  { "<", P_LT },
  { ">", P_GT },
  { "^", P_CARET },
  { "|", P_PIPE },
  { "=", P_ASSIGN },
  { "#", P_HASH },
};
// clang-format on

static void punct(Lexer *x) {
  const char *from = x->at;
  for (size_t i = 0; i < COUNT(puncts); i++) {
    size_t n = strnlen(puncts[i].text, 4);
    if (puncts[i].text[0] != *from || strncmp(puncts[i].text, from, n) != 0)
      continue;
    x->at += n;
    add_token(x, (TokenKind)puncts[i].kind, from, NULL);
    return;
  }
  x->at++;
  add_token(x, T_OTHER, from, NULL);
}

static void one_token(Lexer *x) {
  char c = *x->at;
  if (c == '#' && (x->flags & TF_BOL))
    hash_line(x);
  else if (is(c, C_DIGIT) || (c == '.' && is(x->at[1], C_DIGIT)))
    number(x);
  else if (c == '"' || c == '\'')
    quoted(x, x->at);
  else if ((c == 'L' || c == 'u' || c == 'U' || c == 'R') &&
           prefixed_literal(x))
    return;
  else if (is(c, C_ID) || universal_name(x->at))
    word(x);
  else
    punct(x);
}

void lex(Unit *u) {
  Lexer x = {
    .u = u, .at = u->text, .end = u->text + u->len, .line = 1, .flags = TF_BOL
  };
  u->dialect_from = UINT32_MAX;
  x.file = file_named(u, u->name, strlen(u->name));
  while (x.at < x.end)
    if (!skip_space(&x))
      one_token(&x);
  x.at = x.end;
  add_token(&x, T_EOF, x.end, NULL);
}

const char *tok_text(Unit *u, TokIndex t, size_t *len) {
  Token *k = tok_at(u, t);
  *len = k->len;
  return u->text + k->pos;
}

bool tok_is(Unit *u, TokIndex t, const char *text) {
  size_t n;
  size_t want = strlen(text);
  const char *s = tok_text(u, t, &n);
  return n == want && memcmp(s, text, n) == 0;
}
