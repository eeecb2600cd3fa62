import Flights
import InternetAddress

/// Carries single hops out: finds the way to the host, and has the fetch thread do the rest.
struct HopSender: Sendable {
    /// A hop whose way is not known yet.
    struct Request: Sendable, Redacted {
        let url: FetchURL
        var method = FetchMethod.get
        var body: [UInt8]?
        /// See ``FetchRequest/keepsErrorBodies``.
        var keepsErrorBodies = 0
        let headerLines: [String]
        /// See ``Hop/mayBePrivate``.
        let mayBePrivate: Bool
        /// See ``FetchRequest/isPublicOnly``.
        var isPublicOnly = false
        /// Where the sink's body broke off.
        let resumePoint: ResumePoint?
        let urgency: Urgency
        let trace: OriginExposure

        var description: String { "\(self.method.rawValue) \(FetchURL.shown(self.url.text))" }
    }

    let configuration: FetchConfiguration
    let queue: CommandQueue
    let resolver: NameResolver
    let proxy: EnvironmentProxy?

    /// - Throws: `CancellationError`, by when the connection is closed; ``FetchError`` when the hop has not begun, or was
    ///   ended by the fetcher's end; ``HopFailure`` when libcurl's machinery failed.
    func send(_ request: Request, into sink: any FetchSink) async throws -> HopResult {
        let start = ContinuousClock.now
        let route: Hop.Route
        do {
            route = try await self.route(of: request)
        } catch let failure as HopFailure {
            return HopResult(ending: .failed(failure), resumePoint: request.resumePoint)
        }
        let resumeLines = request.resumePoint?.url == request.url ? request.resumePoint!.headerLines : []
        let hop = Hop(
            url: request.url,
            method: request.method,
            body: request.body,
            keepsErrorBodies: request.keepsErrorBodies,
            headerLines: request.headerLines + resumeLines,
            route: route,
            connectTimeout: self.configuration.connectTimeout - (ContinuousClock.now - start),
            mayBePrivate: request.mayBePrivate,
            isPublicOnly: request.isPublicOnly,
            resumePoint: request.resumePoint,
            trace: request.trace
        )
        var outcome = try await self.submit(hop, urgency: request.urgency, into: sink)
        // Looking the name up may have left too little time to blame the host for it.
        if case .failed(let failure) = outcome.ending, failure.error == .timedOut(.connect),
            hop.connectTimeout < self.configuration.connectTimeout / 2
        {
            outcome.ending = .failed(.local(failure.error))
        }
        return outcome
    }

    private func submit(_ hop: Hop, urgency: Urgency, into sink: any FetchSink) async throws -> HopResult {
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

    private func route(of request: Request) async throws -> Hop.Route {
        let url = request.url
        if let proxy = self.proxy?.proxy(for: url) {
            // The guard sees only the proxy's address.
            let guarding = AddressGuard(
                self.configuration, host: url.host, mayBePrivate: request.mayBePrivate,
                isPublicOnly: request.isPublicOnly)
            if let address = url.literalAddress, !guarding.admits(address) {
                throw FetchError.addressRefused(address.description)
            }
            return .proxy(proxy)
        }
        if url.literalAddress != nil { return .literal }
        return .addresses(try await self.addresses(of: url.host))
    }

    private func addresses(of host: String) async throws -> [IPAddress] {
        let resolver = self.resolver
        do {
            if let answer = resolver.rememberedAnswer(for: host) { return try answer.get() }
            return try await withTimeout(
                self.configuration.connectTimeout, throwing: HopFailure.local(.timedOut(.connect))
            ) {
                try await resolver.addresses(of: host)
            }
        } catch let failure as ResolverError {
            if failure == .busy { throw FetchError.overloaded(retryAfter: Origin.minRetryAfter) }
            throw failure.hopFailure
        }
    }
}
