public import CoreMetrics
public import Flights
public import HTTPFetch
public import PosterPipeline

/// The source of every kind of location.
public struct OriginalSources: OriginalSource {
    private let files: FileOriginalSource
    private let web: HTTPOriginalSource

    /// - Parameters:
    ///   - threads: Where files are read.
    ///   - verifier: Refuses what is no usable picture while it arrives.
    ///   - credentials: What the origins of sources get beside the request.
    ///   - metrics: Where is counted what becomes of fetches.
    public init(
        fetcher: Fetcher, threads: WorkThreads, verifier: OriginalVerifier = OriginalVerifier(),
        credentials: OriginCredentials = OriginCredentials(), metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.files = FileOriginalSource(threads: threads)
        self.web = HTTPOriginalSource(
            fetcher: fetcher, verifier: verifier, credentials: Replaceable(credentials),
            metrics: FetchMetrics(metrics))
    }

    /// Other credentials for fetches that begin from now on.
    public func replaceCredentials(_ credentials: OriginCredentials) {
        self.web.credentials.replace(credentials)
    }

    /// Streams the original into the draft, unless the one with these validators is still current.
    ///
    /// - Throws: `PosterError`, `CancellationError`.
    public func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginAnswer {
        switch location {
        case .file(let path, _): .sent(try await self.files.fetch(path, urgency: urgency, into: draft))
        case .web(let url):
            try await self.web.fetch(url, for: id, validators: validators, urgency: urgency, into: draft)
        case .found(let url):
            try await self.web.fetch(
                url, for: id, isFound: true, validators: validators, urgency: urgency, into: draft)
        }
    }
}
