/* File text reads back to the same value, and canonical text does but for what the reference
 * excepts: random values of every kind, printed, parsed as a fact and compared, which for interned
 * values is one comparison of words. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "mangle/check/target.h"

#define ROUNDS    20000
#define MAX_PARTS 4

static mangle_values *t;
static uint64_t seed = 1;
static enum mangle_text_form form; /* of which only what reads back is made */

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

static uint64_t roll_bits(void)
{
    uint64_t bits = (uint64_t)roll(UINT32_C(1) << 31) << 33 ^ (uint64_t)roll(UINT32_C(1) << 31)
                                                                  << 11;
    return (bits ^ roll(1 << 12)) >> roll(64); /* small ones as often as large ones */
}

static mangle_value random_name(void)
{
    static const char chars[] = "abzAZ09.-_~%";
    char text[24];
    size_t len = 0;
    for (uint32_t parts = 1 + roll(3); parts > 0; parts--) {
        text[len++] = '/';
        for (uint32_t n = 1 + roll(5); n > 0; n--)
            text[len++] = chars[roll(sizeof chars - 1)];
    }
    if (text[len - 1] == '.') /* before a blank it would end the clause: M-LEX-22 */
        text[len - 1] = 'x';
    return mangle_name(t, text, len);
}

static mangle_value random_string(void)
{
    static const uint32_t codes[] = { 0,    1,    '\t', '\n',   '\r',   0x1f,    ' ',
                                      '"',  '\'', '\\', '`',    'x',    'u',     '{',
                                      0x7f, 0x80, 0xe4, 0x2028, 0xfffd, 0x1f600, 0x10ffff };
    char text[64];
    size_t len = 0;
    for (uint32_t n = roll(12); n > 0; n--)
        len += mgi_utf8_put(codes[roll(sizeof codes / sizeof *codes)], text + len);
    for (size_t i = 0; i < len && form == MANGLE_CANONICAL; i++)
        if (text[i] == '\r')
            text[i] = 'r';
    return mangle_string(t, text, len);
}

static mangle_value random_bytes(void)
{
    char bytes[12];
    size_t len = roll(sizeof bytes);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)roll(256);
    return mangle_bytes(t, bytes, len);
}

static mangle_value random_float(void)
{
    uint64_t bits = roll_bits() ^ (uint64_t)roll(4096) << 52;
    double d;
    memcpy(&d, &bits, sizeof d);
    if (!isfinite(d))
        d = (double)(int64_t)bits;
    return mangle_float(t, form == MANGLE_CANONICAL && d == floor(d) ? 0.5 : d);
}

/* Of parts made before: so values share parts, and nothing recurses. */
static mangle_value random_value(const mangle_value *made, uint32_t count)
{
    mangle_value keys[MAX_PARTS], values[MAX_PARTS], labels[MAX_PARTS];
    uint32_t parts = roll(MAX_PARTS + 1);
    for (uint32_t i = 0; i < MAX_PARTS; i++) {
        keys[i] = made[roll(count)];
        values[i] = made[roll(count)];
        labels[i] = random_name();
    }
    switch (roll(12)) {
    case 0:
        return random_name();
    case 1:
        return random_string();
    case 2:
        return random_bytes();
    case 3:
        return mangle_number(t, (int64_t)(roll(2) ? roll_bits() : 0 - roll_bits()));
    case 4:
    case 5:
        return random_float();
    case 6:
        return mangle_time(t, (int64_t)roll_bits());
    case 7:
        return mangle_duration(t, (int64_t)(roll(2) ? roll_bits() : 0 - roll_bits()));
    case 8:
        return mangle_pair(t, keys[0], values[0]);
    case 9:
        return mangle_list(t, values, parts);
    case 10:
        return mangle_map(t, keys, values, parts);
    default:
        return mangle_struct(t, labels, values, parts);
    }
}

/* The only argument of the fact `q(text)`, or MANGLE_NONE if that is no fact. */
static mangle_value read_value(const mangle_program *p, struct str text)
{
    struct arena arena;
    struct fact *facts = NULL;
    size_t count = 0;
    struct buf clause = { 0 };
    mgi_arena_init(&arena, 0);
    mgi_buf_puts(&clause, "q(");
    mgi_buf_append(&clause, text.ptr, text.len);
    mgi_buf_puts(&clause, ").");
    struct parse_target target = { p, &arena, t, NULL };
    struct mangle_source source = { "value", clause.ptr, clause.len };
    enum mangle_status st = mgi_parse_facts(&target, &source, &facts, &count);
    mangle_value v = st || count != 1 ? MANGLE_NONE : facts[0].args[0];
    mgi_arena_fini(&arena);
    mgi_buf_fini(&clause);
    return v;
}

static mangle_value read_back(const mangle_program *p, mangle_value v)
{
    struct buf text = { 0 };
    assert_true(mgi_value_print(&text, t, v, form));
    mangle_value got = read_value(p, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return got;
}

static void assert_reads_back(const mangle_program *p, mangle_value v)
{
    if (read_back(p, v) == v)
        return;
    struct buf text = { 0 };
    mgi_value_print(&text, t, v, form);
    fail_msg("%s does not read back", text.ptr);
}

static int setup(void **state)
{
    static const char rules[] = "Decl q(X). p(X) :- q(X).";
    struct mangle_source source = { "rules", rules, sizeof rules - 1 };
    mangle_program *p;
    if (mangle_compile(&source, 1, NULL, &p, NULL))
        return -1;
    *state = p;
    t = mgi_values_new(mangle_program_values(p), 0);
    return t ? 0 : -1;
}

static int teardown(void **state)
{
    mgi_values_free(t);
    mangle_program_unref(*state);
    return 0;
}

static void random_values_read_back(const mangle_program *p)
{
    mangle_value made[64] = { VALUE_NIL };
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t count = i < 64 ? i + 1 : 64;
        mangle_value v = random_value(made, count);
        assert_int_not_equal(v, MANGLE_NONE);
        assert_reads_back(p, v);
        if (mgi_value_depth(t, v) < 4)
            made[roll(64)] = v;
        for (uint32_t k = 0; k < 64; k++)
            if (made[k] == MANGLE_NONE)
                made[k] = v;
    }
}

static void test_file_text_reads_back_to_the_same_value(void **state)
{
    form = MANGLE_FILE; /* M-VAL-69 */
    random_values_read_back(*state);
}

static void test_canonical_text_reads_back_to_the_same_value(void **state)
{
    form = MANGLE_CANONICAL; /* M-VAL-67, M-VAL-63 */
    random_values_read_back(*state);
}

static void test_what_canonical_text_loses(void **state)
{
    const mangle_program *p = *state;
    form = MANGLE_CANONICAL; /* M-VAL-67, M-VAL-63, M-LEX-33, Q-17, Q-22 */
    mangle_value minus[] = { mangle_number(t, -1), mangle_number(t, 2) };
    mangle_value list = mangle_list(t, minus, 2), map = mangle_map(t, minus, minus + 1, 1);
    assert_reads_back(p, list); /* no opener of a window */
    assert_reads_back(p, map);
    assert_int_equal(read_back(p, mangle_float(t, -3)), mangle_number(t, -3));
    assert_int_equal(read_back(p, mangle_string(t, "a\rb", 3)), mangle_string(t, "a\nb", 3));
    assert_int_equal(read_back(p, mangle_float(t, (double)NAN)), MANGLE_NONE);
    assert_int_equal(read_back(p, mangle_float(t, -(double)INFINITY)), MANGLE_NONE);
    assert_int_equal(read_back(p, mangle_name(t, "/a b", 4)), MANGLE_NONE);
    assert_int_equal(read_back(p, mangle_string(t, "\xff", 1)), MANGLE_NONE);
}

int main(void)
{
#define TRIP_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TRIP_TEST(test_file_text_reads_back_to_the_same_value),
        TRIP_TEST(test_canonical_text_reads_back_to_the_same_value),
        TRIP_TEST(test_what_canonical_text_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
