/* What a bridge makes of a server's words. The first byte chooses: an answer becomes entries of a
 * client's log, whole JSON objects within their bounds; a manifest and skills become lists that a
 * server of MCP takes; texts become a question for a person, with few marks on a character. */
#include <stdlib.h>

#include "base/utf8.h"
#include "bridge/catalogue.h"
#include "bridge/consent_text.h"
#include "bridge/tell.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void try_answer(struct str text)
{
    struct tell t = { .least = MCP_DEBUG };
    struct arena arena;
    struct json v;
    size_t from = 0;
    mgi_tell_answer(&t, "tool", text);
    mgi_arena_init(&arena, 0);
    for (size_t i = 0; i < t.count; i++) {
        struct str one = { t.text.ptr + from, t.entries[i].end - from };
        if (one.len > 4 * (2 * TELL_TEXT + 100) ||
            mgi_json_parse(&arena, one, NULL, &v, NULL) != JSON_OK || v.type != JSON_OBJECT)
            abort();
        from = t.entries[i].end;
    }
    mgi_arena_fini(&arena);
    mgi_tell_fini(&t);
}

static void try_lists(struct str text)
{
    struct arena arena;
    struct json v;
    struct buf file = { 0 };
    mgi_arena_init(&arena, 0);
    bool is_json = mgi_json_parse(&arena, text, NULL, &v, NULL) == JSON_OK;
    struct catalogue *c = mgi_catalogue_new(is_json ? &v : NULL, text);
    if (!c || c->tools[ASK_RUN].read_only > !c->tools[ASK_RUN].destructive)
        abort();
    for (size_t i = 0; i < c->skill_count; i++)
        mgi_skill_write_file(&c->skills[i], &file);
    if (c->skill_count > 0 && !mgi_str_starts(mgi_buf_view(&file), STR_LIT("---\nname: ")))
        abort();
    mgi_buf_fini(&file);
    mgi_catalogue_free(c);
    mgi_arena_fini(&arena);
}

static void try_question(const uint8_t *bytes, size_t size)
{
    struct buf text = { 0 }, out = { 0 };
    mgi_buf_append(&text, (const char *)bytes, size);
    mgi_buf_putc(&text, '\0');
    const struct manglecp_consent what = {
        .tool = "tool", .description = text.ptr, .args = text.ptr, .bound = "[]"
    };
    mgi_consent_text(&out, &what);
    if (out.len > CONSENT_TEXT_BYTES || !mgi_utf8_valid(mgi_buf_view(&out), NULL))
        abort();
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    struct str text = { (const char *)bytes + 1, size - 1 };
    switch (bytes[0] % 3) {
    case 0:
        try_answer(text);
        break;
    case 1:
        try_lists(text);
        break;
    default:
        try_question(bytes + 1, size - 1);
    }
    return 0;
}
