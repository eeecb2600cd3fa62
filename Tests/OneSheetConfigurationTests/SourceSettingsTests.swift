import MovieDomain
import Testing

@testable import OneSheetConfiguration

struct SourceSettingsTests {
    private static func supplementTimeout(_ text: String?) throws -> Duration {
        let given = text.map { ["supplement-timeout": [$0]] } ?? [:]
        return try SourceSettings(Settings(given, environment: [:])).supplementTimeout
    }

    @Test(
        arguments: [(nil, .seconds(1)), ("0", .zero), ("0.05", .milliseconds(50)), ("60", .seconds(60))]
            as [(String?, Duration)])
    func supplementsAreWaitedForForASecondUnlessSaidOtherwise(text: String?, timeout: Duration) throws {
        #expect(try Self.supplementTimeout(text) == timeout)
    }

    @Test func keysAreOfTheEnvironmentOrTheCommandLine() throws {
        let settings = try SourceSettings(
            Settings(["omdb-key": ["a"]], environment: ["ONESHEET_MDBLIST_KEY": "b"]))
        #expect(settings.keys == [.omdb: "a", .mdblist: "b"])
    }

    @Test(arguments: SourceOptions.keyOptions.values.sorted())
    func aKeyThatCannotBeSentIsRefusedAndNotShown(option: String) {
        let error = #expect(throws: SettingError.self) {
            try SourceSettings(Settings([option: ["SECRET key"]], environment: [:]))
        }
        #expect(error?.description.contains(option) == true && error?.description.contains("SECRET") == false)
        #expect(SettingDescription.secret.contains(option))
    }

    @Test func aSourcesURLIsOfANameAndAnAddress() throws {
        let given = ["source-url": ["mdblist=https://mirror.test/mdblist", "omdb=https://mirror.test/omdb"]]
        let settings = try SourceSettings(Settings(given, environment: [:]))
        #expect(
            settings.baseURLs == [
                .mdblist: "https://mirror.test/mdblist", .omdb: "https://mirror.test/omdb",
            ])
    }

    @Test func aSourcesQuotaIsOfANameAndACount() throws {
        let given = ["daily-requests": ["omdb=100000", "kakao=1"]]
        #expect(try SourceSettings(Settings(given, environment: [:])).dailyRequests == [.omdb: 100_000, .kakao: 1])
        #expect(try SourceSettings(Settings([:], environment: [:])).dailyRequests == [:])
    }

    @Test(arguments: ["omdb", "omdb=", "omdb=0", "omdb=-1", "omdb=1e3", "omdb=100000001", "tmdb=5", "sample=5", "=5"])
    func aQuotaWithoutANameOrACountIsRefused(text: String) {
        let error = #expect(throws: SettingError.self) {
            try SourceSettings(Settings(["daily-requests": [text]], environment: [:]))
        }
        #expect(error?.description.contains("NAME is one of omdb, mdblist, kobis, kmdb, kakao") == true)
        #expect(throws: SettingError.self) {
            try SourceSettings(Settings(["daily-requests": ["omdb=5", "omdb=5"]], environment: [:]))
        }
    }

    private static func region(_ text: String?) throws -> Country? {
        try SourceSettings(Settings(text.map { ["region": [$0]] } ?? [:], environment: [:])).region
    }

    @Test(arguments: [(nil, nil), ("KR", .korea), ("jp", .japan)] as [(String?, Country?)])
    func theRegionIsACountryOrTheSourcesOwnChoice(text: String?, region: Country?) throws {
        #expect(try Self.region(text) == region)
    }

    @Test(arguments: ["Korea", "ZZ", "K"])
    func aRegionThatIsNoCountryIsRefused(text: String) {
        let error = #expect(throws: SettingError.self) { try Self.region(text) }
        #expect(error?.description.contains("ISO 3166-1 code such as KR") == true)
    }

    @Test(arguments: ["-1", "60.1", "1s", "nan"])
    func otherTimesAreRefused(text: String) {
        let error = #expect(throws: SettingError.self) { try Self.supplementTimeout(text) }
        #expect(error?.description.contains("supplement-timeout") == true)
    }
}
