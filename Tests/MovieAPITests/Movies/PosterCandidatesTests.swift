import Foundation
import MovieDomain
import Testing

@testable import MovieAPI

/// The response that describes a poster decision.
struct PosterCandidatesTests {
    private func json(_ decision: PosterDecision, of id: String = "kobis:20228555") throws -> [String: Any] {
        let id = try #require(MovieID(id))
        let data = try JSONEncoder().encode(PosterCandidates(decision, of: id))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func everyCandidateIsThereWithWhatBecameOfIt() throws {
        let size = try #require(PictureSize(width: 600, height: 900))
        let chosen = PosterCandidate(
            source: .kakao, location: .web(url: "https://user:secret@a.test/b@c/1.jpg?key=secret#secret"), title: "",
            year: nil, size: size)
        let other = PosterCandidate(source: .tmdb, location: .tmdb(file: "x.jpg"), title: "영화", year: 2020, size: nil)
        let decision = PosterDecision(
            poster: PosterReference(chosen.location, size: size), source: .kakao,
            candidates: [.init(other, .rejected(reason: "it is old")), .init(chosen, .chosen)],
            failures: [.unavailable(.kmdb, reason: "secret")], decidedAt: Instant(secondsSince1970: 0))
        let json = try self.json(decision)
        #expect(json["id"] as? String == "kobis:20228555")
        #expect(json["source"] as? String == "kakao")
        #expect(json["decidedAt"] as? String == "1970-01-01T00:00:00Z")
        let candidates = try #require(json["candidates"] as? [[String: Any]])
        #expect(candidates.map { $0["verdict"] as? String } == ["rejected", "chosen"])
        #expect(candidates[0]["reason"] as? String == "it is old")
        #expect(candidates[0]["file"] as? String == "x.jpg" && candidates[0]["year"] as? Int == 2020)
        #expect(candidates[1]["url"] as? String == "https://a.test/b@c/1.jpg")
        #expect(candidates[1]["width"] as? Int == 600)
        #expect((json["chosen"] as? [String: Any])?["url"] as? String == "https://a.test/b@c/1.jpg")
        let failures = try #require(json["failures"] as? [[String: String]])
        #expect(failures.map { $0["type"] } == ["urn:onesheet:problem:source-unavailable"])
        #expect(!"\(json)".contains("secret"))
    }

    @Test(
        "a URL has no user, query and fragment, also if a combining mark follows the separator",
        arguments: [
            "https://user:secret@\u{301}a.test/1.jpg", "https://\u{301}a.test/1.jpg?\u{301}key=secret",
            "https://\u{301}a.test/1.jpg#\u{301}secret",
        ])
    func shownURL(of url: String) throws {
        let candidate = PosterCandidate(source: .kakao, location: .web(url: url), title: "", year: nil, size: nil)
        let decision = PosterDecision(
            poster: nil, source: nil, candidates: [.init(candidate, .rejected(reason: "it is old"))],
            decidedAt: Instant(secondsSince1970: 0))
        let candidates = try #require(try self.json(decision)["candidates"] as? [[String: Any]])
        #expect(candidates.map { $0["url"] as? String } == ["https://\u{301}a.test/1.jpg"])
    }

    @Test func withoutAPosterItIsNull() throws {
        let json = try self.json(
            PosterDecision(poster: nil, source: nil, decidedAt: Instant(secondsSince1970: 0)))
        #expect(json["chosen"] is NSNull && json["source"] is NSNull)
        #expect((json["candidates"] as? [Any])?.isEmpty == true)
    }

    @Test func idsAreWrittenAsEverywhereElse() throws {
        let decision = PosterDecision(poster: nil, source: nil, decidedAt: Instant(secondsSince1970: 0))
        for id in ["nosferatu-1922", "kobis:20228555"] {
            #expect(try self.json(decision, of: id)["id"] as? String == id)
        }
    }
}
