/* What the relay is told (toolhost.h, "config.v1"), and what a program says that it offers.
 *
 *   {"run": ["python3", "actions.py"], "folder": "/abs", "env": {"NAME": "value"}, "tools": [...]}
 *
 *   run     the program and its first arguments; --list or --serve follows. A name without '/' is
 *           looked up in PATH, another one counts from the folder
 *   folder  working directory of the program
 *   env     beside the worker's environment; optional
 *   tools   the list, if whoever starts us knows it already; optional: the program is asked
 *
 * Decoders: given bytes, they report all that is wrong in one text. Everything lives in the arena,
 * which lives as long as the plugin. */
#ifndef RELAY_SETTINGS_H
#define RELAY_SETTINGS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "toolhost.h"

#define RELAY_MAX_WORDS      256
#define RELAY_MAX_TOOLS      1024
#define RELAY_MAX_LIST_BYTES (4u << 20)

struct relay_settings {
    char **run; /* with room for one more word, which follows at [run_count]; ends with NULL */
    size_t run_count;
    const char *folder; /* absolute */
    char **env;         /* "NAME=value", ends with NULL */
    size_t env_count;
    struct json tools; /* an array, or JSON_NULL: it is not known */
};

/* False: *why says everything that is wrong, in the arena (or is static: memory is short). */
bool relay_settings_read(struct arena *arena, struct str text, struct relay_settings *out,
                         const char **why);

/* What `--list` printed: {"ok":true,"tools":[...]}. On success *tools is its array. */
bool relay_list_read(struct arena *arena, struct str text, struct json *tools, const char **why);

/* The entries as descriptions that register_tool takes; `fn` and `user` are the caller's to set. */
bool relay_tools_read(struct arena *arena, const struct json *tools, th_tool **out, size_t *count,
                      const char **why);

#endif
