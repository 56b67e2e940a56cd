// keywords.h: the dialect's keywords as macros, for tools that read a Fermata file without fmcc:
// editors, language servers, indexers. The meaning is lost, the shape is kept: code parses without
// an error, and completion, navigation and type hints work. <fermata.h> includes it when
// __FERMATA__ is not defined; FERMATA_NO_KEYWORDS keeps it away.
//
// A macro cannot express the arms of `race`, `activate` with parentheses, `scope` without them, the
// expression `job …`, `spawn now`, `catch each`, a `catch` without a name, calls of asyncdirect
// functions, and tasks of structures: fermata-clangd does that (docs/editors.md). Nothing
// understands an ordinary identifier that is spelled as a keyword.
#ifndef FERMATA_KEYWORDS_H
#define FERMATA_KEYWORDS_H
#ifndef __FERMATA__

// Warnings that the macros below would cause; with fmcc the C compiler warns of the code itself.
#  pragma GCC diagnostic ignored "-Wunused-value"
// A task is a size_t, if its function's type is not known.
#  pragma GCC diagnostic ignored "-Wint-conversion"
#  pragma GCC diagnostic ignored "-Wformat" // so is its result
#  pragma GCC diagnostic ignored "-Wsign-compare"
// In the bodies of activate and job, and after throw.
#  pragma GCC diagnostic ignored "-Wreturn-type"
#  pragma GCC diagnostic ignored "-Wdangling-else"
#  pragma GCC diagnostic ignored "-Wunused-label"
#  pragma GCC diagnostic ignored "-Wunused-function"
#  pragma GCC diagnostic ignored "-Wunused-parameter"
#  pragma GCC diagnostic ignored "-Wunused-variable"
#  pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#  pragma GCC diagnostic ignored "-Wuninitialized"
#  ifdef __clang__
#    pragma clang diagnostic ignored "-Wunknown-pragmas"
#    pragma clang diagnostic ignored "-Wgnu"
#    pragma clang diagnostic ignored "-Wc2x-extensions"
#    pragma clang diagnostic ignored "-Wcompound-token-split-by-macro"
#    pragma clang diagnostic ignored "-Wsometimes-uninitialized"
#    pragma clang diagnostic ignored "-Wunneeded-internal-declaration"
// A function that only ends by what it waits for.
#    pragma clang diagnostic ignored "-Winfinite-recursion"
#    pragma clang diagnostic ignored "-Wtautological-constant-compare"
#  endif

// Functions: one that may pause or throw reads as a plain declaration.
#  define async
#  define asyncdirect
#  define atomic
#  define throws(...)
#  define fm_completion(T) fm_completion

// Operators. A spawn has a value whatever the function returns, void included; of all prefix
// operators only sizeof does that.
#  define await
#  define run
#  define spawn sizeof
#  define detached
#  define contained
#  define in(node) (node) + sizeof
#  define on(domain) (domain) + sizeof
#  define task(T)                                          \
    __typeof__(__builtin_choose_expr(                      \
        __builtin_types_compatible_p(__typeof__(T), void), \
        (size_t)0,                                         \
        *(__typeof__(T) *)0))
#  define job(T) task(T)
#  define auto __auto_type

// Statements.
int fm__perhaps(void);
#  define yield ((void)0)
#  define shield
#  define defer
#  define activate
// Without parentheses it is no macro: a compiler that is given the file says what to do.
#  ifdef __has_attribute
#    if __has_attribute(unavailable)
extern int scope __attribute__((
    unavailable("this file is written in Fermata: compile it with fmcc")));
#    endif
#  endif
#  define scope(s)                                                   \
    for (fm_activity s = { 0 }, *fm__##s = &s; fm__##s; fm__##s = 0) \
      if (fm__##s)
#  define race \
    switch (0) \
    case 0:
#  define try if (fm__perhaps())
// clang-format would part the name of the macro from its parameter
// clang-format off
#  define catch(declaration) \
    else for (declaration = { 0 }; fm__perhaps();) if (fm__perhaps())
// clang-format on
#  define finally else
#  define throw for (;;)

// Functions that only fmcc declares, and those that take tasks and jobs of any type.
bool fm_complete(fm_completion *k, ...);
bool fm_fail(fm_completion *k, ...);
void fm_join(fm_activity a);
fm_outcome fm_end_of(fm_activity a);
void fm_checkpoint(void);
void fm_all(const void *tasks, size_t n);
size_t fm_any(const void *tasks, size_t n);
#  define fm_within(ms, ...) ((void)(ms), __VA_ARGS__)
#  define fm_id(t) ((void)sizeof(t), fm_id((fm_task){ 0 }))
#  define fm_share(t) ((void)fm_share((fm_task){ 0 }), (t))
#  define fm_detach(t) ((void)sizeof(t), fm_detach((fm_task){ 0 }))
#  define fm_job_free(j) ((void)sizeof(j), fm_job_free((fm_job){ 0 }))

// What fermata-clangd writes for `job f(x)`, `job (x) { … }` with and without a value, `scope {`
// and `catch (type)`.
#  define fmj sizeof
#  define fmb(...) (
#  define fmv(...) sizeof (
#  define fms if (fm__perhaps())
#  define fmc(T) else for (__typeof__(T) *fm__e = 0; fm__perhaps();) if (!fm__e)

// The spellings that no declaration hides.
#  define __fm_async async
#  define __fm_await await
#  define __fm_spawn spawn
#  define __fm_activate activate
#  define __fm_atomic atomic
#  define __fm_yield yield
#  define __fm_run run
#  define __fm_job job
#  define __fm_task task
#  define __fm_scope scope
#  define __fm_race race
#  define __fm_shield shield
#  define __fm_defer defer
#  define __fm_throw throw
#  define __fm_throws throws
#  define __fm_try try
#  define __fm_catch catch
#  define __fm_finally finally
#  define __fm_asyncdirect asyncdirect

#endif
#endif
