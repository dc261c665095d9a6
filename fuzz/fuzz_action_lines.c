/* Fuzzes what the server reads from a plugin host: an answer line, the answer to a lease, and the
 * list of what a plugin offers. The first byte chooses. Whatever comes in: no crash, and what is
 * taken keeps its promises. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "actions/plugin_answer.c"
#include "actions/plugin_list.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void read_answer(struct str line)
{
    struct arena arena;
    struct tool_result result = { 0 };
    unsigned slots = 0;
    mgi_arena_init(&arena, 1 << 24);
    enum tool_answer kind = mgi_tool_answer(&arena, line, STR_LIT("00112233-0-1"), &result, &slots);
    if (kind == ANSWER_GOOD && result.outcome == TOOL_OK && result.output.type != JSON_OBJECT)
        abort(); /* an output is an object */
    mgi_arena_fini(&arena);
}

static void read_lease(struct str line)
{
    struct arena arena;
    const char *why = NULL;
    mgi_arena_init(&arena, 1 << 24);
    if (!mgi_lease_answer(&arena, line, &why).ptr && !why)
        abort(); /* refused without a word */
    mgi_arena_fini(&arena);
}

static void read_what_is_offered(struct str text)
{
    struct arena arena;
    static const struct action_provider provider = { .kind = "plugins", .name = { "fuzz", 4 } };
    struct action *actions = NULL;
    size_t count = 0;
    const char *why = NULL;
    mgi_arena_init(&arena, 1 << 24);
    struct str said = mgi_arena_str(&arena, text);
    bool good = said.ptr && read_list(&arena, said, 0, &provider, &actions, &count, &why);
    if (!good && !why && !arena.oom)
        abort();
    for (size_t i = 0; good && i < count; i++)
        if (!actions[i].aid.ptr || actions[i].effect_count == 0)
            abort();
    mgi_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len == 0)
        return 0;
    struct str rest = { (const char *)bytes + 1, len - 1 };
    switch (bytes[0]) {
    case 'a':
        read_answer(rest);
        break;
    case 'l':
        read_lease(rest);
        break;
    default:
        read_what_is_offered(rest);
        break;
    }
    return 0;
}
