// record.h: a run that is recorded, for `fermata record` and `fermata report PROGRAM`.
#ifndef RECORD_H
#define RECORD_H

#include "../fermata.h"

typedef struct Record {
  Run run;
  Vec words;        // of the command line, without our own options
  const char *path; // of the trace; NULL: not given
  const char *seconds, *megabytes; // --last, --ring; NULL: not given
  bool sanitize;
  bool written; // there is a trace
} Record;
// Takes the options of this command from among those of fmcc, up to the file. false: an error was
// reported.
bool record_options(Record *r, char **words);
// Compiles and runs. Returns the program's status.
int record_run(Record *r, const char *argv0);
void record_free(Record *r);

#endif
