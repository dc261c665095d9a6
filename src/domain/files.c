/* Reading a folder: regular files below a path by suffix, sorted, with their content. Symbolic
 * links are followed for files and not for folders, so a loop cannot form. Nothing that stands
 * there is passed over in silence: a rule that is not read may be one that forbids. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "domain/domain_int.h"

#define FILE_MAX_BYTES   ((off_t)256 << 20)
#define FOLDER_MAX_DEPTH 8

static void cannot_read(const struct yaml_context *c, const char *path, const char *why)
{
    mgi_findings_add(c->findings, MANGLE_ERROR, "IO", path, 0, 0, NULL, "could not read it: %s",
                     why);
}

/* As long as `before` says, and as old when it is over. What somebody writes to just now is not
 * whole, and half a number would be taken for one. */
static bool is_unchanged(int fd, const struct stat *before, size_t len)
{
    struct stat after;
    return (off_t)len == before->st_size && fstat(fd, &after) == 0 &&
           after.st_size == before->st_size && after.st_mtim.tv_sec == before->st_mtim.tv_sec &&
           after.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

/* False: memory. *whole: else a finding says why not. */
static bool read_all(const struct yaml_context *c, int fd, const struct stat *st, const char *path,
                     struct str *out, bool *whole)
{
    size_t len = 0, room = (size_t)st->st_size + 1; /* is there more than it said? */
    char *text = mgi_arena_alloc(mgi_yaml_scratch(c), room);
    if (!text)
        return false;
    ssize_t n = 1;
    while (len < room && n != 0) {
        n = read(fd, text + len, room - len);
        if (n < 0 && errno != EINTR)
            break;
        len += n > 0 ? (size_t)n : 0;
    }
    *whole = n >= 0 && is_unchanged(fd, st, len);
    if (!*whole)
        cannot_read(c, path, n < 0 ? strerror(errno) : "it changed while it was read");
    text[room - 1] = '\0';
    *out = (struct str){ text, room - 1 };
    return true;
}

/* `known`: it stands in its folder, so it has to be there. */
static bool read_file(const struct yaml_context *c, const char *folder, const char *path,
                      bool known, struct file *out, bool *found)
{
    *found = false;
    char *full = mgi_arena_printf(mgi_yaml_scratch(c), "%s/%s", folder, path);
    if (!full)
        return false;
    int fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO has nobody at its other end */
    if (fd < 0) {
        if (errno != ENOENT || known)
            cannot_read(c, path, strerror(errno));
        return true;
    }
    struct stat st;
    bool ok = true;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        cannot_read(c, path, "not a regular file");
    } else if (st.st_size > FILE_MAX_BYTES) {
        cannot_read(c, path, "larger than 256 MiB");
    } else {
        out->path = path;
        ok = read_all(c, fd, &st, path, &out->text, found);
        if (*found)
            mgi_findings_source(c->findings, path, out->text);
    }
    close(fd);
    return ok;
}

bool mgi_file_read(const struct yaml_context *c, const char *folder, const char *path,
                   struct file *out, bool *found)
{
    return read_file(c, folder, path, false, out, found);
}

static bool has_suffix(const char *name, const char *const *suffixes)
{
    for (; *suffixes; suffixes++)
        if (mgi_str_ends(str_of(name), str_of(*suffixes)))
            return true;
    return false;
}

/* Its author may take it for one that is read: consent.MG, consent.mg.txt, .consent.mg. */
static bool looks_read(const char *name, const char *const *suffixes)
{
    size_t len = strlen(name);
    bool scratch = name[0] == '#' || mgi_str_starts(str_of(name), STR_LIT(".#")) ||
                   (len > 0 && name[len - 1] == '~');
    if (name[0] == '.')
        return !scratch && has_suffix(name, suffixes);
    for (; *suffixes && !scratch; suffixes++)
        if (strcasestr(name, *suffixes))
            return true;
    return false;
}

static void warn_unread(const struct yaml_context *c, const char *path, const char *hint)
{
    mgi_findings_add(c->findings, MANGLE_WARNING, "NOT_READ", path, 0, 0, hint,
                     "it is not read: its name is not that of a file of this folder");
}

/* One walk of mgi_files_read(). */
struct walk {
    const struct yaml_context *c;
    const char *folder;
    const char *const *suffixes;
    struct file_list *out;
};

static bool collect(const struct walk *w, const char *under, int depth);

/* What an entry that is no folder is called decides; whether it can be read shows when it is. */
static bool take_file(const struct walk *w, const char *path, const char *name)
{
    struct file_list *out = w->out;
    if (name[0] == '.' || !has_suffix(name, w->suffixes)) {
        if (looks_read(name, w->suffixes))
            warn_unread(w->c, path, "Names end in what they hold, in small letters: name.mg.");
        return true;
    }
    if (!mgi_arena_grow(w->c->arena, &out->items, &out->cap, out->count + 1, sizeof *out->items))
        return false;
    out->items[out->count++] = (struct file){ .path = path };
    return true;
}

static bool take_folder(const struct walk *w, const char *path, const char *name, int depth)
{
    if (name[0] == '.')
        return true;
    if (depth < FOLDER_MAX_DEPTH)
        return collect(w, path, depth + 1);
    cannot_read(w->c, path, "folders are nested too deeply");
    return true;
}

static bool take_entry(const struct walk *w, const char *under, const char *name, int depth)
{
    char *path = mgi_arena_printf(w->c->arena, "%s/%s", under, name);
    char *whole = path ? mgi_arena_printf(mgi_yaml_scratch(w->c), "%s/%s", w->folder, path) : NULL;
    struct stat st, target;
    if (!whole)
        return false;
    bool hidden = name[0] == '.', there = lstat(whole, &st) == 0;
    if (there && S_ISDIR(st.st_mode))
        return take_folder(w, path, name, depth);
    if (!hidden && (!there || stat(whole, &target) < 0))
        cannot_read(w->c, path, strerror(errno));
    else if (!hidden && S_ISDIR(target.st_mode))
        cannot_read(w->c, path, "a link to a folder is not followed");
    else
        return take_file(w, path, name);
    return true;
}

/* Not there is empty, a link that leads nowhere is not. */
static bool is_absent(const char *path)
{
    struct stat st;
    return lstat(path, &st) < 0 && errno == ENOENT;
}

/* Paths below `under` that match, unsorted. Depth is bounded by FOLDER_MAX_DEPTH. */
static bool collect(const struct walk *w, const char *under, int depth)
{
    char *full = mgi_arena_printf(mgi_yaml_scratch(w->c), "%s/%s", w->folder, under);
    if (!full)
        return false;
    DIR *dir = opendir(full);
    if (!dir) {
        int why = errno;
        if (why != ENOENT || !is_absent(full))
            cannot_read(w->c, under, strerror(why));
        return true;
    }
    bool ok = true;
    struct dirent *e = NULL;
    do {
        errno = 0;
        e = readdir(dir);
        if (e && strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            ok = take_entry(w, under, e->d_name, depth);
        else if (!e && errno)
            cannot_read(w->c, under, strerror(errno));
    } while (ok && e);
    closedir(dir);
    return ok;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

bool mgi_files_list(const struct yaml_context *c, const char *folder, const char *under,
                    const char *const *suffixes, struct file_list *out)
{
    struct walk w = { c, folder, suffixes, out };
    if (!collect(&w, under, 0))
        return false;
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, compare_paths);
    return true;
}

bool mgi_files_read(const struct yaml_context *c, const char *folder, const char *under,
                    const char *const *suffixes, struct file_list *out)
{
    struct file_list found = { 0 };
    if (!mgi_files_list(c, folder, under, suffixes, &found))
        return false;
    for (size_t i = 0; i < found.count; i++) {
        bool there;
        struct file one = { 0 };
        if (!read_file(c, folder, found.items[i].path, true, &one, &there))
            return false;
        if (!there)
            continue;
        if (!mgi_arena_grow(c->arena, &out->items, &out->cap, out->count + 1, sizeof *out->items))
            return false;
        out->items[out->count++] = one;
    }
    return true;
}
