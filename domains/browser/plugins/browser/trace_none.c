/* Stands in for trace.c until there is one: keeps nothing. */
#include "base/alloc.h"
#include "trace.h"

#define WEAK __attribute__((weak))

struct trace {
    size_t most_bytes;
};

WEAK struct trace *mgi_trace_new(size_t most_bytes)
{
    struct trace *trace = mgi_calloc(1, sizeof *trace);
    if (trace)
        trace->most_bytes = most_bytes;
    return trace;
}

WEAK void mgi_trace_free(struct trace *trace)
{
    mgi_free(trace);
}

WEAK bool mgi_trace_add(struct trace *trace, double t_ms, struct str target, struct str method,
                        const struct json *params)
{
    (void)trace, (void)t_ms, (void)target, (void)method, (void)params;
    return true;
}

WEAK void mgi_trace_clear(struct trace *trace)
{
    (void)trace;
}

WEAK bool mgi_trace_write(struct trace *trace, struct buf *out)
{
    (void)trace, (void)out;
    return true;
}
