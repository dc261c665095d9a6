/* What travels with tools in full: instructions, skills, resources. Which, say the rules; how much
 * of it fits, say the settings. */
#include <stdlib.h>

#include "base/utf8.h"
#include "intent/intent_int.h"

/* At most max_bytes, cut at a word, with an ellipsis. */
static struct str cut_text(struct arena *a, struct str s, size_t max_bytes)
{
    static const char ellipsis[] = "…";
    if (s.len <= max_bytes || max_bytes < sizeof ellipsis)
        return s;
    struct str cut = mgi_utf8_prefix(s, max_bytes - (sizeof ellipsis - 1));
    size_t word = cut.len;
    while (word > 0 && cut.ptr[word - 1] != ' ')
        word--;
    if (word > 1)
        cut.len = word - 1;
    return str_of(mgi_arena_printf(a, "%.*s%s", STR_ARG(cut), ellipsis));
}

static bool read_instructions(struct evaluation *ev, struct choice *c)
{
    const struct disclosure *d = &ev->s->settings.disclosure;
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.instruction, c->tool->value, &count);
    struct buf text = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            mgi_buf_putc(&text, ' ');
        mgi_buf_str(&text, mgi_ev_text(ev, f[i].args[1]));
    }
    if (count > 0) {
        c->instructions = mgi_arena_str(ev->arena, mgi_buf_view(&text));
        c->instructions = cut_text(ev->arena, c->instructions,
                                   (size_t)d->instruction_tokens * (size_t)d->bytes_per_token);
    }
    bool ok = !text.oom && (count == 0 || c->instructions.ptr);
    mgi_buf_fini(&text);
    return ok;
}

static bool read_skills(struct evaluation *ev, struct choice *c)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.tool_skill, c->tool->value, &count);
    c->skills = mgi_arena_calloc(ev->arena, count + 1, sizeof(struct skill *));
    c->inlined = mgi_arena_calloc(ev->arena, count + 1, sizeof *c->inlined);
    if (!c->skills || !c->inlined)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct skill *skill = mgi_snapshot_skill(ev->s, mgi_ev_text(ev, f[i].args[1]));
        if (skill)
            c->skills[c->skill_count++] = skill;
    }
    return true;
}

static double priority_of(const struct evaluation *ev, mangle_value v)
{
    enum mangle_kind kind = mangle_kind_of(ev->values, v);
    double d = kind == MANGLE_NUMBER  ? (double)mangle_int_of(ev->values, v)
               : kind == MANGLE_FLOAT ? mangle_float_of(ev->values, v)
                                      : 0;
    return d >= 0 ? (d <= 100 ? d : 100) : 0; /* NaN is 0 */
}

static int compare_resources(const void *x, const void *y)
{
    const struct resource *a = x, *b = y;
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    int c = mgi_str_compare(a->uri, b->uri);
    return c ? c : mgi_str_compare(a->relevance, b->relevance);
}

static bool read_resources(struct evaluation *ev, struct choice *c)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.needs_file, c->tool->value, &count);
    c->resources = mgi_arena_calloc(ev->arena, count + 1, sizeof *c->resources);
    if (!c->resources)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct resource r = { mgi_ev_text(ev, f[i].args[1]), mgi_ev_text(ev, f[i].args[2]),
                              priority_of(ev, f[i].args[3]) };
        if (r.uri.len > 0)
            c->resources[c->resource_count++] = r;
    }
    if (c->resource_count > 1)
        qsort(c->resources, c->resource_count, sizeof *c->resources, compare_resources);
    return true;
}

static size_t users_of(const struct evaluation *ev, const struct skill *skill)
{
    size_t users = 0;
    for (size_t i = 0; i < ev->choice_count; i++)
        for (size_t k = 0; ev->choices[i].level == LEVEL_FULL && k < ev->choices[i].skill_count;
             k++)
            users += ev->choices[i].skills[k] == skill;
    return users;
}

/* A skill that is short and needed once stands in its tool; others are sent once, beside the tools.
 */
static void choose_inline(struct evaluation *ev)
{
    const struct disclosure *d = &ev->s->settings.disclosure;
    size_t most = (size_t)d->inline_skill_tokens * (size_t)d->bytes_per_token;
    for (size_t i = 0; i < ev->choice_count; i++)
        for (size_t k = 0; k < ev->choices[i].skill_count; k++)
            ev->choices[i].inlined[k] = ev->choices[i].skills[k]->content.len <= most &&
                                        users_of(ev, ev->choices[i].skills[k]) == 1;
}

bool mgi_context_read(struct evaluation *ev)
{
    for (size_t i = 0; i < ev->choice_count; i++) {
        struct choice *c = &ev->choices[i];
        if (c->level == LEVEL_FULL &&
            (!read_instructions(ev, c) || !read_skills(ev, c) || !read_resources(ev, c)))
            return false;
    }
    choose_inline(ev);
    return !ev->nomem;
}
