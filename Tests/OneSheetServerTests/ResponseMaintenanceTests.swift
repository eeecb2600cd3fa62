import Logging
import MovieDomain
import Testing
import UpstreamClient

@testable import OneSheetServer

struct ResponseMaintenanceTests {
    @Test func whatIsTooOldGoesWhetherItsSourceIsAskedOrNot() async throws {
        let answers = try ResponseStore()
        let now = Instant(secondsSince1970: 1_000_000_000)
        for (key, days) in [("young", Int64(179)), ("old", 181)] {
            let kept = Instant(secondsSince1970: now.secondsSince1970 - days * 86_400)
            let answer = StoredResponse(status: 200, etag: nil, storedAt: kept, freshUntil: now, body: [1])
            try await answers.store(answer, of: .tmdb, for: key)
        }
        try await ResponseMaintenance(answers: answers, now: { now }, logger: Logger(label: "test")).sweep()
        let young = try await answers.response(of: .tmdb, for: "young", at: now)
        let old = try await answers.response(of: .tmdb, for: "old", at: now)
        #expect(young != nil)
        #expect(old == nil)
    }
}
