// builtin.c: the functions that the compilers know by themselves: __builtin_*, __sync_*, __atomic_*
// and the library functions that may be called undeclared. Only their results are described here;
// the C compiler checks their arguments. A builtin that is not in the tables has the type TY_ERROR,
// and is printed as it is written.
#include "fmcc.h"

// Builtins by the type of their result. The names are those of __builtin_NAME; names after `|` are
// known without that prefix, too.
static const struct {
  const char *type;
  const char *names;
} returns[] = {
  { "void",
    " abort exit free bzero trap unreachable prefetch va_start va_end va_copy "
    "longjmp "
    "return clear_padding unwind_init "
    "clear_cache eh_return init_dwarf_reg_size_table stack_restore cpu_init "
    "ia32_pause "
    "__clear_cache assume "
    "debugtrap _exit _Exit " },
  { "int",
    " abs ffs ffsl ffsll clz clzl clzll clzs ctz ctzl ctzll ctzs popcount "
    "popcountl "
    "popcountll parity parityl parityll "
    "clrsb clrsbl clrsbll constant_p expect_with_nothing strcmp strncmp "
    "strcasecmp "
    "strncasecmp memcmp bcmp printf fprintf "
    "sprintf snprintf vprintf vfprintf vsprintf vsnprintf puts putchar fputs "
    "fputc scanf "
    "fscanf sscanf vscanf vfscanf "
    "vsscanf isalnum isalpha isascii isblank iscntrl isdigit isgraph islower "
    "isprint "
    "ispunct isspace isupper isxdigit "
    "toascii tolower toupper isnan isnanf isnanl isinf isinff isinfl "
    "isinf_sign isfinite "
    "isnormal isgreater isgreaterequal "
    "isless islessequal islessgreater isunordered signbit signbitf signbitl "
    "fpclassify "
    "ilogb ilogbf ilogbl setjmp "
    "finite finitef finitel eh_return_data_regno va_arg_pack va_arg_pack_len "
    "printf_unlocked putchar_unlocked "
    "puts_unlocked fputs_unlocked classify_type args_info __printf_chk "
    "__fprintf_chk "
    "__sprintf_chk __snprintf_chk "
    "__vprintf_chk __vfprintf_chk __vsprintf_chk __vsnprintf_chk execl execlp "
    "execle execv "
    "execvp execve fork issignaling "
    "cpu_is cpu_supports speculation_safe_value_n types_compatible_p iseqsig "
    "flt_rounds " },
  { "_Bool",
    " add_overflow sub_overflow mul_overflow sadd_overflow saddl_overflow "
    "saddll_overflow "
    "ssub_overflow ssubl_overflow "
    "ssubll_overflow smul_overflow smull_overflow smulll_overflow "
    "uadd_overflow "
    "uaddl_overflow uaddll_overflow "
    "usub_overflow usubl_overflow usubll_overflow umul_overflow umull_overflow "
    "umulll_overflow add_overflow_p "
    "sub_overflow_p mul_overflow_p is_constant_evaluated " },
  { "long",
    " expect expect_with_probability labs lrint lrintf lrintl lround lroundf "
    "lroundl lceil "
    "lceilf lceill lfloor lfloorf "
    "lfloorl " },
  { "long long", " llabs llrint llrintf llrintl llround llroundf llroundl " },
  { "size_t",
    " strlen strnlen strspn strcspn object_size dynamic_object_size fwrite "
    "fread strftime " },
  { "void *",
    " memcpy memmove memset mempcpy memchr malloc calloc realloc alloca "
    "alloca_with_align "
    "alloca_with_align_and_max frame_address return_address "
    "extract_return_addr frob_return_addr "
    "apply_args apply "
    "assume_aligned __memcpy_chk __memmove_chk __memset_chk __mempcpy_chk "
    "aligned_alloc dwarf_cfa "
    "stack_save "
    "stack_address thread_pointer next_arg saveregs aggregate_incoming_address "
    "launder " },
  { "char *",
    " strcpy strncpy strcat strncat strchr strrchr strstr strpbrk strdup "
    "strndup stpcpy "
    "stpncpy index rindex "
    "__strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __stpcpy_chk "
    "__stpncpy_chk "
    "strtok gettext dcgettext dgettext " },
  { "const char *", " FILE FUNCTION " },
  { "unsigned short", " bswap16 " },
  { "unsigned int", " bswap32 bitreverse32 " },
  { "uint64_t", " bswap64 bitreverse64 readcyclecounter " },
  { "unsigned long long", " ia32_rdtsc ia32_rdtscp " },
  { "unsigned __int128", " bswap128 " },
  { "double",
    " huge_val inf nan nans powi modf frexp ldexp atof scalbn scalbln "
    "fabs_nothing "
    "nexttoward gamma_r lgamma_r " },
  { "float",
    " huge_valf inff nanf nansf powif modff frexpf ldexpf scalbnf scalblnf "
    "nexttowardf "
    "gammaf_r lgammaf_r " },
  { "long double",
    " huge_vall infl nanl nansl powil modfl frexpl ldexpl scalbnl scalblnl "
    "nexttowardl gammal_r lgammal_r " },
  { "__float128",
    " huge_valq infq nanq nansq fabsq copysignq inff128 huge_valf128 nanf128 "
    "nansf128 fabsf128 copysignf128 " },
  { "_Float32", " inff32 huge_valf32 nanf32 fabsf32 copysignf32 nansf32 " },
  { "_Float64", " inff64 huge_valf64 nanf64 fabsf64 copysignf64 nansf64 " },
};
// Real functions with the variants NAME, NAMEf, NAMEl.
static const char math[] =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh "
    "drem erf erfc exp exp10 exp2 "
    "expm1 fabs fdim floor fma fmax fmin fmod gamma hypot j0 j1 jn lgamma "
    "log log10 log1p log2 logb nearbyint nextafter pow "
    "pow10 remainder remquo rint round roundeven scalb significand sin sinh "
    "sqrt tan tanh tgamma trunc y0 y1 yn creal cimag cabs "
    "carg ";
static const char complex_math[] =
    " cacos cacosh casin casinh catan catanh ccos ccosh cexp clog clog10 conj "
    "cpow cproj csin "
    "csinh csqrt ctan ctanh cexpi ";

static bool listed(const char *list, const char *name, size_t n) {
  if (n == 0)
    return false;
  for (const char *s = list; (s = memmem(s, strlen(s), name, n)); s++)
    if (s > list && s[-1] == ' ' && s[n] == ' ')
      return true;
  return false;
}

static Type *named_type(Unit *u, const char *s) {
  if (strcmp(s, "size_t") == 0)
    return size_type(u);
  if (strcmp(s, "uint64_t") == 0)
    return type_scalar(u, u->opt.ilp32 ? TY_ULLONG : TY_ULONG);
  size_t n = strlen(s);
  if (s[n - 1] == '*') {
    if (strncmp(s, "void", 4) == 0)
      return type_pointer(u, type_scalar(u, TY_VOID));
    return type_pointer(
        u, type_qualify(u, type_scalar(u, TY_CHAR), s[1] == 'o' ? Q_CONST : 0));
  }
  for (int k = TY_VOID; k <= TY_DEC128; k++)
    if (strcmp(scalar_names[k], s) == 0)
      return type_scalar(u, (TypeKind)k);
  return type_scalar(u, TY_ERROR);
}

static Type *math_type(Unit *u, const char *name, size_t n) {
  for (int cut = 0; cut <= 1; cut++) {
    if (cut && (n < 2 || !strchr("fl", name[n - 1])))
      break;
    TypeKind k = !cut ? TY_DOUBLE : name[n - 1] == 'f' ? TY_FLOAT : TY_LDOUBLE;
    if (listed(math, name, n - (size_t)cut))
      return type_scalar(u, k);
    if (listed(complex_math, name, n - (size_t)cut))
      return type_new(u, TY_COMPLEX, type_scalar(u, k));
  }
  return NULL;
}

// The type of the result. NULL: the name is not in the tables.
static Type *returned_type(Unit *u, const char *name, size_t n) {
  for (size_t i = 0; i < COUNT(returns); i++)
    if (listed(returns[i].names, name, n))
      return named_type(u, returns[i].type);
  return math_type(u, name, n);
}

static Type *function_returning(Unit *u, Type *t) {
  Type *f = type_new(u, TY_FUNC, t);
  f->oldstyle = f->variadic = true; // nothing is known of its parameters
  return f;
}

static bool begins(const Ident *id, const char *with) {
  return strncmp(id->name, with, strlen(with)) == 0;
}

Type *builtin_type(Unit *u, Ident *id) {
  bool prefixed = begins(id, "__builtin_");
  bool other = begins(id, "__sync_") || begins(id, "__atomic_") ||
               begins(id, "__c11_atomic_") || begins(id, "__scoped_");
  if (other)
    return type_scalar(u, TY_ERROR);
  const char *name = prefixed ? id->name + 10 : id->name;
  Type *t = returned_type(u, name, id->len - (size_t)(name - id->name));
  if (t)
    return function_returning(u, t);
  return prefixed ? type_scalar(u, TY_ERROR) : NULL;
}

// ---- names of libraries ----
// Names that are not in the tables: functions that clang knows, functions that libfermata calls
// (test/driver/library-names.sh compares), and functions that the C compilers call by themselves.
static const char called[] =
    " __cyg_profile_func_enter __cyg_profile_func_exit __errno_location "
    "__fdelt_chk __fentry__ __finite __finitef __finitel __fprintf_chk "
    "__open_2 __sched_cpucount __snprintf_chk __stack_chk_fail "
    "__vsnprintf_chk _exit _longjmp _setjmp __sigsetjmp accept accept4 "
    "__libc_current_sigrtmax __udivmodti4 __udivti3 backtrace closedir dirfd "
    "fdopendir fstatat inotify_add_watch inotify_init1 inotify_rm_watch "
    "memmem mkdtemp mkostemp mkostemps openat qsort readdir seekdir telldir "
    "timerfd_create timerfd_settime unlink unlinkat waitid "
    "fmemopen ftell pthread_detach "
    "pthread_kill rewind sem_init sem_post sem_timedwait sem_wait strtoul "
    "access chmod dup2 fclose getauxval geteuid lstat mkdir open_memstream "
    "qsort_r readlink sem_destroy strcasestr "
    "aligned_alloc atexit bind cfmakeraw clock_gettime close connect "
    "dl_iterate_phdr dladdr environ epoll_create1 epoll_ctl epoll_pwait "
    "epoll_wait eventfd fcntl fdatasync fflush flock fopen fread freeaddrinfo "
    "fstat fstatfs fsync ftruncate fwrite getaddrinfo getcontext getenv getpid "
    "getrlimit getsockname getsockopt gettid kill listen longjmp memalign "
    "memccpy mmap munmap nanosleep open pipe pipe2 poll "
    "posix_spawn_file_actions_addchdir_np posix_spawn_file_actions_adddup2 "
    "posix_spawn_file_actions_destroy posix_spawn_file_actions_init "
    "posix_spawnattr_destroy posix_spawnattr_init posix_spawnattr_setflags "
    "posix_spawnattr_setpgroup posix_spawnattr_setsigdefault "
    "posix_spawnattr_setsigmask posix_spawnp ppoll pread process_vm_readv "
    "pthread_atfork pthread_attr_destroy pthread_attr_getstack "
    "pthread_attr_init pthread_attr_setdetachstate pthread_cond_broadcast "
    "pthread_cond_destroy pthread_cond_init pthread_cond_signal "
    "pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy "
    "pthread_condattr_init pthread_condattr_setclock pthread_create "
    "pthread_getattr_np pthread_join pthread_key_create "
    "__pthread_register_cancel __pthread_unregister_cancel "
    "pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock "
    "pthread_mutex_trylock pthread_mutex_unlock pthread_once pthread_self "
    "pthread_setspecific pthread_sigmask pwrite raise read readv recv "
    "recvfrom recvmsg savectx sched_getaffinity sched_yield secure_getenv "
    "send sendmsg sendto setjmp setsockopt shutdown sigaction sigaddset "
    "sigaltstack sigdelset sigemptyset sigfillset sigismember siglongjmp "
    "signal sigpending sigsetjmp sigtimedwait socket stat stderr stdout "
    "strerror strlcat strlcpy strnlen strtod strtof strtol strtold strtoll "
    "strtoul strtoull strxfrm syscall sysconf tcgetattr tcsetattr vfork "
    "waitpid wcschr wcscmp wcslen wcsncmp wmemchr wmemcmp wmemcpy wmemmove "
    "write ";

bool is_library_function(Unit *u, Ident *id) {
  return !begins(id, "__builtin_") &&
         (listed(called, id->name, id->len) || builtin_type(u, id));
}

// ---- types that depend on the arguments ----
static bool ends(const Ident *id, const char *with) {
  size_t n = strlen(with);
  return id->len >= n && strcmp(id->name + id->len - n, with) == 0;
}

static Type *pointee(Unit *u, Node *arg) {
  Type *t = arg ? canon(rvalue(u, arg)) : NULL;
  return t && t->kind == TY_POINTER ? type_unqual(u, t->base)
                                    : type_scalar(u, TY_ERROR);
}

static Type *sync_type(Unit *u, Ident *id, Node *args) {
  if (begins(id, "__sync_synchronize") || begins(id, "__sync_lock_release"))
    return type_scalar(u, TY_VOID);
  if (begins(id, "__sync_bool_"))
    return type_scalar(u, TY_BOOL);
  return pointee(u, args);
}

static Type *atomic_type(Unit *u, Ident *id, Node *args) {
  // clang-format off
  static const char *const none[] = {
    "_store",
    "_store_n",
    "_clear",
    "_fence",
    "_init",
    NULL,
  };
  static const char *const yes[] = {
    "_test_and_set",
    "_lock_free",
    "_compare_exchange",
    "_compare_exchange_n",
    "_compare_exchange_strong",
    "_compare_exchange_weak",
    NULL,
  };
  // clang-format on
  for (int i = 0; none[i]; i++)
    if (ends(id, none[i]))
      return type_scalar(u, TY_VOID);
  for (int i = 0; yes[i]; i++)
    if (ends(id, yes[i]))
      return type_scalar(u, TY_BOOL);
  if (strcmp(id->name, "__atomic_load") == 0 ||
      strcmp(id->name, "__atomic_exchange") == 0)
    return type_scalar(u, TY_VOID);
  return pointee(u, args);
}

static Type *shuffle_type(Unit *u, Ident *id, Node *args) {
  if (strcmp(id->name, "__builtin_shuffle") == 0 && args)
    return rvalue(u, args);
  if (strcmp(id->name, "__builtin_shufflevector") != 0 || !args || !args->next)
    return NULL;
  int64_t n = -2;
  for (Node *a = args; a; a = a->next)
    n++;
  Type *v = canon(rvalue(u, args));
  return v->kind == TY_VECTOR ? type_vector(u, v->base, n) : NULL;
}

static Type *argument_type(Unit *u, Ident *id, Node *args) {
  static const char *const same[] = { "__builtin_nontemporal_load", NULL };
  if (begins(id, "__sync_"))
    return sync_type(u, id, args);
  if (begins(id, "__atomic_") || begins(id, "__c11_atomic_"))
    return atomic_type(u, id, args);
  for (int i = 0; same[i]; i++)
    if (strcmp(id->name, same[i]) == 0)
      return pointee(u, args);
  if (begins(id, "__builtin_elementwise_") && args)
    return rvalue(u, args);
  if (strcmp(id->name, "__builtin_speculation_safe_value") == 0 && args)
    return rvalue(u, args);
  if (strcmp(id->name, "__builtin_complex") == 0 && args)
    return type_new(u, TY_COMPLEX, rvalue(u, args));
  return shuffle_type(u, id, args);
}

bool check_builtin_call(Unit *u, Node *e) {
  if (e->a->kind != N_IDENT || !e->a->sym || e->a->sym->kind != S_BUILTIN)
    return false;
  Ident *id = e->a->sym->name;
  Type *t = argument_type(u, id, e->b);
  if (strcmp(id->name, "__builtin_constant_p") == 0 && e->b) {
    e->type = type_scalar(u, TY_INT);
    // the argument is not evaluated
    e->flags &= (uint16_t) ~(NF_PAUSE | NF_CALLS);
    set_const(u,
              e,
              (e->b->flags & NF_CONST) || e->b->kind == N_STRING ||
                  e->b->kind == N_NUMBER);
    return true;
  }
  if (!t)
    return false;
  e->type = t;
  return true;
}
