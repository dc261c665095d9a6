/* The menu: the numbered list of actions that a selector may choose from in one step
 * (toolhost.md 10.2). A number is meaningful for its menu alone.
 *
 * Pure functions; memory is the caller's arena, and texts are borrowed from whoever gave them. A
 * menu is immutable once it is built: any number of threads may read it. */
#ifndef MGI_SELECT_MENU_H
#define MGI_SELECT_MENU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

#define MENU_MAX_ENTRIES 9999 /* T-SID-2 */
#define SID_CHARS        7    /* "SID0007" */
#define MENU_DIGEST_TEXT 64   /* hexadecimal digits */

#define AID_NOOP    "AID.NOOP.v1"
#define AID_ASK_SUP "AID.ASK_SUP.v1"

/* An action that could be listed. */
struct menu_action {
    struct str aid, name;
    const struct str *tags;
    size_t tag_count;
};

/* What is wanted of them. All zero: everything. */
struct menu_wish {
    const struct str *tags; /* an action needs at least one of them; none: every action will do */
    size_t tag_count;
    const struct str *allowed; /* AIDs; one that ends in '*' is a prefix; none: all are */
    size_t allowed_count;
    const struct str *blocked; /* the same; stands above `allowed` */
    size_t blocked_count;
};

struct menu_entry {
    uint16_t sid; /* 1 to 9999 */
    struct str aid, name;
    const struct str *tags; /* sorted by their bytes */
    size_t tag_count;
};

struct menu {
    const struct menu_entry *entries; /* by sid, ascending */
    size_t count;
    char digest[MENU_DIGEST_TEXT + 1]; /* T-SID-4 */
};

enum menu_status { MENU_OK, MENU_TOO_LONG, MENU_NOMEM };

/*
 * List what `wish` asks for: in byte order of AID, numbered from 1, AID.NOOP.v1 last and once
 * (T-SID-2). Allowed and blocked take entries away and change no number (T-SID-3). Of actions with
 * the same AID the first counts.
 *
 *   into     the menu lives there
 *   actions  borrowed as long as the menu
 *   wish     borrowed until return; NULL means everything
 *   out      untouched on failure
 *
 * MENU_TOO_LONG: more than 9999 entries, before filtering. MENU_NOMEM.
 */
enum menu_status mgi_menu_build(struct arena *into, const struct menu_action *actions, size_t count,
                                const struct menu_wish *wish, struct menu *out);

/* NULL: it is not there. */
const struct menu_entry *mgi_menu_find(const struct menu *menu, uint16_t sid);
const struct menu_entry *mgi_menu_find_aid(const struct menu *menu, struct str aid);
/* The lowest number with that tag, never AID.NOOP.v1 (T-HEUR-1). NULL: there is none. */
const struct menu_entry *mgi_menu_first_with(const struct menu *menu, const char *tag);

/* "SID0007" and a NUL, for 0 to 9999 (T-SID-1). */
void mgi_sid_print(uint16_t sid, char out[SID_CHARS + 1]);
/* False: `text` is not "SID" and exactly four decimal digits. */
bool mgi_sid_parse(struct str text, uint16_t *sid);

/* The array of {"sid","aid","name","tags"} that a policy is given (10.6). */
void mgi_menu_write(struct json_writer *w, const struct menu *menu);

#endif
