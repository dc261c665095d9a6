/* File text reads back to the same value: random values of every kind, printed, parsed as a fact
 * and compared, which for interned values is one comparison of words. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "mangle/program.h"

#define ROUNDS    20000
#define MAX_PARTS 4

static mangle_values *t;
static uint64_t seed = 1;

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
    return mangle_float(t, isfinite(d) ? d : (double)(int64_t)bits);
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

static void assert_reads_back(const mangle_program *p, mangle_value v)
{
    struct buf text = { 0 };
    struct arena arena;
    struct fact *facts = NULL;
    size_t count = 0;
    mgi_arena_init(&arena, 0);
    mgi_buf_puts(&text, "q(");
    assert_true(mgi_value_print(&text, t, v, MANGLE_FILE));
    mgi_buf_puts(&text, ").");
    mangle_diags *diags = mangle_diags_new();
    struct parse_target target = { p, &arena, t, diags };
    struct mangle_source source = { "value", text.ptr, text.len };
    enum mangle_status st = mgi_parse_facts(&target, &source, &facts, &count);
    if (st || count != 1 || facts[0].args[0] != v)
        fail_msg("%s does not read back: %s", text.ptr,
                 st ? mangle_diags_get(diags, 0)->message : "another value");
    mangle_diags_free(diags);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&text);
}

static void test_file_text_reads_back_to_the_same_value(void **state)
{
    (void)state; /* M-VAL-69 */
    static const char rules[] = "Decl q(X). p(X) :- q(X).";
    struct mangle_source source = { "rules", rules, sizeof rules - 1 };
    mangle_program *p;
    assert_int_equal(mangle_compile(&source, 1, NULL, &p, NULL), MANGLE_OK);
    t = mgi_values_new(mangle_program_values(p), 0);
    assert_non_null(t);
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
    mgi_values_free(t);
    mangle_program_unref(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_text_reads_back_to_the_same_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
