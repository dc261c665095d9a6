/* Where an operation's requests go: see openapi_int.h.
 *
 * What the entry says counts for all but operations that have servers of their own: those would not
 * be where it leads. */
#include "actions/openapi_int.h"
#include "base/url.h"

/* The address of a server, its variables put in; ptr NULL: *why. */
static struct str server_address(struct openapi *doc, const struct json *server, const char **why)
{
    struct arena *a = doc->r->yaml->arena;
    const struct json *variables = mgi_json_get(server, "variables");
    struct str text = mgi_openapi_text(server, "url");
    struct buf out = { 0 };
    *why = text.len > 0 ? NULL : "a server has no url";
    for (size_t i = 0; i < text.len && !*why; i++) {
        const char *end = text.ptr[i] == '{' ? memchr(text.ptr + i, '}', text.len - i) : NULL;
        struct str name = { text.ptr + i + 1, end ? (size_t)(end - text.ptr) - i - 1 : 0 };
        if (!end) {
            mgi_buf_putc(&out, text.ptr[i]);
            continue;
        }
        struct str value = mgi_openapi_text(mgi_json_get_str(variables, name), "default");
        if (value.len == 0)
            *why = mgi_arena_printf(a, "the variable \"%.*s\" of a server has no default",
                                    STR_ARG(name));
        mgi_buf_str(&out, value);
        i += name.len + 1;
    }
    struct str address = mgi_arena_str(a, mgi_buf_view(&out));
    a->oom |= out.oom;
    mgi_buf_fini(&out);
    struct url u;
    if (!*why && mgi_str_find(address, STR_LIT("://")) == SIZE_MAX)
        *why = mgi_arena_printf(a, "the server \"%.*s\" is no whole address", STR_ARG(address));
    else if (!*why && (!mgi_url_read(address, &u) || u.tail.len > 0 ||
                       memchr(address.ptr, '{', address.len)))
        *why = mgi_arena_printf(a, "the server \"%.*s\" is no address of HTTP", STR_ARG(address));
    return *why ? (struct str){ NULL, 0 } : address;
}

/* The first of the list that is nearest to the operation; NULL: none is said. */
static const struct json *servers_of(const struct json *of)
{
    const struct json *list = mgi_json_get(of, "servers");
    return list && list->type == JSON_ARRAY && list->count > 0 ? &list->items[0] : NULL;
}

static const char *server_hint(struct openapi *doc)
{
    return doc->entry ? "Say server: https://api.example.com beside its path."
                      : mgi_arena_printf(doc->r->yaml->arena,
                                         "Write it as {openapi: %s, server: "
                                         "https://api.example.com}.",
                                         doc->file);
}

bool mgi_openapi_choose_server(struct openapi_operation *op, struct openapi_servers *all)
{
    struct openapi *doc = op->doc;
    const struct json *own = servers_of(op->value);
    const char *why;
    if (!own)
        own = servers_of(op->item);
    if (mgi_yaml_get(op->said, "server"))
        return true;
    if (mgi_yaml_get(doc->entry, "server")) {
        if (own)
            mgi_openapi_leave_out(op, own,
                                  "it has a server of its own, \"%.*s\": say server for it in "
                                  "operations",
                                  STR_ARG(mgi_openapi_text(own, "url")));
        return true;
    }
    const struct json *server = own ? own : servers_of(&doc->root);
    struct str address = server ? server_address(doc, server, &why) : (struct str){ NULL, 0 };
    if (address.ptr)
        return mgi_openapi_put(doc, op->request, STR_LIT("server"), server, address);
    op->left_out = true;
    if (own)
        mgi_openapi_leave_out(op, own, "%s", why);
    else if (!all->bad)
        mgi_openapi_error(doc, server ? server : &doc->root, server_hint(doc), "%s",
                          server ? why : "it names no server");
    all->bad |= !own;
    return true;
}

void mgi_openapi_check_wire(struct openapi_operation *op, struct openapi_servers *all)
{
    struct openapi *doc = op->doc;
    const struct yaml_node *auth = mgi_yaml_get(op->request, "auth");
    const struct yaml_node *server = mgi_yaml_get(op->request, "server");
    const struct yaml_node *may = mgi_yaml_get(op->request, "private");
    if (!may)
        may = mgi_yaml_get(doc->entry, "private");
    bool private = false;
    if (mgi_http_auth_is_none(auth) || !server || (may && mgi_yaml_bool(may, &private) && private))
        return;
    const char *address = mgi_arena_printf(doc->r->yaml->arena, "%.*s", STR_ARG(server->text));
    if (!address || !mgi_url_fault(address))
        return;
    op->left_out = true;
    if (!all->clear_text)
        mgi_yaml_error(doc->r->yaml, auth, "BAD_VALUE", "Use https://.",
                       "the credential would go to %s where everybody on the way can read it",
                       address);
    all->clear_text = true;
}
