/* Logins as text, and which one is for an address; see credentials.h. */
#include "client/credentials.h"

#include "base/json.h"
#include "base/url.h"
#include "client/oauth.h"
#include "client/oauth_reading.h"

#define VERSION 1

/* ---- text ------------------------------------------------------------------------------------ */

static bool read_entry(struct arena *a, const struct json *v, struct credential *out,
                       struct buf *why)
{
    struct oauth_reading r = { .arena = a, .whose = "a login", .why = why, .object = *v };
    if (v->type != JSON_OBJECT)
        return mgi_oauth_reading_fault(&r, "is no JSON object");
    const struct json *ends = mgi_json_get(v, "ends");
    *out = (struct credential){
        .target = mgi_oauth_address(&r, "target", OAUTH_NEEDED),
        .resource = mgi_oauth_address(&r, "resource", OAUTH_NEEDED),
        .issuer = mgi_oauth_address(&r, "issuer", OAUTH_NEEDED),
        .token_endpoint = mgi_oauth_address(&r, "token_endpoint", OAUTH_NEEDED),
        .client_id = mgi_oauth_word(&r, "client_id", OAUTH_TEXT_MAX, OAUTH_NEEDED),
        .access = mgi_oauth_word(&r, "access_token", OAUTH_TOKEN_MAX, OAUTH_NEEDED),
        .refresh = mgi_oauth_word(&r, "refresh_token", OAUTH_TOKEN_MAX, OAUTH_OPTIONAL),
        .ends_s = ends && ends->type == JSON_INT && ends->integer > 0 ? ends->integer : 0,
    };
    return !r.bad;
}

bool mgi_credentials_read(struct arena *a, struct str text, struct credentials *out,
                          struct buf *why)
{
    struct json v;
    out->count = 0;
    if (mgi_json_parse(a, text, NULL, &v, NULL) != JSON_OK) {
        if (!a->oom)
            mgi_buf_puts(why, "it is no JSON");
        return false;
    }
    const struct json *version = mgi_json_get(&v, "version"), *logins = mgi_json_get(&v, "logins");
    if (!version || version->type != JSON_INT || version->integer != VERSION || !logins ||
        logins->type != JSON_ARRAY || logins->count > CREDENTIALS_MOST) {
        mgi_buf_puts(why, "it is no file of logins that this program reads");
        return false;
    }
    for (uint32_t i = 0; i < logins->count; i++)
        if (!read_entry(a, &logins->items[i], &out->items[out->count++], why)) {
            out->count = 0;
            return false;
        }
    return true;
}

static void write_entry(struct json_writer *w, const struct credential *c)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "target", c->target);
    mgi_jw_member_cstr(w, "resource", c->resource);
    mgi_jw_member_cstr(w, "issuer", c->issuer);
    mgi_jw_member_cstr(w, "token_endpoint", c->token_endpoint);
    mgi_jw_member_cstr(w, "client_id", c->client_id);
    mgi_jw_member_cstr(w, "access_token", c->access);
    if (c->refresh)
        mgi_jw_member_cstr(w, "refresh_token", c->refresh);
    if (c->ends_s > 0)
        mgi_jw_member_int(w, "ends", c->ends_s);
    mgi_jw_end_object(w);
}

void mgi_credentials_write(struct buf *out, const struct credentials *c)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "version", VERSION);
    mgi_jw_key(&w, "logins");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < c->count; i++)
        write_entry(&w, &c->items[i]);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
}

/* ---- entries --------------------------------------------------------------------------------- */

static bool is_for(const struct credential *c, const char *address)
{
    return strcmp(c->target, address) == 0 || mgi_url_covers(c->resource, address);
}

const struct credential *mgi_credentials_find(const struct credentials *c, const char *address)
{
    const struct credential *best = NULL;
    for (size_t i = 0; i < c->count; i++)
        if (is_for(&c->items[i], address) &&
            (!best || strlen(c->items[i].resource) > strlen(best->resource)))
            best = &c->items[i];
    return best;
}

static void drop(struct credentials *c, size_t i)
{
    memmove(&c->items[i], &c->items[i + 1], (c->count - i - 1) * sizeof *c->items);
    c->count--;
}

void mgi_credentials_drop(struct credentials *c, const char *resource, const char *issuer)
{
    for (size_t i = c->count; i-- > 0;)
        if (strcmp(c->items[i].resource, resource) == 0 && strcmp(c->items[i].issuer, issuer) == 0)
            drop(c, i);
}

void mgi_credentials_put(struct credentials *c, const struct credential *entry)
{
    const struct credential new = *entry; /* which may be one of the items */
    mgi_credentials_drop(c, new.resource, new.issuer);
    for (size_t i = c->count; i-- > 0;)
        if (strcmp(c->items[i].target, new.target) == 0)
            drop(c, i);
    if (c->count == CREDENTIALS_MOST)
        c->count--;
    memmove(&c->items[1], &c->items[0], c->count * sizeof *c->items);
    c->items[0] = new;
    c->count++;
}

size_t mgi_credentials_remove(struct credentials *c, const char *address)
{
    size_t before = c->count;
    for (size_t i = c->count; i-- > 0;)
        if (is_for(&c->items[i], address))
            drop(c, i);
    return before - c->count;
}
