import Flights
import HTTPFetch
import Synchronization

/// One request to an origin by the service's own fetcher, without the body.
struct OriginProbe: Sendable {
    let fetcher: Fetcher

    /// Takes the head of a response, and rejects its body.
    private final class HeadSink: FetchSink {
        let head = Mutex<FetchResponseHead?>(nil)

        func begin(_ head: FetchResponseHead) -> Bool {
            self.head.withLock { $0 = head }
            return false
        }

        func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
    }

    /// The limits of probes: the configured ones without retries, and shorter than a check.
    static func limits(_ configured: FetchConfiguration) -> FetchConfiguration {
        var limits = configured
        limits.retry.maxRetries = 0
        limits.totalTimeout = min(limits.totalTimeout, ServiceCheck.timeLimit - .seconds(2))
        return limits
    }

    /// - Throws: `FetchError`, `CancellationError`.
    func head(
        of url: String, credentials: [(name: String, value: String)] = []
    ) async throws -> FetchResponseHead {
        let sink = HeadSink()
        do {
            return try await self.fetcher.fetch(FetchRequest(url: url, credentials: credentials), into: sink).head
        } catch FetchError.sinkFailed {
            guard let head = sink.head.withLock(\.self) else { throw FetchError.sinkFailed }
            return head
        }
    }

    /// The reason and the remedy of a failed request, as a sentence.
    /// - Parameter place: The origin, such as `https://example.com:443`.
    static func advice(_ error: any Error, at place: String) -> String {
        guard let error = error as? FetchError else { return "\(place) cannot be asked: \(error)." }
        return switch error {
        case .addressRefused(let address):
            "\(place) has the address \(address), which is not public: allow it with --allow-private-origin HOST, "
                + "or all with --allow-private-origins."
        case .resolutionFailed: "The name of \(place) cannot be resolved: check its spelling, and this machine's DNS."
        case .connectFailed(let reason):
            "\(place) cannot be connected to (\(reason)): check the address, firewalls, and "
                + "--fetch-proxy-from-environment."
        case .certificate(let reason):
            "The certificate of \(place) is not trusted (\(reason)): check the clock and the package ca-certificates."
        case .tls(let reason): "TLS with \(place) failed (\(reason)): check the port, and proxies in between."
        case .timedOut, .tooSlow:
            "\(place) did not respond in time: check the network, and --fetch-connect-timeout and --fetch-timeout."
        case .badRedirect(let reason): "\(place) redirects in a way that is not followed (\(reason)): use its target."
        default: "\(place) cannot be asked: \(error)."
        }
    }
}
