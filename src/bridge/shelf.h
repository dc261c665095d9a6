/* What a direct bridge has for one who calls (X-BRIDGE-10): a work, whose facts the tools change,
 * the list that was made of it last, and the names of before.
 *
 * Belongs to the loop's thread; whoever is inside of the work may read the list and the names, too,
 * since they change only when a call of that work is over. Bounds: shelves, names of one. */
#ifndef MGI_BRIDGE_SHELF_H
#define MGI_BRIDGE_SHELF_H

#include "bridge/bridge.h"
#include "bridge/direct.h"
#include "bridge/work.h"

#define SHELVES     1024 /* of a bridge */
#define SHELF_NAMES 256  /* of tools that are not offered any more; the eldest give way */

struct shelf {
    struct shelf *next;
    struct bridge_caller *caller; /* its owner, as who first called; NULL on stdio */
    struct bridge_work *work;
    struct direct_list *list; /* NULL: there was none yet */
    unsigned loads;           /* how often the domain was loaded since there is a shelf */
    bool stale;               /* the list may be another one by now */
    bool wanted;              /* that is to be found out, whether anybody asks or not */
    bool failed;              /* somebody was told why there is no list */
    struct shelf_name {
        char *shown, *macro;
    } names[SHELF_NAMES];
    size_t name_count; /* ever: the next one's place is modulo SHELF_NAMES */
};

struct shelves {
    struct shelf *first;
    size_t count;
};

const char *mgi_shelf_owner(const struct shelf *s);

/* The shelf of `caller`, which is made where there is none, with a work in `works` that knows
 * `facts`. NULL: memory, or too many. */
struct shelf *mgi_shelf_of(struct shelves *all, struct bridge_caller *caller, struct works *works,
                           const manglecp_facts *facts);
void mgi_shelves_free(struct shelves *all); /* the works are those of their store */

/* Takes `list`; the caller gets the one of before, or NULL. */
struct direct_list *mgi_shelf_put(struct shelf *s, struct direct_list *list);

/* What a tool was that is not in the list any more, as struct direct_name has it. NULL: nobody
 * knows such a tool. */
const char *mgi_shelf_past(const struct shelf *s, struct str shown);

#endif
