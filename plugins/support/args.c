/* Arguments of a call, read from its input with toolhost_json.h; see action.h. */
#include "plugins/support/action.h"

#include <inttypes.h>

#include "base/near.h"

bool mgi_arg_raw(struct action *a, const char *name, th_str *value)
{
    th_str found;
    if (!th_json_member(a->input, name, &found))
        return false;
    if (found.len == 4 && memcmp(found.ptr, "null", 4) == 0)
        return false;
    *value = found;
    return true;
}

bool mgi_arg_given(const struct action *a, const char *name)
{
    th_str value;
    return mgi_arg_raw((struct action *)a, name, &value);
}

bool mgi_arg_need(struct action *a, const char *name)
{
    return mgi_arg_given(a, name) || mgi_action_fail(a, "%s: missing", name);
}

struct str mgi_arg_string(struct arena *arena, th_str value)
{
    char *text = mgi_arena_alloc(arena, value.len + 1); /* escapes are longer than what they mean */
    size_t len = 0;
    const char *p = value.ptr, *end = value.ptr + value.len;
    if (!text || value.len < 2 || *p != '"' || th_json_string_end(p, end) != end)
        return (struct str){ NULL, 0 };
    for (p++, end--; p < end;) {
        if (*p != '\\') {
            text[len++] = *p++;
        } else if (end - p >= 6 && memcmp(p, "\\u0000", 6) == 0) {
            text[len++] = '\0'; /* th_json_escape() knows none */
            p += 6;
        } else {
            p++;
            size_t count = th_json_escape(&p, end, text + len);
            if (count == 0)
                return (struct str){ NULL, 0 };
            len += count;
        }
    }
    text[len] = '\0';
    return (struct str){ text, len };
}

bool mgi_arg_text(struct action *a, const char *name, size_t most_bytes, struct str *value)
{
    th_str raw;
    if (!mgi_arg_raw(a, name, &raw))
        return false;
    if (raw.ptr[0] != '"')
        return mgi_action_fail(a, "%s: not a string", name);
    struct str text = mgi_arg_string(&a->arena, raw);
    if (!text.ptr)
        return mgi_action_nomem(a);
    if (text.len > most_bytes)
        return mgi_action_fail(a, "%s: %zu bytes are more than %zu", name, text.len, most_bytes);
    *value = text;
    return true;
}

bool mgi_arg_int(struct action *a, const char *name, int64_t least, int64_t most, int64_t *value)
{
    th_str raw;
    int64_t n;
    if (!mgi_arg_raw(a, name, &raw))
        return false;
    if (!th_json_int(raw, &n))
        return mgi_action_fail(a, "%s: not a whole number", name);
    if (n < least || n > most)
        return mgi_action_fail(a, "%s: %" PRId64 " is not from %" PRId64 " to %" PRId64, name, n,
                               least, most);
    *value = n;
    return true;
}

bool mgi_arg_bool(struct action *a, const char *name, bool *value)
{
    th_str raw;
    if (!mgi_arg_raw(a, name, &raw))
        return false;
    if (raw.ptr[0] != 't' && raw.ptr[0] != 'f')
        return mgi_action_fail(a, "%s: neither true nor false", name);
    *value = raw.ptr[0] == 't';
    return true;
}

bool mgi_arg_word(struct action *a, const char *name, const char *const *words, size_t *value)
{
    struct str text;
    if (!mgi_arg_text(a, name, 256, &text))
        return false;
    for (size_t i = 0; words[i]; i++)
        if (str_is(text, words[i])) {
            *value = i;
            return true;
        }
    mgi_action_fail(a, "%s: \"%.*s\" is none of", name, STR_ARG(text));
    for (size_t i = 0; words[i]; i++)
        mgi_buf_printf(&a->error, "%s %s", i ? "," : "", words[i]);
    return false;
}

/* Behind the value, its comma and space; the container's end stays. */
static const char *next_item(const char *p, const char *end)
{
    p = th_json_space(p, end);
    return p < end && *p == ',' ? th_json_space(p + 1, end) : p;
}

bool mgi_arg_each(th_str container, size_t *at, th_str *name, th_str *value)
{
    const char *end = container.ptr + container.len;
    if (container.len < 2 || (container.ptr[0] != '[' && container.ptr[0] != '{'))
        return false;
    const char *p = *at ? container.ptr + *at : th_json_space(container.ptr + 1, end);
    *name = (th_str){ p, 0 };
    if (p >= end || *p == ']' || *p == '}')
        return false;
    if (container.ptr[0] == '{') {
        const char *behind = *p == '"' ? th_json_string_end(p, end) : NULL;
        if (!behind)
            return false;
        name->len = (size_t)(behind - p);
        p = th_json_space(behind, end);
        if (p >= end || *p != ':')
            return false;
        p = th_json_space(p + 1, end);
    }
    const char *behind = th_json_value_end(p, end);
    if (!behind || behind == p)
        return false;
    *value = (th_str){ p, (size_t)(behind - p) };
    *at = (size_t)(next_item(behind, end) - container.ptr);
    return true;
}

void mgi_arg_known(struct action *a, const char *const *names)
{
    th_str name, value;
    for (size_t at = 0; mgi_arg_each(a->input, &at, &name, &value);) {
        struct str text = mgi_arg_string(&a->arena, name);
        struct near near = mgi_near(text);
        bool known = false;
        for (size_t i = 0; names[i] && !known; i++) {
            known = str_is(text, names[i]);
            mgi_near_try(&near, str_of(names[i]));
        }
        if (!known && near.best.len)
            mgi_action_fail(a, "%.*s: no such argument; did you mean %.*s?", STR_ARG(text),
                            STR_ARG(near.best));
        else if (!known)
            mgi_action_fail(a, "%.*s: no such argument", STR_ARG(text));
    }
}
