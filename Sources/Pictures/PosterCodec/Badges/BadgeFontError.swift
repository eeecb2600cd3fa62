/// A font file that cannot be used for badges.
public struct BadgeFontError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path as configured.
    public let file: String
    /// The reason as a clause, for example "it is no font with outlines".
    public let reason: String

    /// The file and the reason.
    public var description: String { "the font file \(self.file) cannot be used: \(self.reason)" }
}
