/* What an interactive session knows: files loaded one upon the other, and what was typed on top.
 *
 * Everything together is one program, compiled and evaluated anew after each change; so a proof
 * goes all the way down. That a layer does not define what an earlier one defined (M-IO-18) is seen
 * by compiling it alone first, with the predicates below as the host's. A change that fails leaves
 * everything as it was. */
#ifndef MGI_CLI_MANGLE_REPL_SESSION_H
#define MGI_CLI_MANGLE_REPL_SESSION_H

#include "base/buf.h"
#include "mangle.h"

#define REPL_SOURCE "interactive" /* the file name of what was typed */

struct repl_layer {
    char *list; /* as it was given: "a.mg,b.mg" */
    struct buf *texts;
    struct mangle_source *sources; /* names last until the program ends */
    size_t count;
    size_t standard_count; /* of them, the first: of a domain folder */
};

struct repl_state { /* an evaluated program */
    mangle_program *program;
    mangle_base *base;
    mangle_overlay *overlay;
};

struct repl_session {
    const char *root; /* of the files to load, or NULL */
    struct mangle_limits limits;
    bool allow_dangerous;
    bool fixed; /* the evaluation time is fixed_ns; else the clock's */
    int64_t fixed_ns;
    int64_t now_ns; /* of the last evaluation */
    struct repl_layer *layers;
    size_t layer_count, layer_cap;
    struct buf typed;
    mangle_program *below; /* of the layers without what was typed */
    struct repl_state state;
    mangle_zone_folder *zones;
};

/* `session` has root, limits and time filled in. False: `why` says why not. */
bool mgi_repl_start(struct repl_session *session, struct buf *why);
void mgi_repl_end(struct repl_session *session);

/* Each is done whole or not at all; `why` is then filled, else perhaps with warnings. */
bool mgi_repl_define(struct repl_session *session, struct str text, struct buf *why);
bool mgi_repl_load(struct repl_session *session, struct str list, struct buf *why);
/* Drop what was typed, or else the last load; *what is NULL for the former, and the caller's
 * (mgi_free) for the latter. False: nothing to drop, or `why` is filled. */
bool mgi_repl_pop(struct repl_session *session, char **what, struct buf *why);
bool mgi_repl_evaluate(struct repl_session *session, struct buf *why); /* again, at another time */

#endif
