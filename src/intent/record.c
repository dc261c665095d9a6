/* What an evaluation decided, and why, for a decision log: what came out, what was lost on the way
 * and where, what was forbidden, which of the domain's rules spoke for or against a tool. It is
 * read off what is there already; a proof is not made for it. */
#include "decision/record.h"
#include "intent/intent_int.h"
#include "protocol/wire_time.h"

static void write_tools_chosen(struct evaluation *ev, struct json_writer *w)
{
    mgi_jw_key(w, "tools");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < ev->choice_count; i++) {
        const struct choice *c = &ev->choices[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "tool", c->tool->name);
        mgi_jw_member_str(w, "macro_id", c->macro.macro_id);
        if (mgi_hides_values(ev, &c->macro))
            mgi_jw_member_bool(w, "keyed", true); /* another key makes another id */
        mgi_jw_member_cstr(w, "level", mgi_level_name(c->level));
        mgi_jw_member_int(w, "score", c->score);
        mgi_jw_member_str(w, "phase", c->phase);
        if (c->macro.requires_confirmation)
            mgi_jw_member_bool(w, "confirm", true);
        if (c->has_window) {
            mgi_jw_key(w, "expires");
            mgi_wire_time_write(w, c->macro.expires_ns);
        }
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_lost(struct evaluation *ev, struct json_writer *w)
{
    static const char *const names[] = { [LOST_NOT] = "not",
                                         [LOST_CONFLICT] = "conflict",
                                         [LOST_CUTOFF] = "cutoff",
                                         [LOST_CAP] = "cap",
                                         [LOST_BUDGET] = "budget" };
    mgi_jw_key(w, "lost");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < ev->root_count; i++) {
        const struct root *r = &ev->roots[i];
        if (r->lost == LOST_NOT)
            continue;
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "tool", r->tool->name);
        mgi_jw_member_cstr(w, "why", names[r->lost]);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static bool names_intent_and_tool(const struct evaluation *ev, mangle_value intent,
                                  mangle_value tool, mangle_value wanted)
{
    return tool == wanted && str_eq(mgi_ev_text(ev, intent), ev->request.name);
}

/* Would the intent have brought it? What is forbidden besides says nothing of this decision. */
static bool is_wanted(struct evaluation *ev, mangle_value tool)
{
    const struct interface *p = &ev->s->pred;
    size_t count;
    (void)mgi_ev_match(ev, p->macro_tool, tool, &count);
    bool wanted = count > 0;
    const struct mangle_fact *f = mgi_ev_match(ev, p->tool_relevant_to_intent, tool, &count);
    for (size_t i = 0; i < count && !wanted; i++)
        wanted = names_intent_and_tool(ev, f[i].args[1], f[i].args[0], tool);
    f = mgi_ev_facts(ev, p->mandatory_for_intent, &count);
    for (size_t i = 0; i < count && !wanted; i++)
        wanted = names_intent_and_tool(ev, f[i].args[0], f[i].args[1], tool);
    return wanted;
}

static void write_prohibited(struct evaluation *ev, struct json_writer *w)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_facts(ev, ev->s->pred.prohibited, &count);
    mgi_jw_key(w, "prohibited");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(ev, f[i].args[0]))
            continue;
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "tool", mgi_ev_text(ev, f[i].args[0]));
        mgi_jw_key(w, "reason");
        mgi_ev_remember_masked(ev, ev->call->record->mask, mgi_ev_text(ev, f[i].args[1]));
        mgi_mask_argument_text(ev->call->record->mask, w, "prohibited", 1,
                               mgi_ev_text(ev, f[i].args[1]));
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_rules(struct evaluation *ev, struct json_writer *w)
{
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < ev->s->deciding_count; i++)
        if (mangle_overlay_firings(ev->overlay, ev->s->deciding[i].rule) > 0)
            mgi_jw_raw(w, ev->s->deciding[i].place);
    mgi_jw_end_array(w);
}

/* What was claimed of privileged predicates and not believed. */
static void write_claimed(struct evaluation *ev, struct json_writer *w)
{
    if (ev->refusal_count == 0)
        return;
    mgi_jw_key(w, "claimed");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < ev->refusal_count; i++)
        mgi_jw_cstring(w, mangle_program_pred(ev->s->program, ev->refusals[i].pred).name);
    mgi_jw_end_array(w);
}

static void write_outcome(struct evaluation *ev, struct json_writer *w, struct str answer)
{
    mgi_jw_key(w, "outcome");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "code", "ok");
    write_tools_chosen(ev, w);
    write_lost(ev, w);
    write_prohibited(ev, w);
    write_rules(ev, w);
    write_claimed(ev, w);
    mgi_decision_answer(w, ev->call->record->mask, answer);
    mgi_jw_end_object(w);
}

void mgi_intent_record(struct evaluation *ev, struct str answer)
{
    const struct intent_record *record = ev->call->record;
    struct json_writer *w = record->w;
    mgi_jw_key(w, "eval_time");
    mgi_wire_time_write(w, ev->request.now_ns);
    if (ev->e->code)
        mgi_decision_error(w, record->mask, NULL, ev->e);
    else
        write_outcome(ev, w, answer);
    w->out->oom |= ev->nomem;
}
