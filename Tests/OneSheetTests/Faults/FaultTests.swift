import Foundation
import PosterTesting
import Testing

/// The program under crowds and faults.
@Suite(.timeLimit(.hang))
enum FaultTests {
    /// The `--origin` option that maps `name` to `origin`.
    static func mapping(_ origin: OriginServer, name: String = "mine") -> [String] {
        ["--origin", "\(name)=\(origin.baseURL)/{key}.jpg"]
    }

    /// Options with which slow tests cause no fetch timeout and no open breaker.
    static let patienceOfFetches = [
        "--allow-private-origins", "--fetch-timeout", "600", "--fetch-low-speed-time", "600",
        "--breaker-failures", "10000",
    ]

    /// ``patienceOfFetches``, and no timeout or connection limit for clients.
    static let patience =
        patienceOfFetches + [
            "--idle-timeout", "600", "--send-timeout", "600", "--header-timeout", "600",
            "--connections-per-address", "0",
        ]

    /// Names of the files in a folder; empty if it does not exist.
    static func files(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Duration of `work` in milliseconds.
    static func milliseconds(_ work: () async throws -> Void) async rethrows -> Double {
        let duration = try await ContinuousClock().measure(work)
        return Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1000
    }

    /// Raises the test process's limit of open descriptors to at least `count`, as far as allowed.
    static func raiseDescriptorLimit(to count: UInt) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < count else {
            return
        }
        limit.rlim_cur = min(count, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
