/* Values in addresses: TEMPLATE, a NUL, then the arguments as JSON. What becomes of a path is held
 * against its template: as many segments as the author wrote, none of them "." or ".." or empty
 * where a value is, and no byte that ends a path. */
#include <stdlib.h>

#include "../plugins/http/table.c"

#include "../plugins/http/expand.c"
#include "domain/command_form.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x))                                                                                  \
            abort();                                                                               \
    } while (0)

static size_t slashes(struct str s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++)
        count += s.ptr[i] == '/';
    return count;
}

static void check(struct arena *arena, struct http_request *r, const struct json *arguments,
                  size_t written)
{
    struct http_expansion what;
    struct buf path = { 0 };
    const char *why = mgi_http_expand_path(arena, r, arguments, &path);
    const char *whole = mgi_http_expand(arena, r, arguments, &what);
    MUST(!why || whole);
    if (!why) {
        struct str made = mgi_buf_view(&path);
        MUST(slashes(made) == written);
        for (size_t i = 0; i < made.len; i++)
            MUST((unsigned char)made.ptr[i] > ' ' && !strchr("?#\\", made.ptr[i]));
    }
    if (!whole) {
        struct url u;
        MUST(mgi_url_read(str_of(what.url), &u) && u.tls && str_is(u.host, "a.example"));
        MUST(str_eq(u.path, mgi_buf_view(&path)) && !memchr(u.tail.ptr, '#', u.tail.len));
    }
    mgi_buf_fini(&path);
}

/* What the server takes for a path: see check_path() of src/actions/http_target.c. */
static bool is_path(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] <= ' ' || (unsigned char)text.ptr[i] >= 0x7f ||
            strchr("?#\\\"", text.ptr[i]))
            return false;
    return text.len > 0 && text.ptr[0] == '/';
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
    if (is_path(text) && mgi_word_parse(&arena, text, &parts, &count, &why, &at) &&
        mgi_json_parse(&arena, json, NULL, &arguments, NULL) == JSON_OK &&
        arguments.type == JSON_OBJECT) {
        struct http_part *made = mgi_arena_calloc(&arena, count + 1, sizeof *made);
        for (size_t i = 0; i < count; i++) {
            made[i].kind = parts[i].kind == PART_TEXT ? HTTP_TEXT : HTTP_ARGUMENT;
            made[i].text = parts[i].text;
        }
        struct http_part lone = { HTTP_ARGUMENT, STR_LIT("a"), '|' };
        struct http_pair pairs[] = { { STR_LIT("q"), { made, count }, false },
                                     { STR_LIT("joined"), { &lone, 1 }, false },
                                     { STR_LIT("deep"), { &lone, 1 }, true } };
        struct http_request r = { .origin = STR_LIT("https://a.example:443"),
                                  .method = STR_LIT("GET"),
                                  .path = { made, count },
                                  .query = { pairs, 3 } };
        check(&arena, &r, &arguments, slashes(text));
    }
    mgi_arena_fini(&arena);
    return 0;
}
