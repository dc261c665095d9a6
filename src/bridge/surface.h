/* The three tools that a bridge shows, whatever stands behind it, and how their arguments are read.
 *
 * Names, schemas and texts are constants: the same bytes in every answer of every bridge, so that
 * hosts may keep them in a prompt's cache (X-BRIDGE-1, X-DISC-6). Each word in them is paid for by
 * every conversation: tests/bridge counts them. */
#ifndef MGI_BRIDGE_SURFACE_H
#define MGI_BRIDGE_SURFACE_H

#include "base/json.h"
#include "mcp/server.h"

enum ask_kind { ASK_INTENT, ASK_RUN, ASK_STATE, ASK_KINDS };

/* For the model, about the server as a whole. */
extern const char mgi_bridge_instructions[];

/* The ASK_KINDS tools, in that order. */
extern const struct mcp_tool mgi_bridge_tools[ASK_KINDS];

/* ASK_KINDS: none of them. */
enum ask_kind mgi_ask_kind(struct str tool);

enum ask_show { SHOW_NOTHING, SHOW_FACTS, SHOW_TOOLS, SHOW_SUGGESTIONS, SHOW_INTENTS };

struct follow {       /* a suggestion */
    int64_t number;   /* from 1; 0: not said */
    const char *name; /* the first one of that name; or NULL */
};

/* What a model asked for. Texts live as long as the JSON, or the arena where they are C strings. */
struct ask {
    enum ask_kind kind;
    struct str work;           /* empty: not said */
    const char *intent;        /* intent; NULL: what is there? */
    const char *params;        /* intent: JSON object, or NULL */
    const struct json *facts;  /* intent, state with follow: an object or array; or NULL */
    const char *tool, *args;   /* run: its name; JSON object or NULL */
    bool dry_run;              /* run */
    enum ask_show show;        /* state */
    const char *skill, *why;   /* state: names, or NULL */
    struct follow follow;      /* state */
    const struct json *forget; /* intent, state: predicates, an array of texts; or NULL */
    bool again;                /* state: as if nothing had been shown */
    bool direct;               /* run: by a tool of its own name, for one who has no other words */
};

#define ASK_FORGET_MOST 100  /* predicates */
#define ASK_FAULT_BYTES 1024 /* of faults told; what is beyond is not looked for */

/* Read the arguments of one of the three. False: `faults` has what is wrong with them, a line each,
 * for the model, up to ASK_FAULT_BYTES and a line; or memory was short (`faults` is empty then). */
bool mgi_ask_read(struct arena *arena, enum ask_kind kind, const struct json *arguments,
                  struct ask *out, struct buf *faults);

/*
 * Facts as a model says them -> a JSON array of fact objects, appended to `out`.
 *
 *   {"complaint": ["slow"], "node": [["a"], ["b"]], "idle": []}   predicate: arguments, or a list
 *   [{"pred": "complaint", "args": ["slow"]}, ...]                as the protocol has them
 *
 * A single value stands for a list of one. A fact without a time, of a predicate that the manifest
 * declares to be temporal, holds at `now_ns`; one of a predicate that the manifest's list and its
 * intents do not have is wrong. `manifest`: its payload, or NULL. False: `faults` has what is
 * wrong, as above.
 */
bool mgi_facts_from(struct buf *out, const struct json *facts, const struct json *manifest,
                    int64_t now_ns, struct buf *faults);
/* What is wrong with an intent's name by the `intents` of a manifest, into `faults`: nothing, if it
 * is one of them, or there is no list. */
void mgi_say_unknown_intent(struct str name, const struct json *manifest, struct buf *faults);

#endif
