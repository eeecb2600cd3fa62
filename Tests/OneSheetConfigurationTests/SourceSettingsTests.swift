import Testing

@testable import OneSheetConfiguration

/// The settings of the sources of facts about films.
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

    @Test(arguments: ["-1", "60.1", "1s", "nan"])
    func otherTimesAreRefused(text: String) {
        let error = #expect(throws: SettingError.self) { try Self.supplementTimeout(text) }
        #expect(error?.description.contains("supplement-timeout") == true)
    }
}
