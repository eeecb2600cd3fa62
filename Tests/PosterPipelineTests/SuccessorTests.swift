import Flights
import PictureTesting
import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

/// Posters with several possible locations: if one has no picture, the next is tried.
@Suite(.timeLimit(.hang))
struct SuccessorTests {
    /// Locations by number, each with a successor.
    private final class Places: PosterLocator {
        private let count: Int
        private let current = Mutex(0)
        let asked = EventRecorder()

        init(_ count: Int) { self.count = count }

        private func place(_ number: Int) -> OriginalLocation { .found(url: "http://origin.test/\(number)") }

        func locate(_ id: PosterID) async throws -> OriginalLocation { self.place(self.current.withLock { $0 }) }

        func successor(of location: OriginalLocation, for id: PosterID) async throws -> OriginalLocation? {
            self.asked.add(location.identity)
            let next = self.current.withLock { current -> Int? in
                guard current + 1 < self.count else { return nil }
                current += 1
                return current
            }
            return next.map(self.place)
        }
    }

    /// An origin with a picture at one URL only.
    private struct Source: OriginalSource {
        let url: String
        let failure: PosterError
        let asked = EventRecorder()

        func fetch(
            _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
            into draft: any OriginalDraft
        ) async throws -> OriginResponse {
            self.asked.add(location.identity)
            guard location.identity == self.url else { throw self.failure }
            _ = TestPicture.jpeg(width: 60, height: 90).withUnsafeBytes { draft.append($0) }
            return .sent(OriginDescription())
        }
    }

    private func fixture(_ places: Places, _ source: Source) -> PipelineFixture {
        PipelineFixture(locator: places, fetching: source)
    }

    @Test(
        "what is gone, refused or no picture is looked for at the next place",
        arguments: [
            PosterError.unknownPoster(try! PosterID(key: "heat")), .originRefused(reason: "403"),
            .badOriginal(reason: "it is text"), .unsupportedImage(reason: "GIF"),
        ])
    func goesOn(_ failure: PosterError) async throws {
        let (places, source) = (Places(3), Source(url: "http://origin.test/2", failure: failure))
        let fixture = self.fixture(places, source)
        _ = try await fixture.answer(try PipelineFixture.request("heat", width: 46))
        #expect(source.asked.all == (0...2).map { "http://origin.test/\($0)" })
        _ = try await fixture.answer(try PipelineFixture.request("heat", width: 46))
        #expect(source.asked.all.count == 3)
    }

    @Test func aFailureThatPassesIsNoReason() async throws {
        let failure = PosterError.originUnavailable(reason: "it is down")
        let (places, source) = (Places(3), Source(url: "http://origin.test/2", failure: failure))
        let fixture = self.fixture(places, source)
        await #expect(throws: failure) { try await fixture.answer(try PipelineFixture.request("heat", width: 46)) }
        #expect(places.asked.all.isEmpty && source.asked.all.count == 1)
    }

    @Test func onlySoManyAreTried() async throws {
        let id = try PosterID(key: "heat")
        let (places, source) = (Places(100), Source(url: "nowhere", failure: .unknownPoster(id)))
        let fixture = self.fixture(places, source)
        await #expect(throws: PosterError.unknownPoster(id)) {
            try await fixture.answer(try PipelineFixture.request("heat", width: 46))
        }
        #expect(source.asked.all.count == OriginalLibrary.successorLimit + 1)
    }

    @Test func theLastFailureIsTheAnswer() async throws {
        let id = try PosterID(key: "heat")
        let (places, source) = (Places(2), Source(url: "nowhere", failure: .unknownPoster(id)))
        let fixture = self.fixture(places, source)
        await #expect(throws: PosterError.unknownPoster(id)) {
            try await fixture.answer(try PipelineFixture.request("heat", width: 46))
        }
        #expect(source.asked.all.count == 2)
    }
}
