/* Rule coverage for development (protocol.md 2.16): which of the domain's rules could fire. Rules
 * of the pipeline and of policy are not counted: the first are not the author's, the second
 * nobody's business.
 *
 * The engine does not count rule by rule, so this is read off the facts: a rule counts as fired if
 * its head and every positive premise have facts. */
#include "intent/intent_int.h"

enum status { FIRED, DORMANT, INAPPLICABLE };

struct rule_state {
    enum status status;
    mangle_pred missing[16];
    size_t missing_count, body_count;
};

static bool has_facts(struct evaluation *ev, mangle_pred pred)
{
    size_t count;
    mgi_ev_facts(ev, pred, &count);
    return count > 0;
}

static bool names_intent(const struct mangle_rule_view *r, struct str intent)
{
    struct buf needle = { 0 };
    mgi_buf_printf(&needle, "\"%.*s\"", STR_ARG(intent));
    bool found = !needle.oom && mgi_str_find(str_of(r->text), mgi_buf_view(&needle)) != SIZE_MAX;
    mgi_buf_fini(&needle);
    return found;
}

static bool serves_other_intents(const struct evaluation *ev, const struct mangle_rule_view *r)
{
    const struct domain_settings *d = &ev->s->settings;
    bool other = false;
    for (size_t i = 0; i < d->intent_count; i++)
        other |=
            !str_eq(d->intents[i].name, ev->request.name) && names_intent(r, d->intents[i].name);
    return other && !names_intent(r, ev->request.name);
}

static struct rule_state judge_rule(struct evaluation *ev, const struct mangle_rule_view *r)
{
    struct rule_state s = { .status = FIRED };
    for (size_t i = 0; i < r->body_count; i++) {
        const char *name = mangle_program_pred(ev->s->program, r->body[i]).name;
        if (mgi_rule_negates(r, name)) /* it is met by absence */
            continue;
        s.body_count++;
        if (!has_facts(ev, r->body[i]) && s.missing_count < 16)
            s.missing[s.missing_count++] = r->body[i];
    }
    if (s.missing_count > 0 || !has_facts(ev, r->head))
        s.status = serves_other_intents(ev, r) ? INAPPLICABLE : DORMANT;
    return s;
}

static bool is_counted(const struct evaluation *ev, const struct mangle_rule_view *r)
{
    return mgi_str_starts(str_of(r->file), STR_LIT("rules/domain/")) ||
           mgi_str_starts(str_of(r->file), STR_LIT("rules/effects/")) ||
           (mgi_str_starts(str_of(r->file), STR_LIT("rules/schema/")) &&
            ev->s->pred_layers[r->head] != LAYER_PIPELINE);
}

static void write_dormant(struct evaluation *ev, struct json_writer *w,
                          const struct mangle_rule_view *r, const struct rule_state *s)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "rule", mangle_program_pred(ev->s->program, r->head).name);
    mgi_jw_key(w, "missing_predicates");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < s->missing_count; i++)
        mgi_jw_cstring(w, mangle_program_pred(ev->s->program, s->missing[i]).name);
    mgi_jw_end_array(w);
    mgi_jw_member_cstr(w, "status", s->missing_count < s->body_count ? "partially_alive" : "dead");
    mgi_jw_end_object(w);
}

void mgi_coverage_write(struct evaluation *ev, struct json_writer *w)
{
    size_t rules = mangle_program_rule_count(ev->s->program);
    int64_t counts[3] = { 0, 0, 0 };
    for (size_t i = 0; i < rules; i++) {
        struct mangle_rule_view r = mangle_program_rule(ev->s->program, i);
        if (is_counted(ev, &r))
            counts[judge_rule(ev, &r).status]++;
    }
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "total_rules", counts[FIRED] + counts[DORMANT] + counts[INAPPLICABLE]);
    mgi_jw_member_int(w, "rules_fired", counts[FIRED]);
    mgi_jw_member_int(w, "rules_dormant", counts[DORMANT]);
    mgi_jw_member_int(w, "rules_inapplicable", counts[INAPPLICABLE]);
    mgi_jw_key(w, "dormant_details");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < rules; i++) {
        struct mangle_rule_view r = mangle_program_rule(ev->s->program, i);
        struct rule_state s = { 0 };
        if (is_counted(ev, &r))
            s = judge_rule(ev, &r);
        if (s.status == DORMANT)
            write_dormant(ev, w, &r, &s);
    }
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}
