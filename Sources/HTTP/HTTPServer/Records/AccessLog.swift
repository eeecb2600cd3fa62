import Glibc
import NIOCore

/// A line for each request. Safe from any thread, and never waits: see ``LineWriter``.
///
/// A line tells when the request was answered, method, path and query (without signatures), status, bytes of the body,
/// seconds, who asked, which way it was answered, what the cache did, and what the request is called. Headers that carry
/// credentials are never in it.
public struct AccessLog: Sendable {
    private let format: LogFormat
    private let writer: LineWriter

    /// - Parameter writer: Gets the lines.
    public init(_ format: LogFormat, writer: LineWriter) {
        self.format = format
        self.writer = writer
    }

    /// Lines that there was no room for.
    public var droppedLineCount: Int { self.writer.droppedCount }

    func write(_ facts: RequestFacts) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        self.writer.write(self.line(facts, at: time))
    }

    func line(_ facts: RequestFacts, at time: timespec) -> String {
        var line = LogLine(self.format)
        line.add("time", LogTime.text(time))
        line.add("method", facts.method)
        line.add("path", LoggedTarget(facts.target).text)
        line.add("status", facts.status)
        line.add("bytes", facts.bodyLength)
        line.add("seconds", seconds: facts.duration.nanoseconds)
        line.add("client", facts.client?.description ?? "-")
        line.add("way", facts.way.rawValue)
        line.add("cache", facts.cacheStatus.map(Self.word) ?? "-")
        line.add("request_id", facts.requestID ?? RequestID.make().description)
        return line.ended
    }

    /// `hit`, or why the request was forwarded: `miss` of `OneSheet; fwd=miss; stored` (RFC 9211, 2).
    private static func word(_ cacheStatus: String) -> String {
        for parameter in cacheStatus.split(separator: ";").dropFirst() {
            let text = parameter.drop { $0 == " " }
            if text == "hit" { return "hit" }
            if text.hasPrefix("fwd=") { return String(text.dropFirst(4)) }
        }
        return "-"
    }
}
