/* A recorded decision made again by a domain, and how two outcomes of it differ. */
#ifndef MGI_CLI_MANGLECP_REPLAY_JUDGE_H
#define MGI_CLI_MANGLECP_REPLAY_JUDGE_H

#include "decision/record.h"
#include "intent/intent.h"

/* ---- again --------------------------------------------------------------------------------- */

/* Why a decision is not made again. */
enum replay_skip {
    REPLAY_FINE,
    REPLAY_INVOCATION, /* nothing is executed again */
    REPLAY_UNSEEN,     /* refused before it was looked at */
    REPLAY_DIGEST,     /* its facts were not kept */
    REPLAY_EXTENSION,  /* an extension of the message was faulty, and is not recorded */
    REPLAY_SIGNED,     /* it rests on facts that a server signed with a key of its own */
    REPLAY_EXTERNAL,   /* its rules ask an action, which is not run again */
    REPLAY_WORLD,      /* a timeout, a cancellation, memory: not what the rules said */
    REPLAY_SKIPS
};
enum replay_skip mgi_replay_skip(const struct decision *d);
extern const char *const mgi_replay_skip_text[REPLAY_SKIPS];

struct judge {
    struct snapshot *snapshot; /* borrowed */
    struct str key;            /* of the log: by it hidden values are compared; empty: not known */
    struct intent_worker *worker;
    int64_t *fired; /* by rule: whether it fired in the last decision */
    size_t rule_count;
};

/* `key` is borrowed. False: memory. */
bool mgi_judge_init(struct judge *j, struct snapshot *snapshot, struct str key);
void mgi_judge_fini(struct judge *j);

/* Of a snapshot that a judge decides by: no action is asked. For struct host_options. */
bool mgi_judge_asks_nobody(const char *program, const struct action_question *question,
                           struct arena *arena, struct json *outputs, const char **why);

/* The outcome as it would be recorded, in `arena`; its text is outcome->text. NULL: memory, or, if
 * *external, its rules asked an action. */
const struct json *mgi_judge_again(struct judge *j, const struct decision *d, struct arena *arena,
                                   bool *external);

/* ---- differences --------------------------------------------------------------------------- */

enum tool_change { TOOL_HIDDEN, TOOL_SHOWN, TOOL_CHANGED, TOOL_CHANGES };

struct tool_difference {
    enum tool_change change;
    struct str tool;
    const char *what; /* for people: why it is hidden, what has changed; in the arena */
};

struct outcome_difference {
    struct tool_difference *tools;
    size_t count;
    const char *what; /* besides: the code, or the text of the answer; NULL: nothing */
    bool unkeyed;     /* the digest of the answer could not be compared: it takes a key */
};

/* False: they are the same. exact: byte for byte, as two outcomes of one snapshot are. Else what
 * every change of a rule changes is not looked at: macro ids, the digest of the answer, the places
 * of rules. */
bool mgi_judge_compare(struct arena *arena, const struct json *before, const struct json *after,
                       bool exact, struct outcome_difference *out);

#endif
