/* The folder of an import; see manglecp_import.h. A new one is written beside its place and renamed
 * when it is whole. In one that is there, each file is replaced in one step, and nothing of the
 * author's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/manglecp_import.h"
#include "cli/manglecp_templates.h"
#include "sys/write.h"

#define MANY_TOOLS    ((size_t)200)
#define DERIVED_FACTS ((size_t)100000) /* as many as there may be without a word */
#define FILE_BYTES    ((size_t)64 << 20)

/* ---- the folder beside ------------------------------------------------------------------------
 */

static bool is_empty(const char *folder)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return dir && count <= 2; /* itself and the one above */
}

/* What was not made by an import is somebody's: nothing is put into it. */
static bool is_ours(struct importing *im)
{
    char *record = mgi_arena_printf(&im->arena, "%s/" IMPORT_RECORD, im->into);
    if (record && access(record, F_OK) == 0)
        return true;
    mgi_cli_error("%s is there, and no import has made it", im->into);
    mgi_cli_hint("Choose another folder with --into; what is needed can be copied from there.");
    return false;
}

bool mgi_import_stage(struct importing *im)
{
    struct stat there;
    im->fresh = lstat(im->into, &there) != 0 || is_empty(im->into);
    if (!im->fresh && !is_ours(im))
        return false;
    char *stage = mgi_arena_printf(&im->arena, "%s.import-XXXXXX", im->into);
    if (!stage || !mkdtemp(stage)) {
        mgi_cli_error("%s cannot be made beside its place: %s", im->into,
                      stage ? strerror(errno) : "out of memory");
        return false;
    }
    im->host.domain = stage;
    return true;
}

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *place)
{
    (void)what, (void)kind, (void)place;
    return remove(path);
}

void mgi_import_unstage(struct importing *im)
{
    if (im->host.domain)
        nftw(im->host.domain, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    im->host.domain = NULL;
}

/* mkdir -p of everything above the last part of `path`, which is changed and changed back. */
static bool make_parents(char *path)
{
    for (char *c = path + 1; *c; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *c = '/';
        if (!made)
            return false;
    }
    return true;
}

bool mgi_import_put(struct importing *im, const char *path, struct str text)
{
    char *full = mgi_arena_printf(&im->arena, "%s/%s", im->host.domain, path);
    if (!full || !make_parents(full)) {
        mgi_cli_error("%s: %s", path, full ? strerror(errno) : "out of memory");
        return false;
    }
    int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    bool good = fd >= 0 && mgi_write_all(fd, text);
    int error = errno;
    if (fd >= 0)
        good &= close(fd) == 0;
    if (!good)
        mgi_cli_error("%s cannot be written: %s", full, strerror(error));
    return good;
}

/* ---- what is the same for every import --------------------------------------------------------
 */

static bool fill_template(struct importing *im, struct buf *out, const struct template_file *file)
{
    static const char mark[] = "@NAME@";
    const char *at = file->text, *end = file->text + file->len, *found;
    while ((found = strstr(at, mark))) {
        mgi_buf_append(out, at, (size_t)(found - at));
        mgi_buf_puts(out, im->name);
        at = found + strlen(mark);
    }
    mgi_buf_append(out, at, (size_t)(end - at));
    return !out->oom;
}

static const char *const own_files[][2] = {
    { "rules/schema/own.mg",
      "# Yours: no import writes here. What clients may say besides, and predicates of your "
      "rules:\n"
      "#\n"
      "# Decl ticket(Id)\n"
      "#   descr [doc(\"The ticket that is worked on.\"), direction(\"input\")]\n"
      "#   bound [/string].\n" },
    { "rules/policy/own.mg",
      "# Yours: no import writes here. What must not be offered, and when (rules/schema/import.mg "
      "declares "
      "all of these):\n"
      "#\n"
      "# forbid(\"git_push\", \"not on Fridays\") :- state(\"day\", \"today\", \"friday\").\n"
      "# tool_needs(\"git_commit\", \"repository\").       # out unless has(\"repository\", _)\n"
      "# server_needs(\"browser\", \"page\").              # all of its tools\n"
      "#\n"
      "# How much harm a tool can do stands in facts/confirmed.mg.\n" },
    { "rules/domain/own.mg",
      "# Yours: no import writes here. What is needed now, as far as it can be known: such tools "
      "come "
      "first, in full.\n"
      "#\n"
      "# prove(\"merge_pull_request\") :- wants(\"merge\"), has(\"pull_request\", _).\n" },
};

static bool put_own_files(struct importing *im)
{
    for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++) {
        struct buf text = { 0 };
        mgi_buf_puts(&text, own_files[i][1]);
        if (!mgi_import_files_take(&im->files, own_files[i][0], &text, true))
            return false;
    }
    return true;
}

/* What is this import's own in domain.yaml. Ranking compares each tool of an opened server with
 * each other one of it. */
static void put_domain(const struct importing *im, struct buf *out)
{
    size_t most = 0;
    if (im->embed)
        mgi_import_near_external(out);
    for (size_t i = 0; i < im->server_count; i++)
        most = im->servers[i].tools > most ? im->servers[i].tools : most;
    if (most > MANY_TOOLS)
        mgi_buf_printf(out, "limits:\n  max_derived_facts: %zu    # a server has %zu tools\n",
                       DERIVED_FACTS + 2 * most * most, most);
    mgi_buf_puts(out, im->actions);
    if (im->embed)
        mgi_import_near_host(out, im->embed);
}

bool mgi_import_put_templates(struct importing *im)
{
    static const char folder[] = "import/", embed[] = "embed/";
    for (size_t i = 0; i < mgi_templates_count; i++) {
        const struct template_file *file = &mgi_templates[i];
        const char *path = file->path + strlen(folder);
        struct buf text = { 0 };
        bool own = strstr(path, "own.mg") != NULL;
        if (strncmp(file->path, folder, strlen(folder)) != 0 || strstr(path, "_test.mg"))
            continue;
        if (strncmp(path, embed, strlen(embed)) == 0) {
            path += strlen(embed);
            if (!im->embed)
                continue;
        }
        fill_template(im, &text, file);
        if (strcmp(path, "domain.yaml") == 0)
            put_domain(im, &text);
        if (!mgi_import_files_take(&im->files, path, &text, own))
            return false;
    }
    return put_own_files(im);
}

/* ---- the folder that is there -----------------------------------------------------------------
 */

struct str mgi_import_old_file(struct importing *im, const char *path)
{
    struct buf text = { 0 };
    const char *why;
    char *full = mgi_arena_printf(&im->arena, "%s/%s", im->into, path);
    struct str kept = STR_LIT("");
    if (full && access(full, F_OK) == 0 && mgi_cli_read_file(full, FILE_BYTES, &text, &why))
        kept = mgi_arena_str(&im->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return kept.ptr ? kept : STR_LIT("");
}

bool mgi_import_name(struct importing *im)
{
    if (!mgi_import_name_tools(&im->arena, im->tools, im->tool_count))
        return false;
    mgi_import_take_confirmed(im->tools, im->tool_count,
                              mgi_import_old_file(im, "facts/confirmed.mg"));
    return true;
}

static bool there_is(void *context, const char *path, char hash[IMPORT_HASH_TEXT])
{
    struct importing *im = context;
    struct buf text = { 0 };
    const char *why;
    char *full = mgi_arena_printf(&im->arena, "%s/%s", im->into, path);
    struct stat what;
    hash[0] = '\0';
    if (!full || lstat(full, &what) != 0)
        return false;
    if (S_ISREG(what.st_mode) && mgi_cli_read_file(full, FILE_BYTES, &text, &why))
        mgi_import_hash(mgi_buf_view(&text), hash); /* else it is none that an import has written */
    mgi_buf_fini(&text);
    return true;
}

bool mgi_import_compare(struct importing *im)
{
    struct json record;
    struct str text = mgi_import_old_file(im, IMPORT_RECORD);
    bool recorded =
        text.len > 0 && mgi_json_parse(&im->arena, text, NULL, &record, NULL) == JSON_OK;
    return mgi_import_plan(&im->arena, &im->files, recorded ? &record : NULL, there_is, im,
                           &im->changes, &im->change_count);
}

/* ---- taking its place -------------------------------------------------------------------------
 */

static bool apply(struct importing *im, const struct import_change *change)
{
    char *full = mgi_arena_printf(&im->arena, "%s/%s", im->into, change->path);
    bool good = full != NULL;
    if (good && change->step == FILE_GONE)
        good = unlink(full) == 0;
    else if (good && (change->step == FILE_NEW || change->step == FILE_CHANGED))
        good = make_parents(full) && mgi_cli_write_file(full, change->file->text);
    if (!good)
        mgi_cli_error("%s: %s", full ? full : change->path,
                      full ? strerror(errno) : "out of memory");
    return good;
}

/* What was written, less what was not because it is somebody's: that stays unknown. The lock goes
 * last but for this: until then the domain is what it was, or does not load and says so. */
static bool write_record(struct importing *im)
{
    struct import_files written = { .arena = &im->arena };
    struct buf text = { 0 };
    for (size_t i = 0; i < im->change_count; i++) {
        const struct import_change *c = &im->changes[i];
        if (!c->file || c->file->once || c->step == FILE_KEPT)
            continue;
        if (!mgi_arena_grow(&im->arena, &written.items, &written.cap, written.count + 1,
                            sizeof *written.items))
            return false;
        written.items[written.count++] = *c->file;
    }
    char *full = mgi_arena_printf(&im->arena, "%s/" IMPORT_RECORD, im->into);
    bool good =
        mgi_import_record(&text, &written) && full && mgi_cli_write_file(full, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    if (!good)
        mgi_cli_error("%s/" IMPORT_RECORD " cannot be written: %s", im->into, strerror(errno));
    return good;
}

static bool update(struct importing *im)
{
    for (size_t i = 0; i < im->change_count; i++)
        if (!apply(im, &im->changes[i]))
            return false;
    return write_record(im);
}

bool mgi_import_publish(struct importing *im)
{
    struct buf record = { 0 };
    if (!im->fresh)
        return update(im);
    bool good = mgi_import_record(&record, &im->files) &&
                mgi_import_put(im, IMPORT_RECORD, mgi_buf_view(&record)) &&
                chmod(im->host.domain, 0755) == 0;
    mgi_buf_fini(&record);
    if (good && rename(im->host.domain, im->into) == 0) {
        im->host.domain = NULL;
        return true;
    }
    if (good)
        mgi_cli_error("%s cannot be made: %s", im->into, strerror(errno));
    return false;
}
