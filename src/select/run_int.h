/* The records of a run (T-BUD-6), a function each. Shared by run.c and its events alone. False:
 * memory is short, and nothing was told. */
#ifndef MGI_SELECT_RUN_INT_H
#define MGI_SELECT_RUN_INT_H

#include "select/run.h"

bool mgi_event_menu_built(const struct select_run *r);
bool mgi_event_selector(const struct select_run *r, bool policy, const struct selection *s,
                        const char *failure);
bool mgi_event_chosen(const struct select_run *r, const struct selection *s);
bool mgi_event_patched(const struct select_run *r, const struct patched *p);
bool mgi_event_invalid_pick(const struct select_run *r, struct str why);
bool mgi_event_outcome(const struct select_run *r, const struct select_outcome *o);
bool mgi_event_ask_sup(const struct select_run *r, struct str question);
bool mgi_event_noop(const struct select_run *r);
bool mgi_event_goal_done(const struct select_run *r);
bool mgi_event_loop_guard(const struct select_run *r);
bool mgi_event_breaker(const struct select_run *r, enum select_end why);

#endif
