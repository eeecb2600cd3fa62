import Flights

/// Carries single hops out: finds the way to the host, and has the fetch thread do the rest.
struct HopSender: Sendable {
    let configuration: FetchConfiguration
    let queue: FetchQueue
    let resolver: NameResolver
    let proxy: EnvironmentProxy?

    /// - Parameter resumePoint: Where the sink's body broke off.
    /// - Throws: `CancellationError`, by when the connection is closed; ``FetchError`` when the hop has not begun, or was
    ///   ended by the fetcher's end.
    func send(
        _ url: FetchURL, headerLines: [String], into sink: any FetchSink, resumePoint: ResumePoint?, urgency: Urgency
    ) async throws -> HopOutcome {
        let start = ContinuousClock.now
        let route = try await self.route(to: url)
        let resumeLines = resumePoint?.url == url ? resumePoint!.headerLines : []
        let hop = Hop(
            url: url,
            headerLines: headerLines + resumeLines,
            route: route,
            connectTimeout: self.configuration.connectTimeout - (ContinuousClock.now - start),
            resumePoint: resumePoint
        )
        let id = self.queue.nextID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.queue.submit(
                    FetchSubmission(id: id, hop: hop, sink: sink, urgency: urgency, continuation: continuation)
                )
            }
        } onCancel: {
            self.queue.cancel(id)
        }
    }

    private func route(to url: FetchURL) async throws -> Hop.Route {
        if let proxy = self.proxy?.proxy(for: url) {
            // The guard sees only the proxy's address.
            if let address = url.literalAddress,
                !AddressGuard(self.configuration, host: url.host).admits(address)
            {
                throw FetchError.addressRefused(address.description)
            }
            return .proxy(proxy)
        }
        if url.literalAddress != nil { return .literal }
        let resolver = self.resolver
        if let answer = resolver.rememberedAnswer(for: url.host) { return .addresses(try answer.get()) }
        return try await withTimeout(self.configuration.connectTimeout, throwing: .timedOut(.connect)) {
            .addresses(try await resolver.addresses(of: url.host))
        }
    }
}
