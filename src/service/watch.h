/* Is anything changed that a server was loaded from? Folders are watched through the kernel
 * (inotify, by libuv), and what happens in quick succession is one change: `changed` comes when
 * nothing has happened for a moment, and after a bounded time even if it goes on.
 *
 * What to watch is a list that is made beside the loop (mgi_watch_list_*: reads folders, any
 * thread) and then put into effect on it. Only names that the loader reads count, so that a log or
 * a database beside them changes nothing. */
#ifndef MGI_SERVICE_WATCH_H
#define MGI_SERVICE_WATCH_H

#include <uv.h>

#include "base/arena.h"

#define WATCH_FOLDERS_MAX 512 /* more are not watched, and that is said */
#define WATCH_SETTLE_MS   200 /* without another event: it is one change */
#define WATCH_MOST_MS     3000

enum watch_names {
    WATCH_DOMAIN, /* the root of a domain: domain.yaml and the folders that are read */
    WATCH_ALL,    /* a folder below it: everything but hidden and temporary files */
    WATCH_ONE     /* one file of a folder */
};

struct watch_folder {
    const char *path;
    enum watch_names names;
    const char *one; /* WATCH_ONE: the file's name */
};

struct watch_list {
    struct watch_folder *items;
    size_t count, cap;
    bool full; /* there were more than WATCH_FOLDERS_MAX */
};

/* Add a domain's folders; a file (its folder is watched for its name). Everything lives in `arena`.
 * Folders that cannot be read are left out: the loader complains of them. False: memory. */
bool mgi_watch_list_domain(struct arena *arena, struct watch_list *list, const char *folder);
bool mgi_watch_list_file(struct arena *arena, struct watch_list *list, const char *path);

struct watch;

/* Watches nothing yet. `changed` is called on the loop. NULL: memory. */
struct watch *mgi_watch_new(uv_loop_t *loop, void (*changed)(void *context), void *context);

/* Watch these instead (nothing that happens in between is missed). How many could not be watched;
 * the last reason in *why (static), if it is not 0. */
size_t mgi_watch_set(struct watch *w, const struct watch_list *list, const char **why);

/* Stop, and free it when the loop has closed its handles. NULL is fine. */
void mgi_watch_close(struct watch *w);

#endif
