import PosterPipeline

/// `Cache-Status` (RFC 9211) of the cache `OneSheet`.
enum CacheStatus {
    static let hit = "OneSheet; hit"

    /// - Parameter provenance: Where the response came from.
    static func value(for provenance: Provenance) -> String {
        let forward: String
        switch provenance.reach {
        case .cache: return self.hit + self.staleness(provenance)
        // The variant was rendered from the stored original, without a request to the origin.
        case .disk: forward = "OneSheet; fwd=miss; detail=\(provenance.staleness?.detail ?? "original-on-disk")"
        case .origin:
            forward =
                provenance.validationStatus.map { "OneSheet; fwd=stale; fwd-status=\($0)" }
                ?? "OneSheet; fwd=uri-miss; fwd-status=200"
        }
        return forward + (provenance.isStored ? "; stored" : "") + (provenance.isShared ? "; collapsed" : "")
    }

    /// The `ttl` of a stale response is negative (RFC 9211, 2.5).
    private static func staleness(_ provenance: Provenance) -> String {
        provenance.staleness.map { "; ttl=\(-$0.seconds); detail=\($0.detail)" } ?? ""
    }
}

extension Staleness {
    /// The value of `detail`.
    fileprivate var detail: String {
        switch self.reason {
        case .revalidating: "stale-while-revalidate"
        case .originFailed: "stale-if-error"
        case .overloaded: "stale-while-overloaded"
        }
    }
}

/// `Server-Timing` (W3C).
enum ServerTiming {
    static func value(for timings: PosterTimings) -> String {
        "fetch;dur=\(self.milliseconds(timings.fetch)), decode;dur=\(self.milliseconds(timings.decode)), "
            + "encode;dur=\(self.milliseconds(timings.encode))"
    }

    /// Milliseconds with two decimals.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let hundredths = (nanoseconds + 5_000) / 10_000
        guard hundredths > 0 else { return "0" }
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
