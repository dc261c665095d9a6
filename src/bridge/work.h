/* The works of a bridge: what one conversation with a model has come to so far (X-BRIDGE-1 to -3).
 *
 * A work has a handle, because a modern client has no session to hang it on; it belongs to one
 * owner (who is calling), and remembers the connection that began it. It holds the working facts,
 * the tools that were offered last, the result that came last, and what the model was shown.
 *
 *     begin -> enter -> (a worker has it) -> leave -> enter -> … -> forgotten
 *
 * Calls of one work go one after the other: who enters while somebody is inside waits for its turn,
 * and leave() says whose turn it is. A work that somebody is in is never forgotten.
 *
 * Bounds: works, the age of one that nobody uses, calls that wait for one, bytes of facts of one.
 * The store, and who is inside, belong to one thread (the loop's); what a work holds belongs to
 * whoever is inside. */
#ifndef MGI_BRIDGE_WORK_H
#define MGI_BRIDGE_WORK_H

#include "base/str.h"
#include "manglecp.h"

#define WORK_HANDLE_MAX 26 /* characters */
#define WORK_OWNER_MAX  64
#define WORK_FACTS      10000
#define WORK_FACT_BYTES                                                                            \
    ((size_t)4 * 1024 *                                                                            \
     1024) /* of one: what was added since some were forgotten, and what was there then */
#define WORK_MAX_WAITING  16
#define WORK_DEFAULT_MAX  64                              /* of one owner */
#define WORK_OWNERS       16                              /* so many times that of all together */
#define WORK_DEFAULT_IDLE (INT64_C(30) * 60 * 1000000000) /* nanoseconds */

/* A call's place in the queue of a work: a member of the call. */
struct work_turn {
    struct work_turn *next;
};

struct bridge_work {
    char handle[WORK_HANDLE_MAX + 1];

    /* Of whoever is inside. */
    manglecp_facts *facts;   /* never NULL */
    manglecp_tools *tools;   /* of the last intent, or NULL */
    manglecp_result *result; /* of the last run, or NULL: its suggestions can be followed */
    manglecp_shown *shown;   /* what the model was shown; never NULL */
    char *intent, *params, *more_facts; /* of `tools`, to ask again; params, more_facts or NULL */
    size_t fact_bytes;                  /* added so far */

    /* The store's. */
    char owner[WORK_OWNER_MAX + 1];
    uint64_t connection; /* that began it; 0: none, it came without a session */
    int64_t used_ns;     /* when somebody entered or left last */
    struct work_turn *inside, *waiting, **last_waiting;
    unsigned waiting_count;
    struct bridge_work *next; /* newest first */
};

struct works_options {
    size_t max;      /* of one owner; 0: WORK_DEFAULT_MAX */
    int64_t idle_ns; /* 0: WORK_DEFAULT_IDLE */
    /* Handles w1, w2, …: cheap for a model to say, and fine where the process has one user. Else
     * 128 random bits. */
    bool countable;
};

struct works;
struct works *mgi_works_new(const struct works_options *options); /* NULL: memory */
void mgi_works_free(struct works *works); /* nobody may be inside; NULL is fine */
size_t mgi_works_count(const struct works *works);

enum work_fault {
    WORK_FINE,
    WORK_NOMEM,
    WORK_NO_RANDOM,
    WORK_FULL,      /* as many as there may be, and somebody is inside each of them */
    WORK_UNKNOWN,   /* no such handle, of this owner: forgotten, never there, or not theirs */
    WORK_NONE,      /* no handle was given, and there is no work yet */
    WORK_AMBIGUOUS, /* no handle was given, and there are several: mgi_works_name() */
};

/* Begin one. The oldest that nobody is in gives way where there are too many. `owner` is cut to
 * WORK_OWNER_MAX bytes: give a digest of what may be longer. */
enum work_fault mgi_works_begin(struct works *works, const char *owner, uint64_t connection,
                                int64_t now_ns, struct bridge_work **out);

/* The work that a call means. `handle` empty: with a connection the one that it
 * began or named last; without, the only one of this owner (X-BRIDGE-2). What is older than it may
 * be is forgotten first. */
enum work_fault mgi_works_find(struct works *works, const char *owner, uint64_t connection,
                               struct str handle, int64_t now_ns, struct bridge_work **out);

/* The handle of this owner's work that was used `i`th last, from 0; or NULL. */
const char *mgi_works_name(const struct works *works, const char *owner, size_t i);

/* Enter: WORK_ENTERED, the work is the caller's until mgi_works_leave(); WORK_WAITS, leave() will
 * return `turn`; WORK_CROWDED, too many wait. */
enum work_entry { WORK_ENTERED, WORK_WAITS, WORK_CROWDED };
enum work_entry mgi_works_enter(struct bridge_work *work, struct work_turn *turn, int64_t now_ns);

/* Whoever is inside has done; the turn returned is inside now. NULL: nobody is. */
struct work_turn *mgi_works_leave(struct bridge_work *work, int64_t now_ns);

/* Take a turn that waits out of the queue. False: it does not wait. */
bool mgi_works_withdraw(struct bridge_work *work, struct work_turn *turn);

/* As if it had not begun: whoever is inside, alone, has nothing more to do with it. */
void mgi_works_drop(struct works *works, struct bridge_work *work);

/* Make room for `bytes` of facts more in `work`: false if it would hold too much. */
bool mgi_works_reserve(struct bridge_work *work, size_t bytes);

#endif
