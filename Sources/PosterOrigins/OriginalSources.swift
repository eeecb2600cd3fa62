public import HTTPFetch
public import PosterPipeline

/// The source of every kind of location.
public struct OriginalSources: OriginalSource {
    private let files: FileOriginalSource
    private let web: HTTPOriginalSource

    /// - Parameter threads: Where files are read.
    public init(fetcher: Fetcher, threads: WorkThreads) {
        self.files = FileOriginalSource(threads: threads)
        self.web = HTTPOriginalSource(fetcher: fetcher)
    }

    /// Streams the original into the draft.
    ///
    /// - Throws: `PosterError`, `CancellationError`.
    public func fetch(
        _ location: OriginalLocation, for id: PosterID, into draft: any OriginalDraft
    ) async throws -> OriginDescription {
        switch location {
        case .file(let path, _): try await self.files.fetch(path, into: draft)
        case .web(let url): try await self.web.fetch(url, for: id, into: draft)
        }
    }
}
