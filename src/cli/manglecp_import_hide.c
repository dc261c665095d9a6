/* What servers say of their failure and of their tools, without the secrets that they were told: a
 * connection string in a description would get into the domain's files. See manglecp_import.h. */
#include "cli/manglecp_import.h"
#include "import/secret.h"
#include "sys/secrets.h"

#define LOCK_DEPTH   128
#define SECRET_BYTES 8 /* in what is said of tools: shorter ones may be words of a description */

struct hiding {
    struct importing *im;
    struct str *secrets; /* as they are, and as they stand in JSON */
    size_t count;
};

/* A literal of the configuration, or what the environment has for a name that says so. */
static struct str told(struct hiding *h, const struct import_variable *v)
{
    if (v->value.ptr)
        return v->value;
    const char *name = mgi_arena_printf(&h->im->arena, "%.*s", STR_ARG(v->name));
    struct str value = str_of(name ? mgi_secret(name) : NULL);
    bool secret = value.len > 0 && (mgi_import_secret_name(&h->im->arena, v->name) ||
                                    mgi_import_secret_value(value));
    return secret ? value : (struct str){ 0 };
}

static bool collect(struct hiding *h, size_t at_least)
{
    const struct import_config *c = &h->im->config;
    h->count = 0;
    h->secrets = mgi_arena_calloc(&h->im->arena, 2 * c->variable_count + 1, sizeof *h->secrets);
    for (size_t i = 0; h->secrets && i < c->variable_count; i++) {
        struct str value = told(h, &c->variables[i]);
        if (value.len < at_least)
            continue;
        h->secrets[h->count++] = value;
        h->secrets[h->count++] = mgi_import_secret_in_json(&h->im->arena, value);
    }
    return h->secrets && !h->im->arena.oom;
}

/* ptr NULL: memory. */
static struct str hidden(struct hiding *h, struct str text)
{
    return mgi_import_without_secrets(&h->im->arena, text, h->secrets, h->count);
}

static bool hide_in_offer(struct hiding *h, struct asked_server *one)
{
    const struct json_options options = { .max_depth = LOCK_DEPTH };
    struct str text = hidden(h, one->offer.text);
    if (!text.ptr)
        return false;
    if (str_eq(text, one->offer.text) && !one->hid)
        return true;
    mgi_cli_error("%s tells of its tools what it was told as a secret: that is left out",
                  mgi_server_shown(&h->im->arena, one->name));
    return mgi_json_parse(&h->im->arena, text, &options, &one->offer, NULL) == JSON_OK;
}

bool mgi_import_hide(struct importing *im)
{
    struct hiding h = { .im = im };
    bool good = collect(&h, 1);
    for (size_t i = 0; good && i < im->asked.count; i++)
        if (im->asked.items[i].why) {
            im->asked.items[i].why = hidden(&h, str_of(im->asked.items[i].why)).ptr;
            good = im->asked.items[i].why != NULL;
        }
    good = good && collect(&h, SECRET_BYTES);
    for (size_t i = 0; good && i < im->asked.count && h.count > 0; i++)
        if (im->asked.items[i].offer.type == JSON_OBJECT)
            good = hide_in_offer(&h, &im->asked.items[i]);
    if (!good)
        mgi_cli_error("out of memory");
    return good;
}
