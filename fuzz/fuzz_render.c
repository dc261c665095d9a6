/* What a model is shown of any message, under any budget. The first two bytes choose how. What
 * comes out is text: UTF-8 without a control character, within its budget, and the same again. */
#include <stdlib.h>

#include "base/utf8.h"
#include "manglecp.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static enum manglecp_status show(unsigned what, manglecp_shown *shown, const char *json, size_t len,
                                 const struct manglecp_show *how, char **out, size_t *out_len)
{
    switch (what % 6) {
    case 0:
        return manglecp_show_tools(shown, json, len, how, out, out_len);
    case 1:
        return manglecp_show_result(shown, json, len, how, out, out_len);
    case 2:
        return manglecp_show_manifest(shown, json, len, how, out, out_len);
    case 3:
        return manglecp_show_facts(json, len, NULL, how, out, out_len);
    case 4:
        return manglecp_show_why(json, len, NULL, how, out, out_len);
    default:
        return manglecp_show_error(json, len, how, out, out_len);
    }
}

static void check_text(const char *text, size_t len, size_t max)
{
    struct str s = { text, len };
    if (!mgi_utf8_valid(s, NULL) || manglecp_tokens(text, len) > max)
        abort();
    for (size_t i = 0; i < len; i++)
        if (((unsigned char)text[i] < ' ' && text[i] != '\n') || text[i] == 0x7f)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    const char *json = (const char *)bytes + 2;
    struct manglecp_show how = { .max_tokens = 100 + (size_t)bytes[1] * 8, .now_ns = 1 };
    manglecp_shown *shown = manglecp_shown_new();
    char *out;
    size_t len;
    (void)manglecp_tokens(json, size - 2);
    for (int i = 0; shown && i < 2; i++) {
        if (show(bytes[0], shown, json, size - 2, &how, &out, &len) == MANGLECP_OK)
            check_text(out, len, how.max_tokens);
        manglecp_free(out);
    }
    manglecp_shown_free(shown);
    return 0;
}
