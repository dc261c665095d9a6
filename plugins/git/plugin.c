/* The git plugin's door: its settings and its actions. */
#include "plugins/git/git_plugin.h"

#define MAX_BYTES_DEFAULT (16 * 1024 * 1024)
#define MAX_BYTES_MOST    (256 * 1024 * 1024)
#define CACHE_MOST        (64 * 1024 * 1024) /* of libgit2, for objects */

static struct git_settings git; /* written by init alone */

/* A text with a NUL behind it; "" if absent. */
static bool copy_setting(struct action *settings, const char *name, char *out, size_t size)
{
    const char *text;
    out[0] = '\0';
    if (!mgi_git_arg_cstr(settings, name, size - 1, &text))
        return false;
    strcpy(out, text);
    return true;
}

static void read_folder(struct action *settings, const char *name, char *out, size_t size)
{
    if (copy_setting(settings, name, out, size) && out[0] != '/')
        mgi_action_fail(settings, "%s: \"%s\" is no absolute path", name, out);
}

/* An array of texts, each copied into one of `most` rooms of `size` bytes. */
static size_t copy_list(struct action *settings, const char *name, char *rooms, size_t most,
                        size_t size)
{
    th_str list, unused, value;
    size_t count = 0;
    if (!mgi_arg_raw(settings, name, &list))
        return 0;
    if (list.ptr[0] != '[')
        mgi_action_fail(settings, "%s: not an array", name);
    for (size_t at = 0; mgi_arg_each(list, &at, &unused, &value); count++) {
        struct str text =
            value.ptr[0] == '"' ? mgi_arg_string(&settings->arena, value) : (struct str){ NULL, 0 };
        if (count == most || !text.ptr || text.len == 0 || text.len >= size ||
            memchr(text.ptr, '\0', text.len)) {
            mgi_action_fail(settings, "%s: has to be at most %zu texts of 1 to %zu bytes", name,
                            most, size - 1);
            return 0;
        }
        memcpy(rooms + count * size, text.ptr, text.len + 1);
    }
    return count;
}

static void read_lists(struct action *settings)
{
    git.outside_count =
        copy_list(settings, "outside", git.outside[0], SETTINGS_MOST, sizeof git.outside[0]);
    git.branches_count =
        copy_list(settings, "branches", git.branches[0], SETTINGS_MOST, sizeof git.branches[0]);
    for (size_t i = 0; i < git.outside_count; i++)
        if (git.outside[i][0] != '/')
            mgi_action_fail(settings, "outside: \"%s\" is no absolute path", git.outside[i]);
    for (size_t i = 0; i < git.branches_count; i++)
        if (mgi_glob_fault(str_of(git.branches[i])))
            mgi_action_fail(settings, "branches: \"%s\" %s", git.branches[i],
                            mgi_glob_fault(str_of(git.branches[i])));
}

static bool is_empty_text(th_str object, const char *name)
{
    th_str value;
    return th_json_member(object, name, &value) && value.len == 2 && value.ptr[0] == '"';
}

/* Both texts are empty, as where a domain's settings stand for them and are; nothing is beside. */
static bool says_nothing(struct action *settings)
{
    th_str author, name, value;
    size_t count = 0;
    if (!mgi_arg_raw(settings, "author", &author))
        return true;
    for (size_t at = 0; mgi_arg_each(author, &at, &name, &value);)
        count++;
    return count == 2 && is_empty_text(author, "name") && is_empty_text(author, "email");
}

static void read_author(struct action *settings)
{
    const char *name, *email;
    if (says_nothing(settings) || !mgi_git_arg_person(settings, "author", &name, &email))
        return;
    strcpy(git.author_name, name);
    strcpy(git.author_email, email);
}

/* Nothing of the machine or the user is read, and whose files they are does not matter: git asks
 * because it may run what a repository says, and here nothing is run. */
static bool begin_library(struct action *settings)
{
    int error = git_libgit2_init() < 0;
    for (int level = GIT_CONFIG_LEVEL_PROGRAMDATA; level <= GIT_CONFIG_LEVEL_GLOBAL; level++)
        error |= git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
    error |= git_libgit2_opts(GIT_OPT_SET_TEMPLATE_PATH, "");
    error |= git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    error |= git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHE_MOST);
    return !error || mgi_action_fail(settings, "libgit2 cannot be started");
}

static bool configure(struct action *settings, bool *may_write)
{
    static const char *const known[] = { "repository", "write",  "worktrees", "outside",
                                         "branches",   "author", "max_bytes", NULL };
    git = (struct git_settings){ .max_bytes = MAX_BYTES_DEFAULT };
    mgi_arg_known(settings, known);
    if (mgi_arg_need(settings, "repository"))
        read_folder(settings, "repository", git.repository, sizeof git.repository);
    mgi_arg_bool(settings, "write", &git.may_write);
    read_folder(settings, "worktrees", git.worktrees, sizeof git.worktrees);
    read_lists(settings);
    read_author(settings);
    mgi_arg_int(settings, "max_bytes", 1, MAX_BYTES_MOST, &git.max_bytes);
    *may_write = git.may_write;
    struct git g;
    settings->settings = &git;
    return settings->faults == 0 && begin_library(settings) && mgi_git_open(settings, &g);
}

static const struct action_row rows[] = {
    { "status", mgi_git_status, false },
    { "log", mgi_git_log, false },
    { "show", mgi_git_show, false },
    { "read", mgi_git_read, false },
    { "diff", mgi_git_diff, false },
    { "blame", mgi_git_blame, false },
    { "grep", mgi_git_grep, false },
    { "branches", mgi_git_branches, false },
    { "tags", mgi_git_tags, false },
    { "files", mgi_git_files, false },
    { "renames", mgi_git_renames, false },
    { "merge_base", mgi_git_merge_base, false },
    { "contributors", mgi_git_contributors, false },
    { "reflog", mgi_git_reflog, false },
    { "worktrees", mgi_git_worktrees, false },
    { "stashes", mgi_git_stashes, false },
    { "stage", mgi_git_stage, true },
    { "unstage", mgi_git_unstage, true },
    { "commit", mgi_git_commit_staged, true },
    { "create_branch", mgi_git_create_branch, true },
    { "delete_branch", mgi_git_delete_branch, true },
    { "switch", mgi_git_switch, true },
    { "restore", mgi_git_restore, true },
    { "stash", mgi_git_stash, true },
    { "stash_pop", mgi_git_stash_pop, true },
    { "revert", mgi_git_revert, true },
    { "tag", mgi_git_tag, true },
    { "worktree_add", mgi_git_worktree_add, true },
    { "worktree_remove", mgi_git_worktree_remove, true },
    { "apply", mgi_git_apply, true },
    { "clean", mgi_git_clean, true },
};

static const struct action_plugin plugin = {
    .rows = rows, .count = sizeof rows / sizeof *rows, .configure = configure, .settings = &git
};

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

/* Asked before the settings are known, so it speaks for the plugin with `write`. */
uint32_t toolhost_plugin_caps(void)
{
    return TH_CAP_FILE_READ | TH_CAP_FILE_WRITE;
}

int toolhost_plugin_init(const th_host *host, th_reg *reg)
{
    return mgi_plugin_init(host, reg, &plugin);
}

void toolhost_plugin_fini(void)
{
    git_libgit2_shutdown();
}
