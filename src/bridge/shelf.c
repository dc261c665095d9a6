/* Shelves as a list: a call walks it once. */
#include "bridge/shelf.h"

#include <string.h>

#include "base/alloc.h"
#include "sys/clock.h"

static const char *owner_name(const struct bridge_caller *caller)
{
    return caller ? caller->owner : "";
}

const char *mgi_shelf_owner(const struct shelf *s)
{
    return owner_name(s->caller);
}

/* ---- making and freeing ---------------------------------------------------------------------- */

static bool lay_out(struct bridge_work *work, const manglecp_facts *facts)
{
    char *json = manglecp_facts_json(facts, NULL);
    bool good = json && mgi_works_reserve(work, strlen(json)) &&
                manglecp_facts_add(work->facts, json) == MANGLECP_OK;
    manglecp_free(json);
    return good;
}

static struct bridge_work *begin_work(struct works *works, const char *owner,
                                      const manglecp_facts *facts)
{
    struct bridge_work *work;
    if (mgi_works_begin(works, owner, 0, mgi_clock_mono_ns(), &work) != WORK_FINE)
        return NULL;
    if (lay_out(work, facts))
        return work;
    mgi_works_drop(works, work);
    return NULL;
}

static struct shelf *add_shelf(struct shelves *all, struct bridge_caller *caller,
                               struct works *works, const manglecp_facts *facts)
{
    struct shelf *s = all->count < SHELVES ? mgi_calloc(1, sizeof *s) : NULL;
    if (s)
        s->work = begin_work(works, owner_name(caller), facts);
    if (!s || !s->work) {
        mgi_free(s);
        return NULL;
    }
    s->caller = mgi_bridge_caller_ref(caller);
    s->next = all->first;
    all->first = s;
    all->count++;
    return s;
}

struct shelf *mgi_shelf_of(struct shelves *all, struct bridge_caller *caller, struct works *works,
                           const manglecp_facts *facts)
{
    struct shelf *s = all->first;
    while (s && strcmp(mgi_shelf_owner(s), owner_name(caller)) != 0)
        s = s->next;
    return s ? s : add_shelf(all, caller, works, facts);
}

static void clear_name(struct shelf_name *name)
{
    mgi_free(name->shown);
    mgi_free(name->macro);
    *name = (struct shelf_name){ NULL, NULL };
}

void mgi_shelves_free(struct shelves *all)
{
    for (struct shelf *s = all->first, *next; s; s = next) {
        next = s->next;
        for (size_t i = 0; i < SHELF_NAMES; i++)
            clear_name(&s->names[i]);
        mgi_direct_list_free(s->list);
        mgi_bridge_caller_unref(s->caller);
        mgi_free(s);
    }
    *all = (struct shelves){ NULL, 0 };
}

/* ---- names of before ------------------------------------------------------------------------- */

const char *mgi_shelf_past(const struct shelf *s, struct str shown)
{
    for (size_t i = 0; i < SHELF_NAMES; i++)
        if (s->names[i].shown && str_is(shown, s->names[i].shown))
            return s->names[i].macro;
    return NULL;
}

static char *copy_text(struct str text)
{
    char *copy = mgi_alloc(text.len + 1);
    if (copy) {
        memcpy(copy, text.ptr, text.len);
        copy[text.len] = '\0';
    }
    return copy;
}

/* What there is no memory for is a tool that nobody knows. */
static void remember(struct shelf *s, const struct direct_name *gone)
{
    struct shelf_name *name = &s->names[s->name_count % SHELF_NAMES];
    if (mgi_shelf_past(s, gone->shown))
        return;
    clear_name(name);
    *name = (struct shelf_name){ copy_text(gone->shown), copy_text(str_of(gone->macro)) };
    if (name->shown && name->macro)
        s->name_count++;
    else
        clear_name(name);
}

struct direct_list *mgi_shelf_put(struct shelf *s, struct direct_list *list)
{
    struct direct_list *before = s->list;
    for (size_t i = 0; before && i < before->count; i++)
        if (!mgi_direct_find(list, before->names[i].shown))
            remember(s, &before->names[i]);
    s->list = list;
    return before;
}
