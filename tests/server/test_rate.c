/* Windows of rates: callers who were chosen to share a set do not, in a server of another seed. */
#include "server/server_fixture.h"

#define SEED  UINT64_C(0x5eed)
#define LIMIT 3

static struct principal *named(int number)
{
    char name[24];
    snprintf(name, sizeof name, "caller-%d", number);
    struct principal fields = { .kind = PRINCIPAL_KNOWN,
                                .identity = str_of(name),
                                .expires_ns = INT64_MAX };
    struct principal *who = mgi_principal_new(&fields);
    assert_non_null(who);
    return who;
}

static void make(struct server *s, uint64_t seed)
{
    *s = (struct server){ .options.seed = seed };
    s->windows = mgi_calloc(RATE_SETS, sizeof *s->windows);
    assert_non_null(s->windows);
}

/* More callers than ways, who share a set in `s`. */
static void choose(const struct server *s, struct principal *out[RATE_WAYS + 1])
{
    int count = 0;
    for (int i = 0; count <= RATE_WAYS; i++) {
        out[count] = named(i);
        bool same = count == 0 || (mgi_owner_of(s, out[count]) >> 1) % RATE_SETS ==
                                      (mgi_owner_of(s, out[0]) >> 1) % RATE_SETS;
        if (same)
            count++;
        else
            mgi_principal_unref(out[count]);
    }
}

/* All spend what they may, in turn; how many may go on then, because theirs was forgotten. */
static int forgotten(struct server *s, struct principal *const who[RATE_WAYS + 1])
{
    int count = 0;
    int64_t retry_ms;
    for (int n = 0; n < LIMIT; n++)
        for (int i = 0; i <= RATE_WAYS; i++)
            (void)mgi_rate_count(s, who[i], LIMIT, 60000, i + 1, &retry_ms);
    for (int i = 0; i <= RATE_WAYS; i++)
        count += mgi_rate_count(s, who[i], LIMIT, 60000, i + 1, &retry_ms);
    return count;
}

static void test_who_shares_a_window_cannot_be_foreseen(void **state)
{
    (void)state;
    struct server foreseen, other;
    struct principal *who[RATE_WAYS + 1];
    make(&foreseen, 0);
    make(&other, SEED);
    choose(&foreseen, who);
    assert_true(forgotten(&foreseen, who) > 0);
    assert_int_equal(forgotten(&other, who), 0);
    for (int i = 0; i <= RATE_WAYS; i++)
        mgi_principal_unref(who[i]);
    mgi_rate_free(&foreseen);
    mgi_rate_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_shares_a_window_cannot_be_foreseen),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("server/rate", tests, NULL, NULL);
}
