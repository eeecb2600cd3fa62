/// The quality of an encoded picture: a number on the scale of its format's encoder, or a likeness that is equal in all
/// formats. PNG, which is lossless, ignores it.
public enum Quality: Hashable, Sendable {
    /// A number on the encoder's scale, 1...100. The scales of the formats differ.
    case fixed(Int)
    /// The number is chosen per picture, so that results look equally like their originals.
    case likeness(Likeness)

    /// The range of ``fixed(_:)``.
    public static let numbers = 1...100

    /// The accepted forms of ``init(_:)``, for error messages.
    public static let forms = "low, auto, high, or a whole number from 1 to 100"

    /// - Parameter text: In one of ``forms``; the result is `nil` otherwise.
    public init?(_ text: String) {
        if let likeness = Likeness(rawValue: text) {
            self = .likeness(likeness)
        } else if let number = Int(text), Self.numbers.contains(number) {
            self = .fixed(number)
        } else {
            return nil
        }
    }

    /// Whether a fixed number is in ``numbers``.
    package var isPossible: Bool {
        switch self {
        case .fixed(let number): Self.numbers.contains(number)
        case .likeness: true
        }
    }

    /// A number that differs between qualities, and between versions of the model that chooses numbers by likeness. It
    /// is equal in every process.
    package var fingerprint: Int {
        switch self {
        case .fixed(let number): number
        case .likeness(let likeness): LikenessModel.version << 16 | likeness.score << 8
        }
    }

    /// The numbers that an encoder may be given.
    func numbers(of format: OutputFormat) -> ClosedRange<Int> {
        switch self {
        case .fixed(let number): number...number
        case .likeness: LikenessModel.numbers(of: format)
        }
    }
}

/// A likeness of an encoded picture to the same picture before encoding.
public enum Likeness: String, Hashable, Sendable, CaseIterable {
    /// Visible artefacts: for slow connections.
    case low
    /// Artefacts are hard to notice at the size of display.
    case auto
    /// Artefacts are hard to notice beside the original.
    case high

    /// The target on the scale of SSIMULACRA 2, on which 100 is identity.
    public var score: Int {
        switch self {
        case .low: 60
        case .auto: 72
        case .high: 80
        }
    }
}

extension Quality: CustomStringConvertible {
    /// Differs between qualities and between versions of the model; part of entity tags.
    public var description: String {
        switch self {
        case .fixed(let number): "\(number)"
        case .likeness(let likeness): "\(likeness.rawValue) \(likeness.score) model \(LikenessModel.version)"
        }
    }
}

extension Quality: ExpressibleByIntegerLiteral {
    /// A fixed number.
    public init(integerLiteral number: Int) { self = .fixed(number) }
}
