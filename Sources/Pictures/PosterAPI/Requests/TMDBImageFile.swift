import HTTPSemantics
import PosterCodec
import PosterPipeline

/// The last part of The Movie Database's image paths, such as `ojDg0PGvs6R9xYFodRct2kdI6wC.jpg`.
struct TMDBImageFile {
    /// What there may be after the dot.
    private static let extensions = ["jpg", "png", "webp", "svg"]
    /// The longest name before the dot, in bytes.
    private static let nameLimit = 64

    let id: PosterID
    /// Whether it may be a logo, which is laid over something.
    private let mayHaveAlpha: Bool

    /// - Parameter segment: As it came: none of what is allowed needs encoding.
    /// - Throws: ``Problem``.
    init(_ segment: Substring) throws(Problem) {
        let parts = segment.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...Self.nameLimit).contains(parts[0].count), parts[0].allSatisfy(Self.isOfName),
            let kind = Self.extensions.first(where: { $0.utf8.elementsEqual(parts[1]) })
        else { throw Self.malformed }
        do throws(PosterID.Malformed) {
            self.id = try PosterID(source: PosterID.tmdbImageSource, key: String(segment))
        } catch {
            throw Self.malformed
        }
        self.mayHaveAlpha = kind == "png" || kind == "svg"
    }

    /// A logo's transparency is more to who shows it than a smaller file.
    func format(negotiated: OutputFormat) -> OutputFormat {
        self.mayHaveAlpha && !negotiated.hasAlpha ? .png : negotiated
    }

    private static var malformed: Problem {
        Problem(
            .invalidID,
            "the file must be 1 to \(Self.nameLimit) letters, digits, '-' and '_', and .jpg, .png, .webp or .svg")
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
