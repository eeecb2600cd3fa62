package import CoreMetrics
public import Flights
import Glibc
package import HTTPFetch
import PosterCodec
public import PosterPipeline
import Synchronization
import Tracing

/// Fetches originals from all kinds of locations: over HTTP, and packaged posters from files of this machine.
public struct OriginalFetcher: OriginalSource {
    private static let chunkLength = 256 << 10

    private let fetcher: Fetcher
    private let threads: BoundedThreadPool
    private let verifier: OriginalVerifier
    private let credentials: ReloadableValue<OriginCredentials>
    private let metrics: FetchMetrics

    package init(
        fetcher: Fetcher, threads: BoundedThreadPool, verifier: OriginalVerifier = OriginalVerifier(),
        credentials: OriginCredentials = OriginCredentials(), metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.fetcher = fetcher
        self.threads = threads
        self.verifier = verifier
        self.credentials = ReloadableValue(credentials)
        self.metrics = FetchMetrics(metrics)
    }

    package func replaceCredentials(_ credentials: OriginCredentials) {
        self.credentials.replace(credentials)
    }

    /// Streams the original into the draft, unless the bytes with these validators are still current.
    /// - Throws: `PosterError`, `CancellationError`.
    public func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        let (url, isFound): (String, Bool)
        switch location {
        case .file(let path, _): return .sent(try await self.readFile(path, urgency: urgency, into: draft))
        case .web(let text): (url, isFound) = (text, false)
        case .found(let text): (url, isFound) = (text, true)
        }
        let start = Uptime.nanoseconds()
        let origin = Fetcher.originName(of: url)
        func record(_ outcome: FetchOutcome) {
            self.metrics.record(outcome, origin: origin, nanoseconds: Uptime.nanoseconds() - start)
        }
        do {
            let response = try await withSpan("fetch", ofKind: .client) { span in
                if span.isRecording {
                    span.attributes["server.address"] = origin
                    span.attributes["poster.id"] = id.loggedText
                }
                let request = FetchRequest(
                    url: url, headers: validators.conditions,
                    credentials: isFound ? [] : self.credentials.value.headers(for: id.source, url: url),
                    staysAtOrigin: id.source == PosterID.urlSource, isPublicOnly: isFound, urgency: urgency)
                return try await self.send(request, for: id, validators: validators, into: draft)
            }
            record(response.outcome)
            return response
        } catch {
            record(FetchOutcome(error))
            throw error
        }
    }

    // MARK: HTTP

    private func send(
        _ request: FetchRequest, for id: PosterID, validators: Validators, into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        let sink = DraftSink(draft, probe: self.verifier.makeIncrementalProbe())
        let head: FetchResponseHead
        do {
            head = try await self.fetcher.fetch(request, into: sink).head
        } catch FetchError.sinkFailed {
            throw sink.refusal ?? .storageFailed(reason: "an original could not be stored")
        } catch let error as FetchError {
            throw PosterError(error)
        }
        // libcurl has compared the declared length: only it knows whether the body was content-encoded.
        switch head.status {
        case 200: return .sent(OriginDescription(head))
        case 304 where !validators.isEmpty: return .notModified(OriginDescription(head))
        default: throw PosterError(head, of: id)
        }
    }
}

extension OriginResponse {
    fileprivate var outcome: FetchOutcome {
        if case .notModified = self { .notModified } else { .fetched }
    }
}

extension Validators {
    /// The headers of a conditional request (RFC 9110, 13.1): the date only without an entity tag, which is more
    /// precise.
    fileprivate var conditions: [(name: String, value: String)] {
        if let etag = self.etag { return [("If-None-Match", etag)] }
        if let lastModified = self.lastModified { return [("If-Modified-Since", lastModified)] }
        return []
    }
}

extension OriginDescription {
    init(_ head: FetchResponseHead) {
        self.init(
            validators: Validators(etag: head.etag, lastModified: head.lastModified),
            // A response with `Vary: *` may be stored, but not used without revalidation (RFC 9111, 4.1).
            caching: CachingFields(
                cacheControl: head.variesByAnything ? "no-cache" : head.cacheControl, expires: head.expires,
                date: head.date, age: head.age))
    }
}

/// Writes a fetched body into a draft; stops the fetch as soon as its first bytes are not a usable picture.
final class DraftSink: FetchSink {
    private struct State {
        var probe: IncrementalProbe
        var hasBegun = false
        var refusal: PosterError?
    }

    private let draft: any OriginalDraft
    /// The state of the probe before the first byte.
    private let probe: IncrementalProbe
    private let state: Mutex<State>

    init(_ draft: any OriginalDraft, probe: IncrementalProbe) {
        self.draft = draft
        self.probe = probe
        self.state = Mutex(State(probe: probe))
    }

    /// Why the body was refused; `nil` if it could not be stored.
    var refusal: PosterError? { self.state.withLock { $0.refusal } }

    func begin(_ head: FetchResponseHead) -> Bool {
        let isAgain = self.state.withLock { state in
            defer { state.hasBegun = true }
            if state.hasBegun { state.probe = self.probe }
            return state.hasBegun
        }
        guard !isAgain || self.draft.restart() else { return false }
        if head.status == 200, let byteCount = head.contentLength { self.draft.expect(byteCount: byteCount) }
        return true
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

// MARK: Files

extension OriginalFetcher {
    private func readFile(
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
