/* A live page in a real browser, for a group of tests; skipped where there is no browser. Include
 * after cmocka.h. */
#ifndef TESTS_BROWSER_LIVE_FIXTURE_H
#define TESTS_BROWSER_LIVE_FIXTURE_H

#include "browser/fake_host.h"
#include "browser/site.h"
#include "../../domains/browser/plugins/browser/live_int.h"

/* A job that a test drives itself. */
struct live_job {
    struct arena arena;
    struct buf error;
    struct job job;
};

static inline struct job *live_job_begin(struct live_job *j)
{
    memset(j, 0, sizeof *j);
    mgi_arena_init(&j->arena, 0);
    j->job = (struct job){ .host = &fake_host, .arena = &j->arena, .error = &j->error };
    return &j->job;
}

static inline void live_job_end(struct live_job *j)
{
    mgi_buf_fini(&j->error);
    mgi_arena_fini(&j->arena);
}

static inline const char *live_error(struct live_job *j)
{
    mgi_buf_append(&j->error, "", 1);
    return j->error.ptr;
}

static inline bool live_has_browser(void)
{
    return system("command -v chromium-headless-shell >/dev/null") == 0;
}

/* The plugin with `page` as its live page. Settings are JSON members, each with a comma before it.
 */
static inline void live_begin(const char *page, const char *settings)
{
    static char text[8192];
    int len = snprintf(text, sizeof text, "{\"page\":\"%s\"%s}", page, settings);
    assert_in_range(len, 1, sizeof text - 1);
    fake_settings = text;
    assert_true(mgi_live_configure(&fake_host));
}

#define NEED_BROWSER()                                                                             \
    do {                                                                                           \
        if (!live_has_browser())                                                                   \
            skip();                                                                                \
    } while (0)

#endif
