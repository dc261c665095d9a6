/* The rules of a domain know the time zones of the system (M-FUN-70). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"

static void test_rules_of_a_domain_know_time_zones(void **state)
{
    (void)state;
    if (access(MANGLE_ZONE_FOLDER "/America/New_York", R_OK) != 0)
        skip();
    struct temp_domain d;
    struct buf text = { 0 };
    temp_make(&d);
    temp_write(&d, "rules/domain/zone.mg",
               "local(S) :- S = fn:time:format_civil(fn:time:from_unix_nanos(0),"
               " \"America/New_York\", /minute).\n");
    struct snapshot *s = temp_load(&d, NULL, false, &text);
    temp_remove(&d);
    if (!s)
        fail_msg("%s", text.ptr ? text.ptr : "not loaded");
    mangle_overlay *overlay;
    const struct mangle_fact *facts;
    size_t count;
    assert_int_equal(mangle_overlay_new(s->base, &overlay), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(overlay, 0, NULL, NULL, NULL), MANGLE_OK);
    mangle_pred local = mangle_pred_find(s->program, "local", 1);
    assert_int_equal(mangle_overlay_facts(overlay, local, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 1);
    size_t len;
    const char *time = mangle_text_of(mangle_overlay_values(overlay), facts[0].args[0], &len);
    assert_int_equal(len, 22);
    assert_memory_equal(time, "1969-12-31T19:00-05:00", len);
    mangle_overlay_free(overlay);
    mgi_snapshot_unref(s);
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_of_a_domain_know_time_zones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
