/* What was hidden, and the free texts that must not repeat it. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decision/mask_int.h"

#define WHOLE_FROM 4 /* bytes from which a secret is found inside of words */
#define PREFIX     8 /* bytes of a secret that are one by themselves */

const struct str mgi_mask_shown = { "***", 3 };

/* ---- what was hidden ----------------------------------------------------------------------- */

static void remember_text(struct mask *m, struct str s)
{
    if (s.len == 0 || m->too_many)
        return;
    if (m->secret_count > 0 && str_eq(m->secrets[m->secret_count - 1], s))
        return;
    struct str copy = mgi_arena_str(m->arena, s);
    if (m->secret_count == MASK_SECRETS || !copy.ptr ||
        !mgi_arena_grow(m->arena, &m->secrets, &m->secret_cap, m->secret_count + 1,
                        sizeof *m->secrets)) {
        m->too_many = true;
        return;
    }
    m->secrets[m->secret_count++] = copy;
    m->starts[(unsigned char)copy.ptr[0]] = true;
}

/* Could a text that quotes it write this byte in another way? */
static bool is_quoted_otherwise(char c)
{
    return c == '"' || c == '\\' || (unsigned char)c < 0x20 || (unsigned char)c >= 0x7f;
}

/* The whole, and the pieces that a text may show which escapes what is between them. */
void mgi_mask_secret(struct mask *m, struct str s)
{
    size_t begin = 0;
    bool cut = false;
    remember_text(m, s);
    for (size_t i = 0; i <= s.len; i++) {
        if (i < s.len && !is_quoted_otherwise(s.ptr[i]))
            continue;
        cut |= i < s.len;
        if (cut && i - begin >= WHOLE_FROM)
            remember_text(m, (struct str){ s.ptr + begin, i - begin });
        begin = i + 1;
    }
}

static bool is_number(const struct json *v)
{
    return v->type == JSON_INT || v->type == JSON_FLOAT || v->type == JSON_HUGE;
}

/* As it was spelt, and as it is printed: 4.1e3 is 4100. */
static void remember_number(struct mask *m, const struct json *v)
{
    char whole[32];
    struct buf printed = { 0 };
    struct json_writer w;
    remember_text(m, v->text);
    mgi_json_writer_init(&w, &printed, 0);
    if (v->type == JSON_FLOAT && v->number >= -0x1p63 && v->number < 0x1p63 &&
        v->number == (double)(int64_t)v->number) {
        snprintf(whole, sizeof whole, "%" PRId64, (int64_t)v->number);
        remember_text(m, str_of(whole));
    } else if (v->type == JSON_FLOAT) {
        mgi_jw_float(&w, v->number);
        remember_text(m, mgi_buf_view(&printed));
    }
    m->too_many |= printed.oom;
    mgi_buf_fini(&printed);
}

/* Every text and number in it. Recursion: JSON_MAX_DEPTH. */
void mgi_mask_secrets(struct mask *m, const struct json *v)
{
    if (v->type == JSON_STRING)
        mgi_mask_secret(m, v->string);
    else if (is_number(v))
        remember_number(m, v);
    for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->count; i++)
        mgi_mask_secrets(m, &v->items[i]);
    for (uint32_t i = 0; v->type == JSON_OBJECT && i < v->count; i++) {
        mgi_mask_secret(m, v->members[i].name);
        mgi_mask_secrets(m, &v->members[i].value);
    }
}

bool mgi_mask_repeats(const struct mask *m, const struct json *v)
{
    bool found = m->too_many;
    for (size_t i = 0; is_number(v) && !found && i < m->secret_count; i++)
        found = str_eq(m->secrets[i], v->text);
    return is_number(v) && found;
}

/* ---- free text ----------------------------------------------------------------------------- */

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* How many bytes of a secret stand at `at`; 0: none. */
static size_t secret_at(const struct mask *m, struct str text, size_t at)
{
    size_t longest = 0;
    for (size_t i = 0; i < m->secret_count; i++) {
        struct str secret = m->secrets[i];
        size_t same = 0;
        while (same < secret.len && at + same < text.len && secret.ptr[same] == text.ptr[at + same])
            same++;
        bool whole = same == secret.len;
        bool word = (at == 0 || !is_word_byte(text.ptr[at - 1])) &&
                    (at + same == text.len || !is_word_byte(text.ptr[at + same]));
        bool found = (whole && (secret.len >= WHOLE_FROM || word)) || same >= PREFIX;
        if (found && same > longest)
            longest = same;
    }
    return longest;
}

bool mgi_mask_repeats_in(const struct mask *m, struct str text)
{
    bool found = m->too_many;
    for (size_t at = 0; !found && m->secret_count > 0 && at < text.len; at++)
        found = m->starts[(unsigned char)text.ptr[at]] && secret_at(m, text, at) > 0;
    return found;
}

static void take_out_secrets(const struct mask *m, struct buf *out, struct str text)
{
    size_t plain = 0;
    for (size_t at = 0; at < text.len;) {
        size_t len = m->starts[(unsigned char)text.ptr[at]] ? secret_at(m, text, at) : 0;
        if (len == 0) {
            at++;
            continue;
        }
        mgi_buf_append(out, text.ptr + plain, at - plain);
        mgi_buf_str(out, mgi_mask_shown);
        plain = at += len;
    }
    mgi_buf_append(out, text.ptr + plain, text.len - plain);
}

void mgi_mask_plain(struct mask *m, struct buf *out, struct str text)
{
    if (m->too_many)
        mgi_buf_str(out, mgi_mask_shown);
    else
        take_out_secrets(m, out, text);
}

void mgi_mask_text(struct mask *m, struct json_writer *w, struct str text)
{
    struct buf clean = { 0 };
    if (m->secret_count == 0 && !m->too_many) {
        mgi_jw_string(w, text);
        return;
    }
    mgi_mask_plain(m, &clean, text);
    mgi_jw_string(w, clean.oom ? mgi_mask_shown : mgi_buf_view(&clean));
    mgi_buf_fini(&clean);
}
