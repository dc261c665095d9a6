/* What a program may print, read in each way: the first byte chooses. What is read is one JSON
 * object; what is not is refused with a reason. */
#include <stdlib.h>
#include <string.h>

#include "../plugins/command/read_output.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool never(void *context)
{
    (void)context;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct command commands[] = {
        { .output = OUTPUT_TEXT },
        { .output = OUTPUT_LINES },
        { .output = OUTPUT_JSON },
        { .output = OUTPUT_JSONL },
        { .output = OUTPUT_CSV },
        { .output = OUTPUT_REGEX, .regex = { "(?<a>x*)|(?<b>\\d+)", 19 }, .every_match = true },
        { .output = OUTPUT_REGEX, .regex = { "(?<a>(x+x+)+)y?(?<b>.)$", 23 } },
        { .output = OUTPUT_REGEX, .regex = { "(?=(?<a>.\\K))", 13 }, .every_match = true },
        { .output = OUTPUT_NONE },
    };
    static struct arena life;
    static struct command_table table = { .folder = "/",
                                          .items = commands,
                                          .count = sizeof commands / sizeof *commands };
    if (size == 0)
        return 0;
    if (!commands[5].pattern)
        (void)mgi_output_prepare(&life, &table);
    struct command *command = &commands[bytes[0] % table.count];
    struct arena arena;
    struct buf out = { 0 };
    struct json v;
    struct str text = { (const char *)bytes + 1, size - 1 };
    if (command->output == OUTPUT_REGEX && !command->pattern)
        return 0;
    mgi_arena_init(&arena, 0);
    const char *why = mgi_output_read(&arena, command, text, never, NULL, &out);
    if (!why && (mgi_json_parse(&arena, mgi_buf_view(&out), NULL, &v, NULL) != JSON_OK ||
                 v.type != JSON_OBJECT))
        abort();
    mgi_buf_fini(&out);
    mgi_arena_fini(&arena);
    return 0;
}
