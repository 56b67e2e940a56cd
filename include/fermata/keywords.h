// keywords.h: the dialect's keywords as macros, for tools that read a Fermata file without fmcc: editors, language servers,
// indexers. The meaning is lost, the shape is kept: typical code parses without an error and completion, navigation and
// type hints work. <fermata.h> includes it when __FERMATA__ is not defined; FERMATA_NO_KEYWORDS keeps it away.
//
// Not understood here: `spawn now` (a macro `now` would hide too many variables), the expression `job f(x)`,
// `activate [&id] (…)`, the arms of `race`, tasks of structs, and ordinary identifiers spelled as a keyword.
#ifndef FERMATA_KEYWORDS_H
#define FERMATA_KEYWORDS_H
#ifndef __FERMATA__

#ifdef __clang__
#pragma clang diagnostic ignored "-Wunused-value"
#pragma clang diagnostic ignored "-Wint-conversion"
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#endif

// Functions: what may pause or throw reads as a plain declaration.
#define async
#define asyncdirect
#define atomic
#define throws(...)

// Operators. A spawn has a value whatever the function returns, void included, which of all prefix operators only sizeof gives.
#define await
#define run
#define spawn sizeof
#define detached
#define contained
#define in(node)
#define on(domain)
#define task(T) size_t
#define job(T) size_t
#define auto __auto_type

// Statements.
#define yield ((void)0)
#define shield
#define defer
#define activate(...)
#define scope(s) for (fm_activity s = { 0 }, *fm__##s = &s; fm__##s; fm__##s = 0) if (fm__##s)
#define race switch (0)
#define try
#define catch(declaration) for (declaration = { 0 };;)
#define finally
#define throw for (;;)

// The spellings that no declaration hides.
#define __fm_async async
#define __fm_await await
#define __fm_spawn spawn
#define __fm_activate activate
#define __fm_atomic atomic
#define __fm_yield yield
#define __fm_run run
#define __fm_job job
#define __fm_task task
#define __fm_scope scope
#define __fm_race race
#define __fm_shield shield
#define __fm_defer defer
#define __fm_throw throw
#define __fm_throws throws
#define __fm_try try
#define __fm_catch catch
#define __fm_finally finally
#define __fm_asyncdirect asyncdirect

#endif
#endif
