/* The plugin and an arena for the whole of a group of tests. Include after cmocka.h. */
#ifndef TESTS_BROWSER_PLUGIN_FIXTURE_H
#define TESTS_BROWSER_PLUGIN_FIXTURE_H

#include "browser/fake_host.h"

static struct arena arena;

static int begin(void **state)
{
    (void)state;
    plugin_load();
    mgi_arena_init(&arena, 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    mgi_arena_fini(&arena);
    plugin_unload();
    return 0;
}

/* The text as JSON in the arena. */
static inline struct json parse(const struct buf *text)
{
    struct json v = { 0 };
    struct str kept = mgi_arena_str(&arena, mgi_buf_view(text));
    assert_int_equal(mgi_json_parse(&arena, kept, NULL, &v, NULL), JSON_OK);
    return v;
}

#endif
