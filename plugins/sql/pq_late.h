/* libpq, loaded when a database of PostgreSQL is configured: without it the plugin serves SQLite.
 * It stays loaded until the process ends. */
#ifndef PLUGINS_SQL_PQ_LATE_H
#define PLUGINS_SQL_PQ_LATE_H

#include <libpq-fe.h>

#include "base/buf.h"

#define PQ_LATE_FUNCTIONS(X)                                                                       \
    X(PQconninfoParse)                                                                             \
    X(PQconninfoFree)                                                                              \
    X(PQfreemem)                                                                                   \
    X(PQconnectStartParams)                                                                        \
    X(PQconnectPoll)                                                                               \
    X(PQstatus)                                                                                    \
    X(PQsocket)                                                                                    \
    X(PQfinish)                                                                                    \
    X(PQerrorMessage)                                                                              \
    X(PQsetnonblocking)                                                                            \
    X(PQsendQueryParams)                                                                           \
    X(PQsetSingleRowMode)                                                                          \
    X(PQflush)                                                                                     \
    X(PQconsumeInput)                                                                              \
    X(PQisBusy)                                                                                    \
    X(PQgetResult)                                                                                 \
    X(PQclear)                                                                                     \
    X(PQgetCancel)                                                                                 \
    X(PQcancel)                                                                                    \
    X(PQfreeCancel)                                                                                \
    X(PQresultStatus)                                                                              \
    X(PQresultErrorField)                                                                          \
    X(PQcmdTuples)                                                                                 \
    X(PQcmdStatus)                                                                                 \
    X(PQnfields)                                                                                   \
    X(PQntuples)                                                                                   \
    X(PQfname)                                                                                     \
    X(PQftype)                                                                                     \
    X(PQgetvalue)                                                                                  \
    X(PQgetlength)                                                                                 \
    X(PQgetisnull)                                                                                 \
    X(PQsetNoticeProcessor)                                                                        \
    X(PQsetClientEncoding)

/* PQname is the member PQname. */
struct pq_late {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a member cannot be put in parentheses */
#define PQ_LATE_MEMBER(name) __typeof__(&name) name;
    PQ_LATE_FUNCTIONS(PQ_LATE_MEMBER)
#undef PQ_LATE_MEMBER
};

/* Fill *out. False: libpq cannot be loaded, and `why` says so. */
bool mgi_pq_late_open(struct pq_late *out, struct buf *why);

#endif
