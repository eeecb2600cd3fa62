import Flights
import HTTPFetch
import PosterCodec
import PosterPipeline
import Synchronization
import Tracing

/// Fetches originals over HTTP.
struct HTTPOriginalSource: Sendable {
    let fetcher: Fetcher
    let verifier: OriginalVerifier
    let credentials: Replaceable<OriginCredentials>
    let metrics: FetchMetrics

    /// - Parameter isFound: Whether the URL comes from an untrusted source, so that private addresses are refused.
    func fetch(
        _ url: String, for id: PosterID, isFound: Bool = false, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        let start = Uptime.nanoseconds()
        let origin = Fetcher.originName(of: url)
        do {
            let answer = try await withSpan("fetch", ofKind: .client) { span in
                if span.isRecording {
                    span.attributes["server.address"] = origin
                    span.attributes["poster.id"] = id.loggedText
                }
                return try await self.fetchUncounted(
                    url, for: id, isFound: isFound, validators: validators, urgency: urgency, into: draft)
            }
            let outcome = if case .notModified = answer { FetchOutcome.notModified } else { FetchOutcome.fetched }
            self.metrics.record(outcome, origin: origin, nanoseconds: Uptime.nanoseconds() - start)
            return answer
        } catch {
            self.metrics.record(FetchOutcome(error), origin: origin, nanoseconds: Uptime.nanoseconds() - start)
            throw error
        }
    }

    private func fetchUncounted(
        _ url: String, for id: PosterID, isFound: Bool, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        let sink = DraftSink(draft, probe: self.verifier.makeIncrementalProbe())
        let request = FetchRequest(
            url: url, headers: validators.conditions,
            credentials: isFound ? [] : self.credentials.value.headers(for: id.source, url: url),
            staysAtOrigin: id.source == PosterID.urlSource, isPublicOnly: isFound, urgency: urgency)
        let response: FetchResponse
        do {
            response = try await self.fetcher.fetch(request, into: sink)
        } catch FetchError.sinkFailed {
            throw sink.refusal ?? .storageFailed(reason: "an original could not be stored")
        } catch let error as FetchError {
            throw PosterError(error)
        }
        // The declared length was compared by libcurl already, which alone knows what was content-encoded.
        switch response.status {
        case 200: return .sent(OriginDescription(response.head))
        case 304 where !validators.isEmpty: return .notModified(OriginDescription(response.head))
        default: throw PosterError(response.head, of: id)
        }
    }
}

extension Validators {
    /// As headers of a request (RFC 9110, 13.1): the date only without a tag, which is more precise.
    fileprivate var conditions: [(name: String, value: String)] {
        if let etag = self.etag { return [("If-None-Match", etag)] }
        if let lastModified = self.lastModified { return [("If-Modified-Since", lastModified)] }
        return []
    }
}

extension OriginDescription {
    fileprivate init(_ head: FetchResponseHead) {
        self.init(
            validators: Validators(etag: head.etag, lastModified: head.lastModified),
            caching: CachingFields(
                cacheControl: head.cacheControl, expires: head.expires, date: head.date, age: head.age))
    }
}

/// Writes a fetched body into a draft; stops the fetch when its first bytes show that it is no usable picture.
final class DraftSink: FetchSink {
    private struct State {
        var probe: IncrementalProbe
        var hasBegun = false
        var refusal: PosterError?
    }

    private let draft: any OriginalDraft
    /// As it is before the first byte.
    private let probe: IncrementalProbe
    private let state: Mutex<State>

    init(_ draft: any OriginalDraft, probe: IncrementalProbe) {
        self.draft = draft
        self.probe = probe
        self.state = Mutex(State(probe: probe))
    }

    /// Why the body was refused; nil when it could not be stored.
    var refusal: PosterError? { self.state.withLock { $0.refusal } }

    func begin(_ head: FetchResponseHead) -> Bool {
        let isAgain = self.state.withLock { state in
            defer { state.hasBegun = true }
            if state.hasBegun { state.probe = self.probe }
            return state.hasBegun
        }
        return isAgain ? self.draft.restart() : true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isWanted = self.state.withLock { state in
            do throws(CodecError) {
                try state.probe.receive(bytes)
                return true
            } catch {
                state.refusal = PosterError(error)
                return false
            }
        }
        return isWanted && self.draft.append(bytes)
    }
}
