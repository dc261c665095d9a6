/* The token budget (D-33): estimate, then give up context, then detail, then tools, always from the
 * lowest-ranked end, until it fits. What the client asked to see in full is demoted last. */
#include "intent/intent_int.h"

static size_t tokens_of(const struct evaluation *ev, const struct buf *text)
{
    size_t per = (size_t)ev->s->settings.disclosure.bytes_per_token;
    return (text->len + per - 1) / per;
}

static void measure(struct evaluation *ev, struct choice *c)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_render_tool(ev, &w, c);
    c->tokens = tokens_of(ev, &text);
    ev->nomem |= text.oom;
    mgi_buf_fini(&text);
}

static size_t skill_tokens(struct evaluation *ev)
{
    size_t count, sum = 0;
    const struct skill **skills = mgi_referenced_skills(ev, &count);
    for (size_t i = 0; i < count; i++) {
        struct buf text = { 0 };
        struct json_writer w;
        mgi_json_writer_init(&w, &text, 0);
        mgi_render_skill(&w, skills[i], ev->brief_skills);
        sum += tokens_of(ev, &text);
        ev->nomem |= text.oom;
        mgi_buf_fini(&text);
    }
    return sum;
}

static bool fits(struct evaluation *ev)
{
    size_t sum = skill_tokens(ev);
    for (size_t i = 0; i < ev->choice_count; i++)
        sum += ev->choices[i].tokens;
    return ev->nomem || sum <= (size_t)ev->request.max_tokens;
}

/* Step 1: inline skills become references, whole skills become summaries, resources go. */
static bool give_up_context(struct evaluation *ev)
{
    for (size_t i = ev->choice_count; i > 0; i--) {
        struct choice *c = &ev->choices[i - 1];
        bool changed = false;
        for (size_t k = 0; k < c->skill_count; k++) {
            changed |= c->inlined[k];
            c->inlined[k] = false;
        }
        if (!changed)
            continue;
        ev->brief_skills = true;
        measure(ev, c);
        if (fits(ev))
            return true;
    }
    ev->brief_skills = true;
    if (fits(ev))
        return true;
    for (size_t i = ev->choice_count; i > 0; i--) {
        struct choice *c = &ev->choices[i - 1];
        while (c->level == LEVEL_FULL && c->resource_count > 0) {
            c->resource_count--;
            measure(ev, c);
            if (fits(ev))
                return true;
        }
    }
    return false;
}

/* The lowest-ranked choice that can still be demoted; those the client asked for come last. */
static struct choice *lowest_above_minimal(struct evaluation *ev)
{
    for (int upgraded = 0; upgraded < 2; upgraded++)
        for (size_t i = ev->choice_count; i > 0; i--) {
            struct choice *c = &ev->choices[i - 1];
            if (c->upgraded == (upgraded == 1) && c->level > LEVEL_MINIMAL)
                return c;
        }
    return NULL;
}

/* Step 2. */
static bool give_up_detail(struct evaluation *ev)
{
    for (struct choice *c; (c = lowest_above_minimal(ev)) != NULL;) {
        c->level--;
        measure(ev, c);
        if (fits(ev))
            return true;
    }
    return false;
}

/* Step 3: a root goes together with what only it needs. */
static bool give_up_tools(struct evaluation *ev)
{
    while (!fits(ev) && mgi_select_drop_lowest(ev, LOST_BUDGET)) {
        struct choice *old = ev->choices;
        size_t old_count = ev->choice_count;
        if (!mgi_select_choices(ev))
            return false;
        for (size_t i = 0; i < ev->choice_count; i++)
            for (size_t k = 0; k < old_count; k++)
                if (ev->choices[i].tool == old[k].tool) {
                    int64_t score = ev->choices[i].score;
                    struct str phase = ev->choices[i].phase;
                    ev->choices[i] = old[k];
                    ev->choices[i].score = score;
                    ev->choices[i].phase = phase;
                }
        mgi_sort_choices(ev);
    }
    return !ev->nomem;
}

bool mgi_budget_fit(struct evaluation *ev)
{
    if (ev->request.max_tokens == NO_LIMIT)
        return true;
    for (size_t i = 0; i < ev->choice_count; i++)
        measure(ev, &ev->choices[i]);
    if (fits(ev) || give_up_context(ev) || give_up_detail(ev))
        return !ev->nomem;
    return give_up_tools(ev);
}
