/* Time zones from a folder of TZif files. Zones are read when first asked for and kept until the
 * folder is freed, so that what was found may be borrowed; a lock lets all threads share them.
 *
 * Names that are not there are not remembered: they may come from requests, and there is no end of
 * them. Names have no dots (mgi_zone_name_ok), so none leads out of the folder. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "mangle/value/zone.h"

#define MAX_ZONE_BYTES ((size_t)1 << 20) /* the largest of IANA's has 4 KiB */

struct kept_zone {
    struct kept_zone *next;
    mangle_zone *zone;
    char name[]; /* ended by NUL */
};

struct mangle_zone_folder {
    pthread_mutex_t lock; /* over kept */
    struct kept_zone *kept;
    char path[];
};

mangle_zone_folder *mangle_zone_folder_new(const char *path)
{
    size_t size = strlen(path) + 1;
    mangle_zone_folder *f = mgi_alloc(sizeof *f + size);
    if (!f)
        return NULL;
    memcpy(f->path, path, size);
    f->kept = NULL;
    if (pthread_mutex_init(&f->lock, NULL) != 0) {
        mgi_free(f);
        return NULL;
    }
    return f;
}

void mangle_zone_folder_free(mangle_zone_folder *folder)
{
    if (!folder)
        return;
    while (folder->kept) {
        struct kept_zone *next = folder->kept->next;
        mangle_zone_free(folder->kept->zone);
        mgi_free(folder->kept);
        folder->kept = next;
    }
    pthread_mutex_destroy(&folder->lock);
    mgi_free(folder);
}

static mangle_zone *read_zone(const char *path)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    struct buf bytes = { .limit = MAX_ZONE_BYTES };
    char block[4096];
    size_t n;
    while (!bytes.oom && (n = fread(block, 1, sizeof block, file)) > 0)
        mgi_buf_append(&bytes, block, n);
    bool whole = !bytes.oom && !ferror(file);
    fclose(file);
    mangle_zone *zone = whole && bytes.len ? mangle_zone_new(bytes.ptr, bytes.len) : NULL;
    mgi_buf_fini(&bytes);
    return zone;
}

static struct kept_zone *load_zone(const mangle_zone_folder *folder, struct str name)
{
    struct buf path = { 0 };
    mgi_buf_printf(&path, "%s/%.*s", folder->path, STR_ARG(name));
    mangle_zone *zone = path.oom ? NULL : read_zone(path.ptr);
    mgi_buf_fini(&path);
    struct kept_zone *kept = zone ? mgi_alloc(sizeof *kept + name.len + 1) : NULL;
    if (!kept) {
        mangle_zone_free(zone);
        return NULL;
    }
    kept->next = NULL;
    kept->zone = zone;
    memcpy(kept->name, name.ptr, name.len);
    kept->name[name.len] = '\0';
    return kept;
}

static const mangle_zone *find_in_folder(void *context, const char *name, size_t len)
{
    mangle_zone_folder *folder = context;
    struct str wanted = { name, len };
    if (!mgi_zone_name_ok(wanted))
        return NULL;
    pthread_mutex_lock(&folder->lock);
    struct kept_zone *kept = folder->kept;
    while (kept && !str_is(wanted, kept->name))
        kept = kept->next;
    if (!kept && (kept = load_zone(folder, wanted)) != NULL) {
        kept->next = folder->kept;
        folder->kept = kept;
    }
    pthread_mutex_unlock(&folder->lock);
    return kept ? kept->zone : NULL;
}

struct mangle_zone_source mangle_zone_folder_source(mangle_zone_folder *folder)
{
    return (struct mangle_zone_source){ find_in_folder, folder };
}
