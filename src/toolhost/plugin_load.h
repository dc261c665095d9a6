/* Loading a plugin, inside the worker: open, symbols, version, capabilities, init (T-ABI-7). */
#ifndef TOOLHOST_PLUGIN_LOAD_H
#define TOOLHOST_PLUGIN_LOAD_H

#include <stdint.h>

#include "toolhost/api.h"

struct plugin {
    struct th_reg reg;  /* its tools */
    void (*fini)(void); /* NULL: it has none */
};

/* Asked before init with the capabilities that the plugin wants; may not return. */
struct plugin_gate {
    void (*ask)(void *context, uint32_t wanted);
    void *context;
};

/* Load the library behind the descriptor `fd`. Returns NULL, or why it is rejected (8.6), static or
 * in the plugin's arena. There is no unloading: the worker's end does that. */
const char *mgi_plugin_load(struct plugin *p, int fd, uint32_t allowed_caps,
                            const struct plugin_gate *gate);

#endif
