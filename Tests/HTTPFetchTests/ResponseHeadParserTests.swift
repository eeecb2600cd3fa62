import Testing

@testable import HTTPFetch

@Suite struct ResponseHeadParserTests {
    private func read(_ lines: [String]) -> (reader: ResponseHeadParser, completions: [Int]) {
        var reader = ResponseHeadParser()
        var completions: [Int] = []
        for (index, line) in lines.enumerated() {
            let isComplete = Array((line + "\r\n").utf8).withUnsafeBytes { reader.read($0) }
            if isComplete { completions.append(index) }
        }
        return (reader, completions)
    }

    @Test func theFieldsThatMatterAreKept() {
        let (reader, completions) = self.read([
            "HTTP/2 200", "content-type:image/webp ", "CONTENT-LENGTH: 12", "ETag: W/\"x\"", "Cache-Control: public",
            "cache-control:\tmax-age=1", "last-modified: Mon", "nonsense", ": empty", "",
        ])
        #expect(completions == [9])
        let expected = FetchResponseHead(
            status: 200,
            finalURL: "u",
            contentType: "image/webp",
            contentLength: 12,
            etag: "W/\"x\"",
            lastModified: "Mon",
            cacheControl: "public, max-age=1"
        )
        #expect(reader.head(finalURL: "u", now: 0) == expected)
    }

    @Test func fieldsWithAPrefixAreKeptWhenTheyAreWanted() {
        var reader = ResponseHeadParser(keptFieldPrefix: "x-own-")
        for line in [
            "HTTP/1.1 103 Early Hints", "x-own-a: early", "", "HTTP/1.1 200 OK", "X-Own-A: 1", "x-own-a: 2",
            "x-other: 3",
            "x-own-b:", "etag: \"e\"", "",
        ] {
            _ = Array((line + "\r\n").utf8).withUnsafeBytes { reader.read($0) }
        }
        let head = reader.head(finalURL: "u", now: 0)
        #expect(head.keptFields == ["x-own-a": "1", "x-own-b": ""] && head.etag == "\"e\"")
    }

    @Test func valuesWithMoreThan30CombiningMarksInARowAreReplaced() {
        let marks = String(repeating: "\u{301}\u{316}", count: 15)
        let reader = self.read(["HTTP/1.1 200 OK", "Location: /\(marks)", "Content-Type: a\(marks)\u{301}", ""]).reader
        #expect(reader.location == "/\(marks)" && reader.head(finalURL: "u", now: 0).contentType == "\u{FFFD}")
    }

    @Test func interimAnswersAndTrailersDoNotCount() {
        let (reader, completions) = self.read([
            "HTTP/1.1 103 Early Hints", "ETag: early", "", "HTTP/1.1 200 OK", "", "ETag: late", "",
        ])
        #expect(completions == [4])
        #expect(reader.head(finalURL: "u", now: 0).etag == nil)
        #expect(reader.byteCount == 26 + 13 + 2 + 17 + 2 + 12 + 2, "though their bytes do")
    }

    @Test("a length that cannot be believed is none", arguments: ["-1", "x", "", "99999999999999999999"])
    func badLength(value: String) {
        let reader = self.read(["HTTP/1.1 200 OK", "Content-Length: \(value)", ""]).reader
        #expect(reader.head(finalURL: "u", now: 0).contentLength == nil)
    }

    /// Swift compares a character with so many marks for minutes.
    @Test(.timeLimit(.minutes(1)))
    func manyCombiningMarksAreReadQuickly() {
        let marks = "e" + String(repeating: "\u{301}\u{316}", count: 200_000)
        let names = ["Content-Length", "Content-Range", "Accept-Ranges", "Cache-Control", marks]
        let lines = ["HTTP/1.1 200 \(marks)"] + names.map { "\($0): \(marks)" } + ["ETag: \"a\"", ""]
        let reader = self.read(lines).reader
        #expect(reader.status == 200 && reader.etag == "\"a\"" && reader.hasInvalidLength)
        #expect(reader.contentRange == nil && !reader.refusesRanges)
    }

    @Test func validatorsThatCannotBeSentBackAreNone() {
        let head = self.read(["HTTP/1.1 200 OK", "ETag: \"a\u{1}b\"", "Last-Modified: \u{e9}", ""]).reader
            .head(finalURL: "u", now: 0)
        #expect(head.etag == nil && head.lastModified == nil)
        var reader = ResponseHeadParser()
        for line in ["HTTP/1.1 200 OK\r\n".utf8 + [], "ETag: \"".utf8 + [0xE9] + "\"\r\n".utf8, [13, 10]] {
            _ = line.withUnsafeBytes { reader.read($0) }
        }
        #expect(reader.isComplete && reader.etag == nil, "malformed UTF-8 would not come back as it was sent")
    }

    @Test func codingsAndCookiesOfAllLinesAreRead() {
        let reader = self.read([
            "HTTP/1.1 200 OK", "Content-Encoding: utf-8, gzip", "content-encoding: br", "Set-Cookie: a=1; Path=/",
            "set-cookie: b=2", "",
        ]).reader
        #expect(reader.codings == [.gzip, .brotli])
        #expect(reader.cookies == ["a=1; Path=/", "b=2"])
    }

    @Test func whatDecidesFreshnessIsRead() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let head = self.read([
            "HTTP/1.1 200 OK", "Date: \(date)", "Expires: Sun, 06 Nov 1994 08:50:37 GMT", "Age: 12",
            "Retry-After: Sun, 06 Nov 1994 08:50:07 GMT", "",
        ]).reader.head(finalURL: "u", now: 0)
        #expect((head.date, head.expires, head.age) == (784_111_777, 784_111_837, 12))
        #expect(head.retryAfter == .seconds(30))
    }

    @Test(
        "of repeated ages and expiries the first counts",
        arguments: [
            ["Age: 12", "Expires: Sun, 06 Nov 1994 08:50:37 GMT", "Age: 0", "Expires: 0"],
            ["Age: 12, 0", "Expires: Sun, 06 Nov 1994 08:50:37 GMT", "Age: 99"],
        ])
    func repeated(fields: [String]) {
        let head = self.read(["HTTP/1.1 200 OK"] + fields + [""]).reader.head(finalURL: "u", now: 0)
        #expect((head.age, head.expires) == (12, 784_111_837))
    }

    @Test(
        "Vary: * is recognised",
        arguments: [(["*"], true), (["Accept, *"], true), (["Accept", " * "], true), (["Accept", "x*"], false)])
    func vary(values: [String], isAnything: Bool) {
        let fields = values.map { "Vary: \($0)" }
        let head = self.read(["HTTP/1.1 200 OK"] + fields + [""]).reader.head(finalURL: "u", now: 0)
        #expect(head.variesByAnything == isAnything)
    }

    @Test func whatCannotBeReadIsNoneAndAnExpiryIsPast() {
        let head = self.read([
            "HTTP/1.1 200 OK", "Date: now", "Expires: 0", "Age: -1", "Retry-After: soon", "",
        ]).reader.head(finalURL: "u", now: 0)
        #expect((head.date, head.expires, head.age, head.retryAfter) == (nil, 0, nil, nil))
    }

    @Test("Retry-After is read", arguments: [("120", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 7), ("0", 0)])
    func retryAfter(value: String, seconds: Int) {
        let reader = self.read(["HTTP/1.1 503 Busy", "Retry-After: \(value)", ""]).reader
        #expect(reader.head(finalURL: "u", now: 784_111_770).retryAfter == .seconds(seconds))
    }

    @Test(
        "Retry-After is at most 2³¹ seconds",
        arguments: ["99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func longRetryAfter(value: String) {
        let reader = self.read(["HTTP/1.1 503 Busy", "Retry-After: \(value)", ""]).reader
        #expect(reader.head(finalURL: "u", now: 0).retryAfter == .seconds(1 << 31))
    }

    @Test func aDateThatHasPassedIsNoWait() {
        let reader = self.read(["HTTP/1.1 503 Busy", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", ""]).reader
        #expect(reader.head(finalURL: "u", now: 784_111_778).retryAfter == .zero)
    }

    @Test func chunkedWinsOverALength() {
        let reader = self.read(["HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked", ""]).reader
        #expect(reader.head(finalURL: "u", now: 0).contentLength == nil)
    }

    @Test(
        "equal lengths are one, different ones conflict",
        arguments: [
            (["5", "5"], false), (["5, 5"], false), (["5,5", " 5 "], false), (["5", "6"], true), (["5, 6"], true),
            (["5", "5, 6"], true), (["5", ""], true), (["5,"], true),
            (["05", "5"], false), (["0005,5"], false), (["50", "5"], true),
        ])
    func repeatedLength(values: [String], isConflict: Bool) {
        let reader = self.read(["HTTP/1.1 200 OK"] + values.map { "Content-Length: \($0)" } + [""]).reader
        #expect(reader.hasConflictingLengths == isConflict)
        if !isConflict { #expect(reader.head(finalURL: "u", now: 0).contentLength == 5) }
    }

    @Test(
        "a length with other characters than digits is invalid, unless there is no body",
        arguments: [
            ("5", false), ("0", false), ("00", false), ("99999999999999999999", false), ("5abc", true), ("+5", true),
            ("-5", true), ("5 6", true), ("0x5", true), ("", true), ("٥", true),
        ])
    func invalidLength(value: String, isInvalid: Bool) {
        for (status, hasBody) in [(200, true), (404, true), (204, false), (304, false)] {
            let reader = self.read(["HTTP/1.1 \(status) X", "Content-Length: \(value)", ""]).reader
            #expect(reader.hasInvalidLength == (isInvalid && hasBody))
        }
    }
}
