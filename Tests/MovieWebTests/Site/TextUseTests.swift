import FoundationEssentials
import Testing

@testable import MovieWeb

/// The texts that the code asks for are in the table: an unknown one would be shown as its key.
struct TextUseTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Movies/MovieWeb").path

    @Test func everyTextThatCodeNamesIsThere() throws {
        let texts = try WebResources().texts
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources).filter { $0.hasSuffix(".swift") }
        #expect(files.count > 40)
        var named: Set<String> = []
        for file in files {
            let source = String(
                decoding: try Data(contentsOf: URL(filePath: "\(Self.sources)/\(file)")), as: UTF8.self)
            for match in source.matches(of: /(?:formats|texts|texts\.text|compact)\(\s*"([a-z][A-Za-z]+)"/) {
                named.insert(String(match.output.1))
            }
        }
        #expect(named.count > 50)
        #expect(named.subtracting(texts.keys) == [])
    }
}
