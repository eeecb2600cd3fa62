import HTTPFetch
import MovieDomain
import OneSheetConfiguration
import PosterOrigins

/// Requests a picture that does not exist from each origin of pictures: name, address guard, connection, TLS.
struct OriginChecks {
    static let name = "origins"
    /// Maximum number of origins that are asked.
    static let countLimit = 32
    /// The key of the requested picture.
    private static let key = "onesheet-doctor"

    let configuration: ServeConfiguration
    let probe: OriginProbe

    var checks: [ServiceCheck] {
        let origins = self.configuration.origins.sorted { $0.key < $1.key }
        var checks = origins.prefix(Self.countLimit).map { name, template in
            let credentials = self.configuration.credentials
            return self.check(name, template, remedy: "--origin-header") {
                credentials.headers(for: name, url: $0)
            }
        }
        if self.configuration.sources.keys[.tmdb] != nil, let images = self.configuration.pictures.tmdbImages {
            checks.append(self.check("tmdb-images", images, remedy: "--tmdb-images") { _ in [] })
        }
        if checks.isEmpty {
            checks.append(
                ServiceCheck(Self.name) {
                    [CheckResult(.skipped, "", "Not asked: no --origin is set, and films of TMDB are off.")]
                })
        }
        if origins.count > Self.countLimit {
            let count = origins.count - Self.countLimit
            checks.append(
                ServiceCheck(Self.name) {
                    [CheckResult(.skipped, "", "Only \(Self.countLimit) origins were asked: \(count) more are set.")]
                })
        }
        return checks
    }

    private func check(
        _ name: String, _ template: OriginTemplate, remedy: String,
        credentials: @escaping @Sendable (_ url: String) -> [(name: String, value: String)]
    ) -> ServiceCheck {
        let probe = self.probe
        return ServiceCheck(Self.name, name) {
            let url = try template.url(for: Self.key)
            let place = Fetcher.originName(of: url) ?? name
            do {
                let status = try await probe.head(of: url, credentials: credentials(url)).status
                return [Self.result(name, place, status: status, remedy: remedy)]
            } catch let error as FetchError {
                return [CheckResult(.failure, name, OriginProbe.advice(error, at: place))]
            }
        }
    }

    /// Any response shows that the origin is reachable; many stores answer 403 for missing pictures.
    private static func result(_ name: String, _ place: String, status: Int, remedy: String) -> CheckResult {
        switch status {
        case 401, 407:
            CheckResult(
                .warning, name, "\(place) requires authentication (status \(status)): set or renew \(remedy).")
        case 429: CheckResult(.warning, name, "\(place) limits requests (status 429): set --origin-rate.")
        case 500...: CheckResult(.warning, name, "\(place) answers status \(status): examine the origin.")
        default: CheckResult(.ok, name, "\(place) answers (status \(status) for a picture that does not exist).")
        }
    }
}
