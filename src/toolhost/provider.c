/* Reading a provider document: see provider.h. */
#include "toolhost/provider.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "toolhost.h"
#include "toolhost/settings.h"

#define MAX_BYTES (4u << 20)
#define MAX_PATHS 256

static const struct provider defaults = { .caps = TH_CAP_ALL,
                                          .settings = { "{}", 2 },
                                          .name = { "", 0 } };

/* ---- one member each ------------------------------------------------------------------------- */

struct reading {
    struct arena *arena;
    struct provider *out;
    struct buf faults; /* "; " between them */
};

static void said_wrong(struct reading *r, const char *member, const char *why)
{
    mgi_buf_printf(&r->faults, "%s%s: %s", r->faults.len ? "; " : "", member, why);
}

static void read_name(struct reading *r, const struct json *v)
{
    if (v->type != JSON_STRING || v->string.len > 128)
        said_wrong(r, "name", "a text of at most 128 bytes is expected");
    else
        r->out->name = mgi_arena_str(r->arena, v->string);
}

static void read_granted(struct reading *r, const struct json *v)
{
    uint32_t cap;
    r->out->caps = 0;
    if (v->type != JSON_ARRAY) {
        said_wrong(r, "caps", "a list of capabilities is expected");
        return;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        if (v->items[i].type == JSON_STRING && mgi_cap_named(v->items[i].string, &cap))
            r->out->caps |= cap;
        else
            said_wrong(
                r, "caps",
                "each is file_read, file_write, shell, network, memory, genesis, gpu, all or none");
    }
}

static bool is_path(const struct json *v)
{
    return v->type == JSON_STRING && v->string.len > 0 && v->string.len < 4096 &&
           v->string.ptr[0] == '/' && !memchr(v->string.ptr, '\0', v->string.len);
}

static void read_paths(struct reading *r, const char *member, const struct json *v,
                       const char ***paths, size_t *count)
{
    if (v->type != JSON_ARRAY || v->count > MAX_PATHS) {
        said_wrong(r, member, "a list of at most 256 absolute paths is expected");
        return;
    }
    *paths = mgi_arena_calloc(r->arena, v->count + 1, sizeof **paths);
    for (uint32_t i = 0; *paths && i < v->count; i++) {
        if (is_path(&v->items[i]))
            (*paths)[(*count)++] = mgi_arena_printf(r->arena, "%.*s", STR_ARG(v->items[i].string));
        else
            said_wrong(r, member, "each is an absolute path");
    }
}

static void read_confine(struct reading *r, const struct json *v)
{
    static const char *const words[] = {
        [CONFINE_OFF] = "off", [CONFINE_ON] = "on", [CONFINE_REQUIRED] = "required"
    };
    for (int i = CONFINE_OFF; i <= CONFINE_REQUIRED; i++)
        if (v->type == JSON_STRING && str_is(v->string, words[i])) {
            r->out->confine = (enum confine_level)i;
            return;
        }
    said_wrong(r, "confine", "it is \"on\", \"required\" or \"off\"");
}

static void read_limit(struct reading *r, const struct json_member *m)
{
    struct provider *out = r->out;
    const struct {
        const char *name;
        int64_t least, most;
        uint64_t *value;
    } rows[] = { { "address_space_mb", 0, 1 << 20, &out->as_mb },
                 { "descriptors", 1, 1 << 16, &out->nofile },
                 { "processes", 1, 1 << 16, &out->nproc },
                 { "file_mb", 1, 1 << 20, &out->fsize_mb } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!str_is(m->name, rows[i].name) || m->value.type != JSON_INT ||
            m->value.integer < rows[i].least || m->value.integer > rows[i].most)
            continue;
        *rows[i].value = (uint64_t)m->value.integer;
        out->has_as_mb |= i == 0;
        return;
    }
    said_wrong(r, "limits",
               "address_space_mb, descriptors, processes and file_mb are numbers above 0, or "
               "address_space_mb is 0: none");
}

/* What the environment says of a limit stands above it (toolhost.md 7.2). */
static void read_limits(struct reading *r, const struct json *v)
{
    if (v->type != JSON_OBJECT) {
        said_wrong(r, "limits", "an object is expected");
        return;
    }
    for (uint32_t i = 0; i < v->count; i++)
        read_limit(r, &v->members[i]);
}

static void read_settings(struct reading *r, const struct json *v)
{
    if (v->type != JSON_OBJECT)
        said_wrong(r, "settings", "an object is expected");
    else
        r->out->settings = mgi_arena_str(r->arena, v->text);
}

static void read_member(struct reading *r, struct str name, const struct json *v)
{
    struct provider *out = r->out;
    if (v->type == JSON_NULL) {
        return; /* as if it were not there */
    } else if (str_is(name, "name")) {
        read_name(r, v);
    } else if (str_is(name, "caps")) {
        read_granted(r, v);
    } else if (str_is(name, "read")) {
        out->has_read = true;
        read_paths(r, "read", v, &out->read, &out->read_count);
    } else if (str_is(name, "write")) {
        out->has_write = true;
        read_paths(r, "write", v, &out->write, &out->write_count);
    } else if (str_is(name, "confine")) {
        read_confine(r, v);
    } else if (str_is(name, "limits")) {
        read_limits(r, v);
    } else if (str_is(name, "settings")) {
        read_settings(r, v);
    } else {
        mgi_buf_printf(&r->faults, "%sunknown member \"%.*s\"", r->faults.len ? "; " : "",
                       (int)(name.len < 64 ? name.len : 64), name.ptr);
    }
}

/* ---- the document ---------------------------------------------------------------------------- */

const char *mgi_provider_parse(struct arena *arena, struct str text, struct provider *out)
{
    struct reading r = { .arena = arena, .out = out };
    struct json document;
    *out = defaults;
    struct str kept = mgi_arena_str(arena, text);
    if (!kept.ptr)
        return "out of memory";
    if (mgi_json_parse(arena, kept, NULL, &document, NULL) != JSON_OK)
        return "invalid configuration: not JSON";
    if (document.type != JSON_OBJECT)
        return "invalid configuration: an object is expected";
    for (uint32_t i = 0; i < document.count; i++)
        read_member(&r, document.members[i].name, &document.members[i].value);
    const char *why = NULL;
    if (r.faults.len > 0)
        why = mgi_arena_printf(arena, "invalid configuration: %.*s",
                               STR_ARG(mgi_buf_view(&r.faults)));
    if (r.faults.oom || arena->oom)
        why = "out of memory";
    mgi_buf_fini(&r.faults);
    return why;
}

static const char *unreadable(struct arena *arena)
{
    const char *why = mgi_arena_printf(arena, "configuration not readable: %s", strerror(errno));
    return why ? why : "configuration not readable";
}

static const char *read_whole(struct arena *arena, int fd, struct buf *text)
{
    for (;;) {
        if (!mgi_buf_reserve(text, 65536))
            return "out of memory";
        ssize_t n = read(fd, text->ptr + text->len, 65536);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return unreadable(arena);
        if (n == 0)
            return NULL;
        text->len += (size_t)n;
        if (text->len > MAX_BYTES)
            return "configuration too long: 4 MiB are read";
    }
}

/* "/dev/fd/N": a descriptor that was inherited for this, and is nobody's afterwards. */
static int open_document(const char *path)
{
    unsigned n;
    char end;
    if (sscanf(path, "/dev/fd/%3u%c", &n, &end) == 1)
        return (int)n;
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

const char *mgi_provider_read(struct arena *arena, const char *path, struct provider *out)
{
    struct buf text = { 0 };
    *out = defaults;
    if (!path)
        return NULL;
    int fd = open_document(path);
    if (fd < 0)
        return unreadable(arena);
    const char *why = read_whole(arena, fd, &text);
    close(fd);
    if (!why)
        why = mgi_provider_parse(arena, mgi_buf_view(&text), out);
    if (text.ptr)
        explicit_bzero(text.ptr, text.len); /* settings may hold what others must not know */
    mgi_buf_fini(&text);
    return why;
}
