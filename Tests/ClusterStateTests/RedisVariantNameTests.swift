import ClusterState
import PictureTesting
import PosterCodec
import Testing

@Suite struct RedisVariantNameTests {
    @Test func variantsOfAPosterShareAKey() throws {
        let names = [
            try TestVariant(width: 40), try TestVariant(width: 41), try TestVariant(seed: 2),
            try TestVariant(format: .jpeg),
        ].map { RedisVariantName($0.key, prefix: "test:") }
        #expect(Set(names.map(\.key)).count == 1)
        #expect(Set(names.map(\.field)).count == names.count)
        #expect(names.allSatisfy { $0.key.hasPrefix("test:v:{") && $0.key.hasSuffix("}") })
    }

    @Test func anotherPosterHasAnotherKey() throws {
        let names = [try TestVariant("mine:heat"), try TestVariant("mine:ronin"), try TestVariant("other:heat")]
            .map { RedisVariantName($0.key, prefix: "test:") }
        #expect(Set(names.map(\.key)).count == names.count)
    }

    @Test func fieldsOfOneOriginalBeginAlike() throws {
        let starts = [try TestVariant(width: 40), try TestVariant(width: 41), try TestVariant(seed: 2)]
            .map { RedisVariantName($0.key, prefix: "test:").field.prefix(17) }
        #expect(starts[0] == starts[1])
        #expect(starts[0] != starts[2])
    }
}
