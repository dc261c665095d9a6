/* Whether code runs once, when its script does. A guess by form, as source.h's trails are. */
#ifndef BROWSER_SOURCE_START_H
#define BROWSER_SOURCE_START_H

#include "source_int.h"

/* Does what stands at `at` run when the script does, and no more after that? Or when the one of the
 * `others` does that imports the function around it. */
bool mgi_source_runs_at_start(struct str s, size_t at, const struct str *others, size_t count);

/* window.X?.f(), window.X && X.f(), if (window.X) without an else, const x = window.X that is asked
 * for so afterwards or with if (!x) and x ?, at `at`: X. Empty: it is nothing of that. */
struct str mgi_source_name_asked(struct str s, size_t at);

/* All that the text does with this name runs so. */
bool mgi_source_only_at_start(struct str s, struct str name, const struct str *others,
                              size_t count);

#endif
