/* A program under test holds what it writes against docs/schemas (judge.h, MGI_JUDGE). This is the
 * one place with a global, which no program has that is given to anybody. */
#include "protocol/judge.h"

#ifdef MGI_JUDGE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct judge *own_judge;

static void make_judge(void)
{
    own_judge = mgi_judge_new();
    if (!own_judge)
        fputs("the schemas of docs/schemas do not compile\n", stderr);
}

__attribute__((weak)) bool mgi_judge_is_on(void)
{
    return true;
}

static void tell(struct str text, const struct schema_issues *issues)
{
    fprintf(stderr, "a message was written that docs/schemas does not allow: %.*s\n",
            (int)(text.len < 4000 ? text.len : 4000), text.ptr);
    for (size_t i = 0; i < issues->count; i++)
        fprintf(stderr, "  at \"%s\": %s: %s\n", issues->items[i].path, issues->items[i].keyword,
                issues->items[i].message);
    abort();
}

void mgi_judge_written(const struct buf *message)
{
    struct arena arena;
    struct json json;
    struct schema_issues issues;
    const struct json_options deep = { .max_depth = JSON_MAX_DEPTH };
    if (message->oom || !mgi_judge_is_on())
        return;
    pthread_once(&once, make_judge);
    struct str text = mgi_buf_view(message);
    mgi_arena_init(&arena, 0);
    mgi_schema_issues_init(&issues, &arena, 10);
    enum json_fault fault = mgi_json_parse(&arena, text, &deep, &json, NULL);
    if (fault == JSON_NOMEM)
        fputs("no memory to judge a message\n", stderr);
    else if (fault)
        tell(text, &issues);
    else if (own_judge && !mgi_judge_message(own_judge, &json, &issues))
        tell(text, &issues);
    mgi_arena_fini(&arena);
}
#endif
