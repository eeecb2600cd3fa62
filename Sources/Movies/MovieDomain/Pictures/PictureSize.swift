/// The sides of a picture.
public struct PictureSize: Hashable, Sendable {
    /// In pixels, at least 1.
    public let width, height: Int

    /// - Returns: nil with a side below one pixel.
    public init?(width: Int, height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }
}
