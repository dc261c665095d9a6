/* What the rules were told when a tool was offered, as far as they can read it where they decide
 * whether it is: so that they can be asked again when it is to run. Kept once for all tools of an
 * evaluation, in the store, under a name made of its content. */
#ifndef MGI_MACRO_TOLD_H
#define MGI_MACRO_TOLD_H

#include "base/arena.h"
#include "base/json.h"

struct told {
    struct str who;            /* what the rules knew of the caller, as text: mgi_told_name() */
    struct str intent;         /* its name */
    const struct json *params; /* NULL: none */
    const struct json *facts;  /* an array, each as it was sent */
    int64_t at_ns;             /* what "now" meant in the facts */
    int64_t max_tools;         /* -1: no limit */
    bool adaptive;             /* scores that are too low fall away */
};

/* `facts` may have holes: members of type JSON_NULL are left out. */
void mgi_told_write(struct buf *out, const struct told *t);
/* False if the text is not one of ours, or memory is short, which arena->oom says. Lives in
 * `arena`; `text` must outlive it. */
bool mgi_told_read(struct arena *arena, struct str text, struct told *out);

/* The name of a text: no tool's id is one. ptr NULL when memory is short. */
struct str mgi_told_name(struct arena *arena, struct str text);

#endif
