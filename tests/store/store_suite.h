/* What every backend must do, run over each of them: test_store.c, test_store_thread.c. */
#ifndef STORE_SUITE_H
#define STORE_SUITE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/time.h"
#include "store/store.h"

#define SECONDS(n) ((n)*NS_PER_SEC)

struct backend {
    const char *name;
    char folder[64]; /* of its file, if it has one */
    struct store store;
};

/* Open the backend that *state names, empty, with at most max_bytes. */
static inline struct store *open_backend(struct backend *b, size_t max_bytes)
{
    if (strcmp(b->name, "memory") == 0) {
        assert_true(mgi_store_memory(max_bytes, &b->store));
        return &b->store;
    }
    char path[96];
    struct buf why = { 0 };
    snprintf(b->folder, sizeof b->folder, "/tmp/manglecp-store-XXXXXX");
    assert_non_null(mkdtemp(b->folder));
    snprintf(path, sizeof path, "%s/store.db", b->folder);
    bool ok = mgi_store_sqlite(path, max_bytes, &b->store, &why);
    if (!ok)
        print_error("%s\n", why.ptr);
    assert_true(ok);
    mgi_buf_fini(&why);
    return &b->store;
}

static inline void close_backend(struct backend *b)
{
    mgi_store_close(&b->store);
    assert_false(mgi_store_is_open(&b->store));
    if (b->folder[0]) {
        static const char *const names[] = { "store.db", "store.db-wal", "store.db-shm" };
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            char path[96];
            snprintf(path, sizeof path, "%s/%s", b->folder, names[i]);
            unlink(path);
        }
        assert_int_equal(rmdir(b->folder), 0);
        b->folder[0] = '\0';
    }
}

static inline bool put(const struct store *s, const char *who, const char *id, const char *text,
                       int64_t now_ns, int64_t until_ns)
{
    struct macro_entry e = { str_of(text), INT64_MIN, until_ns, NULL };
    return mgi_store_macro_put(s, str_of(who), str_of(id), &e, now_ns, until_ns) == STORE_OK;
}

/* What is kept and what comes, joined by a sign. */
static inline bool join_texts(const struct macro_entry *older, struct arena *arena,
                              struct macro_entry *entry)
{
    const char *both = mgi_arena_printf(arena, "%.*s+%.*s", STR_ARG(older->definition),
                                        STR_ARG(entry->definition));
    if (both)
        entry->definition = str_of(both);
    return both != NULL;
}

static inline enum store_status put_beside(const struct store *s, const char *who, const char *id,
                                           const char *text, int64_t now_ns, int64_t until_ns)
{
    struct macro_entry e = { str_of(text), INT64_MIN, until_ns, join_texts };
    return mgi_store_macro_put(s, str_of(who), str_of(id), &e, now_ns, until_ns);
}

static inline enum macro_found get(const struct store *s, const char *who, const char *id,
                                   int64_t now_ns, const char *expected)
{
    struct arena a;
    struct macro_entry e;
    enum macro_found found;
    mgi_arena_init(&a, 0);
    assert_int_equal(mgi_store_macro_get(s, str_of(who), str_of(id), now_ns, &a, &found, &e),
                     STORE_OK);
    if (found == MACRO_FOUND) {
        assert_true(str_is(e.definition, expected));
        assert_true(e.not_before_ns == INT64_MIN);
    }
    mgi_arena_fini(&a);
    return found;
}

/* A nonce that was issued 300 s before it is over. */
static inline bool spend(const struct store *s, const char *nonce, int64_t now_ns, int64_t until_ns)
{
    bool first = false;
    assert_int_equal(
        mgi_store_spend(s, str_of(nonce), until_ns - SECONDS(300), now_ns, until_ns, &first),
        STORE_OK);
    return first;
}

/* What is kept with every beginning. */
#define WITNESS "whoever saw it"

static inline enum once_state judge_once(enum once_state state, struct str outcome,
                                         const char *expected)
{
    if (state == ONCE_ENDED)
        assert_true(str_is(outcome, expected));
    else if (state == ONCE_RUNNING || state == ONCE_ORPHANED) /* where it outlives the process */
        assert_true(outcome.len == 0 || str_is(outcome, WITNESS));
    else
        assert_null(outcome.ptr);
    return state;
}

static inline enum once_state begin(const struct store *s, const char *who, const char *key,
                                    const char *fingerprint, int64_t now_ns, const char *expected)
{
    struct arena a;
    enum once_state state = ONCE_FRESH;
    struct str outcome;
    mgi_arena_init(&a, 0);
    assert_int_equal(mgi_store_once_begin(s, str_of(who), str_of(key), str_of(fingerprint),
                                          STR_LIT(WITNESS), now_ns, &a, &state, &outcome),
                     STORE_OK);
    (void)judge_once(state, outcome, expected);
    mgi_arena_fini(&a);
    return state;
}

static inline enum once_state find(const struct store *s, const char *who, const char *key,
                                   const char *fingerprint, int64_t now_ns, const char *expected)
{
    struct arena a;
    enum once_state state = ONCE_FRESH;
    struct str outcome;
    mgi_arena_init(&a, 0);
    assert_int_equal(mgi_store_once_find(s, str_of(who), str_of(key), str_of(fingerprint), now_ns,
                                         &a, &state, &outcome),
                     STORE_OK);
    (void)judge_once(state, outcome, expected);
    mgi_arena_fini(&a);
    return state;
}

static inline bool end(const struct store *s, const char *who, const char *key, const char *outcome,
                       int64_t now_ns)
{
    return mgi_store_once_end(s, str_of(who), str_of(key), str_of(outcome), now_ns) == STORE_OK;
}

static inline void forget(const struct store *s, const char *who, const char *key)
{
    assert_int_equal(mgi_store_once_forget(s, str_of(who), str_of(key)), STORE_OK);
}

#endif
