import HTTPTypes
import InternetAddress
import MovieDomain

@testable import HTTPFetch
@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieHTTP
@testable import PosterAPI
@testable import PosterPipeline

extension FuzzTarget {
    /// Values of header fields; the first byte chooses the grammar.
    static let fields = FuzzTarget(
        "fields",
        words: [
            ",", ";", "=", "\"", "\\", "q=0.5", "q=1", ";q=", "*/*", "image/webp", "image/avif", "image/jxl",
            "image/png", "*", "gzip",
            "br", "identity", "no-store", "max-age=", "s-maxage=", "bytes=", "-", "0-", "W/",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "for=", "by=", "\"[2001:db8::1]:1\"",
            "unknown", "_x",
            "::ffff:1.2.3.4", "%eth0", "9223372036854775807", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "Set-Cookie: ",
            "Location: ", "Content-Length: ", "Content-Range: bytes 0-4/10", "HTTP/1.1 200 OK\r\n", "\r\n", "Path=/",
            "Domain=",
            "Max-Age=", "Expires=", "Secure", "ko-KR", "zh-Hant-TW", "\u{301}", "\u{FFFD}",
        ],
        seeds: {
            let values = [
                "image/avif,image/webp;q=0.9,*/*;q=0.8", "gzip, deflate, br;q=0.5, *;q=0",
                "ko-KR,ko;q=0.9,en;q=0.5,*;q=0.1",
                "max-age=60, s-maxage=\"10\", no-cache", "Sun, 06 Nov 1994 08:49:37 GMT", "120", "\"a\", W/\"b\", *",
                "bytes=0-9",
                "\"abc\"", "for=192.0.2.1;proto=https, for=\"[2001:db8::1]:4711\"", "192.0.2.1, 2001:db8::1",
                "example.org:80",
                "[2001:db8::1%25eth0]:443",
                "HTTP/1.1 302 Found\r\nLocation: /a\r\nSet-Cookie: a=b; Path=/; Max-Age=1\r\n\r\n",
                "1.5", "640", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "10.0.0.0/8",
            ]
            return values.enumerated().flatMap { number, value in
                (0..<UInt8(grammars.count)).map { [$0] + Array(value.utf8) }
            }
        }
    ) { bytes in
        var input = FuzzInput(bytes)
        let grammar = grammars[input.number(below: grammars.count)]
        let text = input.text()
        // The server and the fetcher refuse other values.
        guard !CombiningMarks.exceedLimit(in: text) else { return responseHead(text) }
        grammar(text)
    }

    private static let tag = EntityTag(hexadecimal: "0123456789abcdef0123456789abcdef")

    private static let grammars: [@Sendable (String) -> Void] = [
        { text in
            let choice = AcceptHeader(text).choice(of: FormatOrder())
            check(choice.format != .avif, "a request waits for AVIF")
        },
        { _ = AcceptEncoding($0).coding },
        { text in
            let languages = AcceptLanguage(text, any: .english).languages
            check(Set(languages).count == languages.count, "a language is repeated")
        },
        { text in
            for name in FieldSyntax.directives(text).keys { check(!name.isEmpty, "a directive has no name") }
            quoteDirective(text)
            var fields = CachingFields(cacheControl: text, expires: HTTPDate.seconds(text), date: 0, age: 5)
            let policy = FreshnessPolicy()
            for now in [0, 1_700_000_000, Int64.max] {
                let freshness = policy.freshness(of: fields, at: now)
                check((policy.minimum...policy.maximum).contains(freshness.lifetime), "a lifetime exceeds the limits")
                fields.date = now
            }
        },
        { text in
            guard let seconds = HTTPDate.seconds(text) else { return }
            // Years before 1000 have fewer digits, and are not written.
            guard seconds >= -30_610_224_000 else { return }
            check(HTTPDate.seconds(HTTPDate.text(Int(seconds))) == seconds, "a date is not read back")
        },
        { text in
            guard let wait = RetryAfter.wait(text, at: 0) else { return }
            check(wait >= .zero && wait <= .seconds(1 << 31), "a wait is out of bounds")
            _ = RetryAfter.seconds(wait)
        },
        { text in
            let list = IfNoneMatch(text)
            _ = list.matches(tag)
            let conditions = Preconditions(
                fields([.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince], text))
            _ = conditions.outcome(tag: tag, modifiedAt: 0)
            _ = conditions.settles(tag)
            check(IfNoneMatch(tag.description + "," + text).matches(tag), "a tag in a list does not match")
        },
        { text in
            let headers = fields([.range], text)
            for length in [0, 1, 1000, Int.max] {
                let outcome = RangeRequest(headers, method: .get).outcome(length: length, tag: tag, modifiedAt: nil)
                guard case .part(let range) = outcome else { continue }
                check(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= length, "a range is out of bounds")
            }
            _ = RangeRequest(fields([.range, .ifRange], text), method: .get).outcome(length: 9, tag: tag, modifiedAt: 9)
        },
        { text in
            if let own = ReceivedValidator.entityTag(text) { check(FieldSyntax.isValue(own), "a tag cannot be sent") }
            if let own = ReceivedValidator.lastModified(text) {
                check(FieldSyntax.isValue(own), "a date cannot be sent")
            }
        },
        { entries(of: $0, .forwarded) },
        { entries(of: $0, .xForwardedFor) },
        { text in
            guard HostField.isValid(text) else { return }
            for scheme in ["http", "https"] { _ = HostField.normal(text, scheme: scheme) }
        },
        { text in
            if let address = IPAddress(text) { check(IPAddress(address.description) == address, "an address differs") }
            guard let network = IPNetwork(text) else { return }
            check(IPNetwork(network.description) == network, "a network differs")
            check(network.contains(network.address), "a network lacks its address")
        },
        { responseHead($0) },
        { cookies($0) },
        { text in
            var hints = ClientHints(ratio: text, width: text, saveData: text)
            _ = hints.pictureRatio
            for ladder in [nil, WidthLadder(rungs: [92, 185])] {
                hints.savesData.toggle()
                guard let width = hints.pictureWidth(ladder: ladder) else { continue }
                check(PictureRequest.sides.contains(width), "a hinted width is \(width)")
            }
        },
        { text in
            _ = RequestID(given: text, traceparent: nil)
            guard let id = RequestID(given: nil, traceparent: text) else { return }
            check(id.description.utf8.count == 32, "a trace id has another length")
        },
    ]

    private static func fields(_ names: [HTTPField.Name], _ text: String) -> HTTPFields {
        var fields = HTTPFields()
        for name in names { fields[name] = text }
        return fields
    }

    private static func entries(of text: String, _ field: ForwardedField) {
        let bytes = Array(text.utf8)
        var (end, count) = (bytes.count, 0)
        var read: [ForwardedField.Entry] = []
        while let entry = field.lastEntry(of: bytes.span, before: &end) {
            read.append(entry)
            count += 1
            check(count <= bytes.count + 1 && end < bytes.count, "the position does not advance")
        }
        // A forged beginning does not change the entry of the nearest proxy.
        let own: [UInt8] = Array(field == .forwarded ? "for=192.0.2.60".utf8 : "192.0.2.60".utf8)
        let forged = bytes + [UInt8(ascii: ",")] + own
        end = forged.count
        let last = field.lastEntry(of: forged.span, before: &end)
        check(last == .address(.v4(0xC000_023C)), "the nearest proxy's entry is \(String(describing: last))")
    }

    /// A quoted value is read without its escapes (RFC 9110, 5.6.4).
    private static func quoteDirective(_ text: String) {
        let escaped = text.utf8.flatMap { byte -> [UInt8] in
            "\"\\".utf8.contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
        }
        let value = FieldSyntax.directives("a=\"\(String(decoding: escaped, as: UTF8.self))\", b")["a"]
        check(value?.utf8.elementsEqual(text.trimmingBlanks.utf8) == true, "a quoted value differs")
    }

    private static func responseHead(_ text: String) {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        let parser = parser(lines)
        let head = parser.head(finalURL: "http://a/", now: 0)
        check((head.contentLength ?? 0) >= 0, "a length is negative")
        // The first of repeated fields counts (RFC 9111, 4.2.1 and 5.1).
        let first = ["HTTP/1.1 200 OK", "Age: 7, 8", "Expires: Sun, 06 Nov 1994 08:49:37 GMT", "Vary: a, *"]
        let own = Self.parser(first.map { Array($0.utf8) } + lines.filter { !$0.starts(with: "HTTP/".utf8) })
            .head(finalURL: "http://a/", now: 0)
        check(own.age == 7, "a later age counts")
        check(own.expires == 784_111_777, "a later expiry counts")
        check(own.variesByAnything, "Vary: * is lost")
        if let range = parser.contentRange { check(range.start <= range.end, "a content range is inverted") }
    }

    private static func parser(_ lines: [[UInt8]]) -> ResponseHeadParser {
        var parser = ResponseHeadParser(keptFieldPrefix: "x-amz-meta-")
        for line in lines { _ = (line + [UInt8(ascii: "\n")]).withUnsafeBytes { parser.read($0) } }
        return parser
    }

    private static func cookies(_ text: String) {
        guard let url = FetchURL("https://www.example.org/a/b?c") else { return check(false, "no URL") }
        var cookies = RedirectCookies()
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
        cookies.receive(lines, from: url, at: 1_000_000_000)
        for line in cookies.headerLines(for: url) {
            check(FieldSyntax.isValue(line), "a Cookie field holds control characters")
            check(line.utf8.count <= RedirectCookies.maxFieldLength + 8, "a Cookie field is too long")
        }
    }
}
