import HTTPFetch
import PosterPipeline

/// Originals behind URLs.
struct HTTPOriginalSource: Sendable {
    let fetcher: Fetcher

    func fetch(_ url: String, for id: PosterID, into draft: any OriginalDraft) async throws -> OriginDescription {
        let response: FetchResponse
        do {
            response = try await self.fetcher.fetch(FetchRequest(url: url), into: DraftSink(draft))
        } catch let error as FetchError {
            throw PosterError(error)
        }
        switch response.status {
        case 200: break
        case 404, 410: throw PosterError.unknownPoster(id)
        case 401, 403, 451:
            throw PosterError.originUnavailable(reason: "the origin refused, with status \(response.status)")
        default: throw PosterError.originUnavailable(reason: "the origin answered with status \(response.status)")
        }
        // The declared length was compared by libcurl already, which alone knows what was content-encoded.
        return OriginDescription(etag: response.etag, lastModified: response.lastModified)
    }
}

/// Lets a fetch write into a draft.
private final class DraftSink: FetchSink {
    private let draft: any OriginalDraft

    init(_ draft: any OriginalDraft) {
        self.draft = draft
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.draft.append(bytes)
    }
}

extension PosterError {
    /// What a failed fetch means to whoever asked for the poster.
    init(_ error: FetchError) {
        switch error {
        case .invalidURL, .forbiddenScheme, .invalidHeader:
            self = .originUnavailable(reason: "the origin's URL is not usable")
        case .addressRefused:
            self = .originUnavailable(
                reason: "the origin is at a private address, which --allow-private-origins would allow")
        case .resolutionFailed: self = .originUnavailable(reason: "the origin's host name has no address")
        case .connectFailed: self = .originUnavailable(reason: "the origin does not accept connections")
        case .tls: self = .originUnavailable(reason: "the origin's TLS certificate or handshake failed")
        case .timedOut(.connect): self = .originTooSlow(reason: "connecting to the origin took too long")
        case .timedOut(.total): self = .originTooSlow(reason: "fetching from the origin took too long")
        case .tooSlow: self = .originTooSlow(reason: "the origin sent too slowly")
        case .tooLarge(let limit): self = .badOriginal(reason: "it sent more than the limit of \(limit) bytes")
        case .headTooLarge: self = .originUnavailable(reason: "the origin sent too large a response head")
        case .tooManyRedirects(let limit):
            self = .originUnavailable(reason: "the origin redirected more than \(limit) times")
        case .badRedirect: self = .originUnavailable(reason: "the origin redirected to where we do not follow")
        case .truncated: self = .originUnavailable(reason: "the origin's answer ended too early")
        case .failed: self = .originUnavailable(reason: "the origin could not be fetched from")
        case .sinkFailed: self = .storageFailed(reason: "an original could not be stored")
        case .overloaded: self = .overloaded
        case .shutDown: self = .originUnavailable(reason: "the server is shutting down")
        }
    }
}
