// Including <fermata.h> leaves its declarations and no pragma.
#include <fermata.h>
int x;
// emits: const char *fm_version(void);
// emits-not: pragma fermata
// emits: int x;
