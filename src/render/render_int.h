/* What the files of this room share, from above:
 *
 *     show_*.c     what is said of a manifest, tools, a result, ...
 *     groups.c     facts by predicate
 *     value.c      JSON values as text, trimmed       signature.c   a schema as a signature
 *     call.c       a schema as a call in one short line (call.h: for other rooms, too)
 *     page.c       a text under a budget, unit by unit
 *     shown.c      what a model was shown before
 *     clean.c      text of a server as text of ours
 *
 * 1. Bytes of a server reach a page through clean.c alone.
 * 2. A unit is kept whole or not at all, and what it showed is remembered only then. */
#ifndef MGI_RENDER_RENDER_INT_H
#define MGI_RENDER_RENDER_INT_H

#include "base/json.h"
#include "manglecp.h"

/* ---- clean.c ---- */

/* `s` as part of one line: white space is one blank, and what is not seen is spelled out. */
void mgi_clean_line(struct buf *out, struct str s);
/* The same of at most `max` bytes (0: all), and how many are missing. */
void mgi_clean_cut(struct buf *out, struct str s, size_t max);
/* Its first sentence, or what fits into `max` bytes. */
void mgi_clean_sentence(struct buf *out, struct str s, size_t max);
/* A name: as it is if it is one, else in quotes. */
void mgi_clean_name(struct buf *out, struct str s);
/* Lines of its own, each behind four blanks. */
void mgi_clean_block(struct buf *out, struct str s, size_t max);
/* Compact JSON, of at most `max` bytes (0: all). */
void mgi_clean_json(struct buf *out, const struct json *v, size_t max);

/* ---- shown.c ---- */

struct mark { /* a thing, and what was shown of it: both are digests */
    uint64_t thing[2], seen[2];
};

struct skill_text { /* borrowed until it is kept */
    struct str name, text;
    bool summary;
};

bool mgi_shown_has(const struct manglecp_shown *shown, const struct mark *mark);
/* All of both, or nothing (false: memory). */
bool mgi_shown_keep(struct manglecp_shown *shown, const struct mark *marks, size_t count,
                    const struct skill_text *skills, size_t skill_count);
/* NULL: not known. Until the next change. */
const struct skill_text *mgi_shown_skill(const struct manglecp_shown *shown, struct str name);

/* ---- page.c ---- */

struct page {
    struct manglecp_show how;
    struct manglecp_shown *shown; /* or NULL */
    struct arena arena;           /* of what was parsed */
    struct buf text, unit;
    uint64_t left; /* of the budget, as a weight: TOKEN_UNIT is a token */
    struct mark *marks;
    size_t mark_count, mark_cap, mark_kept;
    struct skill_text *skills;
    size_t skill_count, skill_cap;
    bool nomem, cut;
};

/* Open a page for the message `json`; its payload (or NULL) and itself in *root. */
enum manglecp_status mgi_page_open(struct page *p, struct manglecp_shown *shown,
                                   const struct manglecp_show *how, struct str json,
                                   struct json *root);
/* Is `text` of the thing (`kind`, `name`) to be shown, because it was not, or was another? It is
 * then remembered with the unit that is being written. */
bool mgi_page_is_news(struct page *p, const char *kind, struct str name, struct str text);
void mgi_page_skill(struct page *p, struct str name, struct str text, bool summary);
/* The unit is whole: take it, if it fits. False: it does not, and is gone. */
bool mgi_page_take(struct page *p);
void mgi_page_take_anyway(struct page *p);
void mgi_page_drop(struct page *p);
bool mgi_page_fits(const struct page *p); /* the unit as it is */
/* A name into the unit; "..." where it does not fit. */
void mgi_page_name(struct page *p, struct str name);
/* The next name of a list, in a unit of its own, behind `before`. False: it does not fit; the list
 * ends. */
bool mgi_page_list_name(struct page *p, const char *before, struct str name);
void mgi_page_end_list(struct page *p); /* the end of its line */
/* Free it. `status` is how it went; if well, *out becomes the text. */
enum manglecp_status mgi_page_close(struct page *p, enum manglecp_status status, char **out,
                                    size_t *out_len);

/* ---- groups.c ---- */

struct group {
    struct str pred;
    uint32_t count;
};

/* The predicates of the list `facts`, those with most facts first, else as they came; of the first
 * 64 of them. NULL: memory. */
struct group *mgi_group_facts(struct arena *arena, const struct json *facts, size_t *count);

/* ---- value.c ---- */

struct trim {
    size_t text;   /* bytes of a text */
    uint32_t rows; /* of a list */
};

/* A value within a line. */
void mgi_value_put(struct buf *out, const struct json *v, size_t max);
/* The members of `object`, a line or more each, behind `indent` blanks. True: all of it. */
bool mgi_value_members(struct buf *out, const struct json *object, unsigned indent,
                       const struct trim *trim);
/* pred(arg, ...) of a fact, without its time. */
void mgi_value_fact(struct buf *out, const struct json *fact, size_t max);

/* ---- signature.c ---- */

#define LOOKED                                                                                     \
    200 /* at, of an object's properties; each walks the list of those that are required */

/* Of an enum: a|b|... (3 more). Appended. */
void mgi_put_choices(struct buf *out, const struct json *choices, uint32_t most);
/* " 1..9", where it has ends; one of integers that is exclusive is told as the next that is not. */
void mgi_put_range(struct buf *out, const struct json *schema);
/* Has the argument `name` to be given, by the schema of an object? */
bool mgi_is_required(const struct json *schema, struct str name);
/* name(a: int, b?: "x"|"y" = "x"). */
void mgi_signature(struct buf *out, struct str name, const struct json *schema);
/* What the signature leaves unsaid: a line per parameter, behind two blanks. */
void mgi_signature_notes(struct buf *out, const struct json *schema);

/* ---- json, for all ---- */

static inline struct str text_at(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ 0 };
}

static inline const struct json *list_at(const struct json *object, const char *name)
{
    static const struct json none = { .type = JSON_ARRAY };
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_ARRAY ? v : &none;
}

static inline bool is_true(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_BOOL && v->boolean;
}

#endif
