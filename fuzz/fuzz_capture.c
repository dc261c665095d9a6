/* Any bytes as a capture: readers and actions must not crash, hang or leak.
 *
 * Input: one byte that chooses the action, the HAR, a zero byte, the console lines. Files are left
 * out, so that a run is fast; the actions that ask for optional files find none. */
#include <stdint.h>

#include "../tests/browser/fake_host.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Those that look at a recording. */
static const struct browser_actions *const lists[] = {
    &mgi_capture_actions, &mgi_console_actions, &mgi_network_actions, &mgi_impact_actions,
    &mgi_page_actions,    &mgi_plan_actions,    &mgi_gather_actions,
};

static const struct browser_action *choose(uint8_t byte)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        count += lists[i]->count;
    size_t index = byte % count;
    for (size_t i = 0;; i++) {
        if (index < lists[i]->count)
            return &lists[i]->actions[index];
        index -= lists[i]->count;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const char empty[] = "{\"limit\":200,\"request_id\":\"r1\",\"url\":\"http://h/\"}";
    if (len < 1)
        return 0;
    struct arena arena;
    struct buf error, answer;
    struct json input;
    struct th_call call = { 0 };
    mgi_arena_init(&arena, (size_t)256 * 1024 * 1024);
    mgi_buf_init(&error);
    mgi_buf_init(&answer);
    struct job job = { .host = &fake_host, .call = &call, .arena = &arena, .error = &error };
    job.capture.dir = "/nowhere";
    mgi_json_parse(&arena, STR_LIT(empty), NULL, &input, NULL);
    job.input = &input;

    /* The readers mend in place, so they get a copy. */
    struct str text = mgi_arena_str(&arena, (struct str){ (const char *)bytes + 1, len - 1 });
    const char *zero = text.len > 0 ? memchr(text.ptr, '\0', text.len) : NULL;
    size_t har = zero ? (size_t)(zero - text.ptr) : text.len;
    size_t rest = zero ? har + 1 : har;
    struct problems problems = { .text = &error };
    mgi_har_read(&job, &problems, (struct str){ text.ptr, har });
    mgi_console_read(&job, &problems, (struct str){ text.ptr + rest, text.len - rest });

    mgi_buf_clear(&error);
    mgi_json_writer_init(&job.out, &answer, 0);
    mgi_jw_begin_object(&job.out);
    choose(bytes[0])->run(&job);

    mgi_buf_fini(&job.delta);
    mgi_buf_fini(&job.evidence);
    mgi_buf_fini(&error);
    mgi_buf_fini(&answer);
    mgi_arena_fini(&arena);
    return 0;
}
