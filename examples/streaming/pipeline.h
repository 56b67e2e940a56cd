// pipeline.h: an instrument of the page and its pipeline: fetch → process → chart, three activities
// with bounded channels between them, below one that is the instrument.
#ifndef PIPELINE_H
#define PIPELINE_H

#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/web.h>

#include "market.h"
#include "window.h"

enum {
  QUEUE = 64,           // values in a channel
  CREDIT = 512,         // prices that the server may send before the page asks for more
  LONGEST_WINDOW = 120, // seconds
  CHART_MOST = 6000     // points in a chart: two minutes of 50 a second
};

struct sample {
  double time; // seconds since 1970
  double price, smooth;
};
typedef fm_chan(struct point) Points;
typedef fm_chan(struct sample) Samples;

struct subscription {
  int index;
  const struct instrument *instrument;
  fm_activity activity; // of its pipeline; it may have ended
  Points points;        // fetch → process
  Samples samples;      // process → chart
  int rate;             // prices a second
  int window;           // seconds
  // of fetch
  fm_activity fetching; // the scope of the source in use
  const char *state;    // "connecting", "live", "generated", "waiting"
  uint64_t retry;       // "waiting": when it tries again, as fm_now has it
  unsigned attempts;    // that have failed since the last success
  bool connected;       // `socket` is open
  fm_web_socket socket;
  int64_t last; // the time of the last price
  uint64_t received, lost;
  // of process
  struct figures figures;
  // of chart
  double *times, *prices, *smooths; // CHART_MOST + QUEUE each
  size_t shown;
  uint64_t drawn;
};

// What server there is: "ws://host:port/stream/"; "": none.
extern char server_url[256];
// Prices come from there; false: they are generated.
extern bool use_server;

// Runs the pipeline until it is cancelled, one of its parts ends, or an error ends it.
async void pipeline(struct subscription *s);
// Prices from the server or of this page, until it is cancelled: sends them to s->points.
async void fetch(struct subscription *s) throws(struct fm_closed);
// Sets how many prices come in a second. The server, if it is connected, is told.
void set_rate(struct subscription *s, int rate);
// Ends the wait before the next attempt to connect, and changes to the source that is wanted now.
void change_source(struct subscription *s);

#endif
