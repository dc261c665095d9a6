/* Inside of the working facts: what one fact is, and how sets of them change.
 *
 * A fact is kept as two texts. `text` is what goes to a server. `key` is its identity: two facts
 * are the same if their keys are the same bytes (D-48). A key is
 *
 *     "pred" [ arg , arg ]  annotation       or       "pred" { named arguments }  annotation
 *
 * with arguments in a canonical spelling: members sorted, integers in decimal (a wrapped one equals
 * the plain one, D-11), floats by their shortest digits behind an `f` (so 1 is not 1.0). An
 * annotation is two numbers of nanoseconds, because an instant has many spellings. */
#ifndef MGI_CLIENT_FACTS_INT_H
#define MGI_CLIENT_FACTS_INT_H

#include "base/arena.h"
#include "base/json.h"
#include "base/strmap.h"
#include "manglecp.h"
#include "protocol/fact.h"

/* Immutable. One block of memory: everything below lies in it. */
struct known_fact {
    struct str text, key;
    struct str pred;       /* in `key`, with its quotes */
    struct str annotation; /* in `key`; empty: holds always */
    bool named;            /* named_args: matched by no pattern */
    bool is_signed;        /* its source has a signature, whosever it is */
    uint32_t arg_count;
    struct str *args; /* in `key`, one each */
};

/* Invariant: `index` finds the place of every fact by its key. What it says may be stale (a place
 * behind `count`, or of another fact), so who asks looks at the fact that is there. */
struct manglecp_facts {
    struct known_fact **items;
    size_t count, cap;
    struct strmap index;
};

/* Has `v` the shape of a fact: a predicate, and args or named_args? NULL, or what is wrong. */
const char *mgi_fact_fault(const struct json *v);

/* A fact of an object of that shape, the caller's (mgi_free). `arg_names` (NULL, or `arity` of
 * them): named arguments are put in that order. NULL when memory is short. */
struct known_fact *mgi_fact_keep(const struct json *v, const struct str *arg_names, uint32_t arity);

/* The canonical spelling of one value, and of an annotation (nothing if it holds always). */
void mgi_fact_spell(struct buf *out, const struct json *v);
void mgi_fact_spell_window(struct buf *out, const struct json *t);

/* The place of a fact with this key, or SIZE_MAX. */
size_t mgi_facts_find(const struct manglecp_facts *facts, struct str key);

/* Add the array or single object `v`: all or none. A signed fact takes the place of an equal one:
 * the newest signature counts longest. *added counts those that were not there. `shared`: owns
 * facts that `facts` has, too; or NULL. */
enum manglecp_status mgi_facts_take(struct manglecp_facts *facts,
                                    const struct manglecp_facts *shared, const struct json *v,
                                    size_t *added);

/* Patterns of retraction, made ready to be held against many facts at once: the cost of a fact is
 * one lookup for each way in which the patterns of its predicate leave positions open. */
struct retraction;
const char *mgi_retraction_fault(const struct json *pattern); /* NULL, or what is wrong with it */
struct retraction *mgi_retraction_new(const struct json *patterns); /* an array; NULL: memory */
void mgi_retraction_free(struct retraction *r);
enum hit { HIT_NO, HIT_YES, HIT_NOMEM };
enum hit mgi_retraction_hits(struct retraction *r, const struct known_fact *fact);

/* Put arguments that were written by name where `profile` says that they belong. MANGLECP_OK or
 * MANGLECP_ERR_NOMEM, which changes nothing. */
enum manglecp_status mgi_facts_place(struct manglecp_facts *facts,
                                     const struct fact_profile *profile);

#endif
