/* Objects of OAuth, member by member; see oauth_reading.h. */
#include "client/oauth_reading.h"

#include <stdarg.h>

#include "base/url.h"
#include "base/utf8.h"
#include "client/oauth.h"

#define DEPTH_MAX  16
#define QUOTED_MAX 200

bool mgi_oauth_reading_fault(struct oauth_reading *r, const char *format, ...)
{
    va_list args;
    if (!r->bad && !r->arena->oom) {
        mgi_buf_printf(r->why, "%s ", r->whose);
        va_start(args, format);
        mgi_buf_vprintf(r->why, format, args);
        va_end(args);
    }
    r->bad = true;
    return false;
}

bool mgi_oauth_reading(struct oauth_reading *r, struct arena *a, const char *whose, struct str text,
                       struct buf *why)
{
    const struct json_options options = { .max_depth = DEPTH_MAX };
    *r = (struct oauth_reading){ .arena = a, .whose = whose, .why = why };
    enum json_fault fault = text.len > OAUTH_DOCUMENT_BYTES
                                ? JSON_BAD_SYNTAX
                                : mgi_json_parse(a, text, &options, &r->object, NULL);
    if (fault == JSON_OK && r->object.type == JSON_OBJECT)
        return true;
    r->bad = fault == JSON_NOMEM;
    return mgi_oauth_reading_fault(r, "is no JSON object that can be read");
}

static bool is_word(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] < 0x21 || text.ptr[i] > 0x7e)
            return false;
    return text.len > 0;
}

const char *mgi_oauth_word(struct oauth_reading *r, const char *name, size_t max,
                           enum oauth_need need)
{
    const struct json *v = mgi_json_get(&r->object, name);
    if (!v || v->type == JSON_NULL) {
        if (need == OAUTH_NEEDED)
            mgi_oauth_reading_fault(r, "has no %s", name);
        return NULL;
    }
    if (v->type != JSON_STRING || !is_word(v->string) || v->string.len > max) {
        mgi_oauth_reading_fault(r, "has a %s that is not one word of at most %zu characters", name,
                                max);
        return NULL;
    }
    const char *kept = mgi_arena_str(r->arena, v->string).ptr;
    r->bad = r->bad || !kept;
    return kept;
}

const char *mgi_oauth_address(struct oauth_reading *r, const char *name, enum oauth_need need)
{
    const char *word = mgi_oauth_word(r, name, OAUTH_TEXT_MAX, need);
    const char *fault = word ? mgi_url_fault(word) : NULL;
    if (fault || (word && strchr(word, '#'))) {
        struct buf shown = { 0 };
        mgi_oauth_quote(&shown, str_of(word));
        mgi_oauth_reading_fault(r, "has %s for its %s: %s", mgi_buf_view(&shown).ptr, name,
                                fault ? fault : "it has a fragment");
        mgi_buf_fini(&shown);
        return NULL;
    }
    return word;
}

bool mgi_oauth_lists(const struct oauth_reading *r, const char *name, const char *word)
{
    const struct json *list = mgi_json_get(&r->object, name);
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++)
        if (list->items[i].type == JSON_STRING && str_is(list->items[i].string, word))
            return true;
    return false;
}

void mgi_oauth_quote(struct buf *why, struct str text)
{
    mgi_buf_putc(why, '"');
    mgi_utf8_show(why, mgi_utf8_prefix(text, QUOTED_MAX));
    mgi_buf_putc(why, '"');
}

void mgi_oauth_put_error(struct buf *why, struct str code, struct str description)
{
    if (code.len == 0)
        return;
    mgi_buf_puts(why, ": ");
    mgi_utf8_show(why, mgi_utf8_prefix(code, QUOTED_MAX));
    if (description.len > 0) {
        mgi_buf_puts(why, " (");
        mgi_utf8_show(why, mgi_utf8_prefix(description, QUOTED_MAX));
        mgi_buf_putc(why, ')');
    }
}
