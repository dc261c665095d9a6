/* What the code behind a request reads of its answer: from the call that asked forward to the names
 * that hold the answer or parts of it, and to the members that are read of these. A guess by form,
 * as source.h's trails are: what it does not understand it leaves out, and says that the answer
 * went where it did not follow. */
#ifndef BROWSER_SOURCE_TAKES_H
#define BROWSER_SOURCE_TAKES_H

#include "source.h"

#define TAKES_MOST 48

/* A member that is read, as a path in the answer ("slots[].with", empty for the answer itself), and
 * where. */
enum take_how {
    TAKE_READ,
    TAKE_HANDED_ON, /* given to code that was not followed */
    TAKE_AS_DATE,   /* made a date, or a number */
    TAKE_AS_NUMBER,
    TAKE_SAME, /* held to be the very same (===) as something else, a text, a number */
    TAKE_SAME_TEXT,
    TAKE_SAME_NUMBER,
    TAKE_ADDED,  /* with + to something that is no text by its form */
    TAKE_AS_LIST /* Array.isArray(value) ? value : [], value || [] */
};

struct take {
    char path[TRAIL_BYTES];
    size_t len;
    struct place place;
    enum take_how how;
    bool guarded; /* the code expects that it is not there: a.b || c, a.b ? c : d, if (a.b) */
};

struct takes {
    struct take items[TAKES_MOST];
    size_t count;
    bool json;         /* the answer is read as JSON */
    bool json_guarded; /* after a look at whether it is some */
    bool json_by_type; /* at what its type says */
};

/* `calls` are where the functions that asked stood, innermost first; `same` says of each that it is
 * another stop of the function before it. What there is no room for is left out. */
struct call_site {
    struct place place;
    bool same;
};
/* Functions that a call's own script does not have are looked for in the page's `texts`. */
void mgi_source_takes(const struct call_site *calls, size_t count, const struct str *texts,
                      size_t text_count, struct takes *out);

/* What stands in for the answer if there is none: "catch (e) { return DEFAULTS; }", ".catch(() =>
 * [])". */
enum stand_in {
    STAND_IN_NONE,    /* nobody catches it, or nobody could say */
    STAND_IN_NOTHING, /* null, an empty list */
    STAND_IN_PLACE,   /* what would have shown it is taken away or hidden */
    STAND_IN_VALUE
};
enum stand_in mgi_source_stand_in(const struct place *call);

/* The same of an answer that is an error: response.ok ? response.json() : { ... }, first in `code`.
 */
enum stand_in mgi_source_if_not_ok(struct str code);

/* What runs if the request fails: its body, and what it calls the error (empty: nothing). */
struct handler {
    struct str body, error;
};
/* False: nothing was found that catches it. */
bool mgi_source_handler(const struct place *call, struct handler *out);

/* Does it stand in an async function that is written as the argument of forEach()? */
bool mgi_source_in_for_each(const struct place *call);

/* Is this part of an address written in the arguments of the call at the place? */
bool mgi_source_call_has(const struct place *call, struct str part);

#endif
