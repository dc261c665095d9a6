/* `manglecp doctor`: one entry of a configuration: secrets in it, its command, how it is started.
 */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "actions/client_offer.h"
#include "cli/manglecp_doctor.h"
#include "import/secret.h"
#include "sys/secrets.h"

/* ---- secrets --------------------------------------------------------------------------------- */

enum { SECRET_BYTES = 8 }; /* what is shorter could be anything */

static bool has_variable(struct str value)
{
    return value.len > 0 && memchr(value.ptr, '$', value.len) != NULL;
}

struct secret_search {
    struct examination *e;
    struct doctor_server *s;
    struct str *found;
    size_t count, cap;
    size_t literal;
    struct str first; /* where the first one stands */
};

static void keep_secret(struct secret_search *x, struct str value)
{
    if (value.len < SECRET_BYTES ||
        !mgi_arena_grow(&x->e->arena, &x->found, &x->cap, x->count + 1, sizeof *x->found))
        return;
    x->found[x->count++] = mgi_arena_str(&x->e->arena, value);
}

static void note_literal(struct secret_search *x, struct str where, struct str value)
{
    if (value.len < SECRET_BYTES || has_variable(value))
        return;
    keep_secret(x, value);
    if (x->literal++ == 0)
        x->first = where;
}

static void search_map(struct secret_search *x, const char *key)
{
    const struct yaml_node *map = mgi_yaml_get(x->s->entry, key);
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++) {
        const struct yaml_entry *e = &map->entries[i];
        if (e->value->kind != YAML_SCALAR)
            continue;
        if (mgi_import_secret_name(&x->e->arena, e->key) || mgi_import_secret_value(e->value->text))
            note_literal(x, e->key, e->value->text);
    }
}

/* --api-key VALUE, --api-key=VALUE */
static void search_args(struct secret_search *x)
{
    const struct yaml_node *args = mgi_yaml_get(x->s->entry, "args");
    struct str before = STR_LIT("");
    for (size_t i = 0; args && args->kind == YAML_LIST && i < args->count; i++) {
        const struct yaml_node *n = args->entries[i].value;
        struct str word = n->kind == YAML_SCALAR ? n->text : STR_LIT("");
        size_t equals = mgi_str_find(word, STR_LIT("="));
        bool option = mgi_str_starts(word, STR_LIT("-"));
        if (equals != SIZE_MAX &&
            mgi_import_secret_name(&x->e->arena, (struct str){ word.ptr, equals }))
            note_literal(x, STR_LIT("args"),
                         (struct str){ word.ptr + equals + 1, word.len - equals - 1 });
        else if (!option &&
                 (mgi_import_secret_name(&x->e->arena, before) || mgi_import_secret_value(word)))
            note_literal(x, STR_LIT("args"), word);
        before = option && equals == SIZE_MAX ? word : STR_LIT("");
    }
}

/* https://user:password@host/?token=… */
static void search_url(struct secret_search *x)
{
    const struct yaml_node *url;
    (void)mgi_client_config_kind(x->s->entry, &url);
    if (!url || url->kind != YAML_SCALAR)
        return;
    struct str text = url->text;
    size_t scheme = mgi_str_find(text, STR_LIT("://"));
    size_t at = mgi_str_find(text, STR_LIT("@")), query = mgi_str_find(text, STR_LIT("?"));
    if (scheme != SIZE_MAX && at != SIZE_MAX && at > scheme + 3 &&
        (query == SIZE_MAX || at < query))
        note_literal(x, STR_LIT("url"), (struct str){ text.ptr + scheme + 3, at - scheme - 3 });
    while (query != SIZE_MAX) {
        text = (struct str){ text.ptr + query + 1, text.len - query - 1 };
        size_t end = mgi_str_find(text, STR_LIT("&")), equals = mgi_str_find(text, STR_LIT("="));
        size_t len = end == SIZE_MAX ? text.len : end;
        if (equals < len &&
            (mgi_import_secret_name(&x->e->arena, (struct str){ text.ptr, equals }) ||
             str_is((struct str){ text.ptr, equals }, "key")))
            note_literal(x, STR_LIT("url"),
                         (struct str){ text.ptr + equals + 1, len - equals - 1 });
        query = end;
    }
}

/* Values of variables that a server is given: a text of it may repeat them. */
static void search_variables(struct secret_search *x, const char *key)
{
    const struct yaml_node *map = mgi_yaml_get(x->s->entry, key);
    for (size_t i = 0; map && i < map->count; i++) {
        const struct yaml_node *n = map->entries[i].value;
        struct str t = n->kind == YAML_SCALAR ? n->text : STR_LIT("");
        size_t from = mgi_str_find(t, STR_LIT("${"));
        const char *end = t.len ? memchr(t.ptr, '}', t.len) : NULL;
        if (map->kind == YAML_LIST) {
            from = 0;
        } else if (from == SIZE_MAX || !end) {
            continue;
        }
        struct str name = map->kind == YAML_LIST
                              ? t
                              : (struct str){ t.ptr + from + 2, (size_t)(end - t.ptr) - from - 2 };
        if (map->kind == YAML_MAP && mgi_str_starts(name, STR_LIT("env:")))
            name = (struct str){ name.ptr + 4, name.len - 4 };
        const char *z = mgi_arena_printf(&x->e->arena, "%.*s", STR_ARG(name));
        const char *value = z ? mgi_secret(z) : NULL;
        if (value)
            keep_secret(x, str_of(value));
    }
}

static void search_secrets(struct examination *e, struct doctor_server *s)
{
    struct secret_search x = { .e = e, .s = s };
    search_map(&x, "env");
    search_map(&x, "headers");
    search_map(&x, "http_headers");
    search_args(&x);
    search_url(&x);
    if (x.literal > 0)
        mgi_doctor_add(e, &s->findings, CHECK_LITERAL_SECRET,
                       "%zu value%s that look%s secret (%.*s%s)", x.literal,
                       x.literal == 1 ? "" : "s", x.literal == 1 ? "s" : "", STR_ARG(x.first),
                       x.literal > 1 ? ", …" : "");
    search_variables(&x, "env");
    search_variables(&x, "headers");
    search_variables(&x, "env_vars");
    s->secrets = x.found;
    s->secret_count = x.count;
}

const char *mgi_doctor_without_secrets(struct examination *e, const struct doctor_server *s,
                                       struct str text)
{
    struct buf out = { 0 };
    mgi_import_hide_secrets(&out, text, s->secrets, s->secret_count);
    struct str kept = mgi_arena_str(&e->arena, mgi_buf_view(&out));
    mgi_buf_wipe(&out);
    return kept.ptr ? kept.ptr : "";
}

/* ---- commands -------------------------------------------------------------------------------- */

static struct str word_of(const struct yaml_node *args, size_t i)
{
    if (!args || args->kind != YAML_LIST || i >= args->count ||
        args->entries[i].value->kind != YAML_SCALAR)
        return STR_LIT("");
    return args->entries[i].value->text;
}

static bool is_plain_version(struct str v)
{
    return v.len > 0 && v.ptr[0] >= '0' && v.ptr[0] <= '9';
}

/* "name@1.2.3", "@scope/name@1.2.3", "name==1.2.3", "/a/path", "./x", "git+https://…" */
static bool is_pinned(struct str package)
{
    size_t at = SIZE_MAX;
    for (size_t i = 1; i < package.len; i++)
        if (package.ptr[i] == '@')
            at = i;
    size_t equals = mgi_str_find(package, STR_LIT("=="));
    if (package.len == 0 || package.ptr[0] == '/' || package.ptr[0] == '.' || has_variable(package))
        return true;
    if (equals != SIZE_MAX)
        return true;
    return at != SIZE_MAX &&
           is_plain_version((struct str){ package.ptr + at + 1, package.len - at - 1 });
}

/* image@sha256:… or image:1.2, but not :latest */
static bool is_pinned_image(struct str image)
{
    size_t slash = 0;
    for (size_t i = 0; i < image.len; i++)
        if (image.ptr[i] == '/')
            slash = i;
    struct str last = { image.ptr + slash, image.len - slash };
    size_t colon = mgi_str_find(last, STR_LIT(":"));
    return mgi_str_find(image, STR_LIT("@sha256:")) != SIZE_MAX ||
           (colon != SIZE_MAX &&
            !str_is((struct str){ last.ptr + colon + 1, last.len - colon - 1 }, "latest"));
}

/* The first word that is no option; those in `valued` (NULL-terminated) take the next word. */
static struct str first_word(const struct yaml_node *args, size_t from, const char *const *valued)
{
    for (size_t i = from; args && args->kind == YAML_LIST && i < args->count; i++) {
        struct str word = word_of(args, i);
        if (!mgi_str_starts(word, STR_LIT("-")))
            return word;
        for (size_t k = 0; valued[k]; k++)
            if (str_is(word, valued[k]))
                i++;
    }
    return STR_LIT("");
}

static struct str last_part(struct str path)
{
    size_t from = 0;
    for (size_t i = 0; i < path.len; i++)
        if (path.ptr[i] == '/')
            from = i + 1;
    return (struct str){ path.ptr + from, path.len - from };
}

static void check_pin(struct examination *e, struct doctor_server *s, struct str command)
{
    static const char *const npx_valued[] = { "-c", "--call", "-w", NULL };
    static const char *const uvx_valued[] = { "--python", "-p", "--with", "--index-url", NULL };
    static const char *const docker_valued[] = { "-e",           "--env", "-v",         "--volume",
                                                 "--name",       "-p",    "--mount",    "--network",
                                                 "-w",           "-u",    "--env-file", "--user",
                                                 "--entrypoint", NULL };
    const struct yaml_node *args = mgi_yaml_get(s->entry, "args");
    struct str program = last_part(command), what = STR_LIT(""), second = word_of(args, 0);
    bool pinned = true;
    if (str_is(program, "npx") || str_is(program, "bunx")) {
        what = first_word(args, 0, npx_valued);
        for (size_t i = 0; args && i < args->count; i++)
            if (str_is(word_of(args, i), "-p") || str_is(word_of(args, i), "--package"))
                what = word_of(args, i + 1);
        pinned = is_pinned(what);
    } else if ((str_is(program, "pnpm") || str_is(program, "yarn")) && str_is(second, "dlx")) {
        what = first_word(args, 1, npx_valued);
        pinned = is_pinned(what);
    } else if (str_is(program, "uvx") || (str_is(program, "pipx") && str_is(second, "run"))) {
        what = first_word(args, str_is(program, "pipx"), uvx_valued);
        for (size_t i = 0; args && i < args->count; i++)
            if (str_is(word_of(args, i), "--from") || str_is(word_of(args, i), "--spec"))
                what = word_of(args, i + 1);
        pinned = is_pinned(what);
    } else if ((str_is(program, "docker") || str_is(program, "podman")) && str_is(second, "run")) {
        what = first_word(args, 1, docker_valued);
        pinned = is_pinned_image(what);
    }
    if (!pinned && what.len > 0)
        mgi_doctor_add(e, &s->findings, CHECK_UNPINNED, "%.*s runs whatever %.*s is that day",
                       STR_ARG(program), STR_ARG(what));
}

/* The absolute path of the program; NULL: told. */
static const char *check_program(struct examination *e, struct doctor_server *s)
{
    const struct yaml_node *command = mgi_yaml_get(s->entry, "command");
    const struct client_variables variables = { mgi_secret, e->folder };
    char path[PATH_MAX];
    struct stat st;
    if (command->kind != YAML_SCALAR || command->text.len == 0) {
        mgi_doctor_add(e, &s->findings, CHECK_NO_SERVER, "\"command\" is no program");
        return NULL;
    }
    struct str word = mgi_client_config_expand(&e->yaml, command, s->name, &variables);
    if (!word.ptr)
        return NULL;
    check_pin(e, s, word);
    if (!mgi_cli_find_program(word.ptr, path)) {
        mgi_doctor_add(e, &s->findings, CHECK_NO_COMMAND, "%s is %s", word.ptr,
                       strchr(word.ptr, '/') ? "not there, or cannot be run" : "not in PATH");
        return NULL;
    }
    if (stat(path, &st) == 0 && (st.st_mode & 0002)) {
        mgi_doctor_add(e, &s->findings, CHECK_UNSAFE_COMMAND, "%s can be written by everybody",
                       path);
        return NULL;
    }
    return mgi_arena_strdup(&e->arena, path);
}

/* Findings of the reading become ours: which variable is missing, what is no text. */
void mgi_doctor_move(struct examination *e, struct doctor_findings *to, size_t from)
{
    for (size_t i = from; i < mgi_findings_count(e->yaml.findings); i++) {
        const struct finding *f = mgi_findings_get(e->yaml.findings, i);
        enum check check =
            strcmp(f->code, "NO_VARIABLE") == 0 ? CHECK_NO_VARIABLE : CHECK_BAD_VALUE;
        mgi_doctor_add(e, to, check, "%s", f->message);
    }
}

/* ---- the whole entry ------------------------------------------------------------------------ */

void mgi_doctor_entry(struct examination *e, struct doctor_server *s)
{
    const struct client_variables variables = { mgi_secret, e->folder };
    struct client_server_place place = {
        .entry = s->entry, .name = s->name, .folder = e->folder, .variables = &variables
    };
    const struct yaml_node *url;
    size_t from = mgi_findings_count(e->yaml.findings);
    bool can = true;
    search_secrets(e, s);
    switch (mgi_client_config_kind(s->entry, &url)) {
    case CLIENT_SERVER_STDIO:
        place.program = check_program(e, s);
        can = place.program != NULL;
        break;
    case CLIENT_SERVER_HTTP:
        break;
    case CLIENT_SERVER_SSE:
        mgi_doctor_add(e, &s->findings, CHECK_OLD_TRANSPORT, "it is reached by HTTP+SSE");
        can = false;
        break;
    case CLIENT_SERVER_NONE:
    case CLIENT_SERVER_BOTH:
        mgi_doctor_add(e, &s->findings, CHECK_NO_SERVER, "how it is reached is not said");
        can = false;
        break;
    }
    if (can)
        s->document = mgi_client_server_document(&e->yaml, &place);
    mgi_doctor_move(e, &s->findings, from);
}
