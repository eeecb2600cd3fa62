import PictureTesting
import PosterCodec
import Testing

@testable import PosterPipeline

struct VariantKeyTests {
    private static func facts(seed: UInt64 = 1, alpha: Bool = false) throws -> OriginalFacts {
        let bytes = LoadedBytes(copying: TestPicture.jpeg(width: 60, height: 90, seed: seed))
        var header = try OriginalVerifier().verify(bytes)
        header.hasAlpha = alpha
        return OriginalFacts(digest: bytes.withUnsafeBytes { Digest(of: $0) }, header: header)
    }

    private static func key(
        _ target: RenderTarget, id: String = "mine:heat", seed: UInt64 = 1, alpha: Bool = false
    ) throws -> VariantKey {
        try VariantKey(id: try PosterID(id), facts: try Self.facts(seed: seed, alpha: alpha), target: target)
    }

    @Test func everythingThatDecidesAVariantChangesItsFingerprintAndItsName() throws {
        let plain = RenderTarget(width: 40, format: .webp)
        var (fast, worse, black) = (plain, plain, RenderTarget(width: 40, format: .jpeg))
        (fast.effort, worse.quality) = (.fast, 50)
        let alike = Likeness.allCases.map { RenderTarget(width: 40, format: .webp, quality: .likeness($0)) }
        black.background = RenderTarget.Background(red: 0, green: 0, blue: 0)
        var cropped = RenderTarget(width: 40, height: 40, format: .webp)
        cropped.fit = .cover
        var top = cropped
        (cropped.position, top.position) = (.center, .top)
        let keys =
            try [
                Self.key(plain), Self.key(plain, id: "mine:ronin"), Self.key(plain, id: "other:heat"),
                Self.key(plain, seed: 2),
                Self.key(RenderTarget(width: 41, format: .webp)), Self.key(RenderTarget(width: 40, format: .avif)),
                Self.key(fast), Self.key(worse), Self.key(cropped), Self.key(top),
                Self.key(RenderTarget(width: 40, format: .jpeg), alpha: true), Self.key(black, alpha: true),
            ] + alike.map { try Self.key($0) }
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(\.name)).count == keys.count)
        #expect(Set(keys.map(\.fingerprint)).count == keys.count)
        #expect(try Self.key(plain).fingerprint == keys[0].fingerprint)
    }

    @Test func badgesChangeAKeyAndItsTagsAndNoOthers() throws {
        func badges(_ texts: String..., position: Badges.Position = .bottom, style: Badges.Style = .pill) -> Badges? {
            Badges(texts.map { Badges.Badge(text: $0, colour: .white) }, position: position, style: style)
        }
        let black = Badges([.init(text: "8.4", colour: .init(red: 0, green: 0, blue: 0))])
        let all = [
            nil, badges("8.4"), black, badges("8.4", "7.1"), badges("8.47.1"), badges("7.1", "8.4"),
            badges("8.4", position: .top), badges("8.4", style: .bar), badges("\u{E9}"), badges("e\u{301}"),
            badges("심야의 표적, 1984"),
        ]
        let keys = try all.map { try Self.key(RenderTarget(width: 40, format: .webp, badges: $0)) }
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(\.name)).count == keys.count)
        #expect(Set(keys.map(\.fingerprint)).count == keys.count)
        #expect(Set(keys.map { $0.entityTag() }).count == keys.count)
        let again = try Self.key(RenderTarget(width: 40, format: .webp, badges: badges("8.4")))
        #expect(again == keys[1] && again.fingerprint == keys[1].fingerprint && again.name == keys[1].name)
        #expect(keys[0].badgeBytes == 0 && keys[3].badgeBytes > keys[1].badgeBytes)
        #expect(keys[1].name.hasPrefix(keys[0].name + "\nbadges"), "the names of others stay as they are")
    }

    @Test func fingerprintsOfManyKeysDiffer() throws {
        let facts = try Self.facts()
        var keys: [VariantKey] = []
        for number in 0..<200 {
            let id = try PosterID("mine:film-\(number)")
            for width in 16..<56 {
                let target = RenderTarget(width: width, format: .webp)
                keys.append(try VariantKey(id: id, facts: facts, target: target))
            }
        }
        #expect(Set(keys.map(\.fingerprint)).count == keys.count)
        #expect(Set(keys.map { $0.fingerprint >> 56 }).count == 256, "their first byte names a folder")
    }

    /// A process must find the files of the previous one.
    @Test func aHashIsTheSameInEveryProcess() {
        var hash = StableHash()
        #expect(hash.value == 0)
        for text in ["", "a", "12345678", "mine:심야의 표적"] { hash.combine(text) }
        hash.combine(7)
        #expect(hash.value == 0x9C57_C2AF_5F65_76AB)
    }
}
