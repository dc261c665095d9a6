/* What is wrong with a schema or an instance: a list up to a limit. */
#include "protocol/schema_int.h"

void mgi_schema_issues_init(struct schema_issues *s, struct arena *arena, size_t max)
{
    *s = (struct schema_issues){ .arena = arena, .max = max ? max : 50 };
}

void mgi_schema_issue(struct schema_issues *s, const char *path, const char *keyword,
                      const char *message)
{
    if (s->count >= s->max ||
        !mgi_arena_grow(s->arena, &s->items, &s->cap, s->count + 1, sizeof *s->items))
        return;
    s->items[s->count++] =
        (struct schema_issue){ path ? path : "", keyword, message ? message : "is not valid" };
}
