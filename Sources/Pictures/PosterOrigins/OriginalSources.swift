public import CoreMetrics
public import Flights
import Glibc
public import HTTPFetch
public import PosterPipeline

/// Fetches originals from every kind of location.
public struct OriginalSources: OriginalSource {
    private let files: FileOriginalSource
    private let web: HTTPOriginalSource

    /// - Parameters:
    ///   - threads: Where files are read.
    ///   - verifier: Refuses unusable pictures while they arrive.
    ///   - credentials: Headers for the origins of sources.
    ///   - metrics: Receives counts and durations of fetches.
    public init(
        fetcher: Fetcher, threads: BoundedThreadPool, verifier: OriginalVerifier = OriginalVerifier(),
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
    ) async throws -> OriginResponse {
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

/// Reads originals from local files: the packaged posters.
struct FileOriginalSource: Sendable {
    private static let chunkLength = 256 << 10

    let threads: BoundedThreadPool

    func fetch(
        _ path: String, urgency: Urgency, into draft: any OriginalDraft
    ) async throws -> OriginDescription {
        try await self.threads.run(urgency: urgency) {
            do {
                return OriginDescription(declaredLength: try Self.copy(path, into: draft))
            } catch is FileError {
                throw PosterError.originUnavailable(reason: "the packaged poster cannot be read")
            }
        }
    }

    /// - Returns: How many bytes it has.
    private static func copy(_ path: String, into draft: any OriginalDraft) throws -> Int {
        let descriptor = try LoadedBytes.open(path)
        defer { close(descriptor) }
        let length = try FileStamp(of: descriptor, path: path).length
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkLength, alignment: 16)
        defer { chunk.deallocate() }
        for start in stride(from: 0, to: length, by: Self.chunkLength) {
            try Task.checkCancellation()
            let part = UnsafeMutableRawBufferPointer(rebasing: chunk.prefix(length - start))
            try LoadedBytes.read(descriptor, from: start, into: part, path: path)
            guard draft.append(UnsafeRawBufferPointer(part)) else {
                throw PosterError.storageFailed(reason: "an original could not be stored")
            }
        }
        return length
    }
}
