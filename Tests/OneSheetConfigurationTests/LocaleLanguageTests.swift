import MovieDomain
import Testing

@testable import OneSheetConfiguration

/// The language of commands and of the service.
struct LocaleLanguageTests {
    @Test(
        "the first variable of a locale that is set counts",
        arguments: [
            (["LC_ALL": "ko_KR.UTF-8"], "ko"), (["LANG": "ja_JP"], "ja"), (["LC_MESSAGES": "de_AT@euro"], "de"),
            (["LC_ALL": "ko", "LC_MESSAGES": "ja", "LANG": "en"], "ko"), (["LC_MESSAGES": "ja", "LANG": "en"], "ja"),
            (["LC_ALL": "", "LANG": "fil_PH"], "fil"), (["LC_ALL": "C", "LANG": "ko"], nil), (["LANG": "C.UTF-8"], nil),
            (["LANG": "POSIX"], nil), (["LANG": "/usr/share/x"], nil), (["LC_CTYPE": "ko_KR"], nil), ([:], nil),
        ] as [([String: String], String?)])
    func locale(environment: [String: String], code: String?) {
        #expect(Language(environment: environment)?.code == code)
    }

    @Test func theServicesLanguageIsEnglishUnlessItIsConfigured() throws {
        let usual = try SourceSettings(Settings([:], environment: ["LC_ALL": "ko_KR.UTF-8"]))
        #expect(usual.language == .english)
        for settings in [
            Settings(["language": ["ko-KR"]], environment: [:]),
            Settings([:], environment: ["ONESHEET_LANGUAGE": "ko"]),
        ] {
            let given = try SourceSettings(settings)
            #expect(given.language == .korean)
        }
    }
}
