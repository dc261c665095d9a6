/* JSON: the DOM parser and the pull reader must agree on every text; what the writer makes of a DOM
 * must parse to an equal one; canonical text must be its own canonical text. */
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static enum json_fault read_all(struct str text, struct arena *arena, size_t *offset)
{
    struct json_reader r;
    mgi_json_reader_init(&r, text, 0);
    enum json_event event;
    while ((event = mgi_json_reader_next(&r)) != JSON_EV_END && event != JSON_EV_ERROR) {
        if (event == JSON_EV_STRING || event == JSON_EV_KEY)
            MUST(mgi_json_reader_string(&r, arena).ptr);
        int64_t integer;
        double number;
        if (event == JSON_EV_NUMBER)
            (void)mgi_json_reader_number(&r, &integer, &number);
    }
    *offset = r.error.offset;
    return r.error.fault;
}

static void check_same(struct arena *arena, const struct json *v, struct str text, bool typed)
{
    struct json again;
    MUST(mgi_json_parse(arena, text, NULL, &again, NULL) == JSON_OK);
    MUST(mgi_json_equal(v, &again, typed));
    MUST(mgi_json_equal(&again, v, typed));
}

static void check_writers(struct arena *arena, const struct json *v)
{
    struct buf out = { 0 }, canonical = { 0 };
    for (uint32_t indent = 0; indent < 4; indent += 2) {
        struct json_writer w;
        mgi_buf_clear(&out);
        mgi_json_writer_init(&w, &out, indent);
        mgi_jw_value(&w, v);
        check_same(arena, v, mgi_buf_view(&out), true);
    }
    mgi_json_canonical(&canonical, v);
    struct json again;
    MUST(mgi_json_parse(arena, mgi_buf_view(&canonical), NULL, &again, NULL) == JSON_OK);
    MUST(mgi_json_equal(v, &again, true));
    mgi_buf_clear(&out);
    mgi_json_canonical(&out, &again);
    MUST(str_eq(mgi_buf_view(&out), mgi_buf_view(&canonical)));
    mgi_buf_fini(&out);
    mgi_buf_fini(&canonical);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = { (const char *)bytes, size };
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct json v;
    struct json_error error = { 0 };
    size_t offset;
    enum json_fault dom = mgi_json_parse(&arena, text, NULL, &v, &error);
    enum json_fault reader = read_all(text, &arena, &offset);
    if (dom ==
        JSON_DUPLICATE_KEY) /* found when an object closes: the reader may have stopped later */
        MUST(reader == JSON_OK || offset > error.offset);
    else
        MUST(dom == reader && (dom == JSON_OK || error.offset == offset));
    if (dom == JSON_OK)
        check_writers(&arena, &v);
    mgi_arena_fini(&arena);
    return 0;
}
