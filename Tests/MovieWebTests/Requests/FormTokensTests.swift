import Cryptography
import HTTPSemantics
import Testing

@testable import MovieDomain
@testable import MovieWeb

struct FormTokensTests {
    private let tokens = FormTokens(key: SymmetricKey())

    private func session(_ token: AccessToken = AccessToken()) -> AuthenticatedSession {
        let session = Session(
            owner: .device(id: "a"), upstream: nil, expiresAt: Instant(secondsSince1970: 1_700_000_000))
        return AuthenticatedSession(token: token, session: session)
    }

    @Test func aTokenIsValidForItsSessionAlone() {
        let (own, other) = (self.session(), self.session())
        let token = self.tokens.token(for: own)
        #expect(self.tokens.isValid(token, for: own) && !self.tokens.isValid(token, for: other))
        #expect(!FormTokens(key: SymmetricKey()).isValid(token, for: own))
    }

    @Test func theBytesAreNewEachTimeAndHoldNothingOfTheSession() throws {
        let own = self.session()
        let texts = (0..<20).map { _ in self.tokens.token(for: own) }
        #expect(Set(texts).count == 20 && texts.allSatisfy { self.tokens.isValid($0, for: own) })
        let bytes = try texts.map { try #require(Base64URL.decode($0)) }
        #expect(bytes.allSatisfy { $0.count == 64 })
        // Both halves vary, so neither is the plain code.
        #expect(
            Set(bytes.map { Array($0.prefix(32)) }).count == 20 && Set(bytes.map { Array($0.suffix(32)) }).count == 20)
    }

    @Test(arguments: [nil, "", "0", "a", "AAAA", String(repeating: "A", count: 86), String(repeating: "A", count: 200)])
    func anythingElseIsRefused(text: String?) {
        #expect(!self.tokens.isValid(text, for: self.session()))
    }

    @Test func everyChangedByteIsNoticed() throws {
        let own = self.session()
        let bytes = try #require(Base64URL.decode(self.tokens.token(for: own)))
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            #expect(!self.tokens.isValid(Base64URL.encode(changed), for: own))
        }
    }

    @Test func clientsWithoutASessionNeedNone() {
        #expect(self.tokens.token(for: nil) == "0")
        #expect(self.tokens.isValid(nil, for: nil) && self.tokens.isValid("anything", for: nil))
    }
}
