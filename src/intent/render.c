/* The intent_response payload: which members a tool shows follows from its level
 * (protocol.md 2.11). */
#include <stdlib.h>

#include "base/utf8.h"
#include "intent/intent_int.h"
#include "protocol/wire_time.h"
#include "render/call.h"

/* ---- one tool ----------------------------------------------------------------------------- */

/* The summary on one line of at most condensed_chars characters, cut at a word. */
static void write_one_line(struct evaluation *ev, struct json_writer *w, struct str s)
{
    size_t most = (size_t)ev->s->settings.disclosure.condensed_chars;
    if (mgi_utf8_count(s) <= most) {
        mgi_jw_member_str(w, "description", s);
        return;
    }
    size_t at = 0, word = 0;
    for (size_t n = 0; n + 1 < most; n++) {
        if (s.ptr[at] == ' ')
            word = at;
        mgi_utf8_next(s, &at);
    }
    struct buf line = { 0 };
    mgi_buf_append(&line, s.ptr, word > 0 ? word : at);
    mgi_buf_puts(&line, "…");
    mgi_jw_member_str(w, "description", mgi_buf_view(&line));
    ev->nomem |= line.oom;
    mgi_buf_fini(&line);
}

static void write_context(struct json_writer *w, const struct choice *c)
{
    if (c->instructions.len == 0 && c->skill_count == 0 && c->resource_count == 0)
        return;
    mgi_jw_key(w, "context_injection");
    mgi_jw_begin_object(w);
    if (c->instructions.len > 0)
        mgi_jw_member_str(w, "instructions", c->instructions);
    if (c->skill_count > 0) {
        mgi_jw_key(w, "skills");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < c->skill_count; i++) {
            mgi_jw_begin_object(w);
            mgi_jw_member_str(w, "skill_id", c->skills[i]->id);
            mgi_jw_member_bool(w, "inline", c->inlined[i]);
            if (c->inlined[i])
                mgi_jw_member_str(w, "content", c->skills[i]->content);
            else
                mgi_jw_member_str(w, "description", c->skills[i]->description);
            mgi_jw_end_object(w);
        }
        mgi_jw_end_array(w);
    }
    if (c->resource_count > 0) {
        mgi_jw_key(w, "context_resources");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < c->resource_count; i++) {
            const struct resource *r = &c->resources[i];
            mgi_jw_begin_object(w);
            mgi_jw_member_str(w, "uri", r->uri);
            if (r->relevance.len > 0)
                mgi_jw_member_str(w, "relevance", r->relevance);
            mgi_jw_key(w, "priority");
            if (r->priority == (double)(int64_t)r->priority)
                mgi_jw_int(w, (int64_t)r->priority);
            else
                mgi_jw_float(w, r->priority);
            mgi_jw_end_object(w);
        }
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

static void write_safety(struct json_writer *w, const struct macro *m)
{
    mgi_jw_key(w, "safety");
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "requires_user_confirmation", m->requires_confirmation);
    mgi_jw_member_strs(w, "side_effects", m->effects, m->effect_count);
    mgi_jw_member_bool(w, "reversible", m->reversible);
    mgi_jw_member_bool(w, "idempotent", m->idempotent);
    mgi_jw_end_object(w);
}

static void write_validity(struct json_writer *w, const struct choice *c)
{
    if (!c->has_window)
        return;
    mgi_jw_key(w, "validity");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "not_before");
    mgi_wire_time_write(w, c->macro.not_before_ns);
    mgi_jw_key(w, "expires_at");
    mgi_wire_time_write(w, c->macro.expires_ns);
    mgi_jw_end_object(w);
}

/* The same as when the domain was loaded, unless rules have narrowed the schema. */
static void write_call(struct evaluation *ev, struct json_writer *w, const struct choice *c)
{
    if (c->macro.input_schema.text.ptr == c->tool->input_schema.text.ptr) {
        mgi_jw_member_str(w, "x-call", c->tool->call);
        return;
    }
    struct buf call = { 0 };
    mgi_call_put(&call, c->tool->name, &c->macro.input_schema);
    mgi_jw_member_str(w, "x-call", mgi_buf_view(&call));
    ev->nomem |= call.oom;
    mgi_buf_fini(&call);
}

static void write_metadata(struct evaluation *ev, struct json_writer *w, const struct choice *c)
{
    mgi_jw_key(w, "metadata");
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "selection_phase", c->phase);
    mgi_jw_member_int(w, "score", c->score);
    if (c->level == LEVEL_CONDENSED && ev->s->settings.disclosure.calls)
        write_call(ev, w, c);
    if (c->source_rule_count > 0) {
        mgi_jw_key(w, "source_rules");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < c->source_rule_count; i++)
            mgi_jw_cstring(w, c->source_rules[i]);
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

static void write_full(struct json_writer *w, const struct choice *c)
{
    mgi_jw_member_str(w, "description", c->tool->description);
    mgi_jw_key(w, "input_schema");
    mgi_jw_raw(w, c->macro.input_schema.text);
    if (c->tool->has_output_schema) {
        mgi_jw_key(w, "output_schema");
        mgi_jw_raw(w, c->tool->output_text);
    }
    write_context(w, c);
    write_safety(w, &c->macro);
    write_validity(w, c);
}

void mgi_render_tool(struct evaluation *ev, struct json_writer *w, const struct choice *c)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "macro_id", c->macro.macro_id);
    mgi_jw_member_str(w, "name", c->tool->name);
    mgi_jw_member_cstr(w, "disclosure_level", mgi_level_name(c->level));
    if (c->level == LEVEL_FULL)
        write_full(w, c);
    else if (c->level == LEVEL_CONDENSED)
        write_one_line(ev, w, c->tool->summary);
    if (c->level > LEVEL_MINIMAL)
        write_metadata(ev, w, c);
    mgi_jw_end_object(w);
}

/* ---- order -------------------------------------------------------------------------------- */

static int compare_choices(const void *x, const void *y)
{
    const struct choice *a = x, *b = y;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->tool->rank < b->tool->rank ? -1 : 1; /* the rank is the byte order of names */
}

void mgi_sort_choices(struct evaluation *ev)
{
    if (ev->choice_count > 1)
        qsort(ev->choices, ev->choice_count, sizeof *ev->choices, compare_choices);
}

/* ---- skills ------------------------------------------------------------------------------- */

const struct skill **mgi_referenced_skills(struct evaluation *ev, size_t *count)
{
    const struct snapshot *s = ev->s;
    const struct skill **list = mgi_arena_calloc(ev->arena, s->skill_count + 1, sizeof *list);
    bool *needed = mgi_arena_calloc(ev->arena, s->skill_count + 1, sizeof *needed);
    *count = 0;
    if (!list || !needed) {
        ev->nomem = true;
        return NULL;
    }
    for (size_t i = 0; i < ev->choice_count; i++) {
        const struct choice *c = &ev->choices[i];
        for (size_t k = 0; c->level == LEVEL_FULL && k < c->skill_count; k++)
            needed[c->skills[k] - s->skills] |= !c->inlined[k];
    }
    for (size_t n = 0; n < s->skill_count; n++) /* sorted by id */
        if (needed[n])
            list[(*count)++] = &s->skills[n];
    return list;
}

void mgi_render_skill(struct json_writer *w, const struct skill *skill, bool brief)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "skill_id", skill->id);
    mgi_jw_member_str(w, "name", skill->name);
    mgi_jw_member_str(w, "description", skill->description);
    mgi_jw_member_str(w, "content", brief ? skill->description : skill->content);
    if (skill->content_type.len > 0)
        mgi_jw_member_str(w, "content_type", skill->content_type);
    if (skill->resource_count > 0 && !brief) {
        mgi_jw_key(w, "resources");
        mgi_jw_begin_array(w);
        for (size_t i = 0; i < skill->resource_count; i++) {
            const struct skill_resource *r = &skill->resources[i];
            mgi_jw_begin_object(w);
            mgi_jw_member_str(w, "uri", r->uri);
            if (r->type.len > 0)
                mgi_jw_member_str(w, "type", r->type);
            if (r->description.len > 0)
                mgi_jw_member_str(w, "description", r->description);
            mgi_jw_end_object(w);
        }
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

/* ---- the response ------------------------------------------------------------------------- */

static void write_skills(struct evaluation *ev, struct json_writer *w)
{
    size_t count;
    const struct skill **skills = mgi_referenced_skills(ev, &count);
    if (count == 0)
        return;
    mgi_jw_key(w, "required_skills");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++)
        mgi_render_skill(w, skills[i], ev->brief_skills);
    mgi_jw_end_array(w);
}

/* Lines about what there is beside the tools: not of the protocol's members. */
void mgi_render_overview(struct evaluation *ev, struct json_writer *w)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_facts(ev, ev->s->pred.overview, &count);
    if (count == 0 || ev->no_overview)
        return;
    mgi_jw_key(w, "x-overview");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "name", mgi_ev_text(ev, f[i].args[0]));
        mgi_jw_member_str(w, "description", mgi_ev_text(ev, f[i].args[1]));
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

void mgi_render_response(struct evaluation *ev, struct json_writer *w)
{
    const struct intent_call *call = ev->call;
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "eval_time_used");
    mgi_wire_time_write(w, ev->request.now_ns);
    if (call->mono)
        mgi_jw_member_int(w, "eval_duration_ms",
                          (call->mono(call->mono_context) - ev->started_ns) / 1000000);
    mgi_render_overview(ev, w);
    mgi_jw_key(w, "macro_tools");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < ev->choice_count; i++)
        mgi_render_tool(ev, w, &ev->choices[i]);
    mgi_jw_end_array(w);
    if (ev->request.want_proof) {
        mgi_jw_key(w, "proof_hints");
        mgi_ev_lap(ev, INTENT_ENCODE);
        mgi_proof_write(ev, w);
        mgi_ev_lap(ev, INTENT_PROOF);
    }
    write_skills(ev, w);
    mgi_diagnostics_write(ev, w);
    mgi_jw_end_object(w);
}
