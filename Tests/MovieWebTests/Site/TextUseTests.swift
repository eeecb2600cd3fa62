import FoundationEssentials
import Testing

@testable import MovieWeb

/// All texts used by the code are in the table: an unknown one would be shown as its key.
struct TextUseTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Movies/MovieWeb").path

    /// The concatenated source files of the pages.
    private static func code() throws -> String {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources).filter { $0.hasSuffix(".swift") }
        #expect(files.count > 40)
        return try files.map { file in
            String(decoding: try Data(contentsOf: URL(filePath: "\(Self.sources)/\(file)")), as: UTF8.self)
        }.joined()
    }

    @Test func everyTextThatCodeNamesIsThere() throws {
        var named: Set<String> = []
        for match in try Self.code().matches(of: /(?:formats|texts|texts\.text|compact)\(\s*"([a-z][A-Za-z]+)"/) {
            named.insert(String(match.output.1))
        }
        #expect(named.count > 50)
        #expect(named.subtracting(try WebResources().texts.keys) == [])
    }

    @Test func everyTextIsUsed() throws {
        let resources = try WebResources()
        // Names that are composed at run time.
        var named = Set(MarkKind.allCases.flatMap { [$0.label, $0.rawValue + "Remove", $0.rawValue + "Of"] })
        for match in try Self.code().matches(of: /"([a-z][A-Za-z]+)"/) {
            named.insert(String(match.output.1))
            named.insert(match.output.1 + "Of")
        }
        for template in resources.templates.values {
            for match in template.matches(of: /\{\{t\.([A-Za-z]+)\}\}/) { named.insert(String(match.output.1)) }
        }
        #expect(Set(resources.texts.keys).subtracting(named) == [])
    }
}
