/* What proof.c and refused.c share (proof_walk.c): one walk through a proof, and what of it may be
 * shown. */
#ifndef MGI_INTENT_PROOF_INT_H
#define MGI_INTENT_PROOF_INT_H

#include "base/strmap.h"
#include "intent/intent_int.h"

#define MAX_CHAIN 64

struct proof_walk {
    struct evaluation *ev;
    struct strmap seen;  /* ids of sub-proofs, which are shared: each is visited once */
    struct strmap known; /* values of the facts that support it */
    mangle_pred chain[MAX_CHAIN];
    size_t chain_count;
    const struct mangle_fact **support;
    size_t support_count, support_cap;
    size_t nodes;
};

void mgi_proof_walk_init(struct proof_walk *w, struct evaluation *ev);
void mgi_proof_walk_fini(struct proof_walk *w);

/* Is it the first time on this walk? False as well when memory is short (ev->nomem). */
bool mgi_proof_first_visit(struct proof_walk *w, const struct mangle_proof *p);
void mgi_proof_chain_add(struct proof_walk *w, mangle_pred pred);
/* Note predicates and facts of the client, of `p` and all below it that may be shown. */
void mgi_proof_collect(struct proof_walk *w, const struct mangle_proof *p);
/* One derivation of a fact; NULL: none, or the evaluation is over (mgi_ev_goes_on()). The second
 * one where what is said may end with the time that there is: then NULL alone. */
const struct mangle_proof *mgi_proof_find(struct evaluation *ev, const struct mangle_fact *f);
const struct mangle_proof *mgi_proof_in_time(struct evaluation *ev, const struct mangle_fact *f);
void mgi_proof_support_write(struct proof_walk *walk, struct json_writer *w); /* a member */
/* A tree node; `p` itself may be shown. */
void mgi_proof_node_write(struct proof_walk *walk, struct json_writer *w,
                          const struct mangle_proof *p);

void mgi_proof_children_write(struct proof_walk *walk, struct json_writer *w,
                              const struct mangle_proof *p);

/* refused.c: the member `refused`, if there is anything to say. */
void mgi_refused_write(struct evaluation *ev, struct json_writer *w);

#endif
