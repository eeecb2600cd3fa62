extension OriginScript {
    /// What an origin that sends parts of bodies answers: the rest of `body` from where the request's `Range` begins, if it
    /// has one and `If-Range` is `etag`; else all of it.
    public static func ranged(_ body: [UInt8], etag: String, for request: OriginRequest) -> OriginScript {
        let start = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
        guard let start, start < body.count, request.headers["if-range"] == etag else {
            return .answer(headers: [("ETag", etag)], body: body)
        }
        let range = "bytes \(start)-\(body.count - 1)/\(body.count)"
        return .answer(status: 206, headers: [("ETag", etag), ("Content-Range", range)], body: Array(body[start...]))
    }

    /// A 200 that breaks off after `count` bytes of its body.
    public static func cut(
        _ body: [UInt8], after count: Int, headers: [(name: String, value: String)]
    ) -> OriginScript {
        let length = (name: "Content-Length", value: String(body.count))
        return OriginScript([.head(status: 200, headers: headers + [length]), .bytes(Array(body[..<count])), .close])
    }
}
