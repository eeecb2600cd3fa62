import MovieDomain
import Testing

struct ExternalScoreTests {
    @Test(
        "a score is a part of the best one",
        arguments: [
            ("8.7/10", 0.87), ("87%", 0.87), ("73/100", 0.73), ("4.2/5", 0.84), ("10/10", 1), ("0%", 0), ("100%", 1),
            ("7.25/10", 0.725),
        ])
    func reads(value: String, fraction: Double) throws {
        let read = try #require(ExternalScore(name: "X", value: value).fraction)
        #expect(abs(read - fraction) < 1e-9)
    }

    @Test(
        "other forms are not read",
        arguments: [
            "", "N/A", "N/A/10", "8.7", "/10", "8.7/", "8.7/10/10", "10.1/10", "101%", "-1%", "+8/10", "8,7/10",
            "8./10",
            ".5/10", "8.765/10", "8.7/11", "8.7/1", "1e1/10", "8.7 /10", "8.7/10 ", "８/10", "87%%", "nan/10", "0x8/10",
            "00000000000000008/10",
        ])
    func refuses(value: String) {
        #expect(ExternalScore(name: "X", value: value).fraction == nil)
    }
}
