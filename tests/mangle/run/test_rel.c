/* Relations against the plain way: arrays that are searched from the front. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "mangle/run/rel.h"

static uint64_t seed = 99;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 33) % sides;
}

static uint32_t first_column[] = { 0 }, outer_columns[] = { 0, 2 }, second_column[] = { 1 };
static const struct search searches[] = { { first_column, 1, true, false },
                                          { outer_columns, 2, true, false } };
static const struct search singles[] = { { first_column, 1, true, false },
                                         { second_column, 1, true, false } };

struct plain {
    uint32_t rows[4000][5];
    uint32_t count;
};

static uint32_t plain_find(const struct plain *p, const uint32_t *words, uint32_t arity)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (memcmp(p->rows[i], words, arity * sizeof *words) == 0)
            return i;
    return REL_NONE;
}

static void fill(struct rel *rel, struct plain *plain, uint32_t n, uint32_t range)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t words[5] = { roll(range), roll(range), roll(range), roll(range), roll(range) };
        uint32_t expected = plain_find(plain, words, rel->arity), row;
        bool added;
        assert_true(mgi_rel_insert(rel, words, &row, &added));
        assert_int_equal(added, expected == REL_NONE);
        assert_int_equal(row, added ? plain->count : expected);
        if (added)
            memcpy(plain->rows[plain->count++], words, sizeof words);
    }
}

static bool has_column(const struct search *s, uint32_t column)
{
    bool has = false;
    for (uint32_t c = 0; c < s->count; c++)
        has |= s->columns[c] == column;
    return has;
}

/* At a place of a frozen index are the words of its row that its key does not have. */
static void check_words(const struct rel *frozen, uint32_t index, uint32_t at, const uint32_t *row)
{
    const struct index *ix = &frozen->indexes[index];
    for (uint32_t c = 0; c < frozen->arity; c++)
        if (!has_column(ix->search, c))
            assert_int_equal(mgi_index_words(frozen, ix, at)[c], row[c]);
}

/* Every row of the key, through the frozen part and the chain, against a look at all rows. */
static void check_search(struct rel *rel, const struct plain *plain, uint32_t index,
                         const uint32_t *key)
{
    const struct search *s = rel->indexes[index].search;
    uint32_t found = 0, expected = 0, last = 0;
    struct group g = { 0 };
    if (rel->first)
        g = mgi_index_group(rel->below, index, key);
    for (uint32_t i = g.start; i < g.end; i++, found++) {
        uint32_t row = mgi_index_row(rel->below, index, i, key);
        assert_true(i == g.start || row > last); /* ascending */
        last = row;
        for (uint32_t c = 0; c < s->count; c++)
            assert_int_equal(plain->rows[row][s->columns[c]], key[c]);
        check_words(rel->below, index, i, plain->rows[row]);
    }
    last = REL_NONE;
    for (uint32_t row = mgi_index_head(rel, index, key); row != REL_NONE; found++) {
        assert_true(row < last && row >= rel->first); /* descending */
        last = row;
        for (uint32_t c = 0; c < s->count; c++)
            assert_int_equal(plain->rows[row][s->columns[c]], key[c]);
        row = rel->indexes[index].next[row - rel->first];
    }
    for (uint32_t i = 0; i < plain->count; i++) {
        bool equal = true;
        for (uint32_t c = 0; c < s->count; c++)
            equal &= plain->rows[i][s->columns[c]] == key[c];
        expected += equal;
    }
    assert_int_equal(found, expected);
}

static void check_searches(struct rel *rel, const struct plain *plain, uint32_t range)
{
    for (uint32_t index = 0; index < 2; index++) {
        assert_true(mgi_rel_sync(rel, index));
        for (uint32_t i = 0; i < 200; i++) {
            uint32_t key[2] = { roll(range), roll(range) };
            check_search(rel, plain, index, key);
        }
    }
}

static void test_rows_are_a_set_and_indexes_find_them(void **state)
{
    (void)state;
    struct plain *plain = calloc(1, sizeof *plain);
    struct rel base, above;
    assert_true(mgi_rel_init(&base, 3, false, searches, 2, NULL));
    fill(&base, plain, 1000, 12);
    check_searches(&base, plain, 12);
    fill(&base, plain, 500, 12); /* indexes catch up */
    check_searches(&base, plain, 12);
    assert_true(mgi_rel_freeze(&base, NULL));
    uint32_t base_count = plain->count;
    assert_true(mgi_rel_init(&above, 3, false, searches, 2, &base));
    for (int again = 0; again < 3; again++) {
        check_searches(&above, plain, 12); /* the frozen part alone */
        fill(&above, plain, 700, 14);
        check_searches(&above, plain, 14);
        mgi_rel_reset(&above);
        plain->count = base_count;
    }
    mgi_rel_fini(&above);
    mgi_rel_fini(&base);
    free(plain);
}

/* Keys by their own words or hashed, rows short or long, their set packed or not. */
static void check_frozen(uint32_t arity, uint32_t range, bool hashed, bool keeps)
{
    const struct search *two = arity == 2 ? singles : searches;
    struct plain *plain = calloc(1, sizeof *plain);
    struct rel base, above;
    assert_true(mgi_rel_init(&base, arity, false, two, 2, NULL));
    fill(&base, plain, 600, range);
    base.hashed_always = hashed;
    base.keeps = keeps;
    assert_true(mgi_rel_freeze(&base, NULL));
    assert_int_equal(base.indexes[0].starts != NULL, !hashed && range < 1000);
    assert_int_equal(base.packed.cap != 0, keeps);
    assert_int_equal(base.known.cap == 0, keeps);
    assert_int_equal(base.indexes[0].perm != NULL, arity > COPY_MAX_ARITY);
    for (uint32_t i = 0; i < plain->count; i++)
        assert_int_equal(mgi_rel_find(&base, plain->rows[i]), i);
    uint32_t stranger[5] = { range, range, range, range, range };
    assert_int_equal(mgi_rel_find(&base, stranger), REL_NONE);
    assert_true(mgi_rel_init(&above, arity, false, two, 2, &base));
    check_searches(&above, plain, range + 1);
    fill(&above, plain, 400, range);
    check_searches(&above, plain, range + 1);
    mgi_rel_fini(&above);
    mgi_rel_fini(&base);
    free(plain);
}

static void test_every_frozen_form_finds_the_same(void **state)
{
    (void)state;
    for (uint32_t arity = 2; arity <= 5; arity++)
        for (int form = 0; form < 4; form++) {
            check_frozen(arity, 40, form & 1, form & 2);
            check_frozen(arity, 1 << 20, form & 1, form & 2);
        }
}

/* Facts are merged: of two equal rows, of which the first is dead, the packed set has the second.
 */
static void test_a_packed_set_has_the_last_of_equal_rows(void **state)
{
    (void)state;
    static const uint32_t source[] = { 0 };
    struct rel rel;
    uint32_t row, words[2] = { 3, 4 }, other[2] = { 3, 5 };
    bool added;
    assert_true(mgi_rel_init(&rel, 2, false, NULL, 0, NULL));
    assert_true(mgi_rel_make_lattice(&rel, source, 1));
    assert_true(mgi_rel_insert(&rel, words, &row, &added));
    assert_true(mgi_lattice_kill(&rel, row));
    assert_true(mgi_rel_insert(&rel, other, &row, &added));
    assert_true(mgi_rel_append(&rel, words, &row));
    rel.keeps = true;
    assert_true(mgi_rel_freeze(&rel, NULL));
    assert_int_equal(mgi_rel_find(&rel, words), 2);
    assert_int_equal(mgi_rel_find(&rel, other), 1);
    mgi_rel_fini(&rel);
}

/* Lists have the rows of the chain, in its order, and a filter that none of their values fails. */
static void check_list(const struct rel *rel, uint32_t index, uint32_t column, const uint32_t *key)
{
    struct list list = mgi_list_of(rel, index, key);
    uint32_t at = 0, row = mgi_index_head(rel, index, key);
    for (; row != REL_NONE; at++, row = rel->indexes[index].next[row]) {
        assert_true(at < list.count);
        assert_int_equal(list.rows[at].row, row);
        assert_int_equal(list.rows[at].value, mgi_rel_row(rel, row)[column]);
        assert_true(mgi_list_may_have(&list, list.rows[at].value));
    }
    assert_int_equal(at, list.count);
}

static void test_lists_have_what_indexes_find(void **state)
{
    (void)state;
    struct plain *plain = calloc(1, sizeof *plain);
    struct rel rel;
    uint32_t may = 0, asked = 0;
    assert_true(mgi_rel_init(&rel, 3, false, searches, 2, NULL));
    for (uint32_t round = 0; round < 4; round++) {
        fill(&rel, plain, round ? 800 : 5, 30);
        assert_true(mgi_rel_sync(&rel, 1));
        assert_false(mgi_lists_hold(&rel.indexes[1])); /* those of the round before do not */
        assert_true(mgi_lists_make(&rel, 1, NULL));
        assert_true(mgi_lists_hold(&rel.indexes[1]));
        for (uint32_t i = 0; i < 900; i++) {
            uint32_t key[2] = { i / 30, i % 30 };
            check_list(&rel, 1, 1, key);
            struct list list = mgi_list_of(&rel, 1, key);
            for (uint32_t other = 1000; list.count && other < 1100; other++, asked++)
                may += mgi_list_may_have(&list, other);
        }
    }
    assert_true(may < asked / 10); /* or filters say nothing */
    mgi_rel_reset(&rel);
    plain->count = 0;
    fill(&rel, plain, 200, 30);
    assert_true(mgi_rel_sync(&rel, 1));
    assert_false(mgi_lists_hold(&rel.indexes[1]));
    mgi_rel_fini(&rel);
    free(plain);
}

static void test_every_arity_deduplicates(void **state)
{
    (void)state;
    for (uint32_t arity = 0; arity <= 4; arity++) {
        struct plain *plain = calloc(1, sizeof *plain);
        struct rel rel;
        assert_true(mgi_rel_init(&rel, arity, false, NULL, 0, NULL));
        fill(&rel, plain, 1500, 6);
        for (uint32_t i = 0; i < plain->count; i++) {
            assert_int_equal(mgi_rel_find(&rel, plain->rows[i]), i);
            assert_memory_equal(mgi_rel_row(&rel, i), plain->rows[i], arity * sizeof(uint32_t));
        }
        mgi_rel_fini(&rel);
        free(plain);
    }
}

/* A table that is reset keeps its memory and grows within it; often its last slots are full. */
static void test_tables_grow_in_place(void **state)
{
    (void)state;
    for (uint32_t arity = 1; arity <= 4; arity++) {
        struct rel rel;
        struct plain *plain = calloc(1, sizeof *plain);
        assert_true(mgi_rel_init(&rel, arity, false, NULL, 0, NULL));
        for (uint32_t again = 0; again < 300; again++) {
            plain->count = 0;
            fill(&rel, plain, roll(120), 100);
            for (uint32_t i = 0; i < plain->count; i++)
                assert_int_equal(mgi_rel_find(&rel, plain->rows[i]), i);
            mgi_rel_reset(&rel);
        }
        mgi_rel_fini(&rel);
        free(plain);
    }
}

static bool dense_find(const struct rel *rel, const uint32_t *words)
{
    for (uint32_t row = 0; row < rel->count; row++)
        if (memcmp(mgi_rel_row(rel, row), words, 2 * sizeof *words) == 0)
            return true;
    return false;
}

/* As eval_queue.c does it: by their bits while they are dense, else by the set. */
static void dense_put(struct rel *rel, const uint32_t *words)
{
    uint32_t row;
    bool added;
    while (rel->bits.whole || mgi_bits_due(rel)) {
        if (mgi_bits_due(rel))
            assert_true(mgi_bits_make(rel, words, 1, NULL));
        else if (mgi_bits_add(rel, words, 1) == 1)
            return;
    }
    assert_true(mgi_rel_insert(rel, words, &row, &added));
}

/* While pairs are dense a bit says the same as the set, which is left behind; when they no longer
 * are, the set takes over. */
static void test_dense_pairs_have_bits(void **state)
{
    (void)state;
    struct rel rel;
    assert_true(mgi_rel_init(&rel, 2, false, NULL, 0, NULL));
    for (uint32_t i = 0; i < 6000; i++) {
        uint32_t words[2] = { 1000 + roll(90), 5000 + roll(20 + i / 80) }, before = rel.count;
        bool had = dense_find(&rel, words);
        if (mgi_bits_has(&rel.bits, words))
            assert_true(had);
        if (mgi_bits_lack(&rel.bits, words))
            assert_false(had);
        dense_put(&rel, words);
        assert_int_equal(rel.count, before + !had);
    }
    assert_true(rel.bits.whole);
    assert_true(rel.known_count < rel.count / 2);
    uint32_t seen = 0, outside[2] = { 999, 5000 }, beyond[2] = { 1000, 5000 + 64 * 90 };
    for (uint32_t n = 0; n < rel.count; n++)
        seen += mgi_bits_has(&rel.bits, mgi_rel_row(&rel, n));
    assert_int_equal(seen, rel.count);
    assert_false(mgi_bits_has(&rel.bits, outside));
    assert_false(mgi_bits_has(&rel.bits, beyond));
    assert_true(mgi_rel_sync_known(&rel, NULL));
    for (uint32_t n = 0; n < rel.count; n++)
        assert_int_equal(mgi_rel_find(&rel, mgi_rel_row(&rel, n)), n);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t words[2] = { roll(1u << 30), roll(1u << 30) };
        dense_put(&rel, words);
    }
    assert_null(rel.bits.map);
    assert_int_equal(rel.known_count, rel.count);
    mgi_rel_fini(&rel);
}

static bool go_on_never(void *context)
{
    ++*(int *)context;
    return false;
}

/* M-LIM-11: what goes over all rows stops when it is told to, and what it leaves is good. */
static void test_bits_and_sets_are_made_at_a_pace(void **state)
{
    (void)state;
    struct rel rel;
    int asked = 0;
    int32_t steps = 3000;
    struct pace pace = { &steps, go_on_never, &asked };
    assert_true(mgi_rel_init(&rel, 2, false, NULL, 0, NULL));
    uint32_t *to = mgi_rel_extend(&rel, 10000);
    for (uint32_t i = 0; i < 10000; i++) {
        to[i * 2] = i / 100;
        to[i * 2 + 1] = i % 100;
    }
    mgi_rel_took(&rel, 10000);
    assert_true(mgi_bits_due(&rel));
    assert_false(mgi_bits_make(&rel, NULL, 0, &pace)); /* while rows are looked at */
    assert_int_equal(asked, 1);
    assert_null(rel.bits.map);
    assert_false(mgi_bits_due(&rel));
    steps = 12000;
    assert_false(mgi_bits_make(&rel, NULL, 0, &pace)); /* while bits are set */
    assert_int_equal(asked, 2);
    assert_null(rel.bits.map);
    assert_true(mgi_bits_make(&rel, NULL, 0, NULL));
    assert_true(rel.bits.whole);
    steps = 5000;
    assert_true(mgi_rel_sync_known(&rel, &pace));
    assert_int_equal(asked, 3);
    assert_true(rel.known_count > 4000 && rel.known_count < 6000);
    assert_int_equal(mgi_rel_find(&rel, mgi_rel_row(&rel, 4000)), 4000);
    uint32_t row;
    bool added;
    assert_true(mgi_rel_insert(&rel, mgi_rel_row(&rel, 9999), &row, &added));
    assert_false(added);
    assert_int_equal(row, 9999);
    mgi_rel_fini(&rel);
}

/* Rows of which nobody asked whether they are new, of any width, in a frozen relation and above. */
static void test_a_frozen_set_is_made_when_somebody_asks(void **state)
{
    (void)state;
    for (uint32_t arity = 0; arity <= 3; arity++) {
        struct rel base, rel;
        uint32_t count = arity ? 700 : 1;
        assert_true(mgi_rel_init(&base, arity, false, NULL, 0, NULL));
        uint32_t *to = mgi_rel_extend(&base, count);
        for (uint32_t i = 0; i < count * arity; i++)
            to[i] = arity == 0 ? 0 : i / arity + i % arity;
        mgi_rel_took(&base, count);
        assert_true(mgi_rel_freeze(&base, NULL));
        assert_true(mgi_rel_init(&rel, arity, false, NULL, 0, &base));
        assert_null(base.late);
        for (uint32_t row = 0; row < count; row++)
            assert_int_equal(mgi_rel_find(&rel, mgi_rel_row(&base, row)), row);
        assert_non_null(base.late);
        uint32_t words[3] = { 7000, 1, 2 }, row;
        bool added;
        assert_true(mgi_rel_insert(&rel, words, &row, &added));
        assert_int_equal(added, arity > 0);
        assert_int_equal(row, arity ? count : 0);
        mgi_rel_fini(&rel);
        mgi_rel_fini(&base);
    }
}

static void test_intervals_are_kept_as_given_and_merged_on_demand(void **state)
{
    (void)state;
    struct rel rel;
    uint32_t word = 7, row, count;
    bool added;
    struct coalesced c;
    assert_true(mgi_rel_init(&rel, 1, true, NULL, 0, NULL));
    assert_true(mgi_rel_insert(&rel, &word, &row, &added));
    const struct mangle_interval given[] = { { 10, 20 }, { 1, 3 }, { 4, 9 }, { 30, 40 } };
    for (int i = 0; i < 4; i++) {
        assert_true(mgi_times_add(&rel, row, given[i], &added));
        assert_true(added);
        assert_true(mgi_times_add(&rel, row, given[i], &added));
        assert_false(added);
    }
    assert_true(mgi_times_add(&rel, row, (struct mangle_interval){ 12, 13 }, &added));
    assert_true(added); /* covered, but not the same (M-TEMP-72) */
    assert_int_equal(mgi_times_count(&rel, row), 5);
    assert_true(mgi_times_coalesce(&rel, 0, NULL, &c));
    assert_int_equal(c.worst, 2);
    const struct mangle_interval *run = mgi_times_run(&rel, row, &count);
    assert_int_equal(count, 2);
    assert_int_equal(run[0].start_ns, 1);
    assert_int_equal(run[0].end_ns, 20);
    assert_int_equal(run[1].start_ns, 30);
    mgi_rel_fini(&rel);
}

static void test_an_overlay_shadows_the_intervals_it_adds_to(void **state)
{
    (void)state;
    struct rel base, above;
    uint32_t word = 7, other = 8, row, second, count;
    bool added;
    struct coalesced c;
    assert_true(mgi_rel_init(&base, 1, true, NULL, 0, NULL));
    assert_true(mgi_rel_insert(&base, &word, &row, &added));
    assert_true(mgi_times_add(&base, row, (struct mangle_interval){ 1, 5 }, &added));
    assert_true(mgi_rel_insert(&base, &other, &second, &added));
    assert_true(mgi_times_add(&base, second, (struct mangle_interval){ 1, 5 }, &added));
    assert_true(mgi_times_coalesce(&base, 0, NULL, &c));
    assert_true(mgi_rel_freeze(&base, NULL));
    assert_true(mgi_rel_init(&above, 1, true, NULL, 0, &base));
    assert_true(mgi_times_add(&above, row, (struct mangle_interval){ 1, 5 }, &added));
    assert_false(added);
    assert_int_equal(above.times.count, 0); /* nothing is copied for nothing */
    assert_true(mgi_times_add(&above, row, (struct mangle_interval){ 6, 9 }, &added));
    assert_true(added);
    assert_true(mgi_times_coalesce(&above, 0, NULL, &c));
    assert_int_equal(c.fresh, 1);
    const struct mangle_interval *run = mgi_times_run(&above, row, &count);
    assert_int_equal(count, 1);
    assert_int_equal(run[0].start_ns, 1);
    assert_int_equal(run[0].end_ns, 9);
    run = mgi_times_run(&above, second, &count);
    assert_int_equal(run[0].end_ns, 5);
    mgi_rel_reset(&above);
    run = mgi_times_run(&above, row, &count);
    assert_int_equal(run[0].end_ns, 5);
    mgi_rel_fini(&above);
    mgi_rel_fini(&base);
}

static void test_birth_is_remembered_by_round(void **state)
{
    (void)state;
    struct rel rel;
    bool added;
    uint32_t row;
    assert_true(mgi_rel_init(&rel, 1, false, NULL, 0, NULL));
    for (uint32_t round = 0; round < 10; round++) {
        for (uint32_t i = 0; i < round % 3; i++) {
            uint32_t word = round * 10 + i;
            assert_true(mgi_rel_insert(&rel, &word, &row, &added));
        }
        assert_true(mgi_rel_mark(&rel, round));
    }
    for (uint32_t i = 0; i < rel.count; i++)
        assert_int_equal(mgi_rel_born(&rel, i), *mgi_rel_row(&rel, i) / 10);
    mgi_rel_fini(&rel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_a_set_and_indexes_find_them),
        cmocka_unit_test(test_every_frozen_form_finds_the_same),
        cmocka_unit_test(test_a_packed_set_has_the_last_of_equal_rows),
        cmocka_unit_test(test_lists_have_what_indexes_find),
        cmocka_unit_test(test_every_arity_deduplicates),
        cmocka_unit_test(test_tables_grow_in_place),
        cmocka_unit_test(test_dense_pairs_have_bits),
        cmocka_unit_test(test_bits_and_sets_are_made_at_a_pace),
        cmocka_unit_test(test_a_frozen_set_is_made_when_somebody_asks),
        cmocka_unit_test(test_intervals_are_kept_as_given_and_merged_on_demand),
        cmocka_unit_test(test_an_overlay_shadows_the_intervals_it_adds_to),
        cmocka_unit_test(test_birth_is_remembered_by_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
