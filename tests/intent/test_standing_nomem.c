/* Offering and judging again survive the failure of any one allocation: it is said, and where it is
 * not, the tool stands for the right reason. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domains/unit.h"
#include "intent/intent.h"
#include "support/nomem.h"

#define NOW INT64_C(1767225600000000000) /* 2026-01-01T00:00:00Z */

static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };
static const char request[] =
    "{\"intent\":{\"name\":\"fx.recent\"},\"facts\":[{\"pred\":\"fx_event\",\"args\":[\"e\","
    "\"x\"],\"t\":{\"at\":\"now\"}}]}";

static struct snapshot *snapshot;
static struct store store;
static struct str macro_id; /* in `kept` */
static struct arena kept;

static void offer(struct intent_worker *w)
{
    static const char mark[] = "\"macro_id\":\"";
    struct arena arena;
    struct json payload;
    struct buf out = { 0 };
    struct wire_error e = { .retry_after_ms = -1 };
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, STR_LIT(request), NULL, &payload, NULL) != JSON_OK) {
        mgi_arena_fini(&arena);
        return;
    }
    struct intent_call call = {
        .snapshot = snapshot, .who = &local, .payload = &payload, .clock_ns = NOW, .store = &store
    };
    if (mgi_intent_evaluate(w, &call, &arena, &out, &e) && !macro_id.ptr) {
        const char *id = strstr(out.ptr, mark) + sizeof mark - 1;
        macro_id = mgi_arena_str(&kept, (struct str){ id, strcspn(id, "\"") });
    }
    assert_true(!e.code || e.code == WIRE_INTERNAL_ERROR);
    mgi_buf_fini(&out);
    mgi_arena_fini(&arena);
}

/* True if it was told that memory is short. */
static bool judge(struct intent_worker *w, enum standing *out)
{
    struct arena arena;
    struct macro_entry entry;
    enum macro_found found;
    struct macro m;
    struct intent_call call = {
        .snapshot = snapshot, .who = &local, .clock_ns = NOW + 1, .store = &store
    };
    struct wire_error e = { .retry_after_ms = -1 };
    enum store_status status = STORE_OK;
    bool short_of = true;
    mgi_arena_init(&arena, 0);
    if (!mgi_store_macro_get(&store, mgi_principal_key(&local), macro_id, NOW + 1, &arena, &found,
                             &entry) &&
        found == MACRO_FOUND && mgi_macro_read(&arena, entry.definition, &m))
        short_of = !mgi_intent_stands(w, &call, &arena, &m, out, &status, &e);
    assert_true(!e.code || e.code == WIRE_INTERNAL_ERROR);
    assert_true(status == STORE_OK || status == STORE_NOMEM);
    mgi_arena_fini(&arena);
    return short_of;
}

static void survive(bool (*step)(struct intent_worker *w))
{
    for (size_t n = 1;; n++) {
        struct intent_worker *w = mgi_intent_worker_new();
        nomem_fail_at(n);
        bool whole = step(w);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(whole || failed);
        assert_true(step(w)); /* and the worker is as good as new */
        mgi_intent_worker_free(w);
        if (!failed)
            break;
    }
}

static bool offer_step(struct intent_worker *w)
{
    offer(w);
    return true;
}

static bool judge_step(struct intent_worker *w)
{
    enum standing standing = STANDING_LAPSED;
    if (judge(w, &standing))
        return false;
    assert_int_equal(standing, STANDING_HOLDS);
    return true;
}

static void test_offering_and_judging_survive(void **state)
{
    (void)state;
    mgi_arena_init(&kept, 0);
    snapshot = unit_load(UNIT_FOLDER, NULL);
    assert_non_null(snapshot);
    assert_true(mgi_store_memory(0, &store));
    struct intent_worker *w = mgi_intent_worker_new();
    offer(w);
    mgi_intent_worker_free(w);
    assert_non_null(macro_id.ptr);
    survive(offer_step);
    survive(judge_step);
    mgi_store_close(&store);
    mgi_snapshot_unref(snapshot);
    mgi_arena_fini(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_offering_and_judging_survive) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/standing nomem", tests, NULL, NULL);
}
