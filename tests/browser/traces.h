/* Traces in tests: events.jsonl through a trace, and facts of a text. Include after fake_host.h. */
#ifndef TESTS_BROWSER_TRACES_H
#define TESTS_BROWSER_TRACES_H

#include "../../domains/browser/plugins/browser/trace.h"

static inline struct str traces_file(struct arena *into, const char *path)
{
    FILE *file = fopen(path, "r");
    struct buf all = { 0 };
    char part[65536];
    for (size_t n; file && (n = fread(part, 1, sizeof part, file)) > 0;)
        mgi_buf_append(&all, part, n);
    if (file)
        fclose(file);
    struct str kept = mgi_arena_str(into, mgi_buf_view(&all));
    mgi_buf_fini(&all);
    return kept;
}

/* Every line of `text` into `trace`. Lines that are no events are passed over. */
static inline void traces_add(struct arena *scratch, struct str text, struct trace *trace)
{
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        size_t len = end ? (size_t)(end - (text.ptr + at)) : text.len - at;
        struct json v;
        struct arena_mark mark = mgi_arena_mark(scratch);
        struct str line = { text.ptr + at, len };
        at += len + 1;
        const struct json_options options = { .max_depth = 200 };
        if (mgi_json_parse(scratch, line, &options, &v, NULL) == JSON_OK)
            mgi_trace_add(trace, mgi_member_number(&v, "t", 0), mgi_member_string(&v, "s"),
                          mgi_member_string(&v, "m"), mgi_json_get(&v, "p"));
        mgi_arena_rewind(scratch, mark);
    }
}

/* `text` as a trace of at most `most` bytes writes it. */
static inline void traces_pass(struct arena *scratch, struct str text, size_t most, struct buf *out)
{
    struct trace *trace = mgi_trace_new(most);
    if (!trace)
        return;
    traces_add(scratch, text, trace);
    mgi_trace_write(trace, out);
    mgi_trace_free(trace);
}

#endif
