/* The plugin's file, copied once into a sealed memory file that every worker loads: the code that
 * runs is the code that was checked, whatever happens to the file afterwards (T-ISO-16). */
#ifndef TOOLHOST_PLUGIN_FILE_H
#define TOOLHOST_PLUGIN_FILE_H

#include <stdint.h>

#include "base/arena.h"
#include "toolhost/settings.h"
#include "sys/digest.h"

struct plugin_file {
    int fd; /* the sealed copy, close-on-exec, readable and executable; -1: none */
    uint8_t sha[SHA256_BYTES];
};

/* `path` is looked up from the working directory and never searched for (T-CLI-7). Returns NULL, or
 * the reason of the rejection (8.6), in `arena` or static. */
const char *mgi_plugin_file_open(struct arena *arena, const char *path,
                                 const struct settings *settings, struct plugin_file *out);
void mgi_plugin_file_close(struct plugin_file *p);

/* `fd` as a close-on-exec descriptor of 10 or above, so that it can be given any of the worker's
 * numbers without closing another; `fd` is closed. -1: could not. */
int mgi_fd_out_of_the_way(int fd);

#endif
