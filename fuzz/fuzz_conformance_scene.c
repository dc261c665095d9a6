/* A client that says anything: each scene comes to an end, with a fault or without, and what its
 * server says is a message that fits docs/schemas. The first byte chooses the scene, the second how
 * it is spoken; each line that follows is a message of the client, an empty one a silence. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "conformance/scene.h"
#include "protocol/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct judge *judge;

struct script {
    struct scene_way way; /* first: they are one */
    struct str rest;
};

static bool say(struct scene_way *way, struct str message)
{
    struct arena arena;
    struct json m;
    struct schema_issues issues;
    (void)way;
    mgi_arena_init(&arena, 0);
    mgi_schema_issues_init(&issues, &arena, 1);
    if (mgi_json_parse(&arena, message, NULL, &m, NULL) != JSON_OK ||
        !mgi_judge_message(judge, &m, &issues))
        abort();
    mgi_arena_fini(&arena);
    return true;
}

static enum heard hear(struct scene_way *way, int64_t wait_ms, struct str *message)
{
    struct script *s = (struct script *)way;
    (void)wait_ms;
    if (s->rest.len == 0)
        return HEARD_END;
    const char *end = memchr(s->rest.ptr, '\n', s->rest.len);
    size_t len = end ? (size_t)(end - s->rest.ptr) : s->rest.len, gone = len + (end != NULL);
    *message = (struct str){ s->rest.ptr, len };
    s->rest = (struct str){ s->rest.ptr + gone, s->rest.len - gone };
    return len > 0 ? HEARD_MESSAGE : HEARD_NOTHING;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const enum carrier ways[] = { OVER_STDIO, OVER_HTTP, OVER_WS };
    size_t scenes = 0;
    struct buf fault = { 0 };
    if (size < 2)
        return 0;
    judge = judge ? judge : mgi_judge_new();
    while (mgi_scenes[scenes].name)
        scenes++;
    struct script s = {
        .way = { .over = ways[bytes[1] % 3], .say = say, .hear = hear, .reads = bytes[1] / 3 },
        .rest = { (const char *)bytes + 2, size - 2 }
    };
    bool passed = mgi_scene_play(&mgi_scenes[bytes[0] % scenes], &s.way, &fault);
    if (passed != (fault.len == 0))
        abort();
    mgi_buf_fini(&fault);
    return 0;
}
