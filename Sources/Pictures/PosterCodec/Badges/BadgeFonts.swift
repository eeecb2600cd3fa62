import Glibc
import Synchronization

/// The fonts of badges: the bundled one for Latin, Greek and Cyrillic, and font files for other scripts. Safe from any
/// thread.
public final class BadgeFonts: Sendable {
    /// Maximum number of font files.
    public static let fileLimit = 16
    /// Maximum size of a font file, in bytes: 64 MiB.
    public static let byteLimit = 64 << 20
    /// The suffixes of font files' names.
    public static let suffixes = ["ttf", "otf", "ttc"]

    /// Raise it with every change that draws other pixels for the same badges, or with another bundled font.
    private static let revision = 1

    private static let installed = Mutex(BadgeFonts())

    /// The fonts that badges are drawn with: the bundled one alone until others are installed.
    public static var shared: BadgeFonts { self.installed.withLock { $0 } }

    /// Font files in the order of preference, after the bundled font: absolute paths.
    public let files: [String]
    /// Changes with each change of the fonts or of their libraries; part of the key of variants with badges, for
    /// example "1-freetype2.12.1-harfbuzz6.0.0-cbf29ce484222325".
    public let version: String
    private let fonts: Mutex<BadgeFontSet>

    /// - Parameter expected: The version that the files should have; `nil` for any.
    private init(mapped: [BadgeFontFile], expected: String? = nil) {
        self.files = mapped.map(\.path)
        let hash = mapped.reduce(FontFingerprint.value(of: [], seed: 0)) { hash, file in
            FontFingerprint.value(of: withUnsafeBytes(of: file.fingerprint.littleEndian, Array.init), seed: hash)
        }
        let digits = String(hash, radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        let version = "\(Self.revision)-\(BadgeFont.libraries)-\(padded)"
        self.version = version
        self.fonts = Mutex(BadgeFontSet(mapped, haveFilesChanged: version != expected ?? version))
    }

    /// The bundled font alone.
    public convenience init() {
        self.init(mapped: [])
    }

    /// Maps and checks font files.
    ///
    /// - Parameter files: Paths, at most ``fileLimit``.
    /// - Throws: ``BadgeFontError`` for the first file that cannot be used.
    public convenience init(files: [String]) throws(BadgeFontError) {
        if files.count > Self.fileLimit {
            throw BadgeFontError(
                file: files[Self.fileLimit], reason: "there are \(files.count) files; the maximum is \(Self.fileLimit)")
        }
        var mapped: [BadgeFontFile] = []
        for file in files { mapped.append(try BadgeFontFile(file)) }
        self.init(mapped: mapped)
        let unusable: Int?
        do throws(CodecError) {
            unusable = try self.fonts.withLock { (fonts) throws(CodecError) in try fonts.firstUnusableFile() }
        } catch {
            throw BadgeFontError(file: files.last ?? "", reason: "\(error)")
        }
        if let unusable { throw BadgeFontError(file: files[unusable], reason: "it is no font with outlines") }
    }

    /// Replaces ``shared`` by these font files. Call it at the start, before workers are started.
    ///
    /// - Parameter files: As in ``init(files:)``.
    /// - Throws: ``BadgeFontError``; ``shared`` is unchanged then.
    public static func install(files: [String]) throws(BadgeFontError) {
        let fonts = try BadgeFonts(files: files)
        self.installed.withLock { $0 = fonts }
    }

    /// Replaces ``shared`` by the files that can be mapped; they are opened by their first use.
    ///
    /// - Parameter version: For workers, the server's version. A file that was removed or replaced after its start must
    ///   not stop them, but other pixels would have the same entity tag: texts that the bundled font does not have fail.
    package static func installReadable(files: [String], version: String? = nil) {
        let fonts = BadgeFonts(
            mapped: files.prefix(self.fileLimit).compactMap { try? BadgeFontFile($0) }, expected: version)
        self.installed.withLock { $0 = fonts }
    }

    /// The characters of a text that no font has, without duplicates; empty if it can be drawn.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    public func missingCharacters(in text: String) throws(CodecError) -> [Character] {
        try self.withFonts { (fonts) throws(CodecError) in
            var missing: [Character] = []
            for character in text {
                let font = try fonts.font(for: character.unicodeScalars)
                if font == nil, !missing.contains(character) { missing.append(character) }
            }
            return missing
        }
    }

    func withFonts<Value: Sendable>(
        _ body: (inout BadgeFontSet) throws(CodecError) -> Value
    ) throws(CodecError) -> Value {
        try self.fonts.withLock { (fonts) throws(CodecError) -> Value in try body(&fonts) }
    }
}

extension BadgeFonts {
    /// Bold fonts of Debian's packages fonts-noto-core, fonts-noto-cjk and fonts-dejavu-core, in the order of
    /// preference.
    public static let debianFiles = [
        "/usr/share/fonts/truetype/noto/NotoSansArabic-Bold.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansHebrew-Bold.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Bold.ttf",
        "/usr/share/fonts/truetype/noto/NotoSansThai-Bold.ttf",
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    ]

    /// The files of ``debianFiles`` that this system has and the process may read.
    public static func installedDebianFiles() -> [String] {
        self.debianFiles.filter { access($0, R_OK) == 0 }
    }
}

/// A font file that cannot be used for badges.
public struct BadgeFontError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path as configured.
    public let file: String
    /// The reason as a clause, for example "it is no font with outlines".
    public let reason: String

    /// The file and the reason.
    public var description: String { "the font file \(self.file) cannot be used: \(self.reason)" }
}
