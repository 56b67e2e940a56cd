// lex.h: tokens.
#ifndef FMCC_PARSE_LEX_H
#define FMCC_PARSE_LEX_H

#include "base/types.h"

typedef enum TokenKind {
  T_EOF,
  T_IDENT,
  T_NUMBER,
  T_CHAR,
  T_STRING,
  T_OTHER,
  // punctuators; T_PUNCT_FIRST … T_PUNCT_LAST
  P_LPAREN,
  P_RPAREN,
  P_LBRACE,
  P_RBRACE,
  P_LBRACKET,
  P_RBRACKET,
  P_SEMI,
  P_COMMA,
  P_DOT,
  P_ARROW,
  P_ELLIPSIS,
  P_COLON,
  P_COLONCOLON,
  P_QUESTION,
  P_INC,
  P_DEC,
  P_AMP,
  P_STAR,
  P_PLUS,
  P_MINUS,
  P_TILDE,
  P_BANG,
  P_SLASH,
  P_PERCENT,
  P_SHL,
  P_SHR,
  P_LT,
  P_GT,
  P_LE,
  P_GE,
  P_EQ,
  P_NE,
  P_CARET,
  P_PIPE,
  P_ANDAND,
  P_OROR,
  P_ASSIGN,
  P_MUL_A,
  P_DIV_A,
  P_MOD_A,
  P_ADD_A,
  P_SUB_A,
  P_SHL_A,
  P_SHR_A,
  P_AND_A,
  P_XOR_A,
  P_OR_A,
  P_HASH,
  P_HASHHASH,
  // keywords
  K_AUTO,
  K_BREAK,
  K_CASE,
  K_CHAR,
  K_CONST,
  K_CONTINUE,
  K_DEFAULT,
  K_DO,
  K_DOUBLE,
  K_ELSE,
  K_ENUM,
  K_EXTERN,
  K_FLOAT,
  K_FOR,
  K_GOTO,
  K_IF,
  K_INLINE,
  K_INT,
  K_LONG,
  K_REGISTER,
  K_RESTRICT,
  K_RETURN,
  K_SHORT,
  K_SIGNED,
  K_SIZEOF,
  K_STATIC,
  K_STRUCT,
  K_SWITCH,
  K_TYPEDEF,
  K_UNION,
  K_UNSIGNED,
  K_VOID,
  K_VOLATILE,
  K_WHILE,
  K_ALIGNAS,
  K_ALIGNOF,
  K_ATOMIC,
  K_BOOL,
  K_COMPLEX,
  K_IMAGINARY,
  K_GENERIC,
  K_NORETURN,
  K_STATIC_ASSERT,
  K_THREAD_LOCAL,
  K_ASM,
  K_TYPEOF,
  K_ATTRIBUTE,
  K_EXTENSION,
  K_LABEL,
  K_AUTO_TYPE,
  K_INT128,
  K_REAL,
  K_IMAG,
  K_NULLABILITY,
  K_ADDRSPACE,
  K_BITINT,
  K_FLOAT16,
  K_FLOAT32,
  K_FLOAT64,
  K_FLOAT128,
  K_FLOAT32X,
  K_FLOAT64X,
  K_FLOAT80,
  K_BF16,
  K_DEC32,
  K_DEC64,
  K_DEC128,
  K_VA_ARG,
  K_OFFSETOF,
  K_TYPES_COMPATIBLE,
  K_CHOOSE_EXPR,
  K_TGMATH,
  K_CONVERTVECTOR,
  K_BIT_CAST,
  K_HAS_ATTRIBUTE,
  K_COUNT
} TokenKind;

struct Token {
  uint32_t pos, len; // where its text stands in Unit.text
  uint32_t line;     // as the line markers count
  uint16_t file;     // index into Unit.files
  uint8_t kind;      // TokenKind
  uint8_t flags;     // TF_*
  Ident *id;         // identifiers and keywords; else NULL
};
// first of its line; blank before; system header; digraph
enum {
  TF_BOL = 1,
  TF_SPACE = 2,
  TF_SYSTEM = 4,
  TF_ALT = 8,
};

typedef struct SourceFile {
  const char *name;
  Buf text; // the file itself, for diagnostics
  bool loaded;
  // the one that was asked for last, 0: none; lines are usually asked for in order
  uint32_t line;
  size_t at; // where it begins
} SourceFile;
// A whole # line.
typedef struct Pragma {
  uint32_t pos;
  uint32_t len;
  TokIndex before;
  uint32_t line;
  uint16_t file;
} Pragma;

// ---- lex.c ----
void lex(Unit *u); // text → toks, pragmas, files
const char *tok_text(Unit *u, TokIndex t, size_t *len);
bool tok_is(Unit *u, TokIndex t, const char *text);
// Copies the text of the line, as much as fits.
void pragma_text(const Unit *u, const Pragma *g, char *line, size_t size);

// ---- diagnostic-pragmas.c: `#pragma GCC diagnostic` about the warnings of our own ----
typedef struct DiagnosticPragma {
  TokIndex before;
  uint8_t action, of; // of: OwnWarning
} DiagnosticPragma;
typedef enum PragmaSays {
  // silent: the command line decides
  PRAGMA_SILENT,
  PRAGMA_IGNORED,
  PRAGMA_WARNING,
  PRAGMA_ERROR
} PragmaSays;
bool names_own_warning(const char *line, size_t len); // from its `#` on
void note_diagnostic_pragma(Unit *u, const Pragma *g);
PragmaSays pragma_says(const Unit *u, OwnWarning w, TokIndex t);
bool is_wanted(Unit *u, OwnWarning w, TokIndex t); // there

#endif
