/* JSONPath, patches and differences of the json plugin. Input: a path (or a patch), a zero byte,
 * and a document. What the parser takes can be evaluated, every node that is found has a normalized
 * path that finds just it again, and a document with what differs applied is the other one. */
#include <stdlib.h>

#include "plugins/json/json_plugin.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void find_again(struct arena *arena, const struct json *document,
                       const struct path_node *node)
{
    struct buf text, why;
    struct path path;
    struct path_nodes found;
    struct work w;
    mgi_buf_init(&text);
    mgi_buf_init(&why);
    mgi_work_init(&w, arena, NULL);
    mgi_path_put(&text, node);
    if (text.len <= PATH_MOST_BYTES) {
        MUST(mgi_path_parse(arena, mgi_buf_view(&text), &path, &why));
        MUST(path.singular && mgi_path_select(&w, &path, document, &found));
        MUST(found.count == 1 && found.items[0]->value == node->value);
    }
    mgi_buf_fini(&text);
    mgi_buf_fini(&why);
}

static void query(struct arena *arena, struct str text, const struct json *document)
{
    struct path path;
    struct path_nodes nodes = { 0 };
    struct work w;
    struct buf why;
    mgi_buf_init(&why);
    mgi_work_init(&w, arena, NULL);
    bool ok = mgi_path_parse(arena, text, &path, &why);
    MUST(ok || why.len > 0);
    if (ok && !mgi_path_select(&w, &path, document, &nodes))
        MUST(w.fault);
    for (size_t i = 0; ok && !w.fault && i < nodes.count && i < 20; i++)
        find_again(arena, document, nodes.items[i]);
    mgi_buf_fini(&why);
}

static void patch(struct arena *arena, const struct json *operations, const struct json *document)
{
    struct json made, again;
    struct work w;
    struct buf why, text;
    struct json_writer out;
    size_t count;
    mgi_buf_init(&why);
    mgi_buf_init(&text);
    mgi_work_init(&w, arena, NULL);
    if (!mgi_json_patch(&w, document, operations, &made, &why))
        MUST(w.fault || why.len > 0);
    else
        (void)mgi_json_order(document, &made);
    mgi_work_init(&w, arena, NULL);
    (void)mgi_json_merge(&w, document, operations, &made);
    mgi_work_init(&w, arena, NULL);
    mgi_json_writer_init(&out, &text, 0);
    if (mgi_json_diff(&w, document, operations, &out, &count)) {
        struct json differences;
        MUST(mgi_json_parse(arena, mgi_buf_view(&text), NULL, &differences, NULL) == JSON_OK);
        mgi_work_init(&w, arena, NULL);
        if (mgi_json_patch(&w, document, &differences, &again, &why))
            MUST(mgi_json_equal(&again, operations, false));
        else
            MUST(w.fault);
    }
    mgi_buf_fini(&text);
    mgi_buf_fini(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char built_in[] =
        "{\"a\":[1,2.5,{\"b\":\"x\"},[],null,true],\"b\":{\"a\":\"xy\",\"c\":[[1],[2,3]]},\"\":-7}";
    struct arena arena;
    struct json document, other;
    struct str text = { (const char *)bytes, size };
    const char *zero = size ? memchr(bytes, '\0', size) : NULL;
    struct str first = { text.ptr, zero ? (size_t)(zero - text.ptr) : size };
    struct str rest = { zero ? zero + 1 : built_in,
                        zero ? size - first.len - 1 : sizeof built_in - 1 };
    mgi_arena_init(&arena, (size_t)512 * 1024 * 1024);
    if (mgi_json_parse(&arena, rest, NULL, &document, NULL) == JSON_OK) {
        query(&arena, first, &document);
        if (mgi_json_parse(&arena, first, NULL, &other, NULL) == JSON_OK)
            patch(&arena, &other, &document);
    }
    mgi_arena_fini(&arena);
    return 0;
}
