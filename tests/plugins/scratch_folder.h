/* A folder for one group of tests, with helpers that make and read files in it. */
#ifndef TESTS_PLUGINS_SCRATCH_FOLDER_H
#define TESTS_PLUGINS_SCRATCH_FOLDER_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64]; /* has `root` and `outside` */

static inline const char *at(const char *format, ...)
{
    static char paths[4][4400];
    static unsigned next;
    char *out = paths[next++ % 4];
    int len = snprintf(out, 4400, "%s/", scratch);
    va_list args;
    va_start(args, format);
    vsnprintf(out + len, (size_t)(4400 - len), format, args);
    va_end(args);
    return out;
}

static inline void put_file(const char *path, const char *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    assert_true(fd >= 0);
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        assert_true(n > 0);
        bytes += n;
        len -= (size_t)n;
    }
    close(fd);
}

static inline void put_text(const char *path, const char *text)
{
    put_file(path, text, strlen(text));
}

/* "" if it is not there. */
static inline const char *get_text(const char *path)
{
    static char text[65536];
    int fd = open(path, O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static inline bool is_there(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline void scratch_begin(void)
{
    strcpy(scratch, "/tmp/manglecp-plugin-XXXXXX");
    assert_non_null(mkdtemp(scratch));
    assert_int_equal(mkdir(at("root"), 0755), 0);
    assert_int_equal(mkdir(at("outside"), 0755), 0);
}

static inline void scratch_end(void)
{
    nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
