import Glibc
import NIOCore

/// Writes a line for each request. Thread-safe and non-blocking: see ``LineWriter``.
///
/// A line contains the time of the response, method, path and query (without signatures), status, bytes of the body,
/// seconds, the client, the path (fast or slow), the cache's result, and the request's id. Headers with credentials are
/// never logged.
package struct AccessLog: Sendable {
    private let format: LogFormat
    private let writer: LineWriter

    package init(_ format: LogFormat, writer: LineWriter) {
        self.format = format
        self.writer = writer
    }

    func write(_ record: RequestRecord) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        self.writer.write(self.line(record, at: time))
    }

    func line(_ record: RequestRecord, at time: timespec) -> String {
        var line = LogLine(self.format)
        line.add("time", LogTime.text(time))
        line.add("method", record.method)
        line.add("path", RedactedTarget(record.target).text)
        line.add("status", record.status)
        line.add("bytes", record.bodyLength)
        line.add("seconds", seconds: record.duration.nanoseconds)
        line.add("client", record.client?.description ?? "-")
        line.add("way", record.way.rawValue)
        line.add("cache", record.cacheStatus.map(Self.word) ?? "-")
        line.add("request_id", record.requestID ?? RequestID.make().description)
        return line.ended
    }

    /// `hit`, or the reason for forwarding: `miss` of `OneSheet; fwd=miss; stored` (RFC 9211, 2).
    private static func word(_ cacheStatus: String) -> String {
        for parameter in cacheStatus.split(separator: ";").dropFirst() {
            let text = parameter.drop { $0 == " " }
            if text == "hit" { return "hit" }
            if text.hasPrefix("fwd=") { return String(text.dropFirst(4)) }
        }
        return "-"
    }
}
