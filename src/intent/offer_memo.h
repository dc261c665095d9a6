/* What one worker remembers of its latest evaluations: which tools they offered, made of what, from
 * when until when. The window of a tool (window.c) says that every evaluation of the same facts,
 * for the same caller, within it offers the tool, made of the same. So who asks within it whether
 * an offer stands has the answer, and need not ask the rules again.
 *
 * Good for the snapshot with which the evaluations were made, and no other: tables and settings may
 * change under the same rules. Not remembered is what does not depend on snapshot, facts, caller
 * and time alone: see keep.c. One thread. */
#ifndef MGI_INTENT_OFFER_MEMO_H
#define MGI_INTENT_OFFER_MEMO_H

#include "base/str.h"

#define OFFERS_KEPT 256 /* evaluations; the oldest gives way */

struct offer_memo;
struct offer_memo *mgi_offer_memo_new(void); /* NULL: memory is short */
void mgi_offer_memo_free(struct offer_memo *memo);

struct offer { /* a tool, by what it is made of, and until when */
    struct str digest;
    int64_t until_ns;
};

/* An evaluation as of `from_ns`. `told`: the name of what the rules were told (macro/told.h);
 * `who`: what they knew of the caller. Where there is no memory for it, nothing is remembered. */
void mgi_offer_memo_add(struct offer_memo *memo, struct str told, struct str who, int64_t from_ns,
                        const struct offer *offers, size_t count);

/* Did one that was told the same, of the same caller, offer it, and does that stand at `at_ns`?
 * False: nothing is known. */
bool mgi_offer_memo_holds(const struct offer_memo *memo, struct str told, struct str who,
                          struct str digest, int64_t at_ns);

#endif
