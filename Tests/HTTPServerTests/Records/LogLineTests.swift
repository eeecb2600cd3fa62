import Glibc
import HTTPTesting
import Logging
import NIOCore
import PosterTesting
import Synchronization
import Testing

@testable import HTTPServer

struct LogLineTests {
    @Test func aLineOfTextQuotesWhatIsNotPlain() {
        var line = LogLine(.text)
        line.add("a", "plain=value")
        line.add("b", "two words")
        line.add("c", "x\n\"y\"\\\u{1B}[31m\u{2028}\u{202E}é")
        line.add("d", "")
        line.add("e", 5)
        line.add("f", seconds: 1_002_003_999)
        #expect(
            line.ended
                == #"a=plain=value b="two words" c="x\n\"y\"\\\u001b[31m\u2028\u202eé" d="" e=5 f=1.002003"# + "\n")
    }

    @Test func aLineOfJSONIsAnObject() {
        var line = LogLine(.json)
        line.add("a", "x\u{0}\"")
        line.add("b", 5)
        line.add("c", seconds: 7)
        #expect(line.ended == #"{"a":"x\u0000\"","b":5,"c":0.000000}"# + "\n")
    }

    @Test(
        "shows targets",
        arguments: [
            ("/poster/a?w=1", "/poster/a?w=1"), ("/a?s=secret&w=1", "/a?s=***&w=1"),
            ("/a?w=1&%73=secret", "/a?w=1&%73=***"),
            ("/a?s", "/a?s=***"), ("/a?ss=1&S=2", "/a?ss=1&S=2"), ("/\u{1B}[1m\"é", "/%1B[1m\"%C3%A9"),
            ("/a?x=\r\n", "/a?x=%0D%0A"), ("/a?s=1?s=2", "/a?s=***"), ("", ""), ("/a?", "/a?"), ("/a?&&", "/a?&&"),
            (
                "/proxy?url=http%3A%2F%2Fa.test%2Fb.jpg%3fk%3Dsecret&w=1",
                "/proxy?url=http%3A%2F%2Fa.test%2Fb.jpg%3F***&w=1"
            ),
            ("/_next/image?w=1&%75rl=https://a.test/b?k=secret", "/_next/image?w=1&%75rl=https://a.test/b%3F***"),
            ("/proxy?url=https%3A%2F%2Fa.test%2Fb%253Fk=secret", "/proxy?url=https%3A%2F%2Fa.test%2Fb%3F***"),
            ("/proxy?url=https://u:secret@%CC%81a.test/b", "/proxy?url=***"),
            ("/proxy?url=https://u:secret@a.test/b", "/proxy?url=***"), ("/proxy?url=%2Fb%40c", "/proxy?url=%2Fb%40c"),
            ("/proxy?url=%GGsecret", "/proxy?url=***"), ("/a?url&w=1", "/a?url=&w=1"),
            ("/poster/url%3Ahttps:%2F%2Fa.test%2Fb%3Fk=secret?w=1", "/poster/url%3Ahttps:%2F%2Fa.test%2Fb%3F***?w=1"),
            ("/poster/mine:a%3Fb", "/poster/mine:a%3Fb"),
            (
                "/sign-in/return?request_token=secret&approved=true&%72equest_token=secret",
                "/sign-in/return?request_token=***&approved=true&%72equest_token=***"
            ),
            (
                "/compat/tmdb/3/account?api_key=secret&session_id=secret&page=2",
                "/compat/tmdb/3/account?api_key=***&session_id=***&page=2"
            ),
            ("/compat/tmdb/3/guest_session/secret/rated/movies?page=1", "/compat/tmdb/3/guest_session/***?page=1"),
            ("/compat/tmdb/authenticate/secret", "/compat/tmdb/authenticate/***"),
            ("/compat/rpdb/secret/isValid", "/compat/rpdb/***/isValid"), ("/secret/isValid", "/***/isValid"),
            (
                "/compat//rpdb/secret/imdb/poster-default/tt1.jpg?lang=de",
                "/compat//rpdb/***/imdb/poster-default/tt1.jpg?lang=de"
            ),
            ("/compat/rp%64b/secret/a/b/c/d", "/compat/rp%64b/***/a/b/c/d"),
            ("/compat/rpdb/secret", "/compat/rpdb/***"),
            ("/secret/tvdb/poster-default/1.jpg", "/***/tvdb/poster-default/1.jpg"),
            ("/secret/IMDB/poster-default", "/***/IMDB/poster-default"), ("/secret/isvalid/x", "/***/isvalid/x"),
            ("/secret/requests", "/***/requests"),
            ("/compat/tmdb/3/configuration", "/compat/tmdb/3/configuration"), ("/films/imdb", "/films/imdb"),
            ("/t/p/w342/a.jpg", "/t/p/w342/a.jpg"),
        ])
    func showsTargets(_ target: String, _ shown: String) {
        #expect(RedactedTarget(target).text == shown)
    }

    @Test func aLongTargetIsCut() {
        let text = RedactedTarget("/" + String(repeating: "a", count: 10_000)).text
        #expect(text.utf8.count == RedactedTarget.lengthLimit + 3 && text.hasSuffix("a..."))
    }

    @Test func theTimeIsToTheMillisecond() {
        #expect(LogTime.text(timespec(tv_sec: 951_827_696, tv_nsec: 7_999_999)) == "2000-02-29T12:34:56.007Z")
    }

    @Test func theLineOfARequestHasAllFields() throws {
        var facts = RequestRecord(
            method: "GET", target: "/poster/a?w=46&s=secret", route: "/poster/{id}", status: 200, bodyLength: 1234,
            duration: .microseconds(1500), way: .eventLoop)
        facts.client = ClientAddress(try SocketAddress(ipAddress: "::1", port: 5))
        facts.cacheStatus = "OneSheet; fwd=uri-miss; fwd-status=200; stored"
        facts.requestID = "r-1"
        let pipe = try OutputPipe()
        let writer = try LineWriter(descriptor: pipe.descriptor)
        defer { writer.close() }
        let time = timespec(tv_sec: 0, tv_nsec: 0)
        #expect(
            AccessLog(.json, writer: writer).line(facts, at: time)
                == #"{"time":"1970-01-01T00:00:00.000Z","method":"GET","path":"/poster/a?w=46&s=***","status":200,"#
                + #""bytes":1234,"seconds":0.001500,"client":"::1","way":"event-loop","cache":"uri-miss","request_id":"r-1"}"#
                + "\n")
        facts.client = ClientAddress(try SocketAddress(ipAddress: "203.0.113.7", port: 1))
        facts.cacheStatus = nil
        #expect(
            AccessLog(.text, writer: writer).line(facts, at: time)
                == "time=1970-01-01T00:00:00.000Z method=GET path=/poster/a?w=46&s=*** status=200 bytes=1234 "
                + "seconds=0.001500 client=203.0.113.7 way=event-loop cache=- request_id=r-1\n")
    }

    @Test func whatIsLoggedIsALineAtTheLevelOfTheMoment() {
        let lines = Lines()
        let threshold = ReloadableLogLevel(.notice)
        let logger = Logger(label: "test") { label in
            ServiceLogHandler(label: label, format: .json, threshold: threshold) { lines.add($0) }
        }
        logger.info("not yet")
        threshold.level = .info
        logger.info("Here\nnow", metadata: ["poster.id": "a\"b", "k\n": "v"])
        threshold.level = .error
        logger.warning("no more")
        let texts = lines.all.map { $0.drop { $0 != "," } }
        #expect(
            texts == [
                #","level":"info","logger":"test","message":"Here\nnow","k_":"v","poster.id":"a\"b"}"# + "\n"
            ])
    }

    @Test func theLatestWarningsAndErrorsAreKept() {
        let recent = RecentLog()
        let logger = Logger(label: "test") { label in
            ServiceLogHandler(
                label: label, format: .text, threshold: ReloadableLogLevel(.info), recent: recent, write: { _ in })
        }
        logger.notice("works")
        for number in 0...RecentLog.countLimit { logger.warning("slow", metadata: ["number": "\(number)"]) }
        logger.error(
            "broken", metadata: ["b": "2", "a": "xx\(String(repeating: "\u{301}", count: 2 * RecentLog.detailLimit))"])
        struct Trouble: Error, CustomStringConvertible { let description = "no space" }
        logger.error("failed", error: Trouble(), metadata: ["a": "1"])
        #expect(recent.entries[0].detail == "error=no space, a=1")
        let entries = Array(recent.entries.dropFirst())
        #expect(recent.entries.count == RecentLog.countLimit)
        #expect(entries[0].message == "broken" && entries[0].level == .error)
        #expect(entries[0].detail.utf8.starts(with: "a=xx".utf8))
        #expect(entries[0].detail.unicodeScalars.count == RecentLog.detailLimit)
        #expect(entries[1].detail == "number=\(RecentLog.countLimit)")
        #expect(entries.allSatisfy { $0.message != "works" })
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { self.lines.withLock { $0 } }

        func add(_ line: String) {
            self.lines.withLock { $0.append(line) }
        }
    }
}
