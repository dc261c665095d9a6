/* Facts as clients send them: the arguments by their predicate, and of the rest only what has the
 * form that the protocol gives it. A client may have written anything anywhere. */
#include "decision/mask_int.h"

static bool is_predicate(const struct snapshot *s, struct str name)
{
    if (mgi_profile_find(&s->profile, name))
        return true;
    for (mangle_pred i = 0; s->program && i < mangle_program_pred_count(s->program); i++)
        if (str_is(name, mangle_program_pred(s->program, i).name))
            return true;
    return false;
}

/* {"at"}, or {"start","end"}. */
static bool is_annotation(const struct json *v)
{
    static const char *const names[] = { "at", "start", "end", NULL };
    bool known = v->type == JSON_OBJECT;
    for (uint32_t i = 0; known && i < v->count; i++) {
        const struct json name = { .type = JSON_STRING, .string = v->members[i].name };
        known = mgi_mask_is_word(&name, names) && mgi_mask_is_time(&v->members[i].value);
    }
    return known;
}

/* A signature is the server's, but anything may stand there; that there is one is no secret. */
static bool is_plain_source_member(const struct json_member *member)
{
    static const char *const types[] = { "server", "scan", "external", "client", "derived", NULL };
    if (str_is(member->name, "source_type"))
        return mgi_mask_is_word(&member->value, types);
    return str_is(member->name, "asserted_at") && mgi_mask_is_time(&member->value);
}

static void write_source(struct mask *m, struct json_writer *w, const struct json *source)
{
    static const char *const hidden[] = { "source_type", "asserted_at", "source_id", "signature",
                                          NULL };
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < source->count; i++) {
        const struct json_member *member = &source->members[i];
        const struct json name = { .type = JSON_STRING, .string = member->name };
        if (!mgi_mask_is_word(&name, hidden)) {
            mgi_mask_unknown_member(m, w, member, i);
            continue;
        }
        mgi_jw_key_str(w, member->name);
        if (is_plain_source_member(member))
            mgi_jw_value(w, &member->value);
        else
            mgi_mask_unknown(m, w, &member->value);
    }
    mgi_jw_end_object(w);
}

/* Beside its arguments. */
static void write_fact_member(struct mask *m, struct json_writer *w,
                              const struct json_member *member, uint32_t at)
{
    static const char *const categories[] = { "server", "session", "derived", NULL };
    const struct json *v = &member->value;
    bool pred = str_is(member->name, "pred"), t = str_is(member->name, "t"),
         category = str_is(member->name, "category"), source = str_is(member->name, "source");
    if (!pred && !t && !category && !source) {
        mgi_mask_unknown_member(m, w, member, at);
        return;
    }
    mgi_jw_key_str(w, member->name);
    if (source && v->type == JSON_OBJECT)
        write_source(m, w, v);
    else if (pred || v->type == JSON_NULL || (t && is_annotation(v)) ||
             (category && mgi_mask_is_word(v, categories)))
        mgi_jw_value(w, v);
    else
        mgi_mask_unknown(m, w, v);
}

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
        if (mgi_mask_is_arguments(member->name))
            mgi_mask_arguments(&k, &f, pred, member);
        else
            write_fact_member(m, w, member, i);
    }
    mgi_jw_end_object(w);
}

void mgi_mask_facts(struct mask *m, struct json_writer *w, const struct json *facts)
{
    if (!mgi_masks_anything(m) || facts->type == JSON_NULL) {
        mgi_mask_pass(w, facts);
        return;
    }
    if (facts->type != JSON_ARRAY) {
        mgi_mask_hide(m, w, MASK_REPLACE, facts);
        return;
    }
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; i < facts->count; i++) {
        const struct json *fact = &facts->items[i];
        const struct json *pred = mgi_json_get(fact, "pred");
        if (pred && pred->type == JSON_STRING)
            write_fact(m, w, fact);
        else
            mgi_mask_hide(m, w, MASK_REPLACE, fact);
    }
    mgi_jw_end_array(w);
}
