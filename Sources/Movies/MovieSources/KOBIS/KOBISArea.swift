/// A part of Korea by KOBIS's code, such as `0105001` for Seoul.
public struct KOBISArea: Hashable, Sendable, LosslessStringConvertible {
    /// What is accepted, for people.
    public static let form = "a code of 7 digits, such as 0105001 for Seoul"

    /// Seven digits.
    public let description: String

    /// Reads a code.
    ///
    /// - Returns: nil for what is none.
    public init?(_ description: String) {
        guard description.utf8.count == 7, description.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        self.description = description
    }
}
