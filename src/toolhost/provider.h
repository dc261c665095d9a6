/* The provider document: what whoever starts a host says of the plugin beside its path, in one JSON
 * file (`--config FILE`). With it a plugin of the product stands for another kind of action: a
 * program that is relayed to, a set of commands, the operations of an HTTP API.
 *
 *   {"name": "tools", "caps": ["file_read"], "read": ["/srv/data"], "write": [],
 *    "confine": "on", "limits": {"address_space_mb": 8192, "descriptors": 1024, "processes": 64,
 *    "file_mb": 100}, "settings": {...}}
 *
 * Every member is optional, and one that is not known is refused: a protection that is misspelt
 * would be none. The file is read once, before the host reads anything else; no worker can open it.
 */
#ifndef TOOLHOST_PROVIDER_H
#define TOOLHOST_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum confine_level {
    CONFINE_UNSAID, /* the environment decides (toolhost.md 7.2.1) */
    CONFINE_OFF,
    CONFINE_ON,      /* what the kernel has is enforced; what it lacks is warned of */
    CONFINE_REQUIRED /* what it lacks ends the start */
};

struct provider {
    struct str name; /* for messages; "" if it has none */
    /* TH_CAP_* that are granted of those that it asks for; TH_CAP_ALL by default. Asking for more
     * is no fault here, as it is for MACHINA_PLUGIN_CAPS: a plugin asks before it knows its
     * settings. */
    uint32_t caps;
    const char **read; /* absolute paths that it may read beside what it needs to run */
    size_t read_count; /* 0 with `has_read`: none; without: wherever its capability reaches */
    bool has_read;
    const char **write;
    size_t write_count;
    bool has_write;
    enum confine_level confine;
    /* "limits": in place of the host's defaults. Memory of 0 is said, too: no limit. */
    uint64_t as_mb, nofile, nproc, fsize_mb; /* 0: not said */
    bool has_as_mb;
    struct str settings; /* a JSON object, "{}" by default, followed by a NUL */
};

/* Read the document at `path` (4 MiB at most) into *out, which lives in `arena`. NULL path: the
 * defaults. Returns NULL, or all that is wrong with it, in `arena` or static. */
const char *mgi_provider_read(struct arena *arena, const char *path, struct provider *out);

/* The same of a text. */
const char *mgi_provider_parse(struct arena *arena, struct str text, struct provider *out);

#endif
