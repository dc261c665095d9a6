/* Documents and workspace files. A file of the workspace is kept with its text; while it is open in
 * the editor the editor's text is the truth. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "lsp/lsp_int.h"

#define MAX_FILES  20000
#define MAX_PARENT 32 /* folders above a file in which domain.yaml is looked for */

/* ---- names ---------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The path of a file URI, or the URI itself. */
static bool key_of_uri(struct str uri, struct buf *key)
{
    if (!mgi_str_starts(uri, STR_LIT("file://"))) {
        mgi_buf_str(key, uri);
        return !key->oom;
    }
    size_t at = 7;
    while (at < uri.len && uri.ptr[at] != '/')
        at++; /* the host */
    for (; at < uri.len; at++) {
        int high = -1, low = -1;
        if (uri.ptr[at] == '%' && at + 2 < uri.len) {
            high = hex_digit(uri.ptr[at + 1]);
            low = hex_digit(uri.ptr[at + 2]);
        }
        if (high >= 0 && low >= 0 && (high || low)) {
            mgi_buf_putc(key, (char)(high << 4 | low));
            at += 2;
        } else if (uri.ptr[at] != 0) {
            mgi_buf_putc(key, uri.ptr[at]);
        }
    }
    return !key->oom;
}

static char *uri_of_path(const char *path)
{
    struct buf uri = { 0 };
    mgi_buf_puts(&uri, "file://");
    for (const char *p = path; *p; p++) {
        bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                     (*p >= '0' && *p <= '9') || strchr("/-._~", *p);
        if (plain)
            mgi_buf_putc(&uri, *p);
        else
            mgi_buf_printf(&uri, "%%%02X", (unsigned)(unsigned char)*p);
    }
    return mgi_buf_take(&uri, NULL);
}

static char *copy_text(struct str s)
{
    char *copy = mgi_alloc(s.len + 1);
    if (copy) {
        if (s.len)
            memcpy(copy, s.ptr, s.len);
        copy[s.len] = 0;
    }
    return copy;
}

/* ---- Package and Use ------------------------------------------------------------------------ */

static void skip_space(struct str s, size_t *at)
{
    while (*at < s.len) {
        if (s.ptr[*at] == '#')
            while (*at < s.len && s.ptr[*at] != '\n')
                ++*at;
        else if (strchr(" \t\r\n\f", s.ptr[*at]) && s.ptr[*at])
            ++*at;
        else
            break;
    }
}

static struct str read_word(struct str s, size_t *at)
{
    size_t start = *at;
    while (*at < s.len &&
           (s.ptr[*at] == '_' || s.ptr[*at] == ':' || s.ptr[*at] == '.' ||
            (s.ptr[*at] >= '0' && s.ptr[*at] <= '9') || (s.ptr[*at] >= 'a' && s.ptr[*at] <= 'z') ||
            (s.ptr[*at] >= 'A' && s.ptr[*at] <= 'Z')))
        ++*at;
    return (struct str){ s.ptr + start, *at - start };
}

/* The lines that a file begins with; what is not one ends them. */
static bool read_heads(struct lsp_file *f)
{
    struct str s = mgi_buf_view(&f->text.body);
    size_t cap = 0, at = mgi_str_starts(s, STR_LIT("\xEF\xBB\xBF")) ? 3 : 0;
    mgi_arena_reset(&f->heads);
    f->package = (struct str){ "", 0 };
    f->uses = NULL;
    f->use_count = 0;
    for (;;) {
        skip_space(s, &at);
        struct str word = read_word(s, &at);
        bool package = str_is(word, "Package");
        if (!package && !str_is(word, "Use"))
            return true;
        skip_space(s, &at);
        struct str name = mgi_arena_str(&f->heads, read_word(s, &at));
        if (!name.ptr)
            return false;
        if (package && !f->package.len)
            f->package = name;
        if (!package) {
            if (!mgi_arena_grow(&f->heads, &f->uses, &cap, f->use_count + 1, sizeof *f->uses))
                return false;
            f->uses[f->use_count++] = name;
        }
        while (at < s.len && s.ptr[at] != '!' && s.ptr[at] != '\n')
            at++;
        if (at < s.len && s.ptr[at] == '!')
            at++;
    }
}

/* ---- domains and projects ------------------------------------------------------------------- */

/* Is there a file of this name in the folder `path`? */
static bool has_file(struct lsp *s, struct buf *path, const char *name)
{
    size_t len = path->len;
    struct buf ignored = { 0 };
    mgi_buf_printf(path, "/%s", name);
    bool found = !path->oom && s->world.read(s->world.context, path->ptr, &ignored);
    mgi_buf_fini(&ignored);
    path->len = len;
    if (path->ptr)
        path->ptr[len] = 0;
    return found;
}

/* The workspace's folder that it lies in, if the client wants each to be one program. */
static void find_root(struct lsp *s, struct lsp_file *f)
{
    for (size_t i = 0; s->by_workspace && !f->home && i < s->root_count; i++) {
        size_t len = strlen(s->roots[i]);
        if (strncmp(f->key, s->roots[i], len) != 0 || f->key[len] != '/')
            continue;
        f->home = copy_text(str_of(s->roots[i]));
        f->project = true;
    }
}

/* The nearest folder above that has a domain.yaml, if the file is among its rules or facts, or a
 * mangle.yaml, below which everything is one program. */
static bool find_home(struct lsp *s, struct lsp_file *f)
{
    if (!s->world.read || f->key[0] != '/')
        return true;
    struct buf path = { 0 };
    bool domain = false;
    mgi_buf_puts(&path, f->key);
    for (int i = 0; i < MAX_PARENT && !path.oom && !domain && !f->project; i++) {
        char *slash = path.len ? strrchr(path.ptr, '/') : NULL;
        if (!slash || slash == path.ptr)
            break;
        path.len = (size_t)(slash - path.ptr);
        *slash = 0;
        struct str rest = str_of(f->key + path.len);
        domain = has_file(s, &path, "domain.yaml");
        f->project = !domain && has_file(s, &path, "mangle.yaml");
        if (f->project || (domain && (mgi_str_starts(rest, STR_LIT("/rules/")) ||
                                      mgi_str_starts(rest, STR_LIT("/facts/")))))
            f->home = copy_text(mgi_buf_view(&path));
    }
    bool ok = !path.oom;
    mgi_buf_fini(&path);
    if (ok && !domain)
        find_root(s, f);
    return ok;
}

/* ---- the table ------------------------------------------------------------------------------ */

struct lsp_file *mgi_lsp_file_named(const struct lsp *s, const char *key)
{
    uint32_t index;
    return mgi_strmap_get(&s->file_index, str_of(key), &index) ? s->files[index] : NULL;
}

struct lsp_file *mgi_lsp_file(struct lsp *s, struct str uri)
{
    struct buf key = { 0 };
    struct lsp_file *f = key_of_uri(uri, &key) && key.ptr ? mgi_lsp_file_named(s, key.ptr) : NULL;
    s->oom |= key.oom;
    mgi_buf_fini(&key);
    return f && f->exists ? f : NULL;
}

static void free_file(struct lsp_file *f)
{
    if (!f)
        return;
    mgi_free(f->key);
    mgi_free(f->uri);
    mgi_free(f->home);
    mgi_text_fini(&f->text);
    mgi_arena_fini(&f->heads);
    mgi_lsp_program_free(f->program);
    mgi_free(f);
}

void mgi_lsp_free_files(struct lsp *s)
{
    for (size_t i = 0; i < s->file_count; i++)
        free_file(s->files[i]);
    for (size_t i = 0; i < s->root_count; i++)
        mgi_free(s->roots[i]);
    mgi_free(s->files);
    mgi_free(s->roots);
    mgi_strmap_fini(&s->file_index);
}

static struct lsp_file *add_file(struct lsp *s, struct str key, struct str uri)
{
    struct lsp_file *f = mgi_calloc(1, sizeof *f);
    if (!f)
        goto oom;
    mgi_arena_init(&f->heads, 0);
    f->key = copy_text(key);
    f->uri = uri.len ? copy_text(uri) : f->key ? uri_of_path(f->key) : NULL;
    f->version = INT64_MIN;
    f->package = (struct str){ "", 0 };
    if (!f->key || !f->uri || !find_home(s, f) ||
        !mgi_grow(&s->files, &s->file_cap, s->file_count + 1, sizeof *s->files) ||
        !mgi_strmap_put(&s->file_index, key, (uint32_t)s->file_count))
        goto oom;
    s->files[s->file_count++] = f;
    return f;
oom:
    s->oom = true;
    free_file(f);
    return NULL;
}

static struct lsp_file *file_for(struct lsp *s, struct str key, struct str uri)
{
    uint32_t index;
    return mgi_strmap_get(&s->file_index, key, &index) ? s->files[index] : add_file(s, key, uri);
}

/* ---- changes -------------------------------------------------------------------------------- */

/* Every open document of whose program `f` is a part, or may become one, is checked again. */
static void mark_due(struct lsp *s, const struct lsp_file *f)
{
    for (size_t i = 0; i < s->file_count; i++) {
        struct lsp_file *other = s->files[i];
        bool related = other == f || !other->program || f->package.len || f->home || s->by_folder ||
                       mgi_lsp_program_has(other->program, f);
        other->due |= other->open && related;
    }
}

void mgi_lsp_changed(struct lsp *s, struct lsp_file *f)
{
    mark_due(s, f); /* by the package it had, */
    f->revision = ++s->revisions;
    s->oom |= !read_heads(f);
    mark_due(s, f); /* and by the one it has */
}

static void load(struct lsp *s, struct lsp_file *f)
{
    struct buf content = { 0 };
    bool there = s->world.read && s->world.read(s->world.context, f->key, &content);
    s->oom |= content.oom;
    if (there && f->exists && str_eq(mgi_buf_view(&content), mgi_buf_view(&f->text.body))) {
        mgi_buf_fini(&content);
        return;
    }
    s->oom |= !mgi_text_set(&f->text, there ? mgi_buf_view(&content) : (struct str){ "", 0 });
    mgi_buf_fini(&content);
    f->exists = there;
    mgi_lsp_changed(s, f);
}

/* The rules and facts beside a document of a domain that lies outside of the workspace. */
static void found_file(void *to, const char *path)
{
    struct lsp *s = to;
    if (s->oom || s->file_count >= MAX_FILES || mgi_lsp_file_named(s, path))
        return;
    struct lsp_file *f = add_file(s, str_of(path), (struct str){ "", 0 });
    if (f)
        load(s, f);
}

void mgi_lsp_open(struct lsp *s, struct str uri, struct str text, int64_t version)
{
    struct buf key = { 0 };
    struct lsp_file *f = NULL;
    if (key_of_uri(uri, &key))
        f = file_for(s, mgi_buf_view(&key), uri);
    mgi_buf_fini(&key);
    if (!f) {
        s->oom = true;
        return;
    }
    char *spelled = copy_text(uri);
    if (spelled) {
        mgi_free(f->uri);
        f->uri = spelled;
    }
    bool same = f->exists && str_eq(text, mgi_buf_view(&f->text.body)); /* as on disk */
    s->oom |= !spelled || (!same && !mgi_text_set(&f->text, text));
    f->open = f->exists = f->due = true;
    f->version = version;
    if (f->home && s->world.walk)
        s->world.walk(s->world.context, f->home, found_file, s);
    if (!same)
        mgi_lsp_changed(s, f);
}

void mgi_lsp_close(struct lsp *s, struct lsp_file *f)
{
    f->open = f->due = false;
    f->version = INT64_MIN;
    mgi_lsp_program_free(f->program);
    f->program = NULL;
    load(s, f); /* what is on disk counts again */
}

void mgi_lsp_reload(struct lsp *s, struct str uri)
{
    struct buf key = { 0 };
    struct lsp_file *f = NULL;
    if (key_of_uri(uri, &key) && mgi_str_ends(mgi_buf_view(&key), STR_LIT(".mg")) &&
        s->file_count < MAX_FILES)
        f = file_for(s, mgi_buf_view(&key), uri);
    s->oom |= key.oom;
    mgi_buf_fini(&key);
    if (f && !f->open)
        load(s, f);
}

void mgi_lsp_add_root(struct lsp *s, struct str uri)
{
    struct buf key = { 0 };
    bool ok = key_of_uri(uri, &key) && key.ptr &&
              mgi_grow(&s->roots, &s->root_cap, s->root_count + 1, sizeof *s->roots);
    while (ok && key.len > 1 && key.ptr[key.len - 1] == '/')
        key.ptr[--key.len] = 0;
    char *root = ok ? mgi_buf_take(&key, NULL) : NULL;
    if (root)
        s->roots[s->root_count++] = root;
    mgi_buf_fini(&key);
    s->oom |= ok && !root;
}

void mgi_lsp_scan_roots(struct lsp *s)
{
    for (size_t i = 0; s->world.walk && i < s->root_count; i++)
        if (s->roots[i][0] == '/')
            s->world.walk(s->world.context, s->roots[i], found_file, s);
}
