/* Any bytes as the settings of the plugin "command": a table or a reason; what is in a table can be
 * expanded without arguments, to words or a reason. */
#include <stdlib.h>

#include "../plugins/command/expand.c"
#include "../plugins/command/table.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct json nothing = { .type = JSON_OBJECT };
    struct arena arena;
    struct command_table table;
    struct expansion words;
    mgi_arena_init(&arena, 0);
    const char *why =
        mgi_command_table_read(&arena, (struct str){ (const char *)bytes, size }, "/tmp", &table);
    for (size_t i = 0; !why && i < table.count; i++)
        if (!mgi_command_expand(&arena, &table, &table.items[i], &nothing, &words) &&
            (!words.argv || !words.folder))
            abort();
    mgi_arena_fini(&arena);
    return 0;
}
