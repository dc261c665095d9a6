/* The heuristic selector: see heuristic.h. The functions stand in the order of the table. */
#include "select/heuristic.h"

static const struct {
    const char *stage, *aid;
} genesis[] = {
    { "", "AID.GENESIS.WRITE_FILE.v1" },
    { "WROTE", "AID.GENESIS.COMPILE_SHARED.v1" },
    { "COMPILED", "AID.GENESIS.LOAD_PLUGIN.v1" },
};

static const char *const preference[] = {
    "tag.error", "tag.gpu", "tag.fs", "tag.shell", "tag.net", "tag.meta",
};

static bool slot_is_used(const struct select_view *view, unsigned n)
{
    return view->slots_used >> n & 1;
}

/* Rows 1 and 2. True: they decide, and *choice (NULL: NOOP) is it. */
static bool choose_genesis(const struct select_view *view, const struct menu *menu,
                           const struct menu_entry **choice)
{
    if (mgi_str_find(view->goal, STR_LIT("goal.GENESIS")) == SIZE_MAX)
        return false;
    *choice = NULL;
    for (size_t i = 0; i < sizeof genesis / sizeof *genesis; i++)
        if (str_is(view->stage, genesis[i].stage))
            *choice = mgi_menu_find_aid(menu, str_of(genesis[i].aid));
    if (str_is(view->stage, "LOADED")) {
        if (slot_is_used(view, 0))
            return true;
        *choice = mgi_menu_first_with(menu, "tag.runtime");
    }
    return *choice != NULL;
}

const struct menu_entry *mgi_heuristic_choose(const struct select_view *view,
                                              const struct menu *menu)
{
    const struct menu_entry *choice = NULL;
    if (choose_genesis(view, menu, &choice))
        return choice;
    if (slot_is_used(view, 0) && !slot_is_used(view, 2))
        choice = mgi_menu_first_with(menu, "tag.report");
    for (size_t i = 0; !choice && i < sizeof preference / sizeof *preference; i++)
        choice = mgi_menu_first_with(menu, preference[i]);
    return choice;
}

void mgi_goal_context(struct buf *out, const struct select_view *view)
{
    mgi_buf_str(out, view->goal);
    mgi_buf_printf(out, "|FLAGS:DS0=%d;DS2=%d;DS6=%d;DS7=%d;DS6_STAGE=%.*s;", slot_is_used(view, 0),
                   slot_is_used(view, 2), slot_is_used(view, 6), slot_is_used(view, 7),
                   STR_ARG(view->stage));
    for (size_t i = 0; i < view->goal_tag_count; i++) {
        mgi_buf_putc(out, '|');
        mgi_buf_str(out, view->goal_tags[i]);
    }
}
