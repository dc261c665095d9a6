/* Following an answer through code, shared by the files that do it: source_settle.c finds the
 * answer, source_follow.c what becomes of it, source_hold.c the names that hold it, source_use.c
 * what it is used as. */
#ifndef BROWSER_SOURCE_FOLLOW_H
#define BROWSER_SOURCE_FOLLOW_H

#include "source_forms.h"
#include "source_takes.h"

#define HELD_MOST 40

/* A name that holds a part of the answer, and where that is so. */
struct held {
    struct str text, name;
    size_t from, to;
    char path[TRAIL_BYTES];
    size_t len;
};

/* A path in the answer, "slots[].with"; empty: the answer itself. */
struct path {
    char text[TRAIL_BYTES];
    size_t len;
};

/* An expression whose value is an answer, or the part of it at `base`: the Response of fetch, or
 * what was in it. */
struct value {
    size_t start, end;
    bool response;
    struct path base;
};

enum settled { NOT_FOUND, IS_BOUND, IS_RETURNED };

struct follow {
    const char *home; /* the text that the call is in */
    struct str text;  /* the one that is looked at */
    const struct str *texts;
    size_t text_count;
    struct takes *out;
    struct held held[HELD_MOST];
    size_t count, scanned;
    size_t from, to; /* the rest of the function that asked */
    bool looked;     /* a function that reads the answer looks at it first */
    bool by_type;    /* at its type */
    bool returned;   /* what the function gives its caller is the part of the answer at `base` */
    struct path base;
    size_t asked;      /* the call that is followed */
    bool called;       /* the part at `given` is argument `item` of the caller's own function, */
    size_t item, back; /* which the function that asked has as its parameter `back`, */
    struct str member; /* or as a member of that: options.success */
    struct path given;
};

/* An object that a function made around the answer, { data, status }: its path is WRAPPED and the
 * name of the member in which the answer is. Nothing else of it is of the answer. */
#define WRAPPED '\1'

/* ---- source_hold.c ---- */

/* Goes on to a member, "[]" for those of a list. False: that is not of the answer, or too long. */
bool mgi_path_add(struct path *p, struct str part);
bool mgi_path_is_wrapped(const struct path *p);

/* What is read in several places is told of the first, but of one without a guard if there is one.
 */
void mgi_note_read(struct follow *f, const struct path *p, size_t at, bool guarded);
void mgi_note_take(struct follow *f, const struct path *p, size_t at, enum take_how how);

/* A name or a pattern at `at`, that holds the path in the code from `from` to `to`. */
void mgi_hold_pattern(struct follow *f, size_t at, const struct path *p, size_t from, size_t to);
/* Parameter `number` (from 0) of a function, in its body. */
void mgi_hold_parameter(struct follow *f, const struct form_function *fn, size_t number,
                        const struct path *p);
/* The value behind "target =": a declared name is known in its block, another one wherever the
 * script goes. */
void mgi_hold_target(struct follow *f, size_t target, const struct path *p, size_t end);
/* Where what stands before "= value" begins: a name with its members, or a pattern. SIZE_MAX:
 * nothing does. */
size_t mgi_target_before(struct str s, size_t start);
/* Does const, let or var stand before it? */
bool mgi_is_declared(struct str s, size_t at);

/* In the script itself, else in the first of the others that has one of that name. */
bool mgi_follow_function_named(const struct follow *f, struct str name, struct form_function *fn);
/* The function at an argument: written there, or by its name. */
bool mgi_follow_function_at(const struct follow *f, size_t at, struct form_function *fn);

/* ---- source_give.c ---- */

/* The value at `start` is an argument: of a function that is known, of the caller's own function,
 * of those that listen to an event; or of code that is not followed. */
void mgi_give_argument(struct follow *f, const struct path *p, size_t start);
/* The function that is, or stands in, the caller's argument `back`, as the one below said. */
bool mgi_caller_function(const struct follow *f, const struct follow *below, size_t open,
                         struct form_function *fn);

/* ---- source_use.c ---- */

/* Notes what the value between `start` and `end` has to be for what stands around it. */
void mgi_note_uses(struct follow *f, const struct path *p, size_t start, size_t end);

/* ---- source_follow.c ---- */

/* The value from `start` to `end` stands at the path: its members, then what it is used for. */
void mgi_follow_value(struct follow *f, struct path p, size_t start, size_t end);
/* Every name that is held, and those that come to be held on the way. */
void mgi_follow_all(struct follow *f);
/* Does the name stand at `at` for its value, not as a key, a member or what is assigned to? */
bool mgi_is_the_name(struct str s, size_t at, struct str name);
/* A word that looks like a call and follows nothing: if, for, Number, encodeURIComponent. */
bool mgi_is_plain_call(struct str name);
/* "return value", "=> value". */
bool mgi_is_given_back(struct str s, size_t start);
/* Where the whole begins that the value is one end of: "a ? null : value", "value || []" behind
 * another. `start` itself: it is not. */
size_t mgi_whole_start(struct str s, size_t start);
/* The call at a place, from the beginning of its chain to behind its arguments. */
bool mgi_call_at(const struct place *place, struct value *v);

/* ---- source_settle.c ---- */

/* Finds the value that is the answer, beginning with the call that asks (or with its JSON.parse),
 * and follows it unless it is returned: then `v` says which part of it is. */
enum settled mgi_settle(struct follow *f, struct value *v);
/* Is what is between the question and the reading of its answer a look at whether there is JSON? */
bool mgi_looks_first(struct str s, size_t from, size_t to);
bool mgi_looks_at_type(struct str s, size_t from, size_t to); /* at what its type says */

#endif
