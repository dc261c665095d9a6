/* What somebody asks of an index of texts: whatever it is, the question is one that FTS5 takes, and
 * no more than its words. The first byte says how many of the text's own words are ignored. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>

#include "domain/search_question.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static sqlite3_stmt *prepared(void)
{
    static sqlite3 *db;
    static sqlite3_stmt *find;
    if (find)
        return find;
    MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
    MUST(sqlite3_exec(db,
                      "CREATE VIRTUAL TABLE d USING fts5(a,content='',"
                      "tokenize='porter unicode61 remove_diacritics 2');"
                      "INSERT INTO d VALUES('one two three near and or not')",
                      NULL, NULL, NULL) == SQLITE_OK);
    MUST(sqlite3_prepare_v2(db, "SELECT rowid FROM d WHERE d MATCH ?", -1, &find, NULL) ==
         SQLITE_OK);
    return find;
}

static void check_words(struct str question)
{
    size_t quotes = 0;
    for (size_t i = 0; i < question.len; i++)
        quotes += question.ptr[i] == '"';
    MUST(quotes % 2 == 0 && quotes <= (size_t)2 * SEARCH_WORDS_MAX);
    MUST(question.len <= (size_t)SEARCH_WORDS_MAX * (SEARCH_WORD_MAX + 6));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct str ignored[] = { STR_LIT("the"), STR_LIT("near"), STR_LIT("of") };
    if (size == 0)
        return 0;
    struct str text = { (const char *)bytes + 1, size - 1 };
    struct buf spread = { 0 }, question = { 0 };
    mgi_search_spread(&spread, text);
    MUST(spread.len >= text.len && spread.len <= 2 * text.len);
    bool words = mgi_search_question(&question, mgi_buf_view(&spread), ignored, bytes[0] % 4);
    MUST(words == (question.len > 0));
    check_words(mgi_buf_view(&question));
    if (words) {
        sqlite3_stmt *find = prepared();
        sqlite3_bind_text64(find, 1, question.ptr, question.len, SQLITE_STATIC, SQLITE_UTF8);
        int rc = sqlite3_step(find);
        MUST(rc == SQLITE_ROW || rc == SQLITE_DONE);
        sqlite3_reset(find);
    }
    mgi_buf_fini(&spread);
    mgi_buf_fini(&question);
    return 0;
}
