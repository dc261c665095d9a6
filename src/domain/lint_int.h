/* What the files of the lint share: lint.c is the main line, lint_heads.c knows what is named,
 * lint_names.c looks at one name, lint_types.c at types, lint_reads.c at what rules read,
 * lint_bound.c at what steps read of what they bind, lint_delta.c at what they say of an outcome,
 * lint_menus.c at what they pick from menus,
 * lint_trust.c at what privileged rules rest on. */
#ifndef MGI_DOMAIN_LINT_INT_H
#define MGI_DOMAIN_LINT_INT_H

#include "base/near.h"
#include "base/strmap.h"
#include "domain/domain_int.h"

/* What an argument names. A step or parameter belongs to the tool beside it, if there is one. */
enum refers {
    TO_NOTHING,
    TO_TOOL,
    TO_STEP,
    TO_SKILL,
    TO_PARAM,
    TO_BOUND, /* a parameter, or what a step reads as bound.NAME */
    TO_INTENT,
    TO_SUGGESTED, /* an intent that somebody else has to serve */
    TO_ACTION,
    TO_SETTING,
    TO_KINDS
};

struct lint {
    const struct snapshot *s;
    const mangle_program *p;
    struct findings *findings;
    struct arena arena;
    struct head *heads;
    size_t head_count;
    mangle_overlay *overlay;     /* the base alone, evaluated: what holds without a request */
    struct strmap named;         /* what is named as what, and by what: see lint_heads.c */
    uint32_t computes[TO_KINDS]; /* some rule works out what it names */
    struct buf key;
};

struct place { /* in a source of the program */
    uint32_t source, line, column;
};

struct head {            /* of a clause of the domain's own sources */
    size_t clause, rule; /* as mangle_program_clause() has them */
    mangle_pred pred;
    struct place place;
    const struct reference *reference; /* or NULL: the server does not read it */
};

struct reference { /* what the arguments of a predicate that the server reads name */
    const char *name;
    uint32_t arity;
    enum refers to[4];
    bool selects; /* speaks for the tool */
};

/* Fill l->heads, then, once for all names, l->named and l->computes. False: memory. */
bool mgi_lint_heads(struct lint *l);
bool mgi_lint_named(struct lint *l);

void mgi_lint_at(struct lint *l, enum mangle_severity severity, const char *code,
                 struct place place, const char *hint, const char *message);
/* "Did you mean x?", or `otherwise` where nothing is near. */
const char *mgi_lint_near(struct lint *l, const struct near *near, const char *otherwise);

/* The text of a string constant, or ptr NULL. */
struct str mgi_lint_text(const struct lint *l, struct mangle_argument_view argument);
struct place mgi_lint_place(const struct head *head, struct mangle_argument_view argument);

/* One name that stands at `at`. `tool`: the tool beside it, or NULL. What rules read may be absent
 * on purpose, so there it is a warning. */
void mgi_lint_name(struct lint *l, enum refers to, struct str name, const struct tool *tool,
                   bool read, struct place at);
const struct step *mgi_lint_step(const struct tool *tool, struct str id); /* or NULL */
/* The text of a string constant in the head, or ptr NULL. */
struct str mgi_lint_constant(const struct lint *l, const struct head *head, uint32_t column);
/* Does anything name `name` in a column that refers to `to`? `selecting`: to speak for it.
 * *computed: some rule works names out. */
bool mgi_lint_is_named(struct lint *l, struct str name, enum refers to, bool selecting,
                       bool *computed);
/* The same among base facts that did not come from .mg files. */
bool mgi_lint_in_base(struct lint *l, struct str name, enum refers to, bool selecting);
/* Does a rule or a fact serve the intent? *computed: some rule works out what it serves. */
bool mgi_lint_serves(struct lint *l, struct str intent, bool *computed);
/* Is the intent named in the body of a rule, as in intent_type(_, "observe")? */
bool mgi_lint_asks_for(const struct lint *l, struct str intent);

void mgi_lint_types(struct lint *l);
void mgi_lint_reads(struct lint *l);
void mgi_lint_delta(struct lint *l);
void mgi_lint_menus(struct lint *l);
void mgi_lint_trust(struct lint *l);

/* lint_bound.c: does a source of the tool read `bound.NAME`? And those that no rule binds. */
bool mgi_lint_reads_bound(const struct tool *tool, struct str name);
void mgi_lint_bound(struct lint *l);

/* lint_masking.c: what `masking` names and is not there. */
void mgi_lint_masking(struct lint *l);

#endif
