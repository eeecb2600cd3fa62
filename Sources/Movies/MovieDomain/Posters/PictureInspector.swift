/// Looks at a picture's first bytes, to know its size before it is chosen.
public protocol PictureInspector: Sendable {
    /// - Throws: `CancellationError` alone: whatever else goes wrong is an answer.
    func inspect(_ location: PictureLocation) async throws -> PictureInspection
}

/// What was found out about a picture. Reasons are sentences' ends for people; they hold no key.
public enum PictureInspection: Hashable, Sendable {
    /// As shown.
    case size(PictureSize)
    /// There is no picture that could be a poster, and there will be none soon.
    case unusable(reason: String)
    /// It could not be looked at now.
    case unreachable(reason: String)
}
