/* A client's configuration: see config.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/url.h"
#include "base/utf8.h"
#include "import/config.h"
#include "import/secret.h"
#include "import/tool.h"

#define NAME_BYTES 64

struct reading {
    struct arena *arena;
    const struct import_config_options *options;
    struct import_config *out;
    const struct import_entry *now; /* the server that is read */
};

static struct str text_at(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : (struct str){ NULL, 0 };
}

static const char *visible(struct arena *arena, struct str text)
{
    struct buf out = { 0 };
    mgi_utf8_show(&out, mgi_utf8_prefix(text, 100));
    struct str kept = mgi_arena_str(arena, mgi_buf_view(&out));
    arena->oom |= out.oom;
    mgi_buf_fini(&out);
    return kept.ptr ? kept.ptr : "";
}

static bool leave_out(struct reading *r, struct str name, const char *why)
{
    struct import_config *c = r->out;
    if (!mgi_arena_grow(r->arena, &c->left_out, &c->left_out_cap, c->left_out_count + 1,
                        sizeof *c->left_out))
        return false;
    c->left_out[c->left_out_count] =
        mgi_arena_printf(r->arena, "%s: %s", visible(r->arena, name), why);
    return c->left_out[c->left_out_count++] != NULL;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

/* As AIDs tell names apart: not by case, nor by what is neither letter, digit nor dash. */
static char folded(char c)
{
    if (c >= 'a' && c <= 'z')
        return (char)(c - 'a' + 'A');
    return c == '.' ? '_' : c;
}

static bool is_name_taken(const struct reading *r, const char *name)
{
    for (size_t i = 0; i < r->out->count; i++) {
        struct str other = r->out->entries[i].name;
        bool same = other.len == strlen(name);
        for (size_t k = 0; same && k < other.len; k++)
            same = folded(other.ptr[k]) == folded(name[k]);
        if (same)
            return true;
    }
    return false;
}

static struct str server_name(const struct reading *r, struct str original)
{
    char name[NAME_BYTES + 8];
    size_t len = 0;
    for (size_t i = 0; i < original.len && len < NAME_BYTES; i++)
        name[len++] = is_plain(original.ptr[i]) ? original.ptr[i] : '_';
    while (len > 0 && (name[0] == '.' || name[0] == '-')) { /* "../x" is "x" after all */
        memmove(name, name + 1, --len);
    }
    name[len] = '\0';
    if (len == 0)
        memcpy(name, "server", sizeof "server"), len = strlen("server");
    if (len > NAME_BYTES - 4)
        len = NAME_BYTES - 4;
    for (int n = 2; is_name_taken(r, name) && n < 1000; n++)
        snprintf(name + len, sizeof name - len, "_%d", n);
    return mgi_arena_str(r->arena, str_of(name));
}

/* ---- variables --------------------------------------------------------------------------------
 */

static struct import_variable *variable_named(const struct reading *r, struct str name)
{
    for (size_t i = 0; i < r->out->variable_count; i++)
        if (str_eq(r->out->variables[i].name, name))
            return &r->out->variables[i];
    return NULL;
}

static bool add_variable(struct reading *r, struct str name, struct str value, const char *where)
{
    struct import_config *c = r->out;
    if (variable_named(r, name))
        return true;
    if (!mgi_arena_grow(r->arena, &c->variables, &c->variable_cap, c->variable_count + 1,
                        sizeof *c->variables))
        return false;
    c->variables[c->variable_count++] =
        (struct import_variable){ name, value, where, r->now->name };
    return where != NULL;
}

static void put_upper(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        bool digit = c >= '0' && c <= '9' && out->len > 0;
        mgi_buf_putc(out, letter && c >= 'a' ? (char)(c - 'a' + 'A') : letter || digit ? c : '_');
    }
}

/* Would ${name} be this value? A name that stands for another one is not taken. */
static bool is_free(const struct reading *r, struct str name, struct str value)
{
    const struct import_variable *known = variable_named(r, name);
    char *z = mgi_arena_printf(r->arena, "%.*s", STR_ARG(name));
    char *written = mgi_arena_printf(r->arena, "${%.*s}", STR_ARG(name));
    const char *set = z ? r->options->environment(z) : NULL;
    if (known)
        return known->value.ptr && str_eq(known->value, value);
    if (written && mgi_str_find(r->options->known, str_of(written)) != SIZE_MAX)
        return true;
    return !set || str_is(value, set);
}

/* The name of a variable for a secret: `hint`, or with the server's name before it. */
static struct str variable_for(struct reading *r, struct str hint, struct str value, bool short_one)
{
    for (int n = short_one ? 0 : 1; n < 100; n++) {
        struct buf name = { 0 };
        if (n > 0) {
            put_upper(&name, r->now->name);
            mgi_buf_putc(&name, '_');
        }
        put_upper(&name, hint);
        if (n > 1)
            mgi_buf_printf(&name, "_%d", n);
        struct str kept = mgi_arena_str(r->arena, mgi_buf_view(&name));
        r->arena->oom |= name.oom;
        mgi_buf_fini(&name);
        if (!kept.ptr || is_free(r, kept, value))
            return kept;
    }
    return (struct str){ NULL, 0 };
}

/* ${NAME} in the place of `value`, which is appended otherwise. */
static bool put_secret(struct reading *r, struct buf *out, struct str value, struct str hint,
                       bool short_one, const char *where)
{
    struct str name = variable_for(r, hint, value, short_one);
    if (!name.ptr || !add_variable(r, name, value, where))
        return false;
    mgi_buf_printf(out, "${%.*s}", STR_ARG(name));
    return true;
}

static bool is_variable_byte(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* What stands between "${" and "}", in the form of ours. */
static bool put_inside(struct reading *r, struct buf *out, struct str inside, const char *where)
{
    struct buf name = { 0 };
    if (mgi_str_starts(inside, STR_LIT("env:")))
        inside = (struct str){ inside.ptr + 4, inside.len - 4 };
    if (str_is(inside, "workspaceFolder")) {
        mgi_buf_str(out, r->options->base);
        return true;
    }
    if (str_is(inside, "userHome") && r->options->environment("HOME")) {
        mgi_buf_puts(out, r->options->environment("HOME"));
        return true;
    }
    size_t dash = mgi_str_find(inside, STR_LIT(":-"));
    struct str word = dash == SIZE_MAX ? inside : (struct str){ inside.ptr, dash };
    if (mgi_str_starts(word, STR_LIT("input:")))
        put_upper(&name, (struct str){ word.ptr + 6, word.len - 6 });
    else
        mgi_buf_str(&name, word);
    struct str kept = mgi_arena_str(r->arena, mgi_buf_view(&name));
    r->arena->oom |= name.oom;
    mgi_buf_fini(&name);
    if (!kept.ptr || (dash == SIZE_MAX && !add_variable(r, kept, (struct str){ NULL, 0 }, where)))
        return false;
    mgi_buf_printf(out, "${%.*s", STR_ARG(kept));
    if (dash != SIZE_MAX)
        mgi_buf_append(out, inside.ptr + dash, inside.len - dash);
    mgi_buf_putc(out, '}');
    return true;
}

/* $NAME, and nothing else: a form that one client has. */
static bool is_variable(struct str text)
{
    bool good = text.len > 1 && text.ptr[0] == '$' && !(text.ptr[1] >= '0' && text.ptr[1] <= '9');
    for (size_t i = 1; good && i < text.len; i++)
        good = is_variable_byte(text.ptr[i]);
    return good;
}

static bool has_variable(struct str text)
{
    return mgi_str_find(text, STR_LIT("${")) != SIZE_MAX || is_variable(text);
}

/* A text with variables, in the form that domains have: ${NAME}. */
static bool put_text(struct reading *r, struct buf *out, struct str text, const char *where)
{
    if (is_variable(text))
        return put_inside(r, out, (struct str){ text.ptr + 1, text.len - 1 }, where);
    while (text.len > 0) {
        size_t at = mgi_str_find(text, STR_LIT("${"));
        size_t before = at == SIZE_MAX ? text.len : at;
        mgi_buf_append(out, text.ptr, before);
        text = (struct str){ text.ptr + before, text.len - before };
        const char *close = text.len ? memchr(text.ptr, '}', text.len) : NULL;
        if (!close) {
            mgi_buf_str(out, text);
            return true;
        }
        size_t len = (size_t)(close - text.ptr);
        if (!put_inside(r, out, (struct str){ text.ptr + 2, len - 2 }, where))
            return false;
        text = (struct str){ text.ptr + len + 1, text.len - len - 1 };
    }
    return true;
}

/* ---- values -----------------------------------------------------------------------------------
 */

static bool is_path(struct str value)
{
    return mgi_str_starts(value, STR_LIT("/")) || mgi_str_starts(value, STR_LIT("./")) ||
           mgi_str_starts(value, STR_LIT("../")) || mgi_str_starts(value, STR_LIT("~/"));
}

/* Is `value`, which is called `name`, a literal that nobody should read? */
static bool is_secret(struct reading *r, struct str name, struct str value)
{
    if (value.len == 0 || has_variable(value) || is_path(value) || str_is(value, "true") ||
        str_is(value, "false"))
        return false;
    return mgi_import_secret_value(value) ||
           (name.len > 0 && value.len > 3 && mgi_import_secret_name(r->arena, name));
}

/* The value of a variable of `env`, or of a header, where any literal may be one. */
static bool put_value(struct reading *r, struct buf *out, struct str key, struct str value,
                      bool header)
{
    const char *where =
        mgi_arena_printf(r->arena, "%s %s", header ? "the header" : "env", visible(r->arena, key));
    static const char *const schemes[] = { "Bearer ", "Basic ", "Token ", "token ", NULL };
    bool literal = header && value.len > 0 && !has_variable(value);
    if (!where)
        return false;
    if (!literal && !is_secret(r, key, value))
        return put_text(r, out, value, where);
    for (size_t i = 0; header && schemes[i]; i++)
        if (mgi_str_starts(value, str_of(schemes[i]))) {
            size_t len = strlen(schemes[i]);
            mgi_buf_puts(out, schemes[i]);
            value = (struct str){ value.ptr + len, value.len - len };
            break;
        }
    return put_secret(r, out, value, key, !header, where);
}

/* --api-key=VALUE, NAME=VALUE, or VALUE behind --api-key (`before`). */
static bool put_argument(struct reading *r, struct buf *out, struct str value, struct str before)
{
    static const char where[] = "an argument";
    const char *equals = value.len ? memchr(value.ptr, '=', value.len) : NULL;
    bool flag = mgi_str_starts(before, STR_LIT("-")) && !memchr(before.ptr, '=', before.len);
    struct str name = flag ? mgi_str_trim(before, "-") : STR_LIT("");
    if (equals && mgi_import_secret_value(value) == false) {
        struct str key = { value.ptr, (size_t)(equals - value.ptr) };
        struct str behind = { equals + 1, value.len - key.len - 1 };
        if (is_secret(r, key, behind)) {
            mgi_buf_append(out, value.ptr, key.len + 1);
            return put_secret(r, out, behind, mgi_str_trim(key, "-"), false, where);
        }
    }
    bool is_flag = mgi_str_starts(value, STR_LIT("-"));
    if (!is_flag && is_secret(r, name, value))
        return put_secret(r, out, value, name.len ? name : STR_LIT("secret"), false, where);
    return put_text(r, out, value, where);
}

/* Parts of an address, between / ? & and =, of which some may be secret. */
static bool put_url(struct reading *r, struct buf *out, struct str url)
{
    static const char where[] = "the address";
    size_t scheme = mgi_str_find(url, STR_LIT("://"));
    size_t i = scheme == SIZE_MAX ? 0 : scheme + 3;
    struct str key = STR_LIT("");
    mgi_buf_append(out, url.ptr, i);
    for (size_t begin = i; i <= url.len; i++) {
        if (i < url.len && !strchr("/?&=@:", url.ptr[i]) && url.ptr[i])
            continue;
        struct str part = { url.ptr + begin, i - begin };
        bool userinfo = i < url.len && url.ptr[i] == '@';
        bool secret = part.len > 0 && (userinfo || is_secret(r, key, part));
        if (secret ? !put_secret(r, out, part, key.len ? key : STR_LIT("url_secret"), false, where)
                   : !put_text(r, out, part, where))
            return false;
        if (i < url.len)
            mgi_buf_putc(out, url.ptr[i]);
        key = i < url.len && url.ptr[i] == '=' ? part : STR_LIT("");
        begin = i + 1;
    }
    return true;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

/* What `put` made of a text, as a string. */
#define PUT_STRING(w, call)                                                                        \
    do {                                                                                           \
        struct buf made = { 0 };                                                                   \
        if (!(call) || made.oom) {                                                                 \
            mgi_buf_wipe(&made);                                                                   \
            return false;                                                                          \
        }                                                                                          \
        mgi_jw_string((w), mgi_buf_view(&made));                                                   \
        mgi_buf_wipe(&made);                                                                       \
    } while (0)

/* The members of a map of texts. */
static bool write_values(struct reading *r, struct json_writer *w, const struct json *map,
                         bool header)
{
    for (uint32_t i = 0; map && map->type == JSON_OBJECT && i < map->count; i++) {
        const struct json *v = &map->members[i].value;
        if (v->type == JSON_NULL)
            continue;
        mgi_jw_key_str(w, map->members[i].name);
        struct str text = v->type == JSON_STRING ? v->string : v->text;
        PUT_STRING(w, put_value(r, &made, map->members[i].name, text, header));
    }
    return true;
}

static bool write_env(struct reading *r, struct json_writer *w, const struct json *map)
{
    if (!map || map->type != JSON_OBJECT || map->count == 0)
        return true;
    mgi_jw_key(w, "env");
    mgi_jw_begin_object(w);
    bool good = write_values(r, w, map, false);
    if (good)
        mgi_jw_end_object(w);
    return good;
}

static bool write_args(struct reading *r, struct json_writer *w, const struct json *args)
{
    struct str before = STR_LIT("");
    mgi_jw_key(w, "args");
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; args && args->type == JSON_ARRAY && i < args->count; i++) {
        const struct json *v = &args->items[i];
        struct str text = v->type == JSON_STRING ? v->string : v->text;
        PUT_STRING(w, put_argument(r, &made, text, before));
        before = text;
    }
    mgi_jw_end_array(w);
    return true;
}

/* A path of the configuration, absolute. */
static bool put_path(struct reading *r, struct buf *out, struct str path)
{
    struct buf text = { 0 };
    bool good = put_text(r, &text, path, "a path");
    struct str view = mgi_buf_view(&text);
    if (mgi_str_starts(view, STR_LIT("~/")) && r->options->environment("HOME")) {
        mgi_buf_printf(out, "%s/", r->options->environment("HOME"));
        view = (struct str){ view.ptr + 2, view.len - 2 };
    } else if (str_is(view, ".")) {
        mgi_buf_str(out, r->options->base);
        view = STR_LIT("");
    } else if (!mgi_str_starts(view, STR_LIT("/")) && !mgi_str_starts(view, STR_LIT("${"))) {
        mgi_buf_printf(out, "%.*s/", STR_ARG(r->options->base));
        if (mgi_str_starts(view, STR_LIT("./")))
            view = (struct str){ view.ptr + 2, view.len - 2 };
    }
    mgi_buf_str(out, view);
    good &= !text.oom;
    mgi_buf_fini(&text);
    return good;
}

static bool write_command(struct reading *r, struct json_writer *w, const struct json *v)
{
    struct str command = text_at(v, "command"), cwd = text_at(v, "cwd");
    mgi_jw_key(w, "command");
    if (memchr(command.ptr, '/', command.len))
        PUT_STRING(w, put_path(r, &made, command));
    else
        PUT_STRING(w, put_text(r, &made, command, "the command"));
    if (!write_args(r, w, mgi_json_get(v, "args")))
        return false;
    mgi_jw_key(w, "cwd");
    PUT_STRING(w, put_path(r, &made, cwd.ptr ? cwd : STR_LIT(".")));
    return write_env(r, w, mgi_json_get(v, "env"));
}

/* Four numbers: what the name of a host can only be if it is an address. */
static bool is_ipv4(struct str host, int parts[2])
{
    int dots = 0, value = 0;
    parts[0] = parts[1] = 0;
    for (size_t i = 0; i < host.len; i++) {
        char c = host.ptr[i];
        if (c != '.' && !(c >= '0' && c <= '9'))
            return false;
        value = c == '.' ? 0 : value * 10 + (c - '0');
        dots += c == '.';
        if (value > 255)
            return false;
        if (dots < 2)
            parts[dots] = value;
    }
    return dots == 3;
}

bool mgi_import_is_near(struct str url)
{
    struct url u;
    int p[2];
    if (!mgi_url_read(url, &u))
        return false;
    if (str_is(u.host, "localhost") || str_is(u.host, "[::1]") || str_is(u.host, "::1"))
        return true;
    return is_ipv4(u.host, p) && (p[0] == 127 || p[0] == 10 || (p[0] == 192 && p[1] == 168) ||
                                  (p[0] == 172 && p[1] >= 16 && p[1] < 32));
}

/* Codex names variables: {HEADER: NAME}, and one for the header Authorization. */
static bool write_named(struct reading *r, struct json_writer *w, struct str header,
                        const char *before, struct str variable)
{
    const char *where = mgi_arena_printf(r->arena, "the header %s", visible(r->arena, header));
    char *text = mgi_arena_printf(r->arena, "%s${%.*s}", before, STR_ARG(variable));
    if (!where || !text)
        return false;
    mgi_jw_key_str(w, header);
    PUT_STRING(w, put_text(r, &made, str_of(text), where));
    return true;
}

static bool write_headers(struct reading *r, struct json_writer *w, const struct json *v)
{
    const struct json *literal = mgi_json_get(v, "headers");
    const struct json *named = mgi_json_get(v, "env_http_headers");
    struct str bearer = text_at(v, "bearer_token_env_var");
    if (!literal)
        literal = mgi_json_get(v, "http_headers");
    if (!literal && !named && bearer.len == 0)
        return true;
    mgi_jw_key(w, "headers");
    mgi_jw_begin_object(w);
    if (!write_values(r, w, literal, true))
        return false;
    for (uint32_t i = 0; named && named->type == JSON_OBJECT && i < named->count; i++) {
        const struct json_member *m = &named->members[i];
        bool twice = literal && mgi_json_get_str(literal, m->name);
        if (m->value.type == JSON_STRING && !twice &&
            !write_named(r, w, m->name, "", m->value.string))
            return false;
    }
    bool said = literal && mgi_json_get(literal, "Authorization");
    said |= named && mgi_json_get(named, "Authorization");
    if (bearer.len > 0 && !said && !write_named(r, w, STR_LIT("Authorization"), "Bearer ", bearer))
        return false;
    mgi_jw_end_object(w);
    return true;
}

static bool write_address(struct reading *r, struct json_writer *w, const struct json *v,
                          struct str url)
{
    mgi_jw_key(w, "url");
    PUT_STRING(w, put_url(r, &made, url));
    if (mgi_import_is_near(url))
        mgi_jw_member_bool(w, "private", true);
    return write_headers(r, w, v);
}

static bool is_off(const struct json *v)
{
    const struct json *disabled = mgi_json_get(v, "disabled");
    const struct json *enabled = mgi_json_get(v, "enabled");
    return (disabled && disabled->type == JSON_BOOL && disabled->boolean) ||
           (enabled && enabled->type == JSON_BOOL && !enabled->boolean);
}

static bool is_wanted(const struct reading *r, struct str name)
{
    const char *const *only = r->options->only;
    if (!only || !only[0])
        return true;
    for (; *only; only++)
        if (str_is(name, *only))
            return true;
    return false;
}

/* Which of its tools are meant. */
static void copy_choice(struct json_writer *w, const struct json *v)
{
    static const char *const keys[] = { "tools",        "includeTools",   "enabled_tools",
                                        "excludeTools", "disabled_tools", NULL };
    for (size_t i = 0; keys[i]; i++) {
        const struct json *list = mgi_json_get(v, keys[i]);
        if (!list || list->type != JSON_ARRAY)
            continue;
        mgi_jw_key_str(w, str_of(keys[i]));
        mgi_jw_value(w, list);
    }
}

/* Text that ends in the middle for who starts programs. */
static bool has_nul(struct str json)
{
    for (size_t i = 0; i + 1 < json.len; i++) {
        if (json.ptr[i] != '\\')
            continue;
        i++; /* what is escaped, be it a backslash */
        if (mgi_str_starts((struct str){ json.ptr + i, json.len - i }, STR_LIT("u0000")))
            return true;
    }
    return false;
}

/* ${NAME} may be any address. */
static bool is_bad_address(struct str url)
{
    for (size_t i = 0; i < url.len; i++)
        if ((unsigned char)url.ptr[i] <= ' ' || url.ptr[i] == 0x7f)
            return true;
    return !mgi_str_starts(url, STR_LIT("http://")) && !mgi_str_starts(url, STR_LIT("https://")) &&
           !mgi_str_starts(url, STR_LIT("${"));
}

/* Of another kind than it has to be, so that something else would be started. */
static bool has_other(const struct json *v, const char *name, enum json_type type)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type != type && m->type != JSON_NULL;
}

static const char *why_useless(const struct json *v, struct str command, struct str url)
{
    if (v->type != JSON_OBJECT || (command.len > 0) == (url.len > 0))
        return "it has not one of \"command\" and \"url\"";
    if (is_off(v))
        return "it is switched off in the configuration";
    if (has_other(v, "args", JSON_ARRAY))
        return "its args are no list";
    if (has_other(v, "env", JSON_OBJECT) || has_other(v, "headers", JSON_OBJECT))
        return "its env or its headers are no map";
    if (has_nul(v->text))
        return "there is a NUL character in its entry";
    if (url.len > 0 && is_bad_address(url))
        return "its address is no http or https address";
    return NULL;
}

static bool read_entry(struct reading *r, struct str name, const struct json *v)
{
    struct str command = text_at(v, "command"), url = text_at(v, "url");
    struct buf text = { 0 };
    struct json_writer w;
    if (!url.ptr)
        url = text_at(v, "httpUrl");
    if (!is_wanted(r, name))
        return true;
    const char *why = why_useless(v, command, url);
    if (why)
        return leave_out(r, name, why);
    struct import_entry *e = &r->out->entries[r->out->count];
    e->original = name;
    e->name = server_name(r, name);
    if (!e->name.ptr)
        return false;
    r->now = e;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    if (url.len && text_at(v, "type").len > 0)
        mgi_jw_member_str(&w, "type", text_at(v, "type"));
    bool good = url.len ? write_address(r, &w, v, url) : write_command(r, &w, v);
    if (!good) {
        mgi_buf_wipe(&text);
        return false;
    }
    copy_choice(&w, v);
    mgi_jw_end_object(&w);
    r->out->count++;
    if (text_at(v, "envFile").len > 0 &&
        !leave_out(r, name,
                   "its envFile alone: set those variables where the domain is served, "
                   "and add them to env"))
        good = false;
    return mgi_json_take(r->arena, &text, &e->entry) && good;
}

bool mgi_import_config(struct arena *arena, const struct json *servers,
                       const struct import_config_options *options, struct import_config *out,
                       const char **why)
{
    struct reading r = { .arena = arena, .options = options, .out = out };
    *out = (struct import_config){ 0 };
    *why = NULL;
    if (servers->type != JSON_OBJECT || servers->count == 0)
        *why = "it names no MCP servers: {\"mcpServers\": {NAME: {\"command\": …}}}";
    else if (servers->count > IMPORT_SERVERS)
        *why = "it names more than 64 servers; choose some with --only";
    if (*why)
        return false;
    out->entries = mgi_arena_calloc(arena, servers->count + (size_t)1, sizeof *out->entries);
    for (uint32_t i = 0; out->entries && i < servers->count; i++)
        if (!read_entry(&r, servers->members[i].name, &servers->members[i].value))
            return false;
    if (out->count == 0 && out->entries)
        *why = out->left_out_count ? "none of its servers can be used"
                                   : "it names none of the servers of --only";
    return out->count > 0 && !arena->oom;
}

void mgi_import_config_write(struct buf *out, const struct import_config *config)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "mcpServers");
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < config->count; i++) {
        mgi_jw_key_str(&w, config->entries[i].name);
        mgi_jw_value(&w, &config->entries[i].entry);
    }
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
}
