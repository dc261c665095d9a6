/* A big domain is loaded, and a bad one judged, in time that grows with its size, not with its
 * square. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"
#include "support/growth.h"

static struct temp_domain domain;

static int make_domain(void **state)
{
    (void)state;
    temp_make(&domain);
    return 0;
}

static int remove_domain(void **state)
{
    (void)state;
    temp_remove(&domain);
    return 0;
}

static void load(const char *path, struct buf *content, size_t findings)
{
    struct buf text = { 0 };
    size_t lines = 0;
    assert_false(content->oom);
    temp_write(&domain, path, content->ptr);
    mgi_snapshot_unref(temp_load(&domain, NULL, false, &text));
    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    assert_int_equal(lines, findings);
    mgi_buf_fini(&text);
    mgi_buf_fini(content);
}

static void head(struct buf *out)
{
    mgi_buf_puts(out, "server: {name: s, version: 1.0.0}\ndomain: {id: d, description: d}\n"
                      "actions: {plugins: [fxunit]}\n");
}

static void load_settings(size_t count)
{
    struct buf text = { 0 };
    head(&text);
    mgi_buf_puts(&text, "settings:\n");
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text, "  s%zu: {type: number, default: %zu}\n", i, i);
    load("domain.yaml", &text, 0);
}

static void load_intents(size_t count)
{
    struct buf text = { 0 };
    head(&text);
    mgi_buf_puts(&text, "intents:\n");
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text, "  - {name: i%zu, description: d}\n", i);
    load("domain.yaml", &text, 0);
}

static void load_unknown_keys(size_t count)
{
    struct buf text = { 0 };
    head(&text);
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text, "what_is_this_%zu: 1\n", i);
    load("domain.yaml", &text, count);
}

static void load_faulty_facts(size_t count)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < count; i++)
        mgi_buf_printf(&text, "{\"pred\":\"nobody_knows\",\"args\":[%zu]}\n", i);
    load("facts/bad.jsonl", &text, count);
}

static void test_settings(void **state)
{
    (void)state;
    assert_near_linear(load_settings, 10000);
}

static void test_intents(void **state)
{
    (void)state;
    assert_near_linear(load_intents, 10000);
}

static void test_unknown_keys(void **state)
{
    (void)state;
    assert_near_linear(load_unknown_keys, 10000);
}

static void test_faulty_facts(void **state)
{
    (void)state;
    assert_near_linear(load_faulty_facts, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_settings, make_domain, remove_domain),
        cmocka_unit_test_setup_teardown(test_intents, make_domain, remove_domain),
        cmocka_unit_test_setup_teardown(test_unknown_keys, make_domain, remove_domain),
        cmocka_unit_test_setup_teardown(test_faulty_facts, make_domain, remove_domain),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("domain/growth", tests, NULL, NULL);
}
