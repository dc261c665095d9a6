/* "asked": a payload as it was sent, without what is masked. Where the domain masks anything, only
 * what has the form that the protocol gives it passes. */
#include "decision/mask_int.h"
#include "decision/record_int.h"

/* ---- members that are no values of anybody's ------------------------------------------------ */

enum form { FORM_NUMBER, FORM_BOOL, FORM_TEXT, FORM_TIME, FORM_DISCLOSURE };

struct plain_member { /* a member whose value says nothing, if it has this form */
    const char *name;
    enum form form;
};

static bool has_form(const struct json *v, enum form form)
{
    static const char *const levels[] = { "full", "condensed", "minimal", "adaptive", NULL };
    switch (form) {
    case FORM_NUMBER:
        return v->type == JSON_INT;
    case FORM_BOOL:
        return v->type == JSON_BOOL;
    case FORM_TEXT:
        return v->type == JSON_STRING;
    case FORM_TIME:
        return mgi_mask_is_time(v);
    case FORM_DISCLOSURE:
        return mgi_mask_is_word(v, levels);
    }
    return false;
}

/* As it is if it is one of these; of others nobody knows what they hold. */
static void write_plain(struct json_writer *w, struct mask *m, const struct plain_member *plain,
                        const struct json_member *member, uint32_t at)
{
    const struct json *v = &member->value;
    while (plain->name && !str_is(member->name, plain->name))
        plain++;
    if (!plain->name) {
        mgi_mask_unknown_member(m, w, member, at);
        return;
    }
    mgi_jw_key_str(w, member->name);
    if (v->type == JSON_NULL || has_form(v, plain->form))
        mgi_jw_value(w, v);
    else
        mgi_mask_unknown(m, w, v);
}

static void write_all_plain(struct json_writer *w, struct mask *m, const struct plain_member *plain,
                            const struct json *object)
{
    if (object->type == JSON_NULL || !mgi_masks_anything(m)) {
        mgi_mask_pass(w, object);
        return;
    }
    if (object->type != JSON_OBJECT) {
        mgi_mask_unknown(m, w, object);
        return;
    }
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < object->count; i++)
        write_plain(w, m, plain, &object->members[i], i);
    mgi_jw_end_object(w);
}

/* A member of a payload beside those that are masked by rules. */
static void write_other(struct json_writer *w, struct mask *m, const struct json_member *member,
                        uint32_t at)
{
    static const struct plain_member constraints[] = {
        { "max_facts_created", FORM_NUMBER }, { "max_intervals_per_atom", FORM_NUMBER },
        { "max_compute_ms", FORM_NUMBER },    { "max_tools_returned", FORM_NUMBER },
        { "max_tokens_budget", FORM_NUMBER }, { NULL, FORM_NUMBER }
    };
    static const struct plain_member options[] = { { "include_proof_hints", FORM_BOOL },
                                                   { "disclosure_preference", FORM_DISCLOSURE },
                                                   { NULL, FORM_BOOL } };
    static const struct plain_member others[] = { { "eval_time", FORM_TIME },
                                                  { "macro_id", FORM_TEXT },
                                                  { NULL, FORM_TEXT } };
    bool limits = str_is(member->name, "constraints"), wishes = str_is(member->name, "options");
    if (limits || wishes) {
        mgi_jw_key_str(w, member->name);
        write_all_plain(w, m, limits ? constraints : options, &member->value);
    } else {
        write_plain(w, m, others, member, at);
    }
}

/* ---- payloads ------------------------------------------------------------------------------ */

/* Of what would have stood there. */
static void write_facts_digest(struct json_writer *w, struct mask *m, const struct json *facts)
{
    struct buf text = { 0 };
    struct json_writer scratch;
    char digest[33];
    mgi_json_writer_init(&scratch, &text, 0);
    mgi_mask_facts(m, &scratch, facts);
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "count", facts->type == JSON_ARRAY ? facts->count : 0);
    if (!text.oom && mgi_decision_short_digest(mgi_buf_view(&text), digest))
        mgi_jw_member_cstr(w, "sha256", digest);
    mgi_jw_end_object(w);
    w->out->oom |= text.oom;
    mgi_buf_fini(&text);
}

static void write_asked_intent(struct json_writer *w, struct mask *m, const struct json *intent)
{
    static const struct plain_member plain[] = { { "name", FORM_TEXT }, { NULL, FORM_TEXT } };
    if (intent->type != JSON_OBJECT) {
        mgi_mask_unknown(m, w, intent);
        return;
    }
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < intent->count; i++) {
        const struct json_member *member = &intent->members[i];
        if (str_is(member->name, "params")) {
            mgi_jw_key_str(w, member->name);
            mgi_mask_params(m, w, &member->value);
        } else {
            write_plain(w, m, plain, member, i);
        }
    }
    mgi_jw_end_object(w);
}

void mgi_decision_intent(struct json_writer *w, struct mask *m, const struct json *payload,
                         bool digest)
{
    mgi_jw_key(w, "asked");
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < payload->count; i++) {
        const struct json_member *member = &payload->members[i];
        bool facts = str_is(member->name, "facts"), intent = str_is(member->name, "intent");
        if (!facts && !intent) {
            write_other(w, m, member, i);
            continue;
        }
        mgi_jw_key_str(w, member->name);
        if (intent)
            write_asked_intent(w, m, &member->value);
        else if (digest)
            write_facts_digest(w, m, &member->value);
        else
            mgi_mask_facts(m, w, &member->value);
    }
    mgi_jw_end_object(w);
}

void mgi_decision_invocation(struct json_writer *w, struct mask *m, const struct json *payload,
                             const struct tool *tool)
{
    mgi_jw_key(w, "asked");
    mgi_jw_begin_object(w);
    for (uint32_t i = 0; i < payload->count; i++) {
        const struct json_member *member = &payload->members[i];
        if (str_is(member->name, "args")) {
            mgi_jw_key_str(w, member->name);
            mgi_mask_args(m, w, tool, &member->value);
        } else if (str_is(member->name, "confirmation_token")) {
            if (member->value.type != JSON_NULL)
                mgi_jw_member_cstr(w, "confirmation_token", "***");
        } else {
            write_other(w, m, member, i);
        }
    }
    mgi_jw_end_object(w);
}
