import NIOCore
import PosterTesting
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// Requests cached by event loops do not outlive their policy or signature.
@Suite(.timeLimit(.hang))
struct PicturePoliciesTests {
    private func way(
        _ policies: ReloadablePicturePolicy, _ responder: CacheHitResponder, _ target: String = CacheHitFixture.hit,
        fields: String = ""
    ) -> Bool {
        let bytes = ByteBuffer(string: CacheHitFixture.request(target, fields: fields))
        guard case .hit = responder.outcome(of: bytes, from: .unknown) else { return false }
        return true
    }

    private func responder(_ fixture: CacheHitFixture, _ policies: ReloadablePicturePolicy) -> CacheHitResponder {
        CacheHitResponder(
            pipeline: fixture.pipeline, cacheControl: CacheControl(ClientCaching()),
            targets: ParsedTargetCache(policies: policies), clients: ClientPolicy(), serverName: nil)
    }

    @Test func aPolicyThatIsReplacedAnswersNothingMore() async throws {
        let fixture = try await CacheHitFixture()
        let policies = ReloadablePicturePolicy()
        let responder = self.responder(fixture, policies)
        for _ in 0..<2 { #expect(self.way(policies, responder)) }
        var policy = PicturePolicy()
        policy.ladder = WidthLadder(rungs: [92])
        policies.replace(policy)
        #expect(!self.way(policies, responder))
        policies.replace(PicturePolicy())
        #expect(self.way(policies, responder))
        policy.ladder = nil
        policy.signingKeys = try SigningKeys("a key that nobody knows")
        policy.requiresSignatures = true
        policies.replace(policy)
        #expect(!self.way(policies, responder))
    }

    @Test func aSignatureThatEndedAnswersNothingMore() async throws {
        let fixture = try await CacheHitFixture()
        let clock = ManualClock()
        var policy = PicturePolicy()
        policy.signingKeys = try SigningKeys("a key that nobody knows")
        let policies = ReloadablePicturePolicy(policy, secondsSince1970: { Int64(clock.now() / 1_000_000_000) })
        let responder = self.responder(fixture, policies)
        let signed = try policy.signingKeys!.sign(target: CacheHitFixture.hit, expires: policies.now + 10)
        for _ in 0..<2 { #expect(self.way(policies, responder, signed)) }
        clock.advance(by: .seconds(9))
        #expect(self.way(policies, responder, signed))
        clock.advance(by: .seconds(1))
        #expect(!self.way(policies, responder, signed))
        #expect(self.way(policies, responder))
    }

    @Test func hintsThatMatterAreReadElsewhere() async throws {
        let fixture = try await CacheHitFixture()
        var policy = PicturePolicy()
        let usual = self.responder(fixture, ReloadablePicturePolicy(policy))
        policy.usesHints = true
        let policies = ReloadablePicturePolicy(policy)
        let responder = self.responder(fixture, policies)
        for field in ["Sec-CH-DPR: 2\r\n", "sec-ch-width: 99\r\n", "SAVE-DATA: on\r\n"] {
            #expect(self.way(policies, usual, fields: field))
            #expect(!self.way(policies, responder, fields: field))
            // Hints have no effect on this target.
            #expect(self.way(policies, responder, CacheHitFixture.hit + "&dpr=1&q=82&format=jpeg", fields: field))
        }
        #expect(self.way(policies, responder))
    }
}
