/* What jwt.c (the signed form) and claims.c (what is said in it) share. */
#ifndef MGI_SECURITY_JWT_INT_H
#define MGI_SECURITY_JWT_INT_H

#include "base/arena.h"
#include "base/json.h"
#include "security/jwt.h"

#define JWT_DEPTH 16

/* `signed_here`: issuer, audience and end are demanded; else they are judged where they are said.
 */
enum jwt_verdict mgi_claims_judge(const struct jwt_rules *rules, const struct json *claims,
                                  bool signed_here, int64_t now_ns, struct arena *scratch,
                                  struct principal **out);

#endif
