/* The working state: see state.h. */
#include "toolhost/state.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "sys/digest.h"
#include "base/encode.h"

struct ds_artifact {
    unsigned refs;
    bool has_sha;
    uint8_t sha[SHA256_BYTES]; /* of the content; made when a digest is first asked for */
    struct str type, provenance, content; /* into the bytes behind this struct */
};

/* ---- artifacts ---------------------------------------------------------------------------- */

static void artifact_unref(struct ds_artifact *a)
{
    if (a && --a->refs == 0)
        mgi_free(a);
}

static char *append_bytes(char *at, struct str s, struct str *copy)
{
    if (s.len)
        memcpy(at, s.ptr, s.len);
    *copy = (struct str){ at, s.len };
    return at + s.len;
}

/* The three lengths are checked already, so their sum is small. */
static struct ds_artifact *artifact_new(struct str type, struct str provenance, struct str content)
{
    size_t text = type.len + provenance.len + content.len;
    struct ds_artifact *a = mgi_alloc(sizeof *a + text);
    if (!a)
        return NULL;
    memset(a, 0, sizeof *a);
    a->refs = 1;
    char *at = (char *)(a + 1);
    at = append_bytes(at, type, &a->type);
    at = append_bytes(at, provenance, &a->provenance);
    append_bytes(at, content, &a->content);
    return a;
}

static bool artifact_is(const struct ds_artifact *a, struct str type, struct str provenance,
                        struct str content)
{
    return a && str_eq(a->type, type) && str_eq(a->provenance, provenance) &&
           str_eq(a->content, content);
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

/* A tag takes part in the digest between ':' and '|', so neither may stand where it would make two
 * states look alike (T-STATE-17). */
static bool tag_is_sound(struct str tag, const char *forbidden)
{
    for (size_t at = 0; at < tag.len;) {
        uint32_t code = mgi_utf8_next(tag, &at);
        if (code == UINT32_MAX || is_control(code))
            return false;
        if (code < 0x80 && strchr(forbidden, (int)code))
            return false;
    }
    return true;
}

static enum ds_result content_check(struct str content, struct arena *scratch)
{
    if (content.len == 0)
        return DS_OK;
    struct arena_mark mark = mgi_arena_mark(scratch);
    struct json value;
    enum json_fault fault = mgi_json_parse(scratch, content, NULL, &value, NULL);
    mgi_arena_rewind(scratch, mark);
    if (fault == JSON_NOMEM)
        return DS_NOMEM;
    return fault == JSON_OK ? DS_OK : DS_INVALID;
}

static enum ds_result artifact_check(struct str type, struct str provenance, struct str content,
                                     struct arena *scratch, const char **why)
{
    *why = "type is longer than 128 bytes";
    if (type.len > MAX_TYPE_BYTES)
        return DS_LIMIT;
    *why = "provenance is longer than 256 bytes";
    if (provenance.len > MAX_PROVENANCE_BYTES)
        return DS_LIMIT;
    *why = "too large";
    if (content.len > MAX_CONTENT_BYTES)
        return DS_LIMIT;
    *why = "type holds ':', '|' or a control character";
    if (!tag_is_sound(type, ":|"))
        return DS_INVALID;
    *why = "provenance holds '|' or a control character";
    if (!tag_is_sound(provenance, "|"))
        return DS_INVALID;
    *why = "content_json is not one JSON text";
    return content_check(content, scratch);
}

/* ---- states ------------------------------------------------------------------------------- */

void mgi_ds_fini(struct ds_state *s)
{
    for (unsigned n = 0; n < DS_SLOTS; n++)
        mgi_ds_del(s, n);
}

void mgi_ds_copy(struct ds_state *to, const struct ds_state *from)
{
    for (unsigned n = 0; n < DS_SLOTS; n++) {
        struct ds_artifact *old = to->slot[n];
        to->slot[n] = from->slot[n];
        if (to->slot[n])
            to->slot[n]->refs++;
        artifact_unref(old);
    }
}

bool mgi_ds_get(const struct ds_state *s, unsigned n, struct str *type, struct str *provenance,
                struct str *content)
{
    const struct ds_artifact *a = s->slot[n];
    if (!a)
        return false;
    *type = a->type;
    *provenance = a->provenance;
    *content = a->content;
    return true;
}

enum ds_result mgi_ds_put(struct ds_state *s, unsigned n, struct str type, struct str provenance,
                          struct str content, struct arena *scratch, const char **why)
{
    const char *unused;
    enum ds_result rc = artifact_check(type, provenance, content, scratch, why ? why : &unused);
    if (rc != DS_OK)
        return rc;
    struct ds_artifact *a = artifact_new(type, provenance, content);
    if (!a)
        return DS_NOMEM;
    artifact_unref(s->slot[n]);
    s->slot[n] = a;
    return DS_OK;
}

void mgi_ds_del(struct ds_state *s, unsigned n)
{
    artifact_unref(s->slot[n]);
    s->slot[n] = NULL;
}

bool mgi_ds_share(struct ds_state *s, unsigned n, const struct ds_state *from, struct str type,
                  struct str provenance, struct str content)
{
    struct ds_artifact *a = from->slot[n];
    if (!artifact_is(a, type, provenance, content))
        return false;
    a->refs++;
    artifact_unref(s->slot[n]);
    s->slot[n] = a;
    return true;
}

static uint8_t slot_bit(unsigned n)
{
    return (uint8_t)(1u << n);
}

uint8_t mgi_ds_used(const struct ds_state *s)
{
    uint8_t mask = 0;
    for (unsigned n = 0; n < DS_SLOTS; n++)
        if (s->slot[n])
            mask |= slot_bit(n);
    return mask;
}

uint8_t mgi_ds_changed(const struct ds_state *before, const struct ds_state *after)
{
    uint8_t mask = 0;
    for (unsigned n = 0; n < DS_SLOTS; n++) {
        const struct ds_artifact *a = before->slot[n], *b = after->slot[n];
        if (a == b)
            continue;
        if (!a || !b || !artifact_is(a, b->type, b->provenance, b->content))
            mask |= slot_bit(n);
    }
    return mask;
}

/* ---- reading a request -------------------------------------------------------------------- */

static enum ds_result patch_fault(struct arena *arena, struct str *why, const char *format,
                                  struct str key, const char *text)
{
    char *z = mgi_arena_printf(arena, format, STR_ARG(key), text);
    if (!z)
        return DS_NOMEM;
    *why = str_of(z);
    return DS_INVALID;
}

/* A slot key is one digit and nothing else (T-STATE-1). */
static bool slot_of_key(struct str key, unsigned *n)
{
    if (key.len != 1 || key.ptr[0] < '0' || key.ptr[0] > '7')
        return false;
    *n = (unsigned)(key.ptr[0] - '0');
    return true;
}

/* A string member of an artifact; absent and null are the empty string (T-JSON-7). */
static bool string_member(const struct json *object, const char *name, struct str *out)
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

static enum ds_result read_slot(struct arena *arena, const struct json_member *m,
                                struct ds_patch *patch, struct str *why)
{
    unsigned n;
    struct str type, provenance, content;
    if (!slot_of_key(m->name, &n))
        return patch_fault(arena, why, "slot %.*s%s", mgi_utf8_prefix(m->name, 256), "");
    if (m->value.type != JSON_OBJECT)
        return patch_fault(arena, why, "slot %.*s %s", m->name, "is not an object");
    if (!string_member(&m->value, "type", &type))
        return patch_fault(arena, why, "slot %.*s %s", m->name, "type is not a string");
    if (!string_member(&m->value, "provenance", &provenance))
        return patch_fault(arena, why, "slot %.*s %s", m->name, "provenance is not a string");
    if (!string_member(&m->value, "content_json", &content))
        return patch_fault(arena, why, "slot %.*s %s", m->name, "content_json is not a string");
    const char *reason = "";
    enum ds_result rc = mgi_ds_put(&patch->set, n, type, provenance, content, arena, &reason);
    if (rc == DS_OK || rc == DS_NOMEM)
        return rc;
    return patch_fault(arena, why, "slot %.*s %s", m->name, reason);
}

static enum ds_result read_slots(struct arena *arena, const struct json *slots,
                                 struct ds_patch *patch, struct str *why)
{
    if (!slots || slots->type == JSON_NULL)
        return DS_OK;
    if (slots->type != JSON_OBJECT)
        return patch_fault(arena, why, "%.*s%s", STR_LIT("slots is not an object"), "");
    for (uint32_t i = 0; i < slots->count; i++) {
        enum ds_result rc = read_slot(arena, &slots->members[i], patch, why);
        if (rc != DS_OK)
            return rc;
    }
    return DS_OK;
}

static enum ds_result read_removed(struct arena *arena, const struct json *list,
                                   struct ds_patch *patch, struct str *why)
{
    if (!list || list->type == JSON_NULL)
        return DS_OK;
    if (list->type != JSON_ARRAY)
        return patch_fault(arena, why, "%.*s%s", STR_LIT("removed_slots is not an array"), "");
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json *v = &list->items[i];
        if (v->type != JSON_INT || v->integer < 0 || v->integer >= DS_SLOTS)
            return patch_fault(arena, why, "%.*s%s",
                               STR_LIT("removed_slots holds something else than 0 to 7"), "");
        uint8_t bit = slot_bit((unsigned)v->integer);
        if (patch->removed & bit)
            return patch_fault(arena, why, "slot %.*s %s", v->text, "removed twice");
        patch->removed |= bit;
        if (patch->set.slot[v->integer])
            return patch_fault(arena, why, "slot %.*s %s", v->text, "both set and removed");
    }
    return DS_OK;
}

static enum ds_result read_form(struct arena *arena, const struct json *value,
                                struct ds_patch *patch, struct str *why)
{
    const struct json *delta = mgi_json_get(value, "delta");
    const struct json *base = mgi_json_get(value, "base");
    if (delta && delta->type != JSON_BOOL && delta->type != JSON_NULL)
        return patch_fault(arena, why, "%.*s%s", STR_LIT("delta is not a boolean"), "");
    patch->delta = delta && delta->type == JSON_BOOL && delta->boolean;
    if (!patch->delta || !base || base->type == JSON_NULL)
        return DS_OK;
    if (base->type != JSON_STRING)
        return patch_fault(arena, why, "%.*s%s", STR_LIT("base is not a string"), "");
    patch->has_base = true;
    patch->base = base->string;
    return DS_OK;
}

enum ds_result mgi_ds_patch_read(struct arena *arena, const struct json *value,
                                 struct ds_patch *patch, struct str *why)
{
    *patch = (struct ds_patch){ 0 };
    if (value->type != JSON_OBJECT)
        return patch_fault(arena, why, "%.*s%s", STR_LIT("not an object"), "");
    enum ds_result rc = read_form(arena, value, patch, why);
    if (rc == DS_OK)
        rc = read_slots(arena, mgi_json_get(value, "slots"), patch, why);
    if (rc == DS_OK && patch->delta) /* a full form removes all that it does not set */
        rc = read_removed(arena, mgi_json_get(value, "removed_slots"), patch, why);
    if (rc != DS_OK)
        mgi_ds_patch_fini(patch);
    return rc;
}

void mgi_ds_patch_apply(struct ds_state *s, const struct ds_patch *patch)
{
    for (unsigned n = 0; n < DS_SLOTS; n++) {
        struct ds_artifact *a = patch->set.slot[n];
        if (!a && patch->delta && !(patch->removed & slot_bit(n)))
            continue; /* named in neither: it keeps its content */
        if (a)
            a->refs++;
        artifact_unref(s->slot[n]);
        s->slot[n] = a;
    }
}

void mgi_ds_patch_fini(struct ds_patch *patch)
{
    mgi_ds_fini(&patch->set);
}

/* ---- digest and output -------------------------------------------------------------------- */

static bool artifact_sha(struct ds_artifact *a)
{
    if (!a->has_sha)
        a->has_sha = mgi_sha256(a->content.ptr, a->content.len, a->sha);
    return a->has_sha;
}

/* The text that both digests are made of, piece by piece. False: no memory for a SHA-256. */
static bool each_digest_piece(const struct ds_state *s,
                              void (*add)(void *sum, const void *bytes, size_t len), void *sum)
{
    bool ok = true;
    for (unsigned n = 0; n < DS_SLOTS; n++) {
        struct ds_artifact *a = s->slot[n];
        if (!a)
            continue;
        char head[8], tail[32 + 2 * SHA256_BYTES];
        ok = artifact_sha(a) && ok;
        int head_len = snprintf(head, sizeof head, "%u:", n);
        int tail_len = snprintf(tail, sizeof tail, ":%zu:", a->content.len);
        mgi_hex(a->sha, SHA256_BYTES, tail + tail_len);
        add(sum, head, (size_t)head_len);
        add(sum, a->type.ptr, a->type.len);
        add(sum, ":", 1);
        add(sum, a->provenance.ptr, a->provenance.len);
        add(sum, tail, (size_t)tail_len + 2 * SHA256_BYTES);
        add(sum, "|", 1);
    }
    return ok;
}

static void add_to_sha(void *sum, const void *bytes, size_t len)
{
    mgi_sha256_add(sum, bytes, len);
}

bool mgi_ds_digest(const struct ds_state *s, char out[65])
{
    struct sha256 *h = mgi_sha256_new();
    if (!h)
        return false;
    bool ok = each_digest_piece(s, add_to_sha, h);
    uint8_t sum[SHA256_BYTES];
    ok = mgi_sha256_end(h, sum) && ok;
    if (ok)
        mgi_hex(sum, sizeof sum, out);
    return ok;
}

/* FNV-1a, from a basis that is not the published one: see T-STATE-16. */
#define FNV_BASIS UINT64_C(1469598103934665603)
#define FNV_PRIME UINT64_C(1099511628211)

static void add_to_fnv(void *sum, const void *bytes, size_t len)
{
    uint64_t h = *(uint64_t *)sum;
    for (size_t i = 0; i < len; i++)
        h = (h ^ ((const unsigned char *)bytes)[i]) * FNV_PRIME;
    *(uint64_t *)sum = h;
}

bool mgi_ds_digest_fast(const struct ds_state *s, char out[17])
{
    uint64_t sum = FNV_BASIS;
    if (!each_digest_piece(s, add_to_fnv, &sum))
        return false;
    snprintf(out, 17, "%016llx", (unsigned long long)sum);
    return true;
}

static void write_slots(struct json_writer *w, const struct ds_state *s, uint8_t mask)
{
    mgi_jw_key(w, "slots");
    mgi_jw_begin_object(w);
    for (unsigned n = 0; n < DS_SLOTS; n++) {
        const struct ds_artifact *a = s->slot[n];
        if (!a || !(mask & slot_bit(n)))
            continue;
        const char key[2] = { (char)('0' + n), '\0' };
        mgi_jw_key(w, key);
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "type", a->type);
        mgi_jw_member_str(w, "provenance", a->provenance);
        mgi_jw_member_str(w, "content_json", a->content);
        mgi_jw_member_int(w, "size_bytes", (int64_t)a->content.len);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
}

void mgi_ds_write_full(struct json_writer *w, const struct ds_state *s)
{
    mgi_jw_begin_object(w);
    write_slots(w, s, 0xff);
    mgi_jw_end_object(w);
}

void mgi_ds_write_delta(struct json_writer *w, const struct ds_state *s, uint8_t mask)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "delta", true);
    write_slots(w, s, mask);
    mgi_jw_key(w, "removed_slots");
    mgi_jw_begin_array(w);
    for (unsigned n = 0; n < DS_SLOTS; n++)
        if (!s->slot[n] && (mask & slot_bit(n)))
            mgi_jw_int(w, n);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}
