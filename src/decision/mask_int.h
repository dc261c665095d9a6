/* Shared inside src/decision by what masks. From below:
 *
 *     mask_text.c   what was hidden, and free texts without it
 *     mask.c        one value hidden
 *     mask_path.c   which rule is about a place
 *     mask_walk.c   values with their places: parameters, arguments, results, details
 *     mask_facts.c  facts as clients send them
 */
#ifndef MGI_DECISION_MASK_INT_H
#define MGI_DECISION_MASK_INT_H

#include "decision/mask.h"

extern const struct str mgi_mask_shown; /* in place of what is hidden */

struct walk { /* through one value */
    struct mask *m;
    struct json_writer *w;
    const struct mask_rule *rules;
    size_t rule_count;
    bool search;              /* names, strings and numbers may repeat what was hidden before */
    bool details;             /* members have the meaning that details of errors give them */
    const struct tool *tool;  /* of members "args", in details */
    const struct json *known; /* the members that there are at the root; NULL: any */
};

struct fact_masks { /* the rules for one predicate */
    const struct mask_rule *rules;
    size_t count;
    bool everything; /* it is not known what this is */
};

/* ---- mask_text.c --------------------------------------------------------------------------- */

/* What a value showed: no free text will. */
void mgi_mask_secret(struct mask *m, struct str s);
void mgi_mask_secrets(struct mask *m, const struct json *v);
/* A number that was hidden, or may have been. */
bool mgi_mask_repeats(const struct mask *m, const struct json *v);
/* A text in which something stands that was hidden, or may have been. */
bool mgi_mask_repeats_in(const struct mask *m, struct str text);

/* ---- mask.c -------------------------------------------------------------------------------- */

void mgi_mask_hide(struct mask *m, struct json_writer *w, enum mask_action action,
                   const struct json *v);
/* As it was sent; a line holds no line break. */
void mgi_mask_pass(struct json_writer *w, const struct json *v);
/* The key "***N" in place of a name; those of one object stay apart. */
void mgi_mask_hidden_name(struct mask *m, struct json_writer *w, struct str name, uint32_t at);
/* One of these texts; a time as the wire has it. */
bool mgi_mask_is_word(const struct json *v, const char *const *words);
bool mgi_mask_is_time(const struct json *v);
const struct mask_rule *mgi_mask_rule_of_argument(const struct fact_masks *f, int64_t argument);

/* ---- mask_path.c --------------------------------------------------------------------------- */

/* The rule about the place m->path; NULL: none. */
const struct mask_rule *mgi_mask_rule_here(const struct walk *k);
/* A rule is about something inside of what should stand here, and this is of another shape: a text
 * or a list for an object may be the very thing that is masked. */
bool mgi_mask_stands_for_another(const struct walk *k, const struct json *v);

/* ---- mask_walk.c --------------------------------------------------------------------------- */

/* The member "args" or "named_args" of a fact. */
bool mgi_mask_is_arguments(struct str name);
void mgi_mask_arguments(const struct walk *k, const struct fact_masks *f, struct str pred,
                        const struct json_member *member);

#endif
