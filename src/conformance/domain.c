/* The suite's domain folder, written where a server can load it (conformance.h). */
#include "conformance/domain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/conformance.h"

/* Make every folder that leads to `path`, which is changed and changed back. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!good)
            return false;
    }
    return true;
}

static bool write_file(const char *folder, const struct domain_file *f, struct buf *why)
{
    struct buf path = { 0 };
    mgi_buf_printf(&path, "%s/%s", folder, f->path);
    FILE *file = !path.oom && make_folders(path.ptr) ? fopen(path.ptr, "wb") : NULL;
    bool good = file && fwrite(f->text, 1, f->len, file) == f->len;
    if (file)
        good = fclose(file) == 0 && good;
    if (!good)
        mgi_buf_printf(why, "%s: %s", path.ptr ? path.ptr : folder, strerror(errno));
    mgi_buf_fini(&path);
    return good;
}

static bool holds(FILE *file, const struct domain_file *f)
{
    size_t at = 0;
    int c;
    while ((c = getc(file)) != EOF && at < f->len && (char)c == f->text[at])
        at++;
    return c == EOF && at == f->len && !ferror(file);
}

/* Is nothing lost by writing it? */
static bool is_free(const char *folder, const struct domain_file *f, struct buf *why)
{
    struct buf path = { 0 };
    mgi_buf_printf(&path, "%s/%s", folder, f->path);
    errno = 0;
    FILE *file = path.oom ? NULL : fopen(path.ptr, "rb");
    bool good = file ? holds(file, f) : errno == ENOENT || errno == ENOTDIR;
    if (file)
        fclose(file);
    if (!good)
        mgi_buf_printf(why, "%s is there, and is not the suite's: give an empty folder",
                       path.ptr ? path.ptr : folder);
    mgi_buf_fini(&path);
    return good;
}

bool mgi_conformance_write_domain(const char *folder, struct buf *why)
{
    for (size_t i = 0; i < mgi_conformance_domain_count; i++)
        if (!is_free(folder, &mgi_conformance_domain[i], why))
            return false;
    for (size_t i = 0; i < mgi_conformance_domain_count; i++)
        if (!write_file(folder, &mgi_conformance_domain[i], why))
            return false;
    return true;
}
