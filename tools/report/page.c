// page.c: the page of a report: a template, in which the object of json.c replaces one marker. The
// template is installed beside the script for gdb.
#include "report.h"
#include "../fermata.h"

#include <errno.h>

static const char marker[] = "@FERMATA_DATA@";

static bool read_template(Buf *to, const char *argv0) {
  Arena arena = { 0 };
  char *root = find_root(&arena, argv0);
  const char *path =
      root ? arena_printf(&arena, "%s/share/fermata/report.html", root)
           : "report.html";
  errno = ENOENT;
  bool ok = root && buf_read_file(to, path);
  if (!ok && errno == ENOENT)
    complain("report: there is no page, %s: `make` builds it where npm is; "
             "--text needs none",
             path);
  else if (!ok)
    complain("report: %s: %s", path, strerror(errno));
  else if (!(ok = strstr(to->data, marker) != NULL))
    complain("report: %s is not the template of a report", path);
  arena_free(&arena);
  return ok;
}

static bool write_all(const char *path, const Buf *template, const Buf *data) {
  FILE *f = fopen(path, "wb");
  if (!f)
    return false;
  const char *at = strstr(template->data, marker);
  fwrite(template->data, 1, (size_t)(at - template->data), f);
  fwrite(data->data, 1, data->len, f);
  fputs(at + strlen(marker), f);
  bool ok = !ferror(f);
  return fclose(f) == 0 && ok;
}

bool page_write(const Report *r, const char *argv0, const char *path) {
  Buf template = { 0 };
  Buf data = { 0 };
  bool ok = read_template(&template, argv0);
  if (ok) {
    json_print(r, &data);
    ok = write_all(path, &template, &data);
    if (!ok)
      complain("report: %s: %s", path, strerror(errno));
  }
  buf_free(&template);
  buf_free(&data);
  return ok;
}
