/* A domain folder, loaded and checked into one immutable snapshot (design section 4).
 *
 * The snapshot holds everything a request needs: manifest parts, compiled rules with their closed
 * base, tool templates with compiled schemas, skills, actions. It is shared by reference: a request
 * holds one from beginning to end, and reload makes a new one beside it. All strings live in the
 * snapshot's arena. Loading reports everything that is wrong, with file and line. */
#ifndef MGI_DOMAIN_DOMAIN_H
#define MGI_DOMAIN_DOMAIN_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/log.h"
#include "domain/masking.h"
#include "domain/search.h"
#include "mangle.h"
#include "protocol/fact.h"
#include "protocol/schema.h"
#include "select/menu.h"
#include "select/mode.h"
#include "select/policy_settings.h"
#include "select/run.h"

/* ---- findings ---------------------------------------------------------------------------- */

struct finding {
    enum mangle_severity severity;
    const char *code;      /* "UNKNOWN_ACTION", or a class of the engine */
    const char *file;      /* relative to the domain folder */
    uint32_t line, column; /* from 1; 0: the whole file */
    const char *message;
    const char *hint; /* or NULL */
    const char *text; /* the source line, or NULL */
};
struct findings; /* growing list, heap; sorted by file, line, column when read */
struct findings *mgi_findings_new(void);
void mgi_findings_free(struct findings *f);
size_t mgi_findings_count(const struct findings *f);
size_t mgi_findings_errors(const struct findings *f);
/* Memory was short: what they say is not all, and may be no fault of who is blamed. */
bool mgi_findings_nomem(const struct findings *f);
/* Say that it is, of the domain `folder`. */
void mgi_findings_lack_memory(struct findings *f, const char *folder);
const struct finding *mgi_findings_get(struct findings *f, size_t index);
void mgi_findings_add(struct findings *f, enum mangle_severity severity, const char *code,
                      const char *file, uint32_t line, uint32_t column, const char *hint,
                      const char *format, ...) __attribute__((format(printf, 8, 9)));
/* Findings of `file` that are added from now on quote its lines from `text`, which is borrowed
 * until mgi_findings_forget(). */
void mgi_findings_source(struct findings *f, const char *file, struct str text);
void mgi_findings_source_ends(struct findings *f, const char *file); /* or until this */
void mgi_findings_forget(struct findings *f);                        /* the texts are about to go */
void mgi_finding_print(struct buf *out, const struct finding *one);  /* the form of style.md */
void mgi_findings_print(struct buf *out, struct findings *f);        /* all of them, in order */

struct action_provider;
struct action_kind;
struct prepared_notes;

/* ---- actions ----------------------------------------------------------------------------- */

/* One atomic action, as `toolhost --list` describes it. */
struct action {
    struct str aid;
    struct str name; /* what observability shows (T-MCP-10) */
    const struct action_provider *provider;
    struct str description;
    const struct str *tags;
    size_t tag_count;
    int tier; /* 0..3 (toolhost.md 5.2) */
    bool deterministic, idempotent, reversible;
    const struct str *effects; /* protocol categories, sorted (toolhost.md 11.4) */
    size_t effect_count;
    uint32_t timeout_ms;                /* 0: default */
    struct str input_schema_text;       /* "" if it has none */
    const struct schema *input_schema;  /* or NULL */
    const struct schema *output_schema; /* or NULL */
};

/* Where loading learns about actions: the tool pool lists plugins (toolpool/list.c); tests give a
 * table. `list` is called once per provider (provider.h) and appends to *actions in `arena`;
 * false: *why. `begin` may be NULL; else it starts the work ahead, while rules are compiled, and
 * what it returns (NULL: nothing was started) goes to `list`, or to `forget` if loading ends
 * before. */
struct action_question { /* inputs of one read-only action, in one go */
    const struct action *action;
    const struct str *inputs; /* JSON objects, each in one line */
    size_t count;
    int64_t timeout_ms; /* for all of them together */
    /* Asked often while they are waited for, on the thread that asked: true ends it. May be NULL.
     */
    bool (*is_over)(void *context);
    void *context;
    struct kept_host
        *kept; /* whom to ask; NULL: a process of its own, which ends with the answer */
};
struct action_source {
    /* *why may have a second line: what the plugin said besides. */
    bool (*list)(void *context, void *begun, struct arena *arena,
                 const struct action_provider *provider, struct action **actions, size_t *count,
                 const char **why);
    void *context;
    void *(*begin)(void *context, const struct action_provider *provider);
    void (*forget)(void *begun);
    /* Answers for external predicates, asked while rules are evaluated, by any thread; it blocks
     * for timeout_ms at most, and until is_over(). outputs[count] are JSON objects in `arena`.
     * False: *why. NULL: nobody answers. `program` is handed to it; the snapshot keeps a copy of
     * the text. */
    bool (*ask)(const char *program, const struct action_question *question, struct arena *arena,
                struct json *outputs, const char **why);
    const char *program;
    /* Where a host stays that is asked more than once; nothing runs before. NULL: memory. Freeing
     * ends the host: those of `farewells` do so while who frees goes on; NULL: who frees waits. */
    struct kept_host *(*keep)(const struct action_source *source);
    void (*let_go)(struct kept_host *kept);
    struct farewells *farewells;
    const struct action_kind *kinds; /* what `actions:` may have; NULL: plugins alone */
    /* What the kernel at hand does not enforce of what actions are promised, as clauses; those that
     * are there come first. */
    const char *unenforced[8];
};

/* ---- external predicates ------------------------------------------------------------------- */

/* `external:` of domain.yaml: who answers a predicate that the rules declare with external(). A
 * table is read when the domain is loaded; its rows are facts of the base, in which the engine
 * keeps the indexes that rules need. An action is asked while a request is evaluated, for what its
 * rules need; what it brings is hearsay, as everything that actions say. Where it may fail
 * (`otherwise`), rows of domain.yaml are the answer then, in which "$why" is the reason. An index
 * of texts is made when the domain is loaded, of facts of the base; what it answers is hearsay,
 * because a request says what is looked for. */
struct domain_external {
    struct str name;
    mangle_pred pred; /* MANGLE_NO_PRED: nothing declares it */
    uint32_t arity;
    struct str table;              /* path in the folder; or empty */
    struct str aid;                /* or empty */
    struct search_settings search; /* .over empty: none */
    struct search_index *index;    /* NULL: not made (yet) */
    const struct action *action;   /* NULL: not found */
    int64_t timeout_ms;
    bool deterministic; /* what the manifest says (P-DET-5) */
    struct str description;
    struct external_column {
        struct str name; /* as on the wire */
        bool input;      /* '+' in its mode */
        bool is_name;    /* a text in an answer becomes a name */
        bool is_number;
    } * columns;
    bool (*ask)(const char *program, const struct action_question *question, struct arena *arena,
                struct json *outputs, const char **why);
    const char *program;
    bool keep;              /* its host stays between questions */
    struct kept_host *kept; /* NULL: it does not, or nobody runs actions */
    void (*let_go)(struct kept_host *kept);
    bool may_fail;
    struct json otherwise; /* a list of rows, where it may */
    const char *origin;    /* where domain.yaml says it */
    uint32_t line, column;
};

/* Asks the action, with empty arguments, whether it answers at all. Any thread; blocks as rules
 * that ask do. False: *why, in `arena`. */
bool mgi_external_try(const struct domain_external *e, struct arena *arena, const char **why);

/* Who answers in place of actions: what an overlay's host is (mangle_overlay_set_host(); NULL: the
 * actions answer). As action_source.ask, for one predicate. */
struct external_player {
    bool (*answer)(void *context, const struct domain_external *external,
                   const struct action_question *question, struct arena *arena,
                   struct json *outputs, const char **why);
    void *context;
};

/* ---- policies ----------------------------------------------------------------------------- */

/* `policies:` of domain.yaml: programs that pick from menus (docs/selectors.md). */
struct domain_policy {
    struct str name;
    struct policy_settings settings; /* its environment may hold secrets: never shown */
    const char *origin;              /* where domain.yaml says it */
    uint32_t line;
};

/* ---- tool templates ---------------------------------------------------------------------- */

/* Where a step input, a result member or a condition comes from (T-MCP-3). Written in YAML as
 * {from: "args.x"}, {from: "steps.ID.output.a.b"}, {from: "settings.k"}, {from: "bound.p"},
 * {const: …}, or a literal; in a step with `foreach:` also {from: "item.a"} and {from: "index"}.
 * Maps and lists of these nest. */
enum source_kind {
    SOURCE_CONST,
    SOURCE_ARG,
    SOURCE_STEP,
    SOURCE_SETTING,
    SOURCE_BOUND,
    SOURCE_ITEM,
    SOURCE_INDEX,
    SOURCE_OBJECT,
    SOURCE_ARRAY
};
struct source_member;
struct value_source {
    enum source_kind kind;
    struct json constant;  /* SOURCE_CONST: in the snapshot's arena */
    struct str name;       /* argument, setting or what a rule bound */
    uint32_t line, column; /* SOURCE_BOUND: where it is written, in the tool's file */
    uint32_t step;         /* SOURCE_STEP: index into the template's steps, earlier than its user */
    struct str pointer;    /* JSON Pointer below it; "" for the whole */
    struct source_member *members; /* SOURCE_OBJECT (name + source), SOURCE_ARRAY (name empty) */
    size_t member_count;
    bool optional; /* absent instead of an error when the origin is absent (`optional: true`) */
    const struct json *fallback; /* `default:`; or NULL */
};
struct source_member {
    struct str name;
    struct value_source source;
};

enum failure_rule { ON_FAILURE_STOP, ON_FAILURE_SKIP, ON_FAILURE_CONTINUE, ON_FAILURE_COMPENSATE };

#define TOOL_MAX_STEPS    256
#define TOOL_MAX_PARALLEL 64
#define FOREACH_ITEMS     100 /* if `max:` does not say */
#define FOREACH_MAX_ITEMS 1000

/* What undoes an action: `compensate:`. */
struct compensation {
    const struct action *action; /* NULL: nothing does */
    struct value_source inputs;  /* `with:`, SOURCE_OBJECT; what it returned is there */
};

/* `menu:` of a step: which of these actions run is picked while it runs (select/menu_step.h).
 * Everything that does not change from run to run is made when the domain is loaded. */
#define MENU_MOST_STEPS 256
struct menu_option {
    const struct action *action;
    struct compensation undo; /* its inputs may read what the action was given, as `item` */
};
struct step_menu {
    struct menu menu;
    const struct menu_option *options;  /* of menu.entries, in their order */
    bool by_rules;                      /* the fallback selector is rules; else the heuristic */
    const struct domain_policy *policy; /* NULL: none */
    enum control_mode mode;             /* FALLBACK_ONLY without a policy */
    struct select_run_options run;      /* goal, budgets, patch, failures, question */
};

/* All zero: it needs the step before it, and has neither foreach, retry nor compensation. */
struct step {
    struct str id;
    const struct action *action;  /* NULL: it is a menu, or at fault */
    const struct step_menu *menu; /* NULL: it is none */
    struct value_source inputs;   /* SOURCE_OBJECT */
    bool has_needs;               /* `needs:` is there; else it needs the step before it */
    const uint32_t *needs;        /* indices into the template's steps: earlier ones, each once */
    size_t need_count;
    bool has_foreach;
    struct value_source items; /* `foreach:`, an array; `item` and `index` are for the inputs */
    uint32_t max_items;        /* 0: FOREACH_ITEMS */
    uint32_t parallel;         /* items at once; 0: 1 */
    struct {
        uint32_t times; /* after the first time; 0: never */
        uint32_t wait_ms, max_wait_ms;
    } retry;
    struct compensation undo; /* of a menu each option has its own */
    bool has_condition;
    struct value_source
        condition; /* `when:`; the step runs if it is there and not false, null, 0, "" */
    enum failure_rule on_failure;
    bool optional;       /* in the chain only if a rule derives includes_step(T, Id) */
    uint32_t timeout_ms; /* 0: the action's */
    /* `failure_text:`, what a client is told if it fails. Who wrote the template decides: what an
     * action says of itself may name files, hosts and secrets. */
    struct str failure_text; /* len 0: nothing but what kind of failure it was */
    bool tells_failure;      /* {from: action}: the tool's own words instead */
};

/* What a step may run: its action, or those of its menu; and what undoes each. */
static inline size_t mgi_step_actions(const struct step *s)
{
    return s->menu ? s->menu->menu.count : s->action ? 1 : 0;
}
static inline const struct action *mgi_step_action(const struct step *s, size_t i)
{
    return s->menu ? s->menu->options[i].action : s->action;
}
static inline const struct compensation *mgi_step_undo(const struct step *s, size_t i)
{
    return s->menu ? &s->menu->options[i].undo : &s->undo;
}

struct tool {
    struct str name;    /* [a-z][a-z0-9_]*, at most 64 */
    struct str summary; /* one line, at most 120 characters (D-37) */
    struct str description;
    const struct str *tags;
    size_t tag_count;
    struct json input_schema; /* as the domain wrote it (D-43) */
    bool has_output_schema;
    struct json output_schema;
    const struct schema *input;  /* compiled */
    const struct schema *output; /* or NULL */
    struct step *steps;          /* each before those that need it */
    size_t step_count;
    uint32_t parallel;          /* calls at once; 0: as many as settings.hosts */
    bool transaction;           /* a chain that ends early is undone */
    struct value_source result; /* SOURCE_OBJECT or SOURCE_STEP */
    int64_t estimate_ms,
        estimate_tokens; /* of a run and of its result; 0: the domain says nothing */
    const char *file;
    uint32_t line;
    uint32_t rank;                      /* tool_rank: position in the byte order of names */
    struct str input_text, output_text; /* the schemas as compact JSON; output may be empty */
    struct str call;                    /* in one line: name(path: str, depth?: int) */
    size_t line_tokens;                 /* of the line that shows a model the call */
    mangle_value value;                 /* the name, in the base's table */
};

struct skill {
    struct str id, name, description, content, content_type;
    struct skill_resource {
        struct str uri, type, description;
    } * resources;
    size_t resource_count;
};

/* Which steps of a template each one needs, directly or not, as bits: row I is of step I, and has
 * mgi_needs_words() words. */
static inline size_t mgi_needs_words(const struct tool *t)
{
    return t->step_count / 64 + 1;
}
static inline bool mgi_needs_has(const uint64_t *row, size_t step)
{
    return (row[step / 64] >> (step % 64)) & 1;
}
/* `rows` has step_count rows, all zero. */
void mgi_needs_close(const struct tool *t, uint64_t *rows);

/* ---- settings ---------------------------------------------------------------------------- */

struct intent_entry {
    struct str name, description;
    const struct str *required_facts, *optional_facts;
    size_t required_count, optional_count;
    bool open; /* anonymous callers may use it in open demo mode */
};

struct limits {
    int64_t max_message_bytes, max_facts_per_request, max_derived_facts, max_intervals_per_atom,
        max_compute_ms;
    int64_t
        eval_time_skew_ms; /* how far eval_time may be from the server's clock; 0: as it likes */
    uint32_t max_depth;
};

struct disclosure {
    int full, condensed, minimal; /* adaptive cut-offs (P-DISC-LVL-7) */
    int bytes_per_token;          /* D-33 */
    int condensed_chars;          /* D-37 */
    int inline_skill_tokens;      /* longer skills go as references (P-SKILL-8) */
    int instruction_tokens;       /* about 200 (P-TOKEN-3) */
    bool calls;                   /* metadata of a condensed tool says how it is called: "x-call" */
};

/* `actions.confine`: what is done where a kernel cannot enforce what actions are promised. */
enum confine_setting { CONFINE_ON, CONFINE_OFF, CONFINE_REQUIRED };

struct domain_settings {
    struct str server_name, server_version, id, description;
    const struct str *categories;
    size_t category_count;
    struct affinity {
        struct str name;
        int value;
    } * affinities;
    size_t affinity_count;
    struct intent_entry *intents;
    size_t intent_count;
    struct limits limits;
    struct disclosure disclosure;
    int64_t cache_ms;        /* a tool without a window is kept this long: at least 300000 */
    int64_t max_validity_ms; /* cap of every window (D-40) */
    uint32_t max_events;     /* P-OBS-6, default 20 */
    uint32_t max_asserts;    /* T-MCP-26, default 100 */
    int64_t action_timeout_ms, invocation_timeout_ms;
    uint32_t hosts; /* toolhost processes per provider */
    enum confine_setting confine;
    int64_t host_wait_ms; /* how long an invocation may wait for one */
    int64_t confirmation_ttl_ms;
    int64_t signature_ttl_ms; /* how long what the server signed counts when it comes back */
    int64_t rate_limit, rate_window_ms; /* requests per window and principal; 0: none */
    bool allow_dangerous;               /* temporal recursion */
    bool strict_time;                   /* intents that set it off are refused (P-EVAL-7) */
    bool epoch_ms, epoch_ns;            /* times that clients may write beside RFC 3339 */
    bool coverage;                      /* rule coverage in diagnostics */
    struct setting {                    /* `settings:`: what rules and steps may read */
        struct str key;
        struct json value; /* string, number or boolean; paths are absolute */
        struct str description;
    } * settings;
    size_t setting_count;
};

/* Predicates of the rules' interface, resolved once (MANGLE_NO_PRED if the program lacks one).
 * Names and arities: rules/README.md. */
/* clang-format does not come to rest here. */
/* clang-format off */
#define INTERFACE_PREDS(X)                                                                        \
    /* what the server tells */                                                                   \
    X(intent_type, 2) X(permission_for, 1) X(intent_param, 3) X(client_identity, 1)               \
    X(client_permission, 1) X(client_trust_level, 1) X(client_kind, 1)                            \
    X(listed_intent, 1) X(open_intent, 1)                                                         \
    X(tool, 1) X(tool_rank, 2) X(line_tokens, 2) X(tool_step, 3) X(optional_step, 2) X(step_reads, 3) X(step_undo, 3) \
    X(tool_tag, 2) X(action_side_effect, 2) X(action_tier, 2) X(action_reversible, 1)             \
    X(action_idempotent, 1) X(skill, 1) X(setting, 2) X(waived_effect, 1)                         \
    X(disclosure_upgrade, 1) X(menu_step, 2) X(action_tag, 2)                                     \
    /* what the rules tell */                                                                     \
    X(intent_permitted, 1) X(final_selected, 3) X(final_score, 2) X(kept, 1)                      \
    X(root_class, 2) X(root_score, 2) X(bundle, 2) X(needs, 2) X(contender, 1)                    \
    X(undecided, 1) X(rivals, 2) X(outranks, 2) X(candidate, 3) X(unusable, 1) X(torn, 1)         \
    X(tool_relevant_to_intent, 3) X(macro_tool, 2) X(mandatory_for_intent, 2) X(excluded, 3)      \
    X(root_phase, 2) X(lends, 3) X(tool_skill, 2) X(needs_file, 4) X(instruction, 2) X(overview, 2)              \
    X(chain_step, 2) X(param_value, 3) X(param_bound, 3) X(valid_for, 2) X(valid_until, 2)        \
    X(prohibited, 2) X(confirm, 1) X(macro_has_side_effect, 2) X(macro_reversible, 1) X(macro_idempotent, 1)       \
    X(invoked, 1) X(invoke_arg, 2) X(step_status, 2) X(step_output, 2) X(result, 1)               \
    X(delta_assert, 3) X(delta_assert_during, 5) X(delta_retract, 2) X(suggest_intent, 2)         \
    X(suggest_param, 3) X(continuation_fact, 2) X(result_member, 2) X(execution_summary, 1)       \
    X(choosing, 2) X(menu_turn, 1) X(menu_input, 2) X(menu_slot, 1) X(menu_called, 3)             \
    X(menu_output, 2) X(menu_pick, 4) X(menu_set, 5) X(menu_ask, 4)
/* clang-format on */

struct interface {
#define INTERFACE_FIELD(name, arity) mangle_pred name;
    INTERFACE_PREDS(INTERFACE_FIELD)
#undef INTERFACE_FIELD
};

/* Where rules come from, from most to least trusted. LAYER_FACTS is facts/: it may define what
 * `domain` may. */
enum layer { LAYER_PIPELINE, LAYER_SCHEMA, LAYER_POLICY, LAYER_DOMAIN, LAYER_FACTS, LAYER_EFFECTS };

struct hazard {
    uint32_t stratum; /* of the program */
    struct str *preds;
    size_t pred_count;
    const char *what;  /* what they do, for "... depends on its own future" */
    uint64_t *intents; /* bits: who sets it off; see mgi_snapshot_hazard() */
};

/* ---- who speaks for tools (speakers.c) ---------------------------------------------------- */

enum speaks {
    SPEAKS_MANDATORY,
    SPEAKS_SERVING,
    SPEAKS_CONSTRAINED,
    SPEAKS_RELEVANT,
    SPEAKS_SIMILAR,
    SPEAKS_LEVEL
};
#define ANY_SCORE INT64_MIN

/* A rule or fact of a rule file that says that a tool is wanted. */
struct speaker {
    size_t clause; /* of mangle_program_clause() */
    enum speaks how;
    struct str tool, intent;  /* ptr NULL: any, it works them out */
    int64_t score;            /* 0 to 100, or ANY_SCORE */
    const char *const *names; /* predicates that hold where it applies, its own first */
    size_t count;
};

/* ---- the snapshot ------------------------------------------------------------------------ */

/* What holds of every tool, whichever runs: what MCP calls hints (the manifest's x-run-hints). */
struct run_hints {
    bool read_only;   /* none does more than read */
    bool destructive; /* one may do what cannot be taken back */
    bool idempotent;  /* none makes a difference when it runs again */
    bool open_world;  /* one may reach beyond files and databases */
};
#define RUN_HINTS_WORST ((struct run_hints){ .destructive = true, .open_world = true })

struct snapshot {
    atomic_uint refs;
    struct arena arena;
    struct domain_settings settings;
    struct str folder;        /* absolute */
    struct str rules_version; /* hex digest of all rules and templates: part of macro_id (D-38) */
    struct str digest;        /* hex digest of the whole domain, settings and facts included */
    bool linted;              /* mgi_domain_lint() found no error in what has this digest, before */
    struct masking masking;   /* what no log may show */
    struct rule_place {       /* the domain's own rules that speak for or against tools */
        size_t rule;          /* of mangle_program_rule() */
        struct str place;     /* JSON text: "rules/domain/10_tools.mg:12" */
    } * deciding;
    size_t deciding_count;
    struct speaker *speakers; /* sorted by tool; see mgi_snapshot_speakers() */
    size_t speaker_count;
    mangle_zone_folder *zones; /* what rules know of places; outlives program and base */
    mangle_program *program;   /* pipeline, schema, policy, domain, effects: one program */
    mangle_base *base;         /* closed */
    struct interface pred;
    bool rules_answer;             /* a rule or a fact says members of results */
    const enum layer *pred_layers; /* per predicate: who declared or first defined it */
    struct fact_profile profile;
    struct fact_profile evidence; /* what actions tell the effects rules; clients see none of it */
    struct domain_external *externals; /* as written */
    size_t external_count;
    struct domain_policy *policies; /* the same */
    size_t policy_count;
    struct action *actions;
    size_t action_count;
    struct tool *tools; /* sorted by name */
    size_t tool_count;
    struct run_hints hints;       /* of all of them */
    struct tool **tools_by_value; /* sorted by value */
    struct skill *skills;         /* sorted by id */
    size_t skill_count;
    const mangle_pred *privileged; /* those with claims; see mangle_pred_claimed() */
    size_t privileged_count;
    bool reads_time; /* some rule depends on the evaluation time: capabilities.temporal */
    const bool
        *steers; /* per predicate: whether a tool is offered, and made of what, may read it */
    const bool *reads_time_of; /* per predicate: it depends on the evaluation time */
    bool steering_reads_time;  /* and some of that depends on the evaluation time */
    bool speaks_of_outcomes; /* a rule or a fact says what an invocation changes, or what is next */
    struct hazard *hazards;  /* temporal recursion that may not end: only limits stop it */
    size_t hazard_count, hazard_cap;
};

struct domain_options {
    const char *const *set; /* "key=value" overrides, last wins */
    size_t set_count;
    const char *const *plugin_paths; /* folders searched for actions.plugins after DOMAIN/plugins */
    size_t plugin_path_count;
    const struct action_source
        *actions; /* NULL: the tool pool's default is required by the caller */
    const struct logger *log;
    /* A file of `manglecp build`: what it holds is not worked out again (prepared.h); NULL: none.
     * Why it is of no use, or of less, is appended to `prepared_text` as a line; NULL: nowhere. */
    const char *prepared;
    struct buf *prepared_text;
    struct prepared_notes *notes; /* what was worked out is noted there; NULL: nowhere */
};

/* Load `folder`. NULL if anything is an error; findings tell. The caller owns one reference. */
struct snapshot *mgi_domain_load(const char *folder, const struct domain_options *options,
                                 struct findings *findings);

/* Read domain.yaml alone (about a millisecond): a snapshot that holds settings and nothing else,
 * for the manifest of a server that is still loading. Requests cannot be served from it. */
struct snapshot *mgi_domain_settings(const char *folder, const struct domain_options *options,
                                     struct findings *findings);

struct snapshot *mgi_snapshot_ref(struct snapshot *s);
void mgi_snapshot_unref(struct snapshot *s);

/* Further checks of what could be loaded: templates that no rule selects, tools named in rules that
 * have no template, skills never injected, unreachable steps, predicates nobody fills or reads. A
 * domain with an error among them is not served: the tool that policy means to forbid may be the
 * one that is misspelt. */
void mgi_domain_lint(const struct snapshot *s, struct findings *findings);

/* Those that name this tool; with a `tool` of ptr NULL those that may mean any. In the order of the
 * sources. */
const struct speaker *mgi_snapshot_speakers(const struct snapshot *s, struct str tool,
                                            size_t *count);
const char *mgi_speaks_name(enum speaks how); /* the predicate */

/* May a client see this predicate named? SHOWN: yes. LIFTED: what is below may be. CUT: neither. */
enum shown { SHOWN, LIFTED, CUT };
enum shown mgi_snapshot_shows(const struct snapshot *s, mangle_pred pred);

/* Does a premise of the rule negate the predicate of this name? */
bool mgi_rule_negates(const struct mangle_rule_view *r, const char *name);

/* What an intent of that name would set off; NULL: nothing dangerous. */
const struct hazard *mgi_snapshot_hazard(const struct snapshot *s, struct str intent);
/* The hazard to which a rule (of mangle_program_rule()) belongs; NULL: none. */
const struct hazard *mgi_snapshot_hazard_of_rule(const struct snapshot *s, size_t rule);

const struct tool *mgi_snapshot_tool(const struct snapshot *s, struct str name);   /* or NULL */
const struct tool *mgi_snapshot_tool_of(const struct snapshot *s, mangle_value v); /* or NULL */
const struct skill *mgi_snapshot_skill(const struct snapshot *s, struct str id);   /* or NULL */
const struct domain_external *mgi_external(const struct snapshot *s, struct str name);
const struct domain_policy *mgi_snapshot_policy(const struct snapshot *s,
                                                struct str name);                   /* same */
const struct action *mgi_snapshot_action(const struct snapshot *s, struct str aid); /* or NULL */

#endif
