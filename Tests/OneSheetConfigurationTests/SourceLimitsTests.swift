import HTTPFetch
import MovieDomain
import Testing

@testable import OneSheetConfiguration

/// The rates of sources with a configured URL.
struct SourceLimitsTests {
    @Test func aSourcesRateHoldsWhereItIsSaidToBe() {
        var configuration = FetchConfiguration()
        configuration.applySourceRates([
            .itunes: "https://mirror.test/itunes", .tmdb: "http://127.0.0.1:8080/3", .kobis: "http://kobis.test",
        ])
        #expect(configuration.limits(forHost: "mirror.test", port: 443).requestsPerSecond == 20.0 / 60)
        #expect(configuration.limits(forHost: "mirror.test", port: 443).burst == 20, "a minute's worth at once")
        #expect(configuration.limits(forHost: "127.0.0.1", port: 8080).requestsPerSecond == 40)
        #expect(configuration.limits(forHost: "127.0.0.1", port: 8081) == OriginLimits(), "somebody else's port")
        #expect(configuration.limits(forHost: "kobis.test", port: 80) == OriginLimits())
    }

    @Test func whereSeveralAreTheFastestCounts() {
        var configuration = FetchConfiguration()
        configuration.applySourceRates([.itunes: "http://a.test/itunes", .tmdb: "http://a.test/tmdb"])
        #expect(configuration.limits(forHost: "a.test", port: 80).requestsPerSecond == 40)
        configuration = FetchConfiguration()
        configuration.applySourceRates([.itunes: "http://a.test/itunes", .kobis: "http://a.test/kobis"])
        #expect(configuration.limits(forHost: "a.test", port: 80).requestsPerSecond == nil)
    }

    @Test func whatIsGeneralIsPoliterAtMost() {
        for (general, rate) in [(10.0, 10.0), (1000, 40)] {
            var configuration = FetchConfiguration()
            configuration.originLimits.requestsPerSecond = general
            configuration.applySourceRates([.tmdb: "http://a.test"])
            #expect(configuration.limits(forHost: "a.test", port: 80).requestsPerSecond == rate)
        }
    }
}
