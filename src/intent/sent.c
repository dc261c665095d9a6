/* Which facts of a proof are the client's own: those that it sent, and the request itself.
 *
 * Everything else that an overlay was given is the server's word, though it belongs to this request
 * alone: who is calling, and what actions answered to external predicates. */
#include <stdlib.h>

#include "intent/intent_int.h"

/* Facts that are vouched for, and claims, stand in copies of their predicate, which have its name.
 */
static int compare_to(const struct wire_fact *f, struct str pred, const mangle_value *args,
                      uint32_t count)
{
    int order = mgi_str_compare(f->pred, pred);
    if (order == 0)
        order = (f->count > count) - (f->count < count);
    return order ? order : memcmp(f->args, args, count * sizeof *args);
}

static int compare_sent(const void *x, const void *y)
{
    const struct wire_fact *a = *(const struct wire_fact *const *)x;
    const struct wire_fact *b = *(const struct wire_fact *const *)y;
    return compare_to(a, b->pred, b->args, b->count);
}

static bool sort_sent(struct evaluation *ev)
{
    const struct fact_list *list = &ev->facts;
    const struct wire_fact **sent = mgi_arena_calloc(ev->arena, list->count + 1, sizeof *sent);
    ev->nomem |= !sent;
    for (size_t i = 0; sent && i < list->count; i++)
        sent[i] = &list->facts[i];
    if (sent && list->count > 1)
        qsort(sent, list->count, sizeof *sent, compare_sent);
    ev->sent = sent;
    return sent != NULL;
}

bool mgi_ev_was_sent(struct evaluation *ev, const struct mangle_fact *f)
{
    const struct interface *of = &ev->s->pred;
    if (f->pred == of->intent_type || f->pred == of->intent_param)
        return true;
    if (!ev->sent && !sort_sent(ev))
        return false;
    struct str pred = str_of(mangle_program_pred(ev->s->program, f->pred).name);
    size_t low = 0, high = ev->facts.count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = compare_to(ev->sent[mid], pred, f->args, f->count);
        if (order == 0)
            return true;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return false;
}
