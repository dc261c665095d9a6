/* Why the tools that were asked about did not come out: one after the other, as JSON.
 *
 * What may be told. To who wrote the domain: everything. To others what they could find out by
 * asking with other facts: of a tool for which such facts were found, of one that lost to what they
 * are shown (which proof hints tell, too), and of one that they have. Everything else gets one
 * answer, the same as a tool that does not exist, and after the same number of trials: else the
 * time would tell. A name that does not exist is searched for as some tool that does. */
#include "base/alloc.h"
#include "base/time.h"
#include "intent/why_not.h"

static void begin_answer(struct json_writer *w, struct str name, bool selected)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "tool", name);
    mgi_jw_member_bool(w, "selected", selected);
    mgi_jw_key(w, "reasons");
}

static void write_search(struct json_writer *w, const struct why_search *s)
{
    mgi_jw_key(w, "search");
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "complete", s && !s->limit);
    if (s && s->limit)
        mgi_jw_member_cstr(w, "limit", s->limit);
    if (s)
        mgi_jw_member_int(w, "evaluations", (int64_t)s->evaluations);
    mgi_jw_end_object(w);
}

static void write_unknown(struct json_writer *w, struct str name, bool in_full)
{
    begin_answer(w, name, false);
    mgi_jw_begin_array(w);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "phase", "unknown");
    mgi_jw_member_cstr(w, "message",
                       in_full ? "the domain has no tool of this name"
                               : "nothing is known of such a tool that may be told");
    mgi_jw_end_object(w);
    mgi_jw_end_array(w);
    mgi_jw_key(w, "changes");
    mgi_jw_begin_array(w);
    mgi_jw_end_array(w);
    write_search(w, NULL);
    mgi_jw_end_object(w);
}

/* ---- changes --------------------------------------------------------------------------------- */

static void write_removed(const struct why_search *s, struct json_writer *w, uint32_t index)
{
    const struct wire_fact *f = &s->ev->facts.facts[index];
    mgi_fact_write(w, s->ev->values, f->pred, f->args, f->count, NULL, NULL, NULL);
}

static void write_side(const struct why_search *s, struct json_writer *w, const struct why_set *set,
                       bool add)
{
    mgi_jw_key(w, add ? "add" : "remove");
    mgi_jw_begin_array(w);
    for (uint8_t i = 0; i < set->count; i++) {
        const struct why_change *c = &s->pool[set->at[i]];
        if (c->add == add && add)
            mgi_jw_raw(w, c->value.text);
        else if (c->add == add)
            write_removed(s, w, c->fact);
    }
    mgi_jw_end_array(w);
}

static void write_changes(const struct why_search *s, struct json_writer *w)
{
    mgi_jw_key(w, "changes");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < s->found_count; i++) {
        mgi_jw_begin_object(w);
        write_side(s, w, &s->found[i], true);
        write_side(s, w, &s->found[i], false);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

/* ---- a tool ---------------------------------------------------------------------------------- */

/* It stood for election: proof hints tell as much. */
static bool is_told_anyway(struct evaluation *ev, const struct tool *tool, enum why_phase phase)
{
    size_t count;
    mgi_ev_match(ev, ev->s->pred.candidate, tool->value, &count);
    return count > 0 && (phase == WHY_CONFLICT || phase == WHY_DEPENDENCY || phase == WHY_CUTOFF ||
                         phase == WHY_CAP || phase == WHY_BUDGET);
}

static void write_known(struct why_search *s, struct json_writer *w, enum why_phase phase)
{
    begin_answer(w, s->tool->name, phase == WHY_SELECTED);
    mgi_why_reasons_write(s, w, phase);
    write_changes(s, w);
    write_search(w, s);
    mgi_jw_end_object(w);
}

/* What a name that does not exist is searched for as. */
static const struct tool *stand_in(const struct snapshot *s, struct str name)
{
    uint64_t h = mgi_hash_bytes(name.ptr, name.len, 0);
    return s->tool_count ? &s->tools[h % s->tool_count] : NULL;
}

static bool explain_tool(struct why_search *s, struct json_writer *w, struct str name)
{
    struct evaluation *ev = s->ev;
    bool in_full = ev->call->why_not->in_full;
    const struct tool *tool = mgi_snapshot_tool(ev->s, name);
    s->tool = tool || in_full ? tool : stand_in(ev->s, name);
    enum why_phase phase = s->tool ? mgi_why_phase(s) : WHY_SELECTED;
    bool searched = !s->tool || (tool && phase == WHY_SELECTED) || mgi_why_search(s);
    if (!searched)
        return false;
    if (tool && (in_full || phase == WHY_SELECTED || s->found_count > 0 ||
                 is_told_anyway(ev, tool, phase))) {
        write_known(s, w, phase);
        return !ev->nomem;
    }
    if (!in_full && s->tool && !mgi_why_search_in_vain(s))
        return false;
    write_unknown(w, name, in_full);
    return !ev->nomem;
}

/* The limits of the intent are those of all this together. */
static void set_limits(struct why_search *s)
{
    const struct evaluation *ev = s->ev;
    s->call = *ev->call;
    s->call.notes = NULL;
    s->call.log = NULL;
    s->facts_left = ev->request.max_facts;
    s->deadline_ns = INT64_MAX;
    if (s->call.mono && ev->request.max_ms < INT64_MAX / NS_PER_MS / 2)
        s->deadline_ns = ev->started_ns + ev->request.max_ms * NS_PER_MS;
}

bool mgi_why_not_write(struct evaluation *ev, mangle_overlay *other, struct buf *out)
{
    const struct json *tools = ev->call->why_not->tools;
    size_t before = out->len;
    struct json_writer w;
    bool ok = true;
    struct why_search shared = { .ev = ev, .overlay = other };
    set_limits(&shared);
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_array(&w);
    for (uint32_t i = 0; ok && i < tools->count; i++) {
        struct why_search s = shared;
        mgi_arena_init(&s.scratch, 0);
        ok = explain_tool(&s, &w, tools->items[i].string);
        shared.facts_left = s.facts_left;
        mgi_arena_fini(&s.scratch);
    }
    mgi_jw_end_array(&w);
    ok = ok && !out->oom && !ev->arena->oom;
    ev->nomem |= out->oom || ev->arena->oom;
    if (!ok)
        out->len = before;
    return ok;
}
