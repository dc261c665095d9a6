/* Values hidden one by one; what is about whole messages is in mask_walk.c and mask_facts.c. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "decision/mask_int.h"
#include "protocol/wire_time.h"
#include "sys/digest.h"

void mgi_mask_init(struct mask *m, const struct snapshot *s, struct arena *arena, struct str key)
{
    *m = (struct mask){ .s = s, .arena = arena, .key = key };
}

void mgi_mask_fini(struct mask *m)
{
    mgi_buf_fini(&m->path);
}

bool mgi_masks_anything(const struct mask *m)
{
    return m->s && m->s->masking.count > 0;
}

/* ---- digests ------------------------------------------------------------------------------- */

#define VALUE_BYTES 8  /* of a digest that stands for a value */
#define TEXT_BYTES  16 /* for a whole text */

/* "hmac:" and so many bytes as digits. False: memory. */
static bool print_digest(const struct mask *m, struct str content, size_t bytes,
                         char out[8 + 2 * SHA256_BYTES])
{
    uint8_t digest[SHA256_BYTES];
    char digits[2 * SHA256_BYTES + 1];
    if (!mgi_hmac_sha256(m->key, content.ptr, content.len, digest))
        return false;
    mgi_hex(digest, bytes, digits);
    snprintf(out, 8 + 2 * SHA256_BYTES, "hmac:%s", digits);
    return true;
}

void mgi_mask_digest(const struct mask *m, struct json_writer *w, const char *name,
                     struct str content)
{
    char text[8 + 2 * SHA256_BYTES];
    if (m->key.len == 0)
        return;
    if (print_digest(m, content, TEXT_BYTES, text))
        mgi_jw_member_cstr(w, name, text);
    else
        w->out->oom = true;
}

/* ---- one value ----------------------------------------------------------------------------- */

static void write_keyed(const struct mask *m, struct json_writer *w, const struct json *v)
{
    struct buf canonical = { 0 };
    char text[8 + 2 * SHA256_BYTES];
    mgi_json_canonical(&canonical, v);
    w->out->oom |= canonical.oom;
    if (print_digest(m, mgi_buf_view(&canonical), VALUE_BYTES, text))
        mgi_jw_cstring(w, text);
    else
        mgi_jw_string(w, mgi_mask_shown);
    mgi_buf_fini(&canonical);
}

void mgi_mask_hide(struct mask *m, struct json_writer *w, enum mask_action action,
                   const struct json *v)
{
    m->masked++;
    mgi_mask_secrets(m, v);
    switch (action) {
    case MASK_REPLACE:
        mgi_jw_string(w, mgi_mask_shown);
        break;
    case MASK_DROP:
        mgi_jw_null(w);
        break;
    case MASK_HASH:
        write_keyed(m, w, v);
        break;
    }
}

void mgi_mask_pass(struct json_writer *w, const struct json *v)
{
    if (v->text.len > 0 && !memchr(v->text.ptr, '\n', v->text.len) &&
        !memchr(v->text.ptr, '\r', v->text.len))
        mgi_jw_raw(w, v->text);
    else
        mgi_jw_value(w, v);
}

void mgi_mask_hidden_name(struct mask *m, struct json_writer *w, struct str name, uint32_t at)
{
    char text[32];
    mgi_mask_secret(m, name);
    snprintf(text, sizeof text, "***%" PRIu32, at);
    mgi_jw_key(w, text);
}

void mgi_mask_remember(struct mask *m, const struct json *v)
{
    if (mgi_masks_anything(m))
        mgi_mask_secrets(m, v);
}

struct str mgi_mask_identity(const struct snapshot *s, const struct principal *who)
{
    size_t count;
    (void)mgi_masking_of(&s->masking, MASK_FACTS, STR_LIT("client_identity"), &count);
    return count > 0 && who->identity.len > 0 ? mgi_mask_shown : who->identity;
}

void mgi_mask_unknown(struct mask *m, struct json_writer *w, const struct json *v)
{
    if (mgi_masks_anything(m))
        mgi_mask_hide(m, w, MASK_REPLACE, v);
    else
        mgi_mask_pass(w, v);
}

void mgi_mask_unknown_member(struct mask *m, struct json_writer *w,
                             const struct json_member *member, uint32_t at)
{
    if (mgi_masks_anything(m))
        mgi_mask_hidden_name(m, w, member->name, at);
    else
        mgi_jw_key_str(w, member->name);
    mgi_mask_unknown(m, w, &member->value);
}

/* ---- forms that say nothing ---------------------------------------------------------------- */

bool mgi_mask_is_word(const struct json *v, const char *const *words)
{
    while (v->type == JSON_STRING && *words && !str_is(v->string, *words))
        words++;
    return v->type == JSON_STRING && *words;
}

bool mgi_mask_is_time(const struct json *v)
{
    const int any = WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS;
    int64_t ns;
    return mgi_wire_time(v, any, &ns, NULL) < WIRE_TIME_BAD;
}

/* ---- what is said of one argument ---------------------------------------------------------- */

const struct mask_rule *mgi_mask_rule_of_argument(const struct fact_masks *f, int64_t argument)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->rules[i].argument == argument || f->rules[i].argument == MASK_EVERY_ARGUMENT)
            return &f->rules[i];
    return NULL;
}

void mgi_mask_argument_text(struct mask *m, struct json_writer *w, const char *pred,
                            int64_t argument, struct str text)
{
    struct fact_masks f = { .rules = NULL };
    const struct json v = { .type = JSON_STRING, .string = text };
    if (mgi_masks_anything(m))
        f.rules = mgi_masking_of(&m->s->masking, MASK_FACTS, str_of(pred), &f.count);
    const struct mask_rule *rule = mgi_mask_rule_of_argument(&f, argument);
    if (rule)
        mgi_mask_hide(m, w, rule->action, &v);
    else
        mgi_mask_text(m, w, text);
}
