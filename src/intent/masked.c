/* What the engine says of a request, for the server's log: it may quote what is masked. */
#include <string.h>

#include "decision/mask.h"
#include "intent/intent_int.h"

/* Is all that there is of it what clients send? */
static bool is_only_sent(const struct evaluation *ev, struct str name)
{
    const mangle_program *p = ev->s->program;
    const struct pred_schema *schema = mgi_profile_find(&ev->s->profile, name);
    if (!schema || schema->direction != DIRECTION_INPUT)
        return false;
    for (size_t i = 0; i < mangle_program_rule_count(p); i++)
        if (mangle_program_rule(p, i).head == schema->pred)
            return false;
    return true;
}

/* When an evaluation fails, nobody knows any more what its rules had in hand. */
static bool may_quote_masked(const struct evaluation *ev)
{
    size_t count;
    const struct mask_rule *rules = mgi_masking_at(&ev->s->masking, MASK_FACTS, &count);
    for (size_t i = 0; i < count; i++)
        if (!is_only_sent(ev, rules[i].subject))
            return true;
    return false;
}

const char *mgi_ev_masked(struct evaluation *ev, const char *text)
{
    struct mask m;
    struct buf scratch = { 0 };
    struct json_writer w;
    const struct str no_key = { "", 0 };
    if (ev->s->masking.count == 0)
        return text;
    mgi_mask_init(&m, ev->s, ev->arena, no_key);
    mgi_json_writer_init(&w, &scratch, 0);
    mgi_jw_begin_array(&w);
    mgi_mask_facts(&m, &w, ev->request.facts); /* what it hides, it remembers */
    if (ev->request.params)
        mgi_mask_params(&m, &w, ev->request.params);
    mgi_buf_clear(&scratch);
    mgi_mask_plain(&m, &scratch, str_of(text));
    const char *clean =
        scratch.oom ? NULL : mgi_arena_strdup(ev->arena, scratch.ptr ? scratch.ptr : "");
    mgi_buf_fini(&scratch);
    mgi_mask_fini(&m);
    return clean ? clean : "a rule failed";
}

const char *mgi_ev_masked_failure(struct evaluation *ev, const char *text)
{
    if (ev->s->masking.count == 0 || !may_quote_masked(ev))
        return mgi_ev_masked(ev, text);
    const char *end = strstr(text, ": ");
    const char *cut = end ? mgi_arena_printf(ev->arena,
                                             "%.*s: a rule failed; what it says may quote what is "
                                             "masked",
                                             (int)(end - text), text)
                          : NULL;
    return cut ? cut : "a rule failed";
}
