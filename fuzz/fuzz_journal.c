/* A journal file: any bytes are read or refused; what is read can be shown as one line of JSON. And
 * the words that a store keeps of a beginning: any text is a witness or none. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal/journal.h"
#include "sys/clock.h"

static char folder[] = "/tmp/fuzz-journal-XXXXXX";
static char path[64], own[64];
static struct journal *journal; /* whose witnesses they may be */
static uv_loop_t loop;

static int64_t clock_ns(void *context)
{
    (void)context;
    return 1;
}

static void remove_all(void)
{
    static const char *const ends[] = { "", "-wal", "-shm" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
        snprintf(name, sizeof name, "%s%s", own, ends[i]);
        unlink(name);
    }
    rmdir(folder);
}

static void set_up(void)
{
    struct buf why = { 0 };
    struct journal_options options = { .path = own, .loop = &loop, .clock = clock_ns };
    if (!mkdtemp(folder) || uv_loop_init(&loop) != 0)
        abort();
    snprintf(path, sizeof path, "%s/read", folder);
    snprintf(own, sizeof own, "%s/own", folder);
    journal = mgi_journal_open(&options, &why);
    if (!journal)
        abort();
    atexit(remove_all);
}

static bool write_out(void *context, const struct journal_record *r)
{
    struct buf line = { 0 };
    struct json_writer w;
    struct arena arena;
    struct json root;
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    ++*(int *)context;
    mgi_json_writer_init(&w, &line, 0);
    mgi_journal_record_write(&w, r, true);
    (void)mgi_journal_record_acted(r);
    mgi_arena_init(&arena, 0);
    if (line.oom || memchr(line.ptr, '\n', line.len) ||
        mgi_json_parse(&arena, mgi_buf_view(&line), &options, &root, NULL) != JSON_OK)
        abort();
    mgi_arena_fini(&arena);
    mgi_buf_fini(&line);
    return *(int *)context < 100;
}

static void read_as_file(const uint8_t *data, size_t size)
{
    struct journal_filter all = { .max_runs = 100 };
    struct buf why = { 0 };
    struct arena arena;
    int runs = 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    mgi_arena_init(&arena, (size_t)64 << 20);
    struct journal_file *file = mgi_journal_file_open(path, &why);
    if (file)
        (void)mgi_journal_file_walk(file, &all, &arena, write_out, &runs, &why);
    mgi_journal_file_close(file);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&why);
}

static void look_up(const uint8_t *data, size_t size)
{
    char witness[JOURNAL_WITNESS_BYTES + 64];
    struct journal_record r;
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct str text = { (const char *)data, size < 64 ? size : 64 };
    mgi_journal_witness(journal, STR_LIT("0"), witness);
    if (mgi_journal_find_witness(journal, text, &arena, &r) == JOURNAL_FOUND)
        abort();
    memcpy(witness + 33, text.ptr, text.len); /* of this journal, and then anything */
    text = (struct str){ witness, 33 + text.len };
    if (mgi_journal_find_witness(journal, text, &arena, &r) == JOURNAL_FOUND)
        abort();
    mgi_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!journal)
        set_up();
    look_up(data, size);
    read_as_file(data, size);
    return 0;
}
