import Cryptography
import FoundationEssentials
import ProgramResources

/// The files of the web pages, read once at start.
struct WebResources: Sendable {
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// By name, without folder and suffix.
    let templates: [String: String]
    let texts: TranslatedTexts
    /// Style sheets, scripts and icons, by file name.
    let assets: [String: [UInt8]]
    /// Ten digits that change with any file, used in the addresses of assets.
    let version: String

    /// - Parameter directory: Holds `strings.tsv`, `templates`, `assets` and `icons`; `nil` searches beside the
    ///   program.
    /// - Throws: `ProgramResources.Missing`, ``Unreadable``, ``TranslatedTexts/Malformed``.
    init(directory: String? = nil) throws {
        let directory =
            try directory
            ?? ProgramResources(of: "MovieWeb", with: "strings.tsv", subject: "the folder of the web pages").folder
        let templates = try ["templates", "templates/parts"].flatMap {
            try Self.files(of: "\(directory)/\($0)", withSuffix: ".mustache")
        }
        let assets = try ["assets", "icons"].flatMap { try Self.files(of: "\(directory)/\($0)") }
        let table = try Self.read(directory + "/strings.tsv")
        var digest = SHA256()
        for (name, bytes) in (templates + assets + [("strings.tsv", table)]).sorted(by: { $0.name < $1.name }) {
            // Lengths are included, so that different sets of files have different bytes.
            digest.update(data: "\(name) \(bytes.count)\n".utf8)
            digest.update(data: bytes)
        }
        self.version = String(
            digest.finalize().flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }.joined().prefix(10))
        self.templates = try Dictionary(
            templates.map { (String($0.name.dropLast(".mustache".utf8.count)), try Self.text($0.bytes, $0.name)) }
        ) { _, name in throw Unreadable(description: "two templates have the same name: \(name.prefix(40))") }
        self.assets = Dictionary(assets.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        self.texts = try TranslatedTexts(try Self.text(table, "strings.tsv"))
    }

    /// The address of a file from `assets` or `icons`, which changes with the files.
    func address(of name: String) -> String { "/assets/\(self.version)/\(name)" }

    private static func files(of folder: String, withSuffix suffix: String = "") throws(Unreadable) -> [(
        name: String, bytes: [UInt8]
    )] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw Unreadable(description: "\(folder) cannot be read: \(error)")
        }
        // Editors create files that begin with a dot.
        let wanted = names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") && $0.contains(".") }.sorted()
        return try wanted.map { name throws(Unreadable) in (name, try Self.read("\(folder)/\(name)")) }
    }

    private static func read(_ path: String) throws(Unreadable) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Unreadable(description: "\(path) cannot be read: \(error)")
        }
    }

    private static func text(_ bytes: [UInt8], _ name: String) throws(Unreadable) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Unreadable(description: "\(name) is not UTF-8")
        }
        return text
    }
}
