import Foundation
import MovieCompatibility
import PosterAPI
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@testable import OneSheetConfiguration

struct SettingsTests {
    private let folder = TemporaryFolder()

    private func file(_ name: String, _ text: String) throws -> String {
        let path = self.folder.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// `nil` is a layer without the option.
    @Test(
        "the first layer that has a value wins",
        arguments: [
            ("1", "2", "3", "1", "flag"), ("1", "2", nil, "1", "flag"), ("1", nil, "3", "1", "flag"),
            ("1", nil, nil, "1", "flag"), (nil, "2", "3", "2", "environment"), (nil, "2", nil, "2", "environment"),
            (nil, nil, "3", "3", "file"), (nil, nil, nil, nil, "default"),
            // An empty value counts as absent.
            ("", "2", "3", "2", "environment"), (nil, "", "3", "3", "file"), (nil, "", "", nil, "default"),
        ] as [(String?, String?, String?, String?, String)])
    func precedence(flag: String?, variable: String?, key: String?, value: String?, layer: String) throws {
        var given = ["config": [try self.file("a.yaml", key.map { "max-age: \"\($0)\"" } ?? "port: 1")]]
        given["max-age"] = flag.map { [$0] }
        var environment: [String: String] = [:]
        environment["ONESHEET_MAX_AGE"] = variable
        let settings = try Settings.layered(given, environment: environment)
        #expect(settings.text("max-age") == value)
        #expect(settings.layer(of: "max-age").kind == layer)
    }

    @Test(
        "lists are replaced as a whole by the layer above",
        arguments: [
            (["a", "b"], "c,d", ["a", "b"]), (["a"], "c,d", ["a"]), ([], "c,d", ["c", "d"]), ([], "c", ["c"]),
            ([], "", ["e", "f"]),
        ])
    func lists(flags: [String], variable: String, values: [String]) throws {
        let path = try self.file("a.json", #"{"origin": ["e", "f"]}"#)
        let settings = try Settings.layered(
            ["config": [path], "origin": flags], environment: ["ONESHEET_ORIGIN": variable])
        #expect(settings.texts("origin") == values)
    }

    @Test(
        "lines of a variable may hold commas",
        arguments: [
            ("a=b,c\n", ["a=b,c"]), ("a=b,c\n  d=e \r\n\n", ["a=b,c", "d=e"]), ("a,b", ["a", "b"]),
        ])
    func lines(variable: String, values: [String]) {
        #expect(Settings([:], environment: ["ONESHEET_ORIGIN": variable]).texts("origin") == values)
    }

    @Test func aCommaInAVariableIsRefusedWithTheOtherForm() {
        let source = ConfigurationSource(
            commandLine: [:], environment: ["ONESHEET_ORIGIN": "a=https://a.test/{key},w_5.jpg"])
        let error = #expect(throws: SettingError.self) { try source.read() }
        #expect(error?.description.contains("values with commas need a line each") == true)
    }

    @Test func variablesThatNoOptionHasAreFound() {
        let environment = [
            "ONESHEET_WIDHTS": "1", "ONESHEET_PORT": "1", "ONESHEET_SERVICE_HOST": "a",
            "ONESHEET_PORT_80_TCP_ADDR": "a",
            "ONESHEET_SERVICE_PORT_HTTP": "1", "OTHER": "1", "ONESHEET_QQQQQQQQQQQQQ": "1",
        ]
        let unknown = Settings([:], environment: environment).unknownVariables(known: ["port", "widths"])
        #expect(unknown.map(\.name) == ["ONESHEET_QQQQQQQQQQQQQ", "ONESHEET_WIDHTS"])
        #expect(unknown.map(\.nearest) == [nil, "ONESHEET_WIDTHS"])
    }

    @Test(
        "originals are decoded in all formats, or in those that are named",
        arguments: [
            (nil, ImageFormat.decoded), ("jpeg", [.jpeg]), ("jxl, png,webp", [.jpegXL, .png, .webp]),
            ("jpeg,jpeg", nil), ("bmp", nil), ("jpeg,", nil), ("JPEG", nil),
        ] as [(String?, [ImageFormat]?)])
    func inputFormats(text: String?, formats: [ImageFormat]?) throws {
        let source = ConfigurationSource(commandLine: text.map { ["input-formats": [$0]] } ?? [:], environment: [:])
        if let formats {
            #expect(try source.read().configuration.codecLimits.inputFormats == formats)
        } else {
            let error = #expect(throws: SettingError.self) { try source.read() }
            #expect(error?.description.contains("jpeg, png, webp, avif, gif") == true)
        }
    }

    @Test func theEnvironmentNamesTheFileToo() throws {
        let (first, second) = (try self.file("a.yml", "port: 1"), try self.file("b.yaml", "port: 2"))
        let settings = try Settings.layered([:], environment: ["ONESHEET_CONFIG": first])
        #expect(settings.text("port") == "1")
        #expect(settings.layer(of: "port") == .file(path: first))
        #expect(try Settings.layered(["config": [second]], environment: ["ONESHEET_CONFIG": first]).text("port") == "2")
        #expect(try Settings.layered([:], environment: ["ONESHEET_CONFIG": ""]).text("port") == nil)
    }

    @Test(
        "web pages are served unless they are switched off",
        arguments: [(nil, true), ("true", true), ("false", false)] as [(String?, Bool)])
    func web(value: String?, serves: Bool) throws {
        var environment: [String: String] = [:]
        environment["ONESHEET_WEB"] = value
        let source = ConfigurationSource(commandLine: [:], environment: environment)
        #expect(try source.read().configuration.servesWeb == serves)
    }

    @Test(
        "APIs of other services are all there, some of them, or none",
        arguments: [
            (nil, CompatibleAPI.allCases), ("all", CompatibleAPI.allCases), ("off", []), ("kobis", [.kobis]),
            ("tmdb, naver", [.tmdb, .naver]),
        ] as [(String?, [CompatibleAPI])])
    func compatibility(value: String?, apis: [CompatibleAPI]) throws {
        var environment: [String: String] = [:]
        environment["ONESHEET_COMPAT"] = value
        let source = ConfigurationSource(commandLine: [:], environment: environment)
        #expect(try source.read().configuration.compatibility.apis == apis)
    }

    @Test func pathsOfRPDBAreAtTheRootOnlyWithTheOption() throws {
        func settings(_ options: [String: [String]]) throws -> RPDBController.Settings {
            try ConfigurationSource(commandLine: options, environment: [:]).read().configuration.compatibility.rpdb
        }
        #expect(try settings([:]) == RPDBController.Settings())
        let all = try settings(["rpdb": ["true"], "rpdb-negotiate": ["true"], "canonical-redirects": ["true"]])
        #expect(all.servesRoot && all.negotiates && all.redirects)
        #expect(throws: SettingError.self) { try settings(["rpdb": ["true"], "compat": ["tmdb"]]) }
    }

    @Test func wrongSettingsOfKeysAreReportedWithTheirLine() throws {
        let file = try self.file("keys", "tmdb a\nrpdb b badges=imdb,kinopoisk\n")
        let configuration = try ConfigurationSource(commandLine: ["compat-keys-file": [file]], environment: [:])
            .read().configuration
        let error = #expect(throws: SettingError.self) { try configuration.compatibility.resources() }
        #expect(error?.description.contains("line 2 has a wrong setting: badges must be") == true)
    }

    @Test func textsOfBadgesNeedASignatureUnlessTheOptionIsOn() throws {
        func pictures(_ options: [String: [String]]) throws -> PictureSettings {
            try ConfigurationSource(commandLine: options, environment: [:]).read().configuration.pictures
        }
        let usual = try pictures([:])
        #expect(!usual.allowsBadgeTexts && usual.badgeFonts.isEmpty)
        let open = try pictures(["badge-text": ["true"], "badge-font": ["/a.ttf", "/b.otf"]])
        #expect(open.allowsBadgeTexts && open.badgeFonts == ["/a.ttf", "/b.otf"])
        #expect(try open.policy(effort: .balanced).allowsBadgeTexts)
        #expect(throws: SettingError.self) { try pictures(["badge-font": (1...17).map { "/\($0).ttf" }]) }
    }

    @Test("other names of APIs are refused", arguments: ["imdb", "tmdb,", "TMDB", "all,tmdb"])
    func refusesAPIs(value: String) {
        let source = ConfigurationSource(commandLine: ["compat": [value]], environment: [:])
        #expect(throws: SettingError.self) { try source.read() }
    }

    @Test(
        "variants are encoded again by default, or within a share of the codec threads' time, or not",
        arguments: [(nil, 0.75), ("on", 0.75), ("20%", 0.2), ("100%", 1), ("off", nil)] as [(String?, Double?)])
    func reencoding(value: String?, share: Double?) throws {
        var environment = ["ONESHEET_REENCODE_AFTER": "3", "ONESHEET_REENCODE_QUEUE": "7"]
        environment["ONESHEET_REENCODE"] = value
        let limits = try ServeConfiguration(Settings([:], environment: environment)).reencoding
        #expect(limits?.cpuShare == share)
        #expect(limits.map { [$0.uses, $0.queueLimit] } == share.map { _ in [3, 7] })
    }

    @Test(
        "the order of formats names each once, with JPEG as the last otherwise",
        arguments: [
            (nil, [.jxl, .avif, .webp, .jpeg]), ("webp", [.webp, .jpeg]), ("jpeg, webp", [.jpeg, .webp]), ("png", nil),
            ("webp,webp", nil), ("avif,", nil), (",", nil),
        ] as [(String?, [OutputFormat]?)])
    func formats(value: String?, formats: [OutputFormat]?) throws {
        let settings = Settings(value.map { ["formats": [$0]] } ?? [:], environment: [:])
        guard let formats else {
            let error = #expect(throws: SettingError.self) { _ = try ServeConfiguration(settings) }
            #expect(error?.option == "formats")
            return
        }
        #expect(try ServeConfiguration(settings).pictures.formats == FormatOrder(formats))
    }

    @Test(
        "wrong shares and numbers of uses are refused by name",
        arguments: [
            ("reencode", "0%"), ("reencode", "101%"), ("reencode", "0.5"), ("reencode-after", "0"),
            ("reencode-after", "256"), ("reencode-queue", "0"), ("provisional-max-age", "-1"),
        ])
    func wrongReencoding(option: String, value: String) {
        let error = #expect(throws: SettingError.self) {
            _ = try ServeConfiguration(Settings([option: [value]], environment: [:]))
        }
        #expect(error?.option == option)
    }

    @Test(
        "what is rendered ahead is off, on, or limited to two shares",
        arguments: [
            (nil, nil), ("off", nil), ("on", LadderAheadLimits(cpuShare: 0.25, cacheShare: 0.1)),
            ("25%,10%", LadderAheadLimits()), ("1%,100%", LadderAheadLimits(cpuShare: 0.01, cacheShare: 1)),
        ] as [(String?, LadderAheadLimits?)])
    func ladderAhead(value: String?, limits: LadderAheadLimits?) throws {
        var environment: [String: String] = [:]
        environment["ONESHEET_LADDER_AHEAD"] = value
        #expect(try ServeConfiguration(Settings([:], environment: environment)).ladderAhead == limits)
    }

    @Test(
        "other shares are refused, and any without decoded planes",
        arguments: [
            ("25%", "12%"), ("25,10", "12%"), ("0%,10%", "12%"), ("25%,101%", "12%"), ("25%,10%,", "12%"),
            ("25%,,10%", "12%"), ("yes", "12%"), ("on", "0"), ("25%,10%", "0"),
        ])
    func wrongLadderAhead(value: String, planes: String) {
        let settings = Settings(["ladder-ahead": [value], "planes-budget": [planes]], environment: [:])
        let error = #expect(throws: SettingError.self) { try ServeConfiguration(settings) }
        #expect(error?.option == "ladder-ahead")
        #expect(error?.allowed.contains("--planes-budget is 0") == (planes == "0"))
    }

    @Test(
        "JSON and YAML give the same texts",
        arguments: [
            (
                "a.json",
                #"{"max-age": 60, "fetch-timeout": 0.5, "memory-budget": "25%", "allow-private-origins": true, "port": null}"#
            ),
            (
                "a.yaml",
                "# all\nmax-age: 60\nfetch-timeout: 0.5\nmemory-budget: 25%\nallow-private-origins: true\nport: ~\n"
            ),
            (
                "a.yml",
                "{max-age: '60', fetch-timeout: \"0.5\", memory-budget: 25%, allow-private-origins: true, port: }"
            ),
        ])
    func forms(name: String, text: String) throws {
        let file = try SettingsFile(path: try self.file(name, text), keys: SettingDescription.fileKeys)
        #expect(
            file.values == [
                "max-age": ["60"], "fetch-timeout": ["0.5"], "memory-budget": ["25%"],
                "allow-private-origins": ["true"],
            ])
    }

    @Test("a file in which everything is commented out is empty", arguments: ["", "\n", "# max-age: 1\n\n  # x\n"])
    func emptyFiles(text: String) throws {
        #expect(try SettingsFile(path: try self.file("a.yaml", text), keys: [:]).values.isEmpty)
    }

    @Test func theNameYoutubeIsReserved() {
        let source = ConfigurationSource(
            commandLine: ["origin": ["youtube=https://a.test/{key}"]], environment: [:])
        let error = #expect(throws: SettingError.self) { try source.read() }
        #expect(error?.description.contains("any NAME except") == true)
    }

    @Test(
        "a wrong value says where it comes from",
        arguments: [
            (["--port"], "set on the command line"), (["ONESHEET_PORT"], "set in the environment"),
            (["file"], "set in "),
        ])
    func wrongValues(layer: [String], words: String) throws {
        var given: [String: [String]] = [:]
        var environment: [String: String] = [:]
        switch layer[0] {
        case "--port": given["port"] = ["eighty"]
        case "file": given["config"] = [try self.file("a.yaml", "# a port\nport: eighty")]
        default: environment["ONESHEET_PORT"] = "eighty"
        }
        let source = ConfigurationSource(commandLine: given, environment: environment)
        let error = #expect(throws: SettingError.self) { try source.read() }
        let text = try #require(error).description
        #expect(text.hasPrefix("--port (ONESHEET_PORT) is 'eighty'; allowed: a whole number from 0 to 65535, or off; "))
        #expect(text.contains(words), "\(text)")
        if layer[0] == "file" { #expect(text.hasSuffix("a.yaml:2:1"), "\(text)") }
    }
}
