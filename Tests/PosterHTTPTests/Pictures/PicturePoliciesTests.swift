import NIOCore
import PosterPipeline
import PosterTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieAPI
@testable import OneSheetServer
@testable import OpenAPI
@testable import PosterAPI
@testable import PrometheusMetrics

/// What event loops remember does not outlive what it was read by.
@Suite(.timeLimit(.minutes(1)))
struct PicturePoliciesTests {
    private func way(
        _ policies: PicturePolicies, _ desk: HitDesk, _ target: String = HitFixture.hit, fields: String = ""
    ) -> Bool {
        desk.reply(to: ByteBuffer(string: HitFixture.request(target, fields: fields)), from: .unknown) != nil
    }

    private func desk(_ fixture: HitFixture, _ policies: PicturePolicies) -> HitDesk {
        HitDesk(
            pipeline: fixture.pipeline, cacheControl: CacheControl(ClientCaching()),
            targets: HitTargets(policies: policies), clients: ClientRules(), serverName: nil)
    }

    @Test func aPolicyThatIsReplacedAnswersNothingMore() async throws {
        let fixture = try await HitFixture()
        let policies = PicturePolicies()
        let desk = self.desk(fixture, policies)
        for _ in 0..<2 { #expect(self.way(policies, desk)) }
        var policy = PicturePolicy()
        policy.ladder = WidthLadder(rungs: [92])
        policies.replace(policy)
        #expect(!self.way(policies, desk))
        policies.replace(PicturePolicy())
        #expect(self.way(policies, desk))
        policy.ladder = nil
        policy.signingKeys = try SigningKeys("a key that nobody knows")
        policy.requiresSignatures = true
        policies.replace(policy)
        #expect(!self.way(policies, desk))
    }

    @Test func aSignatureThatEndedAnswersNothingMore() async throws {
        let fixture = try await HitFixture()
        let clock = ManualClock()
        var policy = PicturePolicy()
        policy.signingKeys = try SigningKeys("a key that nobody knows")
        let policies = PicturePolicies(policy, secondsSince1970: { Int64(clock.now() / 1_000_000_000) })
        let desk = self.desk(fixture, policies)
        let signed = try policy.signingKeys!.sign(target: HitFixture.hit, expires: policies.now + 10)
        for _ in 0..<2 { #expect(self.way(policies, desk, signed)) }
        clock.advance(by: .seconds(9))
        #expect(self.way(policies, desk, signed))
        clock.advance(by: .seconds(1))
        #expect(!self.way(policies, desk, signed))
        #expect(self.way(policies, desk))
    }

    @Test func hintsThatMatterAreReadElsewhere() async throws {
        let fixture = try await HitFixture()
        var policy = PicturePolicy()
        let usual = self.desk(fixture, PicturePolicies(policy))
        policy.usesHints = true
        let policies = PicturePolicies(policy)
        let desk = self.desk(fixture, policies)
        for field in ["Sec-CH-DPR: 2\r\n", "sec-ch-width: 99\r\n", "SAVE-DATA: on\r\n"] {
            #expect(self.way(policies, usual, fields: field))
            #expect(!self.way(policies, desk, fields: field))
            // They would have changed nothing here.
            #expect(self.way(policies, desk, HitFixture.hit + "&dpr=1&q=82&format=jpeg", fields: field))
        }
        #expect(self.way(policies, desk))
    }
}
