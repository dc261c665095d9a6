/* Hiding values: see the header. What is structured is walked with the rules that are about it,
 * and what is free text is searched for what was hidden before. */
#include "decision/mask_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "sys/digest.h"

void mgi_mask_init(struct mask *m, const struct snapshot *s, struct arena *arena, struct str key)
{
    *m = (struct mask){ .s = s, .arena = arena, .key = key };
}

void mgi_mask_fini(struct mask *m)
{
    mgi_buf_fini(&m->path);
}

static bool masks_anything(const struct mask *m)
{
    return m->s && m->s->masking.count > 0;
}

/* ---- one value hidden ---------------------------------------------------------------------- */

static void write_digest(struct mask *m, struct json_writer *w, struct str content)
{
    uint8_t bytes[SHA256_BYTES];
    char text[8 + 2 * SHA256_BYTES];
    if (!mgi_hmac_sha256(m->key, content.ptr, content.len, bytes)) {
        mgi_jw_string(w, mgi_mask_shown);
        return;
    }
    int len = snprintf(text, sizeof text, "hmac:");
    mgi_hex(bytes, 8, text + len);
    mgi_jw_cstring(w, text);
}

static void hide(struct mask *m, struct json_writer *w, enum mask_action action,
                 const struct json *v)
{
    struct buf canonical = { 0 };
    m->masked++;
    mgi_mask_secrets(m, v);
    switch (action) {
    case MASK_REPLACE:
        mgi_jw_string(w, mgi_mask_shown);
        break;
    case MASK_DROP:
        mgi_jw_null(w);
        break;
    case MASK_HASH:
        mgi_json_canonical(&canonical, v);
        w->out->oom |= canonical.oom;
        write_digest(m, w, mgi_buf_view(&canonical));
        mgi_buf_fini(&canonical);
        break;
    }
}

/* As it was sent; a line holds no line break. */
static void pass(struct json_writer *w, const struct json *v)
{
    if (v->text.len > 0 && !memchr(v->text.ptr, '\n', v->text.len) &&
        !memchr(v->text.ptr, '\r', v->text.len))
        mgi_jw_raw(w, v->text);
    else
        mgi_jw_value(w, v);
}

/* ---- walking ------------------------------------------------------------------------------- */

struct walk {
    struct mask *m;
    struct json_writer *w;
    const struct mask_rule *rules;
    size_t rule_count;
    bool search;             /* strings and numbers may repeat what was hidden before */
    bool details;            /* members have the meaning that details of errors give them */
    const struct tool *tool; /* of members "args", in details */
};

static struct str next_token(struct str *path)
{
    const char *slash = path->len > 1 ? memchr(path->ptr + 1, '/', path->len - 1) : NULL;
    struct str token = { path->ptr + 1, slash ? (size_t)(slash - path->ptr - 1) : path->len - 1 };
    path->ptr += token.len + 1;
    path->len -= token.len + 1;
    return token;
}

enum path_match { PATH_ELSEWHERE, PATH_HERE, PATH_BELOW };

/* Where the pattern is, as seen from the path. */
static enum path_match match_path(struct str pattern, struct str path)
{
    while (pattern.len > 0 && path.len > 0) {
        struct str wanted = next_token(&pattern), got = next_token(&path);
        if (!str_is(wanted, "*") && !str_eq(wanted, got))
            return PATH_ELSEWHERE;
    }
    if (path.len > 0)
        return PATH_ELSEWHERE;
    return pattern.len == 0 ? PATH_HERE : PATH_BELOW;
}

static const struct mask_rule *rule_that(const struct walk *k, enum path_match match)
{
    for (size_t i = 0; i < k->rule_count; i++)
        if (match_path(k->rules[i].path, mgi_buf_view(&k->m->path)) == match)
            return &k->rules[i];
    return NULL;
}

static const struct mask_rule *rule_here(const struct walk *k)
{
    return rule_that(k, PATH_HERE);
}

/* A value in place of an object or a list in which something is masked may be that very thing. */
static bool stands_for_masked(const struct walk *k, const struct json *v)
{
    bool inner = v->type == JSON_OBJECT || v->type == JSON_ARRAY;
    return !inner && v->type != JSON_NULL && rule_that(k, PATH_BELOW);
}

static void walk_value(const struct walk *k, const struct json *v);
static void walk_fact(const struct walk *k, const struct json *fact);

static bool looks_like_a_fact(const struct json *v)
{
    const struct json *pred = mgi_json_get(v, "pred");
    return pred && pred->type == JSON_STRING &&
           (mgi_json_get(v, "args") || mgi_json_get(v, "named_args"));
}

static void walk_member(const struct walk *k, const struct json_member *member)
{
    const struct mask_rule *rule = rule_here(k);
    if (rule && rule->action == MASK_DROP) {
        k->m->masked++;
        mgi_mask_secrets(k->m, &member->value);
        return;
    }
    mgi_jw_key_str(k->w, member->name);
    if (rule)
        hide(k->m, k->w, rule->action, &member->value);
    else if (k->details && str_is(member->name, "challenge"))
        mgi_jw_string(k->w, mgi_mask_shown);
    else if (k->details && str_is(member->name, "args") && member->value.type == JSON_OBJECT)
        mgi_mask_args(k->m, k->w, k->tool, &member->value);
    else
        walk_value(k, &member->value);
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
        walk_member(k, &v->members[i]);
        path->len = before;
    }
    mgi_jw_end_object(k->w);
}

/* What has its place, and the rule for it. */
static void walk_place(const struct walk *k, const struct json *v)
{
    const struct mask_rule *rule = rule_here(k);
    if (rule)
        hide(k->m, k->w, rule->action, v);
    else
        walk_value(k, v);
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
    if (v->type == JSON_OBJECT)
        walk_object(k, v);
    else if (v->type == JSON_ARRAY)
        walk_array(k, v);
    else if (stands_for_masked(k, v))
        hide(k->m, k->w, MASK_REPLACE, v);
    else if (v->type == JSON_STRING && k->search)
        mgi_mask_text(k->m, k->w, v->string);
    else if (k->search && mgi_mask_repeats(k->m, v))
        mgi_jw_string(k->w, mgi_mask_shown);
    else
        mgi_jw_value(k->w, v);
}

/* The whole value by rules with paths. Paths begin at it, wherever it stands. */
static void walk_by_rules(struct mask *m, struct json_writer *w, const struct mask_rule *rules,
                          size_t count, bool search, const struct json *v)
{
    struct walk k = { .m = m, .w = w, .rules = rules, .rule_count = count, .search = search };
    struct buf outer = m->path;
    m->path = (struct buf){ 0 };
    walk_value(&k, v);
    w->out->oom |= m->path.oom; /* a path that is not whole matches nothing */
    mgi_buf_fini(&m->path);
    m->path = outer;
}

void mgi_mask_remember(struct mask *m, const struct json *v)
{
    if (masks_anything(m))
        mgi_mask_secrets(m, v);
}

struct str mgi_mask_identity(const struct snapshot *s, const struct principal *who)
{
    size_t count;
    (void)mgi_masking_of(&s->masking, MASK_FACTS, STR_LIT("client_identity"), &count);
    return count > 0 && who->identity.len > 0 ? mgi_mask_shown : who->identity;
}

void mgi_mask_unknown(struct mask *m, struct json_writer *w, const struct json *v)
{
    if (masks_anything(m))
        hide(m, w, MASK_REPLACE, v);
    else
        pass(w, v);
}

void mgi_mask_params(struct mask *m, struct json_writer *w, const struct json *params)
{
    size_t count;
    if (!masks_anything(m)) {
        pass(w, params);
        return;
    }
    const struct mask_rule *rules = mgi_masking_at(&m->s->masking, MASK_PARAMS, &count);
    if (params->type == JSON_OBJECT)
        walk_by_rules(m, w, rules, count, false, params);
    else
        hide(m, w, MASK_REPLACE, params);
}

static void mask_of_tool(struct mask *m, struct json_writer *w, enum mask_place place,
                         const struct tool *tool, const struct json *v)
{
    size_t count;
    if (!masks_anything(m)) {
        pass(w, v);
        return;
    }
    const struct mask_rule *rules = tool ? mgi_masking_of(&m->s->masking, place, tool->name, &count)
                                         : mgi_masking_at(&m->s->masking, place, &count);
    if (v->type == JSON_OBJECT)
        walk_by_rules(m, w, rules, count, place == MASK_RESULTS, v);
    else
        hide(m, w, MASK_REPLACE, v);
}

void mgi_mask_args(struct mask *m, struct json_writer *w, const struct tool *tool,
                   const struct json *args)
{
    mask_of_tool(m, w, MASK_ARGUMENTS, tool, args);
}

void mgi_mask_result(struct mask *m, struct json_writer *w, const struct tool *tool,
                     const struct json *result)
{
    mask_of_tool(m, w, MASK_RESULTS, tool, result);
}

/* ---- facts --------------------------------------------------------------------------------- */

struct fact_masks { /* the rules for one predicate */
    const struct mask_rule *rules;
    size_t count;
    bool everything; /* it is not known what this is */
};

static const struct mask_rule *rule_of_argument(const struct fact_masks *f, int64_t argument)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->rules[i].argument == argument || f->rules[i].argument == MASK_EVERY_ARGUMENT)
            return &f->rules[i];
    return NULL;
}

static void write_argument(const struct walk *k, const struct fact_masks *f, int64_t argument,
                           const struct json *v)
{
    const struct mask_rule *rule = rule_of_argument(f, argument);
    if (f->everything || rule)
        hide(k->m, k->w, rule ? rule->action : MASK_REPLACE, v);
    else
        walk_place(k, v);
}

static void write_positional(const struct walk *k, const struct fact_masks *f,
                             const struct json *args)
{
    struct buf *path = &k->m->path;
    if (args->type != JSON_ARRAY) {
        hide(k->m, k->w, MASK_REPLACE, args);
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

/* A name that nobody declared may be anything; those of one object stay apart. */
static void write_hidden_name(struct mask *m, struct json_writer *w, struct str name, uint32_t at)
{
    char text[32];
    mgi_mask_secret(m, name);
    snprintf(text, sizeof text, "***%" PRIu32, at);
    mgi_jw_key(w, text);
}

/* By the names that clients use; one that the predicate does not have may be any argument. */
static void write_named(const struct walk *k, const struct fact_masks *f,
                        const struct pred_schema *schema, const struct json *args)
{
    struct buf *path = &k->m->path;
    if (args->type != JSON_OBJECT) {
        hide(k->m, k->w, MASK_REPLACE, args);
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
            write_hidden_name(k->m, k->w, member->name, i);
            hide(k->m, k->w, MASK_REPLACE, &member->value);
        }
        path->len = before;
    }
    mgi_jw_end_object(k->w);
}

static bool is_predicate(const struct snapshot *s, struct str name)
{
    if (mgi_profile_find(&s->profile, name))
        return true;
    for (mangle_pred i = 0; s->program && i < mangle_program_pred_count(s->program); i++)
        if (str_is(name, mangle_program_pred(s->program, i).name))
            return true;
    return false;
}

/* What a fact has beside its arguments, and says nothing of them. */
static bool is_plain_member(struct str name)
{
    return str_is(name, "pred") || str_is(name, "t") || str_is(name, "prov") ||
           str_is(name, "category");
}

static bool is_arguments(struct str name)
{
    return str_is(name, "args") || str_is(name, "named_args");
}

static void write_arguments(const struct walk *k, const struct fact_masks *f, struct str pred,
                            const struct json_member *member)
{
    mgi_jw_key_str(k->w, member->name);
    if (str_is(member->name, "args"))
        write_positional(k, f, &member->value);
    else
        write_named(k, f, mgi_profile_find(&k->m->s->profile, pred), &member->value);
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
        if (is_arguments(member->name) && !rule_here(k))
            write_arguments(k, &f, pred, member);
        else
            walk_member(k, member);
        path->len = before;
    }
    mgi_jw_end_object(k->w);
}

/* It came from a client, who may have written anything. */
static void write_fact(struct mask *m, struct json_writer *w, const struct json *fact)
{
    const struct walk k = { .m = m, .w = w };
    struct str pred = mgi_json_get(fact, "pred")->string;
    struct fact_masks f = { .rules = NULL };
    f.rules = mgi_masking_of(&m->s->masking, MASK_FACTS, pred, &f.count);
    f.everything = f.count == 0 && !is_predicate(m->s, pred);
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < fact->count; i++) {
        const struct json_member *member = &fact->members[i];
        if (is_arguments(member->name)) {
            write_arguments(&k, &f, pred, member);
            continue;
        }
        mgi_jw_key_str(w, member->name);
        if (is_plain_member(member->name))
            mgi_jw_value(w, &member->value);
        else
            hide(m, w, MASK_REPLACE, &member->value);
    }
    mgi_jw_end_object(w);
}

void mgi_mask_facts(struct mask *m, struct json_writer *w, const struct json *facts)
{
    if (!masks_anything(m)) {
        pass(w, facts);
        return;
    }
    if (facts->type != JSON_ARRAY) {
        hide(m, w, MASK_REPLACE, facts);
        return;
    }
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; i < facts->count; i++) {
        const struct json *fact = &facts->items[i];
        const struct json *pred = mgi_json_get(fact, "pred");
        if (pred && pred->type == JSON_STRING)
            write_fact(m, w, fact);
        else
            hide(m, w, MASK_REPLACE, fact);
    }
    mgi_jw_end_array(w);
}

void mgi_mask_argument_text(struct mask *m, struct json_writer *w, const char *pred,
                            int64_t argument, struct str text)
{
    struct fact_masks f = { .rules = NULL };
    const struct json v = { .type = JSON_STRING, .string = text };
    if (masks_anything(m))
        f.rules = mgi_masking_of(&m->s->masking, MASK_FACTS, str_of(pred), &f.count);
    const struct mask_rule *rule = rule_of_argument(&f, argument);
    if (rule)
        hide(m, w, rule->action, &v);
    else
        mgi_mask_text(m, w, text);
}

void mgi_mask_details(struct mask *m, struct json_writer *w, const struct tool *tool,
                      const struct json *details)
{
    struct walk k = { .m = m, .w = w, .search = true, .details = true, .tool = tool };
    walk_value(&k, details);
}
