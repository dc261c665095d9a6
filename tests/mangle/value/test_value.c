/* Values: interning, equality, order, hashes, overlays. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mangle/value/value_table.h"

static mangle_value number(int64_t n)
{
    return mangle_number(t, n);
}

static mangle_value list2(mangle_value a, mangle_value b)
{
    return mangle_list(t, (mangle_value[]){ a, b }, 2);
}

static mangle_value map1(mangle_value k, mangle_value v)
{
    return mangle_map(t, &k, &v, 1);
}

static mangle_value struct1(mangle_value k, mangle_value v)
{
    return mangle_struct(t, &k, &v, 1);
}

static void test_equal_content_is_the_same_word(void **state)
{
    (void)state;
    assert_int_equal(name("/a/b"), name("/a/b"));
    assert_int_equal(string("x"), string("x"));
    assert_int_equal(mangle_bytes(t, "\0x", 2), mangle_bytes(t, "\0x", 2));
    assert_int_equal(number(INT64_MIN), number(INT64_MIN));
    assert_int_equal(mangle_float(t, 0.5), mangle_float(t, 0.5));
    assert_int_equal(mangle_float(t, (double)NAN), mangle_float(t, (double)NAN)); /* M-VAL-21 */
    assert_int_equal(list2(number(1), string("a")), list2(number(1), string("a")));
    /* M-VAL-22: the order of writing does not matter. */
    mangle_value keys[] = { name("/x"), name("/y") }, back[] = { name("/y"), name("/x") };
    mangle_value values[] = { number(1), number(2) }, values_back[] = { number(2), number(1) };
    assert_int_equal(mangle_map(t, keys, values, 2), mangle_map(t, back, values_back, 2));
    assert_int_equal(mangle_struct(t, keys, values, 2), mangle_struct(t, back, values_back, 2));
}

static void test_kinds_never_equal_each_other(void **state)
{
    (void)state; /* M-VAL-20, M-VAL-25 */
    mangle_value all[] = {
        number(1),
        mangle_float(t, 1.0),
        string("a"),
        mangle_bytes(t, "a", 1),
        name("/a"),
        string("/a"),
        VALUE_NIL,
        VALUE_EMPTY_MAP,
        VALUE_EMPTY_STRUCT,
        number(5),
        mangle_time(t, 5),
        mangle_duration(t, 5),
        mangle_pair(t, number(1), number(2)),
        list2(number(1), number(2)),
        mangle_float(t, 0.0),
        mangle_float(t, -0.0),
        number(0),
        map1(number(1), number(2)),
        struct1(number(1), number(2)),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(all[i], all[j]);
            assert_int_not_equal(mangle_compare(t, all[i], all[j]), 0);
        }
}

static void assert_text_kept(mangle_value v, enum mangle_kind kind, const char *text, size_t len)
{
    size_t got_len = 0;
    const char *got = mangle_text_of(t, v, &got_len);
    assert_int_equal(mangle_kind_of(t, v), kind);
    assert_int_equal(got_len, len);
    assert_memory_equal(got, text, len);
}

static void test_a_value_keeps_its_content(void **state)
{
    (void)state; /* M-VAL-1, M-VAL-2, M-VAL-3, M-VAL-4, M-VAL-5, M-VAL-6, M-VAL-7, M-VAL-8 */
    static const char text[] = "a\0\xff\xc3\xa4";
    assert_text_kept(name("/a/\xc3\xa4"), MANGLE_NAME, "/a/\xc3\xa4", 5);
    assert_text_kept(mangle_string(t, text, 5), MANGLE_STRING, text, 5);
    assert_text_kept(mangle_bytes(t, text, 5), MANGLE_BYTES, text, 5);
    const int64_t ints[] = { INT64_MIN, -1, 0, INT64_C(1705314600120000000), INT64_MAX };
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        mangle_value all[] = { number(ints[i]), mangle_time(t, ints[i]),
                               mangle_duration(t, ints[i]) };
        assert_int_equal(mangle_kind_of(t, all[0]), MANGLE_NUMBER);
        assert_int_equal(mangle_kind_of(t, all[1]), MANGLE_TIME);
        assert_int_equal(mangle_kind_of(t, all[2]), MANGLE_DURATION);
        for (size_t j = 0; j < 3; j++)
            assert_true(mangle_int_of(t, all[j]) == ints[i]);
    }
    assert_true(mangle_float_of(t, mangle_float(t, 5e-324)) == 5e-324);
    assert_int_equal(mangle_kind_of(t, mangle_float(t, 1)), MANGLE_FLOAT);
    mangle_value first, second, pair = mangle_pair(t, string("x"), VALUE_NIL);
    mangle_pair_of(t, pair, &first, &second);
    assert_int_equal(mangle_kind_of(t, pair), MANGLE_PAIR);
    assert_int_equal(first, string("x"));
    assert_int_equal(second, VALUE_NIL);
}

static void test_a_structure_keeps_its_parts(void **state)
{
    (void)state; /* M-VAL-9, M-VAL-10, M-VAL-11: labels are not checked */
    mangle_value list = list2(string("b"), string("a")), cursor = list, key, value;
    assert_int_equal(mangle_kind_of(t, list), MANGLE_LIST);
    assert_true(mangle_next(t, &cursor, &key, &value) && value == string("b"));
    assert_true(mangle_next(t, &cursor, &key, &value) && value == string("a"));
    mangle_value map = map1(list, number(1)), fields = struct1(number(7), list);
    assert_int_equal(mangle_kind_of(t, map), MANGLE_MAP);
    assert_int_equal(mgi_value_entry(t, map, list), number(1));
    assert_int_equal(mangle_kind_of(t, fields), MANGLE_STRUCT);
    assert_int_equal(mgi_value_entry(t, fields, number(7)), list);
}

/* In their order, whatever is new, old, or no value; and as many as the fetches that are under way,
 * fewer and more. */
static void test_texts_together_are_those_one_by_one(void **state)
{
    enum { MOST = 300 };
    (void)state;
    char texts[MOST][12];
    struct mangle_text together[MOST] = { 0 };
    mangle_value got[MOST];
    for (size_t count = 0; count < MOST; count = count * 3 / 2 + 1) {
        for (size_t i = 0; i < count; i++) {
            int len =
                snprintf(texts[i], sizeof texts[i], i % 11 ? "/t%zu" : "t%zu", i * 7 % 200 + count);
            enum mangle_kind kinds[] = { MANGLE_NAME, MANGLE_STRING, MANGLE_BYTES };
            together[i] = (struct mangle_text){ kinds[i % 3], texts[i], (size_t)len, &got[i] };
        }
        mangle_texts(t, together, count);
        for (size_t i = 0; i < count; i++) {
            size_t len = together[i].len;
            mangle_value one = i % 3 == 0   ? mangle_name(t, texts[i], len)
                               : i % 3 == 1 ? mangle_string(t, texts[i], len)
                                            : mangle_bytes(t, texts[i], len);
            assert_int_equal(got[i], one);
            assert_true((one == MANGLE_NONE) == (i % 3 == 0 && i % 11 == 0));
        }
    }
}

static void test_strings_are_compared_by_their_bytes(void **state)
{
    (void)state; /* M-VAL-23: one letter, or a letter and an accent */
    assert_int_not_equal(string("\xc3\xa9"), string("e\xcc\x81"));
    assert_int_not_equal(string("a"), mangle_string(t, "a\0", 2));
    assert_int_equal(string("e\xcc\x81"), mangle_string(t, "e\xcc\x81z", 3));
}

static void test_numbers_of_31_bits_take_no_room(void **state)
{
    (void)state;
    size_t before = mgi_values_bytes(t);
    const int64_t edges[] = { 0, 1, -1, (1 << 30) - 1, -(1 << 30) };
    for (size_t i = 0; i < 5; i++) {
        assert_true(mgi_value_is_small(number(edges[i])));
        assert_int_equal(mangle_int_of(t, number(edges[i])), edges[i]);
    }
    assert_int_equal(mgi_values_bytes(t), before);
    const int64_t large[] = { 1 << 30, -(1 << 30) - 1, INT64_MAX, INT64_MIN };
    for (size_t i = 0; i < 4; i++) {
        assert_false(mgi_value_is_small(number(large[i])));
        assert_int_equal(mangle_int_of(t, number(large[i])), large[i]);
        assert_int_equal(mangle_kind_of(t, number(large[i])), MANGLE_NUMBER);
    }
}

static void test_names_need_a_slash_and_no_empty_part(void **state)
{
    (void)state; /* M-VAL-1 */
    const char *bad[] = { "", "/", "a", "/a/", "//a", "/a//b", "/a\"b" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(name(bad[i]), MANGLE_NONE);
    assert_int_equal(mgi_values_fault(t), VALUES_OK);
    assert_int_not_equal(name("/a b\n"), MANGLE_NONE); /* hosts may make these */
    assert_false(mgi_name_is_lexical(STR_LIT("/a b")));
    assert_true(mgi_name_is_lexical(STR_LIT("/a.b/~c-d_e%20")));
}

static void test_a_missing_part_makes_the_whole_missing(void **state)
{
    (void)state;
    mangle_value bad = name("not a name"), one = number(1);
    assert_int_equal(mangle_pair(t, bad, one), MANGLE_NONE);
    assert_int_equal(mangle_pair(t, one, bad), MANGLE_NONE);
    assert_int_equal(list2(one, bad), MANGLE_NONE);
    assert_int_equal(map1(bad, one), MANGLE_NONE);
    assert_int_equal(struct1(name("/a"), bad), MANGLE_NONE);
}

static void test_values_that_every_table_has(void **state)
{
    (void)state;
    assert_int_equal(mangle_list(t, NULL, 0), VALUE_NIL);
    assert_int_equal(mangle_map(t, NULL, NULL, 0), VALUE_EMPTY_MAP);
    assert_int_equal(mangle_struct(t, NULL, NULL, 0), VALUE_EMPTY_STRUCT);
    assert_int_equal(mangle_bool(t, true), name("/true"));
    assert_int_equal(mangle_bool(t, false), name("/false"));
}

static void test_the_last_of_equal_keys_wins(void **state)
{
    (void)state; /* M-VAL-26 */
    mangle_value keys[] = { name("/k"), name("/j"), name("/k") };
    mangle_value values[] = { number(1), number(2), number(3) };
    mangle_value map = mangle_map(t, keys, values, 3);
    assert_int_equal(mangle_count_of(t, map), 2);
    assert_int_equal(mgi_value_entry(t, map, name("/k")), number(3));
    assert_int_equal(mgi_value_entry(t, map, name("/none")), MANGLE_NONE);
}

static void test_large_maps_find_every_key(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    mangle_value keys[COUNT], values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        keys[i] = number((i * 7919) % COUNT);
        values[i] = number(i);
    }
    mangle_value map = mangle_map(t, keys, values, COUNT);
    assert_int_equal(mangle_count_of(t, map), COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(mgi_value_entry(t, map, keys[i]), values[i]);
    uint64_t last = UINT64_MAX;
    mangle_value cursor = map, key, value;
    int count = 0;
    for (; mangle_next(t, &cursor, &key, &value); count++) { /* M-VAL-33 */
        assert_true(mgi_value_hash(t, key) < last || count == 0);
        last = mgi_value_hash(t, key);
    }
    assert_int_equal(count, COUNT);
}

static void test_lists_are_read_by_cells_and_by_index(void **state)
{
    (void)state;
    mangle_value list = list2(string("a"), string("b")), head, tail;
    assert_true(mgi_value_uncons(t, list, &head, &tail));
    assert_int_equal(head, string("a"));
    assert_int_equal(mangle_count_of(t, tail), 1);
    assert_int_equal(mgi_value_list_get(t, list, 1), string("b"));
    assert_int_equal(mgi_value_list_get(t, list, 2), MANGLE_NONE);
    assert_int_equal(mgi_value_list_get(t, list, UINT64_MAX), MANGLE_NONE);
    assert_false(mgi_value_uncons(t, VALUE_NIL, &head, &tail));
    mangle_value cursor = list, key, value;
    assert_true(mangle_next(t, &cursor, &key, &value));
    assert_int_equal(key, MANGLE_NONE);
    assert_int_equal(value, string("a"));
    assert_true(mangle_next(t, &cursor, &key, &value));
    assert_false(mangle_next(t, &cursor, &key, &value));
}

static void test_depth_counts_nesting_not_length(void **state)
{
    (void)state; /* M-LIM-13 */
    mangle_value list = VALUE_NIL;
    for (int i = 0; i < 20000; i++)
        list = mgi_value_cons(t, number(i), list);
    assert_int_equal(mgi_value_depth(t, list), 1);
    mangle_value deep = number(1);
    for (int i = 0; i < VALUE_MAX_DEPTH; i++)
        deep = list2(deep, number(i));
    assert_int_equal(mgi_value_depth(t, deep), VALUE_MAX_DEPTH);
    assert_int_equal(mgi_values_fault(t), VALUES_OK);
    assert_int_equal(list2(deep, deep), MANGLE_NONE);
    assert_int_equal(mgi_values_fault(t), VALUES_TOO_DEEP);
    mgi_values_clear_fault(t);
    assert_int_equal(mangle_pair(t, number(1), deep), MANGLE_NONE);
    assert_int_equal(mgi_values_fault(t), VALUES_TOO_DEEP);
    assert_int_equal(map1(number(1), deep), MANGLE_NONE);
}

/* Every value of this array is smaller than the next (M-VAL-68). */
static size_t ascending(mangle_value *v)
{
    size_t n = 0;
    v[n++] = name("/a");
    v[n++] = name("/a/b");
    v[n++] = name("/b");
    v[n++] = string("");
    v[n++] = string("a");
    v[n++] = string("a\xc3\xa4");
    v[n++] = string("b");
    v[n++] = mangle_bytes(t, "", 0);
    v[n++] = mangle_bytes(t, "\xff", 1);
    v[n++] = number(INT64_MIN);
    v[n++] = number(-1);
    v[n++] = number(2);
    v[n++] = number(10);
    v[n++] = number(INT64_MAX);
    v[n++] = mangle_float(t, -(double)NAN);
    v[n++] = mangle_float(t, -(double)INFINITY);
    v[n++] = mangle_float(t, -1.5);
    v[n++] = mangle_float(t, -0.0);
    v[n++] = mangle_float(t, 0.0);
    v[n++] = mangle_float(t, 1.0);
    v[n++] = mangle_float(t, (double)INFINITY);
    v[n++] = mangle_float(t, (double)NAN);
    v[n++] = mangle_time(t, -1);
    v[n++] = mangle_time(t, 0);
    v[n++] = mangle_duration(t, -5);
    v[n++] = mangle_duration(t, 5);
    v[n++] = mangle_pair(t, number(1), number(9));
    v[n++] = mangle_pair(t, number(2), number(0));
    v[n++] = mangle_pair(t, number(2), number(1));
    v[n++] = VALUE_NIL;
    v[n++] = list2(number(1), number(2));
    v[n++] = mangle_list(t, (mangle_value[]){ number(1), number(2), number(0) }, 3);
    v[n++] = list2(number(1), number(3));
    v[n++] = VALUE_EMPTY_MAP;
    v[n++] = map1(number(-3), number(0));
    v[n++] = mangle_map(t, (mangle_value[]){ number(2), number(-3) },
                        (mangle_value[]){ number(5), number(0) }, 2);
    v[n++] = mangle_map(t, (mangle_value[]){ number(1), number(-3) },
                        (mangle_value[]){ number(0), number(1) }, 2);
    v[n++] = map1(number(2), number(0));
    v[n++] = VALUE_EMPTY_STRUCT;
    v[n++] = struct1(name("/a"), number(1));
    return n;
}

static void test_total_order(void **state)
{
    (void)state; /* M-VAL-68 */
    mangle_value v[64];
    size_t n = ascending(v);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int order = mangle_compare(t, v[i], v[j]);
            int expected = i < j ? -1 : i > j;
            if ((order > 0) - (order < 0) != expected)
                fail_msg("values %zu and %zu: got %d, expected %d", i, j, order, expected);
        }
}

static void test_deep_values_compare_without_recursion(void **state)
{
    (void)state;
    mangle_value a = number(1), b = number(2);
    for (int i = 0; i < VALUE_MAX_DEPTH - 1; i++) {
        a = i % 2 ? map1(a, number(0)) : mangle_pair(t, number(0), a);
        b = i % 2 ? map1(b, number(0)) : mangle_pair(t, number(0), b);
    }
    assert_true(mangle_compare(t, a, b) < 0);
    assert_true(mangle_compare(t, b, a) > 0);
}

static void test_facts_order_by_arguments_then_interval(void **state)
{
    (void)state; /* M-EVAL-30 */
    mangle_value one[] = { number(1) }, two[] = { number(2) };
    struct mangle_fact a = { .count = 1, .args = one, .t = { 5, 9 } };
    struct mangle_fact b = { .count = 1, .args = one, .t = { 5, MANGLE_MAX_TIME } };
    struct mangle_fact c = { .count = 1, .args = two, .t = MANGLE_ALWAYS };
    assert_true(mgi_fact_compare(t, &a, &b) < 0);
    assert_true(mgi_fact_compare(t, &b, &c) < 0);
    assert_int_equal(mgi_fact_compare(t, &a, &a), 0);
}

static void test_hashes_of_the_reference(void **state)
{
    (void)state;
    mangle_value foo = name("/foo"), bar = string("bar"), one = number(1), two = number(2);
    assert_int_equal(mgi_value_hash(t, foo), 0xe00e307ff0eac718);           /* M-VAL-35 */
    assert_int_equal(mgi_value_hash(t, string("foo")), 0xd8cbc7186ba13533); /* M-VAL-36 */
    assert_int_equal(mgi_value_hash(t, mangle_pair(t, one, two)), 0x4082);  /* M-VAL-37 */
    assert_int_equal(mgi_value_hash(t, list2(one, two)), 0x1010040100);     /* M-VAL-38 */
    /* M-VAL-39 */
    assert_int_equal(mgi_value_hash(t, mangle_pair(t, foo, bar)), 0x78b21a68dedbcc00);
    assert_int_equal(mgi_value_hash(t, map1(foo, bar)), 0x2e4f7bfdb7980000);    /* M-VAL-40 */
    assert_int_equal(mgi_value_hash(t, struct1(foo, bar)), 0xf0d44c7b6f300000); /* M-VAL-41 */
    mangle_value args[] = { one, two };
    /* M-VAL-42 */
    assert_int_equal(mgi_atom_hash(t, STR_LIT("edge"), args, 2), 0x632bc4f4ee9de903);
}

static void test_hashes_of_text_are_fnv_1(void **state)
{
    (void)state; /* M-VAL-30: the numbers published with the function, not those of FNV-1a */
    assert_int_equal(mgi_value_hash(t, string("")), 0xcbf29ce484222325);
    assert_int_equal(mgi_value_hash(t, string("a")), 0xaf63bd4c8601b7be);
    assert_int_equal(mgi_value_hash(t, string("foobar")), 0x340d8765a4dda9c2);
}

static void test_hashes_of_scalars_are_their_bits(void **state)
{
    (void)state; /* M-VAL-31 */
    assert_int_equal(mgi_value_hash(t, mangle_bytes(t, "foo", 3)), 0xd8cbc7186ba13533);
    assert_int_equal(mgi_value_hash(t, number(-1)), UINT64_MAX);
    assert_int_equal(mgi_value_hash(t, mangle_float(t, 1)), 0x3ff0000000000000);
    assert_int_equal(mgi_value_hash(t, mangle_float(t, -0.0)), 0x8000000000000000);
    assert_int_equal(mgi_value_hash(t, mangle_time(t, 77)), 77);
    assert_int_equal(mgi_value_hash(t, mangle_duration(t, -2)), UINT64_MAX - 1);
    assert_int_equal(mgi_value_hash(t, VALUE_NIL), 0);
    assert_int_equal(mgi_value_hash(t, VALUE_EMPTY_MAP), 0);
    assert_int_equal(mgi_value_hash(t, VALUE_EMPTY_STRUCT), 0);
}

static void test_hashes_of_structures_pair_their_parts(void **state)
{
    (void)state; /* M-VAL-32: on both sides of a >= b, with wrap-around, with more than one entry */
    mangle_value one = number(1), two = number(2), three = number(3), four = number(4);
    assert_int_equal(mgi_value_hash(t, mangle_pair(t, number(0), three)), 9);
    assert_int_equal(mgi_value_hash(t, mangle_pair(t, one, number(128))), 0x4100);
    assert_int_equal(mgi_value_hash(t, mangle_pair(t, one, number(129))), 0x4181);
    assert_int_equal(mgi_value_hash(t, mangle_pair(t, number(-1), number(-1))), 0xffffffffffffff81);
    mangle_value map =
        mangle_map(t, (mangle_value[]){ one, three }, (mangle_value[]){ two, four }, 2);
    assert_int_equal(mgi_value_hash(t, map), 0xf9fb8a658c930800);
    mangle_value labels[] = { name("/x"), name("/y") };
    mangle_value fields = mangle_struct(t, labels, (mangle_value[]){ one, two }, 2);
    assert_int_equal(mgi_value_hash(t, fields), 0x988febd7a3f20c00);
}

static void test_hashes_of_atoms_are_over_little_endian_hashes(void **state)
{
    (void)state; /* M-VAL-34 */
    mangle_value args[] = { name("/foo"), string("foo"), mangle_float(t, 2.5) }, minus = number(-1);
    assert_int_equal(mgi_atom_hash(t, STR_LIT("ok"), NULL, 0), 0x8325907b4eb207b);
    assert_int_equal(mgi_atom_hash(t, STR_LIT("m"), args + 2, 1), 0x73ef81a338801b66); /* */
    assert_int_equal(mgi_atom_hash(t, STR_LIT("p"), &minus, 1), 0x65bd89ed59f70937);
    assert_int_equal(mgi_atom_hash(t, STR_LIT("q"), args, 3), 0xeb0a5fcf2198d382);
}

static void test_overlay_shares_what_the_parent_has(void **state)
{
    (void)state;
    mangle_value shared = list2(string("in"), number(1));
    mgi_values_freeze(t);
    mangle_values *over = mgi_values_new(t, 0);
    assert_non_null(over);
    assert_int_equal(
        mangle_list(over, (mangle_value[]){ mangle_string(over, "in", 2), mangle_number(over, 1) },
                    2),
        shared);
    size_t empty = mgi_values_bytes(over);
    mangle_value own = mangle_string(over, "own", 3);
    assert_true(own & VALUE_OVERLAY);
    assert_int_equal(mangle_string(over, "own", 3), own);
    mangle_value mixed =
        mangle_map(over, (mangle_value[]){ own, shared }, (mangle_value[]){ shared, own }, 2);
    assert_int_equal(mgi_value_entry(over, mixed, own), shared);
    assert_int_equal(mgi_value_entry(over, mixed, shared), own);
    assert_true(mgi_values_bytes(over) > empty);
    mgi_values_reset(over);
    assert_int_equal(mgi_values_bytes(over), empty);
    assert_int_equal(mangle_string(over, "new", 3), own); /* the word is free again */
    mgi_values_free(over);
}

static void test_reset_forgets_everything(void **state)
{
    (void)state;
    mgi_values_freeze(t);
    mangle_values *over = mgi_values_new(t, 0);
    char text[32];
    for (int round = 0; round < 50; round++) {
        int count = round % 2 ? 3 : 2000; /* few after many: the slots are cleared one by one */
        for (int i = 0; i < count; i++) {
            int len = snprintf(text, sizeof text, "%d/%d", round, i);
            mangle_value s = mangle_string(over, text, (size_t)len);
            mangle_value n = mangle_number(over, INT64_MAX - round * 10000 - i);
            assert_int_not_equal(mangle_map(over, &s, &n, 1), MANGLE_NONE);
            assert_int_not_equal(mangle_pair(over, s, n), MANGLE_NONE);
        }
        size_t before = mgi_values_bytes(over);
        mangle_string(over, text, strlen(text));
        assert_int_equal(mgi_values_bytes(over), before);
        mgi_values_reset(over);
    }
    mgi_values_free(over);
}

static void test_a_very_large_table_starts_anew(void **state)
{
    (void)state;
    mgi_values_freeze(t);
    mangle_values *over = mgi_values_new(t, 0);
    assert_non_null(over);
    size_t empty = mgi_values_bytes(over);
    mangle_value first = mangle_time(over, 0);
    for (int64_t i = 1; i < (1 << 20) + 10; i++)
        assert_int_not_equal(mangle_time(over, i), MANGLE_NONE);
    mgi_values_reset(over);
    assert_int_equal(mgi_values_bytes(over), empty);
    assert_int_equal(mangle_time(over, 77), first); /* the first word again */
    assert_int_equal(mangle_int_of(over, first), 77);
    mgi_values_free(over);
}

static void test_memory_limit_is_a_fault_of_its_own(void **state)
{
    (void)state;
    mgi_values_freeze(t);
    mangle_values *over = mgi_values_new(t, 10000);
    int made = 0;
    while (mangle_time(over, made) != MANGLE_NONE)
        made++;
    assert_in_range(made, 50, 1000);
    assert_true(mgi_values_bytes(over) <= 10000);
    assert_int_equal(mgi_values_fault(over), VALUES_LIMIT);
    assert_int_equal(mangle_kind_of(over, mangle_time(over, 0)), MANGLE_TIME); /* known ones stay */
    mgi_values_reset(over);
    assert_int_equal(mgi_values_fault(over), VALUES_OK);
    assert_int_not_equal(mangle_time(over, 0), MANGLE_NONE);
    mgi_values_free(over);
}

static void test_clone_continues_with_the_same_words(void **state)
{
    (void)state;
    mangle_value keys[] = { name("/x"), name("/y") }, values[] = { string("a"), number(1) };
    mangle_value map = mangle_map(t, keys, values, 2);
    mgi_values_freeze(t);
    mangle_values *copy = mgi_values_clone(t);
    assert_non_null(copy);
    assert_int_equal(mangle_map(copy, keys, values, 2), map);
    mangle_value added = mangle_string(copy, "added", 5);
    assert_int_not_equal(added, MANGLE_NONE);
    assert_int_equal(mgi_value_entry(copy, map, keys[0]), values[0]);
    mgi_values_free(copy);
}

int main(void)
{
#define VALUE_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        VALUE_TEST(test_equal_content_is_the_same_word),
        VALUE_TEST(test_kinds_never_equal_each_other),
        VALUE_TEST(test_numbers_of_31_bits_take_no_room),
        VALUE_TEST(test_names_need_a_slash_and_no_empty_part),
        VALUE_TEST(test_a_missing_part_makes_the_whole_missing),
        VALUE_TEST(test_values_that_every_table_has),
        VALUE_TEST(test_the_last_of_equal_keys_wins),
        VALUE_TEST(test_large_maps_find_every_key),
        VALUE_TEST(test_lists_are_read_by_cells_and_by_index),
        VALUE_TEST(test_depth_counts_nesting_not_length),
        VALUE_TEST(test_total_order),
        VALUE_TEST(test_deep_values_compare_without_recursion),
        VALUE_TEST(test_facts_order_by_arguments_then_interval),
        VALUE_TEST(test_hashes_of_the_reference),
        VALUE_TEST(test_hashes_of_text_are_fnv_1),
        VALUE_TEST(test_hashes_of_scalars_are_their_bits),
        VALUE_TEST(test_hashes_of_structures_pair_their_parts),
        VALUE_TEST(test_hashes_of_atoms_are_over_little_endian_hashes),
        VALUE_TEST(test_a_value_keeps_its_content),
        VALUE_TEST(test_a_structure_keeps_its_parts),
        VALUE_TEST(test_strings_are_compared_by_their_bytes),
        VALUE_TEST(test_texts_together_are_those_one_by_one),
        VALUE_TEST(test_overlay_shares_what_the_parent_has),
        VALUE_TEST(test_reset_forgets_everything),
        VALUE_TEST(test_memory_limit_is_a_fault_of_its_own),
        VALUE_TEST(test_a_very_large_table_starts_anew),
        VALUE_TEST(test_clone_continues_with_the_same_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
