import Testing

@testable import MovieWeb

struct ContentPolicyTests {
    private func policy(paint: String? = nil, pictures: String? = nil, needs: ContentPolicy.Needs = .init()) -> [String]
    {
        ContentPolicy.fieldValue(
            sheet: ContentPolicy.source(of: "a{}"), paint: paint, pictures: pictures, needs: needs
        ).split(separator: ";").map { String($0.drop { $0 == " " }) }
    }

    @Test func theSourceOfAStyleSheetIsItsDigest() {
        // printf '' | openssl dgst -sha256 -binary | base64
        #expect(ContentPolicy.source(of: "") == "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='")
    }

    @Test func nothingIsAllowedBesideThisSite() {
        let policy = self.policy()
        #expect(policy[0] == "default-src 'none'")
        #expect(policy.contains("script-src 'self'") && policy.contains("img-src 'self'"))
        #expect(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("require-trusted-types-for 'script'"))
        #expect(
            !policy.contains {
                $0.contains("unsafe") || $0.contains("*") || $0.contains("http") || $0.hasPrefix("frame-src")
            })
    }

    @Test func whatAPageNeedsIsAdded() {
        let policy = self.policy(
            paint: "'sha256-x'", pictures: "https://posters.example.org",
            needs: .init(videos: true, formOrigin: "https://www.themoviedb.org"))
        #expect(policy.contains("img-src 'self' https://posters.example.org"))
        #expect(policy.contains("frame-src https://www.youtube-nocookie.com"))
        #expect(policy.contains("form-action 'self' https://www.themoviedb.org"))
        #expect(policy.contains { $0.hasPrefix("style-src 'self' 'sha256-") && $0.hasSuffix(" 'sha256-x'") })
    }
}
