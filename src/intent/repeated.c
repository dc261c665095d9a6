/* What rules say may repeat what is masked and was not sent: facts that the server knows, derived
 * or was answered. */
#include "decision/mask.h"
#include "intent/intent_int.h"

#define REPEATED 8 /* bytes of a value whose repetition counts (decision/mask.h) */

/* If `text` repeats it, free texts will not show it. */
static void remember_if_repeated(struct mask *m, struct str value, struct str text)
{
    const struct json v = { .type = JSON_STRING, .string = value };
    struct str begin = { value.ptr, value.len < REPEATED ? value.len : REPEATED };
    if (value.len > 0 && mgi_str_find(text, begin) != SIZE_MAX)
        mgi_mask_remember(m, &v);
}

static void remember_value(struct evaluation *ev, struct mask *m, mangle_value v, struct str text)
{
    size_t len;
    enum mangle_kind kind = mangle_kind_of(ev->values, v);
    if (kind == MANGLE_STRING || kind == MANGLE_NAME) {
        remember_if_repeated(m, mgi_ev_text(ev, v), text);
        return;
    }
    char *printed = mangle_value_print(ev->values, v, MANGLE_CANONICAL, &len);
    ev->nomem |= !printed;
    if (printed && (kind == MANGLE_NUMBER || kind == MANGLE_FLOAT)) {
        remember_if_repeated(m, (struct str){ printed, len }, text);
    } else if (printed) { /* any piece of it may stand in the text */
        const struct json whole = { .type = JSON_STRING, .string = { printed, len } };
        mgi_mask_remember(m, &whole);
    }
    mangle_free(printed);
}

static void remember_facts(struct evaluation *ev, struct mask *m, const struct mask_rule *rule,
                           mangle_pred pred, struct str text)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_facts(ev, pred, &count);
    for (size_t i = 0; i < count && !m->too_many; i++)
        for (uint32_t k = 0; k < f[i].count; k++)
            if (rule->argument == MASK_EVERY_ARGUMENT || rule->argument == k)
                remember_value(ev, m, f[i].args[k], text);
}

void mgi_ev_remember_masked(struct evaluation *ev, struct mask *m, struct str text)
{
    const mangle_program *p = ev->s->program;
    size_t count;
    const struct mask_rule *rules = mgi_masking_at(&ev->s->masking, MASK_FACTS, &count);
    for (size_t i = 0; i < count; i++)
        for (mangle_pred q = 0; q < mangle_program_pred_count(p); q++)
            if (str_is(rules[i].subject, mangle_program_pred(p, q).name))
                remember_facts(ev, m, &rules[i], q, text);
}
