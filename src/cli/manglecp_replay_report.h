/* What replaying a log has come to: counts, differences by tool and by rule, coverage; for people
 * or as JSON. */
#ifndef MGI_CLI_MANGLECP_REPLAY_REPORT_H
#define MGI_CLI_MANGLECP_REPLAY_REPORT_H

#include "base/strmap.h"
#include "cli/manglecp_replay_judge.h"

#define REPLAY_SHOWN  10   /* differences and damaged lines that are shown one by one */
#define REPLAY_LISTED 1000 /* and in JSON */

struct replay_tool {
    struct str name;
    size_t changes[TOOL_CHANGES]; /* decisions, by kind of change */
    size_t chosen, invoked;       /* decisions; invocations that were recorded */
    const char *why;              /* of the last change */
};

struct replay_rule {
    const char *text, *file;
    uint32_t line;
    bool before, after; /* in which of the two programs it stands */
    size_t fired;       /* decisions */
    size_t differing;   /* of them, those that differ */
};

struct replay_note { /* a difference, or a damaged line */
    const char *text;
};

struct replay_report {
    struct arena arena;
    const char *baseline, *candidate; /* what is compared: "the log", or a folder; NULL: nothing */
    size_t lines, intents, invocations, lost, damaged;
    size_t skipped[REPLAY_SKIPS];
    size_t replayed, same, different;
    size_t masked;    /* of those that differ: values were masked, so that it is doubtful */
    size_t unkeyed;   /* decisions whose answer was not compared: its digest takes a key */
    size_t hidden_in; /* decisions in which a tool would have been hidden */
    struct strmap tool_index;
    struct replay_tool *tools;
    size_t tool_count, tool_cap;
    struct replay_rule *rules; /* of one or two programs, once each by their text */
    size_t rule_count, rule_cap;
    struct replay_note *differences, *damages;
    size_t difference_count, difference_cap, damage_count, damage_cap;
    bool coverage;
};

void mgi_replay_report_init(struct replay_report *r);
void mgi_replay_report_fini(struct replay_report *r);

/* NULL: memory. */
struct replay_tool *mgi_replay_tool(struct replay_report *r, struct str name);
/* Up to REPLAY_LISTED of each are kept. False: memory. */
bool mgi_replay_note_difference(struct replay_report *r, const char *text);
bool mgi_replay_note_damage(struct replay_report *r, const char *file, uint64_t line,
                            const char *why);

void mgi_replay_print(const struct replay_report *r);
bool mgi_replay_print_json(const struct replay_report *r); /* False: memory */

#endif
