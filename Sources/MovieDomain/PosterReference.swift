/// Where a film's original poster is, in its source's own terms.
public struct PosterReference: Hashable, Sendable {
    /// For the embedded catalogue a file's name.
    public let location: String
    /// Changes whenever the poster's bytes do.
    public let version: String
    /// In pixels.
    public let width, height: Int

    /// - Returns: nil without a location, or with a side below one pixel.
    public init?(location: String, version: String, width: Int, height: Int) {
        guard !location.isEmpty, width > 0, height > 0 else { return nil }
        self.location = location
        self.version = version
        self.width = width
        self.height = height
    }
}
