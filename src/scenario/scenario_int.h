/* Shared inside src/scenario: one run over all test files, and its parts, from above.
 *
 *     scenario.c  files, scenarios, one after the other
 *     invoke.c    `invoke`: the tool is called as a client would call it
 *     outcome.c   what must and must not come out of that
 *     played.c    the actions, played by the scenario
 *     selected.c  what policies say of menus
 *     answered.c  and those that rules ask
 *     expect.c    what must and must not come out of the evaluation
 *     why_not.c   why a tool did not
 *     request.c   the request of the evaluation
 *     reach.c     coverage: which rules fired, which tools were shown and invoked
 *     report.c    what does not hold
 *
 * Everything lives in the arena of the report, but for the store, the worker and the player. */
#ifndef MGI_SCENARIO_SCENARIO_INT_H
#define MGI_SCENARIO_SCENARIO_INT_H

#include "actions/toolpool.h"
#include "base/near.h"
#include "domain/yaml.h"
#include "intent/intent.h"
#include "invoke/invoke.h"
#include "macro/macro.h"
#include "protocol/error.h"
#include "scenario/scenario.h"
#include "security/principal.h"
#include "store/store.h"

struct yaml_place { /* of a name, for findings */
    const char *origin;
    uint32_t line, column;
};

struct call_made { /* of an action */
    uint32_t step; /* its place in the chain */
    bool undoes;   /* it undoes that step */
    struct str aid;
    struct json inputs;
};

/* A tool pool without plugin hosts: what an action answers stands in the scenario. */
struct player {
    uv_loop_t loop;
    bool looping; /* the loop is there */
    struct toolpool *pool;
    /* of the invocation that runs */
    const struct yaml_node *actions; /* by AID, or NULL */
    size_t *turns;                   /* per entry of `actions`: how often it was called */
    struct call_made *calls;
    size_t count, cap;
};

struct run {
    struct snapshot *s;
    const struct scenario_options *options;
    struct yaml_context yaml;
    struct intent_worker *worker;
    struct store store;
    struct player player;
    struct external_player external; /* the worker's */
    struct logger log;
    int64_t *fired;  /* by rule of the program, in this scenario; NULL: nobody asks */
    uint32_t serial; /* of invocations: makes their ids */
    struct scenario_report *report;
    size_t cap;
    int64_t clock_ns;                      /* of the file */
    const struct yaml_node *file_external; /* of the file: `external`, or NULL */
    /* of the scenario that runs */
    struct scenario_result *result;
    size_t failure_cap;
    const struct yaml_node *own_external; /* `external`, or NULL */
    struct principal who;
    /* of the invocation that runs */
    const struct tool *selecting;       /* whose menus they are */
    const struct yaml_node *selections; /* by step, or NULL */
    struct invocation *asking;          /* it asks a person, and is kept */
    struct str *asked;                  /* the questions so far */
    size_t asked_count, asked_cap;
    /* of the scenario again */
    struct json response;
    struct json why;   /* what is told of tools that did not come out: an array */
    const char *error; /* wire name, or NULL */
    const char *told;  /* the last line of the log, or NULL */
};

/* An invocation that is over. */
struct outcome {
    const struct tool *tool;
    struct macro macro;
    struct json answer; /* the payload of the answer, or the details of the error (null: none) */
    struct wire_error error;
};

/* report.c ---------------------------------------------------------------------------------- */

/* The scenario does not hold: one line, for people. */
void mgi_scenario_fail(struct run *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The tools of the answer: an array, perhaps empty. */
const struct json *mgi_scenario_tools(const struct run *r);
/* One of them, or NULL. */
const struct json *mgi_scenario_tool(const struct run *r, struct str name);
/* The definition behind it. False: it was not shown. */
bool mgi_scenario_macro(struct run *r, struct str name, struct macro *out);
/* What is there (NULL: nothing), as compact JSON, must be what is expected. */
void mgi_scenario_expect(struct run *r, struct str tool, const char *what,
                         const struct yaml_node *want, const struct json *got);
/* A list of texts against a list of texts. */
void mgi_scenario_expect_texts(struct run *r, struct str tool, const char *what,
                               const struct yaml_node *want, const struct str *got, size_t count);
/* Is there anything in an `expect` (may be NULL)? What is no map, and keys that do not exist, are
 * told; `where` names it. */
bool mgi_scenario_expects(struct run *r, const struct yaml_node *expect, const char *where,
                          const char *const *keys);
/* "Did you mean …?", or NULL if nothing is near. */
const char *mgi_scenario_hint(struct run *r, const struct near *near);
/* The tool of that name. NULL: the domain has none, and the finding says so. */
const struct tool *mgi_scenario_template(struct run *r, struct str name,
                                         const struct yaml_place *at);

/* request.c --------------------------------------------------------------------------------- */

/* The member "facts": those of `list`, then those of `files`, a path or a list of these; either may
 * be NULL. */
void mgi_scenario_facts(struct run *r, struct json_writer *w, const struct yaml_node *list,
                        const struct yaml_node *files);
/* {reading: [a, 1], at: T} -> {"pred":"reading","args":["a",1],"t":{"at":T}}; the protocol's form
 * stays as it is. */
void mgi_scenario_fact(struct run *r, struct json_writer *w, const struct yaml_node *n);
/* The payload of the scenario's intent_request. False: memory. */
bool mgi_scenario_request(struct run *r, const struct yaml_node *n, struct json *out);
/* Who sends it; `n` may be NULL. False: memory. */
bool mgi_scenario_principal(struct run *r, const struct yaml_node *n);

/* why_not.c ---------------------------------------------------------------------------------- */

/* The tools that are asked about: a JSON array, perhaps empty. False: memory. */
bool mgi_scenario_asks_why(struct run *r, const struct yaml_node *expect, struct json *names);
/* After: what `why_not` wants of this tool. */
void mgi_scenario_judge_why(struct run *r, struct str tool, const struct yaml_node *want);

/* expect.c ---------------------------------------------------------------------------------- */

/* Before: every fault of `expect` (may be NULL) is told: keys, tools and skills that do not exist.
 */
void mgi_scenario_check(struct run *r, const struct yaml_node *expect);
/* `expect` may be NULL. `e` is the error if there is one. */
void mgi_scenario_judge(struct run *r, const struct yaml_node *expect, const struct wire_error *e);

/* reach.c ----------------------------------------------------------------------------------- */

/* If coverage is asked for: begin to count. False: memory. */
bool mgi_reach_begin(struct run *r);
/* A scenario is over: what fired in it, and what its answer shows. */
void mgi_reach_scenario(struct run *r);
/* An invocation got past the gates. */
void mgi_reach_invoked(struct run *r, const struct tool *tool);
/* All are over: rules in order. */
void mgi_reach_end(struct run *r);

/* played.c ---------------------------------------------------------------------------------- */

/* False: memory, or no event loop. */
bool mgi_player_open(struct run *r);
void mgi_player_close(struct run *r);
/* Before an invocation: check what `actions` (NULL: none) says, and begin anew. False: memory. */
bool mgi_player_begin(struct run *r, const struct yaml_node *actions);
/* Run the loop until *over. */
void mgi_player_await(struct run *r, const bool *over);

/* selected.c -------------------------------------------------------------------------------- */

/* Before an invocation of `tool` (NULL: of none): check what `selections` (NULL: none) says. */
void mgi_selected_begin(struct run *r, const struct yaml_node *selections, const struct tool *tool);
/* Who answers for policies, and for actions that rules of menus ask. */
struct menu_pickers mgi_selected_pickers(struct run *r);

/* answered.c -------------------------------------------------------------------------------- */

/* From now on external predicates have the rows that the scenario, or its file, says. */
void mgi_answered_begin(struct run *r);
/* Every fault of an `external` (may be NULL) is told; what is none is not returned. */
const struct yaml_node *mgi_answered_check(struct run *r, const struct yaml_node *external);

/* outcome.c --------------------------------------------------------------------------------- */

/* Before: every fault of `expect` (may be NULL) is told. */
void mgi_outcome_check(struct run *r, const struct yaml_node *expect, const struct tool *tool);
/* After: what does not hold is. The actions that were called stand in r->player. */
void mgi_outcome_judge(struct run *r, const struct yaml_node *expect, const struct outcome *o);

/* invoke.c ---------------------------------------------------------------------------------- */

/* `n` is what stands at `invoke` of the scenario: one invocation, or a list; `eval_time` the
 * scenario's, or NULL. False: memory. */
bool mgi_scenario_invoke(struct run *r, const struct yaml_node *n,
                         const struct yaml_node *eval_time);

#endif
