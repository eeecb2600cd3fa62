import HTTPServer
import OneSheetConfiguration
import Testing

@testable import OneSheetServer

/// The first line of `serve`.
struct StartMessageTests {
    private static let place = ListenAddress(.port(host: "127.0.0.1", 8080))

    private func text(
        _ options: [String: [String]] = [:], places: [ListenAddress] = [Self.place], isLinked: Bool = false
    ) throws -> String {
        let configuration = try ServeConfiguration(Settings(options, environment: [:]))
        return StartMessage(places: places, directory: "/data", configuration).text(isLinked: isLinked)
    }

    @Test func withoutKeysItNamesTheEmbeddedFilmsAndTheOptionsForOthers() throws {
        #expect(
            try self.text()
                == "OneSheet serves http://127.0.0.1:8080/ and shows 48 embedded films, with data in /data; "
                + "--tmdb-key KEY shows TMDB's films, --origin NAME=https://host/{key}.jpg serves your own posters")
    }

    @Test func itNamesNoOptionThatIsGiven() throws {
        let origin = ["origin": ["films=https://example.org/{key}.jpg"]]
        let own = try self.text(origin)
        #expect(own.contains("48 embedded films") && own.hasSuffix("; --tmdb-key KEY shows TMDB's films"), "\(own)")
        let withKey = try self.text(["tmdb-key": ["abc"]])
        #expect(withKey == "OneSheet serves http://127.0.0.1:8080/ and keeps its data in /data")
    }

    @Test func itsOptionsAreThoseOfServe() throws {
        let known = Set(SettingDescription.all.map { "--" + $0.name })
        let named = try self.text().split(separator: " ").filter { $0.hasPrefix("--") }.map(String.init)
        #expect(named.count == 2 && known.isSuperset(of: named))
    }

    @Test func addressesAreLinksOnATerminalOnly() throws {
        let socket = ListenAddress(.file(path: "/run/one.sock", mode: 0o660))
        let text = try self.text(["tmdb-key": ["abc"]], places: [Self.place, socket], isLinked: true)
        let link = "\u{1B}]8;;http://127.0.0.1:8080/\u{1B}\\http://127.0.0.1:8080/\u{1B}]8;;\u{1B}\\"
        #expect(text == "OneSheet serves \(link), http+unix:/run/one.sock and keeps its data in /data")
    }

    @Test(
        "links are for terminals that understand them",
        arguments: [
            (true, ["TERM": "xterm-256color"], true), (false, ["TERM": "xterm-256color"], false), (true, [:], false),
            (true, ["TERM": "dumb"], false), (true, ["TERM": "linux"], false),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], false), (true, ["TERM": "xterm", "NO_COLOR": ""], true),
        ] as [(Bool, [String: String], Bool)])
    func links(isTerminal: Bool, environment: [String: String], expected: Bool) {
        #expect(StartMessage.showsLinks(isTerminal: isTerminal, environment: environment) == expected)
    }
}
