/* The folder of an import; see manglecp_import.h. It is written beside its place, with all that the
 * author has in the one that is there; and when that is whole and good it takes its place in one
 * step. Until then the folder that is there is not touched. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strmap.h"
#include "cli/cli_files.h"
#include "cli/cli_folder.h"
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

char *mgi_import_place(struct importing *im)
{
    char real[PATH_MAX];
    struct str path = str_of(im->into);
    if (realpath(im->into, real))
        return mgi_arena_strdup(&im->arena, real);
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return mgi_arena_printf(&im->arena, "%.*s", STR_ARG(path));
}

bool mgi_import_stage(struct importing *im)
{
    struct stat there;
    im->fresh = lstat(im->into, &there) != 0 || is_empty(im->into);
    if (!im->fresh && !is_ours(im))
        return false;
    char *stage = mgi_arena_printf(&im->arena, "%s.import-XXXXXX", im->place);
    if (!stage || !mkdtemp(stage)) {
        mgi_cli_error("%s cannot be made beside its place: %s", im->into,
                      stage ? strerror(errno) : "out of memory");
        return false;
    }
    im->host.domain = stage;
    return true;
}

void mgi_import_unstage(struct importing *im)
{
    if (im->host.domain && !mgi_cli_remove_folder(im->host.domain)) {
        mgi_cli_error("%s cannot be removed whole", im->host.domain);
        mgi_cli_hint("Nothing needs it any more.");
    }
    im->host.domain = NULL;
}

bool mgi_import_put(struct importing *im, const char *path, struct str text)
{
    char *full = mgi_arena_printf(&im->arena, "%s/%s", im->host.domain, path);
    if (!full || !mgi_cli_make_parents(full, 0777)) {
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
        mgi_template_fill(&text, file, im->name);
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

static bool compare(struct importing *im)
{
    struct json record;
    struct str text = mgi_import_old_file(im, IMPORT_RECORD);
    bool recorded =
        text.len > 0 && mgi_json_parse(&im->arena, text, NULL, &record, NULL) == JSON_OK;
    return mgi_import_plan(&im->arena, &im->files, recorded ? &record : NULL, there_is, im,
                           &im->changes, &im->change_count);
}

/* ---- made whole --------------------------------------------------------------------------------
 */

/* What is written, less what is not because it is somebody's: that stays unknown. */
static bool put_record(struct importing *im)
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
    bool good = mgi_import_record(&text, &written) &&
                mgi_import_put(im, IMPORT_RECORD, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return good;
}

struct kept_files {
    const struct import_change *changes;
    struct strmap known; /* path -> index */
};

static bool is_kept(void *context, const char *path)
{
    const struct kept_files *k = context;
    uint32_t i;
    if (strcmp(path, IMPORT_RECORD) == 0)
        return false;
    if (!mgi_strmap_get(&k->known, str_of(path), &i))
        return true; /* the import knows nothing of it */
    return k->changes[i].step == FILE_SAME || k->changes[i].step == FILE_KEPT;
}

static bool carry_over(struct importing *im)
{
    struct kept_files k = { .changes = im->changes };
    bool good = true;
    mgi_strmap_init(&k.known);
    for (size_t i = 0; good && i < im->change_count; i++)
        good = mgi_strmap_put(&k.known, str_of(im->changes[i].path), (uint32_t)i);
    if (!good)
        mgi_cli_error("out of memory");
    good = good && mgi_cli_carry_over(im->place, im->host.domain, is_kept, &k);
    mgi_strmap_fini(&k.known);
    return good;
}

bool mgi_import_complete(struct importing *im)
{
    if (!compare(im)) {
        mgi_cli_error("out of memory");
        return false;
    }
    return put_record(im) && (im->fresh || carry_over(im));
}

/* ---- taking its place -------------------------------------------------------------------------
 */

static bool publish_new(struct importing *im)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return chmod(im->host.domain, 0777 & ~mask) == 0 && rename(im->host.domain, im->place) == 0;
}

bool mgi_import_publish(struct importing *im)
{
    bool good = im->fresh ? publish_new(im) : mgi_cli_exchange(im->place, im->host.domain);
    if (!good)
        mgi_cli_error("%s cannot be put into its place: %s", im->into, strerror(errno));
    else if (im->fresh)
        im->host.domain = NULL; /* else it is what was there before, and goes */
    return good;
}
