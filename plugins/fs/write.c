/* Writing one file, and making folders. */
#include "plugins/fs/fs.h"

#define ANSWER_BYTES 300 /* of the answer, without the path */

static const char *const modes[] = { "create", "replace", "either", NULL };

/* "0644" or "644". */
static void read_permissions(struct action *a, int *permissions)
{
    struct str text;
    int value = 0;
    if (!mgi_arg_text(a, "permissions", 64, &text))
        return;
    bool ok = text.len == 3 || (text.len == 4 && text.ptr[0] == '0');
    for (size_t i = 0; i < text.len && ok; i++) {
        ok = text.ptr[i] >= '0' && text.ptr[i] <= '7';
        value = value * 8 + (text.ptr[i] - '0');
    }
    if (ok)
        *permissions = value;
    else
        mgi_action_fail(a, "permissions: \"%.*s\" is not three octal digits, like \"644\"",
                        STR_ARG(text));
}

static void read_content(struct action *a, struct str *content)
{
    struct str coded;
    bool text = mgi_arg_text(a, "text", SIZE_MAX, content);
    bool base64 = mgi_arg_text(a, "base64", SIZE_MAX, &coded);
    if (text == base64)
        mgi_action_fail(a, "text, base64: say one of them");
    else if (base64 && !mgi_base64_read(&a->arena, coded, content))
        mgi_action_fail(a, "base64: is no base64 with padding");
}

static void read_expected(struct action *a, struct fs_store *s)
{
    if (!mgi_arg_text(a, "expected_sha256", SHA256_TEXT_BYTES, &s->expected))
        return;
    if (s->expected.len != SHA256_TEXT_BYTES - 1 ||
        strspn(s->expected.ptr, "0123456789abcdef") != s->expected.len)
        mgi_action_fail(a, "expected_sha256: is not 64 hexadecimal digits in lower case");
    if (s->when == FS_CREATE)
        mgi_action_fail(a, "expected_sha256: only for the modes replace and either");
}

static bool write_arguments(struct action *a, struct fs_store *s, bool *parents)
{
    static const char *const known[] = {
        "path", "text", "base64", "mode", "expected_sha256", "permissions", "parents", NULL
    };
    size_t mode = FS_CREATE;
    mgi_fs_store_init(s);
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "path"))
        mgi_arg_path(a, "path", &s->path);
    mgi_arg_word(a, "mode", modes, &mode);
    s->when = (enum fs_when)mode;
    read_content(a, &s->content);
    read_expected(a, s);
    read_permissions(a, &s->permissions);
    mgi_arg_bool(a, "parents", parents);
    return a->faults == 0;
}

/* The folders above a file. */
static bool make_parents(struct action *a, int root, const char *path)
{
    size_t made = 0;
    const char *slash = strrchr(path, '/');
    if (!slash)
        return true;
    char *folder = mgi_arena_strdup(&a->arena, path);
    if (!folder)
        return mgi_action_nomem(a);
    folder[slash - path] = '\0';
    return mgi_fs_make_folders(a, root, folder, true, &made);
}

static void put_stored(struct action *a, const struct fs_store *s)
{
    char digest[SHA256_TEXT_BYTES];
    mgi_sha256_text(s->content, digest);
    mgi_jw_member_cstr(&a->out, "path", s->path);
    mgi_jw_member_int(&a->out, "size", (int64_t)s->content.len);
    mgi_jw_member_cstr(&a->out, "sha256", digest);
    mgi_jw_member_bool(&a->out, "created", !s->existed);
    mgi_jw_member_bool(&a->out, "changed", !s->unchanged);
}

bool mgi_fs_write(struct action *a)
{
    struct fs_store s;
    bool parents = false;
    int root = write_arguments(a, &s, &parents) ? mgi_fs_root(a) : -1;
    if (root < 0)
        return false;
    bool ok = (!parents || make_parents(a, root, s.path)) && mgi_fs_store_prepare(a, root, &s) &&
              !mgi_action_stops(a) && mgi_action_reserve(a, 6 * strlen(s.path) + ANSWER_BYTES) &&
              mgi_fs_store_commit(a, &s);
    if (ok)
        put_stored(a, &s);
    mgi_fs_store_fini(&s);
    return ok;
}

bool mgi_fs_mkdir(struct action *a)
{
    static const char *const known[] = { "path", "parents", NULL };
    const char *path = NULL;
    bool parents = false;
    size_t made = 0;
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "path"))
        mgi_arg_path(a, "path", &path);
    mgi_arg_bool(a, "parents", &parents);
    int root = a->faults == 0 ? mgi_fs_root(a) : -1;
    if (root < 0 || !mgi_fs_make_folders(a, root, path, parents, &made))
        return false;
    mgi_jw_member_cstr(&a->out, "path", path);
    mgi_jw_member_int(&a->out, "created", (int64_t)made);
    return true;
}
