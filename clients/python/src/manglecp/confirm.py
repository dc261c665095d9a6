"""Signing what the user agreed to.

A tool that needs consent is answered with a challenge, which binds macro id, arguments, caller and expiry. The
host program, which holds the confirmation key, signs it; a model that only sees tools and facts cannot.
The key never travels."""

from __future__ import annotations

import base64
import hashlib
import hmac


def sign(challenge: str, key: bytes) -> str:
    """The confirmation token that answers `challenge`: the challenge, a dot, and the base64url of its
    HMAC-SHA-256 under `key`. It works once."""
    tag = hmac.new(key, challenge.encode("utf-8"), hashlib.sha256).digest()
    return f"{challenge}.{base64.urlsafe_b64encode(tag).rstrip(b'=').decode('ascii')}"
