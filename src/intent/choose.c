/* Everything that comes out of an evaluation: first which tools, then each of them composed, at its
 * level, in order. */
#include "intent/intent_int.h"

/* With a budget of tokens, what comes out depends on what everything costs. */
bool mgi_choose_tools(struct evaluation *ev)
{
    if (ev->request.max_tokens != NO_LIMIT)
        return mgi_choose(ev);
    if (!mgi_select_roots(ev))
        return false;
    mgi_select_cut(ev);
    return !ev->nomem && mgi_select_choices(ev);
}

bool mgi_choose(struct evaluation *ev)
{
    if (!mgi_select_roots(ev))
        return false;
    mgi_select_cut(ev);
    if (ev->nomem || !mgi_select_choices(ev))
        return false;
    for (size_t i = 0; i < ev->choice_count; i++) {
        struct choice *c = &ev->choices[i];
        if (!mgi_compose(ev, c->tool, &c->macro))
            return false;
        mgi_ev_lap(ev, INTENT_SELECT);
        if (!mgi_compose_window(ev, c))
            return false;
        mgi_ev_lap(ev, INTENT_WINDOW);
        if (!mgi_source_rules_find(ev, c))
            return false;
    }
    mgi_sort_choices(ev);
    if (!mgi_context_read(ev) || !mgi_budget_fit(ev))
        return false;
    return !ev->nomem;
}
