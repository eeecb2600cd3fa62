"""Cases of HTTP caching: how an origin answers, and whether a second request reaches it.

The list is that of http-tests/cache-tests (https://cache-tests.fyi; ids are its own), as far as it applies to a cache that renders what it stores.
A case has an id; a kind, which is `required` (a MUST of RFC 9111), `optimal` (a good cache does it) or `check` (both are allowed: the expectation is OneSheet's
rule); the origin's answers; and what the last request finds. An answer is `WORDS | Field: value | …`; words are a status other than 200, interim statuses,
`slow`, and `close` for a closed connection. A date may be seconds from now: `Expires: +60`. The last answer repeats; a 200 becomes a 304 if the request has its
validator. Between requests the run pauses for PAUSE seconds.
"""
import collections

Case = collections.namedtuple("Case", "id kind answers finds asks status field server key", defaults=("cached", ("", ""), 200, None, "strict", None))
PAUSE = 3
REQUIRED, OPTIMAL, CHECK = "required", "optimal", "check"
# What a request finds. A validated response came from the origin as a 304.
CACHED, FETCHED, BY_ETAG, BY_DATE = "cached", "fetched", "validated by ETag", "validated by date"
# Servers: without and with the use of stale originals.
STRICT, LENIENT = "strict", "lenient"

FRESH, SOON_STALE, STALE = "Cache-Control: max-age=100000", "Cache-Control: max-age=2", "Expires: -5000 | Last-Modified: -100000 | Date: +0"
TAG = 'ETag: "abcdef"'
# A date that stays the same, for a validator.
LONG_AGO = "Last-Modified: Sat, 01 Nov 2025 00:00:00 GMT"


def cases(kind, finds, *rows, **more):
    """Cases of one kind with one answer each."""
    return [Case(name, kind, [answer], finds, **more) for name, answer in rows]


GROUPS = {
    "cc-freshness": [
        *cases(CHECK, CACHED, ("freshness-none", "")),
        *cases(OPTIMAL, CACHED, ("freshness-max-age", "Cache-Control: max-age=3600"), ("freshness-max-age-max-minus-1", "Cache-Control: max-age=2147483647"),
               ("freshness-max-age-max", "Cache-Control: max-age=2147483648"), ("freshness-max-age-max-plus-1", "Cache-Control: max-age=2147483649"),
               ("freshness-max-age-max-plus", "Cache-Control: max-age=99999999999"), ("freshness-max-age-expires", "Cache-Control: max-age=3600 | Expires: -10000 | Date: +0"),
               ("freshness-max-age-expires-invalid", "Cache-Control: max-age=3600 | Expires: 0 | Date: +0"), ("freshness-max-age-extension", "Cache-Control: foobar, max-age=3600"),
               ("freshness-max-age-case-insensitive", "Cache-Control: MaX-aGe=3600"), ("freshness-max-age-date", "Cache-Control: max-age=3600 | Date: -600"),
               ("freshness-s-maxage-shared", "Cache-Control: s-maxage=3600"), ("freshness-max-age-s-maxage-shared-shorter", "Cache-Control: max-age=1, s-maxage=3600"),
               ("freshness-max-age-s-maxage-shared-shorter-expires", "Cache-Control: max-age=1, s-maxage=3600 | Expires: -10 | Date: +0")),
        *cases(REQUIRED, FETCHED, ("freshness-max-age-0", "Cache-Control: max-age=0"), ("freshness-max-age-stale", SOON_STALE),
               ("freshness-max-age-negative", "Cache-Control: max-age=-100"),
               ("freshness-max-age-age", "Date: +0 | Cache-Control: max-age=10 | Age: 15"), ("freshness-max-age-old-date", "Cache-Control: max-age=3600 | Date: -7200"),
               ("freshness-max-age-0-expires", "Expires: +10000 | Cache-Control: max-age=0 | Date: +0"),
               ("freshness-max-age-s-maxage-shared-longer", "Cache-Control: max-age=3600, s-maxage=1"),
               ("freshness-max-age-s-maxage-shared-longer-reversed", "Cache-Control: s-maxage=1, max-age=3600"),
               ("freshness-max-age-s-maxage-shared-longer-multiple", "Cache-Control: max-age=3600 | Cache-Control: s-maxage=1")),
    ],
    "cc-parse": [
        *cases(REQUIRED, FETCHED, ("freshness-max-age-ignore-quoted", 'Cache-Control: extension="max-age=3600", max-age=1'),
               ("freshness-max-age-ignore-quoted-rev", 'Cache-Control: max-age=1, extension="max-age=3600"'),
               ("freshness-max-age-ignore-quoted-all", 'Cache-Control: extension="max-age=3600", max-age="1"'),
               ("freshness-max-age-ignore-quoted-all-rev", 'Cache-Control: max-age="1", extension="max-age=3600"'),
               ("freshness-max-age-ignore-escaped", 'Cache-Control: extension="\\", max-age=3600, \\"", max-age=1'),
               ("freshness-max-age-single-quoted", "Cache-Control: max-age='3600'")),
        *cases(OPTIMAL, CACHED, ("freshness-max-age-leading-zero", "Cache-Control: max-age=003600")),
        *cases(CHECK, CACHED, ("freshness-max-age-two-fresh-stale-sameline", "Cache-Control: max-age=1800, max-age=1"),
               ("freshness-max-age-two-fresh-stale-sepline", "Cache-Control: max-age=1800 | Cache-Control: max-age=1"), ("freshness-max-age-quoted", 'Cache-Control: max-age="3600"'),
               ("freshness-max-age-space-before-equals", "Cache-Control: max-age =3600"), ("freshness-max-age-space-after-equals", "Cache-Control: max-age= 3600")),
        *cases(CHECK, FETCHED, ("freshness-max-age-two-stale-fresh-sameline", "Cache-Control: max-age=1, max-age=1800"),
               ("freshness-max-age-two-stale-fresh-sepline", "Cache-Control: max-age=1 | Cache-Control: max-age=1800"),
               ("freshness-max-age-decimal-zero", "Cache-Control: max-age=3600.0"),
               ("freshness-max-age-decimal-five", "Cache-Control: max-age=3600.5"), ("freshness-max-age-a100", "Cache-Control: max-age=a3600"),
               ("freshness-max-age-100a", "Cache-Control: max-age=3600a"), ("freshness-max-age-space-within", "Cache-Control: max-age=36 00"),
               ("freshness-max-age-empty", "Cache-Control: max-age=")),
    ],
    "cc-response": [
        *cases(REQUIRED, FETCHED, ("cc-resp-private-shared", "Cache-Control: private, max-age=3600"), ("cc-resp-no-store", "Cache-Control: no-store"),
               ("cc-resp-no-store-case-insensitive", "Cache-Control: No-StOrE"), ("cc-resp-no-store-fresh", "Cache-Control: max-age=10000, no-store | Expires: +10000 | Date: +0"),
               ("cc-resp-no-cache", "Cache-Control: max-age=10000, no-cache | Expires: +10000 | Date: +0"),
               ("cc-resp-no-cache-case-insensitive", "Cache-Control: max-age=10000, No-CaChE | Expires: +10000 | Date: +0")),
        *cases(REQUIRED, FETCHED, ("cc-resp-no-store-with-validator", f"Cache-Control: no-store | {TAG}")),
        *cases(OPTIMAL, BY_ETAG, ("cc-resp-no-cache-revalidate", f"Cache-Control: no-cache | {TAG}"),
               ("cc-resp-no-cache-revalidate-fresh", f"Cache-Control: max-age=10000, no-cache | Expires: +10000 | Date: +0 | {TAG}")),
        *cases(OPTIMAL, CACHED, ("cc-resp-must-revalidate-fresh", f"Cache-Control: max-age=10000, must-revalidate | {TAG}")),
        *cases(REQUIRED, BY_ETAG, ("cc-resp-must-revalidate-stale", f"Cache-Control: max-age=2, must-revalidate | {TAG}")),
    ],
    "cc-request": [
        *[Case(name, CHECK, [answer], CACHED, ("", f"Cache-Control: {directive}"))
          for name, answer, directive in [("ccreq-ma0", FRESH, "max-age=0"), ("ccreq-ma1", FRESH, "max-age=1"),
                                          ("ccreq-magreaterage", "Cache-Control: max-age=3600 | Age: 1800", "max-age=600"),
                                          ("ccreq-min-fresh", "Cache-Control: max-age=1500", "min-fresh=2000"),
                                          ("ccreq-min-fresh-age", "Cache-Control: max-age=1500 | Age: 1000", "min-fresh=1000"), ("ccreq-no-cache", FRESH, "no-cache"),
                                          ("ccreq-no-cache-lm", f"{FRESH} | Last-Modified: -10000 | Date: +0", "no-cache"), ("ccreq-no-cache-etag", f"{FRESH} | {TAG}", "no-cache"),
                                          ("ccreq-no-store", FRESH, "no-store")]],
        Case("ccreq-max-stale", CHECK, ["Cache-Control: max-age=1"], FETCHED, ("", "Cache-Control: max-stale=1000")),
        Case("ccreq-max-stale-age", CHECK, ["Cache-Control: max-age=1500 | Age: 2000"], FETCHED, ("", "Cache-Control: max-stale=1000")),
        Case("ccreq-oic", CHECK, [FRESH], FETCHED, ("Cache-Control: only-if-cached",)),
    ],
    "expires": [
        *cases(OPTIMAL, CACHED, ("freshness-expires-future", "Expires: +2592000 | Date: +0"), ("freshness-expires-invalid-date", "Date: foo | Expires: +1000"),
               ("freshness-expires-32bit", "Expires: +5000000000 | Date: +0"), ("freshness-expires-rfc850", "Expires: Thursday, 18-Aug-50 02:01:18 GMT | Date: +0"),
               ("freshness-expires-ansi-c", "Expires: Thu Aug 18 02:01:18 2050 | Date: +0"), ("freshness-expires-far-future", "Expires: Sun, 21 Nov 2286 04:46:39 GMT | Date: +0")),
        *cases(REQUIRED, FETCHED, ("freshness-expires-past", "Expires: -2592000 | Date: +0"), ("freshness-expires-present", "Expires: +0 | Date: +0"),
               ("freshness-expires-old-date", "Expires: +300 | Date: +400"), ("freshness-expires-invalid", "Expires: 0 | Date: +0"),
               ("freshness-expires-age-slow-date", "Date: -10 | Expires: +10 | Age: 25"), ("freshness-expires-age-fast-date", "Date: +10 | Expires: +20 | Age: 15"),
               ("freshness-expires-stale", "Expires: +1 | Date: +0")),
        *cases(CHECK, CACHED, ("freshness-expires-two-fresh-stale", "Expires: +3600 | Expires: -3600 | Date: +0")),
    ],
    "expires-parse": [
        *[Case(f"freshness-expires-{name}", CHECK, [f"Expires: {date} | Date: +0"], finds)
          for name, date, finds in [("wrong-case-weekday", "THU, 18 Aug 2050 02:01:18 GMT", CACHED), ("wrong-case-month", "Thu, 18 AUG 2050 02:01:18 GMT", CACHED),
                                    ("wrong-case-tz", "Thu, 18 Aug 2050 02:01:18 gMT", CACHED), ("invalid-utc", "Thu, 18 Aug 2050 02:01:18 UTC", FETCHED),
                                    ("invalid-aest", "Thu, 18 Aug 2050 02:01:18 AEST", FETCHED), ("invalid-2-digit-year", "Thu, 18 Aug 50 02:01:18 GMT", CACHED),
                                    ("invalid-no-comma", "Thu 18 Aug 2050 02:01:18 GMT", CACHED), ("invalid-multiple-spaces", "Thu, 18  Aug  2050 02:01:18 GMT", CACHED),
                                    ("invalid-date-dashes", "Thu, 18-Aug-2050 02:01:18 GMT", CACHED), ("invalid-multiple-lines", "Thu, 18 Aug 2050 02.01.18 GMT", FETCHED),
                                    ("invalid-1-digit-hour", "Thu, 18 Aug 2050 2:01:18 GMT", FETCHED)]],
    ],
    "age-parse": [
        *[Case(f"age-parse-{name}", CHECK, [" | ".join(["Date: +0", "Cache-Control: max-age=3600", *(f"Age: {age}" for age in ages)])], finds)
          for name, ages, finds in [("nonnumeric", ["abc"], CACHED), ("negative", ["-7200"], CACHED), ("float", ["7200.0"], CACHED), ("large", ["99999999999"], FETCHED),
                                    ("parameter", ["7200;foo=bar"], CACHED), ("numeric-parameter", ["7200;foo=111"], CACHED), ("suffix", ["7200,0"], FETCHED),
                                    ("suffix-twoline", ["7200", "0"], FETCHED), ("prefix", ["0,7200"], CACHED), ("prefix-twoline", ["0", "7200"], CACHED),
                                    ("dup-0", ["0, 0"], CACHED), ("dup-0-twoline", ["0", "0"], CACHED), ("dup-old", ["7200, 7200"], FETCHED),
                                    ("dup-old-twoline", ["7200", "7200"], FETCHED)]],
    ],
    "heuristic": [
        *cases(OPTIMAL, CACHED, ("heuristic-200-cached", "Last-Modified: -86400 | Date: +0")),
        *[Case(f"heuristic-{code}-not_cached", REQUIRED, [f"{code} | Last-Modified: -86400 | Date: +0"], FETCHED, status=None) for code in (201, 202, 403, 502, 503, 504, 599)],
        *[Case(f"heuristic-{code}-cached", OPTIMAL, [f"{code} | Last-Modified: -86400 | Date: +0"], CACHED, status=None) for code in (203, 204, 404, 405, 410, 414, 501)],
        *[Case(f"heuristic-delta-{delta}", CHECK, [f"Last-Modified: -{delta} | Date: +0"]) for delta in (5, 10, 30, 60, 300, 600, 1200, 1800, 3600, 43_200, 86_400)],
    ],
    "status": [
        *[Case(f"status-{code}-fresh", OPTIMAL, [f"{code} | {FRESH}"], CACHED, status=None)
          for code in (200, 203, 204, 299, 400, 404, 410, 499, 500, 502, 503, 504, 599)],
        *[Case(f"status-{code}-stale", REQUIRED, [f"{code} | {STALE}"], FETCHED, status=None)
          for code in (200, 203, 204, 299, 400, 404, 410, 499, 500, 502, 503, 504, 599)],
    ],
    "conditional-etag": [
        *[Case(f"conditional-etag-{name}", OPTIMAL, [FRESH], CACHED, ("", f"If-None-Match: {tags}"), 304)
          for name, tags in [("strong-respond", "{etag}"), ("weak-respond", "W/{etag}"), ("strong-respond-multiple-first", '{etag}, "1234", "5678"'),
                             ("strong-respond-multiple-second", '"1234", {etag}, "5678"'), ("strong-respond-multiple-last", '"1234", "5678", {etag}'), ("any", "*")]],
        Case("conditional-304-etag", REQUIRED, [FRESH], CACHED, ("", "If-None-Match: {etag}"), 304, "ETag: {etag}"),
        Case("conditional-etag-precedence", REQUIRED, [f"{FRESH} | Last-Modified: -5000"], CACHED, ("", "If-None-Match: {etag} | If-Modified-Since: -6000"), 304),
        Case("conditional-etag-precedence-mismatch", REQUIRED, [f"{FRESH} | Last-Modified: -5000"], CACHED, ("", 'If-None-Match: "other" | If-Modified-Since: -1')),
        Case("conditional-etag-quoted-respond-unquoted", CHECK, [FRESH], CACHED, ("", "If-None-Match: {tag}")),
        Case("conditional-etag-strong-generate", OPTIMAL, [f"{SOON_STALE} | {TAG}"], BY_ETAG),
        Case("conditional-etag-weak-generate-weak", OPTIMAL, [f'{SOON_STALE} | ETag: W/"abcdef"'], BY_ETAG),
        Case("conditional-etag-strong-generate-unquoted", CHECK, [f"{SOON_STALE} | ETag: abcdef"], BY_ETAG),
        Case("conditional-etag-forward", CHECK, [FRESH], FETCHED, ('If-None-Match: "abcdef"',)),
    ],
    "conditional-lm": [
        Case("conditional-lm-fresh", OPTIMAL, [f"{FRESH} | Last-Modified: -3000 | Date: +0"], CACHED, ("", "If-Modified-Since: {date}"), 304),
        Case("conditional-lm-fresh-earlier", OPTIMAL, [f"{FRESH} | Last-Modified: -3000 | Date: +0"], CACHED, ("", "If-Modified-Since: -2000"), 304),
        Case("conditional-lm-fresh-later", REQUIRED, [f"{FRESH} | Last-Modified: -3000 | Date: +0"], CACHED, ("", "If-Modified-Since: -4000"), 200),
        Case("conditional-lm-stale", OPTIMAL, [f"{SOON_STALE} | {LONG_AGO} | Date: +0"], BY_DATE, ("", "If-Modified-Since: {date}"), 304),
        Case("conditional-lm-fresh-no-lm", OPTIMAL, [f"{FRESH} | Date: +0"], CACHED, ("", "If-Modified-Since: +0"), 304),
        Case("conditional-lm-fresh-rfc850", OPTIMAL, [f"{FRESH} | Last-Modified: -3000 | Date: +0"], CACHED, ("", "If-Modified-Since: {rfc850}"), 304),
        Case("conditional-lm-generate", OPTIMAL, [f"{SOON_STALE} | {LONG_AGO} | Date: +0"], BY_DATE),
    ],
    "update304": [
        *[Case(f"304-{kind}-update-stored-{name}", REQUIRED, [f"{before} | {validator} | Date: +0", f"{after} | {validator} | Date: +0"], ("", found, CACHED), ("", "", ""))
          for kind, validator, found in [("lm", LONG_AGO, BY_DATE), ("etag", TAG, BY_ETAG)]
          for name, before, after in [("Cache-Control", "Cache-Control: max-age=1", "Cache-Control: max-age=3600"), ("Expires", "Expires: +1", "Expires: +3600")]],
        Case("304-etag-keep-stored-Cache-Control", REQUIRED, [f"Cache-Control: max-age=2 | {TAG}", TAG], ("", BY_ETAG, BY_ETAG), ("", "", "")),
        Case("304-etag-replaces-ETag", REQUIRED, [f"Cache-Control: max-age=1 | {TAG}", '304 | Cache-Control: max-age=1 | ETag: "new"', 'Cache-Control: max-age=1 | ETag: "new"'],
             ("", BY_ETAG, BY_ETAG), ("", "", "")),
        Case("200-replaces-stored", REQUIRED, [f"Cache-Control: max-age=1 | {TAG}", 'Cache-Control: max-age=3600 | ETag: "new"'], ("", FETCHED, CACHED), ("", "", "")),
    ],
    "vary": [
        *cases(REQUIRED, FETCHED, ("vary-star", f"{FRESH} | Vary: *"), ("vary-star-list", f"{FRESH} | Vary: Accept, *"), ("vary-star-multiple", f"{FRESH} | Vary: Accept | Vary: *")),
        *cases(OPTIMAL, CACHED, ("vary-match", f"{FRESH} | Vary: Accept"), ("vary-cache-key", f"{FRESH} | Vary: X-Unknown")),
    ],
    "stale": [
        *[Case(name, CHECK, [first, second], CACHED, server=LENIENT)
          for name, first, second in [("stale-close", SOON_STALE, "close"), ("stale-503", SOON_STALE, "503"), ("stale-sie-close", f"{SOON_STALE}, stale-if-error=60", "close"),
                                      ("stale-sie-503", f"{SOON_STALE}, stale-if-error=60", "503"), ("stale-while-revalidate", f"{SOON_STALE}, stale-while-revalidate=60", FRESH)]],
        *[Case(f"stale-close-{name}", REQUIRED, [f"{SOON_STALE}, {directive}", "close"], FETCHED, status=502, server=LENIENT)
          for name, directive in [("must-revalidate", "must-revalidate"), ("proxy-revalidate", "proxy-revalidate"), ("no-cache", "no-cache"), ("s-maxage", "s-maxage=2")]],
        *[Case(f"stale-close-{name}-strict", REQUIRED, [f"{SOON_STALE}, {directive}", "close"], FETCHED, status=502)
          for name, directive in [("must-revalidate", "must-revalidate"), ("proxy-revalidate", "proxy-revalidate"), ("no-cache", "no-cache"), ("s-maxage", "s-maxage=2")]],
    ],
    "pragma": [
        Case("pragma-request-no-cache", CHECK, [FRESH], CACHED, ("", "Pragma: no-cache")),
        Case("pragma-request-extension", CHECK, [FRESH], CACHED, ("", "Pragma: unrecognised-extension")),
        *cases(CHECK, CACHED, ("pragma-response-no-cache", f"{FRESH} | Pragma: no-cache"), ("pragma-response-no-cache-heuristic", "Last-Modified: -10000 | Pragma: no-cache"),
               ("pragma-response-extension", f"{FRESH} | Pragma: unrecognised-extension")),
    ],
    "partial": [
        *[Case(f"partial-store-complete-reuse-partial{name}", OPTIMAL, [FRESH], CACHED, ("", f"Range: bytes={span}"), 206, field)
          for name, span, field in [("", "0-1", "Content-Length: 2"), ("-no-last", "1-", None), ("-suffix", "-1", "Content-Length: 1")]],
        Case("partial-use-headers", OPTIMAL, [FRESH], CACHED, ("", "Range: bytes=0-1 | If-Range: {etag}"), 206, "ETag: {etag}"),
        Case("partial-if-range-mismatch", REQUIRED, [FRESH], CACHED, ("", 'Range: bytes=0-1 | If-Range: "other"'), 200),
    ],
    "interim": [*cases(OPTIMAL, CACHED, ("interim-102", f"102 {FRESH}"), ("interim-103", f"103 {FRESH}"))],
    "other": [
        Case("other-age-gen", REQUIRED, ["Expires: +2592000 | Date: +0"], field="Age: >1"),
        Case("other-age-update-expires", REQUIRED, ["Expires: +2592000 | Date: +0 | Age: 300"], field="Age: >301"),
        Case("other-age-update-max-age", REQUIRED, ["Cache-Control: max-age=600 | Date: +0 | Age: 300"], field="Age: >301"),
        Case("other-date-update", REQUIRED, ["Expires: +2592000 | Date: -0"], field="Date: {first}"),
        Case("query-args-different", REQUIRED, [FRESH], FETCHED, key=("test=1", "test=2")),
        Case("query-args-same", OPTIMAL, [FRESH], CACHED, key=("test=1", "test=1")),
        *cases(CHECK, CACHED, ("other-heuristic-content-disposition-attachment", "Last-Modified: -100000 | Date: +0 | Content-Disposition: attachment; filename=example.png"),
               ("other-fresh-content-disposition-attachment", f"{FRESH} | Content-Disposition: attachment; filename=example.png")),
        *cases(OPTIMAL, CACHED, ("other-set-cookie", f"{FRESH} | Set-Cookie: a=b")),
        Case("other-cookie", OPTIMAL, [FRESH], CACHED, ("", "Cookie: a=b")),
        Case("other-authorization", OPTIMAL, [FRESH], CACHED, ("", "Authorization: Basic YTpi")),
        Case("collapse-basic", OPTIMAL, [f"slow {FRESH}"], ("collapsed",), ("",)),
    ],
}
CASES = [(group, case) for group, members in GROUPS.items() for case in members]

# Groups of the suite that do not apply, and the reason.
NOT_APPLICABLE = {
    "authorization": "a client's Authorization is not sent to origins",
    "cdn-cache-control, surrogate-control": "targeted fields (RFC 9213) are optional, and not read",
    "headers, and other fields of update304": "clients get a picture of OneSheet's with its own fields; it keeps the origin's freshness and validators only",
    "invalidation, method": "posters have no unsafe methods; /purge invalidates",
    "parts stored as parts (partial)": "an original is fetched and stored as a whole",
    "uncached, update-head": "origins get GET only",
    "vary by request fields": "every client's request becomes the same request to the origin",
    "browser only (private caches, immutable, Clear-Site-Data)": "OneSheet is shared by its clients",
    "no-store after a fresh response": "a fresh original is not fetched again",
    "Warning": "removed from HTTP (RFC 9111, 5.5)",
}
