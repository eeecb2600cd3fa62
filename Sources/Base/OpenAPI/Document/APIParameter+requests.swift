extension APIParameter {
    package static let version = APIParameter.query(
        "v", .string(8...64, pattern: "^[0-9a-f]{8,64}$"), feature: .versions,
        "The beginning of the original's digest, from info or srcset: where it is right, the answer is immutable.")

    package static let signature = APIParameter.query(
        "s", .string(pattern: "^[A-Za-z0-9_-]{43}$"), feature: .signatures,
        "HMAC-SHA256 over path and query, as onesheet sign makes it.")

    package static let signatureEnd = APIParameter.query(
        "exp", .integer(0...999_999_999_999), feature: .signatures,
        "When the signature ends, in seconds since 1970; only together with s.")

    package static let ifMatch = APIParameter.header(
        "If-Match", .string(), feature: .ranges,
        "Entity tags of which the answer must be one, or *: otherwise it is a 412 (RFC 9110, 13.1.1).")

    /// Of RFC 9110: what makes an answer shorter.
    package static let conditions: [APIParameter] = [
        .header("If-Modified-Since", .string(), feature: .ranges, "Without If-None-Match (RFC 9110, 13.1.3)."),
        .ifMatch,
        .header("If-Unmodified-Since", .string(), feature: .ranges, "Otherwise it is a 412 (RFC 9110, 13.1.4)."),
        .header("Range", .string().example("bytes=0-1023"), feature: .ranges, "One range of bytes (RFC 9110, 14.2)."),
        .header(
            "If-Range", .string(), feature: .ranges,
            "The range only if the picture is still this one (RFC 9110, 13.1.5)."),
    ]

    /// What the client says of its screen and its line; the URL wins.
    package static let hints: [APIParameter] = [
        .header("Sec-CH-DPR", .string().example("2.0"), feature: .clientHints, "Device pixels per pixel of the page."),
        .header(
            "Sec-CH-Width", .string().example("640"), feature: .clientHints, "How wide it is shown, in device pixels."),
        .header("Save-Data", .string().example("on"), feature: .clientHints, "on: fewer bytes, please."),
    ]
}
