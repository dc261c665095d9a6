/* Folders of the suite's domain with something changed (variants.h). */
#include "conformance/variants.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#define DEPTH 16 /* descriptors while a folder is removed */

bool mgi_variant_possible(const char *const *command)
{
    for (; command && *command; command++)
        if (strcmp(*command, VARIANT_WORD) == 0)
            return true;
    return false;
}

const char *const *mgi_variant_command(struct arena *arena, const char *const *command,
                                       const char *folder)
{
    size_t count = 0;
    while (command[count])
        count++;
    const char **words = mgi_arena_calloc(arena, count + 1, sizeof *words);
    for (size_t i = 0; words && i < count; i++)
        words[i] = strcmp(command[i], VARIANT_WORD) == 0 ? folder : command[i];
    return words;
}

/* ---- edits ----------------------------------------------------------------------------------- */

static bool read_whole(const char *path, struct buf *out)
{
    char chunk[4096];
    size_t got;
    FILE *file = fopen(path, "rb");
    while (file && (got = fread(chunk, 1, sizeof chunk, file)) > 0)
        mgi_buf_append(out, chunk, got);
    if (file)
        fclose(file);
    return !out->oom;
}

static bool write_whole(const char *path, const struct buf *text)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text->ptr ? text->ptr : "", 1, text->len, file) == text->len;
    if (file)
        good = fclose(file) == 0 && good;
    return good;
}

static void put_text(struct buf *out, const struct edit *e)
{
    const char *place = e->rows ? strstr(e->text, "%u") : NULL;
    if (!place)
        mgi_buf_puts(out, e->text);
    for (unsigned i = 0; place && i < e->rows; i++)
        mgi_buf_printf(out, "%.*s%u%s", (int)(place - e->text), e->text, i, place + 2);
}

/* False: the text is not there. */
static bool exchange(struct buf *out, const struct buf *old, const struct edit *e)
{
    size_t at = e->find[0] ? mgi_str_find(mgi_buf_view(old), str_of(e->find)) : old->len;
    if (at == SIZE_MAX)
        return false;
    mgi_buf_append(out, old->ptr ? old->ptr : "", at);
    put_text(out, e);
    size_t behind = at + strlen(e->find);
    if (behind < old->len)
        mgi_buf_append(out, old->ptr + behind, old->len - behind);
    return true;
}

static bool apply(const char *folder, const struct edit *e, struct buf *why)
{
    struct buf path = { 0 }, old = { 0 }, text = { 0 };
    mgi_buf_printf(&path, "%s/%s", folder, e->path);
    bool good = !path.oom && (!e->find || read_whole(path.ptr, &old));
    if (good && e->find)
        good = exchange(&text, &old, e);
    else if (good)
        put_text(&text, e);
    good = good && !text.oom && write_whole(path.ptr, &text);
    if (!good)
        mgi_buf_printf(why, "%s/%s could not be changed", folder, e->path);
    mgi_buf_fini(&path);
    mgi_buf_fini(&old);
    mgi_buf_fini(&text);
    return good;
}

/* ---- folders --------------------------------------------------------------------------------- */

const char *mgi_variant_write(struct arena *arena, const struct variant *variant, struct buf *why)
{
    char *folder = mgi_arena_strdup(arena, "/tmp/manglecp-suite-XXXXXX");
    if (!folder)
        return NULL;
    if (!mkdtemp(folder)) {
        mgi_buf_printf(why, "%s: %s", folder, strerror(errno));
        return NULL;
    }
    bool good = mgi_conformance_write_domain(folder, why);
    for (const struct edit *e = variant ? variant->edits : NULL; good && e && e->path; e++)
        good = apply(folder, e, why);
    if (good)
        return folder;
    mgi_variant_remove(folder);
    return NULL;
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *at)
{
    (void)stat;
    (void)type;
    (void)at;
    (void)remove(path);
    return 0;
}

void mgi_variant_remove(const char *folder)
{
    if (folder)
        (void)nftw(folder, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
}
