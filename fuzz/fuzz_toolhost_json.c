/* The helper for plugins reads no byte outside of any text, and of an object that is JSON it finds
 * what the parser of the host finds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "toolhost_json.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void compare(const struct json *want, th_str got)
{
    char text[128];
    int64_t n;
    bool fits = want->type == JSON_STRING && want->string.len < sizeof text &&
                !memchr(want->string.ptr ? want->string.ptr : "", '\0', want->string.len);
    MUST(th_json_text(got, text, sizeof text) == fits);
    if (fits)
        MUST(strlen(text) == want->string.len && !memcmp(text, want->string.ptr, want->string.len));
    if (want->type == JSON_INT)
        MUST(th_json_int(got, &n) && n == want->integer);
    else if (want->type != JSON_FLOAT) /* 1e0 is a number for one, and no whole one for the other */
        MUST(!th_json_int(got, &n));
}

static void each_member(const struct json *object, th_str input)
{
    th_str value;
    for (size_t i = 0; i < object->count; i++) {
        struct str key = object->members[i].name;
        char name[256];
        if (key.len >= sizeof name || (key.len > 0 && memchr(key.ptr, '\0', key.len)))
            continue;
        memcpy(name, key.ptr ? key.ptr : "", key.len);
        name[key.len] = '\0';
        MUST(th_json_member(input, name, &value));
        compare(&object->members[i].value, value);
    }
    if (!mgi_json_get(object, "absent"))
        MUST(!th_json_member(input, "absent", &value));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena;
    struct json parsed;
    char *copy = malloc(size + 1); /* of this length: what is read behind it is seen */
    if (!copy)
        return 0;
    memcpy(copy, bytes, size);
    copy = realloc(copy, size ? size : 1);
    th_str input = { copy, size }, value;
    int64_t n;
    char text[8];
    (void)th_json_text(input, text, sizeof text);
    (void)th_json_int(input, &n);
    if (th_json_member(input, "a", &value))
        (void)th_json_text(value, text, sizeof text);
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, (struct str){ copy, size }, NULL, &parsed, NULL) == JSON_OK &&
        parsed.type == JSON_OBJECT)
        each_member(&parsed, input);
    mgi_arena_fini(&arena);
    free(copy);
    return 0;
}
