/* Reading a folder: regular files below a path by suffix, sorted, with their content. Symbolic
 * links are followed for files and not for folders, so a loop cannot form. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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
    char *text = mgi_arena_alloc(c->arena, room);
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

bool mgi_file_read(const struct yaml_context *c, const char *folder, const char *path,
                   struct file *out, bool *found)
{
    *found = false;
    char *full = mgi_arena_printf(c->arena, "%s/%s", folder, path);
    if (!full)
        return false;
    int fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO has nobody at its other end */
    if (fd < 0) {
        if (errno != ENOENT)
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

static bool has_suffix(const char *name, const char *const *suffixes)
{
    for (; *suffixes; suffixes++)
        if (mgi_str_ends(str_of(name), str_of(*suffixes)))
            return true;
    return false;
}

/* Paths below `under` that match, unsorted. Depth is bounded by FOLDER_MAX_DEPTH. */
static bool collect(const struct yaml_context *c, const char *folder, const char *under,
                    const char *const *suffixes, int depth, struct file_list *out)
{
    char *full = mgi_arena_printf(c->arena, "%s/%s", folder, under);
    if (!full)
        return false;
    DIR *dir = opendir(full);
    if (!dir) {
        if (errno != ENOENT)
            cannot_read(c, under, strerror(errno));
        return true;
    }
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(dir)) != NULL;) {
        if (e->d_name[0] == '.')
            continue;
        char *path = mgi_arena_printf(c->arena, "%s/%s", under, e->d_name);
        char *whole = mgi_arena_printf(c->arena, "%s/%s", full, e->d_name);
        struct stat st;
        ok = path && whole;
        if (!ok || lstat(whole, &st) < 0)
            continue;
        if (S_ISDIR(st.st_mode)) {
            if (depth < FOLDER_MAX_DEPTH)
                ok = collect(c, folder, path, suffixes, depth + 1, out);
            continue;
        }
        if (!has_suffix(e->d_name, suffixes))
            continue;
        ok = mgi_arena_grow(c->arena, &out->items, &out->cap, out->count + 1, sizeof *out->items);
        if (ok)
            out->items[out->count++] = (struct file){ .path = path };
    }
    closedir(dir);
    return ok;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

bool mgi_files_read(const struct yaml_context *c, const char *folder, const char *under,
                    const char *const *suffixes, struct file_list *out)
{
    struct file_list found = { 0 };
    if (!collect(c, folder, under, suffixes, 0, &found))
        return false;
    if (found.count > 1)
        qsort(found.items, found.count, sizeof *found.items, compare_paths);
    for (size_t i = 0; i < found.count; i++) {
        bool there;
        struct file one = { 0 };
        if (!mgi_file_read(c, folder, found.items[i].path, &one, &there))
            return false;
        if (!there)
            continue;
        if (!mgi_arena_grow(c->arena, &out->items, &out->cap, out->count + 1, sizeof *out->items))
            return false;
        out->items[out->count++] = one;
    }
    return true;
}
