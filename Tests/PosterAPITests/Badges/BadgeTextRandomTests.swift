import CodecTesting
import HTTPSemantics
import PosterCodec
import PosterPipeline
import Testing

@testable import PosterAPI

/// Arbitrary queries for badges: accepted ones are short and in one spelling, all others are refused.
struct BadgeTextRandomTests {
    private static let parts = [
        "%00", "%1B", "%20", "+", "%E2%80%AE", "%E2%81%A6", "%E2%80%8D", "%EF%B8%8F", "%CC%81", "%CC%A3", "%D7%90",
        "%D8%B9", "%F0%9F%91%A9", "%F0%9F%87%A9", "%ED%A0%80", "%ED%B0%80", "%E6%BC%A2", "%C2%A0", "%EF%BF%BF", "%FF",
        "%", "%4", "%zz", "a", "8.7", "%25", "%26", "&", "=", ",", "imdb", "rt", "É", "漢", "#", ";", "%2C",
    ]

    private static func value(_ random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return String(repeating: "%E6%BC%A2", count: .random(in: 23...25, using: &random))
        case 1: return "a" + String(repeating: "%CC%81", count: .random(in: 0...400, using: &random))
        case 2:
            let sources = BadgeSource.allCases.shuffled(using: &random).prefix(.random(in: 0...8, using: &random))
            return sources.map(\.rawValue).joined(separator: ",")
        case 3:
            let count = Int.random(in: 0...90, using: &random)
            return PercentEncoding.encode((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        default:
            let count = Int.random(in: 0...30, using: &random)
            return (0..<count).compactMap { _ in Self.parts.randomElement(using: &random) }.joined()
        }
    }

    @Test("random badges and texts are accepted in short forms or refused", arguments: [1, 2, 3])
    func parsesRandomQueries(seed: UInt64) throws {
        let parser = PictureRequestParser { $0.allowsBadgeTexts = true }
        let names = BadgeRequest.names
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let count = Int.random(in: 1...3, using: &random)
            let query = (0..<count).compactMap { _ in
                names.randomElement(using: &random).map { "\($0)=\(Self.value(&random))" }
            }.joined(separator: "&")
            let target = "/poster/x?w=342&" + query
            if let problem = parser.problem(target) {
                #expect((400..<500).contains(problem.kind.status), "\(target)")
                continue
            }
            guard let badges = try parser.parse(target)?.badges else { continue }
            #expect(Set(badges.sources).count == badges.sources.count, "\(target)")
            #expect(badges.sources.count + (badges.text == nil ? 0 : 1) <= Badges.limit, "\(target)")
            guard let text = badges.text else { continue }
            #expect((1...Badges.Badge.maxTextLength).contains(text.unicodeScalars.count), "\(target)")
            #expect(text.utf8.count <= Badges.Badge.maxTextBytes, "\(target)")
            let hasControls = text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" }
            #expect(!hasControls, "\(target)")
        }
    }
}
