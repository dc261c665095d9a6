/* Looking things up in a snapshot. Its making is load.c. */
#include "domain/domain.h"

static const void *find_by_name(const void *items, size_t count, size_t size, struct str name)
{
    /* The name is the first field of all three, and all three are sorted by it. */
    size_t lo = 0, hi = count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const char *at = (const char *)items + mid * size;
        int c = mgi_str_compare(*(const struct str *)(const void *)at, name);
        if (c == 0)
            return at;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

const struct tool *mgi_snapshot_tool(const struct snapshot *s, struct str name)
{
    return find_by_name(s->tools, s->tool_count, sizeof *s->tools, name);
}

const struct skill *mgi_snapshot_skill(const struct snapshot *s, struct str id)
{
    return find_by_name(s->skills, s->skill_count, sizeof *s->skills, id);
}

const struct action *mgi_snapshot_action(const struct snapshot *s, struct str aid)
{
    return find_by_name(s->actions, s->action_count, sizeof *s->actions, aid);
}

const struct tool *mgi_snapshot_tool_of(const struct snapshot *s, mangle_value v)
{
    size_t lo = 0, hi = s->tool_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct tool *t = s->tools_by_value[mid];
        if (t->value == v)
            return t;
        if (t->value < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

const struct hazard *mgi_snapshot_hazard(const struct snapshot *s, struct str intent)
{
    const struct domain_settings *d = &s->settings;
    size_t bit = 0;
    while (bit < d->intent_count && !str_eq(d->intents[bit].name, intent))
        bit++; /* beyond the last: any that is not listed */
    for (size_t i = 0; i < s->hazard_count; i++)
        if (s->hazards[i].intents[bit / 64] >> (bit % 64) & 1)
            return &s->hazards[i];
    return NULL;
}

const struct hazard *mgi_snapshot_hazard_of_rule(const struct snapshot *s, size_t rule)
{
    if (rule >= mangle_program_rule_count(s->program))
        return NULL;
    mangle_pred head = mangle_program_rule(s->program, rule).head;
    uint32_t stratum = mangle_program_pred(s->program, head).stratum;
    for (size_t i = 0; i < s->hazard_count; i++)
        if (s->hazards[i].stratum == stratum)
            return &s->hazards[i];
    return NULL;
}
