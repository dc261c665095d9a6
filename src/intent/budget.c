/* The token budget (D-33): estimate, then give up the names of rules, then lines about what there
 * is besides, then context, then detail, then tools, always from the lowest-ranked end, until it
 * fits. What the client asked to see in
 * full is demoted last. */
#include "intent/intent_int.h"

struct budget {
    struct evaluation *ev;
    size_t *whole, *brief; /* what each skill of the snapshot costs; 0: not measured yet */
    size_t overview;
};

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

static size_t tokens_of_skill(struct budget *b, const struct skill *skill)
{
    struct evaluation *ev = b->ev;
    size_t *tokens = &(ev->brief_skills ? b->brief : b->whole)[skill - ev->s->skills];
    if (*tokens > 0)
        return *tokens;
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_render_skill(&w, skill, ev->brief_skills);
    *tokens = tokens_of(ev, &text);
    ev->nomem |= text.oom;
    mgi_buf_fini(&text);
    return *tokens;
}

static size_t sum_of(struct budget *b)
{
    struct evaluation *ev = b->ev;
    size_t count, sum = ev->no_overview ? 0 : b->overview;
    const struct skill **skills = mgi_referenced_skills(ev, &count);
    for (size_t i = 0; i < count; i++)
        sum += tokens_of_skill(b, skills[i]);
    for (size_t i = 0; i < ev->choice_count; i++)
        sum += ev->choices[i].tokens;
    return sum;
}

static bool fits(struct budget *b)
{
    size_t sum = sum_of(b);
    return b->ev->nomem || sum <= (size_t)b->ev->request.max_tokens;
}

static void show_resources(struct budget *b, struct choice *c, size_t count)
{
    c->resource_count = count;
    measure(b->ev, c);
}

/* As many as fit, of those with the highest priority. False: it does not fit with none of them. */
static bool give_up_resources(struct budget *b, struct choice *c)
{
    size_t few = 0, many = c->resource_count; /* so few fit; so many do not */
    show_resources(b, c, few);
    if (!fits(b))
        return false;
    while (many - few > 1) {
        size_t middle = few + (many - few) / 2;
        show_resources(b, c, middle);
        if (fits(b))
            few = middle;
        else
            many = middle;
    }
    show_resources(b, c, few);
    return true;
}

/* Step 1: inline skills become references, whole skills become summaries, resources go. */
static bool give_up_context(struct budget *b)
{
    struct evaluation *ev = b->ev;
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
        if (fits(b))
            return true;
    }
    ev->brief_skills = true;
    if (fits(b))
        return true;
    for (size_t i = ev->choice_count; i > 0; i--) {
        struct choice *c = &ev->choices[i - 1];
        if (c->level == LEVEL_FULL && c->resource_count > 0 && give_up_resources(b, c))
            return true;
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
static bool give_up_detail(struct budget *b)
{
    for (struct choice *c; (c = lowest_above_minimal(b->ev)) != NULL;) {
        c->level--;
        measure(b->ev, c);
        if (fits(b))
            return true;
    }
    return false;
}

/* What the tools that are left have come to, by the rank of their tool; all are minimal, and no
 * skill is shown. */
struct remains {
    const struct choice **choices;
    size_t *users; /* roots that bring the tool */
};

static bool count_users(struct evaluation *ev, struct remains *out)
{
    out->choices = mgi_arena_calloc(ev->arena, ev->s->tool_count + 1, sizeof(struct choice *));
    out->users = mgi_arena_calloc(ev->arena, ev->s->tool_count + 1, sizeof *out->users);
    if (!out->choices || !out->users)
        return false;
    for (size_t i = 0; i < ev->choice_count; i++)
        out->choices[ev->choices[i].tool->rank] = &ev->choices[i];
    for (size_t i = 0; i < ev->root_count; i++)
        for (size_t k = 0; ev->roots[i].kept && k < ev->roots[i].bundle_count; k++)
            out->users[ev->roots[i].bundle[k].tool->rank]++;
    return true;
}

/* Step 3: a root goes together with what only it needs. */
static bool give_up_tools(struct budget *b)
{
    struct evaluation *ev = b->ev;
    struct remains left;
    size_t sum = sum_of(b);
    if (!count_users(ev, &left))
        return false;
    for (const struct root *root; sum > (size_t)ev->request.max_tokens &&
                                  (root = mgi_select_drop_lowest(ev, LOST_BUDGET)) != NULL;)
        for (size_t k = 0; k < root->bundle_count; k++) {
            uint32_t rank = root->bundle[k].tool->rank;
            if (--left.users[rank] == 0)
                sum -= left.choices[rank]->tokens;
        }
    if (!mgi_select_choices(ev))
        return false;
    for (size_t i = 0; i < ev->choice_count; i++) {
        struct choice *c = &ev->choices[i];
        int64_t score = c->score; /* what lent it a higher one may be gone */
        struct str phase = c->phase;
        *c = *left.choices[c->tool->rank];
        c->score = score;
        c->phase = phase;
    }
    mgi_sort_choices(ev);
    return !ev->nomem;
}

/* A model has no use for them. */
static bool give_up_rules(struct budget *b)
{
    for (size_t i = 0; i < b->ev->choice_count; i++) {
        b->ev->choices[i].source_rule_count = 0;
        measure(b->ev, &b->ev->choices[i]);
    }
    return fits(b);
}

static bool give_up_overview(struct budget *b)
{
    b->ev->no_overview = true;
    return fits(b);
}

static void measure_overview(struct budget *b)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_render_overview(b->ev, &w);
    mgi_jw_end_object(&w);
    b->overview = text.len > 2 ? tokens_of(b->ev, &text) : 0;
    b->ev->nomem |= text.oom;
    mgi_buf_fini(&text);
}

bool mgi_budget_fit(struct evaluation *ev)
{
    struct budget b = { .ev = ev };
    if (ev->request.max_tokens == NO_LIMIT)
        return true;
    b.whole = mgi_arena_calloc(ev->arena, ev->s->skill_count + 1, sizeof *b.whole);
    b.brief = mgi_arena_calloc(ev->arena, ev->s->skill_count + 1, sizeof *b.brief);
    if (!b.whole || !b.brief)
        return false;
    for (size_t i = 0; i < ev->choice_count; i++)
        measure(ev, &ev->choices[i]);
    measure_overview(&b);
    if (fits(&b) || give_up_rules(&b) || give_up_overview(&b) || give_up_context(&b) ||
        give_up_detail(&b))
        return !ev->nomem;
    return give_up_tools(&b);
}
