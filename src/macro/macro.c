/* Macro-tool definitions as JSON for the store. */
#include "macro/macro_int.h"

void mgi_macro_write(struct buf *out, const struct macro *m)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_macro_begin(&w, m);
    mgi_jw_member_str(&w, "macro_id", m->macro_id);
    mgi_jw_member_str(&w, "digest", m->digest);
    mgi_jw_member_str(&w, "tool", m->tool);
    mgi_jw_member_str(&w, "intent", m->intent);
    mgi_jw_member_str(&w, "rules_version", m->rules_version);
    mgi_jw_key(&w, "input_schema");
    mgi_jw_raw(&w, m->input_schema.text);
    mgi_jw_key(&w, "steps");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < m->step_count; i++)
        mgi_jw_int(&w, m->steps[i]);
    mgi_jw_end_array(&w);
    mgi_jw_key(&w, "bound");
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < m->bound_count; i++) {
        mgi_jw_key_str(&w, m->bound[i].name);
        mgi_jw_raw(&w, m->bound[i].value.text);
    }
    mgi_jw_end_object(&w);
    mgi_jw_member_bool(&w, "confirm", m->requires_confirmation);
    mgi_jw_member_strs(&w, "effects", m->effects, m->effect_count);
    mgi_jw_member_bool(&w, "reversible", m->reversible);
    mgi_jw_member_bool(&w, "idempotent", m->idempotent);
    mgi_jw_end_object(&w);
}

/* ---- reading ------------------------------------------------------------------------------ */

static bool get(const struct json *object, const char *name, enum json_type type,
                const struct json **out)
{
    *out = mgi_json_get(object, name);
    return *out && (*out)->type == type;
}

static bool get_text(const struct json *object, const char *name, struct str *out)
{
    const struct json *v;
    if (!get(object, name, JSON_STRING, &v))
        return false;
    *out = v->string;
    return true;
}

static bool get_bool(const struct json *object, const char *name, bool *out)
{
    const struct json *v;
    if (!get(object, name, JSON_BOOL, &v))
        return false;
    *out = v->boolean;
    return true;
}

static bool get_int(const struct json *object, const char *name, int64_t *out)
{
    const struct json *v;
    if (!get(object, name, JSON_INT, &v))
        return false;
    *out = v->integer;
    return true;
}

static bool parse_steps(struct arena *a, const struct json *root, struct macro *out)
{
    const struct json *v;
    if (!get(root, "steps", JSON_ARRAY, &v))
        return false;
    uint32_t *steps = mgi_arena_calloc(a, (size_t)v->count + 1, sizeof *steps);
    for (uint32_t i = 0; steps && i < v->count; i++) {
        if (v->items[i].type != JSON_INT || v->items[i].integer < 0 ||
            v->items[i].integer > UINT32_MAX)
            return false;
        steps[i] = (uint32_t)v->items[i].integer;
    }
    out->steps = steps;
    out->step_count = v->count;
    return steps != NULL;
}

static bool parse_bound(struct arena *a, const struct json *root, struct macro *out)
{
    const struct json *v;
    if (!get(root, "bound", JSON_OBJECT, &v))
        return false;
    struct macro_param *bound = mgi_arena_calloc(a, (size_t)v->count + 1, sizeof *bound);
    for (uint32_t i = 0; bound && i < v->count; i++)
        bound[i] = (struct macro_param){ v->members[i].name, v->members[i].value };
    out->bound = bound;
    out->bound_count = v->count;
    return bound != NULL;
}

static bool parse_effects(struct arena *a, const struct json *root, struct macro *out)
{
    const struct json *v;
    if (!get(root, "effects", JSON_ARRAY, &v))
        return false;
    struct str *effects = mgi_arena_calloc(a, (size_t)v->count + 1, sizeof *effects);
    for (uint32_t i = 0; effects && i < v->count; i++) {
        if (v->items[i].type != JSON_STRING)
            return false;
        effects[i] = v->items[i].string;
    }
    out->effects = effects;
    out->effect_count = v->count;
    return effects != NULL;
}

bool mgi_macro_read(struct arena *arena, struct str text, struct macro *out)
{
    struct json root;
    const struct json *schema;
    *out = (struct macro){ 0 };
    enum json_fault fault = mgi_json_parse(arena, text, NULL, &root, NULL);
    arena->oom |= fault == JSON_NOMEM;
    if (fault != JSON_OK || !get(&root, "input_schema", JSON_OBJECT, &schema))
        return false;
    out->input_schema = *schema;
    get_text(&root, "digest", &out->digest); /* without, it is like no other */
    return get_text(&root, "macro_id", &out->macro_id) && get_text(&root, "tool", &out->tool) &&
           get_text(&root, "intent", &out->intent) &&
           get_text(&root, "rules_version", &out->rules_version) &&
           parse_steps(arena, &root, out) && parse_bound(arena, &root, out) &&
           parse_effects(arena, &root, out) &&
           get_bool(&root, "confirm", &out->requires_confirmation) &&
           get_bool(&root, "reversible", &out->reversible) &&
           get_bool(&root, "idempotent", &out->idempotent) &&
           get_int(&root, "not_before", &out->not_before_ns) &&
           get_int(&root, "expires", &out->expires_ns) && mgi_evidence_read(arena, &root, out);
}
