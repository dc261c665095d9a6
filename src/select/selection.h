/* What a selector answered, and its text form (toolhost.md 10.3).
 *
 *     selection = "<PICK><SID0007>" [patch] "<END>"  |  "<ASK_SUP><END>"  |  "<NOOP><END>"
 *     patch     = "<INP>" JSON object "</INP>"  |  "<INP64>" the same in Base64 "</INP64>"
 *
 * All of the text has to match, or it is INVALID: a pick with words beside it is a misunderstanding
 * that nobody should act on. Pure functions; memory is the caller's arena. */
#ifndef MGI_SELECT_SELECTION_H
#define MGI_SELECT_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "select/menu.h"

#define SELECTION_MAX_BYTES 65536 /* of the text; a longer one is INVALID (T-SEL-6) */
#define SELECTION_RAW_BYTES 4096  /* that `raw` keeps of such a text */

enum selection_kind { SELECTION_INVALID, SELECTION_PICK, SELECTION_ASK_SUP, SELECTION_NOOP };

struct selection {
    enum selection_kind kind;
    uint16_t sid;      /* PICK */
    bool has_patch;    /* PICK may have one */
    struct json patch; /* a JSON object; its text is input_patch_json */
    struct str raw;    /* what the selector said, unchanged; any bytes */
    const char *fault; /* INVALID: why, and at which byte if that helps; else NULL */
};

/*
 * Read what a selector said (T-SEL-1 to T-SEL-6). Never fails on a text: what does not match the
 * grammar is INVALID, with a fault that says what is wrong and where.
 *
 *   into  what is not in `text` lives there
 *   text  borrowed as long as *out
 *
 * False: memory is short; *out is untouched.
 */
bool mgi_selection_parse(struct arena *into, struct str text, struct selection *out);

/*
 * A selection made by the program itself: its raw is its text form (T-HEUR-2).
 *
 *   entry  what is picked; NULL: NOOP
 *   patch  a JSON object as text, or ptr NULL; copied. One that is no object makes it INVALID
 */
bool mgi_selection_make(struct arena *into, const struct menu_entry *entry, struct str patch,
                        struct selection *out);

/* Nobody may act on it; `raw` and `fault` are `why`, which is borrowed. */
struct selection mgi_selection_invalid(const char *why);

/* The text form of a pick; <INP64> where the patch holds "</INP>". patch.ptr NULL: none. */
void mgi_selection_write_pick(struct buf *out, uint16_t sid, struct str patch);

/* The object of the seed: {"kind","sid"?,"input_patch_json"?,"raw"}. */
void mgi_selection_write(struct json_writer *w, const struct selection *s);

const char *mgi_selection_kind_name(enum selection_kind kind); /* "PICK" … */

#endif
