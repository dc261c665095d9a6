/* How fast JSON is read and written: facts as a client sends them, many of them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/time.h"
#include "sys/clock.h"

#define ROUNDS 40
#define FACTS  20000

static void write_fact(struct json_writer *w, int i)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "predicate", "net_request");
    mgi_jw_key(w, "args");
    mgi_jw_begin_array(w);
    mgi_jw_cstring(w, "https://example.org/api/v1/users/profile?id=12345");
    mgi_jw_int(w, INT64_C(1708353000000) + i);
    mgi_jw_float(w, i / 8.0);
    mgi_jw_bool(w, true);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

static void write_facts(struct buf *text)
{
    struct json_writer w;
    mgi_buf_clear(text);
    mgi_json_writer_init(&w, text, 0);
    mgi_jw_begin_array(&w);
    for (int i = 0; i < FACTS; i++)
        write_fact(&w, i);
    mgi_jw_end_array(&w);
}

static bool read_dom(struct arena *arena, struct str text)
{
    struct json v;
    bool ok = mgi_json_parse(arena, text, NULL, &v, NULL) == JSON_OK;
    mgi_arena_reset(arena);
    return ok;
}

static bool read_events(struct str text)
{
    struct json_reader r;
    mgi_json_reader_init(&r, text, 0);
    enum json_event event;
    do
        event = mgi_json_reader_next(&r);
    while (event != JSON_EV_END && event != JSON_EV_ERROR);
    return event == JSON_EV_END;
}

/* The best round tells what the code can do; the others what else the machine did. */
static void keep_best(int64_t *best, int64_t begun)
{
    int64_t took = mgi_clock_mono_ns() - begun;
    if (took < *best)
        *best = took;
}

static void print_speed(const char *name, size_t bytes, int64_t ns)
{
    printf("json %s: %.0f MB/s\n", name, (double)bytes * 1000 / (double)ns);
}

int main(void)
{
    struct buf text = { 0 };
    struct arena arena;
    int64_t write = INT64_MAX, dom = INT64_MAX, events = INT64_MAX;
    mgi_arena_init(&arena, 0);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begun = mgi_clock_mono_ns();
        write_facts(&text);
        keep_best(&write, begun);

        begun = mgi_clock_mono_ns();
        if (text.oom || !read_dom(&arena, mgi_buf_view(&text)))
            return EXIT_FAILURE;
        keep_best(&dom, begun);

        begun = mgi_clock_mono_ns();
        if (!read_events(mgi_buf_view(&text)))
            return EXIT_FAILURE;
        keep_best(&events, begun);
    }
    print_speed("writer", text.len, write);
    print_speed("DOM", text.len, dom);
    print_speed("pull reader", text.len, events);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&text);
    return EXIT_SUCCESS;
}
