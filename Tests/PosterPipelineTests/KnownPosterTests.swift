import Flights
import PosterTesting
import Testing

@testable import PosterPipeline

/// What lists are told of posters: what is known, and nothing that would have to be asked for.
@Suite(.timeLimit(.minutes(1)))
struct KnownPosterTests {
    private let id: PosterID
    private let missing: PosterID

    init() throws {
        self.id = try PosterID(key: "heat")
        self.missing = try PosterID(key: "no")
    }

    private func house() -> House {
        let house = House()
        house.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        return house
    }

    /// Another process's: the same originals, and nothing in memory.
    private func second(of house: House) -> House { House(store: house.store) }

    @Test func askingNeverTouchesTheSource() async throws {
        let house = self.house()
        #expect(house.pipeline.knownDescription(of: self.id) == nil)
        house.pipeline.describeBehind([self.id])
        while house.pipeline.describingCount > 0 { await Task.yield() }
        #expect(house.pipeline.knownDescription(of: self.id) == nil)
        #expect(house.source.fetchCount(of: "heat") == 0)
    }

    @Test func whatWasServedIsKnownAndHashedBehind() async throws {
        let house = self.house()
        _ = try await house.answer(try House.request("heat", width: 92))
        guard case .picture(let picture)? = house.pipeline.knownDescription(of: self.id) else {
            Issue.record("nothing is known")
            return
        }
        #expect((picture.width, picture.height) == (200, 300))
        #expect(picture.hashes == nil)
        house.pipeline.describeBehind([self.id, self.id])
        while house.pipeline.describingCount > 0 { await Task.yield() }
        let description = try await house.pipeline.description(of: self.id)
        #expect(
            house.pipeline.knownDescription(of: self.id)
                == .picture(
                    KnownPicture(digest: picture.digest, width: 200, height: 300, hashes: description.hashes)))
        #expect(house.source.fetchCount(of: "heat") == 1)
    }

    @Test func whatIsStoredSinceAnEarlierRunIsHashedBehind() async throws {
        let before = self.house()
        _ = try await before.answer(try House.request("heat", width: 92))
        let house = self.second(of: before)
        #expect(house.pipeline.knownDescription(of: self.id) == nil)
        house.pipeline.describeBehind([self.id])
        while house.pipeline.describingCount > 0 { await Task.yield() }
        guard case .picture(let picture)? = house.pipeline.knownDescription(of: self.id) else {
            Issue.record("nothing is known")
            return
        }
        #expect(picture.hashes != nil)
        #expect(house.source.fetchCount(of: "heat") == 0)
    }

    @Test func whatThereIsNotIsKnownToBeMissing() async throws {
        let house = self.house()
        await #expect(throws: PosterError.unknownPoster(self.missing)) {
            try await house.answer(try House.request("no", width: 92))
        }
        #expect(house.pipeline.knownDescription(of: self.missing) == .missing)
    }

    @Test func whatCannotBeReadNowIsNotMissing() async throws {
        let house = self.house()
        house.source.fail(.originUnavailable(reason: "it is down"), for: "heat")
        _ = try? await house.answer(try House.request("heat", width: 92))
        #expect(house.pipeline.knownDescription(of: self.id) == nil)
    }

    @Test func afterTheEndNothingIsTakenIn() async throws {
        let house = self.house()
        _ = try await house.answer(try House.request("heat", width: 92))
        house.pipeline.close()
        house.pipeline.describeBehind([self.id])
        #expect(house.pipeline.describingCount == 0)
    }

    @Test func onlySoManyWait() async throws {
        let house = House(threads: 1)
        house.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        _ = try await house.answer(try House.request("heat", width: 92))
        let (release, end) = try await house.occupyThread()
        house.pipeline.describeBehind([self.id])
        while house.threads.usage.waitingCount == 0 { await Task.yield() }
        let ids = try (0..<(DescriptionsBehind.queueLimit + 100)).map { try PosterID(key: "\($0)") }
        house.pipeline.describeBehind(ids)
        #expect(house.pipeline.describingCount == DescriptionsBehind.queueLimit)
        house.pipeline.close()
        #expect(house.pipeline.describingCount == 0)
        release.open()
        try await end.value
    }
}
