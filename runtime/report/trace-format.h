// trace-format.h: the compact form of a trace, as programs write it and `fermata report` reads it.
// docs/trace-format.md describes it; both change together, and so does FM__TRACE_VERSION.
//
// A file is a head, then pieces of equal size. A piece belongs to one domain: its own head, then
// cells of 16 bytes in the order of time, up to one whose kind is 0. Numbers have the byte order of
// the processor that wrote them.
#ifndef FM_TRACE_FORMAT_H
#define FM_TRACE_FORMAT_H

#include <stdint.h>

#define FM__TRACE_MAGIC "fmtrace\n"
enum {
  FM__TRACE_VERSION = 1,
  FM__TRACE_HEAD = 64 << 10,   // bytes before the first piece: whole pages
  FM__TRACE_PIECE = 256 << 10, // bytes of a piece
  FM__TRACE_TEXT = 400,        // bytes of the longest text
};
#define FM__TRACE_ORDER 0x01020304u
#define FM__PIECE_MAGIC 0x65636570u

// ---- the head of the file ----
enum {
  FM__TRACE_CLOSED = 1, // fm_trace_stop or exit has ended the trace
  FM__TRACE_ATOMICITY =
      2, // built with -fsanitize=atomicity: there are FM__C_WRITTEN
  FM__TRACE_RING = 4, // old pieces were written over, or may be
};
typedef struct fm__trace_head {
  char magic[8];
  uint32_t order, version;
  uint32_t head, piece; // bytes
  uint32_t flags;
  uint32_t
      words_size; // bytes of the words after this structure, each with its 0
  uint64_t process;
  uint64_t begun;    // when, in nanoseconds of CLOCK_MONOTONIC
  uint64_t calendar; // the same moment, in nanoseconds since 1970
  uint64_t lost;     // cells in pieces that were written over
} fm__trace_head;

// ---- the head of a piece: four cells ----
typedef struct fm__piece_head {
  uint32_t magic; // written last
  uint32_t unused;
  uint64_t domain;   // its number
  uint64_t sequence; // of the piece among all, from 1
  uint64_t time;     // the first cell's delta begins here; CLOCK_MONOTONIC
  uint64_t running;  // activity whose turn it was; 0: none
  uint64_t more[3];
} fm__piece_head;

// ---- a cell ----
typedef struct fm__trace_cell {
  uint64_t head; // delta: 32 bits; kind: 8; info: 8; what: 16, from the lowest
  uint64_t body; // number: 40 bits; id: 24. Or another content, by kind
} fm__trace_cell;
_Static_assert(sizeof(fm__trace_cell) == 16, "");

#define FM__CELL_HEAD(delta, kind, info, what)            \
  ((uint64_t)(uint32_t)(delta) | (uint64_t)(kind) << 32 | \
   (uint64_t)(uint8_t)(info) << 40 | (uint64_t)(uint16_t)(what) << 48)
#define FM__CELL_BODY(number, id) \
  (((uint64_t)(number)&0xffffffffffu) | (uint64_t)(id) << 40)

// TEXT: 16 bytes each; RAW: one cell with other content. Both follow at once.
enum {
  FM__C_NONE,   // the piece ends here
  FM__C_TIME,   // body: the time; its delta means nothing
  FM__C_STRING, // id: of a text from now on; number: its bytes. TEXT
  FM__C_PLACE, // id: of a place. RAW: file and function (string ids), line; 32 bits each
  FM__C_ACTIVITY, // number; id: place of its spawn; info: FM__A_…. RAW: parent, function (32 bits)
  FM__C_NAME,     // number; id: bytes of its name. TEXT
  FM__C_BEGIN,    // a turn of `number` begins; info: FM__T_…
  FM__C_PAUSE, // it ends at place `id`, to wait for string `what` (0: ready); info: FM__T_…
  FM__C_FOR, // after PAUSE: it waits for the end of activity `number`
  FM__C_END, // the turn of `number` ends, and with it the activity; info: FM__E_…
  FM__C_WAKE,  // the running activity has made `number` ready
  FM__C_IDLE,  // nothing is ready; the next BEGIN ends that
  FM__C_READY, // body: how many are ready
  FM__C_CLOCK, // body: the driver's clock, which is not the real one
  FM__C_NOTE, // of `number`, at place `id`; info: FM__N_…; what: bytes of its text. TEXT
  FM__C_BY,     // after NOTE: activity `number` has done it
  FM__C_ATOMIC, // `number` (0: plain code) enters an outermost atomic (info 1), or leaves it (0)
  FM__C_WRITTEN, // since its last turn another one wrote what `number` uses; BY follows
  FM__C_STOP, // the trace was ended by this domain
};
enum {
  FM__A_SPAWNED = 1
}; // now, by the running activity; else it lived before, or runs first now
enum {
  FM__T_NESTED = 1, // BEGIN: inside another turn of the same thread
  FM__T_SLICED = 2, // PAUSE: the slice is over
  FM__T_LISTED = 4
}; // PAUSE: no turn ends; it waits as the trace begins
enum {
  FM__W_UNKNOWN = 0xffff
}; // PAUSE, as `what`: it waits, but no id is left for the text
enum { FM__E_UNKNOWN, FM__E_RETURNED, FM__E_ERROR, FM__E_CANCELLED };
enum {
  FM__N_MARK,
  FM__N_THROW,
  FM__N_CANCEL,
  FM__N_PAUSE,
  FM__N_RESUME,
  FM__N_UNHANDLED,
  FM__N_DEADLOCK
};

#endif
