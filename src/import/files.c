/* Files of an import: see files.h. */
#include "import/files.h"
#include "base/content_hash.h"
#include "base/encode.h"
#include "base/strmap.h"

bool mgi_import_files_take(struct import_files *files, const char *path, struct buf *text,
                           bool once)
{
    struct str kept =
        text->oom ? (struct str){ NULL, 0 } : mgi_arena_str(files->arena, mgi_buf_view(text));
    mgi_buf_fini(text);
    if (!kept.ptr || !path ||
        !mgi_arena_grow(files->arena, &files->items, &files->cap, files->count + 1,
                        sizeof *files->items))
        return false;
    files->items[files->count++] = (struct import_file){ .path = path, .text = kept, .once = once };
    return true;
}

void mgi_import_hash(struct str text, char out[IMPORT_HASH_TEXT])
{
    uint8_t hash[CONTENT_HASH_BYTES];
    mgi_content_hash(text.ptr, text.len, hash);
    mgi_hex(hash, sizeof hash, out);
}

bool mgi_import_record(struct buf *out, const struct import_files *files)
{
    struct json_writer w;
    char hash[IMPORT_HASH_TEXT];
    mgi_json_writer_init(&w, out, 1);
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "version", 1);
    mgi_jw_key(&w, "files");
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < files->count; i++) {
        if (files->items[i].once)
            continue;
        mgi_import_hash(files->items[i].text, hash);
        mgi_jw_key_str(&w, str_of(files->items[i].path));
        mgi_jw_cstring(&w, hash);
    }
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
    return !out->oom;
}

bool mgi_import_path_is_plain(struct str path)
{
    bool good = path.len > 0 && path.len < 200 && path.ptr[0] != '/' && path.ptr[0] != '.';
    for (size_t i = 0; good && i < path.len; i++) {
        char c = path.ptr[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        good = word || c == '_' || c == '-' || c == '/' || c == '.';
        good = good && !(c == '.' && i > 0 && (path.ptr[i - 1] == '.' || path.ptr[i - 1] == '/'));
    }
    return good;
}

static enum import_step step_of(const struct import_file *file, const struct json *recorded,
                                bool is_there, const char *hash)
{
    char own[IMPORT_HASH_TEXT];
    mgi_import_hash(file->text, own);
    if (!is_there)
        return FILE_NEW;
    if (strcmp(own, hash) == 0)
        return FILE_SAME;
    if (file->merged)
        return FILE_CHANGED;
    bool ours =
        !file->once && recorded && recorded->type == JSON_STRING && str_is(recorded->string, hash);
    return ours ? FILE_CHANGED : FILE_KEPT;
}

/* What an earlier import has written, and this one does not. */
static bool plan_rest(struct arena *arena, const struct json *recorded, const struct strmap *known,
                      import_there *there, void *context, struct import_change *changes,
                      size_t *count)
{
    char hash[IMPORT_HASH_TEXT];
    for (uint32_t i = 0; recorded && recorded->type == JSON_OBJECT && i < recorded->count; i++) {
        const struct json_member *m = &recorded->members[i];
        if (mgi_strmap_get(known, m->name, NULL) || !mgi_import_path_is_plain(m->name))
            continue;
        const char *path = mgi_arena_printf(arena, "%.*s", STR_ARG(m->name));
        if (!path)
            return false;
        if (!there(context, path, hash))
            continue;
        bool ours = m->value.type == JSON_STRING && str_is(m->value.string, hash);
        changes[(*count)++] =
            (struct import_change){ .path = path, .step = ours ? FILE_GONE : FILE_KEPT };
    }
    return true;
}

bool mgi_import_plan(struct arena *arena, const struct import_files *files,
                     const struct json *record, import_there *there, void *context,
                     struct import_change **changes, size_t *count)
{
    const struct json *recorded = record ? mgi_json_get(record, "files") : NULL;
    size_t most = files->count + (recorded && recorded->type == JSON_OBJECT ? recorded->count : 0);
    struct strmap known;
    char hash[IMPORT_HASH_TEXT];
    mgi_strmap_init(&known);
    *count = 0;
    *changes = mgi_arena_calloc(arena, most + 1, sizeof **changes);
    bool good = *changes != NULL;
    for (size_t i = 0; good && i < files->count; i++) {
        const struct import_file *file = &files->items[i];
        bool is_there = there(context, file->path, hash);
        const struct json *before = recorded ? mgi_json_get(recorded, file->path) : NULL;
        (*changes)[(*count)++] =
            (struct import_change){ file->path, step_of(file, before, is_there, hash), file };
        good = mgi_strmap_put(&known, str_of(file->path), (uint32_t)i);
    }
    good = good && plan_rest(arena, recorded, &known, there, context, *changes, count);
    mgi_strmap_fini(&known);
    return good;
}
