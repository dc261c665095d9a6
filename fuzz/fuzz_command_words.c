/* Values in words: TEMPLATE, a NUL, then the arguments as JSON. A template is read or refused with
 * a reason; what becomes of it is held against putting the values side by side, so nothing in a
 * value is ever looked at again, one word stays one, and no value begins an option. */
#include <stdlib.h>

#include "domain/command_form.h"

#include "../plugins/command/expand.c"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* False: an argument is missing, or is no single value. *option: the first byte is a value's. */
static bool side_by_side(const struct word *word, const struct json *arguments, struct buf *out,
                         bool *option)
{
    *option = false;
    for (size_t i = 0; i < word->part_count; i++) {
        const struct part *p = &word->parts[i];
        struct str text = p->text;
        if (p->is_argument) {
            const struct json *v = mgi_json_get_str(arguments, p->text);
            if (!v || v->type == JSON_NULL || v->type == JSON_ARRAY || v->type == JSON_OBJECT)
                return false;
            text = v->type == JSON_STRING ? v->string : v->text;
            if (out->len == 0 && text.len > 0)
                *option = text.ptr[0] == '-' && !p->may_be_option;
        }
        mgi_buf_str(out, text);
    }
    return true;
}

static void check(struct arena *arena, struct word *word, const struct json *arguments)
{
    struct word words[] = { *word, *word };
    struct command command = { .words = words, .word_count = 2 };
    struct command_table table = { .folder = "/" };
    struct expansion got;
    struct buf want = { 0 };
    bool option;
    bool whole = side_by_side(word, arguments, &want, &option);
    const char *why = mgi_command_expand(arena, &table, &command, arguments, &got);
    bool nul = want.len > 0 && memchr(want.ptr, '\0', want.len);
    if (!whole || option || nul || want.len >= EXPAND_MAX_WORD) {
        MUST(why && !got.argv);
    } else {
        MUST(!why && got.argv[0] && got.argv[1] && !got.argv[2]);
        MUST(strlen(got.argv[0]) == want.len &&
             memcmp(got.argv[0], want.ptr ? want.ptr : "", want.len) == 0);
    }
    mgi_buf_fini(&want);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, '\0', size);
    struct arena arena;
    struct word_part *parts;
    struct json arguments;
    const char *why;
    size_t count, at;
    if (!end)
        return 0;
    mgi_arena_init(&arena, 0);
    struct str text = { (const char *)bytes, (size_t)(end - bytes) };
    struct str json = { (const char *)end + 1, size - text.len - 1 };
    bool good = mgi_word_parse(&arena, text, &parts, &count, &why, &at);
    MUST(good || (why && at < text.len));
    if (good && mgi_json_parse(&arena, json, NULL, &arguments, NULL) == JSON_OK &&
        arguments.type == JSON_OBJECT) {
        struct word word = { .kind = WORD_PARTS, .part_count = count };
        word.parts = mgi_arena_calloc(&arena, count + 1, sizeof *word.parts);
        for (size_t i = 0; i < count; i++)
            word.parts[i] = (struct part){ .text = parts[i].text,
                                           .is_argument = parts[i].kind == PART_ARGUMENT,
                                           .may_be_option = parts[i].may_be_option };
        if (count != 1 || word.parts[0].is_argument || !str_is(word.parts[0].text, "--"))
            check(&arena, &word, &arguments);
    }
    mgi_arena_fini(&arena);
    return 0;
}
