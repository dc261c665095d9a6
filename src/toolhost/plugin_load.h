/* Loading a plugin, inside the worker: open, symbols, version, capabilities, init (T-ABI-7). */
#ifndef TOOLHOST_PLUGIN_LOAD_H
#define TOOLHOST_PLUGIN_LOAD_H

#include <stdint.h>

#include "toolhost/api.h"

struct plugin {
    struct th_reg reg; /* its tools */
    int (*init)(const th_host *host, th_reg *reg);
    void (*fini)(void); /* NULL: it has none */
};

/* Open the library behind the descriptor `fd`, and ask it for its version and for the capabilities
 * that it wants (p->reg.caps). Returns NULL, or why it is rejected (8.6), static or in the plugin's
 * arena. There is no closing: the worker's end does that. */
const char *mgi_plugin_open(struct plugin *p, int fd, uint32_t allowed_caps);

/* Let it register its tools. NULL, or why it is rejected, likewise. */
const char *mgi_plugin_init(struct plugin *p);

#endif
