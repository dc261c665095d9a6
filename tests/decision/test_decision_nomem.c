/* Memory runs out at each allocation in turn: sinks and logs are made or not, a line is written or
 * counted as lost, a record is whole or says that it is not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "decision/log.h"
#include "decision/record.h"
#include "domain/temp_domain.h"
#include "support/nomem.h"

static struct snapshot *domain;

static void sinks_and_logs_are_made_or_leave_nothing(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct decision_sink sink;
        char why[SINK_WHY_BYTES];
        nomem_fail_at(n);
        struct decision_log *d = NULL;
        bool opened = mgi_decision_sink_file("/dev/null", 0, 1, &sink, why);
        if (opened) {
            struct decision_log_options o = { .sink = sink, .run = "r" };
            d = mgi_decision_log_new(&o); /* takes the sink, whatever comes of it */
        } else {
            assert_string_equal(why, "out of memory");
        }
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(d != NULL, !failed);
        mgi_decision_log_free(d, 1000);
        if (!failed)
            return;
    }
}

static void a_line_is_kept_or_counted(void **state)
{
    struct decision_sink sink;
    struct decision_log_state counts;
    char why[SINK_WHY_BYTES];
    uint64_t put = 0;
    (void)state;
    assert_true(mgi_decision_sink_file("/dev/null", 0, 1, &sink, why));
    struct decision_log_options o = { .sink = sink, .run = "r" };
    struct decision_log *d = mgi_decision_log_new(&o);
    for (bool failed = true; failed;) {
        struct buf line = { 0 };
        nomem_fail_at(put + 1);
        mgi_buf_puts(&line, "a line\n");
        bool kept = mgi_decision_log_put(d, &line);
        failed = nomem_failed();
        nomem_fail_at(0);
        put++;
        assert_int_equal(kept, !failed);
        mgi_buf_fini(&line);
    }
    do
        mgi_decision_log_state(d, &counts);
    while (counts.written == 0);
    assert_int_equal(counts.written + counts.lost, put);
    mgi_decision_log_free(d, 1000);
}

static const char payload[] =
    "{\"intent\":{\"name\":\"go\",\"params\":{\"p\":\"secret-in-params\"}},"
    "\"facts\":[{\"pred\":\"seen\",\"args\":[\"secret \\\"in\\\" facts\"]},"
    "{\"pred\":\"what\",\"args\":[1]}],\"other\":[2]}";

static void write_record(struct arena *arena, const struct json *asked, struct buf *out,
                         bool digest)
{
    static const struct str permissions[] = { { "intent:*", 8 } };
    const struct principal who = { .kind = PRINCIPAL_KNOWN,
                                   .identity = { "ann", 3 },
                                   .permissions = permissions,
                                   .permission_count = 1 };
    const struct decision_head head = { .kind = DECISION_INTENT,
                                        .id = "r-1",
                                        .at_ns = 1,
                                        .request = { "7", 1 },
                                        .transport = "http",
                                        .who = &who,
                                        .subject = { "go", 2 } };
    const struct wire_error e = { .code = WIRE_INVALID_FACTS,
                                  .message = "secret-in-params is bad",
                                  .details = STR_LIT("{\"m\":\"secret-in-params\"}") };
    const struct decision_tail tail = { .total_ns = 1 };
    struct json_writer w;
    struct mask m;
    mgi_json_writer_init(&w, out, 0);
    mgi_mask_init(&m, domain, arena, STR_LIT("key"));
    mgi_decision_begin(&w, &m, &head);
    mgi_decision_intent(&w, &m, asked, digest);
    mgi_decision_error(&w, &m, NULL, &e);
    mgi_decision_end(&w, &m, &tail);
    mgi_mask_fini(&m);
}

/* Whatever fails: what is hidden stays hidden, and what is there is JSON or says that it is not. */
static void a_record_hides_its_secrets_whatever_fails(void **state)
{
    (void)state;
    for (int digest = 0; digest < 2; digest++)
        for (size_t n = 1;; n++) {
            struct arena arena;
            struct buf line = { 0 };
            struct decision d;
            const char *why = NULL;
            struct json asked;
            mgi_arena_init(&arena, 0);
            assert_int_equal(mgi_json_parse(&arena, str_of(payload), NULL, &asked, NULL), JSON_OK);
            nomem_fail_at(n);
            write_record(&arena, &asked, &line, digest);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            assert_true(line.oom || !strstr(line.ptr, "secret"));
            if (!failed) {
                line.len--;
                assert_true(mgi_decision_read(&arena, mgi_buf_view(&line), &d, &why));
                assert_true(str_is(d.code, "invalid_facts"));
                assert_int_equal(d.has_facts, !digest);
            }
            mgi_buf_fini(&line);
            mgi_arena_fini(&arena);
            if (!failed)
                break;
        }
}

static void a_line_is_read_or_memory_is_short(void **state)
{
    struct arena arena;
    struct buf line = { 0 };
    (void)state;
    struct json asked;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, str_of(payload), NULL, &asked, NULL), JSON_OK);
    write_record(&arena, &asked, &line, false);
    line.len--;
    for (size_t n = 1;; n++) {
        struct arena own;
        struct decision d;
        const char *why = NULL;
        mgi_arena_init(&own, 0);
        nomem_fail_at(n);
        bool ok = mgi_decision_read(&own, mgi_buf_view(&line), &d, &why);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(ok, !failed);
        if (failed)
            assert_string_equal(why, "memory ran out");
        mgi_arena_fini(&own);
        if (!failed)
            break;
    }
    mgi_buf_fini(&line);
    mgi_arena_fini(&arena);
}

static int load(void **state)
{
    struct temp_domain t;
    struct buf text = { 0 };
    (void)state;
    temp_make(&t);
    temp_write(&t, "domain.yaml",
               "server: {name: s, version: 1.0.0}\n"
               "domain: {id: d, description: d}\n"
               "intents: [{name: go, description: g, required_facts: [seen]}]\n"
               "actions: {plugins: [fxunit]}\n"
               "masking: {facts: {seen: hash}, params: {p: replace}}\n");
    domain = temp_load(&t, NULL, false, &text);
    temp_remove(&t);
    mgi_buf_fini(&text);
    return domain ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    mgi_snapshot_unref(domain);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinks_and_logs_are_made_or_leave_nothing),
        cmocka_unit_test(a_line_is_kept_or_counted),
        cmocka_unit_test(a_record_hides_its_secrets_whatever_fails),
        cmocka_unit_test(a_line_is_read_or_memory_is_short),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
