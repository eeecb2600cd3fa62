import MovieDomain
import Testing

struct CompactCountTests {
    @Test(
        "rounded half up, and carried into the next unit",
        arguments: [
            (0, "0", "0", "0"), (-1, "0", "0", "0"), (999, "999", "999", "999"), (1000, "1K", "1,000", "1,000"),
            (1234, "1.2K", "1,234", "1,234"), (1250, "1.3K", "1,250", "1,250"), (9999, "10K", "9,999", "9,999"),
            (10_000, "10K", "1만", "1万"), (402_812, "402.8K", "40.3만", "40.3万"),
            (999_949, "999.9K", "100만", "100万"), (999_950, "1M", "100만", "100万"),
            (12_345_678, "12.3M", "1,234.6만", "1,234.6万"), (99_999_999, "100M", "1억", "1億"),
            (1_500_000_000, "1.5B", "15억", "15億"), (2_000_000_000_000, "2,000B", "2조", "2兆"),
        ])
    func shortened(count: Int, english: String, korean: String, japanese: String) throws {
        let texts = ["en", "ko", "ja", "fr"].map { code in
            CompactCount(count, in: LanguagePreference(codes: code)).description
        }
        #expect(texts == [english, korean, japanese, english])
    }

    @Test func theLargestCountIsShortenedToo() {
        #expect(CompactCount(.max, in: LanguagePreference([.english])).description == "9,223,372,036.9B")
    }
}
