/* Messages of JSON-RPC: what is one, and which error it is if it is none. */
#include "mcp/rpc.h"

#include <stdio.h>

static bool fails(struct rpc_fault *f, enum rpc_code code, const char *why)
{
    f->code = code;
    snprintf(f->message, sizeof f->message, "%s", why);
    return false;
}

bool mgi_rpc_parse(struct arena *a, struct str text, struct json *out, struct rpc_fault *fault)
{
    struct json_error e;
    *fault = (struct rpc_fault){ 0 };
    switch (mgi_json_parse(a, text, NULL, out, &e)) {
    case JSON_OK:
        return true;
    case JSON_NOMEM:
        fault->no_memory = true;
        return fails(fault, RPC_INTERNAL, "memory is short, or the message has too many values");
    default:
        fault->code = RPC_PARSE;
        snprintf(fault->message, sizeof fault->message, "line %u, column %u: %s", e.line, e.column,
                 e.message);
        return false;
    }
}

/* ---- ids ------------------------------------------------------------------------------------ */

bool mgi_rpc_id_read(const struct json *v, struct rpc_id *out)
{
    *out = (struct rpc_id){ 0 };
    if (v && v->type == JSON_INT && v->integer <= RPC_INT_MOST && v->integer >= -RPC_INT_MOST)
        *out = (struct rpc_id){ .kind = RPC_ID_INT, .number = v->integer };
    else if (v && v->type == JSON_STRING && v->string.len <= RPC_ID_BYTES)
        *out = (struct rpc_id){ .kind = RPC_ID_TEXT, .text = v->string };
    return out->kind != RPC_NO_ID;
}

bool mgi_rpc_id_equal(const struct rpc_id *a, const struct rpc_id *b)
{
    if (a->kind != b->kind || a->kind == RPC_NO_ID)
        return false;
    return a->kind == RPC_ID_INT ? a->number == b->number : str_eq(a->text, b->text);
}

bool mgi_rpc_id_copy(struct arena *into, const struct rpc_id *id, struct rpc_id *out)
{
    *out = *id;
    if (id->kind == RPC_ID_TEXT) {
        out->text = mgi_arena_str(into, id->text);
        if (!out->text.ptr) {
            *out = (struct rpc_id){ 0 };
            return false;
        }
    }
    return true;
}

void mgi_rpc_id_write(struct json_writer *w, const struct rpc_id *id)
{
    if (id->kind == RPC_ID_INT)
        mgi_jw_int(w, id->number);
    else
        mgi_jw_string(w, id->text);
}

/* ---- one message ---------------------------------------------------------------------------- */

/* `id` null counts as absent in errors alone (X-RPC-5). */
static bool read_id(const struct json *v, const struct json *id, struct rpc_message *out,
                    struct rpc_fault *f)
{
    if (!id)
        return true;
    if (mgi_rpc_id_read(id, &out->id)) {
        f->id = out->id;
        return true;
    }
    if (id->type == JSON_NULL && mgi_json_get(v, "error"))
        return true;
    return fails(f, RPC_INVALID_REQUEST,
                 "the id is neither text of at most 256 bytes nor an integer of at most 2^53");
}

static bool read_answer(const struct json *result, const struct json *error,
                        struct rpc_message *out, struct rpc_fault *f)
{
    if (result && error)
        return fails(f, RPC_INVALID_REQUEST, "an answer has result and error");
    if (result) {
        out->kind = RPC_RESULT;
        out->result = result;
        if (out->id.kind == RPC_NO_ID)
            return fails(f, RPC_INVALID_REQUEST, "a result has no id");
        return result->type == JSON_OBJECT ||
               fails(f, RPC_INVALID_REQUEST, "a result is no object");
    }
    out->kind = RPC_ERROR;
    if (error->type != JSON_OBJECT)
        return fails(f, RPC_INVALID_REQUEST, "an error is no object");
    const struct json *code = mgi_json_get(error, "code");
    const struct json *message = mgi_json_get(error, "message");
    if (code && code->type == JSON_INT)
        out->code = code->integer;
    if (message && message->type == JSON_STRING)
        out->message = message->string;
    out->data = mgi_json_get(error, "data");
    return true;
}

static bool read_call(const struct json *v, const struct json *method, struct rpc_message *out,
                      struct rpc_fault *f)
{
    const struct json *params = mgi_json_get(v, "params");
    out->kind = out->id.kind == RPC_NO_ID ? RPC_NOTIFICATION : RPC_REQUEST;
    if (method->type != JSON_STRING)
        return fails(f, RPC_INVALID_REQUEST, "the method is no text");
    out->method = method->string;
    out->params = params;
    return !params || params->type == JSON_OBJECT ||
           fails(f, RPC_INVALID_REQUEST, "params is no object");
}

bool mgi_rpc_read(const struct json *v, struct rpc_message *out, struct rpc_fault *fault)
{
    *out = (struct rpc_message){ 0 };
    *fault = (struct rpc_fault){ 0 };
    if (v->type == JSON_ARRAY)
        return fails(fault, RPC_INVALID_REQUEST, "an array of messages is not taken here");
    if (v->type != JSON_OBJECT)
        return fails(fault, RPC_INVALID_REQUEST, "a message is an object");
    const struct json *version = mgi_json_get(v, "jsonrpc"), *method = mgi_json_get(v, "method");
    const struct json *result = mgi_json_get(v, "result"), *error = mgi_json_get(v, "error");
    bool fine = read_id(v, mgi_json_get(v, "id"), out, fault);
    if (fine && (!version || version->type != JSON_STRING || !str_is(version->string, "2.0")))
        fine = fails(fault, RPC_INVALID_REQUEST, "jsonrpc is not \"2.0\"");
    if (method) {
        if (fine && (result || error))
            fine = fails(fault, RPC_INVALID_REQUEST, "a message has a method and is an answer");
        return fine && read_call(v, method, out, fault);
    }
    if (!result && !error)
        return fine && fails(fault, RPC_INVALID_REQUEST, "a message has neither method nor result");
    fine = fine && read_answer(result, error, out, fault);
    if (!fine) {
        /* Its id is of our own requests: an answer with it would mean one of theirs. */
        fault->is_answer = true;
        fault->id = (struct rpc_id){ 0 };
    }
    return fine;
}

bool mgi_rpc_batch(const struct json *v, struct rpc_fault *fault)
{
    *fault = (struct rpc_fault){ 0 };
    if (v->count == 0)
        return fails(fault, RPC_INVALID_REQUEST, "an array of messages is empty");
    if (v->count > RPC_BATCH_MOST)
        return fails(fault, RPC_INVALID_REQUEST, "an array has more than 64 messages");
    return true;
}

/* ---- writing -------------------------------------------------------------------------------- */

static void begin_message(struct json_writer *w, struct buf *out, const struct rpc_id *id)
{
    mgi_json_writer_init(w, out, 0);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "jsonrpc", "2.0");
    if (id && id->kind != RPC_NO_ID) {
        mgi_jw_key(w, "id");
        mgi_rpc_id_write(w, id);
    }
}

void mgi_rpc_begin(struct json_writer *w, struct buf *out, const struct rpc_id *id,
                   const char *method)
{
    begin_message(w, out, id);
    mgi_jw_member_cstr(w, "method", method);
    mgi_jw_key(w, "params");
}

void mgi_rpc_begin_result(struct json_writer *w, struct buf *out, const struct rpc_id *id)
{
    begin_message(w, out, id);
    mgi_jw_key(w, "result");
}

void mgi_rpc_end(struct json_writer *w)
{
    mgi_jw_end_object(w);
}

void mgi_rpc_bare(struct buf *out, const struct rpc_id *id, const char *method)
{
    struct json_writer w;
    begin_message(&w, out, id);
    mgi_jw_member_cstr(&w, "method", method);
    mgi_rpc_end(&w);
}

void mgi_rpc_error(struct buf *out, const struct rpc_id *id, enum rpc_code code, struct str message,
                   struct str data)
{
    struct json_writer w;
    begin_message(&w, out, id);
    mgi_jw_key(&w, "error");
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "code", code);
    mgi_jw_member_str(&w, "message", message);
    if (data.len > 0) {
        mgi_jw_key(&w, "data");
        mgi_jw_raw(&w, data);
    }
    mgi_jw_end_object(&w);
    mgi_rpc_end(&w);
}
