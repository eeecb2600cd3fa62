import Flights
import InternetAddress

/// Sends hops: finds the route to the host, and passes the hop to the fetch thread.
struct HopSender: Sendable {
    let configuration: FetchConfiguration
    let queue: CommandQueue
    let resolver: NameResolver
    /// nil when none may be used.
    let proxy: ProxySettings?

    /// Sends a hop, and returns how it ended.
    ///
    /// - Throws: `CancellationError`, after the connection was closed; ``FetchError`` when the hop has not begun, or was
    ///   ended by ``Fetcher/shutdown()``; ``HopFailure`` when libcurl's multi interface failed.
    func send(_ hop: Hop, into sink: any FetchSink) async throws -> HopResult {
        let start = ContinuousClock.now
        let route: Route
        do {
            route = try await self.route(of: hop)
        } catch let failure as HopFailure {
            return HopResult(ending: .failure(failure), resumePoint: hop.resumePoint)
        }
        let connectTimeout = self.configuration.connectTimeout - (ContinuousClock.now - start)
        var result = try await withWaiter { waiter in
            self.queue.submit(
                Submission(hop: hop, route: route, connectTimeout: connectTimeout, sink: sink, waiter: waiter))
        } cancel: { id in
            self.queue.cancel(id)
        }
        // Name resolution may have left too little time for the timeout to count as the host's.
        if case .failure(let failure) = result.ending, failure.error == .timedOut(.connect),
            connectTimeout < self.configuration.connectTimeout / 2
        {
            result.ending = .failure(.local(failure.error))
        }
        return result
    }

    private func route(of hop: Hop) async throws -> Route {
        let (url, literal) = (hop.url, hop.url.literalAddress)
        if let proxy = self.proxy?.proxy(for: url) {
            // The socket's address will be the proxy's.
            let addressGuard = AddressGuard(
                self.configuration, host: url.host, mayBePrivate: hop.mayBePrivate,
                isPublicOnly: hop.request.isPublicOnly)
            if let literal, !addressGuard.admits(literal) { throw FetchError.addressRefused(literal.description) }
            return .proxy(proxy)
        }
        if let literal { return .literal(literal) }
        return .addresses(try await self.addresses(of: url.host))
    }

    private func addresses(of host: String) async throws -> [IPAddress] {
        let resolver = self.resolver
        do {
            if let answer = resolver.cachedAnswer(for: host) { return try answer.get() }
            return try await withTimeout(
                self.configuration.connectTimeout, throwing: HopFailure.local(.timedOut(.connect))
            ) {
                try await resolver.addresses(of: host)
            }
        } catch let error as ResolverError {
            switch error {
            case .notFound: throw HopFailure.local(.resolutionFailed)
            case .temporaryFailure: throw HopFailure.local(.resolutionFailed, isTransient: true)
            case .outOfDescriptors: throw HopFailure.local(.outOfDescriptors)
            case .busy: throw FetchError.overloaded(retryAfter: FetchConfiguration.minRetryAfter)
            }
        }
    }
}
