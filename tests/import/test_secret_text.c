/* Configurations as texts for people: what is secret in them is not shown, in any form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "import/secret.h"

static void masked(const char *text, const char *wanted)
{
    struct buf out = { 0 };
    mgi_import_mask(&out, str_of(text));
    assert_string_equal(out.ptr ? out.ptr : "", wanted);
    mgi_buf_fini(&out);
}

static void what_is_named_secret_is_not_shown(void **state)
{
    (void)state;
    masked("{\"env\": {\"API_KEY\": \"hunter2\", \"MODE\": \"fast\"}}",
           "{\"env\": {\"API_KEY\": \"[secret]\", \"MODE\": \"fast\"}}");
    masked("\"githubToken\" :\n  \"hun\\\"ter2\",", "\"githubToken\" :\n  \"[secret]\",");
    masked("[\"--api-key\",\n \"hunter2\", \"--port\", \"80\"]",
           "[\"--api-key\",\n \"[secret]\", \"--port\", \"80\"]");
    masked("[\"--token=hunter2\", \"PASSWORD=hunter2\", \"A=b\"]",
           "[\"--token=[secret]\", \"PASSWORD=[secret]\", \"A=b\"]");
    masked("GITHUB_TOKEN = 'hunter2'\nname = \"x\"", "GITHUB_TOKEN = '[secret]'\nname = \"x\"");
    masked("\"url\": \"https://h/x?a=1&api_key=hunter2&b=2\"",
           "\"url\": \"https://h/x?a=1&api_key=[secret]\"");
    masked("\"url\": \"https://ann:hunter2@h/\"", "\"url\": \"[secret]\"");
    masked("\"headers\": {\"X-Any\": \"hunter2\"}, \"args\": [\"b\"]",
           "\"headers\": {\"X-Any\": \"[secret]\"}, \"args\": [\"b\"]");
    masked("password: 123456\nport: 80", "password: [secret]\nport: 80");
}

static void what_looks_secret_is_not_shown_anywhere(void **state)
{
    (void)state;
    masked("// ghp_abcdefghijklmnop was here", "// [secret] was here");
    masked("# X = sk-proj-123456789", "# X = [secret]");
    masked("[\"aB3dE5gH7jK9mN1pQ3sT\"]", "[\"[secret]\"]");
    masked("\"TOKEN\": \"never ends", "\"TOKEN\": \"[secret]");
}

static void all_else_is_as_it_was(void **state)
{
    static const char *const texts[] = {
        "",
        "{\"command\": \"/usr/bin/npx\", \"args\": [\"-y\", \"@a/b@1.2.3\"]} // why not",
        "{\"tls-key\": \"/etc/key.pem\", \"API_KEY\": \"${API_KEY}\", \"TOKEN\": \"\"}",
        "[mcp_servers.x]\ncommand = \"c\"\nargs = [\"--max-tokens\", \"10\"]\n",
        "\xef\xbb\xbf{\"a\": 1}\r\n",
        "\"\"\"'''\n\"\\\n",
        "[\"--key-file=/etc/x\", \"TOKEN=${T}\", \"https://example.com/a?b=c\"]",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        masked(texts[i], texts[i]);
}

/* Whatever the text, it ends, and nothing is lost but secrets. */
static void any_text_is_read_to_its_end(void **state)
{
    static const char bytes[] = "\"'\\=: \n-{}[]aK/$?&;\xc3\xa9";
    uint64_t seed = 7;
    (void)state;
    for (int turn = 0; turn < 20000; turn++) {
        char text[24];
        struct buf out = { 0 };
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[i] = bytes[(seed >> 33) % (sizeof bytes - 1)];
        }
        struct str exact = { text, sizeof text };
        char *heap = malloc(exact.len); /* so that one byte too far is seen */
        assert_non_null(heap);
        memcpy(heap, text, exact.len);
        mgi_import_mask(&out, (struct str){ heap, exact.len });
        if (mgi_str_find(mgi_buf_view(&out), STR_LIT("[secret]")) == SIZE_MAX)
            assert_true(str_eq(mgi_buf_view(&out), exact));
        free(heap);
        mgi_buf_fini(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_named_secret_is_not_shown),
        cmocka_unit_test(what_looks_secret_is_not_shown_anywhere),
        cmocka_unit_test(all_else_is_as_it_was),
        cmocka_unit_test(any_text_is_read_to_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
