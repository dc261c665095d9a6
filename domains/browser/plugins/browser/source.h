/* What a script's text says about the place where it failed: the expression that was read, and
 * where its value came from, as far as a look at the text tells. It is a guess by form, not a
 * parser; what it does not understand it leaves out. */
#ifndef BROWSER_SOURCE_H
#define BROWSER_SOURCE_H

#include "browser.h"

/* A position in a script's text. */
struct place {
    struct str text;
    size_t at;
};

/* a.b[0].c -> root "a", path "b[].c" */
#define TRAIL_BYTES 160
struct trail {
    struct place place;
    struct str root;
    char path[TRAIL_BYTES];
    size_t len;
    bool of_answer; /* the root is what an answer brought */
};

/* Where `line` and `column` (from 1, in UTF-16 units) are. False: the text is not known. */
bool mgi_source_place(const struct capture *c, struct str url, int64_t line, int64_t column,
                      struct place *out);

/* The expression whose member `property` is read at the place; empty if it is not found there. */
struct str mgi_source_expression(const struct place *place, struct str property);

/* Starts a trail with an expression that ends at a place. False: it has no form that we know. */
bool mgi_trail_begin(struct trail *t, struct place place, struct str expression);

/* One step back: to the assignment, loop, callback or call that gave the root its value. `callers`
 * are where functions were called, innermost first. False: nothing was found. */
bool mgi_trail_step(struct trail *t, const struct place *callers, size_t count);

/* Where a trail has ended: is one of the names of its path a field that this text gives the value
 * of an answer? True: the trail is of that answer, and its place is there. */
bool mgi_trail_field(struct trail *t, struct str text);

/* Does the text make a field of this name of something else than a member of that name: "name:
 * a.b", "x.name = f()"? */
bool mgi_source_makes(struct str text, struct str name);

/* The line of a position, from 1. */
int64_t mgi_place_line(const struct place *place);

#endif
