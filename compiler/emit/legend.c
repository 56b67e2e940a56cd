// legend.c: writes the head of the readable form: which functions an async function becomes, what
// the words of the runtime in it mean, and how to compile the file.
#include "emit/legend.h"

static const char head[] =
    "How to read this. An async function f has become several C functions:\n"
    "  f__fm_call    is called where the source calls f. Its variables are C "
    "variables. When\n"
    "                something that it calls has paused, it stores what it "
    "still needs in a\n"
    "                frame, and returns; its callers do the same, up to the "
    "scheduler.\n"
    "  f__fm_spill   is that way out: it makes the frame.\n"
    "  f__fm_resume  goes on in a frame, from the pause that `state` names.\n"
    "  f__fm_start   makes a frame of the arguments, for spawn and run: "
    "nothing runs yet.\n"
    "  f__fm_atomic  is called under `atomic`: ordinary C, during which no one "
    "else runs;\n"
    "                and wherever f is called, if f cannot pause.\n"
    "  f             is a table of these, which a pointer to f points at.\n"
    "A call returns as in C; the compare after it asks whether it has really "
    "ended.\n";

typedef struct Meaning {
  const char *name;
  const char *meaning;
} Meaning;
// clang-format off
static const Meaning meanings[] = {
  { "fm__stopped", "the call has paused, or this activity's slice of time is over" },
  { "fm__pausing", "the call has paused" },
  { "fm__below", "FM_PAUSED: it was a pause, not the end of the slice" },
  { "fm__unwinds", "an error or a cancel is on its way out through the callers" },
  { "fm__throws", "an error is on its way out" },
  { "fm__low", "the stack is nearly used up, or the slice is over" },
  { "fm__low_by", "the same; the pad stands for this call on the engine's stack" },
  { "fm__entry", "the stack is nearly used up: go on later, on an empty one" },
  { "fm__waits_here", "it waits without a frame of its own: storing is all there is to do" },
  { "fm__stop_fast", "links the frame under those that have paused already" },
  { "fm__stop", "leaves: whatever the reason is, the scheduler goes on" },
  { "fm__leave", "the same, with a new frame at the first pause; NULL: unwinds" },
  { "fm__left_by", "the function was entered in a new frame, and has paused or unwinds" },
  { "fm__paused_here", "the frame that was resumed pauses again" },
  { "fm__paused_in", "the same, in that state" },
  { "fm__yield", "to the end of the queue of those that are ready" },
  { "fm__yield_here", "the same, from a frame that was resumed" },
  { "fm__done", "the result of the call that has ended has been read" },
  { "fm__passes", "notes for reports that an error has left this function" },
  { "fm__unwind", "an error begins to leave through the callers" },
  { "fm__unhandled", "an error that no one catches: reports it and ends the program" },
  { "fm__await", "waits until the task has ended; where its result is" },
  { "fm__spawn", "starts an activity that begins in this frame" },
  { "fm__spawn_child", "the same, as a child of the activity that runs" },
  { "fm__spawn_dropped", "the same, and nobody keeps the task" },
  { "fm__await_new", "the same, and waits for it as fm__await does" },
  { "fm__activate", "the same, for one that shares variables of this function" },
  { "fm__join_group", "waits for those" },
  { "fm__scope_each", "children of the scope that fail begin in such a frame again" },
  { "fm__tail", "gives the place of this frame to the function it has called" },
  { "fm__atomic_enter", "from here on no other activity runs" },
  { "fm__atomic_leave", "and here they may again" },
  { "fm__atomic_pump", "waits, while only what this atomic has started may run" },
  { "fm__atomic_result", "the same, and takes the result" },
  { "fm__here", "the domain of this thread: its scheduler" },
  { "fm__caught", "takes the error that came here, to throw it again later" },
  { "fm__rethrow", "throws it again" },
  { "FM_HELD", "after the call: if it has ended, the runtime returns its value later" },
  { "FM_STATE", "the state, without FM_HELD or FM_AFTER" },
  { "FM_AFTER", "after the call: if it has ended, the state is the one that follows" },
};
// clang-format on

static void write_meanings(const Buf *text, Buf *out) {
  bool any = false;
  for (size_t i = 0; i < COUNT(meanings); i++) {
    const Meaning *m = &meanings[i];
    size_t n = strlen(m->name);
    const char *p = text->data;
    const char *end = p + text->len;
    while ((p = memmem(p, (size_t)(end - p), m->name, n)) && p[n] != '(' &&
           p[n] != ';' && p[n] != ')')
      p++;
    if (!p)
      continue;
    if (!any)
      buf_puts(out, "// Words of the runtime (<fermata/abi.h>):\n");
    any = true;
    buf_printf(out, "//   %-17s %s\n", m->name, m->meaning);
  }
}

void write_legend(const char *name, const Buf *text, Buf *out) {
  const char *base = strrchr(name, '/');
  base = base ? base + 1 : name;
  buf_printf(out,
             "// %s as C, by fmcc --emit-c. It compiles, with libfermata's "
             "headers and library:\n"
             "//   cc -I DIRECTORY FILE.c $(fmcc --print-libs)\n"
             "//\n",
             base);
  for (const char *s = head, *nl; *s; s = nl + 1) {
    nl = strchr(s, '\n');
    buf_printf(out, "// %.*s\n", (int)(nl - s), s);
  }
  write_meanings(text, out);
  buf_puts(out,
           "\n#define FERMATA_TRANSLATED // <fermata.h> need not ask for fmcc\n"
           "\n");
}
