/* See redact.h. */
#include "redact.h"

static const char mark[] = "[secret]";

/* How long the longest secret at the beginning of `rest` is. */
static size_t secret_length(struct str rest, struct secrets secrets)
{
    size_t longest = 0;
    for (size_t i = 0; i < secrets.count; i++)
        if (secrets.items[i].len > longest && mgi_str_starts(rest, secrets.items[i]))
            longest = secrets.items[i].len;
    return longest;
}

void mgi_redact(struct buf *out, struct str text, struct secrets secrets)
{
    size_t kept = 0, at = 0;
    while (secrets.count > 0 && at < text.len) {
        size_t len = secret_length((struct str){ text.ptr + at, text.len - at }, secrets);
        if (len == 0) {
            at++;
            continue;
        }
        mgi_buf_append(out, text.ptr + kept, at - kept);
        mgi_buf_puts(out, mark);
        at += len;
        kept = at;
    }
    mgi_buf_append(out, text.ptr + kept, text.len - kept);
}

void mgi_redact_string(struct json_writer *w, struct str text, struct secrets secrets)
{
    struct buf clean = { 0 };
    mgi_redact(&clean, text, secrets);
    mgi_jw_string(w, mgi_buf_view(&clean));
    w->out->oom |= clean.oom;
    mgi_buf_fini(&clean);
}

static bool holds_secret(struct str text, struct secrets secrets)
{
    for (size_t i = 0; i < secrets.count; i++)
        if (mgi_str_find(text, secrets.items[i]) != SIZE_MAX)
            return true;
    return false;
}

static void write_key(struct json_writer *w, struct str name, struct secrets secrets)
{
    struct buf clean = { 0 };
    mgi_redact(&clean, name, secrets);
    mgi_jw_key_str(w, mgi_buf_view(&clean));
    w->out->oom |= clean.oom;
    mgi_buf_fini(&clean);
}

/* Its depth is bounded: JSON is read to 64 levels. */
void mgi_redact_value(struct json_writer *w, const struct json *v, struct secrets secrets)
{
    if (secrets.count == 0) {
        mgi_jw_value(w, v);
    } else if (v->type == JSON_OBJECT) {
        mgi_jw_begin_object(w);
        for (uint32_t i = 0; i < v->count; i++) {
            write_key(w, v->members[i].name, secrets);
            mgi_redact_value(w, &v->members[i].value, secrets);
        }
        mgi_jw_end_object(w);
    } else if (v->type == JSON_ARRAY) {
        mgi_jw_begin_array(w);
        for (uint32_t i = 0; i < v->count; i++)
            mgi_redact_value(w, &v->items[i], secrets);
        mgi_jw_end_array(w);
    } else if (v->type == JSON_STRING) {
        mgi_redact_string(w, v->string, secrets);
    } else if (holds_secret(v->text, secrets)) {
        mgi_redact_string(w, v->text, secrets);
    } else {
        mgi_jw_value(w, v);
    }
}
