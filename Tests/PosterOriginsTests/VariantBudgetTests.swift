import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

@Suite(.timeLimit(.hang))
struct VariantBudgetTests {
    private let fixture = VariantFixture()

    @Test func filesNeverTakeMoreThanTheBudget() async throws {
        let budget = 100 << 12
        try await self.fixture.withStore(.init(byteBudget: budget)) { store in
            for number in 0..<300 {
                store.store(try TestVariant("mine:film-\(number)", byteCount: 100 + number * 37 % 9000))
                if number.isMultiple(of: 20) { try await store.settle() }
                #expect(self.fixture.space <= budget)
            }
            try await store.settle()
            let counters = store.counters
            #expect(counters.evictions > 0 && counters.bytes <= budget && counters.bytes == self.fixture.space)
            #expect(counters.count == self.fixture.files.count && counters.bytes > budget / 2)
        }
    }

    @Test func whatSavesMostTimeForEachByteStays() async throws {
        try await self.fixture.withStore(.init(byteBudget: 100 << 12)) { store in
            let dear = try (0..<40).map { try TestVariant("mine:dear-\($0)") }
            for variant in dear { store.store(variant, milliseconds: 500) }
            // They take more time than the cheap ones, but less per byte.
            let large = try (0..<3).map { try TestVariant("mine:large-\($0)", byteCount: 60_000) }
            for variant in large { store.store(variant, milliseconds: 100) }
            for number in 0..<200 {
                store.store(try TestVariant("mine:cheap-\(number)"), milliseconds: 25)
                if number.isMultiple(of: 20) { try await store.settle() }
            }
            try await store.settle()
            for variant in dear { #expect(store.mayContain(variant.key)) }
            for variant in large { #expect(!store.mayContain(variant.key)) }
        }
    }

    @Test func whatIsUsedOftenStays() async throws {
        try await self.fixture.withStore(.init(byteBudget: 100 << 12)) { store in
            let used = try (0..<20).map { try TestVariant("mine:used-\($0)") }
            for variant in used { store.store(variant) }
            try await store.settle()
            for _ in 0..<5 { for variant in used { #expect(await store.has(variant)) } }
            for number in 0..<200 {
                store.store(try TestVariant("mine:once-\(number)"))
                if number.isMultiple(of: 20) { try await store.settle() }
            }
            for variant in used { #expect(store.mayContain(variant.key)) }
        }
    }

    @Test func aSmallerBudgetIsKeptAfterAStart() async throws {
        try await self.fixture.withStore { store in
            for number in 0..<60 {
                store.store(try TestVariant("mine:film-\(number)"), milliseconds: UInt64(30 + number * 10))
            }
        }
        #expect(self.fixture.files.count == 60)
        try await self.fixture.withStore(.init(byteBudget: 20 << 12)) { store in
            store.prepare()
            try await store.settle()
            #expect(self.fixture.space <= 20 << 12 && self.fixture.files.count == store.counters.count)
            #expect(self.fixture.files.count > 10)
        }
    }

    @Test func namesOfFilesSayWhatTheyHold() throws {
        let variant = try TestVariant("mine:a/b?c\"", width: 51)
        let header = VariantFileHeader(variant.poster, for: variant.key, cpuNanoseconds: 77_123_999, encoding: .refined)
        let name = VariantFileName(
            header, id: VariantID(variant.key), owner: VariantOwner(variant.key.id, digest: variant.key.digest),
            length: 12_345)
        let read = try #require(VariantFileName(name.text))
        #expect(read == name && read.microseconds == 77_123 && read.length == 12_345 && read.encoding == .refined)
        #expect(read.space == 16_384 && name.text.utf8.count < 255)
        for text in [
            "", ".variant", "x.variant", name.text + "x", "0" + name.text, name.text.uppercased(),
            String(name.text.dropLast(8)), name.text.replacing("-", with: "--"),
        ] { #expect(VariantFileName(text) == nil, "\(text)") }
    }
}
