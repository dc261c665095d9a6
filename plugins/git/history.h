/* The commits of a repository as a graph, loaded as it is walked.
 *
 * libgit2's own walks and comparisons of histories cannot be stopped and have no bound; this one
 * asks for every commit whether the call has to stop, loads at most `look` of them, and says when
 * that was not enough. A commit is loaded once in a call, so that a hundred branches beside one
 * cost little more than one.
 *
 * Order is git's: newest first by the committer's time, what was found first before what was found
 * later. Nodes are the arena's and live until the call ends. */
#ifndef PLUGINS_GIT_HISTORY_H
#define PLUGINS_GIT_HISTORY_H

#include "plugins/git/git_plugin.h"

#define LOOK_DEFAULT 200000
#define LOOK_MOST    1000000

struct commit_node {
    git_oid id, tree;
    int64_t time;
    struct commit_node **parents;
    unsigned parent_count;
    unsigned flags;            /* enum mark; 0 between operations, but for HISTORY_LOADED */
    const char *path;          /* of a walk that follows a file: its name here */
    void *work;                /* of the running operation; NULL between them */
    struct commit_node *only;  /* walk.c: the one parent that is followed; NULL: all */
    struct commit_node *label; /* labels.c: the commit of a first-parent line that brought it */
};

/* Each belongs to who is named; who sets one clears it, unless it stays for the call. */
enum mark {
    HISTORY_LOADED = 1,         /* history.c; stays */
    HISTORY_QUEUED = 2,         /* in the queue of the running operation */
    HISTORY_ONE = 4,            /* bases.c */
    HISTORY_OTHER = 8,          /* bases.c */
    HISTORY_STALE = 16,         /* bases.c */
    HISTORY_RESULT = 32,        /* bases.c */
    HISTORY_TOUCHED = 64,       /* bases.c */
    HISTORY_OUT = 128,          /* walk.c: excluded; stays */
    HISTORY_BOTTOM = 16384,     /* walk.c: named as excluded; stays */
    HISTORY_LISTED = 256,       /* walk.c: was in its queue; stays */
    HISTORY_PAINTED = 512,      /* walk.c: was in the queue of the exclusion; stays */
    HISTORY_REACHES = 1024,     /* tags.c; stays */
    HISTORY_REACHES_NOT = 2048, /* tags.c; stays */
    HISTORY_OWN = 4096,         /* branches.c */
    HISTORY_BLAMED = 8192,      /* blame.c; stays */
    HISTORY_DECIDED = 32768, /* walk.c: whether it is shown, and who is followed, is known; stays */
    HISTORY_SHOWN = 65536,   /* walk.c; stays */
};

struct history {
    struct git *g;
    struct commit_node **table; /* open addressing; a power of two */
    size_t room, count;
    int64_t look, looked;
    bool incomplete; /* `look` was reached */
    bool cut;        /* a parent is missing, as in a shallow clone */
};

void mgi_history_init(struct history *h, struct git *g, int64_t look);

/* The argument `look`. */
void mgi_history_arg_look(struct action *a, int64_t *look);

/* The node of an id, which need not be a commit's. NULL: the call failed. */
struct commit_node *mgi_history_node(struct history *h, const git_oid *id);

/* Make its time, tree and parents known. *there false: it is missing from a shallow clone, or
 * `look` was reached, and it is to be passed over. False: the call failed. */
bool mgi_history_load(struct history *h, struct commit_node *node, bool *there);

/* Members shallow and incomplete of the answer. */
void mgi_history_put_bounds(struct action *a, const struct history *h);

/* ---- commits by time ------------------------------------------------------------------------ */

struct commit_queue {
    struct queued {
        struct commit_node *node;
        uint64_t order;
    } * items;
    size_t count, cap;
    uint64_t next;
};

/* A zeroed queue is empty. False: the call failed. */
bool mgi_queue_push(struct history *h, struct commit_queue *q, struct commit_node *node);
/* The newest; NULL: none. */
struct commit_node *mgi_queue_pop(struct commit_queue *q);

/* ---- bases.c: two histories beside each other ----------------------------------------------- */

struct compared {
    int64_t ahead, behind;            /* commits of the one alone, of the other alone */
    struct commit_node *oldest_ahead; /* by time; NULL: none */
    struct commit_node **bases;       /* best common ancestors, newest first; in the arena */
    size_t base_count;
};

/* `one` beside what any of `others` reaches. */
bool mgi_history_compare(struct history *h, struct commit_node *one, struct commit_node **others,
                         size_t count, struct compared *out);

/* ---- walk.c: commits of a range ------------------------------------------------------------- */

struct walk {
    struct history *h;
    const char *path; /* NULL: all commits; else those that changed what is at or below it */
    bool follow;      /* the path is a file: on with its older names */
    bool first_parent;
    int64_t since; /* seconds; what is older ends the walk. INT64_MIN: nothing does */
    bool excludes; /* something is excluded */
    int old_in_a_row;
    struct commit_queue queue;
    git_oid end; /* the revision at the range's end */
    bool has_end;
};

/* Begin at a range: a revision, A..B, A...B; or, with `all`, at every branch and tag. An empty
 * repository has no commit. False: the call failed. */
bool mgi_walk_begin(struct walk *w, struct history *h, const char *range, bool all);

/* The next commit; *node NULL: there is none. With `path`, *path is what it is called there. */
bool mgi_walk_next(struct walk *w, struct commit_node **node, const char **path);

/* The name that a file has in the parent: the same, or, if it is not there, the one that it was
 * renamed from. NULL: none. In the arena. */
bool mgi_walk_older_name(struct history *h, const struct commit_node *node,
                         const struct commit_node *parent, const char *path, const char **older);

/* What a path is in a tree: *found false, or its entry's id and mode. */
struct tree_entry {
    bool found;
    git_oid id;
    unsigned mode;
};
bool mgi_walk_entry(struct git *g, const git_oid *tree, const char *path, struct tree_entry *e);
bool mgi_walk_same(const struct tree_entry *a, const struct tree_entry *b);

#endif
