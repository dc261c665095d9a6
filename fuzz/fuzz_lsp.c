/* The language server: a session of raw bytes, or of well-formed messages about a text that grows
 * and shrinks. Whatever comes, what it sends is framed JSON, each request is answered once, and it
 * forgets nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "lsp/lsp.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define DOC "file:///w/main.mg"

struct session {
    struct lsp *s;
    int asked, answered;
    bool raw;
};

/* ---- the world ------------------------------------------------------------------------------ */

static void check_sent(void *context, struct str bytes)
{
    struct session *session = context;
    size_t head = mgi_str_find(bytes, STR_LIT("\r\n\r\n"));
    struct arena arena;
    struct json message;
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    if (head == SIZE_MAX || !mgi_str_starts(bytes, STR_LIT("Content-Length: ")) ||
        strtoul(bytes.ptr + 16, NULL, 10) != bytes.len - head - 4)
        abort();
    mgi_arena_init(&arena, 0);
    struct str body = { bytes.ptr + head + 4, bytes.len - head - 4 };
    if (mgi_json_parse(&arena, body, &options, &message, NULL))
        abort();
    session->answered += mgi_json_get(&message, "id") != NULL;
    mgi_arena_fini(&arena);
}

static bool read_one(void *context, const char *path, struct buf *out)
{
    (void)context;
    if (strcmp(path, "/w/lib.mg") != 0)
        return false;
    mgi_buf_puts(out,
                 "Package lib!\nDecl q(X, Y) bound [/number, \"r\"]. r(1). q(X, X) :- r(X).\n");
    return true;
}

static void walk_one(void *context, const char *folder, void (*found)(void *to, const char *path),
                     void *to)
{
    (void)context;
    (void)folder;
    found(to, "/w/lib.mg");
}

/* ---- messages ------------------------------------------------------------------------------- */

static void drain(struct session *x)
{
    while (mgi_lsp_waiting(x->s) && !mgi_lsp_ended(x->s, NULL))
        mgi_lsp_step(x->s);
}

static void send_text(struct session *x, struct str body)
{
    char head[64];
    int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", body.len);
    mgi_lsp_receive(x->s, (struct str){ head, (size_t)n });
    mgi_lsp_receive(x->s, body);
}

static void begin(struct session *x, struct json_writer *w, struct buf *out, const char *method,
                  bool request)
{
    mgi_json_writer_init(w, out, 0);
    mgi_jw_begin_object(w);
    if (request)
        mgi_jw_member_int(w, "id", x->asked++);
    mgi_jw_member_cstr(w, "method", method);
    mgi_jw_key(w, "params");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "textDocument");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "uri", DOC);
}

static void end(struct session *x, struct json_writer *w, struct buf *out)
{
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
    if (!out->oom)
        send_text(x, mgi_buf_view(out));
    mgi_buf_fini(out);
}

static void write_place(struct json_writer *w, const char *key, uint8_t line, uint8_t character)
{
    mgi_jw_key(w, key);
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "line", line);
    mgi_jw_member_int(w, "character", character);
    mgi_jw_end_object(w);
}

static void open_text(struct session *x, struct str text)
{
    struct buf out = { 0 };
    struct json_writer w;
    begin(x, &w, &out, "textDocument/didOpen", false);
    mgi_jw_member_str(&w, "text", text);
    mgi_jw_end_object(&w);
    end(x, &w, &out);
}

static void change_text(struct session *x, const uint8_t *at, struct str text)
{
    struct buf out = { 0 };
    struct json_writer w;
    begin(x, &w, &out, "textDocument/didChange", false);
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "contentChanges");
    mgi_jw_begin_array(&w);
    mgi_jw_begin_object(&w);
    if (at[0] & 1) {
        mgi_jw_key(&w, "range");
        mgi_jw_begin_object(&w);
        write_place(&w, "start", at[0] >> 3, at[1]);
        write_place(&w, "end", at[2] >> 3, at[1]);
        mgi_jw_end_object(&w);
    }
    mgi_jw_member_str(&w, "text", text);
    mgi_jw_end_object(&w);
    mgi_jw_end_array(&w);
    end(x, &w, &out);
}

static void ask(struct session *x, const char *method, const uint8_t *at, struct str name)
{
    struct buf out = { 0 };
    struct json_writer w;
    begin(x, &w, &out, method, true);
    mgi_jw_end_object(&w);
    write_place(&w, "position", at[0], at[1]);
    mgi_jw_key(&w, "range");
    mgi_jw_begin_object(&w);
    write_place(&w, "start", 0, 0);
    write_place(&w, "end", at[0], at[1]);
    mgi_jw_end_object(&w);
    mgi_jw_member_str(&w, "newName", name);
    end(x, &w, &out);
}

/* Two requests, chosen by a byte: all of them each time would be slow. */
static void ask_some(struct session *x, const uint8_t *at, struct str name)
{
    static const char *const methods[] = {
        "hover",
        "completion",
        "definition",
        "declaration",
        "references",
        "signatureHelp",
        "prepareRename",
        "rename",
        "documentHighlight",
        "documentSymbol",
        "formatting",
        "codeAction",
        "semanticTokens/full",
    };
    const size_t count = sizeof methods / sizeof *methods;
    for (size_t i = 0; i < 2; i++) {
        char method[64];
        snprintf(method, sizeof method, "textDocument/%s",
                 methods[i ? (at[2] & 7) : (at[2] >> 3) % count]);
        ask(x, method, at, name);
    }
}

/* The text, cut at bytes 1: the first piece is opened, each further one changes it. Three bytes
 * before each piece say where. */
static void converse(struct session *x, const uint8_t *bytes, size_t size)
{
    static const char hello[] =
        "{\"id\":0,\"method\":\"initialize\",\"params\":{\"rootUri\":\"file:///"
        "w\",\"capabilities\":"
        "{\"textDocument\":{\"completion\":{\"completionItem\":{\"snippetSupport\":true}}}}}}";
    bool opened = false;
    send_text(x, str_of(hello));
    x->asked++; /* its id is 0 */
    for (size_t at = 0; at + 3 <= size;) {
        const uint8_t *where = bytes + at;
        size_t from = at += 3;
        while (at < size && bytes[at] != 1)
            at++;
        struct str text = { (const char *)bytes + from, at - from };
        if (opened)
            change_text(x, where, text);
        else
            open_text(x, text);
        opened = true;
        drain(x);
        ask_some(x, where, (struct str){ text.ptr, text.len < 5 ? text.len : 5 });
        drain(x);
        at++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct session x = { 0 };
    struct lsp_world world = { &x, check_sent, read_one, walk_one };
    if (size < 2 || !(x.s = mgi_lsp_new(&world)))
        return 0;
    x.raw = bytes[0] & 1;
    if (x.raw) {
        size_t step = (size_t)bytes[1] % 61 + 1;
        for (size_t at = 2; at < size; at += step) {
            struct str piece = { (const char *)bytes + at, size - at < step ? size - at : step };
            mgi_lsp_receive(x.s, piece);
        }
        drain(&x);
    } else {
        converse(&x, bytes + 1, size - 1);
        drain(&x);
        if (x.asked != x.answered)
            abort();
    }
    mgi_lsp_free(x.s);
    return 0;
}
