/* Patches: see patch.h. The patch's names are in a table, so inputs are walked once. */
#include "select/patch.h"

#include "base/alloc.h"
#include "base/strmap.h"

struct merging {
    const struct json *patch;
    bool *passes, *used; /* by member of the patch */
    struct strmap index; /* name -> member of the patch */
};

static bool is_protected(struct str name)
{
    return mgi_str_starts(name, STR_LIT("_system")) || mgi_str_starts(name, STR_LIT("_queue")) ||
           mgi_str_starts(name, STR_LIT("_meta"));
}

static bool may_pass(struct str name, const struct patch_rules *rules)
{
    if (is_protected(name))
        return false;
    if (!rules->restricted)
        return true;
    for (size_t i = 0; i < rules->allowed_count; i++)
        if (str_eq(name, rules->allowed[i]))
            return true;
    return false;
}

static bool begin_merging(struct merging *m, const struct json *patch,
                          const struct patch_rules *rules)
{
    uint32_t count = patch->type == JSON_OBJECT ? patch->count : 0;
    *m = (struct merging){ .patch = patch };
    mgi_strmap_init(&m->index);
    m->passes = mgi_calloc(count + 1, 2 * sizeof *m->passes);
    if (!m->passes)
        return false;
    m->used = m->passes + count;
    for (uint32_t i = 0; i < count; i++) {
        struct str name = patch->members[i].name;
        m->passes[i] = may_pass(name, rules);
        if (m->passes[i] && !mgi_strmap_put(&m->index, name, i))
            return false;
    }
    return true;
}

static void end_merging(struct merging *m)
{
    mgi_free(m->passes);
    mgi_strmap_fini(&m->index);
}

static void write_merged(struct json_writer *w, struct merging *m, const struct json *inputs)
{
    uint32_t had = inputs->type == JSON_OBJECT ? inputs->count : 0, at;
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < had; i++) {
        const struct json_member *member = &inputs->members[i];
        const struct json *value = &member->value;
        if (mgi_strmap_get(&m->index, member->name, &at)) {
            value = &m->patch->members[at].value;
            m->used[at] = true;
        }
        mgi_jw_key_str(w, member->name);
        mgi_jw_value(w, value);
    }
    for (uint32_t i = 0; m->patch->type == JSON_OBJECT && i < m->patch->count; i++) {
        if (!m->passes[i] || m->used[i])
            continue;
        mgi_jw_key_str(w, m->patch->members[i].name);
        mgi_jw_value(w, &m->patch->members[i].value);
    }
    mgi_jw_end_object(w);
}

/* The names of those that pass, or of those that do not. NULL: memory. */
static const struct str *names(struct arena *into, const struct merging *m, bool passing,
                               size_t *count)
{
    uint32_t all = m->patch->type == JSON_OBJECT ? m->patch->count : 0;
    struct str *list = mgi_arena_calloc(into, all + 1, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; list && i < all; i++) {
        if (m->passes[i] != passing)
            continue;
        struct str name = mgi_arena_str(into, m->patch->members[i].name);
        if (!name.ptr)
            return NULL;
        list[(*count)++] = name;
    }
    return list;
}

static enum patch_status finish(struct arena *into, struct merging *m, struct buf *text,
                                struct patched *out)
{
    struct patched made = { 0 };
    if (text->full)
        return PATCH_TOO_LARGE;
    made.applied = names(into, m, true, &made.applied_count);
    made.dropped = names(into, m, false, &made.dropped_count);
    if (!made.applied || !made.dropped || !mgi_json_take(into, text, &made.inputs))
        return PATCH_NOMEM;
    *out = made;
    return PATCH_OK;
}

enum patch_status mgi_inputs_patch(struct arena *into, const struct json *inputs,
                                   const struct json *patch, const struct patch_rules *rules,
                                   struct patched *out)
{
    struct merging m;
    struct buf text = { .limit = INPUTS_MAX_BYTES };
    enum patch_status status = PATCH_NOMEM;
    if (begin_merging(&m, patch, rules)) {
        struct json_writer w;
        mgi_json_writer_init(&w, &text, 0);
        write_merged(&w, &m, inputs);
        status = finish(into, &m, &text, out);
    }
    mgi_buf_fini(&text);
    end_merging(&m);
    return status;
}
