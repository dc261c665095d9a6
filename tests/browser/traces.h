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

/* ---- traces written by hand: T milliseconds after a fixed instant, ' stands for " ---------- */

#define TRACES_T0 INT64_C(1790000000000)

static inline void tr(struct buf *out, int64_t t, const char *method, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static inline void tr(struct buf *out, int64_t t, const char *method, const char *format, ...)
{
    va_list args;
    mgi_buf_printf(out, "{\"t\":%lld,\"m\":\"%s\",\"p\":", (long long)(TRACES_T0 + t), method);
    size_t from = out->len;
    va_start(args, format);
    mgi_buf_vprintf(out, format, args);
    va_end(args);
    for (size_t i = from; i < out->len; i++)
        if (out->ptr[i] == '\'')
            out->ptr[i] = '"';
    mgi_buf_puts(out, "}\n");
}

/* `more` are further members of the event, with a comma before them. */
static inline void tr_asked(struct buf *out, int64_t t, const char *id, const char *method,
                            const char *url, const char *type, const char *more)
{
    tr(out, t, "Network.requestWillBeSent",
       "{'requestId':'%s','loaderId':'L1','request':{'url':'%s','method':'%s','headers':{}},"
       "'timestamp':%.3f,'wallTime':%.3f,'type':'%s','frameId':'F'%s}",
       id, url, method, 1000 + (double)t / 1000, (double)(TRACES_T0 + t) / 1000, type, more);
}

static inline void tr_answered(struct buf *out, int64_t t, const char *id, int status,
                               const char *mime)
{
    tr(out, t, "Network.responseReceived",
       "{'requestId':'%s','timestamp':%.3f,'type':'Other','response':{'status':%d,"
       "'mimeType':'%s','headers':{}}}",
       id, 1000 + (double)t / 1000, status, mime);
}

static inline void tr_ended(struct buf *out, int64_t t, const char *id)
{
    tr(out, t, "Network.loadingFinished",
       "{'requestId':'%s','timestamp':%.3f,'encodedDataLength':9}", id, 1000 + (double)t / 1000);
}

/* A request with its answer, all in ten milliseconds. `body` is JSON with ' for ", or NULL. */
static inline void tr_whole(struct buf *out, int64_t t, const char *id, const char *url,
                            const char *type, int status, const char *body)
{
    tr_asked(out, t, id, "GET", url, type, "");
    tr_answered(out, t + 8, id, status,
                strcmp(type, "Script") == 0     ? "text/javascript"
                : strcmp(type, "Document") == 0 ? "text/html"
                                                : "application/json");
    tr_ended(out, t + 10, id);
    if (!body)
        return;
    struct json_writer w;
    struct buf text = { 0 };
    mgi_buf_puts(&text, body);
    for (size_t i = 0; i < text.len; i++)
        text.ptr[i] = text.ptr[i] == '\'' ? '"' : text.ptr[i];
    mgi_buf_printf(out,
                   "{\"t\":%lld,\"m\":\"Machina.body\",\"p\":", (long long)(TRACES_T0 + t + 10));
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "requestId", id);
    mgi_jw_member_str(&w, "text", mgi_buf_view(&text));
    mgi_jw_end_object(&w);
    mgi_buf_puts(out, "}\n");
    mgi_buf_fini(&text);
}

/* An error that code threw at a place of a script (from 0), called from another. */
static inline void tr_thrown(struct buf *out, int64_t t, const char *text, const char *url,
                             int line, int column, const char *more_frames)
{
    tr(out, t, "Runtime.exceptionThrown",
       "{'timestamp':%lld,'exceptionDetails':{'exceptionId':1,'text':'Uncaught','lineNumber':%d,"
       "'columnNumber':%d,'url':'%s','stackTrace':{'callFrames':[{'functionName':'show','url':'%s',"
       "'lineNumber':%d,'columnNumber':%d}%s]},'exception':{'type':'object','subtype':'error',"
       "'className':'TypeError','description':'%s'}}}",
       (long long)(TRACES_T0 + t), line, column, url, url, line, column, more_frames, text);
}

#endif
