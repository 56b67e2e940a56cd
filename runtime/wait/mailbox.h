// mailbox.h: what mailbox.c and reply.c know of each other: messages that are questions.
#ifndef MAILBOX_H
#define MAILBOX_H

#include "wait/park.h"
#include <fermata/agent.h>

typedef struct fm__question fm__question; // of fm_ask
// The questions that were asked in one mailbox.
typedef struct fm__desk fm__desk;

// false: d takes no more messages.
bool fm__note_send(fm__runtime *d,
                   fm__note *n,
                   void (*fn)(fm__runtime *, fm__msg *));
// Posts a value; q NULL: it is no question.
void fm__mailbox_put(fm__mailbox *m, const void *v, fm__question *q);

// ---- on the owner's thread ----
// The question goes into the channel, after so many others; or to `receiver`, which waited.
void fm__question_comes(fm__desk *k,
                        fm__question *q,
                        size_t others,
                        const fm_node *receiver);
// The first message in the channel, which may be a question, was received.
void fm__message_received(fm__desk *k, const fm_node *receiver);
void fm__desk_free(fm__mailbox *m); // the mailbox is freed

// ---- from any thread; NULL is allowed ----
void fm__desk_of_domain(fm__desk *k, uint64_t life); // that domain receives
void fm__desk_ends(fm__desk *k);                     // nobody receives any more

#endif
