import MovieDomain
import UpstreamClient

/// What KOBIS calls a fault: an answer with status 200 that is none.
enum KOBISFault {
    /// The largest answer that may be one, in bytes.
    private static let maxByteCount = 4096

    /// What went wrong; nil when nothing did.
    ///
    /// - Parameter secondsLeft: Of the day in Korea, when the quota is used up.
    static func failure(in body: [UInt8], secondsLeft: Int) -> SourceFailure? {
        guard body.count <= Self.maxByteCount, let object = try? TolerantJSON.object(body) else { return nil }
        // Beside the answer, or in its place.
        let wrapped = ["boxOfficeResult", "movieInfoResult", "movieListResult"].compactMap { object.object($0) }.first
        guard let fault = object.object("faultInfo") ?? wrapped?.object("faultInfo") else { return nil }
        guard let code = fault.text("errorCode") else { return .badAnswer(.kobis, reason: "a fault without a code") }
        switch code {
        case "320010": return .keyRefused(.kobis)
        // What a request lacks has other numbers; everything else of these is about the key and what it may do.
        case _ where code.hasPrefix("3200"): return .busy(.kobis, retryAfterSeconds: secondsLeft)
        default:
            let digits = code.filter { ("0"..."9").contains($0) }.prefix(8)
            return .badAnswer(.kobis, reason: "fault \(digits)")
        }
    }
}
