/* Rounds on several threads: what their two files share. */
#ifndef MGI_MANGLE_EVAL_PARTS_H
#define MGI_MANGLE_EVAL_PARTS_H

#include <stdatomic.h>

#include "mangle/run/eval.h"

#define PARTS_EACH  4  /* of a wave, per helper: one may take longer than another */
#define SLOTS_AHEAD 20 /* as in eval_queue.c */

struct part {
    uint32_t lo, hi;       /* rows of the first scan */
    struct helper *helper; /* who did it, */
    uint32_t from, to;     /* which of its heads are of this part, */
    int64_t firings;       /* and how many there were before they were looked up */
    enum mangle_status st;
    bool again;      /* too much was found: nothing of it counts */
    uint32_t *ends;  /* per share of the set: where its heads end in helper.order */
    uint32_t *fresh; /* per share: how many of them are new */
    uint32_t row;    /* the first new one's number */
};

struct helper {
    struct eval x; /* first: it is given to functions of evaluations, and found again from there */
    const struct crew *crew;
    struct mangle_error err;
    uint32_t *words;  /* heads that were gathered in this wave */
    uint64_t *hashes; /* of them; once they are looked up, the slot of each that is new */
    uint32_t *order;  /* of each part: by the share that they begin in */
    size_t words_cap, hashes_cap, order_cap;
    uint32_t count;
    uint32_t begun;        /* of them, when the part began */
    uint64_t seen;         /* before those that were known were left out */
    enum mangle_status st; /* of what was done last for all */
    bool full;
    bool went_beyond; /* its share of the set: claim_rest() */
};

struct crew {
    const struct mangle_workers *workers;
    struct machine machine;
    uint32_t count, part_count;
    struct helper *helpers;
    struct part *parts;
    uint32_t *numbers; /* what ends and fresh of the parts lie in */
    struct eval *x;
    const struct code *code;
    bool in_bulk; /* heads are looked up and put in by all, not by this thread alone */
    bool probes;  /* heads that are known are left out at once: most are */
    uint64_t gathered, seen, fresh; /* of the wave: heads, also of those left out; new ones */
    double expected;                /* per row of the first scan */
    atomic_uint next;               /* part */
    atomic_bool stop;               /* a part has failed: those behind it do not matter */
};

/* All helpers do `task`, each with its number. */
static inline void mgi_crew_do(struct crew *crew, void (*task)(void *argument, uint32_t number))
{
    crew->workers->run(crew->workers->context, task, crew, crew->count);
}

/* The heads of all parts become rows, and count, by the work of all. False: not of these parts. */
bool mgi_parts_put(struct eval *x, struct crew *crew, uint64_t gathered, enum mangle_status *st);
/* The heads of one part, by this thread alone. */
enum mangle_status mgi_part_put(struct eval *x, const struct part *part);
/* After a part is gathered that may be put in bulk: its heads by their shares. */
void mgi_part_share_out(const struct crew *crew, const struct helper *h, struct part *part);

#endif
