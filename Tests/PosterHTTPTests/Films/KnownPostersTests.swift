import MovieDomain
import PosterPipeline
import PosterTesting
import Synchronization
import Testing

@testable import PosterHTTP

/// The `poster` of a film in lists, as far as it is known.
@Suite(.timeLimit(.minutes(1)))
struct KnownPostersTests {
    private func posters(
        _ house: HitHouse, isPosterless: @escaping @Sendable (MovieID) -> Bool = { _ in false }
    ) -> KnownPosters {
        KnownPosters(
            pipeline: house.pipeline, policies: PicturePolicies(), links: PosterLinks(), isPosterless: isPosterless)
    }

    @Test func whatIsKnownIsToldWithItsVersionAndItsColours() async throws {
        let house = try await HitHouse()
        let id = try PosterID(key: "a.jpg")
        let before = try #require(try self.posters(house).poster(of: id, reference: nil))
        #expect((before.width, before.height) == (60, 90))
        #expect(before.color == nil && before.thumbhash == nil)
        while house.pipeline.describingCount > 0 { await Task.yield() }
        let poster = try #require(try self.posters(house).poster(of: id, reference: nil))
        let description = try await house.pipeline.description(of: id)
        #expect(poster.color == description.hashes.dominantColour)
        #expect(poster.thumbhash == description.hashes.thumbHash)
        let version = PosterLinks.version(of: description.digest)
        // No wider than the original.
        #expect(poster.srcset == "/poster/sample%3Aa.jpg?w=92&v=\(version) 60w")
    }

    @Test func whatIsNotKnownIsToldByItsSource() async throws {
        let house = try await HitHouse()
        let id = try PosterID("kobis:1")
        let reference = PosterReference(.tmdb(file: "x.jpg"), size: PictureSize(width: 2000, height: 3000))
        let poster = try #require(try self.posters(house).poster(of: id, reference: reference))
        #expect((poster.width, poster.height) == (2000, 3000))
        #expect(poster.srcset.contains(" 780w") && !poster.srcset.contains("v="))
        let other = try #require(try self.posters(house).poster(of: id, reference: nil))
        #expect(other.width == nil && other.color == nil)
    }

    @Test func whatIsKnownToBeMissingIsNull() async throws {
        let house = try await HitHouse()
        let id = try PosterID(key: "no-such-film")
        #expect(try self.posters(house).poster(of: id, reference: nil) != nil)
        let query = try #require(
            try PicturePolicies().reader.read(
                RequestTarget("/poster/no-such-film?w=46"), headers: PictureHeaders(), now: 0))
        await #expect(throws: PosterError.unknownPoster(id)) {
            try await house.pipeline.answer(to: query.request) { _ in false }
        }
        #expect(try self.posters(house).poster(of: id, reference: nil) == nil)
    }

    @Test func whatNobodyHasIsNull() async throws {
        let house = try await HitHouse()
        let posterless = try #require(MovieID("kobis:1"))
        let posters = self.posters(house) { $0 == posterless }
        #expect(try posters.poster(of: try PosterID("kobis:1"), reference: nil) == nil)
        #expect(try posters.poster(of: try PosterID("kobis:2"), reference: nil) != nil)
    }
}
