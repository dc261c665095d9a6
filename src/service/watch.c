/* Watching folders: see the header.
 *
 *     event ──> settling (SETTLE_MS since the last, MOST_MS since the first) ──> changed
 *
 * A set is an array of handles that is closed as a whole; a new one is started before the old one
 * is closed, because a folder that was replaced has another inode under the same name. */
#include "service/watch.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"

#define FOLDER_DEPTH 8 /* as deep as the loader looks */

static const char *const read_folders[] = { "rules",  "facts",   "tools", "skills", "plugins",
                                            "tables", "actions", "api",   "openapi" };
#define READ_FOLDERS (sizeof read_folders / sizeof *read_folders)

/* ---- the list ------------------------------------------------------------------------------ */

static bool is_listed(const struct watch_list *list, const char *path, enum watch_names names,
                      const char *one)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct watch_folder *f = &list->items[i];
        if (f->names == names && strcmp(f->path, path) == 0 &&
            (f->one == one || (f->one && one && strcmp(f->one, one) == 0)))
            return true;
    }
    return false;
}

static bool add_folder(struct arena *a, struct watch_list *list, const char *path,
                       enum watch_names names, const char *one)
{
    if (is_listed(list, path, names, one))
        return true;
    if (list->count >= WATCH_FOLDERS_MAX) {
        list->full = true;
        return true;
    }
    if (!mgi_arena_grow(a, &list->items, &list->cap, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = (struct watch_folder){ path, names, one };
    return true;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A folder and those below it; links to folders are not followed, as the loader does not. */
static bool add_tree(struct arena *a, struct watch_list *list, const char *path, int depth)
{
    DIR *dir = opendir(path);
    if (!dir)
        return true;
    bool ok = add_folder(a, list, path, WATCH_ALL, NULL);
    for (struct dirent *e; ok && !list->full && depth < FOLDER_DEPTH && (e = readdir(dir));) {
        if (e->d_name[0] == '.' || (e->d_type != DT_DIR && e->d_type != DT_UNKNOWN))
            continue;
        char *below = mgi_arena_printf(a, "%s/%s", path, e->d_name);
        struct stat st;
        ok = below != NULL;
        if (ok && lstat(below, &st) == 0 && S_ISDIR(st.st_mode))
            ok = add_tree(a, list, below, depth + 1);
    }
    (void)closedir(dir);
    return ok;
}

bool mgi_watch_list_domain(struct arena *arena, struct watch_list *list, const char *folder)
{
    bool ok = !is_folder(folder) || add_folder(arena, list, folder, WATCH_DOMAIN, NULL);
    for (size_t i = 0; ok && i < READ_FOLDERS; i++) {
        char *path = mgi_arena_printf(arena, "%s/%s", folder, read_folders[i]);
        ok = path && add_tree(arena, list, path, 0);
    }
    return ok;
}

bool mgi_watch_list_file(struct arena *arena, struct watch_list *list, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return add_folder(arena, list, ".", WATCH_ONE, path);
    struct str folder = { path, slash == path ? 1 : (size_t)(slash - path) };
    folder = mgi_arena_str(arena, folder);
    return folder.ptr && add_folder(arena, list, folder.ptr, WATCH_ONE, slash + 1);
}

/* ---- watching ------------------------------------------------------------------------------ */

struct watch_set;

struct watched {
    uv_fs_event_t handle;
    struct watch_set *set;
    enum watch_names names;
    const char *one; /* in `texts` of the set */
};

struct watch_set {
    struct watch *watch;
    struct arena texts;
    size_t count; /* started */
    size_t open;  /* not closed yet */
    struct watched items[];
};

struct watch {
    uv_loop_t *loop;
    uv_timer_t timer;
    int64_t since_ms; /* the first event of this change; -1: none */
    struct watch_set *set;
    void (*changed)(void *context);
    void *context;
};

static bool is_temporary(const char *name)
{
    struct str s = str_of(name);
    return name[0] == '.' || mgi_str_ends(s, STR_LIT("~")) || mgi_str_ends(s, STR_LIT(".swp")) ||
           mgi_str_ends(s, STR_LIT(".tmp"));
}

/* A name in a folder changed: does the loader read it? Where files are links into a folder that is
 * exchanged as a whole, that is "..data". */
static bool counts(const struct watched *w, const char *name)
{
    if (!name || strcmp(name, "..data") == 0)
        return true;
    switch (w->names) {
    case WATCH_ONE:
        return strcmp(name, w->one) == 0;
    case WATCH_ALL:
        return !is_temporary(name);
    case WATCH_DOMAIN:
        break;
    }
    for (size_t i = 0; i < READ_FOLDERS; i++)
        if (strcmp(name, read_folders[i]) == 0)
            return true;
    return strcmp(name, "domain.yaml") == 0;
}

static void settled(uv_timer_t *timer)
{
    struct watch *w = timer->data;
    w->since_ms = -1;
    w->changed(w->context);
}

static void happened(uv_fs_event_t *handle, const char *name, int events, int status)
{
    (void)events, (void)status;
    struct watched *watched = handle->data;
    struct watch *w = watched->set->watch;
    if (!w || !counts(watched, name))
        return;
    int64_t now = (int64_t)uv_now(w->loop);
    if (w->since_ms < 0)
        w->since_ms = now;
    int64_t left = w->since_ms + WATCH_MOST_MS - now;
    uint64_t wait = left < WATCH_SETTLE_MS ? (uint64_t)(left > 0 ? left : 0) : WATCH_SETTLE_MS;
    (void)uv_timer_start(&w->timer, settled, wait, 0);
}

static void set_free(struct watch_set *set)
{
    mgi_arena_fini(&set->texts);
    mgi_free(set);
}

static void one_closed(uv_handle_t *handle)
{
    struct watch_set *set = ((struct watched *)handle->data)->set;
    if (--set->open == 0)
        set_free(set);
}

static void set_close(struct watch_set *set)
{
    if (!set)
        return;
    set->watch = NULL;
    if (set->open == 0) {
        set_free(set);
        return;
    }
    for (size_t i = 0; i < set->count; i++)
        uv_close((uv_handle_t *)&set->items[i].handle, one_closed);
}

struct watch *mgi_watch_new(uv_loop_t *loop, void (*changed)(void *context), void *context)
{
    struct watch *w = mgi_calloc(1, sizeof *w);
    if (!w)
        return NULL;
    *w = (struct watch){ .loop = loop, .since_ms = -1, .changed = changed, .context = context };
    if (uv_timer_init(loop, &w->timer) != 0) {
        mgi_free(w);
        return NULL;
    }
    w->timer.data = w;
    uv_unref((uv_handle_t *)&w->timer);
    return w;
}

/* 0, or why this folder is not watched. */
static int start_one(struct watch *w, struct watch_set *set, const struct watch_folder *folder)
{
    struct watched *one = &set->items[set->count];
    *one = (struct watched){ .set = set, .names = folder->names };
    if (folder->one && !(one->one = mgi_arena_strdup(&set->texts, folder->one)))
        return UV_ENOMEM;
    int rc = uv_fs_event_init(w->loop, &one->handle);
    if (rc != 0)
        return rc;
    one->handle.data = one;
    uv_unref((uv_handle_t *)&one->handle);
    set->count++; /* it is initialised: it must be closed, whatever happens */
    set->open++;
    return uv_fs_event_start(&one->handle, happened, folder->path, 0);
}

size_t mgi_watch_set(struct watch *w, const struct watch_list *list, const char **why)
{
    size_t failed = 0;
    struct watch_set *set = mgi_calloc(1, sizeof *set + list->count * sizeof *set->items);
    *why = "out of memory";
    if (!set)
        return list->count;
    set->watch = w;
    mgi_arena_init(&set->texts, 0);
    for (size_t i = 0; i < list->count; i++) {
        int rc = start_one(w, set, &list->items[i]);
        if (rc != 0) {
            *why = rc == UV_ENOSPC ? "the kernel watches no more (fs.inotify.max_user_watches)"
                                   : uv_strerror(rc);
            failed++;
        }
    }
    set_close(w->set);
    w->set = set;
    return failed;
}

static void timer_closed(uv_handle_t *handle)
{
    mgi_free(handle->data);
}

void mgi_watch_close(struct watch *w)
{
    if (!w)
        return;
    set_close(w->set);
    uv_close((uv_handle_t *)&w->timer, timer_closed);
}
