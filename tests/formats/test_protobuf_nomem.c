/* Reading descriptor sets and messages survives the failure of any one allocation, and says so. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mangle/value/value.h"
#include "formats/protobuf.h"
#include "support/nomem.h"

/* A tag of wire type 2 with its length, which is that of what follows in the next string. */
#define LEN(field, len) (char)((field) << 3 | 2), (char)(len)

/* package p; enum E { A = 0; }
 * message M { int32 i = 1; M m = 2; repeated string s = 3; E e = 4; map<int32, string> k = 5;
 *   message K { int32 a = 1; string b = 2; } is the entry } */
static const char set_bytes[] = {
    LEN(1, 124), LEN(2, 1),  'p', /* file: its package */
    LEN(4, 107), LEN(1, 1),  'M', /* message */
    LEN(2, 9),   LEN(1, 1),  'i',       0x18,      1,          0x20,      1,          0x28,
    5,           LEN(2, 15), LEN(1, 1), 'm',       0x18,       2,         0x20,       1,
    0x28,        11,         LEN(6, 4), '.',       'p',        '.',       'M',        LEN(2, 9),
    LEN(1, 1),   's',        0x18,      3,         0x20,       3,         0x28,       9,
    LEN(2, 15),  LEN(1, 1),  'e',       0x18,      4,          0x20,      1,          0x28,
    14,          LEN(6, 4),  '.',       'p',       '.',        'E',       LEN(2, 17), LEN(1, 1),
    'k',         0x18,       5,         0x20,      3,          0x28,      11,         LEN(6, 6),
    '.',         'p',        '.',       'M',       '.',        'K',       LEN(3, 27), LEN(1, 1),
    'K',         LEN(2, 9),  LEN(1, 1), 'a',       0x18,       1,         0x20,       1,
    0x28,        5,          LEN(2, 7), LEN(1, 1), 'b',        0x18,      2,          0x28,
    9,           LEN(7, 2),  0x38,      1,         LEN(5, 10), LEN(1, 1), 'E',        LEN(2, 5),
    LEN(1, 1),   'A',        0x10,      0,
};

static const char message_bytes[] = {
    0x08,      1,    LEN(2, 2), 0x08,      2,    LEN(2, 2), 0x08, 3, /* m in two pieces */
    LEN(3, 1), 'x',  LEN(3, 1), 'y',       0x20, 0,         0x20, 0,
    LEN(5, 5), 0x08, 7,         LEN(2, 1), 'v',  LEN(5, 0),
};

static struct proto_set *read_set(struct proto_error *e)
{
    return mgi_proto_set_read((struct str){ set_bytes, sizeof set_bytes }, e);
}

static void test_a_set_survives(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct proto_error e;
        nomem_fail_at(n);
        struct proto_set *set = read_set(&e);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_proto_set_free(set);
        assert_int_equal(set == NULL, failed);
        assert_int_equal(e.oom, failed);
        if (!failed)
            break;
    }
}

static void test_a_message_survives(void **state) /* M-IO-68 */
{
    (void)state;
    struct proto_error e;
    struct proto_set *set = read_set(&e);
    assert_non_null(set);
    for (size_t n = 1;; n++) {
        mangle_values *t = mgi_values_new(NULL, 0);
        nomem_fail_at(n);
        mangle_value v = mgi_struct_from_proto(
            set, STR_LIT("p.M"), t, (struct str){ message_bytes, sizeof message_bytes }, &e);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(v == MANGLE_NONE, failed);
        assert_int_equal(e.oom, failed);
        if (!failed) {
            char *text = mangle_value_print(t, v, MANGLE_FILE, NULL);
            assert_non_null(strstr(text, "/m : {/i : 3}"));
            assert_non_null(strstr(text, "/s : [\"x\", \"y\"]"));
            assert_non_null(strstr(text, "/e : /E/A"));
            assert_non_null(strstr(text, "/k : [7 : \"v\", 0 : \"\"]"));
            mangle_free(text);
        }
        mgi_values_free(t);
        if (!failed)
            break;
    }
    mgi_proto_set_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_set_survives),
        cmocka_unit_test(test_a_message_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
