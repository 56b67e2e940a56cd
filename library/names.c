// names.c: getaddrinfo, in a thread for names. A question holds copies of all that it needs, so
// that a cancel need not wait for the name server: the last user of the question then discards the
// answer.
#include "library.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Question {
  char *node, *service; // NULL: not given
  struct addrinfo hints;
  bool hinted;
  struct addrinfo *answer; // NULL: none, or taken
  int err;                 // errno, for EAI_SYSTEM
} Question;

static void free_question(void *arg) {
  Question *q = arg;
  if (q->answer)
    freeaddrinfo(q->answer);
  free(q->node);
  free(q->service);
  free(q);
}

static bool copy(char **to, const char *text) {
  return !text || (*to = strdup(text));
}

static Question *new_question(const char *node,
                              const char *service,
                              const struct addrinfo *hints) {
  Question *q = calloc(1, sizeof *q);
  if (!q)
    return NULL;
  if (hints) {
    q->hints = *hints;
    q->hinted = true;
  }
  if (copy(&q->node, node) && copy(&q->service, service))
    return q;
  free_question(q);
  return NULL;
}

static intptr_t ask(void *arg) {
  Question *q = arg;
  int result = getaddrinfo(q->node,
                           q->service,
                           q->hinted ? &q->hints : NULL,
                           &q->answer);
  q->err = errno;
  if (result)
    q->answer = NULL;
  return result;
}

// An address, and no name to be looked up: nothing that blocks.
static int ask_numeric(const char *node,
                       const char *service,
                       const struct addrinfo *hints,
                       struct addrinfo **res) {
  struct addrinfo numeric =
      hints ? *hints
            : (struct addrinfo){ .ai_flags = AI_V4MAPPED | AI_ADDRCONFIG };
  if (service && strspn(service, "0123456789") != strlen(service))
    return EAI_NONAME;
  numeric.ai_flags |= AI_NUMERICHOST;
  return getaddrinfo(node, service, &numeric, res);
}

async int fm_getaddrinfo(const char *node,
                         const char *service,
                         const struct addrinfo *hints,
                         struct addrinfo **res) {
  if (ask_numeric(node, service, hints, res) == 0)
    return 0;
  Question *q = new_question(node, service, hints);
  if (!q)
    return EAI_MEMORY;
  fm__work *w = fm__work_new(ask, q, free_question);
  defer fm__work_drop(w);
  int result = (int)fm__work_wait(w, FM__HOSTS);
  if (fm__work_refused(w)) {
    errno = fm__work_refused(w);
    return EAI_AGAIN;
  }
  if (result == 0) {
    *res = q->answer;
    q->answer = NULL;
  }
  errno = q->err;
  return result;
}
