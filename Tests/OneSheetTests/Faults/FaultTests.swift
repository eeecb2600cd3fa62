import Foundation
import PosterTesting
import Testing

/// The program under crowds and faults.
@Suite(.timeLimit(.minutes(3)))
enum FaultTests {
    /// The option for an origin of that name.
    static func mapping(_ origin: OriginServer, name: String = "mine") -> [String] {
        ["--origin", "\(name)=\(origin.baseURL)/{key}.jpg"]
    }

    /// Options with which no fetch ends, and no origin is left alone, because of the time that a test takes.
    static let patienceOfFetches = [
        "--allow-private-origins", "--fetch-timeout", "600", "--fetch-low-speed-time", "600",
        "--breaker-failures", "10000",
    ]

    /// The same for clients, too.
    static let patience =
        patienceOfFetches + [
            "--idle-timeout", "600", "--send-timeout", "600", "--header-timeout", "600",
            "--connections-per-address", "0",
        ]

    /// Names of files in a folder; none when there is no such folder.
    static func files(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Milliseconds that something took, for the report.
    static func milliseconds(_ work: () async throws -> Void) async rethrows -> Double {
        let duration = try await ContinuousClock().measure(work)
        return Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1000
    }

    /// Lets the tests' own process have so many sockets.
    static func raiseDescriptorLimit(to count: UInt) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < count else {
            return
        }
        limit.rlim_cur = min(count, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
