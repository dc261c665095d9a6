/* tx_patch: see tx_patch.h. */
#include "toolhost/tx_patch.h"

#include "base/encode.h"
#include "sys/digest.h"

/* ---- writing ------------------------------------------------------------------------------ */

struct artifact_texts {
    struct str type, provenance, content;
};

static bool write_reduced(struct json_writer *w, const struct artifact_texts *a)
{
    uint8_t sha[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    if (!mgi_sha256(a->content.ptr, a->content.len, sha))
        return false;
    mgi_hex(sha, sizeof sha, hex);
    mgi_jw_member_str(w, "content_sha256", (struct str){ hex, 2 * SHA256_BYTES });
    return true;
}

static void write_value(struct json_writer *w, const struct artifact_texts *a)
{
    mgi_jw_key(w, "value");
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "type", a->type);
    mgi_jw_member_str(w, "provenance", a->provenance);
    mgi_jw_member_str(w, "content_json", a->content);
    mgi_jw_member_int(w, "size_bytes", (int64_t)a->content.len);
    mgi_jw_end_object(w);
}

/* Members in the order that is sorted for the reduced form: content_sha256, op, path, size_bytes.
 */
static bool write_entry(struct json_writer *w, unsigned n, const char *op,
                        const struct artifact_texts *now, bool reduced)
{
    char path[] = "/slots/0";
    bool good = true;
    path[sizeof path - 2] = (char)('0' + n);
    mgi_jw_begin_object(w);
    if (reduced && now)
        good = write_reduced(w, now);
    mgi_jw_member_cstr(w, "op", op);
    mgi_jw_member_cstr(w, "path", path);
    if (reduced && now)
        mgi_jw_member_int(w, "size_bytes", (int64_t)now->content.len);
    else if (now)
        write_value(w, now);
    mgi_jw_end_object(w);
    return good;
}

bool mgi_tx_patch_write(struct json_writer *w, const struct ds_state *before,
                        const struct ds_state *after, bool reduced)
{
    uint8_t used = mgi_ds_used(before), changed = mgi_ds_changed(before, after);
    bool good = true;
    mgi_jw_begin_array(w);
    for (unsigned n = 0; n < DS_SLOTS; n++) {
        struct artifact_texts now;
        if (!(changed & 1u << n))
            continue;
        bool there = mgi_ds_get(after, n, &now.type, &now.provenance, &now.content);
        const char *op = !there ? "remove" : used & 1u << n ? "replace" : "add";
        good &= write_entry(w, n, op, there ? &now : NULL, reduced);
    }
    mgi_jw_end_array(w);
    return good;
}

/* ---- reading ------------------------------------------------------------------------------ */

static enum ds_result entry_fault(struct arena *arena, struct str *why, uint32_t entry,
                                  const char *text)
{
    char *z = mgi_arena_printf(arena, "entry %u: %s", entry, text);
    if (!z)
        return DS_NOMEM;
    *why = str_of(z);
    return DS_INVALID;
}

static struct str string_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ NULL, 0 };
}

/* "/slots/" and one digit 0 to 7, nothing else. */
static bool slot_of_path(struct str path, unsigned *n)
{
    const struct str head = STR_LIT("/slots/");
    if (path.len != head.len + 1 || !mgi_str_starts(path, head) || path.ptr[head.len] < '0' ||
        path.ptr[head.len] > '7')
        return false;
    *n = (unsigned)(path.ptr[head.len] - '0');
    return true;
}

/* A string member of an artifact; absent and null are the empty string (T-JSON-7). */
static bool text_member(const struct json *object, const char *name, struct str *out)
{
    const struct json *v = mgi_json_get(object, name);
    *out = STR_LIT("");
    if (!v || v->type == JSON_NULL)
        return true;
    if (v->type != JSON_STRING)
        return false;
    *out = v->string;
    return true;
}

static enum ds_result read_value(struct arena *arena, const struct json *entry, uint32_t number,
                                 unsigned slot, struct ds_patch *patch, struct str *why)
{
    const struct json *value = mgi_json_get(entry, "value");
    struct artifact_texts a;
    const char *reason = "";
    if (!value || value->type != JSON_OBJECT)
        return entry_fault(arena, why, number, "value is not an object");
    if (!text_member(value, "type", &a.type) || !text_member(value, "provenance", &a.provenance) ||
        !text_member(value, "content_json", &a.content))
        return entry_fault(arena, why, number, "a member of value is not a string");
    enum ds_result rc =
        mgi_ds_put(&patch->set, slot, a.type, a.provenance, a.content, arena, &reason);
    return rc == DS_OK || rc == DS_NOMEM ? rc : entry_fault(arena, why, number, reason);
}

static enum ds_result read_entry(struct arena *arena, const struct json *entry, uint32_t number,
                                 struct ds_patch *patch, int *last, struct str *why)
{
    unsigned slot;
    if (entry->type != JSON_OBJECT)
        return entry_fault(arena, why, number, "not an object");
    struct str op = string_of(entry, "op");
    if (!op.ptr || (!str_is(op, "add") && !str_is(op, "replace") && !str_is(op, "remove")))
        return entry_fault(arena, why, number, "op is not add, replace or remove");
    struct str path = string_of(entry, "path");
    if (!path.ptr || !slot_of_path(path, &slot))
        return entry_fault(arena, why, number, "path is not /slots/ and one digit 0 to 7");
    if ((int)slot <= *last)
        return entry_fault(arena, why, number, "its slot does not come after the one before");
    *last = (int)slot;
    if (!str_is(op, "remove"))
        return read_value(arena, entry, number, slot, patch, why);
    if (mgi_json_get(entry, "value"))
        return entry_fault(arena, why, number, "remove has no value");
    patch->removed |= (uint8_t)(1u << slot);
    return DS_OK;
}

enum ds_result mgi_tx_patch_read(struct arena *arena, const struct json *value,
                                 struct ds_patch *patch, struct str *why)
{
    enum ds_result rc = DS_OK;
    int last = -1;
    *patch = (struct ds_patch){ .delta = true };
    if (value->type != JSON_ARRAY) {
        *why = STR_LIT("not an array");
        return DS_INVALID;
    }
    for (uint32_t i = 0; i < value->count && rc == DS_OK; i++)
        rc = read_entry(arena, &value->items[i], i, patch, &last, why);
    if (rc != DS_OK)
        mgi_ds_patch_fini(patch);
    return rc;
}
