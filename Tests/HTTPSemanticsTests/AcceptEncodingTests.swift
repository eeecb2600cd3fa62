import Testing

@testable import HTTPSemantics

struct AcceptEncodingTests {
    @Test(
        "the coding that weighs most is used, and brotli if both weigh the same",
        arguments: [
            (nil, nil), ("", nil), ("br", .brotli), ("gzip", .gzip), ("x-gzip", .gzip), ("GZip", .gzip),
            ("gzip, deflate, br", .brotli), ("gzip, deflate, br, zstd", .brotli), ("deflate", nil), ("identity", nil),
            // RFC 9110, 12.5.3.
            ("compress, gzip", .gzip), ("*", .brotli), ("compress;q=0.5, gzip;q=1.0", .gzip),
            ("gzip;q=1.0, identity; q=0.5, *;q=0", .gzip),
            ("gzip;q=1.0, br;q=0.9", .gzip), ("gzip;q=0.9, br;q=1.0", .brotli), ("br;q=0.001", .brotli),
            ("br;q=0, gzip", .gzip), ("br;q=0.000, gzip;q=0", nil), ("*;q=0, gzip", .gzip), ("*, br;q=0", .gzip),
            ("*;q=0.5, gzip;q=0.4", .brotli), ("identity, gzip;q=0.5", nil), ("identity;q=0.5, gzip;q=0.5", .gzip),
            ("identity;q=0", nil), ("*;q=0", nil),
            // An invalid weight is ignored.
            ("gzip;q=2", .gzip), ("gzip;q=x", .gzip), ("gzip;x=1", .gzip), ("gzip ; Q = 0", nil), ("gzip;q=0;q=1", nil),
            ("gzip;q", .gzip), ("gzip;x=0", .gzip), ("gzip;=q=0", .gzip), ("gzip;q=.0", .gzip), (";gzip", nil),
            ("gzip;q=0.1.2, br;q=0.5", .gzip), ("gzip;q=0.0001, br;q=0.5", .gzip), ("gzip;q=0.x, br;q=0.5", .gzip),
            ("gzip;q=0.+1, br;q=0.5", .gzip),
            // A weight is at most 1, the default weight.
            ("br;q=0.999, gzip", .gzip), ("br;q=1, gzip", .brotli), ("gzip;q=1.5, br", .brotli),
            ("gzip;q=1.0, br;q=0.999", .gzip),
            ("gzip;q=0, gzip", .gzip), (",,;;=,", nil), ("gzipped", nil), ("br\u{e9}", nil),
        ] as [(String?, ContentCoding?)])
    func coding(value: String?, coding: ContentCoding?) {
        #expect(AcceptEncoding(value).coding == coding)
    }

    @Test func noMoreIsReadThanABrowserSends() {
        #expect(AcceptEncoding(String(repeating: "a, ", count: 15) + "gzip").coding == .gzip)
        #expect(AcceptEncoding(String(repeating: "a, ", count: 16) + "gzip").coding == nil)
        #expect(AcceptEncoding(String(repeating: "a, ", count: 10_000) + "gzip").coding == nil)
    }
}
