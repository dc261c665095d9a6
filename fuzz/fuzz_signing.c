/* Any bytes as a file of signing keys, and as a signature: none is believed that was not made here.
 */
#include <stdlib.h>
#include <string.h>

#include "security/signing.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct str text = { (const char *)bytes, len };
    struct signing_fault fault;
    char signature[SIGNATURE_CHARS + 1];
    struct signing_keys *keys = mgi_signing_keys_read(text, &fault);
    if (keys && mgi_sign(keys, text, signature) &&
        mgi_signature_check(keys, text, (struct str){ signature, SIGNATURE_CHARS }) !=
            SIGNATURE_HOLDS)
        abort();
    mgi_signing_keys_free(keys);

    static const uint8_t key[16] = { 1 };
    keys = mgi_signing_keys_new(key, sizeof key);
    if (keys && mgi_signature_check(keys, STR_LIT("what nobody signed"), text) == SIGNATURE_HOLDS)
        abort();
    mgi_signing_keys_free(keys);
    return 0;
}
