/* Arguments of the git plugin: paths below the worktree, ids, times. */
#include "plugins/git/git_plugin.h"

#include <strings.h>

#include "base/time.h"
#include "base/utf8.h"

#define PATHS_MOST  1000
#define PERSON_MOST 200

bool mgi_git_arg_cstr(struct action *a, const char *name, size_t most, const char **text)
{
    struct str value;
    if (!mgi_arg_text(a, name, most, &value))
        return false;
    if (value.len == 0)
        return mgi_action_fail(a, "%s: is empty", name);
    if (memchr(value.ptr, '\0', value.len))
        return mgi_action_fail(a, "%s: has a NUL in it", name);
    *text = value.ptr;
    return true;
}

/* True if a component is .git, as any file system might spell it. */
static bool enters_git(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/'), p = p ? p + 1 : NULL) {
        size_t len = strcspn(p, "/");
        while (len > 4 && (p[len - 1] == '.' || p[len - 1] == ' ')) /* what some of them drop */
            len--;
        if ((len == 4 && strncasecmp(p, ".git", 4) == 0) ||
            (len == 5 && strncasecmp(p, "git~1", 5) == 0))
            return true;
    }
    return false;
}

bool mgi_git_is_plain_path(const char *path)
{
    size_t len = strlen(path);
    for (const char *p = path; *p; p = strchr(p, '/') ? strchr(p, '/') + 1 : path + len) {
        size_t part = strcspn(p, "/");
        if (part == 0 || part > 255 || (part <= 2 && strncmp(p, "..", part) == 0))
            return false;
    }
    return len > 0 && path[len - 1] != '/' && !enters_git(path);
}

static bool check_path(struct action *a, const char *name, struct str text, bool root, char *out)
{
    const char *fault = mgi_path_canonical(text, out);
    if (!fault && !root && strcmp(out, ".") == 0)
        fault = "is the root itself";
    if (!fault && enters_git(out))
        fault = "leads into .git";
    if (!fault)
        return true;
    return mgi_action_fail(a, "%s: \"%.*s\" %s", name, STR_ARG(mgi_utf8_prefix(text, 200)), fault);
}

bool mgi_git_arg_path(struct action *a, const char *name, bool root, const char **path)
{
    struct str text;
    if (!mgi_arg_text(a, name, PATH_MOST, &text))
        return false;
    char *out = mgi_arena_alloc(&a->arena, text.len + 2);
    if (!out)
        return mgi_action_nomem(a);
    if (!check_path(a, name, text, root, out))
        return false;
    *path = out;
    return true;
}

/* One element of an array of paths or patterns. */
static bool read_path(struct action *a, const char *name, th_str value, struct git_paths *paths)
{
    if (value.ptr[0] != '"')
        return mgi_action_fail(a, "%s: has an element that is no string", name);
    struct str text = mgi_arg_string(&a->arena, value);
    char *out = text.ptr ? mgi_arena_alloc(&a->arena, text.len + 2) : NULL;
    if (!out)
        return mgi_action_nomem(a);
    if (!check_path(a, name, text, false, out))
        return false;
    if (paths->globs && mgi_glob_fault(str_of(out)))
        return mgi_action_fail(a, "%s: \"%s\" %s", name, out, mgi_glob_fault(str_of(out)));
    paths->items[paths->count++] = out;
    return true;
}

void mgi_git_arg_paths(struct action *a, const char *name, struct git_paths *paths)
{
    th_str list, unused, value;
    size_t count = 0;
    if (!mgi_arg_raw(a, name, &list))
        return;
    if (list.ptr[0] != '[') {
        mgi_action_fail(a, "%s: not an array", name);
        return;
    }
    for (size_t at = 0; mgi_arg_each(list, &at, &unused, &value);)
        count++;
    if (count == 0 || count > PATHS_MOST) {
        mgi_action_fail(a, "%s: %zu elements are not from 1 to %d", name, count, PATHS_MOST);
        return;
    }
    paths->items = mgi_arena_calloc(&a->arena, count, sizeof *paths->items);
    if (!paths->items) {
        mgi_action_nomem(a);
        return;
    }
    for (size_t at = 0; mgi_arg_each(list, &at, &unused, &value);)
        read_path(a, name, value, paths);
}

bool mgi_git_is_below(const char *path, const char *root)
{
    size_t len = strlen(root);
    return strcmp(root, ".") == 0 ||
           (strncmp(path, root, len) == 0 && (path[len] == '\0' || path[len] == '/'));
}

bool mgi_git_paths_match(const struct git_paths *paths, const char *path)
{
    for (size_t i = 0; i < paths->count; i++)
        if (paths->globs ? mgi_glob(str_of(paths->items[i]), str_of(path))
                         : mgi_git_is_below(path, paths->items[i]))
            return true;
    return paths->count == 0;
}

bool mgi_git_arg_id(struct action *a, const char *name, git_oid *id)
{
    struct str text;
    if (!mgi_arg_text(a, name, 1000, &text))
        return false;
    bool hex = text.len == GIT_OID_HEXSZ;
    for (size_t i = 0; hex && i < text.len; i++)
        hex = strchr("0123456789abcdef", text.ptr[i]) && text.ptr[i];
    if (!hex || git_oid_fromstrn(id, text.ptr, text.len) != 0)
        return mgi_action_fail(a, "%s: is no id of 40 hexadecimal digits in lower case", name);
    return true;
}

bool mgi_git_arg_time(struct action *a, const char *name, bool end, int64_t *seconds)
{
    char whole[32];
    int64_t ns;
    struct str text;
    if (!mgi_arg_text(a, name, 64, &text))
        return false;
    if (text.len == 10) { /* a date */
        memcpy(whole, text.ptr, 10);
        memcpy(whole + 10, end ? "T23:59:59Z" : "T00:00:00Z", 11);
        text = str_of(whole);
    }
    enum time_parse fault = mgi_time_parse(text, TIME_LOWER_CASE | TIME_LEAP_SECOND, &ns);
    if (fault != TIME_OK)
        return mgi_action_fail(a, "%s: %s", name, mgi_time_parse_text(fault));
    *seconds = ns / NS_PER_SEC - (ns % NS_PER_SEC < 0);
    return true;
}

bool mgi_git_arg_person(struct action *a, const char *argument, const char **name,
                        const char **email)
{
    static const char *const known[] = { "name", "email", NULL };
    th_str all = a->input;
    size_t faults = a->faults;
    if (!mgi_arg_raw(a, argument, &a->input))
        return false;
    if (a->input.ptr[0] != '{') {
        mgi_action_fail(a, "%s: not an object", argument);
    } else {
        mgi_arg_known(a, known);
        if (mgi_arg_need(a, "name"))
            mgi_git_arg_cstr(a, "name", PERSON_MOST, name);
        if (mgi_arg_need(a, "email"))
            mgi_git_arg_cstr(a, "email", PERSON_MOST, email);
    }
    a->input = all;
    return a->faults == faults;
}
