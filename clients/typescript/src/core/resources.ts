// Where context resources are (P-CTX-2, P-CTX-3).

/** The URL of a context resource: any scheme, and a bare path is one of `file`. Relative paths begin at
 * `base`, the root if there is none. */
export function resourceUrl(uri: string, base: string | URL = "file:///"): URL {
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(uri)) return new URL(uri); // one letter alone is a drive
  const path = uri
    .replace(/\\/g, "/")
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^([A-Za-z])%3A/, "/$1:");
  return new URL(path, base);
}
