/* What one macro-tool is made of now: its chain, safety, schema, window and id, read from the
 * rules. */
#include "intent/intent_int.h"

/* ---- chain and safety --------------------------------------------------------------------- */

static bool read_chain(struct evaluation *ev, const struct tool *tool, struct macro *m)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.chain_step, tool->value, &count);
    uint32_t *steps = mgi_arena_calloc(ev->arena, tool->step_count + 1, sizeof *steps);
    if (!steps)
        return false;
    for (uint32_t i = 0; i < tool->step_count; i++) /* the template says the order */
        for (size_t k = 0; k < count; k++)
            if (str_eq(mgi_ev_text(ev, f[k].args[1]), tool->steps[i].id)) {
                steps[m->step_count++] = i;
                break;
            }
    m->steps = steps;
    return true;
}

static bool read_effects(struct evaluation *ev, const struct tool *tool, struct macro *m)
{
    size_t count;
    const struct mangle_fact *f =
        mgi_ev_match(ev, ev->s->pred.macro_has_side_effect, tool->value, &count);
    struct str *effects = mgi_arena_calloc(ev->arena, count + 1, sizeof *effects);
    if (!effects)
        return false;
    for (size_t i = 0; i < count; i++) { /* sorted, because facts are */
        struct str effect = mgi_ev_text(ev, f[i].args[1]);
        if (effect.len > 0 && !str_is(effect, "none"))
            effects[m->effect_count++] = effect;
    }
    if (m->effect_count == 0)
        effects[m->effect_count++] = STR_LIT("none");
    m->effects = effects;
    return true;
}

static bool holds(struct evaluation *ev, mangle_pred pred, const struct tool *tool)
{
    return pred != MANGLE_NO_PRED && mangle_overlay_holds(ev->overlay, pred, &tool->value);
}

/* ---- schema ------------------------------------------------------------------------------- */

/* What the rules say about parameters of one tool. */
struct narrowing {
    struct evaluation *ev;
    const struct mangle_fact *values, *bound; /* param_value(T, P, V), param_bound(T, P, V) */
    size_t value_count, bound_count;
};

static bool says(const struct narrowing *n, const struct mangle_fact *f, struct str name)
{
    return str_eq(mgi_ev_text(n->ev, f->args[1]), name);
}

static bool is_bound(const struct narrowing *n, struct str name)
{
    for (size_t i = 0; i < n->bound_count; i++)
        if (says(n, &n->bound[i], name))
            return true;
    return false;
}

static bool is_narrowed(const struct narrowing *n, struct str name)
{
    for (size_t i = 0; i < n->value_count; i++)
        if (says(n, &n->values[i], name))
            return true;
    return false;
}

/* A value of the rules as JSON, text included. */
static bool value_json(struct evaluation *ev, mangle_value v, struct json *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_value_to_json(&w, ev->values, v);
    return mgi_json_take(ev->arena, &text, out);
}

static bool among(const struct json *array, const struct json *v)
{
    for (uint32_t i = 0; i < array->count; i++)
        if (mgi_json_equal(&array->items[i], v, false))
            return true;
    return false;
}

/* The values on offer that the schema's own enum (or NULL) allows, as a JSON array. */
static bool offered(const struct narrowing *n, struct str name, const struct json *own,
                    struct json *out)
{
    struct json *items = mgi_arena_calloc(n->ev->arena, n->value_count + 1, sizeof *items);
    if (!items)
        return false;
    *out = (struct json){ .type = JSON_ARRAY, .items = items };
    for (size_t i = 0; i < n->value_count; i++) {
        if (!says(n, &n->values[i], name))
            continue;
        if (!value_json(n->ev, n->values[i].args[2], &items[out->count]))
            return false;
        if ((!own || own->type != JSON_ARRAY || among(own, &items[out->count])) &&
            !(out->count > 0 && mgi_json_equal(&items[out->count - 1], &items[out->count], false)))
            out->count++;
    }
    return true;
}

static void write_enum(struct json_writer *w, const struct json *values)
{
    mgi_jw_key(w, "enum");
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; i < values->count; i++)
        mgi_jw_raw(w, values->items[i].text);
    mgi_jw_end_array(w);
}

/* The property's schema with its enum narrowed; of a list, its items are. */
static bool write_narrowed(const struct narrowing *n, struct json_writer *w, struct str name,
                           const struct json *schema)
{
    const struct json *type = mgi_json_get(schema, "type");
    const struct json *items = mgi_json_get(schema, "items");
    bool is_list = type && type->type == JSON_STRING && str_is(type->string, "array");
    const struct json *target = is_list ? items : schema;
    struct json values;
    if (!offered(n, name, mgi_json_get(target, "enum"), &values))
        return false;
    if (values.count == 0) { /* nothing that the schema allows is on offer: leave it alone */
        mgi_jw_raw(w, schema->text);
        return true;
    }
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; schema->type == JSON_OBJECT && i < schema->count; i++) {
        const struct json_member *m = &schema->members[i];
        bool stale = str_is(m->name, "default") && !is_list && !among(&values, &m->value);
        if (str_is(m->name, is_list ? "items" : "enum") || stale)
            continue;
        mgi_jw_key_str(w, m->name);
        mgi_jw_raw(w, m->value.text);
    }
    if (is_list) {
        mgi_jw_key(w, "items");
        mgi_jw_begin_object(w);
        for (uint32_t i = 0; items && items->type == JSON_OBJECT && i < items->count; i++) {
            if (str_is(items->members[i].name, "enum"))
                continue;
            mgi_jw_key_str(w, items->members[i].name);
            mgi_jw_raw(w, items->members[i].value.text);
        }
        write_enum(w, &values);
        mgi_jw_end_object(w);
    } else {
        write_enum(w, &values);
    }
    mgi_jw_end_object(w);
    return true;
}

static bool write_properties(const struct narrowing *n, struct json_writer *w,
                             const struct json *all)
{
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < all->count; i++) {
        struct str name = all->members[i].name;
        if (is_bound(n, name))
            continue;
        mgi_jw_key_str(w, name);
        if (!is_narrowed(n, name))
            mgi_jw_raw(w, all->members[i].value.text);
        else if (!write_narrowed(n, w, name, &all->members[i].value))
            return false;
    }
    mgi_jw_end_object(w);
    return true;
}

static void write_required(const struct narrowing *n, struct json_writer *w, const struct json *all)
{
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->items[i].type != JSON_STRING || !is_bound(n, all->items[i].string))
            mgi_jw_raw(w, all->items[i].text);
    mgi_jw_end_array(w);
}

static bool write_schema(const struct narrowing *n, struct json_writer *w,
                         const struct json *schema)
{
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < schema->count; i++) {
        const struct json_member *m = &schema->members[i];
        mgi_jw_key_str(w, m->name);
        if (str_is(m->name, "properties") && m->value.type == JSON_OBJECT) {
            if (!write_properties(n, w, &m->value))
                return false;
        } else if (str_is(m->name, "required") && m->value.type == JSON_ARRAY) {
            write_required(n, w, &m->value);
        } else {
            mgi_jw_raw(w, m->value.text);
        }
    }
    mgi_jw_end_object(w);
    return true;
}

static bool read_bound(const struct narrowing *n, struct macro *m)
{
    struct macro_param *bound = mgi_arena_calloc(n->ev->arena, n->bound_count + 1, sizeof *bound);
    if (!bound)
        return false;
    for (size_t i = 0; i < n->bound_count; i++) {
        struct str name = mgi_ev_text(n->ev, n->bound[i].args[1]);
        if (m->bound_count > 0 && str_eq(bound[m->bound_count - 1].name, name))
            continue; /* several values: the first in the order of values */
        struct macro_param *p = &bound[m->bound_count++];
        p->name = name;
        if (!value_json(n->ev, n->bound[i].args[2], &p->value))
            return false;
    }
    m->bound = bound;
    return true;
}

static bool read_schema(struct evaluation *ev, const struct tool *tool, struct macro *m)
{
    struct narrowing n = { .ev = ev };
    n.values = mgi_ev_match(ev, ev->s->pred.param_value, tool->value, &n.value_count);
    n.bound = mgi_ev_match(ev, ev->s->pred.param_bound, tool->value, &n.bound_count);
    m->input_schema = tool->input_schema;
    if (n.value_count + n.bound_count == 0)
        return true;
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    bool ok = read_bound(&n, m) && write_schema(&n, &w, &tool->input_schema) &&
              mgi_json_take(ev->arena, &text, &m->input_schema);
    mgi_buf_fini(&text);
    return ok;
}

/* ---- the whole ---------------------------------------------------------------------------- */

bool mgi_hides_values(const struct evaluation *ev, const struct macro *m)
{
    return m->bound_count > 0 && !mgi_principal_may_ask_why(ev->call->who);
}

bool mgi_compose(struct evaluation *ev, const struct tool *tool, struct macro *out)
{
    const struct interface *p = &ev->s->pred;
    *out = (struct macro){ .tool = tool->name,
                           .intent = ev->request.name,
                           .rules_version = ev->s->rules_version,
                           .requires_confirmation = holds(ev, p->confirm, tool),
                           .reversible = holds(ev, p->macro_reversible, tool),
                           .idempotent = holds(ev, p->macro_idempotent, tool),
                           .not_before_ns = INT64_MIN,
                           .expires_ns = INT64_MAX };
    if (!read_chain(ev, tool, out) || !read_effects(ev, tool, out) || !read_schema(ev, tool, out))
        return false;
    const struct signing_keys *hiding = mgi_hides_values(ev, out) ? ev->call->signing : NULL;
    return mgi_macro_digest(ev->arena, ev->s, ev->digests, out) &&
           mgi_macro_name(ev->arena, hiding, out) && !ev->nomem;
}

enum upgrade { NOT_ASKED, NOT_UPGRADED, UPGRADED };

/* Its id says so, and an id is made of the whole composition. */
static enum upgrade find_upgrade(struct evaluation *ev, const struct tool *tool)
{
    struct macro m;
    if (!mgi_compose(ev, tool, &m)) {
        ev->nomem = true;
        return NOT_UPGRADED;
    }
    for (size_t i = 0; i < ev->upgrade_count; i++)
        if (str_eq(ev->upgrades[i], m.macro_id))
            return UPGRADED;
    return NOT_UPGRADED;
}

bool mgi_is_upgraded(struct evaluation *ev, const struct tool *tool)
{
    if (ev->upgrade_count == 0)
        return false;
    if (!ev->upgraded)
        ev->upgraded = mgi_arena_calloc(ev->arena, ev->s->tool_count, sizeof *ev->upgraded);
    if (!ev->upgraded) {
        ev->nomem = true;
        return false;
    }
    if (ev->upgraded[tool->rank] == NOT_ASKED)
        ev->upgraded[tool->rank] = (uint8_t)find_upgrade(ev, tool);
    return ev->upgraded[tool->rank] == UPGRADED;
}
