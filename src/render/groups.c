/* Facts by their predicates. */
#include "render/render_int.h"

#define MOST 64 /* predicates that are told apart: finding one walks those that were found */

struct group *mgi_group_facts(struct arena *arena, const struct json *facts, size_t *count)
{
    struct group *groups = mgi_arena_calloc(arena, MOST, sizeof *groups);
    *count = 0;
    for (uint32_t i = 0; groups && i < facts->count; i++) {
        struct str pred = text_at(&facts->items[i], "pred");
        size_t at = 0;
        while (at < *count && !str_eq(groups[at].pred, pred))
            at++;
        if (at == MOST)
            continue;
        if (at == *count)
            groups[(*count)++].pred = pred;
        struct group found = groups[at];
        found.count++;
        for (; at > 0 && groups[at - 1].count < found.count; at--)
            groups[at] = groups[at - 1];
        groups[at] = found;
    }
    return groups;
}
