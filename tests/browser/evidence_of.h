/* Evidence of a trace that is written by hand. Include after plugin_fixture.h and facts.h. */
#ifndef TESTS_BROWSER_EVIDENCE_OF_H
#define TESTS_BROWSER_EVIDENCE_OF_H

/* The facts of a trace's text, which is freed. */
static inline struct json facts_of(struct buf *text)
{
    struct buf error = { 0 }, out = { 0 };
    struct problems problems = { .text = &error };
    struct job job = { .arena = &arena, .error = &error };
    int64_t written, lost;
    struct str kept = mgi_arena_str(&arena, mgi_buf_view(text));
    mgi_buf_fini(text);
    if (!mgi_page_read(&job, &problems, kept))
        fail_msg("%.*s", (int)error.len, error.ptr);
    assert_true(mgi_evidence_write(&job, &out, EVIDENCE_MOST, &written, &lost));
    struct json all = parse(&out);
    mgi_buf_fini(&out);
    mgi_buf_fini(&error);
    return *mgi_json_get(&all, "facts");
}

#endif
