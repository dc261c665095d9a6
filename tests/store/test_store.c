/* Every backend of the store: whose records are whose, how long they last, what goes first; and,
 * for a file, what a restart, a second process, a foreign file and a full disk do. */
#include "store/store_suite.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- definitions ----------------------------------------------------------------------------- */

static void test_a_definition_belongs_to_its_principal(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_true(put(s, "ann", "t-1", "one", 0, SECONDS(300)));
    assert_int_equal(get(s, "ann", "t-1", 1, "one"), MACRO_FOUND);
    assert_int_equal(get(s, "bob", "t-1", 1, ""), MACRO_NOT_FOUND); /* D-42, D-57 */
    assert_int_equal(get(s, "annt", "-1", 1, ""), MACRO_NOT_FOUND);
    assert_int_equal(get(s, "ann", "t-2", 1, ""), MACRO_NOT_FOUND);
    close_backend(*state);
}

static void test_after_its_time_a_marker_remains_and_then_nothing(void **state)
{
    struct store *s = open_backend(*state, 0);
    put(s, "ann", "t-1", "one", 0, SECONDS(300));
    assert_int_equal(get(s, "ann", "t-1", SECONDS(300), "one"), MACRO_FOUND); /* P-CACHE-2 */
    assert_int_equal(get(s, "ann", "t-1", SECONDS(300) + 1, ""), MACRO_EXPIRED);
    put(s, "ann", "t-2", "two", SECONDS(450), SECONDS(500)); /* sweeps */
    assert_int_equal(get(s, "ann", "t-1", SECONDS(600), ""), MACRO_EXPIRED);
    assert_int_equal(get(s, "ann", "t-1", SECONDS(600) + 1, ""), MACRO_NOT_FOUND); /* D-42 */
    close_backend(*state);
}

static void test_putting_again_refreshes(void **state)
{
    struct store *s = open_backend(*state, 0);
    put(s, "ann", "t-1", "one", 0, SECONDS(300));
    put(s, "ann", "t-1", "newer", SECONDS(10), SECONDS(900));
    assert_int_equal(get(s, "ann", "t-1", SECONDS(700), "newer"), MACRO_FOUND); /* D-42 */
    put(s, "ann", "t-1", "", SECONDS(10), SECONDS(900));
    assert_int_equal(get(s, "ann", "t-1", SECONDS(700), ""), MACRO_FOUND);
    close_backend(*state);
}

static void test_what_is_put_beside_another_joins_it_and_shortens_nothing(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_int_equal(put_beside(s, "ann", "t", "one", 0, SECONDS(300)), STORE_OK);
    assert_int_equal(put_beside(s, "ann", "t", "two", 1, SECONDS(10)), STORE_OK);
    assert_int_equal(get(s, "ann", "t", SECONDS(299), "one+two"), MACRO_FOUND);
    assert_int_equal(put_beside(s, "eve", "t", "three", 2, SECONDS(300)), STORE_OK);
    assert_int_equal(get(s, "eve", "t", 3, "three"), MACRO_FOUND); /* nothing of another's */
    assert_int_equal(put_beside(s, "ann", "t", "four", SECONDS(301), SECONDS(400)), STORE_OK);
    assert_int_equal(get(s, "ann", "t", SECONDS(302), "four"),
                     MACRO_FOUND); /* nor of what is over */
    close_backend(*state);
}

static void test_bytes_of_any_kind_come_back(void **state)
{
    struct store *s = open_backend(*state, 0);
    static const char odd[] = "a\0b'\";--\xff\xfe";
    struct str text = { odd, sizeof odd - 1 };
    struct macro_entry e = { text, 5, INT64_MAX, NULL }, got;
    struct arena a;
    enum macro_found found;
    mgi_arena_init(&a, 0);
    assert_int_equal(mgi_store_macro_put(s, text, text, &e, 0, INT64_MAX), STORE_OK);
    assert_int_equal(mgi_store_macro_get(s, text, text, INT64_MAX, &a, &found, &got), STORE_OK);
    assert_int_equal(found, MACRO_FOUND);
    assert_true(str_eq(got.definition, text));
    assert_true(got.not_before_ns == 5 && got.expires_ns == INT64_MAX);
    mgi_arena_fini(&a);
    close_backend(*state);
}

static void test_a_definition_is_kept_as_long_as_was_promised(void **state)
{
    struct store *s = open_backend(*state, 0);
    struct macro_entry e = { STR_LIT("text"), INT64_MIN, INT64_MAX, NULL };
    mgi_store_macro_put(s, STR_LIT("ann"), STR_LIT("t"), &e, 0, SECONDS(900));
    mgi_store_macro_put(s, STR_LIT("ann"), STR_LIT("t"), &e, 1, SECONDS(300));
    assert_int_equal(get(s, "ann", "t", SECONDS(900), "text"), MACRO_FOUND);
    assert_int_equal(get(s, "ann", "t", SECONDS(901), ""), MACRO_EXPIRED);
    close_backend(*state);
}

/* ---- nonces ---------------------------------------------------------------------------------- */

static void test_a_nonce_is_spent_once(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_true(spend(s, "n1", 0, SECONDS(300)));
    assert_false(spend(s, "n1", 1, SECONDS(300))); /* D-46 */
    assert_false(spend(s, "n1", SECONDS(300), SECONDS(300)));
    assert_true(spend(s, "n1", SECONDS(400), SECONDS(700)));
    assert_false(spend(s, "n1", SECONDS(500), SECONDS(700)));
    close_backend(*state);
}

static void test_a_clock_that_goes_forward_and_back_makes_no_nonce_new(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_true(spend(s, "n1", 0, SECONDS(300)));
    put(s, "ann", "t", "text", SECONDS(9000), SECONDS(9001)); /* sweeps */
    assert_false(spend(s, "n1", 1, SECONDS(300)));            /* D-46 */
    assert_false(spend(s, "n1", 1, SECONDS(300)));
    assert_false(spend(s, "n0", 1, SECONDS(300)));    /* as old as what was forgotten */
    assert_true(spend(s, "n2", 1, SECONDS(300) + 1)); /* newer: it cannot have been spent */
    assert_false(spend(s, "n2", SECONDS(9000), SECONDS(300) + 1)); /* nor when it is over */
    assert_false(spend(s, "n2", 2, SECONDS(300) + 1));
    close_backend(*state);
}

/* A time that was far ahead once does not keep what is over from going. */
static void test_a_clock_that_went_far_ahead_stops_no_sweep(void **state)
{
    struct store *s = open_backend(*state, 0);
    put(s, "ann", "t", "text", SECONDS(1000000), SECONDS(1000001));
    for (int i = 0; i < 300; i++) {
        char id[20];
        snprintf(id, sizeof id, "n-%d", i);
        assert_true(spend(s, id, SECONDS(1), SECONDS(2)));
    }
    size_t full = mgi_store_bytes(s);
    put(s, "ann", "last", "text", SECONDS(1000), SECONDS(2000)); /* sweeps */
    for (int i = 0; i < 300; i++) {
        char id[20];
        snprintf(id, sizeof id, "m-%d", i);
        assert_true(spend(s, id, SECONDS(1000), SECONDS(1001)));
    }
    assert_true(mgi_store_bytes(s) <= full + 4 * 4096);
    close_backend(*state);
}

static void test_what_is_over_takes_no_room(void **state)
{
    struct store *s = open_backend(*state, 0);
    for (int i = 0; i < 300; i++) {
        char id[20];
        snprintf(id, sizeof id, "t-%d", i);
        put(s, "ann", id, "text", 0, SECONDS(1));
        spend(s, id, 0, SECONDS(1));
        begin(s, "ann", id, "f", 0, "");
        end(s, "ann", id, "outcome", 0);
    }
    size_t full = mgi_store_bytes(s);
    put(s, "ann", "last", "text", SECONDS(1000), SECONDS(2000)); /* sweeps */
    for (int i = 0; i < 300; i++) {                              /* the same room again */
        char id[20];
        snprintf(id, sizeof id, "u-%d", i);
        put(s, "ann", id, "text", SECONDS(1000), SECONDS(1001));
        spend(s, id, SECONDS(1000), SECONDS(1001));
    }
    assert_true(mgi_store_bytes(s) <= full + 4 * 4096);
    close_backend(*state);
}

/* ---- outcomes -------------------------------------------------------------------------------- */

static void test_an_outcome_is_given_again_and_nothing_else(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_int_equal(begin(s, "ann", "k", "f1", 0, ""), ONCE_FRESH);
    assert_int_equal(begin(s, "ann", "k", "f1", 1, ""), ONCE_RUNNING);
    assert_int_equal(begin(s, "ann", "k", "f2", 1, ""), ONCE_OTHER);
    assert_int_equal(begin(s, "bob", "k", "f1", 1, ""), ONCE_FRESH); /* another principal's key */
    assert_true(end(s, "ann", "k", "done", 2));
    assert_int_equal(begin(s, "ann", "k", "f1", 3, "done"), ONCE_ENDED);
    assert_int_equal(begin(s, "ann", "k", "f2", 3, ""), ONCE_OTHER);
    assert_int_equal(begin(s, "ann", "k", "f1", 2 + STORE_ONCE_NS, "done"), ONCE_ENDED);
    assert_int_equal(begin(s, "ann", "k", "f1", 3 + STORE_ONCE_NS, ""), ONCE_FRESH);
    close_backend(*state);
}

/* Definitions and nonces are told the time of another clock, which may jump. */
static void test_no_other_clock_forgets_an_outcome(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_int_equal(begin(s, "ann", "k", "f", 1, ""), ONCE_FRESH);
    assert_true(end(s, "ann", "k", "done", 2));
    for (int i = 0; i < 2; i++) {
        put(s, "ann", "t", "text", SECONDS(i ? 1 : 90000), SECONDS(i ? 2 : 90001)); /* sweeps */
        spend(s, i ? "n1" : "n0", SECONDS(i ? 1 : 90000), SECONDS(i ? 2 : 90001));
        assert_int_equal(begin(s, "ann", "k", "f", 3, "done"), ONCE_ENDED);
    }
    assert_int_equal(begin(s, "ann", "k", "f", 3 + STORE_ONCE_NS, ""), ONCE_FRESH);
    close_backend(*state);
}

static void test_who_only_asks_begins_nothing(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_int_equal(find(s, "ann", "k", "f1", 0, ""), ONCE_FRESH);
    assert_int_equal(find(s, "ann", "k", "f1", 0, ""), ONCE_FRESH);
    assert_int_equal(begin(s, "ann", "k", "f1", 0, ""), ONCE_FRESH);
    assert_int_equal(find(s, "ann", "k", "f1", 1, ""), ONCE_RUNNING);
    assert_int_equal(find(s, "ann", "k", "f2", 1, ""), ONCE_OTHER);
    assert_int_equal(find(s, "bob", "k", "f1", 1, ""), ONCE_FRESH);
    assert_true(end(s, "ann", "k", "done", 2));
    assert_int_equal(find(s, "ann", "k", "f1", 2 + STORE_ONCE_NS, "done"), ONCE_ENDED);
    assert_int_equal(find(s, "ann", "k", "f1", 3 + STORE_ONCE_NS, ""), ONCE_FRESH);
    assert_int_equal(begin(s, "ann", "k", "f2", 3 + STORE_ONCE_NS, ""), ONCE_FRESH);
    close_backend(*state);
}

static void test_what_was_begun_waits_for_its_end_however_long(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_int_equal(begin(s, "ann", "k", "f1", 0, ""), ONCE_FRESH);
    put(s, "ann", "t", "text", SECONDS(100000), SECONDS(100001)); /* sweeps */
    assert_int_equal(begin(s, "ann", "k", "f1", SECONDS(100000), ""), ONCE_RUNNING);
    close_backend(*state);
}

static void test_a_forgotten_key_is_free(void **state)
{
    struct store *s = open_backend(*state, 0);
    assert_int_equal(begin(s, "ann", "k", "f1", 0, ""), ONCE_FRESH);
    forget(s, "ann", "k");
    forget(s, "ann", "k"); /* nothing to forget is fine */
    assert_int_equal(begin(s, "ann", "k", "f2", 1, ""), ONCE_FRESH);
    close_backend(*state);
}

/* ---- room ------------------------------------------------------------------------------------ */

static void test_definitions_make_room_and_nonces_do_not(void **state)
{
    struct store *s = open_backend(*state, 400 * 1024);
    static char text[1001];
    char id[20];
    memset(text, 'x', 1000);
    assert_true(spend(s, "n1", 0, SECONDS(300)));
    assert_int_equal(begin(s, "ann", "k", "f", 0, ""), ONCE_FRESH);
    assert_true(end(s, "ann", "k", "outcome", 0));
    for (int i = 0; i < 1500; i++) {
        snprintf(id, sizeof id, "t-%d", i);
        assert_true(put(s, "ann", id, text, 0, SECONDS(300 + i)));
    }
    assert_true(mgi_store_bytes(s) <= 400 * 1024); /* P-CACHE-4 */
    assert_int_equal(get(s, "ann", "t-0", 1, text), MACRO_NOT_FOUND);
    assert_int_equal(get(s, "ann", "t-1499", 1, text), MACRO_FOUND);
    assert_false(spend(s, "n1", 1, SECONDS(300)));
    assert_int_equal(begin(s, "ann", "k", "f", 1, "outcome"), ONCE_ENDED);
    close_backend(*state);
}

#define ROOM  ((size_t)512 * 1024)
#define EMPTY ((size_t)96 * 1024) /* a file has that much beside its rows */

/* Fills: definitions of a kilobyte each, of so many principals in turn. */
static void flood(const struct store *s, const char *name, int principals, int count)
{
    static char text[1001];
    memset(text, 'x', 1000);
    for (int i = 0; i < count; i++) {
        char who[20], id[20];
        snprintf(who, sizeof who, "%s%d", name, i % principals);
        snprintf(id, sizeof id, "t-%d", i);
        assert_true(put(s, who, id, text, 0, SECONDS(300)));
    }
}

static void test_a_flood_of_one_principal_evicts_only_its_own(void **state)
{
    struct store *s = open_backend(*state, ROOM);
    assert_true(put(s, "idle", "t", "mine", 0, SECONDS(200))); /* kept least long, used never */
    flood(s, "loud", 1, 3000);
    assert_int_equal(get(s, "idle", "t", 1, "mine"), MACRO_FOUND);
    assert_int_equal(get(s, "loud0", "t-0", 1, ""), MACRO_NOT_FOUND);
    assert_true(mgi_store_bytes(s) <= ROOM);
    close_backend(*state);
}

static void test_among_many_principals_those_who_have_most_give_way(void **state)
{
    struct store *s = open_backend(*state, ROOM);
    assert_true(put(s, "idle", "t", "mine", 0, SECONDS(200)));
    flood(s, "loud", 20, 3000);
    assert_int_equal(get(s, "idle", "t", 1, "mine"), MACRO_FOUND);
    assert_true(mgi_store_bytes(s) <= ROOM);
    close_backend(*state);
}

static void test_one_principal_has_a_share_of_the_room(void **state)
{
    struct store *s = open_backend(*state, ROOM);
    flood(s, "loud", 1, 100);
    size_t some = mgi_store_bytes(s);
    flood(s, "loud", 1, 400);
    assert_true(mgi_store_bytes(s) <= some + ROOM / STORE_SHARE + 64 * 1024);
    int found = 0;
    for (int i = 0; i < 400; i++) {
        static char text[1001];
        char id[20];
        memset(text, 'x', 1000);
        snprintf(id, sizeof id, "t-%d", i);
        found += get(s, "loud0", id, 1, text) == MACRO_FOUND;
    }
    assert_in_range(found, 60, ROOM / STORE_SHARE / 1000);
    close_backend(*state);
}

static enum store_status begin_one(const struct store *s, const char *who, int number, int64_t now)
{
    struct arena arena;
    enum once_state state = ONCE_FRESH;
    struct str outcome;
    char key[20];
    snprintf(key, sizeof key, "k-%d", number);
    mgi_arena_init(&arena, 0);
    enum store_status status = mgi_store_once_begin(s, str_of(who), str_of(key), STR_LIT("f"),
                                                    STR_LIT(""), now, &arena, &state, &outcome);
    assert_true(status || state == ONCE_FRESH);
    mgi_arena_fini(&arena);
    return status;
}

/* Runs under new keys, with outcomes of `bytes`, until the store takes no more; how often. */
static int run_until_full_of(const struct store *s, const char *who, size_t bytes)
{
    static char text[16 * 1024];
    int count = 0;
    assert_true(bytes < sizeof text);
    memset(text, 'x', bytes);
    text[bytes] = '\0';
    while (begin_one(s, who, count, 0) == STORE_OK) {
        char key[20];
        snprintf(key, sizeof key, "k-%d", count++);
        assert_in_range(count, 1, ROOM / 100);
        (void)mgi_store_once_end(s, str_of(who), str_of(key), str_of(text), 0);
    }
    assert_int_equal(begin_one(s, who, count, 0), STORE_FULL);
    return count;
}

static int run_until_full(const struct store *s, const char *who)
{
    return run_until_full_of(s, who, 1000);
}

static void test_outcomes_of_any_size_keep_to_their_room(void **state)
{
    static const size_t sizes[] = { 1, 500, 1200, 1400, 2100, 4100, 9000 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct store *s = open_backend(*state, ROOM);
        for (int k = 0; k < 2 * STORE_SHARE; k++) {
            char who[20];
            snprintf(who, sizeof who, "loud%d", k);
            (void)run_until_full_of(s, who, sizes[i]);
        }
        assert_in_range(mgi_store_bytes(s), ROOM / 8, ROOM / STORE_OUTCOMES + EMPTY);
        close_backend(*state);
    }
}

static void test_outcomes_leave_room_for_others(void **state)
{
    struct store *s = open_backend(*state, ROOM);
    char text[1001] = "";
    assert_true(put(s, "ann", "t", "text", 0, SECONDS(3600)));
    int one = run_until_full(s, "loud\x1fone");
    assert_in_range(one, 10, ROOM / STORE_OUTCOMES / STORE_SHARE / 1000 + 1);
    assert_int_equal(begin_one(s, "loud\x1ftwo", 0, 0), STORE_FULL); /* the same caller */
    for (int i = 0; i < 8; i++) {
        char who[20];
        snprintf(who, sizeof who, "other%d", i);
        if (i < STORE_SHARE - 1)
            assert_in_range(run_until_full(s, who), 10, one + 1);
        else
            assert_in_range(run_until_full(s, who), 0, 20); /* of all, the half is taken */
    }
    assert_true(mgi_store_bytes(s) <= ROOM / STORE_OUTCOMES + EMPTY);
    assert_int_equal(get(s, "ann", "t", 1, "text"), MACRO_FOUND);
    assert_true(spend(s, "n", 1, SECONDS(300)));
    memset(text, 'x', sizeof text - 1);
    assert_int_equal(begin(s, "loud\x1fone", "k-0", "f", 1, text), ONCE_ENDED);
    assert_int_equal(begin_one(s, "loud\x1fone", 0, SECONDS(1000)), STORE_OK); /* they are over */
    close_backend(*state);
}

static void test_principals_of_one_caller_have_one_share(void **state)
{
    struct store *s = open_backend(*state, ROOM);
    flood(s, "loud\x1f", 100, 1000);
    assert_true(mgi_store_bytes(s) <= ROOM / STORE_SHARE + EMPTY);
    close_backend(*state);
}

static void test_an_outcome_without_room_is_never_a_second_run(void **state)
{
    struct store *s = open_backend(*state, 400 * 1024);
    struct str large = { calloc(1, 600 * 1024), 600 * 1024 };
    assert_non_null(large.ptr);
    assert_int_equal(begin(s, "ann", "k", "f", 0, ""), ONCE_FRESH);
    assert_int_not_equal(mgi_store_once_end(s, STR_LIT("ann"), STR_LIT("k"), large, 1), STORE_OK);
    enum once_state after = begin(s, "ann", "k", "f", 2, "");
    assert_true(after == ONCE_ORPHANED || after == ONCE_RUNNING);
    free((char *)large.ptr);
    close_backend(*state);
}

/* ---- a file ---------------------------------------------------------------------------------- */

static void path_of(const struct backend *b, char path[96])
{
    snprintf(path, 96, "%s/store.db", b->folder);
}

static struct store *open_again(struct backend *b, size_t max_bytes)
{
    char path[96];
    struct buf why = { 0 };
    path_of(b, path);
    bool ok = mgi_store_sqlite(path, max_bytes, &b->store, &why);
    if (!ok)
        print_error("%s\n", why.ptr);
    assert_true(ok);
    mgi_buf_fini(&why);
    return &b->store;
}

static void test_a_restart_forgets_nothing(void **state)
{
    struct backend *b = *state;
    struct store *s = open_backend(b, 0);
    put(s, "ann", "t-1", "one", 0, SECONDS(300));
    spend(s, "n1", 0, SECONDS(300));
    begin(s, "ann", "ended", "f", 0, "");
    end(s, "ann", "ended", "done", 0);
    begin(s, "ann", "running", "f", 0, "");
    mgi_store_close(s);
    s = open_again(b, 0);
    assert_int_equal(get(s, "ann", "t-1", 1, "one"), MACRO_FOUND);
    assert_false(spend(s, "n1", 1, SECONDS(300)));
    assert_int_equal(begin(s, "ann", "ended", "f", 1, "done"), ONCE_ENDED);
    assert_int_equal(begin(s, "ann", "running", "f", 1, ""), ONCE_ORPHANED);
    assert_int_equal(begin(s, "ann", "running", "g", 1, ""), ONCE_OTHER);
    assert_int_equal(begin(s, "ann", "running", "f", 2 * STORE_ONCE_NS, ""), ONCE_FRESH);
    close_backend(b);
}

/* Nobody knows what the clock did while no process ran. */
static void test_a_restart_keeps_outcomes_as_long_again(void **state)
{
    struct backend *b = *state;
    struct store *s = open_backend(b, 0);
    begin(s, "ann", "k", "f", SECONDS(90000), "");
    end(s, "ann", "k", "done", SECONDS(90000));
    for (int64_t now = SECONDS(900000); now > 0; now -= SECONDS(899000)) { /* forward, and back */
        mgi_store_close(s);
        s = open_again(b, 0);
        assert_int_equal(begin(s, "ann", "k", "f", now, "done"), ONCE_ENDED);
        assert_int_equal(begin(s, "ann", "k", "f", now + STORE_ONCE_NS, "done"), ONCE_ENDED);
    }
    assert_int_equal(begin(s, "ann", "k", "f", SECONDS(1000) + STORE_ONCE_NS + 1, ""), ONCE_FRESH);
    close_backend(b);
}

static void test_a_restart_makes_no_nonce_new_either(void **state)
{
    struct backend *b = *state;
    struct store *s = open_backend(b, 0);
    assert_true(spend(s, "n1", 0, SECONDS(300)));
    put(s, "ann", "t", "text", SECONDS(9000), SECONDS(9001)); /* sweeps */
    mgi_store_close(s);
    s = open_again(b, 0);
    assert_false(spend(s, "n1", 1, SECONDS(300))); /* D-46 */
    assert_true(spend(s, "n2", 1, SECONDS(301)));
    close_backend(b);
}

/* A file of the third layout: ann has a definition, two large outcomes and one that runs, and a
 * nonce is spent. */
static const char layout_3[] =
    "PRAGMA application_id=1296256851;"
    "CREATE TABLE meta(version INTEGER NOT NULL,generation INTEGER NOT NULL,forgotten INTEGER NOT "
    "NULL);"
    "CREATE TABLE macro(principal BLOB NOT NULL,id BLOB NOT NULL,definition BLOB NOT NULL,"
    " not_before INTEGER NOT NULL,expires INTEGER NOT NULL,keep_until INTEGER NOT NULL,"
    " gone_after INTEGER NOT NULL,PRIMARY KEY(principal,id));"
    "CREATE INDEX macro_gone ON macro(gone_after);CREATE INDEX macro_keep ON macro(keep_until);"
    "CREATE TABLE nonce(nonce BLOB PRIMARY KEY,until INTEGER NOT NULL,issued INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE once(principal BLOB NOT NULL,key BLOB NOT NULL,fingerprint BLOB NOT NULL,"
    " generation INTEGER NOT NULL,ended INTEGER NOT NULL,until INTEGER NOT NULL,outcome BLOB,"
    " PRIMARY KEY(principal,key));"
    "CREATE TABLE holder(principal BLOB PRIMARY KEY,bytes INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX holder_bytes ON holder(bytes);"
    "CREATE TRIGGER macro_new AFTER INSERT ON macro BEGIN INSERT INTO holder"
    " VALUES(new.principal,1) ON CONFLICT(principal) DO UPDATE SET bytes=bytes+1;END;"
    "CREATE TRIGGER macro_other AFTER UPDATE OF definition ON macro BEGIN"
    " UPDATE holder SET bytes=bytes+1 WHERE principal=new.principal;END;"
    "CREATE TRIGGER macro_less AFTER DELETE ON macro BEGIN"
    " DELETE FROM holder WHERE principal=old.principal;END;"
    "INSERT INTO meta VALUES(3,7,-9223372036854775807);"
    "INSERT INTO macro VALUES(x'616e6e1f61',x'742d31',x'6f6e65',-9223372036854775808,300000000000,"
    " 300000000000,600000000000);"
    "INSERT INTO nonce VALUES(x'6e31',300000000000,0);"
    "INSERT INTO once VALUES(x'616e6e',x'61',x'66',7,1,600000000000,zeroblob(30000));"
    "INSERT INTO once VALUES(x'616e6e',x'62',x'66',7,1,600000000000,zeroblob(30000));"
    "INSERT INTO once VALUES(x'616e6e',x'72',x'66',7,0,0,NULL);";

/* What the first layout had not. */
static const char back_to_1[] =
    "DROP TABLE holder;DROP TRIGGER macro_new;DROP TRIGGER macro_other;DROP TRIGGER macro_less;"
    "ALTER TABLE meta DROP COLUMN forgotten;ALTER TABLE nonce DROP COLUMN issued;"
    "UPDATE meta SET version=1";

static struct store *open_older(struct backend *b, const char *back)
{
    char path[96];
    sqlite3 *db;
    open_backend(b, 0);
    mgi_store_close(&b->store);
    path_of(b, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, layout_3, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, back, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    return open_again(b, ROOM);
}

static void an_older_layout_is_taken_over(struct backend *b, const char *back)
{
    struct store *s = open_older(b, back);
    assert_int_equal(get(s,
                         "ann\x1f"
                         "a",
                         "t-1", 1, "one"),
                     MACRO_FOUND);
    assert_false(spend(s, "n1", 1, SECONDS(300)));
    assert_int_equal(begin(s, "ann", "r", "f", 1, ""), ONCE_ORPHANED);
    assert_int_equal(begin_one(s, "ann", 0, 1), STORE_FULL); /* what it has is counted */
    assert_int_equal(begin_one(s, "bob", 0, 1), STORE_OK);
    put(s, "ann", "t", "text", SECONDS(9000), SECONDS(9001)); /* sweeps */
    assert_false(spend(s, "n1", 1, SECONDS(300)));
    assert_true(spend(s, "n2", SECONDS(400), SECONDS(700)));
    assert_int_equal(begin_one(s, "ann", 0, SECONDS(9000)), STORE_OK);
    close_backend(b);
}

static void test_an_older_layout_is_taken_over(void **state)
{
    an_older_layout_is_taken_over(*state, "");
    an_older_layout_is_taken_over(*state, back_to_1);
}

static void test_a_kill_forgets_nothing(void **state)
{
    struct backend *b = *state;
    struct store *s = open_backend(b, 0);
    mgi_store_close(s);
    pid_t child = fork();
    if (child == 0) {
        s = open_again(b, 0);
        bool ok = spend(s, "n1", 0, SECONDS(300));
        begin(s, "ann", "k", "f", 0, "");
        _exit(ok ? 0 : 1); /* without closing */
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    s = open_again(b, 0);
    assert_false(spend(s, "n1", 1, SECONDS(300)));
    assert_int_equal(begin(s, "ann", "k", "f", 1, ""), ONCE_ORPHANED);
    struct arena arena;
    struct str witness = { NULL, 0 };
    enum once_state once;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_store_once_find(s, STR_LIT("ann"), STR_LIT("k"), STR_LIT("f"), 1, &arena,
                                         &once, &witness),
                     STORE_OK);
    assert_true(str_is(witness, WITNESS));
    mgi_arena_fini(&arena);
    close_backend(b);
}

static void refuse(const char *path, const char *text)
{
    struct store other;
    struct buf why = { 0 };
    assert_false(mgi_store_sqlite(path, 0, &other, &why));
    assert_false(mgi_store_is_open(&other));
    if (!strstr(why.ptr, text) || !strstr(why.ptr, path))
        print_error("got: %s\nexpected: %s\n", why.ptr, text);
    assert_non_null(strstr(why.ptr, path));
    assert_non_null(strstr(why.ptr, text));
    mgi_buf_fini(&why);
}

static void test_a_store_belongs_to_one_process(void **state)
{
    char path[96];
    open_backend(*state, 0);
    path_of(*state, path);
    refuse(path, "another server uses it");
    close_backend(*state);
}

static void test_its_file_is_the_owners_alone(void **state)
{
    char path[96];
    struct stat st;
    open_backend(*state, 0);
    path_of(*state, path);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    close_backend(*state);
}

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void test_what_is_no_store_is_refused_and_left_alone(void **state)
{
    struct backend *b = *state;
    char path[96], text[2048];
    open_backend(b, 0);
    mgi_store_close(&b->store);
    path_of(b, path);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    write_file(path, text);
    refuse(path, "it is no SQLite file");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, sizeof text - 1);
    unlink(path);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE theirs(x)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    refuse(path, "it holds something else");
    refuse("/nonexistent-folder/store.db", "No such file");
    refuse("/dev/null", "it is not a file");
    close_backend(b);
}

static void test_a_newer_layout_is_refused(void **state)
{
    struct backend *b = *state;
    char path[96];
    sqlite3 *db;
    open_backend(b, 0);
    mgi_store_close(&b->store);
    path_of(b, path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE meta SET version=99", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    refuse(path, "written by another version");
    close_backend(b);
}

/* In a child, because a limit of a process cannot be taken back. */
static void test_a_full_disk_is_told_and_nothing_is_half_done(void **state)
{
    struct backend *b = *state;
    struct store *s = open_backend(b, 0);
    put(s, "ann", "t-1", "one", 0, SECONDS(300));
    mgi_store_close(s);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = { 40 * 1024, 40 * 1024 };
        signal(SIGXFSZ, SIG_IGN);
        s = open_again(b, 0);
        setrlimit(RLIMIT_FSIZE, &limit);
        bool down = false, first = false;
        for (int i = 0; i < 200 && !down; i++) {
            char nonce[20];
            snprintf(nonce, sizeof nonce, "n-%d", i);
            down = mgi_store_spend(s, str_of(nonce), 0, 0, SECONDS(300), &first) == STORE_DOWN;
        }
        struct buf why = { 0 };
        mgi_store_fault(s, &why);
        bool told = why.ptr && strstr(why.ptr, "the store failed: ");
        _exit(down && !first && told ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    s = open_again(b, 0);
    assert_int_equal(get(s, "ann", "t-1", 1, "one"), MACRO_FOUND);
    assert_true(spend(s, "after", 1, SECONDS(300)));
    close_backend(b);
}

static void test_memory_that_is_short_is_told(void **state)
{
    struct store *s = open_backend(*state, 0);
    struct str large = { calloc(1, 8 << 20), 8 << 20 };
    assert_non_null(large.ptr);
    struct macro_entry e = { large, INT64_MIN, INT64_MAX, NULL };
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + 64 * 1024);
    enum store_status status = mgi_store_macro_put(s, STR_LIT("ann"), STR_LIT("t"), &e, 0, 1);
    sqlite3_hard_heap_limit64(0);
    assert_int_equal(status, STORE_NOMEM);
    assert_true(put(s, "ann", "t", "text", 0, SECONDS(300)));
    assert_int_equal(get(s, "ann", "t", 1, "text"), MACRO_FOUND);
    free((char *)large.ptr);
    close_backend(*state);
}

#define ON(backend, test)                                                                          \
    {                                                                                              \
#test " (" #backend ")", test, NULL, NULL, &backend                                        \
    }
#define ON_ALL(test) ON(memory, test), ON(sqlite, test)

int main(void)
{
    static struct backend memory = { .name = "memory" }, sqlite = { .name = "sqlite" };
    const struct CMUnitTest tests[] = {
        ON_ALL(test_a_definition_belongs_to_its_principal),
        ON_ALL(test_after_its_time_a_marker_remains_and_then_nothing),
        ON_ALL(test_putting_again_refreshes),
        ON_ALL(test_what_is_put_beside_another_joins_it_and_shortens_nothing),
        ON_ALL(test_bytes_of_any_kind_come_back),
        ON_ALL(test_a_nonce_is_spent_once),
        ON_ALL(test_no_other_clock_forgets_an_outcome),
        ON_ALL(test_a_clock_that_goes_forward_and_back_makes_no_nonce_new),
        ON_ALL(test_a_clock_that_went_far_ahead_stops_no_sweep),
        ON_ALL(test_what_is_over_takes_no_room),
        ON_ALL(test_an_outcome_is_given_again_and_nothing_else),
        ON_ALL(test_who_only_asks_begins_nothing),
        ON_ALL(test_what_was_begun_waits_for_its_end_however_long),
        ON_ALL(test_a_forgotten_key_is_free),
        ON_ALL(test_a_definition_is_kept_as_long_as_was_promised),
        ON_ALL(test_definitions_make_room_and_nonces_do_not),
        ON_ALL(test_a_flood_of_one_principal_evicts_only_its_own),
        ON_ALL(test_among_many_principals_those_who_have_most_give_way),
        ON_ALL(test_one_principal_has_a_share_of_the_room),
        ON_ALL(test_an_outcome_without_room_is_never_a_second_run),
        ON_ALL(test_outcomes_leave_room_for_others),
        ON_ALL(test_outcomes_of_any_size_keep_to_their_room),
        ON_ALL(test_principals_of_one_caller_have_one_share),
        ON(sqlite, test_a_restart_forgets_nothing),
        ON(sqlite, test_a_restart_makes_no_nonce_new_either),
        ON(sqlite, test_a_restart_keeps_outcomes_as_long_again),
        ON(sqlite, test_an_older_layout_is_taken_over),
        ON(sqlite, test_a_kill_forgets_nothing),
        ON(sqlite, test_a_store_belongs_to_one_process),
        ON(sqlite, test_its_file_is_the_owners_alone),
        ON(sqlite, test_what_is_no_store_is_refused_and_left_alone),
        ON(sqlite, test_a_newer_layout_is_refused),
        ON(sqlite, test_a_full_disk_is_told_and_nothing_is_half_done),
        ON(sqlite, test_memory_that_is_short_is_told),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
