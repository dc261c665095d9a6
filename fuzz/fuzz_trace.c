/* Any bytes as events.jsonl: once as a recording, once through a trace, and evidence of both. They
 * must not crash, hang or leak; a trace keeps its bound, and what it writes is read.
 *
 * Input: one byte for the bound, the lines. */
#include <assert.h>
#include <stdint.h>

#include "../domains/browser/plugins/browser/facts.h"
#include "../tests/browser/fake_host.h"
#include "../tests/browser/traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Is it a trace without fault? */
static bool read_text(struct str text)
{
    struct arena arena;
    struct buf error = { 0 }, out = { 0 };
    int64_t written = 0, lost = 0;
    mgi_arena_init(&arena, (size_t)256 * 1024 * 1024);
    struct job job = { .arena = &arena, .error = &error };
    struct problems problems = { .text = &error };
    /* The reader mends in place, so it gets a copy. */
    bool ok = mgi_page_read(&job, &problems, mgi_arena_str(&arena, text));
    if (ok && mgi_evidence_write(&job, &out, EVIDENCE_MOST, &written, &lost))
        assert(written <= EVIDENCE_MOST);
    ok = ok || arena.oom;
    mgi_buf_fini(&out);
    mgi_buf_fini(&error);
    mgi_arena_fini(&arena);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len < 1)
        return 0;
    struct str text = { (const char *)bytes + 1, len - 1 };
    struct arena scratch;
    struct buf out = { 0 };
    size_t most = 200 + (size_t)bytes[0] * 64;
    read_text(text);
    mgi_arena_init(&scratch, (size_t)256 * 1024 * 1024);
    traces_pass(&scratch, text, most, &out);
    assert(out.len <= most + 512 * 150 + 400); /* the counts of lines that came again, the losses */
    bool good = read_text(mgi_buf_view(&out));
    assert(good);
    (void)good;
    mgi_buf_fini(&out);
    mgi_arena_fini(&scratch);
    return 0;
}
