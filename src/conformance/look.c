/* Looking into what came (conformance_int.h): nothing is there of what did not come. */
#include "conformance/conformance_int.h"

const struct json *mgi_at(const struct json *v, const char *pointer)
{
    return v ? mgi_json_pointer_get(v, str_of(pointer)) : NULL;
}

struct str mgi_text_at(const struct json *v, const char *pointer)
{
    const struct json *found = mgi_at(v, pointer);
    return found && found->type == JSON_STRING ? found->string : (struct str){ NULL, 0 };
}

int64_t mgi_int_at(const struct json *v, const char *pointer)
{
    const struct json *found = mgi_at(v, pointer);
    return found && found->type == JSON_INT ? found->integer : -1;
}

bool mgi_is_at(const struct json *v, const char *pointer, const char *text)
{
    const struct json *found = mgi_at(v, pointer);
    return found && str_is(found->type == JSON_STRING ? found->string : found->text, text);
}

const struct json *mgi_tool_in(const struct json *answer, const char *name)
{
    const struct json *tools = mgi_at(answer, "/payload/macro_tools");
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++)
        if (mgi_is_at(&tools->items[i], "/name", name))
            return &tools->items[i];
    return NULL;
}

const char *mgi_tool_names(struct probe *p, const struct json *answer)
{
    const struct json *tools = mgi_at(answer, "/payload/macro_tools");
    const char *names = "";
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count; i++) {
        struct str name = mgi_text_at(&tools->items[i], "/name");
        const char *more =
            mgi_arena_printf(&p->memory, "%s%s%.*s", names, i ? "," : "", STR_ARG(name));
        names = more ? more : names;
    }
    return names;
}

const char *mgi_gist(struct probe *p, const struct json *answer)
{
    struct buf text = { 0 };
    const struct json *payload = mgi_at(answer, "/payload");
    if (payload)
        mgi_json_canonical(&text, payload);
    char *kept = mgi_arena_strdup(&p->memory, text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
    char *spent = kept ? strstr(kept, "\"eval_duration_ms\":") : NULL;
    if (spent) {
        char *end = spent + strcspn(spent, ",}");
        memmove(spent, end, strlen(end) + 1);
    }
    return kept ? kept : "";
}

const char *mgi_repeat(struct probe *p, const char *format, int count)
{
    struct buf text = { 0 };
    const char *place = strstr(format, "%d");
    for (int i = 0; place && i < count; i++)
        mgi_buf_printf(&text, "%s%.*s%d%s", i ? "," : "", (int)(place - format), format, i,
                       place + 2);
    const char *kept = mgi_arena_strdup(&p->memory, text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
    return kept ? kept : "";
}

bool mgi_has_violation(const struct json *answer, const char *issue)
{
    const struct json *list = mgi_at(answer, "/payload/details/violations");
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++)
        if (mgi_is_at(&list->items[i], "/issue", issue))
            return true;
    return false;
}

/* ---- judging --------------------------------------------------------------------------------- */

void mgi_probe_fail(struct probe *p, const char *format, ...)
{
    va_list args;
    if (p->failed)
        return;
    p->failed = true;
    va_start(args, format);
    mgi_buf_vprintf(&p->failure, format, args);
    va_end(args);
}

bool mgi_probe_expect(struct probe *p, bool good, const char *format, ...)
{
    va_list args;
    if (good || p->failed)
        return good;
    p->failed = true;
    va_start(args, format);
    mgi_buf_vprintf(&p->failure, format, args);
    va_end(args);
    return false;
}

void mgi_probe_skip(struct probe *p, const char *why)
{
    p->skipped = why;
}

/* The beginning of what came, for people. */
static struct str shown(const struct json *answer)
{
    struct str text = answer ? answer->text : STR_LIT("nothing");
    return (struct str){ text.ptr, text.len < 300 ? text.len : 300 };
}

bool mgi_probe_refused(struct probe *p, const struct json *answer, const char *code)
{
    return mgi_probe_expect(
        p, mgi_is_at(answer, "/type", "error") && mgi_is_at(answer, "/payload/code", code),
        "expected the error %s, got %.*s", code, STR_ARG(shown(answer)));
}

bool mgi_probe_is(struct probe *p, const struct json *answer, const char *type)
{
    return mgi_probe_expect(p, mgi_is_at(answer, "/type", type), "expected an %s, got %.*s", type,
                            STR_ARG(shown(answer)));
}
