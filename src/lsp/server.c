/* The life of a session: initialize, requests and notifications, shutdown, exit. Each message is
 * read when it arrives, waits in the queue, and is answered exactly once if it is a request. */
#include "base/alloc.h"
#include "lsp/lsp_int.h"

#define MAX_QUEUED ((size_t)32 << 20)

struct lsp_message {
    struct lsp_message *next;
    struct arena arena;
    struct str text; /* what the JSON borrows from; in the arena */
    struct json json;
    bool cancelled;
    int fault; /* error code instead of an answer */
    const char *why;
};

/* ---- lifecycle ------------------------------------------------------------------------------ */

static bool has_text(const struct json *array, const char *text)
{
    for (uint32_t i = 0; array && array->type == JSON_ARRAY && i < array->count; i++)
        if (array->items[i].type == JSON_STRING && str_is(array->items[i].string, text))
            return true;
    return false;
}

static const char *choose_units(struct lsp *s, const struct json *capabilities)
{
    const struct json *wanted =
        mgi_json_get(mgi_json_get(capabilities, "general"), "positionEncodings");
    s->units = has_text(wanted, "utf-8")    ? UNITS_UTF8
               : has_text(wanted, "utf-32") ? UNITS_UTF32
                                            : UNITS_UTF16;
    return s->units == UNITS_UTF8 ? "utf-8" : s->units == UNITS_UTF32 ? "utf-32" : "utf-16";
}

static void read_folders(struct lsp *s, const struct json *params)
{
    const struct json *folders = mgi_json_get(params, "workspaceFolders");
    for (uint32_t i = 0; folders && folders->type == JSON_ARRAY && i < folders->count; i++)
        if (mgi_lsp_text_of(&folders->items[i], "uri").len)
            mgi_lsp_add_root(s, mgi_lsp_text_of(&folders->items[i], "uri"));
    struct str root = mgi_lsp_text_of(params, "rootUri");
    struct str path = mgi_lsp_text_of(params, "rootPath");
    if (!s->root_count && (root.len || path.len))
        mgi_lsp_add_root(s, root.len ? root : path);
}

static void write_texts(struct json_writer *w, const char *key, const char *const *texts)
{
    mgi_jw_key(w, key);
    mgi_jw_begin_array(w);
    for (; *texts; texts++)
        mgi_jw_cstring(w, *texts);
    mgi_jw_end_array(w);
}

static void write_capabilities(struct json_writer *w, const char *encoding)
{
    static const char *const plain[] = {
        "hoverProvider",
        "definitionProvider",
        "declarationProvider",
        "referencesProvider",
        "documentHighlightProvider",
        "documentSymbolProvider",
        "documentFormattingProvider",
        NULL,
    };
    static const char *const complete_at[] = { ":", ".", "/", NULL },
                             *const help_at[] = { "(", ",", NULL },
                             *const action_kinds[] = { "quickfix", NULL }, *const none[] = { NULL };
    mgi_jw_member_cstr(w, "positionEncoding", encoding);
    mgi_jw_key(w, "textDocumentSync");
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "openClose", true);
    mgi_jw_member_int(w, "change", 2); /* parts */
    mgi_jw_member_bool(w, "save", true);
    mgi_jw_end_object(w);
    for (const char *const *name = plain; *name; name++)
        mgi_jw_member_bool(w, *name, true);
    mgi_jw_key(w, "completionProvider");
    mgi_jw_begin_object(w);
    write_texts(w, "triggerCharacters", complete_at);
    mgi_jw_end_object(w);
    mgi_jw_key(w, "signatureHelpProvider");
    mgi_jw_begin_object(w);
    write_texts(w, "triggerCharacters", help_at);
    mgi_jw_end_object(w);
    mgi_jw_key(w, "renameProvider");
    mgi_jw_begin_object(w);
    mgi_jw_member_bool(w, "prepareProvider", true);
    mgi_jw_end_object(w);
    mgi_jw_key(w, "codeActionProvider");
    mgi_jw_begin_object(w);
    write_texts(w, "codeActionKinds", action_kinds);
    mgi_jw_end_object(w);
    mgi_jw_key(w, "semanticTokensProvider");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "legend");
    mgi_jw_begin_object(w);
    write_texts(w, "tokenTypes", mgi_lsp_token_types);
    write_texts(w, "tokenModifiers", none);
    mgi_jw_end_object(w);
    mgi_jw_member_bool(w, "full", true);
    mgi_jw_end_object(w);
}

static void initialize(struct lsp *s, const struct json *params, struct json_writer *w)
{
    const struct json *capabilities = mgi_json_get(params, "capabilities");
    const struct json *own = mgi_json_get(params, "initializationOptions");
    const struct json *item = mgi_json_get(
        mgi_json_get(mgi_json_get(capabilities, "textDocument"), "completion"), "completionItem");
    if (s->state != LSP_NEW) {
        mgi_lsp_fail(s, LSP_INVALID_REQUEST, "the session is initialized already");
        return;
    }
    s->state = LSP_RUNNING;
    s->snippets = mgi_lsp_bool_of(item, "snippetSupport", false);
    s->check_bounds = mgi_lsp_bool_of(own, "checkBounds", true);
    s->by_folder = str_is(mgi_lsp_text_of(own, "programs"), "folder");
    s->by_workspace = str_is(mgi_lsp_text_of(own, "programs"), "workspace");
    const char *encoding = choose_units(s, capabilities);
    read_folders(s, params);
    mgi_lsp_scan_roots(s);
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "capabilities");
    mgi_jw_begin_object(w);
    write_capabilities(w, encoding);
    mgi_jw_end_object(w);
    mgi_jw_key(w, "serverInfo");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "name", "mangle");
    mgi_jw_member_cstr(w, "version", MANGLE_VERSION);
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
}

static void shut_down(struct lsp *s, const struct json *params, struct json_writer *w)
{
    (void)params;
    (void)w;
    s->state = LSP_SHUT_DOWN;
}

static void leave(struct lsp *s, const struct json *params, struct json_writer *w)
{
    (void)params;
    (void)w;
    s->status = s->state == LSP_SHUT_DOWN ? 0 : 1;
    s->state = LSP_ENDED;
}

static void ignore(struct lsp *s, const struct json *params, struct json_writer *w)
{
    (void)s;
    (void)params;
    (void)w;
}

/* ---- documents ------------------------------------------------------------------------------ */

static struct str document_uri(const struct json *params)
{
    return mgi_lsp_text_of(mgi_json_get(params, "textDocument"), "uri");
}

static struct lsp_file *open_document(struct lsp *s, const struct json *params)
{
    struct lsp_file *f = mgi_lsp_file(s, document_uri(params));
    return f && f->open ? f : NULL;
}

static void did_open(struct lsp *s, const struct json *params, struct json_writer *w)
{
    const struct json *document = mgi_json_get(params, "textDocument");
    const struct json *text = mgi_json_get(document, "text");
    (void)w;
    if (document_uri(params).len && text && text->type == JSON_STRING)
        mgi_lsp_open(s, document_uri(params), text->string,
                     mgi_lsp_int_of(document, "version", INT64_MIN));
}

static bool apply_change(struct lsp *s, struct lsp_file *f, const struct json *change)
{
    const struct json *range = mgi_json_get(change, "range"), *text = mgi_json_get(change, "text");
    if (!text || text->type != JSON_STRING)
        return true;
    if (!range || range->type != JSON_OBJECT)
        return mgi_text_set(&f->text, text->string);
    size_t from =
        mgi_text_offset(&f->text, mgi_lsp_position_of(mgi_json_get(range, "start")), s->units);
    size_t to =
        mgi_text_offset(&f->text, mgi_lsp_position_of(mgi_json_get(range, "end")), s->units);
    return mgi_text_splice(&f->text, from, to < from ? from : to, text->string);
}

static void did_change(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_file *f = open_document(s, params);
    const struct json *changes = mgi_json_get(params, "contentChanges");
    (void)w;
    if (!f || !changes || changes->type != JSON_ARRAY)
        return;
    for (uint32_t i = 0; i < changes->count && !s->oom; i++)
        s->oom |= !apply_change(s, f, &changes->items[i]);
    f->version = mgi_lsp_int_of(mgi_json_get(params, "textDocument"), "version", f->version);
    mgi_lsp_changed(s, f);
}

static void did_close(struct lsp *s, const struct json *params, struct json_writer *w)
{
    struct lsp_file *f = open_document(s, params);
    (void)w;
    if (!f)
        return;
    mgi_lsp_close(s, f);
    mgi_lsp_publish_nothing(s, f);
}

static void files_changed(struct lsp *s, const struct json *params, struct json_writer *w)
{
    const struct json *changes = mgi_json_get(params, "changes");
    (void)w;
    for (uint32_t i = 0; changes && changes->type == JSON_ARRAY && i < changes->count; i++)
        mgi_lsp_reload(s, mgi_lsp_text_of(&changes->items[i], "uri"));
}

/* ---- dispatch ------------------------------------------------------------------------------- */

static const struct method {
    const char *name;
    lsp_handler *run;
    bool request;
} methods[] = {
    { "initialize", initialize, true },
    { "initialized", ignore, false },
    { "shutdown", shut_down, true },
    { "exit", leave, false },
    { "textDocument/didOpen", did_open, false },
    { "textDocument/didChange", did_change, false },
    { "textDocument/didClose", did_close, false },
    { "textDocument/didSave", ignore, false },
    { "workspace/didChangeWatchedFiles", files_changed, false },
    { "textDocument/hover", mgi_lsp_hover, true },
    { "textDocument/signatureHelp", mgi_lsp_signature_help, true },
    { "textDocument/completion", mgi_lsp_completion, true },
    { "textDocument/definition", mgi_lsp_definition, true },
    { "textDocument/declaration", mgi_lsp_declaration, true },
    { "textDocument/references", mgi_lsp_references, true },
    { "textDocument/documentHighlight", mgi_lsp_highlight, true },
    { "textDocument/documentSymbol", mgi_lsp_symbols, true },
    { "textDocument/prepareRename", mgi_lsp_prepare_rename, true },
    { "textDocument/rename", mgi_lsp_rename, true },
    { "textDocument/formatting", mgi_lsp_formatting, true },
    { "textDocument/codeAction", mgi_lsp_code_action, true },
    { "textDocument/semanticTokens/full", mgi_lsp_semantic_tokens, true },
};

static const struct method *find_method(struct str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (str_is(name, methods[i].name))
            return &methods[i];
    return NULL;
}

static bool is_allowed(struct lsp *s, const struct method *m)
{
    if (s->state == LSP_RUNNING || m->run == leave || (s->state == LSP_NEW && m->run == initialize))
        return true;
    if (s->state == LSP_NEW)
        mgi_lsp_fail(s, LSP_NOT_INITIALIZED, "the first request must be initialize");
    else
        mgi_lsp_fail(s, LSP_INVALID_REQUEST, "the session is shut down: only exit may follow");
    return false;
}

static void run_method(struct lsp *s, struct str name, const struct json *params, bool request)
{
    const struct method *m = find_method(name);
    struct json_writer w;
    if (!m || m->request != request) {
        mgi_lsp_fail(s, LSP_METHOD_NOT_FOUND, "there is no %s \"%.*s\"",
                     request ? "request" : "notification", (int)(name.len > 80 ? 80 : name.len),
                     name.ptr);
        return;
    }
    if (!is_allowed(s, m))
        return;
    mgi_json_writer_init(&w, &s->body, 0);
    m->run(s, params, &w);
    if (s->body.oom)
        s->oom = true;
}

static void handle(struct lsp *s, const struct lsp_message *m)
{
    const struct json *id = mgi_json_get(&m->json, "id");
    struct str name = mgi_lsp_text_of(&m->json, "method");
    bool good_id = id && (id->type == JSON_INT || id->type == JSON_STRING);
    mgi_buf_clear(&s->body);
    s->error_code = 0;
    if (m->fault)
        mgi_lsp_fail(s, m->fault, "%s", m->why);
    else if (m->json.type != JSON_OBJECT || (id && !good_id) || (!name.len && !id))
        mgi_lsp_fail(s, LSP_INVALID_REQUEST, "this is no request and no notification");
    else if (!name.len)
        return; /* an answer to something: nothing was asked */
    else if (m->cancelled)
        mgi_lsp_fail(s, LSP_CANCELLED, "cancelled");
    else
        run_method(s, name, mgi_json_get(&m->json, "params"), id != NULL);
    bool broken = s->error_code == LSP_INVALID_REQUEST && !name.len;
    if (good_id || broken || m->fault)
        mgi_lsp_answer(s, good_id ? id : NULL);
}

/* ---- the queue ------------------------------------------------------------------------------ */

static void free_message(struct lsp_message *m)
{
    mgi_arena_fini(&m->arena);
    mgi_free(m);
}

static void enqueue(struct lsp *s, struct lsp_message *m)
{
    if (s->last)
        s->last->next = m;
    else
        s->first = m;
    s->last = m;
    s->queued_bytes += m->text.len;
}

/* Cancellation overtakes: the request it speaks of still waits, or is answered already. */
static bool is_cancellation(struct lsp *s, const struct json *json)
{
    const struct json *id = mgi_json_get(mgi_json_get(json, "params"), "id");
    if (!str_is(mgi_lsp_text_of(json, "method"), "$/cancelRequest"))
        return false;
    for (struct lsp_message *m = s->first; id && m; m = m->next) {
        const struct json *other = mgi_json_get(&m->json, "id");
        m->cancelled |= !m->fault && other && mgi_json_equal(id, other, true);
    }
    return true;
}

static void take_message(struct lsp *s, struct str text, int fault, const char *why)
{
    struct lsp_message *m = mgi_calloc(1, sizeof *m);
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    if (!m) {
        s->oom = true;
        return;
    }
    mgi_arena_init(&m->arena, 0);
    m->fault = fault;
    m->why = why;
    m->json.type = JSON_NULL;
    if (!fault) {
        m->text = mgi_arena_str(&m->arena, text);
        enum json_fault bad =
            m->text.ptr ? mgi_json_parse(&m->arena, m->text, &options, &m->json, NULL) : JSON_NOMEM;
        if (bad == JSON_NOMEM)
            s->oom = true;
        else if (bad) {
            m->fault = LSP_PARSE_ERROR;
            m->why = "the message is not JSON";
            m->json.type = JSON_NULL;
        }
    }
    if (s->oom || (!m->fault && is_cancellation(s, &m->json)))
        free_message(m);
    else
        enqueue(s, m);
}

void mgi_lsp_receive(struct lsp *s, struct str bytes)
{
    struct str message;
    while (!mgi_lsp_ended(s, NULL)) {
        switch (mgi_frame_next(&s->frames, &bytes, &message)) {
        case FRAME_NONE:
            return;
        case FRAME_MESSAGE:
            take_message(s, message, 0, NULL);
            break;
        case FRAME_BAD_HEADER:
            take_message(s, message, LSP_PARSE_ERROR, "a message needs a Content-Length header");
            break;
        case FRAME_TOO_LONG:
            take_message(s, message, LSP_INVALID_REQUEST, "the message is longer than 64 MiB");
            break;
        case FRAME_NOMEM:
            s->oom = true;
            break;
        }
    }
}

/* ---- the session ---------------------------------------------------------------------------- */

static struct lsp_file *due_file(const struct lsp *s)
{
    for (size_t i = 0; i < s->file_count; i++)
        if (s->files[i]->due)
            return s->files[i];
    return NULL;
}

bool mgi_lsp_waiting(const struct lsp *s)
{
    return s->first || due_file(s);
}

bool mgi_lsp_crowded(const struct lsp *s)
{
    return s->queued_bytes > MAX_QUEUED;
}

void mgi_lsp_step(struct lsp *s)
{
    struct lsp_message *m = s->first;
    if (mgi_lsp_ended(s, NULL))
        return;
    if (!m) {
        struct lsp_file *f = due_file(s);
        if (f) {
            f->due = false;
            mgi_lsp_publish(s, f);
        }
        return;
    }
    s->first = m->next;
    if (!s->first)
        s->last = NULL;
    s->queued_bytes -= m->text.len;
    handle(s, m);
    free_message(m);
}

bool mgi_lsp_ended(const struct lsp *s, int *status)
{
    if (status)
        *status = s->oom ? 1 : s->status;
    return s->oom || s->state == LSP_ENDED;
}

struct lsp *mgi_lsp_new(const struct lsp_world *world)
{
    struct lsp *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->world = *world;
    s->status = 1;
    mgi_frame_init(&s->frames);
    mgi_strmap_init(&s->file_index);
    return s;
}

void mgi_lsp_free(struct lsp *s)
{
    if (!s)
        return;
    while (s->first) {
        struct lsp_message *m = s->first;
        s->first = m->next;
        free_message(m);
    }
    mgi_lsp_free_files(s);
    mgi_frame_fini(&s->frames);
    mgi_buf_fini(&s->body);
    mgi_free(s);
}
