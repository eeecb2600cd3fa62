import Flights
import HTTPFetch
import OneSheetConfiguration
import PosterOrigins

/// Compares this machine's clock with the `Date` field of an upstream: signatures, certificates and freshness need it.
struct ClockCheck {
    static let name = "clock"
    /// Differences below this come from the network and from whole seconds.
    static let tolerance: Int64 = 5
    /// S3 rejects signatures that are fifteen minutes off; a certificate or a `--expires` may be stricter.
    static let limit: Int64 = 300

    let configuration: ServeConfiguration
    let probe: OriginProbe

    /// A URL of the first configured source or origin; `nil` without any.
    private var url: String? {
        if let source = UpstreamClients.baseURLs(self.configuration.sources).first { return source.url }
        return self.configuration.origins.sorted { $0.key < $1.key }.first.flatMap {
            try? $0.value.url(for: Self.name)
        }
    }

    var check: ServiceCheck {
        let (url, probe) = (self.url, self.probe)
        return ServiceCheck(Self.name) {
            guard let url, let place = Fetcher.originName(of: url) else {
                return [
                    CheckResult(
                        .skipped, "", "Not compared: no source and no origin is set that could be asked for the time.")
                ]
            }
            do {
                let head = try await probe.head(of: url)
                guard let date = head.date else {
                    return [CheckResult(.skipped, "", "Not compared: \(place) sends no date.")]
                }
                // A cache in between sends the date of the original response, and its age.
                return [Self.result(AnchoredClock.wallSeconds() - date - (head.age ?? 0), place)]
            } catch is FetchError {
                return [CheckResult(.skipped, "", "Not compared: \(place) cannot be asked.")]
            }
        }
    }

    /// - Parameter seconds: By how much this machine's clock is ahead.
    static func result(_ seconds: Int64, _ place: String) -> CheckResult {
        guard seconds.magnitude > Self.tolerance else {
            return CheckResult(.ok, "", "This machine's clock agrees with that of \(place).")
        }
        let difference =
            "This machine's clock is \(seconds.magnitude) s \(seconds > 0 ? "ahead of" : "behind") \(place)"
        return seconds.magnitude > Self.limit
            ? CheckResult(
                .failure, "", "\(difference): signed URLs, S3 and TLS will fail; start systemd-timesyncd or chrony.")
            : CheckResult(.warning, "", "\(difference): synchronise it, for example by systemd-timesyncd or chrony.")
    }
}
