/* The menu: see menu.h. */
#include "select/menu.h"

#include <stdlib.h>

#include "base/encode.h"
#include "sys/digest.h"

/* ---- SIDs --------------------------------------------------------------------------------- */

void mgi_sid_print(uint16_t sid, char out[SID_CHARS + 1])
{
    memcpy(out, "SID0000", SID_CHARS + 1);
    for (int i = SID_CHARS - 1; sid > 0 && i >= 3; i--, sid = (uint16_t)(sid / 10))
        out[i] = (char)('0' + sid % 10);
}

bool mgi_sid_parse(struct str text, uint16_t *sid)
{
    unsigned value = 0;
    if (text.len != SID_CHARS || memcmp(text.ptr, "SID", 3) != 0)
        return false;
    for (size_t i = 3; i < SID_CHARS; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        value = value * 10 + (unsigned)(text.ptr[i] - '0');
    }
    *sid = (uint16_t)value;
    return true;
}

/* ---- which ---------------------------------------------------------------------------------- */

static bool has_tag(const struct menu_action *action, const struct menu_wish *wish)
{
    for (size_t i = 0; i < action->tag_count; i++)
        for (size_t j = 0; j < wish->tag_count; j++)
            if (str_eq(action->tags[i], wish->tags[j]))
                return true;
    return wish->tag_count == 0;
}

static bool matches(struct str aid, const struct str *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct str p = patterns[i];
        if (p.len > 0 && p.ptr[p.len - 1] == '*') {
            if (mgi_str_starts(aid, (struct str){ p.ptr, p.len - 1 }))
                return true;
        } else if (str_eq(aid, p)) {
            return true;
        }
    }
    return false;
}

static bool is_listed(const struct menu_action *action, const struct menu_wish *wish)
{
    return str_is(action->aid, AID_NOOP) || has_tag(action, wish);
}

static bool is_admitted(struct str aid, const struct menu_wish *wish)
{
    if (matches(aid, wish->blocked, wish->blocked_count))
        return false;
    return wish->allowed_count == 0 || matches(aid, wish->allowed, wish->allowed_count);
}

/* ---- order ---------------------------------------------------------------------------------- */

/* By AID, AID.NOOP.v1 behind all others; of two with the same AID, the one that was given first. */
static int compare_actions(const void *left, const void *right)
{
    const struct menu_action *const *pa = left, *const *pb = right;
    const struct menu_action *a = *pa, *b = *pb;
    bool a_last = str_is(a->aid, AID_NOOP), b_last = str_is(b->aid, AID_NOOP);
    if (a_last != b_last)
        return a_last ? 1 : -1;
    int by_aid = mgi_str_compare(a->aid, b->aid);
    return by_aid != 0 ? by_aid : (a > b) - (a < b);
}

static int compare_tags(const void *a, const void *b)
{
    return mgi_str_compare(*(const struct str *)a, *(const struct str *)b);
}

static const struct menu_action **sorted(struct arena *into, const struct menu_action *actions,
                                         size_t count, const struct menu_wish *wish, size_t *found)
{
    const struct menu_action **list = mgi_arena_calloc(into, count + 1, sizeof *list);
    size_t n = 0, kept = 0;
    if (!list)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (is_listed(&actions[i], wish))
            list[n++] = &actions[i];
    qsort(list, n, sizeof *list, compare_actions);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || !str_eq(list[kept - 1]->aid, list[i]->aid))
            list[kept++] = list[i];
    *found = kept;
    return list;
}

/* ---- the menu ------------------------------------------------------------------------------- */

static bool fill_entry(struct arena *into, const struct menu_action *action, size_t number,
                       struct menu_entry *out)
{
    struct str *tags = mgi_arena_calloc(into, action->tag_count + 1, sizeof *tags);
    if (!tags)
        return false;
    if (action->tag_count > 0)
        memcpy(tags, action->tags, action->tag_count * sizeof *tags);
    qsort(tags, action->tag_count, sizeof *tags, compare_tags);
    *out = (struct menu_entry){ .sid = (uint16_t)number,
                                .aid = action->aid,
                                .name = action->name,
                                .tags = tags,
                                .tag_count = action->tag_count };
    return true;
}

static void add_digested(struct sha256 *h, const struct menu_entry *e, bool first)
{
    char sid[SID_CHARS + 2] = "|";
    mgi_sid_print(e->sid, sid + 1);
    mgi_sha256_add(h, first ? sid + 1 : sid, first ? SID_CHARS : SID_CHARS + 1);
    mgi_sha256_add(h, "=", 1);
    mgi_sha256_add(h, e->aid.ptr, e->aid.len);
    mgi_sha256_add(h, ":", 1);
    for (size_t i = 0; i < e->tag_count; i++) {
        if (i > 0)
            mgi_sha256_add(h, ",", 1);
        mgi_sha256_add(h, e->tags[i].ptr, e->tags[i].len);
    }
}

static bool digest_menu(struct menu *menu)
{
    uint8_t sum[SHA256_BYTES];
    struct sha256 *h = mgi_sha256_new();
    if (!h)
        return false;
    for (size_t i = 0; i < menu->count; i++)
        add_digested(h, &menu->entries[i], i == 0);
    if (!mgi_sha256_end(h, sum))
        return false;
    mgi_hex(sum, sizeof sum, menu->digest);
    return true;
}

enum menu_status mgi_menu_build(struct arena *into, const struct menu_action *actions, size_t count,
                                const struct menu_wish *wish, struct menu *out)
{
    const struct menu_wish everything = { 0 };
    struct menu menu = { 0 };
    size_t found = 0;
    if (!wish)
        wish = &everything;
    const struct menu_action **list = sorted(into, actions, count, wish, &found);
    if (!list)
        return MENU_NOMEM;
    if (found > MENU_MAX_ENTRIES)
        return MENU_TOO_LONG;
    struct menu_entry *entries = mgi_arena_calloc(into, found + 1, sizeof *entries);
    if (!entries)
        return MENU_NOMEM;
    for (size_t i = 0; i < found; i++)
        if (is_admitted(list[i]->aid, wish) &&
            !fill_entry(into, list[i], i + 1, &entries[menu.count++]))
            return MENU_NOMEM;
    menu.entries = entries;
    if (!digest_menu(&menu))
        return MENU_NOMEM;
    *out = menu;
    return MENU_OK;
}

const struct menu_entry *mgi_menu_find(const struct menu *menu, uint16_t sid)
{
    size_t low = 0, high = menu->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (menu->entries[mid].sid == sid)
            return &menu->entries[mid];
        if (menu->entries[mid].sid < sid)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

const struct menu_entry *mgi_menu_find_aid(const struct menu *menu, struct str aid)
{
    for (size_t i = 0; i < menu->count; i++)
        if (str_eq(menu->entries[i].aid, aid))
            return &menu->entries[i];
    return NULL;
}

const struct menu_entry *mgi_menu_first_with(const struct menu *menu, const char *tag)
{
    for (size_t i = 0; i < menu->count; i++) {
        const struct menu_entry *e = &menu->entries[i];
        for (size_t j = 0; j < e->tag_count && !str_is(e->aid, AID_NOOP); j++)
            if (str_is(e->tags[j], tag))
                return e;
    }
    return NULL;
}

void mgi_menu_write(struct json_writer *w, const struct menu *menu)
{
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < menu->count; i++) {
        const struct menu_entry *e = &menu->entries[i];
        char sid[SID_CHARS + 1];
        mgi_sid_print(e->sid, sid);
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "sid", sid);
        mgi_jw_member_str(w, "aid", e->aid);
        mgi_jw_member_str(w, "name", e->name);
        mgi_jw_member_strs(w, "tags", e->tags, e->tag_count);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}
