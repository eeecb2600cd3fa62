import PictureTesting
import PosterPipeline
import Synchronization
import Testing

@testable import HTTPFetch
@testable import PosterOrigins

/// The calls that a draft receives for a fetched body.
struct DraftSinkTests {
    private final class Draft: OriginalDraft {
        let calls = Mutex<[String]>([])

        func expect(byteCount: Int) { self.note("expect \(byteCount)") }

        func append(_ bytes: UnsafeRawBufferPointer) -> Bool { self.note("append \(bytes.count)") }

        func restart() -> Bool { self.note("restart") }

        func commit(
            validators: Validators, freshness: Freshness, declaredLength: Int?
        ) async throws -> StoredOriginal {
            throw CancellationError()
        }

        func discard() async {}

        @discardableResult
        private func note(_ call: String) -> Bool {
            self.calls.withLock { $0.append(call) }
            return true
        }
    }

    @Test("a draft learns how much is sent, also when that begins anew, and not of what is no original")
    func declaredLength() {
        let draft = Draft()
        let sink = DraftSink(draft, probe: OriginalVerifier().makeIncrementalProbe())
        let picture = TestPicture.jpeg(width: 20, height: 30)
        var head = FetchResponseHead()
        (head.status, head.contentLength) = (200, picture.count)
        #expect(sink.begin(head))
        #expect(picture[..<50].withUnsafeBytes { sink.receive($0) })
        head.contentLength = nil
        #expect(sink.begin(head))
        (head.status, head.contentLength) = (404, 12)
        #expect(sink.begin(head))
        #expect(draft.calls.withLock { $0 } == ["expect \(picture.count)", "append 50", "restart", "restart"])
    }

    @Test func anOriginalThatNoRequestSelectsIsNotFresh() {
        var head = FetchResponseHead(status: 200, cacheControl: "max-age=86400")
        #expect(OriginDescription(head).caching == CachingFields(cacheControl: "max-age=86400"))
        head.variesByAnything = true
        #expect(OriginDescription(head).caching == CachingFields(cacheControl: "no-cache"))
    }
}
