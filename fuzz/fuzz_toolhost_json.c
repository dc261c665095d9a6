/* The helper for plugins reads no byte outside of any text, and of an object that is JSON it finds
 * what the parser of the host finds. What it writes of any bytes is one JSON text. */
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

static void *give(th_call *call, size_t size)
{
    (void)call;
    return calloc(1, size + 1000);
}

/* Any bytes as a string and as a key, then read again by the parser of the host. */
static void write_bytes(const char *bytes, size_t size)
{
    static const th_host host = { .alloc = give };
    struct arena arena;
    struct json v;
    char key[32];
    size_t len = size < sizeof key - 1 ? size : sizeof key - 1;
    memcpy(key, bytes, len);
    key[len] = '\0';
    if (size > 1000) /* one block is enough then, and nobody else has to free it */
        return;
    char *block = give(NULL, 8 * size + 1000);
    th_json_writer w = th_json_writer_of(&host, NULL);
    w.text = block;
    w.cap = 8 * size + 1000;
    th_json_open(&w, '{');
    th_json_key(&w, key);
    th_json_put_bytes(&w, bytes, size);
    th_json_close(&w, '}');
    mgi_arena_init(&arena, 0);
    th_str all = th_json_written(&w);
    MUST(all.ptr == block);
    MUST(mgi_json_parse(&arena, (struct str){ all.ptr, all.len }, NULL, &v, NULL) == JSON_OK);
    MUST(v.count == 1 && v.members[0].value.type == JSON_STRING);
    mgi_arena_fini(&arena);
    free(block);
}

static void each_member(const struct json *object, th_str input)
{
    th_str value, rest = input, written;
    uint32_t count = 0;
    while (th_json_next_member(&rest, &written, &value)) {
        compare(&object->members[count].value, value);
        count++;
    }
    MUST(count == object->count);
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
    th_str rest = input, key;
    double d;
    bool yes;
    (void)th_json_double(input, &d);
    (void)th_json_bool(input, &yes);
    while (th_json_next_item(&rest, &value))
        (void)th_json_type_of(value);
    while (th_json_next_member(&rest, &key, &value))
        (void)th_json_type_of(value);
    write_bytes(copy, size);
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
