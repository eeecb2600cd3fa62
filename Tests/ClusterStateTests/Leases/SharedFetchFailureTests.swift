import PosterPipeline
import Testing

@testable import ClusterState

struct SharedFetchFailureTests {
    @Test func aFailureIsReadBackAsTheOtherNodesError() throws {
        let id = try PosterID("tmdb:603")
        let failure = try #require(SharedFetchFailure(.originUnavailable(reason: "it hangs", retryAfter: 7)))
        let read = try #require(SharedFetchFailure(failure.text))
        guard case .originUnavailable("it hangs", 7) = read.error(for: id) else {
            Issue.record("\(read.error(for: id))")
            return
        }
    }

    @Test func theLongestReasonFitsIntoATextThatIsRead() throws {
        let reason = String(repeating: "\u{1}", count: 10_000)
        let failure = try #require(SharedFetchFailure(.originRefused(reason: reason)))
        #expect(SharedFetchFailure(failure.text) == failure)
    }

    @Test func aReasonIsCutByScalarsAsACharacterHasNoLongestForm() throws {
        let reason = "e" + String(repeating: "\u{301}", count: 10_000)
        let failure = try #require(SharedFetchFailure(.badOriginal(reason: reason)))
        guard case .badOriginal(let cut) = failure.error(for: try PosterID("tmdb:603")) else {
            Issue.record("another error")
            return
        }
        #expect(cut.unicodeScalars.count == 500)
    }

    @Test func aLongerTextThanNodesWriteIsNoFailure() {
        let name = String(repeating: "\u{301}\u{316}", count: 2000)
        #expect(SharedFetchFailure("failed {\"kind\":\"busy\",\"reason\":\"\",\"\(name)\":1}") == nil)
        #expect(SharedFetchFailure("failed {\"kind\":\"busy\",\"reason\":\"\",\"x\":1}") != nil)
    }
}
