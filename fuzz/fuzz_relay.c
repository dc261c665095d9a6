/* Fuzzes what the relay plugin reads: its settings, the list of a program, a line of a program. The
 * first byte chooses. Whatever comes in: no crash, what is refused is refused with a reason, and
 * what is taken keeps its promises. */
#include <stdint.h>
#include <stdlib.h>

#include "../plugins/relay/answer.c"
#include "../plugins/relay/settings.c"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void read_tools(struct arena *arena, const struct json *list)
{
    th_tool *tools = NULL;
    size_t count = 0;
    const char *why = NULL;
    if (!relay_tools_read(arena, list, &tools, &count, &why)) {
        MUST(why && why[0]);
        return;
    }
    for (size_t i = 0; i < count; i++)
        MUST(tools[i].aid && tools[i].name && tools[i].min_tier <= 3);
}

static void read_configuration(struct arena *arena, struct str text)
{
    struct relay_settings s;
    const char *why = NULL;
    if (!relay_settings_read(arena, text, &s, &why)) {
        MUST(why && why[0]);
        return;
    }
    MUST(s.run_count > 0 && s.run[0][0] && !s.run[s.run_count] && s.folder[0] == '/');
    for (size_t i = 0; i < s.env_count; i++)
        MUST(strchr(s.env[i], '=') && s.env[i][0] != '=');
    if (s.tools.type == JSON_ARRAY)
        read_tools(arena, &s.tools);
}

static void read_listing(struct arena *arena, struct str text)
{
    struct json list;
    const char *why = NULL;
    if (relay_list_read(arena, text, &list, &why))
        read_tools(arena, &list);
    else
        MUST(why && why[0]);
}

static void read_said(struct arena *arena, struct str line)
{
    struct relay_answer answer;
    const char *why = NULL;
    switch (relay_line_read(arena, line, STR_LIT("r1#1"), &answer, &why)) {
    case RELAY_ANSWER:
        MUST(answer.status >= TH_OK && answer.status <= TH_BREAKER_TRIP);
        MUST(answer.state.type == JSON_OBJECT || answer.state.type == JSON_NULL);
        break;
    case RELAY_WRONG:
        MUST(why && why[0]);
        break;
    case RELAY_EVENT:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    if (len == 0)
        return 0;
    struct str rest = { (const char *)bytes + 1, len - 1 };
    mgi_arena_init(&arena, 1 << 24);
    if (bytes[0] == 's')
        read_configuration(&arena, rest);
    else if (bytes[0] == 'l')
        read_listing(&arena, rest);
    else
        read_said(&arena, rest);
    mgi_arena_fini(&arena);
    return 0;
}
