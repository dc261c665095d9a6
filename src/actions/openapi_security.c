/* What an operation's "security" asks for, and `auth` of the entry gives: see openapi_int.h.
 *
 * Of the alternatives that an operation has the first is taken whose schemes all have a credential;
 * else none, if that is one of them. What is missing is told once for each scheme. */
#include "actions/openapi_int.h"
#include "base/near.h"

static const struct json *schemes_of(const struct openapi *doc)
{
    return mgi_json_get(mgi_json_get(&doc->root, "components"), "securitySchemes");
}

/* ---- what the entry says --------------------------------------------------------------------- */

/* As a request says it: what is sent whatever the operation asks for. */
static bool is_for_all(const struct openapi *doc, const struct yaml_node *auth)
{
    static const char *const words[] = { "bearer", "header", "basic", "query", NULL };
    if (auth->kind == YAML_LIST)
        return true;
    for (const char *const *word = words; auth->count == 1 && *word; word++)
        if (str_is(auth->entries[0].key, *word) &&
            !mgi_json_get_str(schemes_of(doc), auth->entries[0].key))
            return true;
    return false;
}

static void unknown_scheme(struct openapi *doc, const struct yaml_entry *e)
{
    struct near near = mgi_near(e->key);
    const struct json *schemes = schemes_of(doc);
    const char *hint = "It has none: write {bearer: \"${TOKEN}\"}, or as in a file of requests.";
    for (uint32_t i = 0; schemes && schemes->type == JSON_OBJECT && i < schemes->count; i++) {
        mgi_near_try(&near, schemes->members[i].name);
        if (i == 0)
            hint = mgi_arena_printf(doc->r->yaml->arena, "One is called %.*s.",
                                    STR_ARG(schemes->members[0].name));
    }
    if (near.best.len > 0)
        hint = mgi_arena_printf(doc->r->yaml->arena, "Did you mean %.*s?", STR_ARG(near.best));
    mgi_yaml_error(doc->r->yaml, e->value, "UNKNOWN_KEY", hint,
                   "%s has no security scheme \"%.*s\"", doc->file, STR_ARG(e->key));
}

/* {KIND: value}, as `auth` of a request; NULL: *why it cannot be sent, or memory. */
static struct yaml_node *credential(struct openapi *doc, struct str name,
                                    const struct yaml_node *value, const char **why)
{
    struct arena *a = doc->r->yaml->arena;
    const struct json *s = mgi_openapi_follow(doc, mgi_json_get_str(schemes_of(doc), name), why);
    struct str type = mgi_openapi_text(s, "type"), scheme = mgi_openapi_text(s, "scheme");
    struct str in = mgi_openapi_text(s, "in"), called = mgi_openapi_text(s, "name");
    struct yaml_node *out = mgi_yaml_made(a, value, YAML_MAP, STR_LIT(""));
    struct yaml_node *pair = mgi_yaml_made(a, value, YAML_MAP, STR_LIT(""));
    struct yaml_node *given = (struct yaml_node *)value; /* is not changed */
    bool bearer = str_is(type, "oauth2") || str_is(type, "openIdConnect") ||
                  (str_is(type, "http") && mgi_str_same(scheme, STR_LIT("bearer")));
    bool basic = str_is(type, "http") && mgi_str_same(scheme, STR_LIT("basic"));
    bool key = str_is(type, "apiKey") && called.len > 0;
    if (!s)
        return NULL;
    *why = "which cannot be sent: API keys in a header or the query, bearer and basic can";
    if (!(bearer || basic || (key && (str_is(in, "header") || str_is(in, "query")))))
        return NULL;
    *why = NULL;
    if (!out || !pair)
        return NULL;
    if (bearer || basic)
        return mgi_yaml_put(a, out, bearer ? STR_LIT("bearer") : STR_LIT("basic"), given) ? out
                                                                                          : NULL;
    return mgi_yaml_put(a, pair, called, given) && mgi_yaml_put(a, out, in, pair) ? out : NULL;
}

/* What is wrong with it is told here, once, and not with each operation. */
static bool is_good_auth(struct openapi *doc, const struct yaml_node *auth)
{
    size_t errors = mgi_findings_errors(doc->r->yaml->findings);
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_http_write_auth(doc->r, auth, &w);
    mgi_jw_end_object(&w);
    mgi_buf_wipe(&text);
    return mgi_findings_errors(doc->r->yaml->findings) == errors;
}

static bool check_scheme(struct openapi *doc, struct openapi_scheme *s)
{
    const char *why = NULL;
    struct yaml_node *auth = credential(doc, s->name, s->value, &why);
    s->bad = why || !auth || !is_good_auth(doc, auth);
    if (why)
        mgi_yaml_error(doc->r->yaml, s->value, "BAD_VALUE", NULL,
                       "%s has a security scheme \"%.*s\", %s", doc->file, STR_ARG(s->name), why);
    return auth || why;
}

bool mgi_openapi_read_auth(struct openapi *doc, struct openapi_auth *out)
{
    const struct yaml_node *auth = mgi_yaml_get(doc->entry, "auth");
    *out = (struct openapi_auth){ .none = auth && mgi_http_auth_is_none(auth) };
    if (!auth || out->none)
        return true;
    if (auth->kind != YAML_SCALAR && is_for_all(doc, auth)) {
        out->all = auth;
        out->bad = !is_good_auth(doc, auth);
        return true;
    }
    if (auth->kind != YAML_MAP || auth->count == 0) {
        mgi_yaml_error(doc->r->yaml, auth, "BAD_VALUE", "Write it as {SCHEME: \"${TOKEN}\"}.",
                       "auth is a map of security schemes to credentials, or none");
        out->bad = true;
        return true;
    }
    out->schemes = mgi_arena_calloc(doc->r->yaml->arena, auth->count, sizeof *out->schemes);
    for (size_t i = 0; out->schemes && i < auth->count; i++) {
        const struct yaml_entry *e = &auth->entries[i];
        struct openapi_scheme *s = &out->schemes[out->scheme_count++];
        *s = (struct openapi_scheme){ e->key, e->value, false };
        if (!mgi_json_get_str(schemes_of(doc), e->key)) {
            unknown_scheme(doc, e);
            s->bad = true;
        } else if (!check_scheme(doc, s)) {
            return false;
        }
    }
    return out->schemes != NULL;
}

/* ---- what an operation needs ----------------------------------------------------------------- */

static const struct openapi_scheme *given(const struct openapi_auth *auth, struct str name)
{
    for (size_t i = 0; i < auth->scheme_count; i++)
        if (str_eq(auth->schemes[i].name, name))
            return &auth->schemes[i];
    return NULL;
}

/* Do all schemes of the alternative have a credential? */
static bool is_satisfied(const struct openapi_auth *auth, const struct json *alternative)
{
    for (uint32_t i = 0; i < alternative->count; i++)
        if (!given(auth, alternative->members[i].name))
            return false;
    return alternative->count > 0;
}

static bool send_credentials(struct openapi_operation *op, const struct openapi_auth *auth,
                             const struct json *alternative)
{
    struct openapi *doc = op->doc;
    struct yaml_node *list = mgi_openapi_node(doc, op->value, YAML_LIST, STR_LIT(""));
    for (uint32_t i = 0; list && i < alternative->count; i++) {
        const struct openapi_scheme *s = given(auth, alternative->members[i].name);
        const char *why = NULL;
        if (s->bad) {
            op->left_out = true; /* told */
            return true;
        }
        struct yaml_node *one = credential(doc, s->name, s->value, &why);
        list->line = s->value->line;
        list->column = s->value->column;
        list->origin = s->value->origin;
        if (!one || !mgi_openapi_append(doc, list, one))
            return false;
    }
    return list && mgi_yaml_set(doc->r->yaml->arena, op->request, "auth",
                                list->count == 1 ? list->entries[0].value : list);
}

static bool is_told(const struct openapi_auth *auth, struct str name)
{
    for (size_t i = 0; i < auth->missing_count; i++)
        if (str_eq(auth->missing[i], name))
            return true;
    return false;
}

static const char *what_to_say(struct openapi *doc, struct str name)
{
    struct arena *a = doc->r->yaml->arena;
    const char *why;
    const struct json *s = mgi_openapi_follow(doc, mgi_json_get_str(schemes_of(doc), name), &why);
    bool basic = mgi_str_same(mgi_openapi_text(s, "scheme"), STR_LIT("basic"));
    char *variable = mgi_arena_printf(a, "%.*s", STR_ARG(name));
    for (char *c = variable; c && *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!letter && !(*c >= '0' && *c <= '9'))
            *c = '_';
        else if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    }
    const char *value =
        basic ? mgi_arena_printf(a, "{user: NAME, password: \"${%s}\"}", variable ? variable : "")
              : mgi_arena_printf(a, "\"${%s}\"", variable ? variable : "");
    return doc->entry
               ? mgi_arena_printf(a, "Say auth: {%.*s: %s} beside it, or auth: none.",
                                  STR_ARG(name), value ? value : "")
               : mgi_arena_printf(a,
                                  "Write it as {openapi: %s, auth: {%.*s: %s}}; or with auth: "
                                  "none.",
                                  doc->file, STR_ARG(name), value ? value : "");
}

/* Told at the entry or, where there is none, in the document. */
static void tell_missing(struct openapi_operation *op, struct openapi_auth *auth, struct str name)
{
    struct openapi *doc = op->doc;
    const struct yaml_node *at = doc->entry;
    op->left_out = true;
    if (is_told(auth, name))
        return;
    if (mgi_arena_grow(doc->r->yaml->arena, &auth->missing, &auth->missing_cap,
                       auth->missing_count + 1, sizeof *auth->missing))
        auth->missing[auth->missing_count++] = name;
    if (!at)
        at = mgi_openapi_node(doc, mgi_json_get_str(schemes_of(doc), name), YAML_SCALAR,
                              STR_LIT(""));
    if (at)
        mgi_yaml_error(doc->r->yaml, at, "NO_CREDENTIAL", what_to_say(doc, name),
                       "%s needs a credential for the security scheme \"%.*s\" (%s, for one)",
                       doc->file, STR_ARG(name), op->title);
}

/* An alternative whose schemes are there and can be sent; else *why (or "" for one that is empty).
 */
static bool can_be(struct openapi_operation *op, const struct json *alternative, const char **why)
{
    static const struct yaml_node nothing = { .kind = YAML_SCALAR };
    struct openapi *doc = op->doc;
    for (uint32_t i = 0; i < alternative->count; i++) {
        struct str name = alternative->members[i].name;
        const char *fault = NULL;
        if (credential(doc, name, &nothing, &fault) || !fault)
            continue;
        *why = mgi_arena_printf(
            doc->r->yaml->arena, "it needs the security scheme \"%.*s\", %s", STR_ARG(name),
            mgi_json_get_str(schemes_of(doc), name) ? fault : "which is not there");
        return false;
    }
    return true;
}

static bool nothing_given(struct openapi_operation *op, struct openapi_auth *auth,
                          const struct json *security)
{
    const struct json *first = NULL;
    const char *why = NULL;
    for (uint32_t i = 0; i < security->count; i++) {
        const struct json *alternative = &security->items[i];
        if (alternative->type != JSON_OBJECT)
            continue;
        if (alternative->count == 0)
            return true; /* nobody has to say who he is */
        if (!first && can_be(op, alternative, &why))
            first = alternative;
    }
    if (!first && why)
        mgi_openapi_leave_out(op, security, "%s", why);
    for (uint32_t i = 0; first && i < first->count; i++)
        if (!given(auth, first->members[i].name))
            tell_missing(op, auth, first->members[i].name);
    return true;
}

bool mgi_openapi_secure(struct openapi_operation *op, struct openapi_auth *auth)
{
    struct openapi *doc = op->doc;
    const struct yaml_node *own = mgi_yaml_get(op->said, "auth");
    const struct json *security = mgi_json_get(op->value, "security");
    if (!security)
        security = mgi_json_get(&doc->root, "security");
    op->left_out |= auth->bad;
    if (own || auth->all)
        return mgi_yaml_set(doc->r->yaml->arena, op->request, "auth",
                            (struct yaml_node *)(own ? own : auth->all));
    if (!mgi_openapi_put(doc, op->request, STR_LIT("auth"), op->value, STR_LIT("none")))
        return false;
    if (auth->none || !security || security->type != JSON_ARRAY || security->count == 0)
        return true;
    for (uint32_t i = 0; i < security->count; i++)
        if (security->items[i].type == JSON_OBJECT && is_satisfied(auth, &security->items[i]))
            return send_credentials(op, auth, &security->items[i]);
    return nothing_given(op, auth, security);
}

bool mgi_openapi_is_credential(const struct openapi_operation *op, const char *where,
                               struct str name)
{
    const struct yaml_node *auth = mgi_yaml_get(op->request, "auth");
    size_t count = auth && auth->kind == YAML_LIST ? auth->count : 1;
    for (size_t i = 0; auth && i < count; i++) {
        const struct yaml_node *one = auth->kind == YAML_LIST ? auth->entries[i].value : auth;
        const struct yaml_node *pair = mgi_yaml_get(one, where);
        bool header = strcmp(where, "header") == 0;
        if (pair && pair->kind == YAML_MAP && pair->count == 1 &&
            (header ? mgi_str_same(pair->entries[0].key, name)
                    : str_eq(pair->entries[0].key, name)))
            return true;
    }
    return false;
}
