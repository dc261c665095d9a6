/* Values with their places: a walk that knows where it is, and hides what the rules about these
 * places, and about the facts that it meets, say. */
#include <string.h>

#include "decision/mask_int.h"

static void walk_value(const struct walk *k, const struct json *v);

/* ---- members ------------------------------------------------------------------------------- */

static void write_name(const struct walk *k, struct str name, uint32_t at)
{
    if (!k->search || !mgi_mask_repeats_in(k->m, name)) {
        mgi_jw_key_str(k->w, name);
        return;
    }
    k->m->masked++;
    mgi_mask_hidden_name(k->m, k->w, name, at);
}

/* Of the whole value; one that no tool has may be any. */
static bool is_unknown(const struct walk *k, struct str name)
{
    const struct buf *path = &k->m->path;
    return k->known && path->len > 0 && !memchr(path->ptr + 1, '/', path->len - 1) &&
           !mgi_json_get_str(k->known, name);
}

static void walk_member(const struct walk *k, const struct json_member *member, uint32_t at)
{
    const struct mask_rule *rule = mgi_mask_rule_here(k);
    if (is_unknown(k, member->name)) {
        mgi_mask_unknown_member(k->m, k->w, member, at);
        return;
    }
    if (rule && rule->action == MASK_DROP) {
        k->m->masked++;
        mgi_mask_secrets(k->m, &member->value);
        return;
    }
    write_name(k, member->name, at);
    if (rule)
        mgi_mask_hide(k->m, k->w, rule->action, &member->value);
    else if (k->details && str_is(member->name, "challenge"))
        mgi_jw_string(k->w, mgi_mask_shown);
    else if (k->details && str_is(member->name, "args") && member->value.type == JSON_OBJECT)
        mgi_mask_args(k->m, k->w, k->tool, &member->value);
    else
        walk_value(k, &member->value);
}

/* What has its place, and the rule for it. */
static void walk_place(const struct walk *k, const struct json *v)
{
    const struct mask_rule *rule = mgi_mask_rule_here(k);
    if (rule)
        mgi_mask_hide(k->m, k->w, rule->action, v);
    else
        walk_value(k, v);
}

/* ---- arguments of facts -------------------------------------------------------------------- */

static void write_argument(const struct walk *k, const struct fact_masks *f, int64_t argument,
                           const struct json *v)
{
    const struct mask_rule *rule = mgi_mask_rule_of_argument(f, argument);
    if (f->everything || rule)
        mgi_mask_hide(k->m, k->w, rule ? rule->action : MASK_REPLACE, v);
    else
        walk_place(k, v);
}

static void write_positional(const struct walk *k, const struct fact_masks *f,
                             const struct json *args)
{
    struct buf *path = &k->m->path;
    if (args->type != JSON_ARRAY) {
        mgi_mask_hide(k->m, k->w, MASK_REPLACE, args);
        return;
    }
    mgi_jw_begin_array(k->w);
    for (uint32_t i = 0; i < args->count; i++) {
        size_t before = path->len;
        mgi_json_pointer_index(path, i);
        write_argument(k, f, i, &args->items[i]);
        path->len = before;
    }
    mgi_jw_end_array(k->w);
}

/* By the names that clients use; one that the predicate does not have may be any argument. */
static void write_named(const struct walk *k, const struct fact_masks *f,
                        const struct pred_schema *schema, const struct json *args)
{
    struct buf *path = &k->m->path;
    if (args->type != JSON_OBJECT) {
        mgi_mask_hide(k->m, k->w, MASK_REPLACE, args);
        return;
    }
    mgi_jw_begin_object(k->w);
    for (uint32_t i = 0; i < args->count; i++) {
        const struct json_member *member = &args->members[i];
        size_t before = path->len;
        uint32_t at = 0;
        while (schema && schema->arg_names && at < schema->arity &&
               !str_eq(schema->arg_names[at], member->name))
            at++;
        bool known = schema && schema->arg_names && at < schema->arity;
        if (known) {
            mgi_json_pointer_push(path, member->name);
            mgi_jw_key_str(k->w, member->name);
            write_argument(k, f, at, &member->value);
        } else {
            mgi_mask_hidden_name(k->m, k->w, member->name, i);
            mgi_mask_hide(k->m, k->w, MASK_REPLACE, &member->value);
        }
        path->len = before;
    }
    mgi_jw_end_object(k->w);
}

bool mgi_mask_is_arguments(struct str name)
{
    return str_is(name, "args") || str_is(name, "named_args");
}

void mgi_mask_arguments(const struct walk *k, const struct fact_masks *f, struct str pred,
                        const struct json_member *member)
{
    mgi_jw_key_str(k->w, member->name);
    if (str_is(member->name, "args"))
        write_positional(k, f, &member->value);
    else
        write_named(k, f, mgi_profile_find(&k->m->s->profile, pred), &member->value);
}

/* ---- objects and lists --------------------------------------------------------------------- */

static bool looks_like_a_fact(const struct json *v)
{
    const struct json *pred = mgi_json_get(v, "pred");
    return pred && pred->type == JSON_STRING &&
           (mgi_json_get(v, "args") || mgi_json_get(v, "named_args"));
}

/* An object that looks like a fact, wherever it stands: its arguments by its predicate; but rules
 * about its place come first, and what else it has is masked as if it were no fact. */
static void walk_fact(const struct walk *k, const struct json *fact)
{
    struct str pred = mgi_json_get(fact, "pred")->string;
    struct buf *path = &k->m->path;
    struct fact_masks f = { .rules = NULL };
    f.rules = mgi_masking_of(&k->m->s->masking, MASK_FACTS, pred, &f.count);
    mgi_jw_begin_object(k->w);
    for (uint32_t i = 0; i < fact->count; i++) {
        const struct json_member *member = &fact->members[i];
        size_t before = path->len;
        mgi_json_pointer_push(path, member->name);
        if (mgi_mask_is_arguments(member->name) && !mgi_mask_rule_here(k) &&
            !mgi_mask_stands_for_another(k, &member->value))
            mgi_mask_arguments(k, &f, pred, member);
        else
            walk_member(k, member, i);
        path->len = before;
    }
    mgi_jw_end_object(k->w);
}

static void walk_object(const struct walk *k, const struct json *v)
{
    struct buf *path = &k->m->path;
    if (looks_like_a_fact(v)) {
        walk_fact(k, v);
        return;
    }
    mgi_jw_begin_object(k->w);
    for (uint32_t i = 0; i < v->count; i++) {
        size_t before = path->len;
        mgi_json_pointer_push(path, v->members[i].name);
        walk_member(k, &v->members[i], i);
        path->len = before;
    }
    mgi_jw_end_object(k->w);
}

static void walk_array(const struct walk *k, const struct json *v)
{
    struct buf *path = &k->m->path;
    mgi_jw_begin_array(k->w);
    for (uint32_t i = 0; i < v->count; i++) {
        size_t before = path->len;
        mgi_json_pointer_index(path, i);
        walk_place(k, &v->items[i]);
        path->len = before;
    }
    mgi_jw_end_array(k->w);
}

/* Recursion: JSON_MAX_DEPTH. */
static void walk_value(const struct walk *k, const struct json *v)
{
    if (mgi_mask_stands_for_another(k, v))
        mgi_mask_hide(k->m, k->w, MASK_REPLACE, v);
    else if (v->type == JSON_OBJECT)
        walk_object(k, v);
    else if (v->type == JSON_ARRAY)
        walk_array(k, v);
    else if (v->type == JSON_STRING && k->search)
        mgi_mask_text(k->m, k->w, v->string);
    else if (k->search && mgi_mask_repeats(k->m, v))
        mgi_jw_string(k->w, mgi_mask_shown);
    else
        mgi_jw_value(k->w, v);
}

/* ---- whole values -------------------------------------------------------------------------- */

/* The whole value, which should be an object. Paths begin at it, wherever it stands. */
static void walk_whole(struct walk k, const struct json *v)
{
    struct mask *m = k.m;
    struct buf outer = m->path;
    if (!mgi_masks_anything(m) || v->type == JSON_NULL) {
        mgi_mask_pass(k.w, v);
        return;
    }
    if (v->type != JSON_OBJECT) {
        mgi_mask_hide(m, k.w, MASK_REPLACE, v);
        return;
    }
    m->path = (struct buf){ 0 };
    walk_value(&k, v);
    k.w->out->oom |= m->path.oom; /* a path that is not whole matches nothing */
    mgi_buf_fini(&m->path);
    m->path = outer;
}

void mgi_mask_params(struct mask *m, struct json_writer *w, const struct json *params)
{
    struct walk k = { .m = m, .w = w };
    k.rules = mgi_masking_at(&m->s->masking, MASK_PARAMS, &k.rule_count);
    walk_whole(k, params);
}

/* tool NULL: not known, so that those of all tools hold. */
static void rules_of_tool(struct walk *k, enum mask_place place, const struct tool *tool)
{
    const struct masking *all = &k->m->s->masking;
    k->rules = tool ? mgi_masking_of(all, place, tool->name, &k->rule_count)
                    : mgi_masking_at(all, place, &k->rule_count);
}

void mgi_mask_args(struct mask *m, struct json_writer *w, const struct tool *tool,
                   const struct json *args)
{
    struct walk k = { .m = m, .w = w };
    k.known = tool ? mgi_json_get(&tool->input_schema, "properties") : NULL;
    rules_of_tool(&k, MASK_ARGUMENTS, tool);
    walk_whole(k, args);
}

void mgi_mask_result(struct mask *m, struct json_writer *w, const struct tool *tool,
                     const struct json *result)
{
    struct walk k = { .m = m, .w = w, .search = true };
    rules_of_tool(&k, MASK_RESULTS, tool);
    walk_whole(k, result);
}

void mgi_mask_details(struct mask *m, struct json_writer *w, const struct tool *tool,
                      const struct json *details)
{
    struct walk k = { .m = m, .w = w, .search = true, .details = true, .tool = tool };
    walk_value(&k, details);
}
